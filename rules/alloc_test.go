package rules_test

import (
	"testing"

	"pbem/rules"
)

// Counting moves allocates one list, however many moves there are.
func TestPerftAllocates(t *testing.T) {
	type row struct {
		Variant, Name, SFEN string
		Perft               []uint64
	}
	for _, tt := range load[row](t, "perft.json") {
		depth := 1
		for depth < len(tt.Perft) && depth < 4 && tt.Perft[depth] < 200000 {
			depth++
		}
		p := position(t, variant(t, tt.Variant), tt.SFEN)
		if n := testing.AllocsPerRun(1, func() { p.Perft(depth) }); n > 1 {
			t.Errorf("%s %s: Perft(%d) allocates %v times", tt.Variant, tt.Name, depth, n)
		}
	}
}

// Neither playing and checking a move nor watching for the end of a game
// allocates; a list of the legal moves does so twice, however long it is.
func TestMovesAllocate(t *testing.T) {
	for _, v := range rules.Variants() {
		p := v.Start()
		moves := p.LegalMoves()
		if n := testing.AllocsPerRun(10, func() {
			for _, m := range moves {
				if _, err := p.Play(m); err != nil {
					t.Fatal(err)
				}
				if p.Check(m) != nil || p.InCheck() || !p.HasLegalMove() {
					t.Fatal(m)
				}
			}
		}); n > 0 {
			t.Errorf("%s: %v allocations for %d moves", v.Name, n, len(moves))
		}
	}
	crowded := position(t, rules.Shogi(), "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p")
	if n := testing.AllocsPerRun(10, func() { crowded.LegalMoves() }); n > 2 {
		t.Errorf("593 legal moves: %v allocations", n)
	}
}

// A game that has come back to positions it knows costs nothing more to watch.
func TestHistoryAllocates(t *testing.T) {
	game := play(t, rules.Shogi().Start(), "2h3h 8b7b 3h2h 7b8b")
	h := rules.NewHistory(game[0])
	next := 0
	step := func() {
		next = next%4 + 1
		h.Add(game[next])
	}
	for range 8 {
		step()
	}
	if n := testing.AllocsPerRun(1000, step); n > 0 {
		t.Errorf("a ply of a long game: %v allocations", n)
	}
}
