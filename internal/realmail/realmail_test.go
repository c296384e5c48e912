package realmail_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"

	"pbem/internal/realmail"
)

const soon = 30 * time.Second // long enough for a busy machine; usual is half a second

func message(to, subject string) []byte {
	return fmt.Appendf(nil, "From: hana@example.test\r\nTo: %s\r\nSubject: %s\r\n\r\nP-7f\r\n", to, subject)
}

// TestRealMail shows what the servers do for their users, and the faults that
// tests may ask of them. One pair of servers serves all of it.
func TestRealMail(t *testing.T) {
	s := realmail.Start(t, realmail.Options{})
	for _, tt := range []struct {
		name string
		test func(*testing.T, *realmail.Servers)
	}{
		{"a mail to a plus address arrives while the account idles", idle},
		{"mail to another domain bounces to its sender or is refused", bounce},
		{"TLS and AUTH", encrypted},
		{"another UIDVALIDITY, even a lower one", uidValidity},
		{"kicked connections break, the next login works", kick},
		{"a frozen session says nothing until it thaws", freeze},
		{"mail sent in an outage arrives after it", outage},
	} {
		t.Run(tt.name, func(t *testing.T) { tt.test(t, s) })
	}
}

func idle(t *testing.T, s *realmail.Servers) {
	news := make(chan uint32, 10)
	c := login(t, s, "shogi", news)
	if _, err := c.Select("INBOX", nil).Wait(); err != nil {
		t.Fatal(err)
	}
	idling, err := c.Idle()
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	to := "shogi+g17-2-k7f3q9zt2m@example.test"
	if err := s.Send("hana@example.test", []string{to}, message(to, "idle")); err != nil {
		t.Fatal(err)
	}
	select {
	case n := <-news:
		t.Logf("%d in the INBOX %v after it was sent", n, time.Since(began).Round(time.Millisecond))
	case <-time.After(soon):
		t.Fatal("IDLE: no word of the mail")
	}
	if err := errors.Join(idling.Close(), idling.Wait()); err != nil {
		t.Errorf("leave IDLE: %v", err)
	}
	messages := await(t, s, "shogi@example.test", 1)
	for _, want := range []string{"To: " + to + "\r\n", "Delivered-To: " + to + "\r\n", "P-7f"} {
		if !strings.Contains(messages[0], want) {
			t.Errorf("the mail lacks %q:\n%s", want, messages[0])
		}
	}
}

func bounce(t *testing.T, s *realmail.Servers) {
	if err := s.Send("sender+verp@example.test", []string{"nobody@elsewhere.test"}, message("nobody@elsewhere.test", "away")); err != nil {
		t.Fatal(err)
	}
	var refused *smtp.SMTPError
	err := s.Send("sender@example.test", []string{"nobody@refused.test"}, message("nobody@refused.test", "no"))
	if !errors.As(err, &refused) || refused.Code != 550 {
		t.Errorf("mail to refused.test: %v; want 550", err)
	}
	report := await(t, s, "sender", 1)[0]
	for _, want := range []string{"Return-Path: <>", "Auto-Submitted: auto-replied", "report-type=delivery-status", "Status: 5.1.1"} {
		if !strings.Contains(report, want) {
			t.Errorf("the report lacks %q:\n%s", want, report)
		}
	}
}

func encrypted(t *testing.T, s *realmail.Servers) {
	if ca, err := os.ReadFile(s.CAFile); err != nil || !strings.Contains(string(ca), "BEGIN CERTIFICATE") {
		t.Errorf("CAFile: %q, %v", ca, err)
	}
	o := &imapclient.Options{TLSConfig: s.TLS}
	for name, dial := range map[string]func() (*imapclient.Client, error){
		"IMAP STARTTLS": func() (*imapclient.Client, error) { return imapclient.DialStartTLS(s.IMAPAddr, o) },
		"IMAP TLS":      func() (*imapclient.Client, error) { return imapclient.DialTLS(s.IMAPSAddr, o) },
	} {
		c, err := dial()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if err := c.Login("hana@example.test", s.Password).Wait(); err != nil {
			t.Errorf("%s: log in: %v", name, err)
		}
		var refused *imap.Error
		c.Close()
		if c, err = dial(); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if err := c.Login("hana", "wrong").Wait(); !errors.As(err, &refused) || refused.Code != imap.ResponseCodeAuthenticationFailed {
			t.Errorf("%s: wrong password: %v; want %s", name, err, imap.ResponseCodeAuthenticationFailed)
		}
		c.Close()
	}

	for name, dial := range map[string]func() (*smtp.Client, error){
		"submission with STARTTLS": func() (*smtp.Client, error) { return smtp.DialStartTLS(s.SubmissionAddr, s.TLS) },
		"submission with TLS":      func() (*smtp.Client, error) { return smtp.DialTLS(s.SMTPSAddr, s.TLS) },
	} {
		for password, want := range map[string]bool{s.Password: true, "wrong": false} {
			c, err := dial()
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			err = c.Auth(sasl.NewPlainClient("", "hana@example.test", password))
			if (err == nil) != want {
				t.Errorf("%s: AUTH with password %s: %v", name, password, err)
			}
			if want {
				err := c.SendMail("hana@example.test", []string{"taro@example.test"}, strings.NewReader("Subject: "+name+"\r\n\r\n"))
				if err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}
			c.Close()
		}
	}
	for name, dial := range map[string]func() (*smtp.Client, error){
		"submission with TLS": func() (*smtp.Client, error) { return smtp.DialTLS(s.SMTPSAddr, s.TLS) },
		"submission in clear": func() (*smtp.Client, error) { return smtp.Dial(s.SubmissionAddr) },
		"SMTP with STARTTLS":  func() (*smtp.Client, error) { return smtp.DialStartTLS(s.SMTPAddr, s.TLS) },
	} {
		c, err := dial()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		err = c.SendMail("hana@example.test", []string{"shinji@example.test"}, strings.NewReader("Subject: "+name+"\r\n\r\n"))
		if taken, want := err == nil, name == "SMTP with STARTTLS"; taken != want {
			t.Errorf("%s: without AUTH: %v", name, err)
		}
		c.Close()
	}
	await(t, s, "taro", 2)
}

