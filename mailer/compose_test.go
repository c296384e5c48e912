package mailer_test

import (
	"errors"
	"net/mail"
	"slices"
	"strings"
	"testing"
	"time"

	"pbem/mailer"
)

// draft is a mail with all that one may have.
func draft() mailer.Draft {
	return mailer.Draft{
		From: mailer.Address{Name: "Shogi by mail", Addr: "shogi@example.org"}, To: mailer.Address{Name: "Lucía Ferrer", Addr: "lucia@example.net"},
		ReplyTo: "shogi+g17-2-k7f3q9zt2m@example.org", MessageID: "g17-2-k7f3q9zt2m.1@example.org", InReplyTo: "a@example.net",
		References: []string{"root@example.org", "a@example.net"}, Subject: "[Shogi #17] marco played P-3d, your move",
		Text: "P-3d\n\nFrom here on = yours\n.\n" + strings.Repeat("long ", 300) + "\n▲７六歩\n", HTML: "<p>P-3d</p>", Date: time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC), Auto: "auto-generated",
	}
}

func TestComposeReadsBack(t *testing.T) {
	t.Parallel()
	for _, html := range []string{"", "<p>P-3d</p>"} {
		d := draft()
		d.HTML = html
		raw, err := mailer.Compose(d)
		if err != nil {
			t.Fatal(err)
		}
		readsBack(t, d, raw)
		if again, _ := mailer.Compose(d); string(again) != string(raw) {
			t.Error("the same draft composed twice gives other bytes")
		}
		for line := range strings.Lines(string(raw)) {
			if !strings.HasSuffix(line, "\r\n") || len(line) > 80 && !strings.Contains(line, "<") { // RFC 5321, trap S1
				t.Errorf("line %q", line)
			}
		}
	}
}

// readsBack parses raw and compares it with the draft that it was made of.
func readsBack(t *testing.T, d mailer.Draft, raw []byte) {
	t.Helper()
	m, err := mailer.Parse(raw, mailer.ParseOptions{})
	if err != nil {
		t.Fatalf("%v in %q", err, raw)
	}
	if m.Salvaged || m.Kind != mailer.Own {
		t.Errorf("salvaged %v, kind %v in %q", m.Salvaged, m.Kind, raw)
	}
	for _, f := range []struct{ what, got, want string }{
		{"From", m.From.Addr, d.From.Addr},
		{"From name", m.From.Name, mailer.Decode(d.From.Name)},
		{"Message-ID", m.MessageID, d.MessageID},
		{"Subject", m.Subject, mailer.Decode(d.Subject)},
		{"References", strings.Join(m.References, " "), strings.Join(d.References, " ")},
		{"In-Reply-To", strings.Join(m.InReplyTo, " "), d.InReplyTo},
		{"Date", m.Date.String(), d.Date.String()},
		{"To", strings.Join(m.Recipients, " "), d.To.Addr},
	} {
		if f.got != f.want {
			t.Errorf("%s: got %q, want %q in %q", f.what, f.got, f.want, raw)
		}
	}
}

// A line end in a field would let a player write header fields of ours.
func TestHeaderInjection(t *testing.T) {
	t.Parallel()
	for _, evil := range []string{"x\r\nBcc: victim@example.com", "x\nBcc: victim@example.com", "x\rBcc: v", "x\x00", "x\r\n\r\nbody"} {
		for name, set := range map[string]func(*mailer.Draft){
			"subject":     func(d *mailer.Draft) { d.Subject = evil },
			"from name":   func(d *mailer.Draft) { d.From.Name = evil },
			"to name":     func(d *mailer.Draft) { d.To.Name = evil },
			"from":        func(d *mailer.Draft) { d.From.Addr = evil },
			"to":          func(d *mailer.Draft) { d.To.Addr = evil },
			"reply-to":    func(d *mailer.Draft) { d.ReplyTo = evil },
			"message-id":  func(d *mailer.Draft) { d.MessageID = evil },
			"in-reply-to": func(d *mailer.Draft) { d.InReplyTo = evil },
			"references":  func(d *mailer.Draft) { d.References = []string{evil} },
			"auto":        func(d *mailer.Draft) { d.Auto = evil },
		} {
			d := draft()
			set(&d)
			if raw, err := mailer.Compose(d); !errors.Is(err, mailer.ErrHeader) {
				t.Errorf("%s %q: %q, %v", name, evil, raw, err)
			}
		}
	}
	d := draft()
	d.To.Addr = "lucía@example.net"
	if _, err := mailer.Compose(d); !errors.Is(err, mailer.ErrAddress) {
		t.Errorf("non-ASCII address: %v; want ErrAddress", err)
	}
}

// A subject that came with hidden line ends is harmless once it has been read.
func TestHiddenLineEnds(t *testing.T) {
	t.Parallel()
	m := parseFile(t, "testdata/mail/crlf-in-encoded-subject.eml")
	d := draft()
	d.Subject = m.Subject
	raw, err := mailer.Compose(d)
	if err != nil {
		t.Fatal(err)
	}
	h, err := mail.ReadMessage(strings.NewReader(string(raw)))
	if err != nil || h.Header.Get("Bcc") != "" || h.Header.Get("X-Evil") != "" {
		t.Errorf("%v, %v", h.Header, err)
	}
}

// FuzzCompose checks that what Compose writes, Parse reads.
func FuzzCompose(f *testing.F) {
	f.Add("Lucía", "[Shogi #17] your move", "P-7f\n", "g1-2-abcdefgh.1@example.org", "<p>x</p>")
	f.Add("\"O'Neil\", Ann", "=?utf-8?Q?x?=", ".\n-- \n", "a@b", "")
	f.Add("久保田　誠", strings.Repeat("長い題名", 40), "\x00=\xff\r", "x.y@example.org", "")
	f.Fuzz(func(t *testing.T, name, subject, text, id, html string) {
		d := draft()
		d.To.Name, d.From.Name, d.Subject, d.Text, d.HTML = name, name, subject, text, html
		raw, err := mailer.Compose(d)
		if err != nil {
			if !errors.Is(err, mailer.ErrHeader) {
				t.Fatal(err)
			}
			return
		}
		if printable(name) && printable(subject) {
			readsBack(t, d, raw)
		}
		d.MessageID = id
		if raw, err = mailer.Compose(d); err == nil {
			if _, err := mailer.Parse(raw, mailer.ParseOptions{}); err != nil {
				t.Fatalf("%v in %q", err, raw)
			}
		}
	})
}

// printable reports whether s is text as a player or a template may give it: no
// encoded words, which would be read as what they encode, and no control
// characters.
func printable(s string) bool {
	return !strings.Contains(s, "=?") && !slices.ContainsFunc([]rune(s), func(r rune) bool { return r < ' ' || r == 0x7f || r == 0xfffd || r == 0xfeff })
}
