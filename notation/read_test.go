package notation_test

import (
	"errors"
	"strings"
	"testing"

	"pbem/notation"
	"pbem/rules"
)

type entry struct {
	Name, Category, SFEN, Move, Text, Result, Reason string
	Moves                                            []string
	Numbers                                          string `json:"hodges_numbers"`
	Hosking                                          string
	Kitao                                            string `json:"kitao_kawasaki"`
}

func TestReadEntries(t *testing.T) {
	for _, e := range load[[]entry](t, "positions.json") {
		if e.Category != "notation-read" {
			continue
		}
		t.Run(e.Name, func(t *testing.T) {
			p := position(t, e.SFEN, e.Moves...)
			m, err := notation.Read(p, e.Text, notation.Options{})
			var ambiguous *notation.AmbiguousError
			var impossible *notation.ImpossibleError
			switch {
			case e.Result == "ambiguous" || e.Name == "read_capture_no_suffix":
				if !errors.As(err, &ambiguous) || len(ambiguous.Moves) != 2 {
					t.Errorf("Read(%q) = %v, %v; want two readings", e.Text, m, err)
				}
			case e.Result == "illegal":
				if !errors.As(err, &impossible) {
					t.Errorf("Read(%q) = %v, %v; want impossible", e.Text, m, err)
				}
			case err != nil || notation.USI(p.Variant(), m) != e.Result:
				t.Errorf("Read(%q) = %v, %v; want %s", e.Text, m, err, e.Result)
			}
		})
	}
}

func TestReadTyped(t *testing.T) {
	type mail struct{ Name, Position, Typed, Move string }
	for _, c := range load[[]mail](t, "typed.json") {
		p := position(t, c.Position)
		m, err := notation.Read(p, c.Typed, notation.Options{})
		if err != nil || notation.Hodges(p, m) != c.Move {
			t.Errorf("%s: Read(%q) = %v, %v; want %s", c.Name, c.Typed, m, err, c.Move)
		}
		moves, err := notation.ReadLine(p, nil, c.Typed, notation.Options{})
		if err != nil || len(moves) != 1 || moves[0] != m {
			t.Errorf("%s: ReadLine(%q) = %v, %v; want %s", c.Name, c.Typed, moves, err, c.Move)
		}
	}
}

const (
	bishops = "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3"
	hands   = "l3k2nl/1r2g1gb1/p1ns1psp1/2pp2p1p/1p5P1/2PPSPP2/PPBS1G2P/2G4R1/LN2K3L b N2P 65"
	knight  = "8k/9/9/9/9/9/3N5/9/4K4 b N 1"
	dragon  = "8k/9/9/9/4p4/9/4+R4/4+B4/1K7 b - 1"
	retake  = "4k4/9/9/9/9/4S4/3pL4/4N4/4K4 b - 1" // 6g holds the pawn to be taken
	tokins  = "8k/9/3+P1+P3/9/9/9/9/9/4K4 b - 1"
	golds   = "8k/9/9/9/9/9/9/3G1G3/K8 b - 1"
	silvers = "8k/9/9/9/3S1S3/9/3S1S3/9/K8 b - 1"
)

