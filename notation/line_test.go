package notation_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"pbem/notation"
	"pbem/rules"
)

// game reads USI moves from a start position.
func game(t testing.TB, start, moves string) (rules.Position, []rules.Move) {
	t.Helper()
	p := position(t, start)
	var played []rules.Move
	for _, m := range strings.Fields(moves) {
		played = append(played, usi(t, p.Variant(), m))
	}
	return p, played
}

func TestReadLine(t *testing.T) {
	const (
		two  = "7g7f 3c3d"
		four = "7g7f 8c8d 2g2f 8d8e"
		rook = "lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"
		loop = "2h3h 8b7b 3h2h 7b8b 2h3h 8b7b 3h2h 7b8b"
	)
	tests := []struct {
		name, start, played, text, want string
	}{
		{"one move", startSFEN, two, "P-2f", "2g2f"},
		{"numbered in pairs", startSFEN, two, "2. P-2f", "2g2f"},
		{"numbered in plies", startSFEN, two, "3. P-2f", "2g2f"},
		{"the whole game and the move", startSFEN, two, "1.P-7f P-3d 2.P-2f", "2g2f"},
		{"every ply numbered", startSFEN, two, "1 P7f 2 P3d 3 P2f", "2g2f"},
		{"ellipsis for the second", startSFEN, two, "1. P-7f 1... P-3d 2. P-2f", "2g2f"},
		{"the opponent's move repeated", startSFEN, two, "P-3d P-2f", "2g2f"},
		{"with a comma", startSFEN, two, "P-3d, P-2f", "2g2f"},
		{"his number, then mine", startSFEN, two, "1... P-3d 2. P-2f", "2g2f"},
		{"on lines of their own", startSFEN, four, "1. P-7f   P-8d\r\n2. P-2f   P-8e\r\n3. P-2e", "2f2e"},
		{"Japanese run on", startSFEN, two, "▲７六歩△３四歩▲２六歩", "2g2f"},
		{"Japanese without marks", startSFEN, two, "76歩34歩26歩", "2g2f"},
		{"KIF lines", startSFEN, two, "1 ７六歩(77) ( 0:01/00:00:01)\n2 ３四歩(33)\n3 ２六歩(27)", "2g2f"},
		{"said twice", startSFEN, two, "P-2f P-2f", "2g2f"},
		{"said in two ways", startSFEN, two, "P-2f 2g2f", "2g2f"},
		{"White by ellipsis", startSFEN, "2g2f", "1... P-8d", "8c8d"},
		{"White, whole pair", startSFEN, "2g2f", "1. P-2f P-8d", "8c8d"},
		{"handicap, ellipsis", rook, "8c8d", "1... P-8d 2. P-7f", "7g7f"},
		{"handicap, pairs from one", rook, "8c8d", "1. P-8d P-7f", "7g7f"},
		{"only what was played", startSFEN, four, "1. P-7f P-8d", ""},
		{"the latter half of it", startSFEN, four, "2. P-2f P-8e", ""},
		{"my last move again", startSFEN, "7g7f 8c8d", "P-7f", ""},
		{"the opponent's move alone", startSFEN, two, "P-3d", ""},
		{"an old move by its number", startSFEN, four, "1. P-7f", ""},
		{"a wrong number is no matter", startSFEN, two, "9. P-2f", "2g2f"},
		{"a shuffled rook moves again", startSFEN, loop, "R-3h", "2h3h"},
		{"after the opponent's move", startSFEN, loop, "R-8b R-3h", "2h3h"},
		{"one that was played, by its number", startSFEN, loop, "2. R-2h", ""},
		{"same", startSFEN, two + " 8h2b+", "1. P7f P3d 2. B2b+ Sx", "3a2b"},
		{"equal captures", "4k4/9/9/4p4/9/4L4/4P4/9/4K4 b - 1", "5f5d", "Lx5d K-4b", "5a4b"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			start, played := game(t, tt.start, tt.played)
			moves, err := notation.ReadLine(start, played, tt.text, notation.Options{})
			var got []string
			for _, m := range moves {
				got = append(got, notation.USI(start.Variant(), m))
			}
			if err != nil || strings.Join(got, " ") != tt.want {
				t.Errorf("ReadLine(%q) = %v, %v; want %s", tt.text, got, err, tt.want)
			}
		})
	}
}

