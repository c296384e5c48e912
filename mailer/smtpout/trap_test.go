package smtpout_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"pbem/internal/localmail"
	"pbem/mailer/smtpout"
)

// open is a Config without user.
func open(t *testing.T, addr string) smtpout.Config {
	c := config(t, addr)
	c.User, c.Password = "", password
	return c
}

// short words outcomes as "ID status code".
func short(outs []smtpout.Outcome) string {
	var lines []string
	for _, o := range outs {
		lines = append(lines, fmt.Sprintf("%d %s %d", o.ID, o.Status, o.Code))
	}
	return strings.Join(lines, ", ")
}

// problemOf returns the problem err tells of, -1 if it is nil or no [smtpout.Error].
func problemOf(err error) int {
	var problem *smtpout.Error
	if errors.As(err, &problem) {
		return int(problem.Problem)
	}
	return -1
}

// Two mails against every kind of refusal: whose fault it is, and what becomes of the second.
func TestRefusals(t *testing.T) {
	const fine = -1
	tests := []struct {
		name        string
		on          func(int, string) string
		want        string
		problem     int
		connections int
	}{
		{"recipient unknown", at(9, "RCPT TO:<hana", "550 5.1.1 no such user"), "1 permanent failure 550, 2 accepted 250", fine, 1},
		{"recipient greylisted", at(9, "RCPT TO:<hana", "450 4.2.0 come back"), "1 temporary failure 450, 2 accepted 250", fine, 1},
		{"mail refused at the end", at(1, ".", "554 5.7.1 spam"), "1 permanent failure 554, 2 permanent failure 554", fine, 1},
		{"mail deferred at the end", at(1, ".", "451 4.3.0 not now"), "1 temporary failure 451, 2 temporary failure 451", fine, 1},
		{"DATA refused", at(1, "DATA", "554 no"), "1 permanent failure 554, 2 permanent failure 554", fine, 1},
		{"sender deferred", at(1, "MAIL", "451 4.7.1 too fast"), "1 temporary failure 451, 2 temporary failure 451", fine, 1},
		{"sender refused", at(1, "MAIL", "553 5.7.1 not your address"), "1 blocked 553", int(smtpout.Refused), 1},
		{"too large at MAIL", at(1, "MAIL", "552 5.3.4 too large"), "1 permanent failure 552, 2 permanent failure 552", fine, 1},
		{"login wanted", at(1, "MAIL", "530 5.7.0 log in first"), "1 blocked 530", int(smtpout.Refused), 1},
		{"login wanted at RCPT", at(1, "RCPT", "530 5.7.0 log in first"), "1 blocked 530", int(smtpout.Refused), 1},
		{"no relaying", at(1, "RCPT", "554 5.7.1 Relay access denied"), "1 blocked 554", int(smtpout.Refused), 1},
		{"greeting refused", at(1, "", "554 go away"), "1 blocked 554", int(smtpout.TurnedAway), 1},
		{"greeting deferred", at(1, "", "421 too busy"), "1 blocked 421", int(smtpout.TurnedAway), 1},
		{"EHLO refused", at(1, "EHLO", "550 bad name"), "1 blocked 550", int(smtpout.TurnedAway), 1},
		{"cut at the greeting", at(1, "", "cut"), "1 blocked 0", int(smtpout.Broken), 1},

		{"421 at RCPT", at(1, "RCPT", "421 closing"), "1 accepted 250, 2 accepted 250", fine, 2},
		{"cut at MAIL", at(1, "MAIL", "cut"), "1 accepted 250, 2 accepted 250", fine, 2},
		{"cut at DATA", at(1, "DATA", "cut"), "1 accepted 250, 2 accepted 250", fine, 2},
		{"cut at MAIL for ever", at(9, "MAIL", "cut"), "1 temporary failure 0", int(smtpout.Broken), 2},
		{"RSET fails", func(n int, line string) string {
			switch {
			case strings.HasPrefix(line, "RCPT TO:<hana"):
				return "550 no"
			case line == "RSET":
				return "cut"
			}
			return ""
		}, "1 permanent failure 550, 2 accepted 250", fine, 2},

		// Trap S2: in doubt after the last dot. Never twice in one Send.
		{"cut after the dot", at(1, ".", "cut"), "1 temporary failure 0, 2 accepted 250", fine, 2},
		{"421 after the dot", at(1, ".", "421 closing"), "1 temporary failure 421, 2 accepted 250", fine, 2},
		{"cut after every dot", at(9, ".", "cut"), "1 temporary failure 0, 2 temporary failure 0", int(smtpout.Broken), 2},
		{"nonsense after the dot", at(1, ".", "hello"), "1 temporary failure 0, 2 accepted 250", fine, 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := startBad(t, tt.on)
			outs, err := send(t, open(t, s.addr()), envelope(1, hana), envelope(2, taro))
			if got := short(outs); got != tt.want || problemOf(err) != tt.problem {
				t.Errorf("got %s; error %v\nwant %s, problem %d", got, err, tt.want, tt.problem)
			}
			if n := s.connections(); n != tt.connections {
				t.Errorf("%d connections; want %d", n, tt.connections)
			}
			for _, o := range outs {
				if o.Text == "" {
					t.Errorf("mail %d: no text", o.ID)
				}
			}
		})
	}
}