// A dialect a table: what is typed, and the move in USI.
func TestReadDialects(t *testing.T) {
	tests := []struct {
		sfen, want string
		texts      []string
	}{
		{startSFEN, "7g7f", []string{
			"P-7f", "P7f", "p7f", "p-7F", "P–7f", "P−7f", "P-7f.", "P-7f!", "P-7f?!", "P - 7f", "P 7 f", "Ｐ－７ｆ", "P7g-7f", "P7g7f",
			"P(7g)7f", "P7-7f", "P77f", "1. P-7f", "1.P7f", "1) P7f", "1 P7f", "1... P7f", "#1 P7f", "P-7f :-)", "**P-7f**",
			"* P-7f", "- P-7f", "\"P-7f\"", "(P-7f)", "_P-7f_", "P-f7", "Pf7", "P-7f#1", "pawn 7f", "Pawn-7f", "P:7f", "P→7f", "P->7f", "P-7f=",
			"P-76", "P76", "P77-76", "歩-76", "歩76", "歩(77)-76", "歩７六",
			"7g7f", "7g-7f", "7G7F", "7g 7f", "77-76", "7776", "7776FU", "+7776FU", "7776fu", "7g7f#1", "7g:7f", "g7-f7",
			"▲７六歩(77)", "７六歩", "76歩", "7六歩", "七六歩", "☗76歩", "▲７六歩", "▲ ７六歩", "７六歩（７七）", "７六 歩", "先手 ７六歩", "1 ７六歩(77)   ( 0:16/00:00:16)",
			"P\u200b-\u200b7\u200bf", "P‑7f", "\ufeffP-7f",
		}},
		{startSFEN, "4i5h", []string{"G4i-5h", "G4i5h", "G(4I)5H", "G45h", "G4-5h", "G49-58", "金(49)-58", "4i5h", "4958KI", "５八金右", "58金右", "５八金(49)", "▲５八金右"}},
		{startSFEN, "6i5h", []string{"G6i-5h", "５八金左", "58金左", "G65h"}},
		{bishops, "8h2b+", []string{"Bx2b+", "B2b+", "B-2b+", "bx2B +", "B×2b+", "Bx2b+!", "Bx2b(+)", "8h2b+", "8h-2b+", "8hx2b+", "88-22+", "8822UM", "+8822UM", "角x22+", "２二角成", "２二角成(88)", "２２角成", "Bx2b promotes"}},
		{bishops, "8h2b", []string{"Bx2b=", "B2b=", "Bx2b=3D", "Bx2b=!", "8h2b=", "8822=", "8822KA", "２二角不成", "２二角生", "角x22=", "22角不成"}},
		{hands, "P*5e", []string{"P*5e", "P'5e", "P’5e", "P‘5e", "P`5e", "P´5e", "P@5e", "P＊5e", "P*-5e", "P\"5e", "P*55", "P'55", "歩*55", "５五歩打", "P*5e*", "0055FU", "+0055FU", "歩打55"}},
		{hands, "5f5e", []string{"S-5e", "S5e", "５五銀", "５五銀(56)"}},
		{knight, "6g5e", []string{"N5e", "N-5e", "５五桂", "N-55", "6g5e"}},
		{knight, "N*5e", []string{"N*5e", "N'5e", "５五桂打", "N'55"}},
		{dragon, "5g5e", []string{"+Rx5e", "+R5e", "+ Rx5e", "D5e", "Dx5e", "D-5e", "５五龍", "５五竜", "55龍", "龍x55", "dragon 5e", "5g5e", "5755RY"}},
		{dragon, "5h4g", []string{"+B-4g", "H4g", "H-4g", "４七馬", "馬-47", "horse 4g"}},
		{tokins, "6c5b", []string{"+P6c-5b", "T6c-5b", "TO6c5b", "と(63)-52", "５二と左", "6352TO"}},
		{golds, "6h5g", []string{"G6h-5g", "５七金左"}},
		{silvers, "6g5f", []string{"５六銀左上", "56銀左上"}},
		{silvers, "4e5f", []string{"５六銀右引", "56銀引右"}},
		{"k8/4P4/9/9/9/9/9/9/4K4 b - 1", "5b5a+", []string{"P-5a", "P5a", "P-5a+", "５一歩成", "51歩", "5b5a"}},
		{"4k4/9/9/9/9/9/9/9/4K4 b B 1", "B*5e", []string{"B*5e", "５五角", "５五角打", "▲5五角"}},
	}
	for _, tt := range tests {
		p := position(t, tt.sfen)
		for _, text := range tt.texts {
			m, err := notation.Read(p, text, notation.Options{})
			if got := notation.USI(p.Variant(), m); err != nil || got != tt.want {
				t.Errorf("%s: Read(%q) = %s, %v; want %s", tt.sfen, text, got, err, tt.want)
			}
		}
	}
}

func TestReadSame(t *testing.T) {
	p := position(t, retake)
	previous := rules.NewSquare(6, 7)
	for _, text := range []string{"Sx", "xS", "S same", "same S", "Sxsame", "同銀", "同　銀", "▲同銀", "S-6g", "Sx6g", "６七同銀", "６七銀", "same", "Same.", "x same", "同"} {
		m, err := notation.Read(p, text, notation.Options{Previous: previous})
		if err != nil || m != usi(t, p.Variant(), "5f6g") {
			t.Errorf("Read(%q) = %v, %v; want 5f6g", text, m, err)
		}
	}
	for _, text := range []string{"xL", "XL", "Rx", "px"} { // sizes and prescriptions
		if m, err := notation.Read(p, text, notation.Options{Previous: previous}); err != notation.ErrNotMove {
			t.Errorf("Read(%q) = %v, %v; want ErrNotMove", text, m, err)
		}
	}
}

