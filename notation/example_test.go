package notation_test

import (
	"errors"
	"fmt"

	"pbem/notation"
	"pbem/rules"
)

func ExampleRead() {
	p := rules.Shogi().Start()
	for _, text := range []string{"P-7f", "1. p7F!", "▲７六歩(77)", "7g7f", "G5h", "B-7g", "Good luck"} {
		m, err := notation.Read(p, text, notation.Options{})
		if err != nil {
			fmt.Println(text, "→", err)
			continue
		}
		fmt.Println(text, "→", notation.Hodges(p, m))
	}
	// Output:
	// P-7f → P-7f
	// 1. p7F! → P-7f
	// ▲７六歩(77) → P-7f
	// 7g7f → P-7f
	// G5h → "g5h" may mean G4i-5h or G6i-5h
	// B-7g → B-7g is not possible: illegal move 8h-7g: the target holds a piece of the mover
	// Good luck → not a move
}

func ExampleImpossibleError() {
	p, _, _ := notation.ParseSFEN(rules.Shogi(), "4k4/9/9/9/9/9/4P4/9/4K4 b P 1")
	_, err := notation.Read(p, "P*5e", notation.Options{})
	var impossible *notation.ImpossibleError
	if errors.As(err, &impossible) && impossible.Err != nil && impossible.Err.Reason == rules.TwoPawns {
		fmt.Println("nifu:", impossible.Reading)
	}
	// Output: nifu: P*5e
}

func ExampleReadLine() {
	start := rules.Shogi().Start()
	played, _ := notation.ReadMoves(start, "P-7f P-3d", notation.Options{})
	moves, err := notation.ReadLine(start, played, "1. P-7f P-3d 2. P-2f", notation.Options{})
	fmt.Println(len(moves), notation.USI(rules.Shogi(), moves[0]), err)
	// Output: 1 2g2f <nil>
}

func ExampleWrite() {
	p := rules.Shogi().Start()
	m, _ := notation.ParseUSI(rules.Shogi(), "4i5h")
	for _, d := range []notation.Dialect{notation.InHodges, notation.InKitao, notation.InCSA, notation.InKIF, notation.InKI2} {
		text, _ := notation.Write(d, p, m, notation.Options{})
		fmt.Println(d, text)
	}
	// Output:
	// hodges G4i-5h
	// kitao 金(49)-58
	// csa +4958KI
	// kif ５八金(49)
	// ki2 ▲５八金右
}

func ExampleWriteRecord() {
	v := rules.Shogi()
	moves, _ := notation.ReadMoves(v.Start(), "P-7f P-3d Bx2b+", notation.Options{})
	r := notation.Record{
		Tags: []notation.Tag{{Name: notation.TagBlack, Value: "Hana"}, {Name: notation.TagWhite, Value: "Marco"}},
		End:  rules.End{Outcome: rules.BlackWins, Cause: notation.Resigned},
	}
	for _, m := range moves {
		r.Moves = append(r.Moves, notation.Ply{Move: m})
	}
	text, lost, _ := notation.WriteRecord(notation.USILine, r)
	fmt.Print(text)
	fmt.Println("left out:", lost)
	text, lost, _ = notation.WriteRecord(notation.KI2, r)
	fmt.Print(text)
	fmt.Println("left out:", lost)
	// Output:
	// position startpos moves 7g7f 3c3d 8h2b+
	// left out: [tags how the game ended: Black wins: resignation]
	// 先手：Hana
	// 後手：Marco
	// 手合割：平手
	// ▲７六歩 △３四歩 ▲２二角成
	// まで3手で先手の勝ち
	// left out: []
}

func ExampleReadRecord() {
	r, err := notation.ReadRecord(notation.KIF, nil, []byte("手合割：平手\n   1 ７六歩(77)\n   2 ７六歩(77)\n"))
	fmt.Println(len(r.Moves), err)
	// Output: 1 kif, line 3, column 6: "７六歩(77)": illegal move 7g-7f: no piece of the mover stands there
}
