package rules_test

import (
	"slices"
	"strings"
	"testing"

	"pbem/rules"
)

func TestVariants(t *testing.T) {
	names := map[string]bool{}
	for _, v := range rules.Variants() {
		for _, name := range append([]string{v.Name, strings.ToUpper(v.Name)}, v.Aliases...) {
			if got, ok := rules.ByName(name); !ok || got != v {
				t.Errorf("ByName(%q) is not %s", name, v.Name)
			}
		}
		for _, name := range append([]string{v.Name}, v.Aliases...) {
			if names[name] {
				t.Errorf("%q names two variants", name)
			}
			names[name] = true
		}
		if p := v.Start(); p.String() != v.Setup || p.Turn() != rules.Black || p.InCheck() || p.Variant() != v {
			t.Errorf("%s starts with %v; want %s", v.Name, p, v.Setup)
		}
		if !v.Contains(rules.NewSquare(v.Files, v.Ranks)) || v.Contains(rules.NewSquare(v.Files+1, 1)) ||
			v.Contains(rules.NewSquare(1, v.Ranks+1)) || v.Contains(0) {
			t.Errorf("%s: Contains is wrong at the edge", v.Name)
		}
		for i, k := range v.Pieces {
			if v.Kind(strings.ToLower(k.Code)) != rules.Kind(i+1) || v.Piece(rules.Kind(i+1)) != k {
				t.Errorf("%s: piece %s", v.Name, k.Code)
			}
			if k.Kanji == "" || k.Romaji == "" || (k.Promoted.Betza != "") != (k.Promoted.Kanji != "") {
				t.Errorf("%s: piece %s has no kanji or romaji", v.Name, k.Code)
			}
		}
	}
	if _, ok := rules.ByName("chess"); ok {
		t.Error("chess is a variant of shogi")
	}
	if rules.Shogi().Kind("X") != 0 || rules.Shogi().Piece(0).Code != "" || rules.Shogi().Piece(99).Code != "" {
		t.Error("no kind is a kind")
	}
}

// The far set-ups agree in every perft, so the arrays are tested themselves:
// rotational, each king left of centre for its owner, or facing.
func TestHeianKings(t *testing.T) {
	tests := []struct{ variant, black, white string }{
		{"heian", "5h", "5a"}, {"heian-9x9", "5i", "5a"},
		{"heian-8x8", "5h", "4a"}, {"heian-8x9", "5i", "4a"},
		{"heian-8x8-facing", "5h", "5a"}, {"heian-8x9-facing", "5i", "5a"},
	}
	for _, tt := range tests {
		p := variant(t, tt.variant).Start()
		if b, w := p.King(rules.Black).String(), p.King(rules.White).String(); b != tt.black || w != tt.white {
			t.Errorf("%s: kings on %s and %s; want %s and %s", tt.variant, b, w, tt.black, tt.white)
		}
	}
}

func TestHandicaps(t *testing.T) {
	v := rules.Shogi()
	for _, h := range v.Handicaps() {
		p := position(t, v, h.Setup)
		if p.Turn() != rules.White || p.String() != h.Setup {
			t.Errorf("%s: %v", h.Name, p)
		}
		if got, ok := v.Handicap(strings.ToUpper(h.Name)); !ok || got.Setup != h.Setup {
			t.Errorf("Handicap(%q) = %v, %v", h.Name, got, ok)
		}
	}
	one := map[string]string{"RL": "rook-lance", "1a": "lance", "8b,1a": "rook-lance", "Left Lance": "lance", "2 pieces": "2p", "十枚落ち": "10p", "5p left": "5p-left"}
	for name, want := range one {
		if got, ok := v.Handicap(name); !ok || got.Name != want {
			t.Errorf("Handicap(%q) = %q, %v; want %s", name, got.Name, ok, want)
		}
	}
	if _, ok := v.Handicap("5p"); ok {
		t.Error("5p alone names one handicap")
	}
	var five []string
	for _, h := range v.HandicapsNamed("5P") {
		five = append(five, h.Name)
	}
	if !slices.Equal(five, []string{"5p-left", "5p-right"}) {
		t.Errorf("5p may mean %v", five)
	}
	if got := v.HandicapsNamed("7p"); got != nil {
		t.Errorf("7p may mean %v", got)
	}
	if len(variant(t, "wa").Handicaps()) != 0 {
		t.Error("wa has handicaps")
	}
}