func TestReadLetters(t *testing.T) {
	const rook = "8k/9/9/9/9/9/9/4R4/4K4 b S 1"
	tests := []struct {
		letters notation.Letters
		text    string
		want    string
	}{
		{notation.English, "R-5g", "5h5g"},
		{notation.Spanish, "T-5g", "5h5g"},
		{notation.Spanish, "R-6h", "5i6h"}, // rey
		{notation.Spanish, "K-6h", "5i6h"},
		{notation.Spanish, "Pl*5e", "S*5e"},
		{notation.Spanish, "Torre 5g", "5h5g"},
		{notation.Italian, "T5g", "5h5g"},
		{notation.Italian, "Re6h", "5i6h"},
		{notation.Italian, "Ar*5e", "S*5e"},
		{notation.Italian, "argento*5e", "S*5e"},
		{notation.Spanish, "５七飛", "5h5g"},
	}
	p := position(t, rook)
	for _, tt := range tests {
		m, err := notation.Read(p, tt.text, notation.Options{Letters: tt.letters})
		if got := notation.USI(p.Variant(), m); err != nil || got != tt.want {
			t.Errorf("Read(%q, %v) = %s, %v; want %s", tt.text, tt.letters, got, err, tt.want)
		}
	}
	if _, err := notation.Read(p, "T-5g", notation.Options{}); err == nil {
		t.Error("Read(T-5g) in English reads torre")
	}
}

func TestReadPlainStays(t *testing.T) {
	p := position(t, bishops)
	for text, want := range map[string]string{"Bx2b": "8h2b", "8h2b": "8h2b", "Bx2b+": "8h2b+", "２二角": "8h2b"} {
		m, err := notation.Read(p, text, notation.Options{PlainStays: true})
		if got := notation.USI(p.Variant(), m); err != nil || got != want {
			t.Errorf("Read(%q) = %s, %v; want %s", text, got, err, want)
		}
	}
}

func TestReadProse(t *testing.T) {
	texts := []string{
		"", " ", "I", "ok", "a", "see 5 you", "P.S. thanks", "Go on", "to be", "to be or not to be", "P-7f was a mistake, I see that now.",
		"I think P-7f was bad, so I play P-2f now.", "resign", "resing", "Unit P-76, Dock Road", "T 0151 496 0326", "075-276-3426", "602-8570",
		"7634", "11-12", "30-11", "26-34-76", "76F2", "=P7f2", "P7f2", "1", "12", "12.", "...", "2024", "1997", "Draw? No way.", "Hi!", ":-)", "B", "K", "to",
		"same", "Good game", "よろしくお願いします。", "同", "金曜日", "桂馬", "P", "-", "+", "*", "x", "P-76 Verlag", "Ciao Lucia, scusa il ritardo!",
		"76 34", "76", "7f", "f7", "G", "go", "gg", "R", "b4", "l8r", "g2g tomorrow", "Best, K.", "5 days", "moves", "1-0", "0-1", "1/2",
		"No. 5", "game 17", "#17", "R.I.P.", "B2B sales", "http://example.org/P-7f", strings.Repeat("P-7f ", 40), strings.Repeat("7", 1000), "\x00", "\xff\xfe",
	}
	p := position(t, startSFEN)
	for _, text := range texts {
		if m, err := notation.Read(p, text, notation.Options{}); err != notation.ErrNotMove {
			t.Errorf("Read(%q) = %v, %v; want ErrNotMove", text, m, err)
		}
	}
}

