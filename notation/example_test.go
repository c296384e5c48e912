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
