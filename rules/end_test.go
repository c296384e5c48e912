package rules_test

import (
	"strings"
	"testing"

	"pbem/rules"
)

func TestRepetition(t *testing.T) {
	type row struct{ Name, SFEN, Moves, Winner, Cause, Why string }
	for _, tt := range load[row](t, "repetition.json") {
		t.Run(tt.Name, func(t *testing.T) {
			want := rules.End{Cause: rules.Cause(tt.Cause)}
			switch tt.Winner {
			case "black":
				want.Outcome = rules.BlackWins
			case "white":
				want.Outcome = rules.WhiteWins
			case "draw":
				want.Outcome = rules.Draw
			}
			game := play(t, position(t, rules.Shogi(), tt.SFEN), tt.Moves)
			if got := rules.Judge(game); got != want {
				t.Errorf("Judge = %v; want %v (%s)", got, want, tt.Why)
			}
			if len(game) > 1 {
				if got := rules.Judge(game[:len(game)-1]); got != (rules.End{}) {
					t.Errorf("Judge one ply before = %v", got)
				}
			}
		})
	}
}

func TestEnds(t *testing.T) {
	cycle := func(n int, moves string) string { return strings.Repeat(moves+" ", n) }
	tests := []struct {
		name, variant, sfen, moves string
		want                       rules.End
	}{
		{"goes on", "shogi", "", "7g7f 3c3d", rules.End{}},
		{"checkmate", "shogi", "4k4/9/4P4/9/9/9/9/9/4K4 b G", "G*5b", rules.End{Outcome: rules.BlackWins, Cause: rules.Checkmate}},
		{"mate by a pushed pawn", "shogi", "8k/9/7+RP/9/9/9/9/9/K8 b -", "1c1b", rules.End{Outcome: rules.BlackWins, Cause: rules.Checkmate}},
		{"no legal move", "shogi", "8k/6S2/9/9/9/9/9/9/4K4 b G", "G*2c", rules.End{Outcome: rules.BlackWins, Cause: rules.NoMoves}},
		{"the position given is mate", "shogi", "4k4/4G4/4P4/9/9/9/9/9/4K4 w -", "", rules.End{Outcome: rules.BlackWins, Cause: rules.Checkmate}},
		{"a problem with one king", "shogi", "8k/9/7S1/9/9/9/9/9/9 b 2G", "G*1b", rules.End{Outcome: rules.BlackWins, Cause: rules.Checkmate}},
		{"king taken in a set-up with a check standing", "shogi", "4k4/9/9/9/4R4/9/9/9/4K4 b -", "5e5a", rules.End{Outcome: rules.BlackWins, Cause: rules.KingCapture}},

		{"mini: fourth occurrence loses for Black", "minishogi", "", cycle(3, "1e1d 5a5b 1d1e 5b5a"), rules.End{Outcome: rules.WhiteWins, Cause: rules.Repetition}},
		{"mini: third does not", "minishogi", "", cycle(2, "1e1d 5a5b 1d1e 5b5a"), rules.End{}},
		{"mini: perpetual check by White", "minishogi", "r1k2/5/5/5/K4 b -", cycle(3, "5e4e 5a4a 4e5e 4a5a"), rules.End{Outcome: rules.BlackWins, Cause: rules.PerpetualCheck}},

		{"heian: bare king", "heian", "4k4/9/9/9/9/9/4p4/4K1G2 b -", "5h5g", rules.End{Outcome: rules.BlackWins, Cause: rules.BareKing}},
		{"heian: bare, though it could bare back", "heian", "9/9/9/9/4k4/4P4/5Gp2/4K4 b -", "4g3g", rules.End{Outcome: rules.BlackWins, Cause: rules.BareKing}},
		{"heian: one piece left", "heian", "4k4/9/p8/9/9/9/4p4/4K1G2 b -", "5h5g", rules.End{}},
		{"heian: mated with the last piece taken", "heian", "4k4/3PpG3/3G5/9/9/9/9/4K4 b -", "4b5b", rules.End{Outcome: rules.BlackWins, Cause: rules.Checkmate}},
		{"heian-reply: cannot bare back", "heian-reply", "4k4/9/9/9/9/9/4p4/4K1G2 b -", "5h5g", rules.End{Outcome: rules.BlackWins, Cause: rules.BareKing}},
		{"heian-reply: may bare back", "heian-reply", "9/9/9/9/3k5/3p5/3G5/6K2 b -", "6g6f", rules.End{}},
		{"heian-reply: bares back", "heian-reply", "9/9/9/9/3k5/3p5/3G5/6K2 b -", "6g6f 6e6f", rules.End{Outcome: rules.Draw, Cause: rules.BareKing}},
		{"heian-reply: does not", "heian-reply", "9/9/9/9/3k5/3p5/9/4N1K2 b -", "5h6f 6e7e", rules.End{Outcome: rules.BlackWins, Cause: rules.BareKing}},
		{"shogi knows no bare king", "shogi", "4k4/9/9/9/9/9/9/4p4/4K1G2 b -", "5i5h", rules.End{}},
		{"heian: repetition", "heian", "", cycle(3, "5h5g 5a5b 5g5h 5b5a"), rules.End{Outcome: rules.Draw, Cause: rules.Repetition}},
		{"wa: repetition", "wa", "", cycle(3, "6k7j 6a5b 7j6k 5b6a"), rules.End{Outcome: rules.Draw, Cause: rules.Repetition}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v := variant(t, tt.variant)
			p := v.Start()
			if tt.sfen != "" {
				p = position(t, v, tt.sfen)
			}
			game := play(t, p, tt.moves)
			if got := rules.Judge(game); got != tt.want {
				t.Errorf("Judge = %+v; want %+v at %v", got, tt.want, game[len(game)-1])
			}
		})
	}
}

