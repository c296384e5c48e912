package rules_test

import (
	"strings"
	"testing"

	"pbem/rules"
)

func TestParsePosition(t *testing.T) {
	tests := []struct{ name, variant, in, out string }{ // out "": an error
		{"start", "shogi", "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1", "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b -"},
		{"no hands, no number", "shogi", "9/9/9/9/9/9/9/9/9 w", "9/9/9/9/9/9/9/9/9 w -"},
		{"with the word sfen", "shogi", "sfen 9/9/9/9/9/9/9/9/9 w - 3", "9/9/9/9/9/9/9/9/9 w -"},
		{"hands in any order", "shogi", "9/9/9/9/9/9/9/9/9 b pP2gBRp 1", "9/9/9/9/9/9/9/9/9 b RBP2g2p"},
		{"18 pawns", "shogi", "9/9/9/9/9/9/9/9/9 b 18P", "9/9/9/9/9/9/9/9/9 b 18P"},
		{"promoted", "shogi", "+R+r7/9/9/9/9/9/9/9/9 b -", "+R+r7/9/9/9/9/9/9/9/9 b -"},
		{"wa", "wa-drops", "+[SP]10/11/11/11/11/11/11/11/11/11/[ck]10 b 2[SP][sp] 1", "+[SP]10/11/11/11/11/11/11/11/11/11/[ck]10 b 2[SP][sp]"},
		{"brackets around one letter", "shogi", "[k]8/9/9/9/9/9/9/9/9 b -", "k8/9/9/9/9/9/9/9/9 b -"},
		{"digits add up", "shogi", "k4/9/9/9/9/9/9/9/9 b -", ""},
		{"empty", "shogi", "", ""},
		{"board only", "shogi", "9/9/9/9/9/9/9/9/9", ""},
		{"eight ranks", "shogi", "9/9/9/9/9/9/9/9 b -", ""},
		{"ten files", "shogi", "91/9/9/9/9/9/9/9/9 b -", ""},
		{"ten pieces", "shogi", "pppppppppp/9/9/9/9/9/9/9/9 b -", ""},
		{"no squares", "shogi", "0/9/9/9/9/9/9/9/9 b -", ""},
		{"a number too large to be one", "shogi", "99999999999999999999/9/9/9/9/9/9/9/9 b -", ""},
		{"promoted gold", "shogi", "+G8/9/9/9/9/9/9/9/9 b -", ""},
		{"plus alone", "shogi", "+/9/9/9/9/9/9/9/9 b -", ""},
		{"two plus", "shogi", "++P8/9/9/9/9/9/9/9/9 b -", ""},
		{"two kings", "shogi", "kk7/9/9/9/9/9/9/9/9 b -", ""},
		{"king in hand", "shogi", "9/9/9/9/9/9/9/9/9 b K", ""},
		{"promoted in hand", "shogi", "9/9/9/9/9/9/9/9/9 b +P", ""},
		{"count alone", "shogi", "9/9/9/9/9/9/9/9/9 b 2", ""},
		{"too many", "shogi", "9/9/9/9/9/9/9/9/9 b 100P", ""},
		{"too many in parts", "shogi", "9/9/9/9/9/9/9/9/9 b 99PP", ""},
		{"turn", "shogi", "9/9/9/9/9/9/9/9/9 x -", ""},
		{"move number", "shogi", "9/9/9/9/9/9/9/9/9 b - x", ""},
		{"more", "shogi", "9/9/9/9/9/9/9/9/9 b - 1 1", ""},
		{"hands without drops", "heian", "9/9/9/9/9/9/9/9 b P", ""},
		{"mixed case", "wa", "[cK]10/11/11/11/11/11/11/11/11/11/11 b -", ""},
		{"open bracket", "wa", "[CK", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, err := rules.ParsePosition(variant(t, tt.variant), tt.in)
			if (err != nil) != (tt.out == "") || p.String() != tt.out {
				t.Errorf("ParsePosition(%q) = %v, %v; want %q", tt.in, p, err, tt.out)
			}
		})
	}
	if _, err := rules.ParsePosition(nil, "9/9 b -"); err == nil {
		t.Error("no variant, no error")
	}
}

func TestNoPosition(t *testing.T) {
	var p rules.Position
	if p.String() != "" || p.LegalMoves() != nil || p.InCheck() || p.At(0x55) != (rules.Piece{}) ||
		p.HasLegalMove() || p.Reaches(0x55, 0x54) || p.King(rules.Black) != 0 || p.Perft(3) != 1 {
		t.Error("the zero Position is not empty")
	}
	if end := rules.Judge([]rules.Position{p, p}); end != (rules.End{}) {
		t.Errorf("Judge = %v", end)
	}
}

func FuzzParsePosition(f *testing.F) {
	for _, v := range rules.Variants() {
		f.Add(v.Name, v.Setup)
	}
	f.Add("shogi", "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1")
	f.Add("shogi", "k7P/p8/9/9/9/PP7/P8/9/9 w 99p")
	f.Add("wa-drops", "+[SP]10/11/11/11/11/11/11/11/11/11/[ck]10 b 2[SP][sp] 1")
	f.Fuzz(func(t *testing.T, name, sfen string) {
		v, ok := rules.ByName(name)
		if !ok {
			v = rules.Shogi()
		}
		p, err := rules.ParsePosition(v, sfen)
		if err != nil {
			if p != (rules.Position{}) || strings.ContainsRune(err.Error(), '\n') {
				t.Errorf("%q: %v, %v", sfen, p, err)
			}
			return
		}
		again, err := rules.ParsePosition(v, p.String())
		if err != nil || again != p || again.Key() != p.Key() {
			t.Errorf("%q: %v comes back as %v, %v", sfen, p, again, err)
		}
		moves := p.LegalMoves()
		if p.HasLegalMove() != (len(moves) > 0) || p.Perft(1) != uint64(len(moves)) {
			t.Errorf("%v: %d moves, counted %d", p, len(moves), p.Perft(1))
		}
		for _, m := range moves {
			if _, err := p.Play(m); err != nil {
				t.Errorf("%v: %v is listed, but %v", p, m, err)
			}
		}
	})
}