func uidValidity(t *testing.T, s *realmail.Servers) {
	if err := s.Deliver("hana@example.test", []string{"uids@example.test"}, message("uids@example.test", "uid")); err != nil {
		t.Fatal(err)
	}
	for _, want := range []uint32{4_000_000_000, 7} {
		if err := s.SetUIDValidity("uids@example.test", want); err != nil {
			t.Fatal(err)
		}
		box, err := login(t, s, "uids", nil).Select("INBOX", nil).Wait()
		if err != nil {
			t.Fatal(err)
		}
		if box.UIDValidity != want || box.NumMessages != 1 {
			t.Errorf("after SetUIDValidity(%d): UIDVALIDITY %d, %d messages; want 1", want, box.UIDValidity, box.NumMessages)
		}
	}
}

func kick(t *testing.T, s *realmail.Servers) {
	c := login(t, s, "kicked", nil)
	other := login(t, s, "other", nil)
	if err := s.Kick("kicked@example.test"); err != nil {
		t.Fatal(err)
	}
	select {
	case <-c.Closed():
	case <-time.After(soon):
		t.Error("the connection still stands")
	}
	if err := other.Noop().Wait(); err != nil {
		t.Errorf("another account's connection: %v", err)
	}
	login(t, s, "kicked", nil)
}

func freeze(t *testing.T, s *realmail.Servers) {
	c := login(t, s, "frozen", nil)
	if err := s.Freeze("frozen@example.test"); err != nil {
		t.Fatal(err)
	}
	answered := make(chan error, 1)
	go func() { answered <- c.Noop().Wait() }()
	login(t, s, "frozen", nil) // works, and takes longer than an answer would
	select {
	case err := <-answered:
		t.Errorf("a frozen session answered: %v", err)
	default:
	}
	if err := s.Thaw("frozen"); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-answered:
		if err != nil {
			t.Errorf("after the thaw: %v", err)
		}
	case <-time.After(soon):
		t.Error("no answer after the thaw")
	}
	if err := s.Freeze("nobody"); err == nil {
		t.Error("Freeze of an account without sessions: no error")
	}
}

func outage(t *testing.T, s *realmail.Servers) {
	c := login(t, s, "patient", nil)
	if err := s.Freeze("patient"); err != nil { // must not hinder the stop
		t.Fatal(err)
	}
	if err := s.StopIMAP(); err != nil {
		t.Fatal(err)
	}
	select {
	case <-c.Closed():
	case <-time.After(soon):
		t.Error("the connection outlived the server")
	}
	if conn, err := net.Dial("tcp", s.IMAPAddr); err == nil {
		conn.Close()
		t.Error("IMAP still answers")
	}
	if err := s.Send("hana@example.test", []string{"patient@example.test"}, message("patient@example.test", "outage")); err != nil {
		t.Fatal(err)
	}
	if queue, err := s.Queue(); err != nil || !strings.Contains(queue, "patient@example.test") {
		t.Errorf("queue: %q, %v; want the mail in it", queue, err)
	}
	if err := s.StartIMAP(); err != nil {
		t.Fatal(err)
	}
	await(t, s, "patient", 1)
}

// TestRealMailWithoutPlus shows that Options' lines reach both servers.
func TestRealMailWithoutPlus(t *testing.T) {
	s := realmail.Start(t, realmail.Options{
		Domain:  "plain.test",
		Dovecot: "recipient_delimiter =\nimap_capability = IMAP4rev1 UIDPLUS",
		Postfix: "recipient_delimiter =",
	})
	to := []string{"shogi+tok@plain.test"}
	if err := s.Send("", to, message(to[0], "no plus")); err != nil {
		t.Fatal(err)
	}
	await(t, s, "shogi+tok", 1)
	if messages, err := s.Inbox("shogi"); err != nil || len(messages) != 0 {
		t.Errorf("INBOX of shogi: %d messages, %v; want none", len(messages), err)
	}
	caps, err := login(t, s, "shogi", nil).Capability().Wait()
	if err != nil || caps.Has(imap.CapMove) || caps.Has(imap.CapIdle) || !caps.Has(imap.CapUIDPlus) {
		t.Errorf("capabilities %v, %v; want no MOVE, no IDLE, but UIDPLUS", caps, err)
	}
}

// login opens a session that ends with the test. News of the mailbox's size go
// to the channel, if there is one.
func login(t *testing.T, s *realmail.Servers, account string, news chan<- uint32) *imapclient.Client {
	t.Helper()
	o := &imapclient.Options{UnilateralDataHandler: &imapclient.UnilateralDataHandler{
		Mailbox: func(box *imapclient.UnilateralDataMailbox) {
			if news != nil && box.NumMessages != nil && *box.NumMessages > 0 {
				news <- *box.NumMessages
			}
		},
	}}
	c, err := s.Login(account, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

func await(t *testing.T, s *realmail.Servers, account string, n int) []string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), soon)
	defer cancel()
	messages, err := s.AwaitInbox(ctx, account, n)
	if err != nil {
		t.Fatalf("%v", err)
	}
	if len(messages) != n {
		t.Fatalf("INBOX of %s: %d messages, want %d", account, len(messages), n)
	}
	return messages
}