func TestReadLineErrors(t *testing.T) {
	const two = "7g7f 3c3d"
	start, played := game(t, startSFEN, two)
	read := func(text string) error {
		moves, err := notation.ReadLine(start, played, text, notation.Options{})
		if moves != nil {
			t.Errorf("ReadLine(%q) = %v", text, moves)
		}
		return err
	}
	var twoMoves *notation.TwoMovesError
	for _, text := range []string{"P-2f P-2e", "P-2f\nP-2e", "P-3d P-2f P-8d P-2e", "1. P-7f P-3d 2. P-2f P-8d"} {
		if err := read(text); !errors.As(err, &twoMoves) || notation.USI(start.Variant(), twoMoves.First) != "2g2f" || len(twoMoves.Texts) < 2 {
			t.Errorf("ReadLine(%q): %v; want two moves", text, err)
		}
	}
	var history *notation.HistoryError
	for text, ply := range map[string]int{"1. P-7f P-8d 2. P-2f": 2, "P-7f P-4d P-2f": 2} {
		if err := read(text); !errors.As(err, &history) || history.Ply != ply || history.Want != played[1] {
			t.Errorf("ReadLine(%q): %v; want a difference at ply %d", text, err, ply)
		}
	}
	var impossible *notation.ImpossibleError
	for _, text := range []string{"P-3d P-2e", "2. P-2e", "1. P-7f P-3d 2. P-2e"} {
		if err := read(text); !errors.As(err, &impossible) || impossible.Reading != "P-2e" {
			t.Errorf("ReadLine(%q): %v; want impossible", text, err)
		}
	}
	var ambiguous *notation.AmbiguousError
	if err := read("P-3d, Bx2b"); !errors.As(err, &ambiguous) {
		t.Errorf("ReadLine(P-3d, Bx2b): %v; want ambiguous", err)
	}
	for _, text := range []string{
		"P-3d was good, P-2f", "P-7f was a mistake, I see that now.", "I think P-7f was bad, so I play P-2f now.", "1. e4 e5", "", "1 2 3",
		strings.Repeat("P-2f ", 5000), strings.Repeat("1", 1<<20),
	} {
		if err := read(text); err != notation.ErrNotMove {
			t.Errorf("ReadLine(%.40q): %v; want ErrNotMove", text, err)
		}
	}
}

func TestReadMoves(t *testing.T) {
	p := position(t, startSFEN)
	moves, err := notation.ReadMoves(p, "P-7f P-3d Bx2b+ Sx B*5e G4a5b", notation.Options{})
	if err != nil || len(moves) != 6 {
		t.Errorf("ReadMoves = %v, %v; want six moves", moves, err)
	}
	moves, err = notation.ReadMoves(p, "P-7f P-3d P-7f", notation.Options{})
	var impossible *notation.ImpossibleError
	if len(moves) != 2 || !errors.As(err, &impossible) {
		t.Errorf("ReadMoves = %v, %v; want two moves and an error", moves, err)
	}
}

// A list as long as a mail allows, against a long game of repeated moves, is
// read in no time.
func TestReadLineFast(t *testing.T) {
	start, played := game(t, startSFEN, strings.Repeat("2h3h 8b7b 3h2h 7b8b ", 100))
	began := time.Now()
	for _, text := range []string{strings.Repeat("R3h R7b R2h R8b ", 120), strings.Repeat("R3h R7b R2h R8b ", 120) + "P7f", strings.Repeat("a", 8000)} {
		_, _ = notation.ReadLine(start, played, text, notation.Options{})
	}
	if d := time.Since(began); d > 3*time.Second {
		t.Errorf("three long texts took %v", d)
	}
}
