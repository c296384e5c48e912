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
		over  mailer.Limit
	}{
		{"trap M1: 2 000 nested parts", nested(2000), 0, mailer.OverDepth},
		{"trap M1: 20 000 nested parts", nested(20_000), 0, mailer.OverDepth},
		{"19 nested parts are read", nested(19), 1, ""},
		{"5 000 parts side by side", sideBySide(5000), 1, mailer.OverParts},
		{"30 MB of attachment before the text", attachment(30 << 20), 1, ""},
		{"30 MB of boundary that is none", dashes(30 << 20), 0, ""},
		{"30 MB of text", longLine(30 << 20), 2, ""},
		{"30 MB of HTML", append(manyTags(), strings.Repeat("<b>", 10<<20)...), -1, ""},
		{"400 fields", manyFields(400), 1, ""},
		{"10 000 fields", manyFields(10_000), 0, mailer.OverFields},
		{"100 addresses", sentTo(99, "To: "), 1, ""},
		{"200 addresses", sentTo(199, "To: "), 0, mailer.OverAddresses},
		{"200 addresses in fields of their own", sentTo(199, "\r\nCc: "), 0, mailer.OverAddresses},
		{"5 000 addresses", sentTo(4_999, "To: "), 0, mailer.OverAddresses},
		{"90 000 lines", manyLines(), 1000, ""},
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
			if m.Over != tt.over {
				t.Errorf("over %q; want %q", m.Over, tt.over)
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

// sentTo is a mail to n addresses more than the service's, each behind a
// separator; the first of them is the name of a field.
func sentTo(n int, field string) []byte {
	var b strings.Builder
	b.WriteString("From: hana@example.org\r\nDelivered-To: shogi@example.org")
	for i := range n {
		sep := ",\r\n "
		if i == 0 || strings.HasPrefix(field, "\r\n") {
			sep = "\r\n" + strings.TrimPrefix(field, "\r\n")
		}
		fmt.Fprintf(&b, "%suser%d@example.net", sep, i)
	}
	b.WriteString("\r\n\r\nP-7f\r\n")
	return []byte(b.String())
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
