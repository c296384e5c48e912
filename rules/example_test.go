package rules_test

import (
	"errors"
	"fmt"

	"pbem/rules"
)

func Example() {
	p := rules.Shogi().Start()
	p, err := p.Play(rules.Move{From: rules.NewSquare(7, 7), To: rules.NewSquare(7, 6)})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(p)
	fmt.Println(p.Turn(), "has", len(p.LegalMoves()), "moves")
	// Output:
	// lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w -
	// White has 30 moves
}

func ExamplePosition_Check() {
	p, err := rules.ParsePosition(rules.Shogi(), "k8/9/9/9/9/9/9/9/P7K b P 1")
	if err != nil {
		fmt.Println(err)
		return
	}
	drop := rules.Move{Drop: p.Variant().Kind("P"), To: rules.NewSquare(9, 5)}
	var illegal *rules.IllegalMoveError
	if errors.As(p.Check(drop), &illegal) {
		fmt.Println(illegal)
		fmt.Println(illegal.Reason == rules.TwoPawns)
	}
	// Output:
	// illegal drop on 9e: two pawns on one file (nifu)
	// true
}

func ExampleHistory() {
	square := rules.NewSquare
	cycle := []rules.Move{
		{From: square(2, 8), To: square(3, 8)}, {From: square(8, 2), To: square(7, 2)},
		{From: square(3, 8), To: square(2, 8)}, {From: square(7, 2), To: square(8, 2)},
	}
	p := rules.Shogi().Start()
	game := rules.NewHistory(p)
	for ply := 1; game.End() == (rules.End{}); ply++ {
		p, _ = p.Play(cycle[(ply-1)%4])
		if end := game.Add(p); end.Outcome == rules.Draw {
			fmt.Println("drawn at ply", ply, "by", end.Cause)
		}
	}
	// Output: drawn at ply 12 by repetition
}

func ExampleVariant_HandicapsNamed() {
	for _, h := range rules.Shogi().HandicapsNamed("5p") {
		fmt.Println(h.Name, "-", h.Title)
	}
	// Output:
	// 5p-left - five pieces, left knight
	// 5p-right - five pieces, right knight
}

func ExampleCountClaim() {
	p, err := rules.ParsePosition(rules.Shogi(), "K+N5+L1/G+L+P+B1+R+P2/3+P2G2/9/2+p+n5/3s2+ss1/3+p+p1+s1+r/7g+n/6g+nk b 2L8Pb4p 1")
	if err != nil {
		fmt.Println(err)
		return
	}
	start := p.Variant().Start()
	claim := rules.CountClaim(p, rules.Rule27, start)
	fmt.Println(claim.Points, "points of", claim.ToWin, "and", claim.Pieces, "pieces")
	fmt.Println(rules.Declare(p, rules.Rule27, start))
	// Output:
	// 28 points of 28 and 10 pieces
	// {1 impasse}
}

// A variant of one's own: five files, six ranks, no sliding pieces.
func ExampleDefine() {
	v, err := rules.Define(rules.Variant{
		Name: "gorogoro", Title: "Goro-goro shogi", Files: 5, Ranks: 6, Zone: 2, Drops: true,
		Pieces: []rules.PieceKind{
			{Code: "K", Name: "King", Betza: "K", Royal: true},
			{Code: "G", Name: "Gold", Betza: "WfF"},
			{Code: "S", Name: "Silver", Betza: "FfW", Promoted: rules.Promoted{Name: "Promoted Silver", Betza: "WfF"}},
			{Code: "P", Name: "Pawn", Betza: "fW", Promoted: rules.Promoted{Name: "Tokin", Betza: "WfF"}, OnePerFile: true, NoDropMate: true},
		},
		Setup: "sgkgs/5/1ppp1/1PPP1/5/SGKGS b -",
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(v.Start().Perft(1), "first moves")
	// Output: 16 first moves
}
