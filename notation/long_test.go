package notation_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"pbem/notation"
	"pbem/rules"
)

// long are inputs that grow with n, of the kinds that parsers have choked on.
var long = []struct {
	name string
	text func(n int) string
	read func(text string)
}{
	{"KIF moves", func(n int) string {
		return rooks(n)
	}, record(notation.KIF)},
	{"KIF remarks", repeat("*remark\n"), record(notation.KIF)},
	{"KIF variations", func(n int) string {
		return "   1 ７六歩(77)\n" + strings.Repeat("変化：1手\n   1 ２六歩(27)\n", n)
	}, record(notation.KIF)},
	{"KIF headers", repeat("a：b\n"), record(notation.KIF)},
	{"KIF diagram", repeat("|v香v桂v銀v金v玉v金v銀v桂v香|一\n"), record(notation.KIF)},
	{"KI2 on one line", func(n int) string {
		return strings.Repeat("▲３八飛 △７二飛 ▲２八飛 △８二飛 ", n)
	}, record(notation.KI2)},
	{"KI2 marks", repeat("▲"), record(notation.KI2)},
	{"CSA remarks", repeat("'*remark\n"), record(notation.CSA)},
	{"CSA statements on one line", func(n int) string { return "PI\n+\n" + strings.Repeat("+2838HI,T1,-8272HI,T1,+3828HI,-7282HI,", n) }, record(notation.CSA)},
	{"CSA pieces", repeat("P+00AL\n"), record(notation.CSA)},
	{"USI moves", func(n int) string { return "position startpos moves" + strings.Repeat(" 2h3h 8b7b 3h2h 7b8b", n) }, record(notation.USILine)},
	{"Hodges moves", func(n int) string { return strings.Repeat("1. R-3h R-7b (0:01) 2. R-2h R-8b ", n) }, record(notation.HodgesText)},
	{"Hodges remarks", repeat("{remark} ; another\n"), record(notation.HodgesText)},
	{"Hodges variations", repeat("(1. P-2f {:-)} P-8d)\n"), record(notation.HodgesText)},
	{"Hodges tags on one line", repeat(`[A "b"] [C d] `), record(notation.HodgesText)},
	{"Hodges brackets", repeat("("), record(notation.HodgesText)},
	{"Hodges results", repeat("1-0 "), record(notation.HodgesText)},
	{"JKF moves", func(n int) string {
		step := `{"move":{"from":{"x":%d,"y":%d},"to":{"x":%d,"y":%d},"piece":"HI"},"comments":["a","b"],"forks":[[{}]]},` + "\n"
		four := fmt.Sprintf(step+step+step+step, 2, 8, 3, 8, 8, 2, 7, 2, 3, 8, 2, 8, 7, 2, 8, 2)
		return `{"moves":[{},` + strings.Repeat(four, n) + `{}]}`
	}, record(notation.JKF)},
	{"JKF remarks", func(n int) string { return `{"moves":[{"comments":[` + strings.Repeat(`"a",`, n) + `"b"]}]}` }, record(notation.JKF)},
	{"JKF nesting", repeat(`{"moves":[`), record(notation.JKF)},
	{"bytes that are no UTF-8", repeat("\x82\xe8"), record(notation.KIF)},
	{"SFEN ranks", repeat("9/"), sfen},
	{"SFEN digits", repeat("1"), sfen},
	{"SFEN hands", func(n int) string { return strings.TrimSuffix(startSFEN, "- 1") + strings.Repeat("P", n) }, sfen},
	{"one move of many letters", repeat("P"), line},
	{"one move of many blanks", repeat(" "), line},
	{"a list", repeat("1. P-7f P-3d "), line},
	{"list of times", repeat("(0:01) "), line},
	{"USI move", repeat("7g"), func(text string) { _, _ = notation.ParseUSI(rules.Shogi(), text) }},
}

func repeat(part string) func(int) string {
	return func(n int) string { return strings.Repeat(part, n) }
}

// rooks is a KIF of rooks that go to and fro.
func rooks(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(fmt.Sprintf("%4d %s   ( 0:01/00:00:01)\n", i+1, []string{"３八飛(28)", "７二飛(82)", "２八飛(38)", "８二飛(72)"}[i%4]))
	}
	return b.String()
}

func record(f notation.Format) func(string) {
	return func(text string) { _, _ = notation.ReadRecord(f, nil, []byte(text)) }
}

func sfen(text string) { _, _, _ = notation.ParseSFEN(rules.Shogi(), text) }

func line(text string) {
	_, _ = notation.ReadLine(rules.Shogi().Start(), nil, text, notation.Options{})
	_, _ = notation.ReadMoves(rules.Shogi().Start(), text, notation.Options{})
}

// Four times the text takes about four times the memory, and so is not copied
// over and over; BenchmarkLong shows the same of time.
func TestLong(t *testing.T) {
	for _, tt := range long {
		const n = 1000
		tt.read(tt.text(n)) // what is made once
		once, four := allocated(func() { tt.read(tt.text(n)) }), allocated(func() { tt.read(tt.text(4 * n)) })
		if four > 6*once+1<<16 {
			t.Errorf("%s: %d bytes for one length, %d for four", tt.name, once, four)
		}
	}
}

// allocated returns the bytes that f allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// The time per byte must not grow from the shorter to the longer text.
func BenchmarkLong(b *testing.B) {
	for _, tt := range long {
		for _, n := range []int{1000, 16000} {
			b.Run(fmt.Sprintf("%s/%d", tt.name, n), func(b *testing.B) {
				text := tt.text(n)
				b.SetBytes(int64(len(text)))
				for b.Loop() {
					tt.read(text)
				}
			})
		}
	}
}