// lone defines a board with one piece that moves by betza, Black's and
// White's in turn, and returns where it goes from the middle.
func lone(t *testing.T, betza, turn string) string {
	t.Helper()
	v, err := rules.Define(rules.Variant{
		Name: "lone", Files: 7, Ranks: 7,
		Pieces: []rules.PieceKind{{Code: "K", Betza: "K", Royal: true}, {Code: "X", Betza: betza}},
		Setup:  "7/7/7/3X3/7/7/7 b -",
	})
	if err != nil {
		t.Fatal(err)
	}
	sfen := v.Setup
	if turn == "w" {
		sfen = "7/7/7/3x3/7/7/7 w -"
	}
	var to []string
	for _, m := range position(t, v, sfen).LegalMoves() {
		to = append(to, m.To.String())
	}
	slices.Sort(to)
	return strings.Join(to, " ")
}

func TestBetza(t *testing.T) {
	tests := []struct{ betza, black, white string }{
		{"W", "3d 4c 4e 5d", "3d 4c 4e 5d"},
		{"fW", "4c", "4e"},
		{"fF", "3c 5c", "3e 5e"},
		{"flF", "5c", "3e"},
		{"fsW", "3d 4c 5d", "3d 4e 5d"},
		{"vD", "4b 4f", "4b 4f"},
		{"A", "2b 2f 6b 6f", "2b 2f 6b 6f"},
		{"ffN", "3b 5b", "3f 5f"},
		{"fN", "2c 3b 5b 6c", "2e 3f 5f 6e"},
		{"vN", "3b 3f 5b 5f", "3b 3f 5b 5f"},
		{"ffbbN", "3b 3f 5b 5f", "3b 3f 5b 5f"},
		{"sN", "2c 2e 6c 6e", "2c 2e 6c 6e"},
		{"fR", "4a 4b 4c", "4e 4f 4g"},
		{"bW2", "4e 4f", "4b 4c"},
		{"fB2", "2b 3c 5c 6b", "2f 3e 5e 6f"},
		{"rR", "1d 2d 3d", "5d 6d 7d"},
		{"K1", "3c 3d 3e 4c 4e 5c 5d 5e", "3c 3d 3e 4c 4e 5c 5d 5e"},
		{"fWbF", "3e 4c 5e", "3c 4e 5c"},
		{"fK2", "2b 3c 4b 4c 5c 6b", "2f 3e 4e 4f 5e 6f"},
	}
	for _, tt := range tests {
		if got := lone(t, tt.betza, "b"); got != tt.black {
			t.Errorf("Black's %s goes to %s; want %s", tt.betza, got, tt.black)
		}
		if got := lone(t, tt.betza, "w"); got != tt.white {
			t.Errorf("White's %s goes to %s; want %s", tt.betza, got, tt.white)
		}
	}
}

