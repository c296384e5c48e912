package notation_test

import (
	"errors"
	"strings"
	"testing"

	"pbem/notation"
	"pbem/rules"
)

func TestParseSFEN(t *testing.T) {
	tests := []struct {
		text, want string
		ply        int
	}{
		{startSFEN, startSFEN, 1},
		{strings.TrimSuffix(startSFEN, " 1"), startSFEN, 1},
		{"sfen " + startSFEN, startSFEN, 1},
		{"  " + strings.ReplaceAll(startSFEN, " ", "  ") + "\n", startSFEN, 1},
		{hands, hands, 65},
	}
	for _, tt := range tests {
		p, ply, err := notation.ParseSFEN(rules.Shogi(), tt.text)
		if err != nil || ply != tt.ply || notation.SFEN(p, ply) != tt.want {
			t.Errorf("ParseSFEN(%q) = %s, %d, %v; want %s", tt.text, p, ply, err, tt.want)
		}
	}
}

func TestParseSFENWrong(t *testing.T) {
	for _, text := range []string{
		"", "sfen", "9/9/9 b -", "lnsgkgsnl b - 1", startSFEN + " 2", strings.Replace(startSFEN, " 1", " 0", 1),
		strings.Replace(startSFEN, " 1", " x", 1), strings.Replace(startSFEN, " b ", " x ", 1), strings.Replace(startSFEN, "- 1", "Z 1", 1),
		strings.Replace(startSFEN, " 1", " +1", 1), strings.Replace(startSFEN, "9/", "8/", 1), strings.Replace(startSFEN, "9/", "91/", 1),
	} {
		if p, ply, err := notation.ParseSFEN(rules.Shogi(), text); err == nil {
			t.Errorf("ParseSFEN(%q) = %s, %d; want an error", text, p, ply)
		}
	}
}

func TestParseUSIWrong(t *testing.T) {
	tests := []struct {
		text   string
		offset int
	}{
		{"", 0}, {"7g", 2}, {"7g7", 2}, {"7g7j", 2}, {"0g7f", 0}, {"7G7F", 0}, {"7g7f ", 4}, {"7g7f=", 4}, {"7g7f++", 4},
		{"P*", 2}, {"p*5e", 0}, {"X*5e", 0}, {"P*5e+", 4}, {"*5e", 0}, {"10a1a", 0}, {"resign", 0}, {"7g-7f", 2},
	}
	for _, tt := range tests {
		m, err := notation.ParseUSI(rules.Shogi(), tt.text)
		var syntax *notation.SyntaxError
		if !errors.As(err, &syntax) || syntax.Offset != tt.offset {
			t.Errorf("ParseUSI(%q) = %v, %v; want an error at %d", tt.text, m, err, tt.offset)
		}
	}
}

func FuzzParseUSI(f *testing.F) {
	for _, s := range []string{"7g7f", "8h2b+", "P*5e", "11k10j", "SP*5e", ""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, v := range rules.Variants() {
			if m, err := notation.ParseUSI(v, s); err == nil && notation.USI(v, m) != s {
				t.Errorf("%s: ParseUSI(%q) = %v, written %q", v.Name, s, m, notation.USI(v, m))
			}
		}
	})
}

func FuzzParseSFEN(f *testing.F) {
	for _, s := range []string{startSFEN, hands, knight, "4k4/9/9/9/9/9/9/9/9 b 16P 1", ""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, v := range rules.Variants() {
			p, ply, err := notation.ParseSFEN(v, s)
			if err != nil {
				continue
			}
			q, ply2, err := notation.ParseSFEN(v, notation.SFEN(p, ply))
			if err != nil || q != p || ply2 != ply {
				t.Errorf("%s: %q reads as %q, which reads as %q, %v", v.Name, s, notation.SFEN(p, ply), notation.SFEN(q, ply2), err)
			}
		}
	})
}

// Whatever Read returns is legal; whatever it refuses is one of its errors.
func FuzzRead(f *testing.F) {
	for _, s := range []string{"P-7f", "▲７六歩(77)", "+7776FU", "Bx2b+", "7g7f", "同銀", "G(6I)5H", "1... P-8d", "P’5e", "5二金右上"} {
		f.Add(s, uint8(0))
	}
	positions := []rules.Position{position(f, startSFEN), position(f, hands), position(f, silvers), position(f, retake)}
	f.Fuzz(func(t *testing.T, s string, i uint8) {
		p := positions[int(i)%len(positions)]
		o := notation.Options{Previous: rules.NewSquare(6, 7), Letters: notation.Letters(i % 3), PlainStays: i%2 == 1}
		m, err := notation.Read(p, s, o)
		checkReadError(t, p, s, m, err)
		moves, err := notation.ReadLine(p, nil, s, o)
		if len(moves) > 1 || err != nil && moves != nil {
			t.Errorf("ReadLine(%q) = %v, %v", s, moves, err)
		}
		moves, _ = notation.ReadMoves(p, s, o)
		for _, m := range moves {
			if p, err = p.Play(m); err != nil {
				t.Errorf("ReadMoves(%q) = %v: %v", s, moves, err)
			}
		}
	})
}

func checkReadError(t *testing.T, p rules.Position, s string, m rules.Move, err error) {
	t.Helper()
	var ambiguous *notation.AmbiguousError
	var impossible *notation.ImpossibleError
	switch {
	case err == nil:
		if _, err := p.Play(m); err != nil {
			t.Errorf("Read(%q) = %v, which is illegal: %v", s, m, err)
		}
		if again, err := notation.Read(p, notation.Hodges(p, m), notation.Options{}); err != nil || again != m {
			t.Errorf("Read(%q) = %v, written %s, read %v, %v", s, m, notation.Hodges(p, m), again, err)
		}
	case errors.As(err, &ambiguous):
		if len(ambiguous.Moves) < 2 {
			t.Errorf("Read(%q): ambiguous with %d moves", s, len(ambiguous.Moves))
		}
	case errors.As(err, &impossible):
		if (impossible.Err == nil) == (impossible.Misfit == "") {
			t.Errorf("Read(%q): neither rule nor misfit, or both: %v", s, err)
		}
	case err != notation.ErrNotMove:
		t.Errorf("Read(%q): unknown error %v", s, err)
	}
}