// The library waits 5 and 12 minutes for answers, and for ever while sending a body.
func TestSilentServer(t *testing.T) {
	for _, tt := range []struct {
		prefix, want string
		problem      int
	}{
		{"", "1 blocked 0", int(smtpout.Silent)},
		{"EHLO", "1 blocked 0", int(smtpout.Silent)},
		{"MAIL", "1 accepted 250", -1}, // On the second connection.
		{"RCPT", "1 accepted 250", -1},
		{"DATA", "1 accepted 250", -1},
		{".", "1 temporary failure 0", -1}, // Trap S2.
	} {
		t.Run("at "+tt.prefix, func(t *testing.T) {
			t.Parallel()
			s := startBad(t, at(1, tt.prefix, "stall"))
			c := open(t, s.addr())
			c.Timeout = 500 * time.Millisecond
			began := time.Now()
			outs, err := send(t, c, envelope(1, hana))
			if took := time.Since(began); took > 9*c.Timeout {
				t.Errorf("took %v; the time-out is %v", took, c.Timeout)
			}
			if got := short(outs); got != tt.want || problemOf(err) != tt.problem {
				t.Errorf("got %s; error %v\nwant %s, problem %d", got, err, tt.want, tt.problem)
			}
		})
	}
}

// A server that stops reading within a body does not hold us.
func TestServerStopsReading(t *testing.T) {
	t.Parallel()
	s := startBad(t, at(9, "DATA", "354 go on\r\nfreeze"))
	c := open(t, s.addr())
	c.Timeout = 100 * time.Millisecond
	e := envelope(1, hana)
	e.Data = append(e.Data, bytes.Repeat([]byte("a line of text\r\n"), 1<<20)...)
	outs, err := send(t, c, e, envelope(2, taro))
	if got := short(outs); problemOf(err) != int(smtpout.Broken) || got != "1 temporary failure 0" {
		t.Errorf("got %s, %v; want the connection broken twice", got, err)
	}
}

