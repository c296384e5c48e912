package notation_test

import (
	"errors"
	"testing"

	"pbem/notation"
)

// Which illegal moves are said so clearly that they may lose a game.
func TestDefinite(t *testing.T) {
	const (
		pinned  = "4r3k/9/9/9/9/9/9/4G4/4K4 b P 1"
		golds   = "4r3k/9/9/9/9/9/9/4G1G2/4K4 b - 1" // the one on 5h is pinned
		silver  = "4r3k/9/9/9/9/9/9/4S4/4K4 b S 1"
		nifu    = "8k/9/9/9/9/9/4P4/9/4K4 b P 1"
		mate    = "kn7/9/1G7/9/9/9/9/9/4K4 b P 1" // P*9b mates
		check   = "4r3k/9/9/9/9/9/9/9/P3K4 b - 1"
		last    = "k8/4P4/9/9/9/9/9/9/4K4 b - 1"
		bishop  = "4r3k/9/9/9/9/4B4/9/9/4K4 b - 1"
		zone    = "4r3k/9/4S4/9/9/9/9/9/4K4 b - 1"
		dragons = "4r3k/9/9/9/9/9/9/4+R4/4K4 b - 1"
	)
	tests := []struct{ sfen, text, want string }{ // USI; empty: not definite
		{nifu, "P*5e", "P*5e"},
		{nifu, "P'5e", "P*5e"},
		{nifu, "p*5E.", "P*5e"},
		{nifu, "0055FU", "P*5e"},
		{nifu, "５五歩打", "P*5e"},
		{nifu, "５五歩", ""},      // no drop sign
		{nifu, "P-5e", "5g5e"}, // the only pawn leaps
		{nifu, "P5e", "5g5e"},
		{nifu, "P*5g", ""}, // on a piece
		{nifu, "N*5e", ""}, // none in hand
		{nifu, "P*5e+", ""},
		{nifu, "Px5e", ""},     // nothing to capture
		{nifu, "P*4a", "P*4a"}, // dead end
		{nifu, "P*4k", ""},     // off the board
		{nifu, "P*5", ""},
		{nifu, "P*e", ""},
		{nifu, "N4e", ""},
		{pinned, "G-4h", "5h4h"},
		{pinned, "5h4h", "5h4h"},
		{pinned, "G5h-4h", "5h4h"},
		{pinned, "58-48", ""}, // may be a date
		{pinned, "4h5h", ""},  // nothing there
		{pinned, "S-4h", ""},
		{pinned, "gold 4h", "5h4h"},
		{golds, "G5h-4h", "5h4h"},
		{golds, "G5h-6h", "5h6h"},
		{golds, "G-6h", "5h6h"},
		{golds, "G-5d", ""}, // which of the two leaps
		{golds, "G3h-5d", "3h5d"},
		{silver, "S-4g", ""}, // the drop sign may have been eaten
		{silver, "S5h-4g", "5h4g"},
		{mate, "P*9b", "P*9b"},
		{check, "P-9h", "9i9h"},
		{check, "K-5h", "5i5h"},
		{last, "P-5a=", "5b5a"},
		{last, "P-5b", ""},         // it stands there
		{bishop, "B-2b", ""},       // with or without promotion
		{bishop, "B-2b+", "5f2b+"}, // it goes to 2c
		{bishop, "B-4e", "5f4e"},
		{zone, "S-4b", ""},
		{zone, "S-4b+", "5c4b+"},
		{zone, "S-4b=", "5c4b"},
		{zone, "5c4b+", "5c4b+"},
		{dragons, "+R-4h", "5h4h"},
		{dragons, "D-4h", "5h4h"},
		{dragons, "R-4h", ""}, // a rook is not a dragon
		{startSFEN, "P-7e", ""},
		{startSFEN, "7g7e", "7g7e"},
		{startSFEN, "P7g-7e", "7g7e"},
		{startSFEN, "K-5g", ""}, // onto a piece of one's own
		{startSFEN, "K-5f", "5i5f"},
		{startSFEN, "P-7f+", ""},
		{startSFEN, "Bx3c+", "8h3c+"},
		{startSFEN, "同歩", ""},
	}
	for _, tt := range tests {
		p := position(t, tt.sfen)
		moves, err := notation.ReadLine(p, nil, tt.text, notation.Options{})
		var impossible *notation.ImpossibleError
		got := ""
		if errors.As(err, &impossible) && impossible.Definite {
			got = notation.USI(p.Variant(), impossible.Err.Move)
			if p.Check(impossible.Err.Move) == nil {
				t.Errorf("%s: ReadLine(%q): %s is legal", tt.sfen, tt.text, got)
			}
		}
		if got != tt.want {
			t.Errorf("%s: ReadLine(%q) = %v, %v: definite %q; want %q", tt.sfen, tt.text, moves, err, got, tt.want)
		}
	}
}

// The last of a list of moves counts like one alone; several do not.
func TestDefiniteList(t *testing.T) {
	start, played := game(t, startSFEN, "7g7f 3c3d")
	for text, want := range map[string]bool{
		"1. P-7f P-3d 2. K-5f": true, "P-3d K-5f": true, "K-5f": true, "K-5f P-2f": false, "P-2f K-5f": false, "1. P-7f P-3d 2. K-5f P-8d": false,
		"P-8d K-5f": false,
	} {
		_, err := notation.ReadLine(start, played, text, notation.Options{})
		var impossible *notation.ImpossibleError
		if got := errors.As(err, &impossible) && impossible.Definite; got != want {
			t.Errorf("ReadLine(%q): %v: definite %v", text, err, got)
		}
	}
}