func TestDefine(t *testing.T) {
	good := rules.Variant{
		Name: "gorogoro", Title: "Goro-goro shogi", Files: 5, Ranks: 6, Zone: 2, Drops: true,
		Pieces: []rules.PieceKind{
			{Code: "K", Name: "King", Betza: "K", Royal: true},
			{Code: "G", Name: "Gold", Betza: "WfF"},
			{Code: "S", Name: "Silver", Betza: "FfW", Promoted: rules.Promoted{Name: "Promoted Silver", Betza: "WfF"}},
			{Code: "P", Name: "Pawn", Betza: "fW", OnePerFile: true, NoDropMate: true, Promoted: rules.Promoted{Name: "Tokin", Betza: "WfF"}},
		},
		Setup: "sgkgs/5/1ppp1/1PPP1/5/SGKGS b -",
	}
	v, err := rules.Define(good)
	if err != nil {
		t.Fatal(err)
	}
	if v.Repetition != rules.Draw {
		t.Errorf("repetition = %v; want a draw if nothing is said", v.Repetition)
	}
	if got := newRefGame(v.Start()).perft(3); got != v.Start().Perft(3) {
		t.Errorf("perft(3) = %d; want %d", v.Start().Perft(3), got)
	}
	// A second kind that moves like the pawn does not count as one.
	v2 := good
	v2.Pieces = append(slices.Clone(good.Pieces), rules.PieceKind{Code: "Z", Betza: "fW", Promoted: good.Pieces[3].Promoted})
	if v, err = rules.Define(v2); err != nil {
		t.Fatal(err)
	}
	p := position(t, v, "4k/5/5/5/Z4/K4 b PZ")
	if err := p.Check(usi(t, v, "P*5c")); err != nil {
		t.Error(err)
	}
	if got := reasonOf(t, position(t, v, "4k/5/5/5/P4/K4 b PZ").Check(usi(t, v, "P*5c"))); got != rules.TwoPawns {
		t.Errorf("second pawn: %v", got)
	}

	bad := map[string]func(*rules.Variant){
		"too wide":           func(v *rules.Variant) { v.Files = 12 },
		"no ranks":           func(v *rules.Variant) { v.Ranks = 0 },
		"zone":               func(v *rules.Variant) { v.Zone = 7 },
		"no pieces":          func(v *rules.Variant) { v.Pieces = nil },
		"no king":            func(v *rules.Variant) { v.Pieces = v.Pieces[1:] },
		"two kings":          func(v *rules.Variant) { v.Pieces[1].Royal = true },
		"king promotes":      func(v *rules.Variant) { v.Pieces[0].Promoted.Betza = "Q" },
		"code of three":      func(v *rules.Variant) { v.Pieces[1].Code = "GOL" },
		"code twice":         func(v *rules.Variant) { v.Pieces[1].Code = "S" },
		"small code":         func(v *rules.Variant) { v.Pieces[1].Code = "g" },
		"movement":           func(v *rules.Variant) { v.Pieces[1].Betza = "Z" },
		"no movement":        func(v *rules.Variant) { v.Pieces[1].Betza = "" },
		"letters only":       func(v *rules.Variant) { v.Pieces[1].Betza = "fs" },
		"range 0":            func(v *rules.Variant) { v.Pieces[1].Betza = "W0" },
		"repeated jump":      func(v *rules.Variant) { v.Pieces[1].Betza = "N2" },
		"promoted movement":  func(v *rules.Variant) { v.Pieces[3].Promoted.Betza = "x" },
		"set-up":             func(v *rules.Variant) { v.Setup = "5/5 b -" },
		"set-up of handicap": func(v *rules.Variant) { v.Gives = []rules.Handicap{{Name: "x", Setup: "?"}} },
	}
	for name, spoil := range bad {
		v := good
		v.Pieces = slices.Clone(good.Pieces)
		spoil(&v)
		if _, err := rules.Define(v); err == nil {
			t.Errorf("%s: defined", name)
		}
	}
}

// FuzzBetza: a movement is refused with words, or both sides can do the same
// with it, and only what is then accepted one by one.
func FuzzBetza(f *testing.F) {
	for _, v := range rules.Variants() {
		for _, k := range v.Pieces {
			f.Add(k.Betza)
		}
	}
	for _, s := range []string{"", "fW99999999999999999999", "ffffffffN", "W0", "é", "lame", "[W]", "fbF2K3"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, betza string) {
		v, err := rules.Define(rules.Variant{
			Name: "fuzz", Title: "Fuzz", Files: 7, Ranks: 7, Zone: 2,
			Pieces: []rules.PieceKind{{Code: "K", Name: "King", Betza: "K", Royal: true}, {Code: "Z", Name: "Fuzz", Betza: betza}},
			Setup:  "k6/7/2z4/7/4Z2/7/6K b -",
		})
		if err != nil {
			if strings.ContainsRune(err.Error(), '\n') {
				t.Errorf("%q: %v", betza, err)
			}
			return
		}
		black, white := v.Start(), position(t, v, strings.Replace(v.Setup, " b ", " w ", 1))
		moves := black.LegalMoves()
		if n := len(white.LegalMoves()); n != len(moves) {
			t.Errorf("%q: Black has %d moves, White %d", betza, len(moves), n)
		}
		var replies uint64
		for _, m := range moves {
			next, err := black.Play(m)
			if err != nil {
				t.Fatalf("%q: %v", betza, err)
			}
			replies += uint64(len(next.LegalMoves()))
		}
		if got := black.Perft(2); got != replies {
			t.Errorf("%q: %d replies counted, %d listed", betza, got, replies)
		}
	})
}
