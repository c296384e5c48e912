package mailer_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"pbem/mailer"
)

// FuzzParse checks that any bytes are read without a panic, within bounds, and
// that what comes out is clean: valid text, one line a line, no NUL.
func FuzzParse(f *testing.F) {
	files, err := filepath.Glob("testdata/mail/*.eml")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(raw)
	}
	f.Add(nested(30))
	f.Fuzz(func(t *testing.T, raw []byte) {
		m, err := mailer.Parse(raw, mailer.ParseOptions{Own: []string{"shogi@shogi.example.org"}})
		if err != nil {
			return
		}
		size := 0
		for _, s := range append([]string{m.From.Addr, m.From.Name, m.Subject, m.MessageID, m.Bounce.Failed}, m.Lines...) {
			size += len(s)
			if !utf8.ValidString(s) || strings.ContainsAny(s, "\r\n\x00") {
				t.Errorf("unclean: %q", s)
			}
		}
		if size > 4*len(raw)+4<<10 {
			t.Errorf("%d bytes of text from %d", size, len(raw))
		}
		mailer.Hash(raw)
	})
}

// FuzzWalk checks the bounds of what is looked at.
func FuzzWalk(f *testing.F) {
	f.Add(nested(300))
	f.Add(sideBySide(300))
	f.Fuzz(func(t *testing.T, raw []byte) {
		l := mailer.DefaultLimits()
		if parts, text := mailer.Walked(raw); parts > l.Parts+1 || text > l.Text {
			t.Errorf("%d parts, %d bytes", parts, text)
		}
	})
}
