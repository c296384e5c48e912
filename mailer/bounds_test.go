package mailer_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"pbem/mailer"
)

// Trap M1: libraries take quadratic time in nested parts and have no limits.
// What Parse looks at is bounded, however deep and many the parts are.
func TestBounds(t *testing.T) {
	limits := mailer.DefaultLimits()
	tests := []struct {
		name  string
		raw   []byte
		lines int // of the sender's; -1 any
	}{
		{"trap M1: 2 000 nested parts", nested(2000), 0},
		{"trap M1: 20 000 nested parts", nested(20_000), 0},
		{"19 nested parts are read", nested(19), 1},
		{"5 000 parts side by side", sideBySide(5000), 1},
		{"30 MB of attachment before the text", attachment(30 << 20), 1},
		{"30 MB of boundary that is none", dashes(30 << 20), 0},
		{"30 MB of text", longLine(30 << 20), 2},
		{"30 MB of HTML", append(manyTags(), strings.Repeat("<b>", 10<<20)...), -1},
		{"10 000 fields", manyFields(10_000), 1},
		{"90 000 lines", manyLines(), 1000},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if parts, text := mailer.Walked(tt.raw); parts > limits.Parts+1 || text > limits.Text {
				t.Errorf("looks at %d parts and %d bytes of text", parts, text)
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			m, err := mailer.Parse(tt.raw, mailer.ParseOptions{})
			runtime.ReadMemStats(&after)
			if err != nil {
				t.Fatal(err)
			}
			if tt.lines >= 0 && len(m.Lines) != tt.lines {
				t.Errorf("%d lines, want %d: %.60q", len(m.Lines), tt.lines, m.Lines)
			}
			if spent := (after.TotalAlloc - before.TotalAlloc) >> 20; spent > 40 {
				t.Errorf("allocates %d MB for a message of %d MB", spent, len(tt.raw)>>20)
			}
		})
	}
}

// A header beyond the limit is refused, not read in part: the field that says
// who wrote could be in the rest.
func TestHeaderTooLarge(t *testing.T) {
	t.Parallel()
	if m, err := mailer.Parse(manyFields(40_000), mailer.ParseOptions{}); err == nil {
		t.Errorf("Parse = %+v, nil; want an error", m.From)
	}
}

func sideBySide(n int) []byte {
	var b strings.Builder
	b.WriteString(head + "Content-Type: multipart/mixed; boundary=xx\r\n\r\n")
	for i := range n {
		fmt.Fprintf(&b, "--xx\r\nContent-Type: text/plain\r\n\r\nP-%df\r\n", i%9+1)
	}
	b.WriteString("--xx--\r\n")
	return []byte(b.String())
}