// Trap S2: the mail the server took before the cut is not sent again.
func TestCutAfterDot(t *testing.T) {
	t.Parallel()
	s := start(t, localmail.Options{})
	cut := localmail.Fault{Side: localmail.FromClient, Match: "\r\n.\r\n", Do: localmail.Cut}
	p, err := localmail.NewProxy(s.SMTPAddr(), cut)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	outs, err := send(t, config(t, p.Addr()), envelope(1, hana), envelope(2, taro))
	if got := short(outs); err != nil || got != "1 temporary failure 0, 2 accepted 250" {
		t.Errorf("got %s, %v", got, err)
	}
	if !strings.Contains(outs[0].Text, "may have taken it") {
		t.Errorf("text %q; want it to say that the mail is in doubt", outs[0].Text)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	if got, err := s.AwaitDelivered(ctx, hana, 1); err != nil || len(got) != 1 {
		t.Errorf("%d mails delivered, %v; want 1", len(got), err)
	}
}

// Trap S1: a line longer than 998 bytes never reaches a server.
func TestLongLine(t *testing.T) {
	t.Parallel()
	s := start(t, localmail.Options{})
	long, fits := envelope(1, hana), envelope(2, hana)
	long.Data = append(long.Data, strings.Repeat("x", 999)+"\r\n"...)
	fits.Data = append(fits.Data, strings.Repeat("x", 998)+"\r\n"...)
	outs, err := send(t, config(t, s.SMTPAddr()), long, fits)
	if got := short(outs); err != nil || got != "1 permanent failure 0, 2 accepted 250" {
		t.Errorf("got %s, %v", got, err)
	}
}

// Trap S3: SIZE is believed before a mail is sent, and told with MAIL.
func TestSize(t *testing.T) {
	t.Parallel()
	s := start(t, localmail.Options{MaxSize: 400})
	large := envelope(1, hana)
	large.Data = append(large.Data, strings.Repeat("a line of text\r\n", 30)...)
	outs, err := send(t, config(t, s.SMTPAddr()), large, envelope(2, hana))
	if got := short(outs); err != nil || got != "1 permanent failure 0, 2 accepted 250" {
		t.Errorf("got %s, %v", got, err)
	}
	if !strings.Contains(outs[0].Text, "at most 400") {
		t.Errorf("text %q; want the limit in it", outs[0].Text)
	}
	b := startBad(t, at(0, "", ""), "SIZE 1000000")
	send(t, open(t, b.addr()), envelope(1, hana))
	if want := fmt.Sprintf("SIZE=%d", len(envelope(1, hana).Data)); !strings.Contains(b.said(), want) {
		t.Errorf("client said\n%s\nwant %s", b.said(), want)
	}
}

// Trap S3: a plain error of a server made with our library would be a permanent failure; ours
// is not.
func TestPlainErrorIsTemporary(t *testing.T) {
	t.Parallel()
	s := start(t, localmail.Options{OnData: func(string, []string, []byte) error { return errors.New("disk full") }})
	outs, err := send(t, config(t, s.SMTPAddr()), envelope(1, hana))
	if got := short(outs); err != nil || got != "1 temporary failure 451" {
		t.Errorf("got %s, %v", got, err)
	}
}

// Trap S4: a password too long for the AUTH line goes in the answer to the challenge.
func TestLongPassword(t *testing.T) {
	t.Parallel()
	s := start(t, localmail.Options{})
	c := config(t, s.SMTPAddr())
	c.Password = strings.Repeat("long", 150)
	s.AddUser(bot, c.Password)
	if outs, err := send(t, c, envelope(1, hana)); err != nil || short(outs) != "1 accepted 250" {
		t.Errorf("got %s, %v", short(outs), err)
	}
}

// Trap S5: addresses with other letters need SMTPUTF8.
func TestOtherLetters(t *testing.T) {
	t.Parallel()
	const kanji = "将棋@example.org"
	s := start(t, localmail.Options{})
	outs, err := send(t, config(t, s.SMTPAddr()), envelope(1, kanji), envelope(2, hana))
	if got := short(outs); err != nil || got != "1 permanent failure 0, 2 accepted 250" || !strings.Contains(outs[0].Text, "SMTPUTF8") {
		t.Errorf("got %s, %v", got, err)
	}
	s = start(t, localmail.Options{SMTPUTF8: true})
	s.AddUser(kanji, password)
	if outs, err := send(t, config(t, s.SMTPAddr()), envelope(1, kanji)); err != nil || short(outs) != "1 accepted 250" {
		t.Errorf("with SMTPUTF8: got %s, %v", short(outs), err)
	}
}

// Nothing that came in by mail can put commands into the dialogue.
func TestAddressInjection(t *testing.T) {
	t.Parallel()
	s := startBad(t, at(0, "", ""))
	evil := envelope(1, "x@example.org>\r\nRCPT TO:<y@example.org")
	outs, err := send(t, open(t, s.addr()), evil, envelope(2, ""), envelope(3, hana))
	if got := short(outs); err != nil || got != "1 permanent failure 0, 2 permanent failure 0, 3 accepted 250" {
		t.Errorf("got %s, %v", got, err)
	}
	if strings.Contains(s.said(), "y@example.org") {
		t.Errorf("client said\n%s", s.said())
	}
}

func TestNullSender(t *testing.T) {
	t.Parallel()
	s := startBad(t, at(0, "", ""))
	e := envelope(1, hana)
	e.From = ""
	outs, err := send(t, open(t, s.addr()), e)
	if err != nil || !strings.Contains(s.said(), "MAIL FROM:<> ") {
		t.Errorf("got %s, %v; client said\n%s", short(outs), err, s.said())
	}
	if outs[0].Text != "2.0.0 queued as A1B2" {
		t.Errorf("text %q; want the server's words", outs[0].Text)
	}
}

// An error of done ends Send; the rest is not sent.
func TestDoneFails(t *testing.T) {
	t.Parallel()
	s := start(t, localmail.Options{})
	full := errors.New("disk full")
	err := smtpout.Send(t.Context(), config(t, s.SMTPAddr()), []smtpout.Envelope{envelope(1, hana), envelope(2, hana)},
		func(smtpout.Outcome) error { return full })
	if !errors.Is(err, full) || len(s.Delivered(hana)) != 1 {
		t.Errorf("Send = %v, %d mails delivered; want the error of done, 1", err, len(s.Delivered(hana)))
	}
}

// When the context ends, the mail in hand is finished, and no other begun.
func TestContextEnds(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	s := start(t, localmail.Options{OnData: func(string, []string, []byte) error {
		cancel()
		<-time.After(50 * time.Millisecond) // A connection that is cut is cut by now.
		return nil
	}})
	var outs []smtpout.Outcome
	err := smtpout.Send(ctx, config(t, s.SMTPAddr()), []smtpout.Envelope{envelope(1, hana), envelope(2, hana)},
		func(o smtpout.Outcome) error { outs = append(outs, o); return nil })
	if !errors.Is(err, context.Canceled) || short(outs) != "1 accepted 250" {
		t.Errorf("Send = %v with %s; want context canceled and mail 1 accepted", err, short(outs))
	}
}

// A context that has ended breaks off the way to a connection.
func TestContextEndsWhileConnecting(t *testing.T) {
	t.Parallel()
	s := startBad(t, at(1, "", "stall"))
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer cancel()
	err := smtpout.Send(ctx, open(t, s.addr()), []smtpout.Envelope{envelope(1, hana)}, func(o smtpout.Outcome) error {
		t.Errorf("outcome %+v", o)
		return nil
	})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Send = %v; want the deadline", err)
	}
}

