package imapbox_test

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"strings"
	"testing"
	"time"

	"pbem/internal/localmail"
	"pbem/mailer/imapbox"
)

func TestProtectedConnections(t *testing.T) {
	for _, tt := range []struct {
		name     string
		offered  localmail.TLS
		security imapbox.Security
	}{
		{"tls", localmail.TLSImplicit, imapbox.SecurityTLS},
		{"starttls", localmail.TLSRequired, imapbox.SecurityStartTLS},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := start(t, localmail.Options{TLS: tt.offered})
			deliver(t, s, mail(1))
			c := config(t, s.IMAPAddr())
			c.Security, c.TLS = tt.security, s.ClientTLS()
			r, err := imapbox.Probe(t.Context(), c)
			if err != nil || r.TLS != "TLS 1.3" || r.Messages != 1 || len(r.Notes) != 0 {
				t.Fatalf("Probe = %+v, %v; want TLS 1.3 and one message", r, err)
			}
			k := newKeeper()
			watch(t, c, k)
			k.awaitMails(t, 1)
		})
	}
}

// Every way to get it wrong is told in words that say what to mend.
func TestProbeProblems(t *testing.T) {
	plain := start(t, localmail.Options{})
	secure := start(t, localmail.Options{TLS: localmail.TLSImplicit})
	needsTLS := start(t, localmail.Options{TLS: localmail.TLSRequired})
	bye := startBad(t)
	bye.on[""] = func(p *peer, _, _ string) bool {
		p.say("* BYE too many connections")
		p.Close()
		return true
	}
	busy := startBad(t)
	busy.on["LOGIN"] = func(p *peer, tag, _ string) bool {
		p.say("%s NO [UNAVAILABLE] try later", tag)
		return true
	}
	mute := startBad(t)
	mute.on[""] = silent
	noStart := startBad(t)
	noStart.on["STARTTLS"] = func(p *peer, tag, _ string) bool {
		p.say("%s BAD what?", tag)
		return true
	}
	nobody, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	nobody.Close()
	tests := []struct {
		name    string
		change  func(c *imapbox.Config)
		problem imapbox.Problem
		text    string
	}{
		{"no port", func(c *imapbox.Config) { c.Addr = "imap.example.org" }, imapbox.Misconfigured, "host:port"},
		{"no user", func(c *imapbox.Config) { c.User = "" }, imapbox.Misconfigured, "no user name"},
		{"plain text abroad", func(c *imapbox.Config) { c.Addr = "192.0.2.1:143" }, imapbox.Misconfigured, "plain text to another machine"},
		{"unknown security", func(c *imapbox.Config) { c.Security = "ssl" }, imapbox.Misconfigured, `security is "ssl"`},
		{"nobody there", func(c *imapbox.Config) { c.Addr = nobody.Addr().String() }, imapbox.Unreachable, "cannot connect"},
		{"TLS to plain", func(c *imapbox.Config) { c.Security = imapbox.SecurityTLS }, imapbox.BadTLS, `is security = "starttls" meant?`},
		{"STARTTLS to none", func(c *imapbox.Config) { c.Security, c.Addr = imapbox.SecurityStartTLS, noStart.serve() }, imapbox.BadTLS, `is security = "tls" (port 993) meant?`},
		{"unknown certificate", func(c *imapbox.Config) { c.Security, c.Addr = imapbox.SecurityTLS, secure.IMAPAddr() }, imapbox.BadTLS, "certificate is not to be trusted"},
		{"other name", func(c *imapbox.Config) {
			c.Security, c.Addr, c.TLS = imapbox.SecurityTLS, secure.IMAPAddr(), secure.ClientTLS()
			c.TLS.ServerName = "imap.example.net"
		}, imapbox.BadTLS, "certificate is for another name"},
		{"needs TLS", func(c *imapbox.Config) { c.Addr = needsTLS.IMAPAddr() }, imapbox.Misconfigured, "takes no password on this connection"},
		{"turned away", func(c *imapbox.Config) { c.Addr = bye.serve() }, imapbox.TurnedAway, `it said "too many connections"`},
		{"busy", func(c *imapbox.Config) { c.Addr = busy.serve() }, imapbox.TurnedAway, "cannot log in user"},
		{"silent", func(c *imapbox.Config) { *c = quick(*c); c.Addr = mute.serve() }, imapbox.Silent, "no answer to greeting within 150ms"},
		{"wrong password", func(c *imapbox.Config) { c.Password = "hisha" }, imapbox.WrongPassword, `the server refused user "shogi@example.org": wrong user name or password?`},
		{"no mailbox", func(c *imapbox.Config) { c.Mailbox = "Shogi" }, imapbox.NoMailbox, `mailbox "Shogi" cannot be opened`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := config(t, plain.IMAPAddr())
			tt.change(&c)
			_, err := imapbox.Probe(t.Context(), c)
			var problem *imapbox.Error
			if !errors.As(err, &problem) || problem.Problem != tt.problem || !strings.Contains(err.Error(), tt.text) {
				t.Fatalf("Probe = %v; want problem %d with %q", err, tt.problem, tt.text)
			}
			if !strings.HasPrefix(err.Error(), c.Addr+": ") || strings.Contains(err.Error(), c.Password) {
				t.Errorf("%q: want it to begin with the address, and no password in it", err)
			}
		})
	}
}

