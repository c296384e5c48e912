package board_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"pbem/board"
	"pbem/notation"
	"pbem/rules"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func position(t testing.TB, v *rules.Variant, sfen string) rules.Position {
	t.Helper()
	p, _, err := notation.ParseSFEN(v, sfen)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// golden compares got with testdata/name.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s: got\n%s\nwant\n%s", name, got, want)
	}
}

const (
	opening = "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2"
	endgame = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1"
)

func TestASCII(t *testing.T) {
	shogi := rules.Shogi()
	last := rules.Move{From: rules.NewSquare(7, 7), To: rules.NewSquare(7, 6)}
	drop := rules.Move{Drop: shogi.Kind("S"), To: rules.NewSquare(4, 3)}
	for _, tt := range []struct {
		name string
		p    rules.Position
		view board.View
	}{
		{"opening.txt", position(t, shogi, opening), board.View{Last: last}},
		{"opening-white.txt", position(t, shogi, opening), board.View{Side: rules.White, Last: last}},
		{"endgame.txt", position(t, shogi, endgame), board.View{Last: drop}},
		{"endgame-es.txt", position(t, shogi, endgame), board.View{Side: rules.White, Words: board.Words{BlackHand: "En mano, negras", WhiteHand: "En mano, blancas"}}},
	} {
		golden(t, tt.name, board.ASCII(tt.p, tt.view)+board.Legend(tt.view)+"\n")
	}
	for _, name := range []string{"minishogi", "heian", "wa"} {
		v, ok := rules.ByName(name)
		if !ok {
			t.Errorf("no variant %s", name)
			continue
		}
		golden(t, name+".txt", board.ASCII(v.Start(), board.View{}))
	}
}

// Drawings survive mail, and no line of one comes back as a move.
func TestASCIISafe(t *testing.T) {
	for _, name := range []string{"shogi", "minishogi", "heian", "wa", "wa-drops"} {
		v, ok := rules.ByName(name)
		if !ok {
			continue
		}
		random := rand.New(rand.NewPCG(3, 14))
		p, last := v.Start(), rules.Move{}
		for range 80 {
			for _, side := range []rules.Color{rules.Black, rules.White} {
				view := board.View{Side: side, Last: last}
				drawing := board.ASCII(p, view) + board.Legend(view) + "\n"
				if err := safe(p, drawing); err != nil {
					t.Fatalf("%s: %v in\n%s", p, err, drawing)
				}
			}
			legal := p.LegalMoves()
			if len(legal) == 0 {
				break
			}
			last = legal[random.IntN(len(legal))]
			var err error
			if p, err = p.Play(last); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func safe(p rules.Position, drawing string) error {
	for line := range strings.Lines(drawing) {
		line = strings.TrimSuffix(line, "\n")
		if n := utf8.RuneCountInString(line); n > 72 || n == 0 {
			return fmt.Errorf("%d characters in %q", n, line)
		}
		if strings.TrimRight(line, " \t") != line {
			return fmt.Errorf("blank at the end of %q", line)
		}
		for _, start := range []string{">", "+", "-", "From ", ".", "#", "*"} {
			if strings.HasPrefix(line, start) {
				return fmt.Errorf("line begins with %q: %q", start, line)
			}
		}
		if m, err := notation.Read(p, line, notation.Options{}); err != notation.ErrNotMove {
			return fmt.Errorf("%q reads as %v, %v", line, m, err)
		}
		if m, err := notation.ReadLine(p, nil, line, notation.Options{}); err != notation.ErrNotMove {
			return fmt.Errorf("%q reads as %v, %v", line, m, err)
		}
	}
	return nil
}

func ExampleASCII() {
	p := rules.Shogi().Start()
	m, _ := notation.Read(p, "P-7f", notation.Options{})
	p, _ = p.Play(m)
	fmt.Print(board.ASCII(p, board.View{Last: m}))
	// Output:
	// White in hand: -
	//     9   8   7   6   5   4   3   2   1
	// a  vl  vn  vs  vg  vk  vg  vs  vn  vl
	// b   .  vr   .   .   .   .   .  vb   .
	// c  vp  vp  vp  vp  vp  vp  vp  vp  vp
	// d   .   .   .   .   .   .   .   .   .
	// e   .   .   .   .   .   .   .   .   .
	// f   .   .  ^P*  .   .   .   .   .   .
	// g  ^P  ^P   :  ^P  ^P  ^P  ^P  ^P  ^P
	// h   .  ^B   .   .   .   .   .  ^R   .
	// i  ^L  ^N  ^S  ^G  ^K  ^G  ^S  ^N  ^L
	// Black in hand: -
}
