package notation_test

import (
	"errors"
	"testing"

	"pbem/notation"
	"pbem/rules"
)

var dialects = []notation.Dialect{
	notation.InHodges, notation.InNumbers, notation.InHosking, notation.InKitao,
	notation.InUSI, notation.InCSA, notation.InKIF, notation.InKI2,
}

func TestWriteEntries(t *testing.T) {
	for _, e := range load[[]entry](t, "positions.json") {
		if e.Category != "notation-write" {
			continue
		}
		p := position(t, e.SFEN, e.Moves...)
		want := map[notation.Dialect]string{notation.InHodges: e.Result, notation.InNumbers: e.Numbers, notation.InHosking: e.Hosking, notation.InKitao: e.Kitao}
		switch e.Name { // pinned rivals: our Hosking writes the origin as our Hodges does, ffish leaves it out
		case "write_other_gold_pinned_file":
			want[notation.InHosking] = "G38-48"
		case "write_white_other_gold_pinned":
			want[notation.InHosking] = "G32-42"
		}
		for d, want := range want {
			got, err := notation.Write(d, p, usi(t, p.Variant(), e.Move), notation.Options{})
			if err != nil || got != want {
				t.Errorf("%s: Write(%v, %s) = %s, %v; want %s", e.Name, d, e.Move, got, err, want)
			}
		}
	}
}

func TestWriteJapanese(t *testing.T) {
	const (
		three  = "8k/9/9/9/9/9/2G6/3G5/2G1K4 b - 1"
		pair   = "8k/9/9/9/9/9/9/3GG4/K8 b - 1"
		horses = "8k/9/9/9/4+B4/9/9/2+B6/K8 b - 1"
	)
	tests := []struct{ sfen, move, previous, kif, ki2, csa string }{
		{startSFEN, "7g7f", "-", "７六歩(77)", "▲７六歩", "+7776FU"},
		{startSFEN, "4i5h", "-", "５八金(49)", "▲５八金右", "+4958KI"},
		{bishops, "8h2b+", "3d", "２二角成(88)", "▲２二角成", "+8822UM"},
		{bishops, "8h2b", "3d", "２二角(88)", "▲２二角不成", "+8822KA"},
		{hands, "P*5e", "4d", "５五歩打", "▲５五歩", "+0055FU"},
		{knight, "N*5e", "-", "５五桂打", "▲５五桂打", "+0055KE"},
		{retake, "5f6g", "6g", "同　銀(56)", "▲同　銀", "+5667GI"},
		{silvers, "6g5f", "-", "５六銀(67)", "▲５六銀左上", "+6756GI"},
		{silvers, "4e5f", "-", "５六銀(45)", "▲５六銀右引", "+4556GI"},
		{pair, "5h5g", "-", "５七金(58)", "▲５七金直", "+5857KI"},
		{pair, "6h5g", "-", "５七金(68)", "▲５七金左", "+6857KI"},
		{three, "7i7h", "-", "７八金(79)", "▲７八金上", "+7978KI"},
		{three, "6h7h", "-", "７八金(68)", "▲７八金寄", "+6878KI"},
		{horses, "5e7g", "-", "７七馬(55)", "▲７七馬引", "+5577UM"},
		{tokins, "4c5b", "-", "５二と(43)", "▲５二と右", "+4352TO"},
		{"4k4/4g1g2/9/9/4R4/9/9/9/4K4 w - 1", "3b4b", "-", "４二金(32)", "△４二金左", "-3242KI"},
	}
	for _, tt := range tests {
		p := position(t, tt.sfen)
		var o notation.Options
		if tt.previous != "-" {
			o.Previous = usi(t, p.Variant(), "5i"+tt.previous).To
		}
		for d, want := range map[notation.Dialect]string{notation.InKIF: tt.kif, notation.InKI2: tt.ki2, notation.InCSA: tt.csa} {
			got, err := notation.Write(d, p, usi(t, p.Variant(), tt.move), o)
			if err != nil || got != want {
				t.Errorf("Write(%v, %s) = %s, %v; want %s", d, tt.move, got, err, want)
			}
		}
	}
}

// Every legal move of a random game of every variant is read back from every
// dialect that can say it. USI and KIF mean by silence that a piece does not
// promote.
func TestWriteDialectsReadBack(t *testing.T) {
	for _, v := range rules.Variants() {
		t.Run(v.Name, func(t *testing.T) {
			t.Parallel()
			walk(t, v, 100, plies(), func(p rules.Position, last rules.Move, legal []rules.Move) {
				for _, m := range legal {
					readBack(t, p, m, last.To)
				}
			})
		})
	}
}

func readBack(t *testing.T, p rules.Position, m rules.Move, previous rules.Square) {
	t.Helper()
	for _, d := range dialects {
		o := notation.Options{Previous: previous}
		text, err := notation.Write(d, p, m, o)
		var unsupported *notation.UnsupportedError
		if errors.As(err, &unsupported) && p.Variant().Files > 9 {
			continue
		}
		if err != nil {
			t.Fatalf("Write(%v, %v): %v", d, m, err)
		}
		o.PlainStays = d == notation.InUSI || d == notation.InKIF
		if got, err := notation.Read(p, text, o); err != nil || got != m {
			t.Fatalf("%s: %v: Read(%q) = %v, %v; want %v", p, d, text, got, err, m)
		}
	}
}

func TestWriteUnsupported(t *testing.T) {
	v, ok := rules.ByName("wa")
	if !ok {
		t.Fatal("no Wa shogi")
	}
	p := v.Start()
	m := p.LegalMoves()[0]
	for _, d := range dialects {
		text, err := notation.Write(d, p, m, notation.Options{})
		var unsupported *notation.UnsupportedError
		if want := d != notation.InHodges && d != notation.InUSI; errors.As(err, &unsupported) != want {
			t.Errorf("Write(%v) in Wa = %q, %v", d, text, err)
		}
	}
}

func TestDialectByName(t *testing.T) {
	for _, d := range dialects {
		if got, ok := notation.DialectByName(" " + d.String()); !ok || got != d {
			t.Errorf("DialectByName(%q) = %v, %v", d, got, ok)
		}
	}
	if d, ok := notation.DialectByName("esperanto"); ok {
		t.Errorf("DialectByName(esperanto) = %v", d)
	}
}