func TestProtectedConnections(t *testing.T) {
	for _, tt := range []struct {
		name     string
		offered  localmail.TLS
		security smtpout.Security
	}{
		{"tls", localmail.TLSImplicit, smtpout.SecurityTLS},
		{"starttls", localmail.TLSRequired, smtpout.SecurityStartTLS},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := start(t, localmail.Options{TLS: tt.offered, MaxSize: 1 << 20})
			c := config(t, s.SMTPAddr())
			c.Security, c.TLS = tt.security, s.ClientTLS()
			r, err := smtpout.Probe(t.Context(), c)
			if err != nil || r.TLS != "TLS 1.3" || r.MaxSize != 1<<20 || strings.Join(r.Auth, " ") != "PLAIN" || len(r.Notes) != 0 {
				t.Errorf("Probe = %+v, %v; want TLS 1.3, 1 MiB, PLAIN", r, err)
			}
			if outs, err := send(t, c, envelope(1, hana), envelope(2, taro)); err != nil || short(outs) != "1 accepted 250, 2 accepted 250" {
				t.Errorf("got %s, %v", short(outs), err)
			}
		})
	}
}

// A server that has only LOGIN gets user and password that way.
func TestLoginFallback(t *testing.T) {
	t.Parallel()
	asked := 0
	s := startBad(t, func(_ int, line string) string {
		switch {
		case line == "AUTH LOGIN":
			return "334 VXNlcm5hbWU6"
		case line == "c2hvZ2lAZXhhbXBsZS5vcmc=":
			return "334 UGFzc3dvcmQ6"
		case line == "dG9raW4=":
			asked++
			return "235 welcome"
		}
		return ""
	}, "AUTH LOGIN")
	if outs, err := send(t, config(t, s.addr()), envelope(1, hana)); err != nil || short(outs) != "1 accepted 250" || asked != 1 {
		t.Errorf("got %s, %v; client said\n%s", short(outs), err, s.said())
	}
}

