package rules_test

import (
	"flag"
	"testing"

	"pbem/rules"
)

var (
	leaves = flag.Uint64("rules.leaves", 30e6, "count each perft up to so many leaves; one of 3e9 takes half a minute")
	slow   = flag.Bool("rules.slow", false, "count every perft, one of them of 15 billion leaves, and play many more random games; use with -timeout 30m")
)

func TestPerft(t *testing.T) {
	limit := *leaves
	switch {
	case *slow:
		limit = 1 << 62
	case testing.Short():
		limit = 1e6
	}
	type row struct {
		Variant, Name, SFEN string
		Perft               []uint64
	}
	for _, tt := range load[row](t, "perft.json") {
		t.Run(tt.Variant+"/"+tt.Name, func(t *testing.T) {
			t.Parallel()
			p := position(t, variant(t, tt.Variant), tt.SFEN)
			for i, want := range tt.Perft {
				if want > limit {
					break
				}
				if got := p.Perft(i + 1); got != want {
					t.Errorf("Perft(%d) of %v = %d; want %d", i+1, p, got, want)
				}
			}
		})
	}
}

// A board on which moves are made and taken back stays the board one would
// set up afresh, keys, hands and bitboards included.
func TestMakeUnmake(t *testing.T) {
	type row struct {
		Variant, Name, SFEN string
		Perft               []uint64
	}
	for _, tt := range load[row](t, "perft.json") {
		depth := 0
		for depth < len(tt.Perft) && tt.Perft[depth] < 4000 {
			depth++
		}
		if depth == 0 {
			continue
		}
		if err := rules.Walk(position(t, variant(t, tt.Variant), tt.SFEN), depth); err != nil {
			t.Errorf("%s %s: %v", tt.Variant, tt.Name, err)
		}
	}
}

func BenchmarkPerft(b *testing.B) {
	for _, name := range []string{"shogi", "minishogi", "heian", "wa", "wa-drops"} {
		b.Run(name, func(b *testing.B) {
			p := variant(b, name).Start()
			leaves := uint64(0)
			for b.Loop() {
				leaves += p.Perft(4)
			}
			b.ReportMetric(float64(leaves)/b.Elapsed().Seconds()/1e6, "Mleaves/s")
		})
	}
}

func BenchmarkPlay(b *testing.B) {
	p := rules.Shogi().Start()
	m := usi(b, p.Variant(), "7g7f")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := p.Play(m); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLegalMoves(b *testing.B) {
	p := position(b, rules.Shogi(), "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p")
	b.ReportAllocs()
	for b.Loop() {
		if n := len(p.LegalMoves()); n != 593 {
			b.Fatal(n)
		}
	}
}

func BenchmarkHistory(b *testing.B) {
	game := play(b, rules.Shogi().Start(), "7g7f 3c3d 2g2f 4c4d 3i4h 8b4b 5i6h 5a6b 6h7h 6b7b")
	h := rules.NewHistory(game[0])
	i := 0
	for b.Loop() {
		i = i%(len(game)-1) + 1
		h.Add(game[i])
	}
}