// Both sides do nothing but check: neither is to blame more than the other.
// No such cycle of real moves is known to us, so the positions are put
// together by hand; the history looks at positions only.
func TestPerpetualCheckByBothSides(t *testing.T) {
	for _, tt := range []struct{ variant, black, white string }{
		{"shogi", "r3K4/9/9/9/9/9/9/9/4k4 b -", "R3k4/9/9/9/9/9/9/9/4K4 w -"},
		{"minishogi", "r3K/5/5/5/4k b -", "R3k/5/5/5/4K w -"},
	} {
		v := variant(t, tt.variant)
		a, b := position(t, v, tt.black), position(t, v, tt.white)
		game := []rules.Position{a, b, a, b, a, b, a}
		if got := rules.Judge(game[:6]); got != (rules.End{}) {
			t.Errorf("%s: three occurrences: %v", tt.variant, got)
		}
		want := rules.End{Outcome: rules.Draw, Cause: rules.Repetition}
		if got := rules.Judge(game); got != want {
			t.Errorf("%s: Judge = %v; want %v", tt.variant, got, want)
		}
	}
}

// What follows an end changes nothing.
func TestTheFirstEndCounts(t *testing.T) {
	game := play(t, rules.Shogi().Start(), strings.Repeat("2h3h 8b7b 3h2h 7b8b ", 3)+"7g7f 3c3d")
	h := rules.NewHistory(game[0])
	for i, p := range game[1:] {
		end := h.Add(p)
		if (end != rules.End{}) != (i+1 >= 12) {
			t.Errorf("after ply %d: %v", i+1, end)
		}
		if i+1 == 12 && h.Occurrences() != 4 {
			t.Errorf("Occurrences = %d; want 4", h.Occurrences())
		}
	}
	if h.Position() != game[len(game)-1] || h.Occurrences() != 1 {
		t.Errorf("history stands at %v", h.Position())
	}
	if got := rules.Judge(game); got != (rules.End{Outcome: rules.Draw, Cause: rules.Repetition}) {
		t.Errorf("Judge = %v", got)
	}
	if got := rules.Judge(nil); got != (rules.End{}) {
		t.Errorf("Judge(nil) = %v", got)
	}
}