func TestReadImpossible(t *testing.T) {
	const pinned = "4r3k/9/9/9/9/9/9/4G4/4K4 b P 1"
	tests := []struct {
		name, sfen, text string
		reason           rules.Reason
		misfit           notation.Misfit
		reading, nearest string
	}{
		{"own piece", startSFEN, "B-7g", rules.OwnPiece, "", "B-7g", ""},
		{"own pawn there already", bishops, "P-7f", 0, notation.AlreadyThere, "P-7f", ""},
		{"origin empty, in KIF", bishops, "７六歩(77)", rules.NoPiece, "", "P7g-7f", ""},
		{"too far", startSFEN, "P-7e", rules.CannotReach, "", "P-7e", ""},
		{"in the way", startSFEN, "R2h-2d", rules.CannotReach, "", "R2h-2d", "R-1h R-3h R-4h R-5h R-6h R-7h"},
		{"pinned", pinned, "G-4h", rules.ExposesKing, "", "G-4h", ""},
		{"two pawns (nifu)", "8k/9/9/9/9/9/4P4/9/4K4 b P 1", "P*5e", rules.TwoPawns, "", "P*5e", ""},
		{"dead end", pinned, "P*3a", rules.DeadEnd, "", "P*3a", ""},
		{"not in hand", startSFEN, "P*5e", rules.NotInHand, "", "P*5e", ""},
		{"occupied", knight, "N*6g", rules.Occupied, "", "N*6g", ""},
		{"promotion too early", startSFEN, "P-7f+", rules.CannotPromote, "", "P-7f+", "P-7f"},
		{"must promote", "k8/4P4/9/9/9/9/9/9/4K4 b - 1", "P-5a=", rules.MustPromote, "", "P-5a=", "P-5a+"},
		{"nothing to capture", startSFEN, "Px7f", 0, notation.NothingToCapture, "Px7f", "P-7f"},
		{"the star was eaten", "8k/9/9/9/9/9/9/9/4K4 b N 1", "N5e", 0, notation.NoDropSign, "N-5e", "N*5e"},
		{"a star taken for x", "8k/9/9/9/9/9/9/9/4K4 b N 1", "Nx5e", 0, notation.NoSuchPiece, "Nx5e", "N*5e"},
		{"no such piece", "8k/9/9/9/9/9/9/9/4K4 b N 1", "R-5e", 0, notation.NoSuchPiece, "R-5e", ""},
		{"empty origin", startSFEN, "7f7e", rules.NoPiece, "", "7f-7e", ""},
		{"another piece on the origin", startSFEN, "S7g-7f", 0, notation.OtherPiece, "S7g-7f", "P-7f"},
		{"off the board", startSFEN, "P-7k", rules.OffBoard, "", "P-7k", ""},
		{"the plus was eaten", dragon, "R5e", 0, notation.NoSuchPiece, "R-5e", "+Rx5e"},
		{"no former move", startSFEN, "同歩", 0, notation.NoFormerMove, "P-", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := position(t, tt.sfen)
			m, err := notation.Read(p, tt.text, notation.Options{})
			var impossible *notation.ImpossibleError
			if !errors.As(err, &impossible) {
				t.Fatalf("Read(%q) = %v, %v; want impossible", tt.text, m, err)
			}
			var reason rules.Reason
			if impossible.Err != nil {
				reason = impossible.Err.Reason
			}
			if reason != tt.reason || impossible.Misfit != tt.misfit || impossible.Reading != tt.reading {
				t.Errorf("Read(%q): %v: reason %v, misfit %q, reading %q; want %v, %q, %q", tt.text, err, reason, impossible.Misfit, impossible.Reading, tt.reason, tt.misfit, tt.reading)
			}
			var nearest []string
			for _, m := range impossible.Nearest {
				nearest = append(nearest, notation.Hodges(p, m))
			}
			if got := strings.Join(nearest, " "); got != tt.nearest {
				t.Errorf("Read(%q): nearest %q; want %q", tt.text, got, tt.nearest)
			}
		})
	}
}

func TestReadAmbiguous(t *testing.T) {
	tests := []struct{ sfen, text, want string }{
		{startSFEN, "G5h", `"g5h" may mean G4i-5h or G6i-5h`},
		{bishops, "Bx2b", `"bx2b" may mean Bx2b+ or Bx2b=`},
		{bishops, "8h2b", `"8h2b" may mean Bx2b+ or Bx2b=`},
		{bishops, "２二角", `"2二角" may mean Bx2b+ or Bx2b=`},
		{startSFEN, "58金", `"58金" may mean G4i-5h or G6i-5h`},
	}
	for _, tt := range tests {
		_, err := notation.Read(position(t, tt.sfen), tt.text, notation.Options{})
		var ambiguous *notation.AmbiguousError
		if !errors.As(err, &ambiguous) || err.Error() != tt.want {
			t.Errorf("Read(%q) = %v; want %s", tt.text, err, tt.want)
		}
	}
}

// A pinned rival does not count in reading: one legal move is enough.
func TestReadPinnedRival(t *testing.T) {
	p := position(t, "4r3k/9/9/9/9/9/9/4G1G2/4K4 b - 1")
	for _, text := range []string{"G-4h", "G3h-4h", "４八金", "４八金右", "４八金寄"} {
		m, err := notation.Read(p, text, notation.Options{})
		if err != nil || m != usi(t, p.Variant(), "3h4h") {
			t.Errorf("Read(%q) = %v, %v; want 3h4h", text, m, err)
		}
	}
}