// The report says what follows of what the server lacks.
func TestProbeReport(t *testing.T) {
	s := startBad(t, text(1))
	s.caps, s.validity, s.flags = "IMAP4rev1", "", `\Seen`
	c := config(t, s.serve())
	c.MoveTo = "Done"
	r, err := imapbox.Probe(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if r.Idle || r.Move || r.UIDPlus || r.Keywords || r.UIDValidity != 0 || r.Settle != `flag \Seen` {
		t.Errorf("report %+v; want nothing offered", r)
	}
	notes := strings.Join(r.Notes, "\n")
	for _, want := range []string{"no IDLE", `not moved to "Done"`, "flag $PbemDone", "no UIDVALIDITY"} {
		if !strings.Contains(notes, want) {
			t.Errorf("notes\n%s\nwant %q in them", notes, want)
		}
	}
	if said := s.said(); strings.Contains(said, "STORE") || strings.Contains(said, "FETCH") {
		t.Errorf("Probe said\n%s", said)
	}

	full := start(t, localmail.Options{})
	c = config(t, full.IMAPAddr())
	c.MoveTo = "Done"
	r, err = imapbox.Probe(t.Context(), c)
	if err != nil || !r.Idle || !r.Move || !r.UIDPlus || !r.Keywords || r.UIDValidity == 0 || r.Settle != "move" {
		t.Errorf("Probe = %+v, %v; want everything offered", r, err)
	}
	if len(r.Notes) != 1 || !strings.Contains(r.Notes[0], `no mailbox "Done" yet`) {
		t.Errorf("notes %q; want one on the mailbox to be made", r.Notes)
	}
}

// A Config nobody can work with ends Watch; a wrong password does not.
func TestWatchProblems(t *testing.T) {
	t.Parallel()
	var problem *imapbox.Error
	err := imapbox.Watch(t.Context(), imapbox.Config{Addr: "192.0.2.1:143", Security: "none", User: "u"}, newKeeper())
	if !errors.As(err, &problem) || problem.Problem != imapbox.Misconfigured {
		t.Errorf("Watch = %v; want a misconfiguration", err)
	}

	s := startBad(t, text(1))
	s.on["LOGIN"] = func(p *peer, tag, _ string) bool {
		if p.n < 3 {
			p.say("%s NO [AUTHENTICATIONFAILED] no", tag)
			return true
		}
		return false
	}
	k := newKeeper()
	c := config(t, s.serve())
	loud := make(chan struct{}, 10)
	c.Log = slog.New(slog.NewTextHandler(loudness{loud}, &slog.HandlerOptions{Level: slog.LevelError}))
	watch(t, c, k)
	k.awaitMails(t, 1)
	if len(loud) != 2 {
		t.Errorf("%d errors logged; want 2", len(loud))
	}
}

type loudness struct{ lines chan<- struct{} }

func (l loudness) Write(b []byte) (int, error) {
	l.lines <- struct{}{}
	return len(b), nil
}

// A deadline ends Probe wherever it is.
func TestProbeEndsWithContext(t *testing.T) {
	t.Parallel()
	s := startBad(t)
	s.on["SELECT"] = silent
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer cancel()
	if _, err := imapbox.Probe(ctx, config(t, s.serve())); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Probe = %v; want the deadline", err)
	}
}