// Every way to get it wrong is told in words that say what to mend, and blocks the queue.
func TestProblems(t *testing.T) {
	plain := start(t, localmail.Options{})
	secure := start(t, localmail.Options{TLS: localmail.TLSImplicit})
	needsTLS := start(t, localmail.Options{TLS: localmail.TLSRequired})
	noAuth := startBad(t, at(0, "", ""))
	onlyCRAM := startBad(t, at(0, "", ""), "AUTH CRAM-MD5")
	busy := startBad(t, at(9, "AUTH", "454 4.7.0 later"), "AUTH PLAIN")
	mute := startBad(t, at(9, "STARTTLS", "stall"), "STARTTLS")
	nobody, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	nobody.Close()
	tests := []struct {
		name    string
		change  func(c *smtpout.Config)
		problem smtpout.Problem
		text    string
	}{
		{"no port", func(c *smtpout.Config) { c.Addr = "smtp.example.org" }, smtpout.Misconfigured, "host:port"},
		{"plain text abroad", func(c *smtpout.Config) { c.Addr = "192.0.2.1:25" }, smtpout.Misconfigured, "plain text to another machine"},
		{"unknown security", func(c *smtpout.Config) { c.Security = "ssl" }, smtpout.Misconfigured, `security is "ssl"`},
		{"nobody there", func(c *smtpout.Config) { c.Addr = nobody.Addr().String() }, smtpout.Unreachable, "cannot connect"},
		{"TLS to plain", func(c *smtpout.Config) { c.Security = smtpout.SecurityTLS }, smtpout.BadTLS, `is security = "starttls" meant?`},
		{"STARTTLS to none", func(c *smtpout.Config) { c.Security = smtpout.SecurityStartTLS }, smtpout.BadTLS, `is security = "tls" (port 465) meant?`},
		{"STARTTLS to silent", func(c *smtpout.Config) {
			c.Security, c.Addr, c.Timeout = smtpout.SecurityStartTLS, mute.addr(), 250*time.Millisecond
		}, smtpout.Silent, "no answer within 250ms"},
		{"unknown certificate", func(c *smtpout.Config) { c.Security, c.Addr = smtpout.SecurityTLS, secure.SMTPAddr() }, smtpout.BadTLS, "certificate is not to be trusted"},
		{"unknown certificate, STARTTLS", func(c *smtpout.Config) { c.Security, c.Addr = smtpout.SecurityStartTLS, needsTLS.SMTPAddr() }, smtpout.BadTLS, "certificate is not to be trusted"},
		{"other name", func(c *smtpout.Config) {
			c.Security, c.Addr, c.TLS = smtpout.SecurityTLS, secure.SMTPAddr(), secure.ClientTLS()
			c.TLS.ServerName = "smtp.example.net"
		}, smtpout.BadTLS, "certificate is for another name"},
		{"needs TLS", func(c *smtpout.Config) { c.Addr = needsTLS.SMTPAddr() }, smtpout.Misconfigured, "takes no password on this connection"},
		{"no AUTH", func(c *smtpout.Config) { c.Addr = noAuth.addr() }, smtpout.Misconfigured, "takes no password on this connection"},
		{"other AUTH", func(c *smtpout.Config) { c.Addr = onlyCRAM.addr() }, smtpout.Misconfigured, "only CRAM-MD5"},
		{"busy", func(c *smtpout.Config) { c.Addr = busy.addr() }, smtpout.TurnedAway, "cannot log in user"},
		{"wrong password", func(c *smtpout.Config) { c.Password = "hisha" }, smtpout.WrongPassword, `the server refused user "shogi@example.org": wrong user name or password?`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := config(t, plain.SMTPAddr())
			tt.change(&c)
			_, err := smtpout.Probe(t.Context(), c)
			if problemOf(err) != int(tt.problem) || !strings.Contains(err.Error(), tt.text) {
				t.Fatalf("Probe = %v; want problem %d with %q", err, tt.problem, tt.text)
			}
			if !strings.HasPrefix(err.Error(), c.Addr+": ") || strings.Contains(err.Error(), c.Password) {
				t.Errorf("%q: want it to begin with the address, and no password in it", err)
			}
			outs, err := send(t, c, envelope(1, hana), envelope(2, hana))
			if problemOf(err) != int(tt.problem) {
				t.Errorf("Send = %v; want problem %d", err, tt.problem)
			}
			if tt.problem != smtpout.Misconfigured && (len(outs) != 1 || outs[0].Status != smtpout.Blocked) {
				t.Errorf("outcomes %+v; want the first mail blocked", outs)
			}
		})
	}
}
