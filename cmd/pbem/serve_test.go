package main

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/emersion/go-smtp"

	"pbem/internal/localmail"
)

// A newcomer joins, confirms, and is told that he is in; then the service is told to stop.
func TestServePlays(t *testing.T) {
	t.Parallel()
	s := startMail(t, localmail.Options{})
	path := writeSettings(t, s.IMAPAddr(), s.SMTPAddr(), "none")
	ctx := within(t)
	serving, stop := context.WithCancel(ctx)
	ended := make(chan outcome, 1)
	go func() { ended <- pbem(serving, "", "serve", "--config", path) }()

	const hana = "hana@example.org"
	raw, err := compose(hana, testAddress, "hello", "join hana\n", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	sendAs(t, s, hana, testAddress, raw)
	answers, err := s.AwaitDelivered(ctx, hana, 1)
	if err != nil {
		t.Fatal(err)
	}
	confirm, err := readLetter(hana, answers[0])
	if err != nil {
		t.Fatal(err)
	}
	raw, to, err := confirm.reply("yes")
	if err != nil {
		t.Fatal(err)
	}
	sendAs(t, s, hana, to, raw)
	answers, err = s.AwaitDelivered(ctx, hana, 2)
	if err != nil {
		t.Fatal(err)
	}
	if text := string(answers[1]); !strings.Contains(text, "hana") || !strings.Contains(text, "Subject: [Shogi] welcome") {
		t.Errorf("the second answer is no welcome:\n%s", text)
	}

	stop()
	got := <-ended
	if got.code != done || got.stdout != "" {
		t.Errorf("serve ended with %d and printed %q; want 0 and nothing\n%s", got.code, got.stdout, got.stderr)
	}
	for _, want := range []string{"msg=serving", `msg="message handled"`, "msg=stopped"} {
		if !strings.Contains(got.stderr, want) {
			t.Errorf("no %s in the log:\n%s", want, got.stderr)
		}
	}
	for _, secret := range []string{testPassword, hana} {
		if strings.Contains(got.stderr, secret) {
			t.Errorf("%s stands in the log:\n%s", secret, got.stderr)
		}
	}
	info, err := os.Stat(filepath.Join(filepath.Dir(path), "pbem.secret"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the secret: %v, %v; want mode 0600", info, err)
	}
}

// sendAs hands a mail to the SMTP server as one of its users.
func sendAs(t *testing.T, s *localmail.Server, from, to string, raw []byte) {
	t.Helper()
	if err := sendWith(t.Context(), s.SMTPAddr(), testPassword, from, to, raw); err != nil {
		t.Fatal(err)
	}
}

// Without IMAP, mail comes by LMTP.
func TestServeLMTP(t *testing.T) {
	t.Parallel()
	s := startMail(t, localmail.Options{})
	socket := filepath.Join(t.TempDir(), "lmtp.sock")
	path := writeSettings(t, "", s.SMTPAddr(), "none", `lmtp: listen = "unix:`+socket+`"`)
	ctx := within(t)
	serving, stop := context.WithCancel(ctx)
	ended := make(chan outcome, 1)
	go func() { ended <- pbem(serving, "", "serve", "--config", path) }()

	conn := dialSocket(t, ctx, socket)
	c := smtp.NewClientLMTP(conn)
	defer c.Close()
	raw, err := compose("hana@example.org", testAddress, "hello", "join hana\n", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.SendMail("hana@example.org", []string{testAddress}, strings.NewReader(string(raw))); err != nil {
		t.Fatal(err)
	}
	if _, err := s.AwaitDelivered(ctx, "hana@example.org", 1); err != nil {
		t.Error(err)
	}
	stop()
	if got := <-ended; got.code != done {
		t.Errorf("serve ended with %d\n%s", got.code, got.stderr)
	}
}

// dialSocket connects as soon as somebody listens.
func dialSocket(t *testing.T, ctx context.Context, path string) net.Conn {
	t.Helper()
	for {
		conn, err := net.Dial("unix", path)
		if err == nil {
			return conn
		}
		if ctx.Err() != nil {
			t.Fatal(err)
		}
	}
}

func TestServeCannotStart(t *testing.T) {
	t.Parallel()
	s := startMail(t, localmail.Options{})
	ctx := within(t)
	refused := func(path string, want ...string) {
		t.Helper()
		got := pbem(ctx, "", "serve", "--config", path)
		if got.code != failed {
			t.Errorf("exit code %d, want 1", got.code)
		}
		for _, w := range want {
			if !strings.Contains(got.stderr, w) {
				t.Errorf("stderr has no %q:\n%s", w, got.stderr)
			}
		}
	}

	refused(filepath.Join(t.TempDir(), "none.toml"), "there are no settings at", "pbem init")

	path := writeSettings(t, s.IMAPAddr(), s.SMTPAddr(), "none", `imap: mailbx = "INBOX"`, `limits: games = 0`)
	refused(path, "unknown key imap.mailbx; did you mean imap.mailbox?", "limits.games: 0 is too small")

	path = writeSettings(t, s.IMAPAddr(), s.SMTPAddr(), "none")
	write(t, filepath.Join(filepath.Dir(path), "pbem.db"), strings.Repeat("no database ", 1000))
	refused(path, "not a pbem database")

	path = writeSettings(t, s.IMAPAddr(), s.SMTPAddr(), "none")
	write(t, filepath.Join(filepath.Dir(path), "pbem.secret"), "short\n")
	refused(path, "does not hold 64 hexadecimal digits")

	path = writeSettings(t, s.IMAPAddr(), s.SMTPAddr(), "none", `lmtp: listen = "`+s.SMTPAddr()+`"`)
	refused(path, "address already in use", "lmtp.listen")
}

// One part that ends by itself ends the others.
func TestRunAll(t *testing.T) {
	t.Parallel()
	waits := part{"daemon", func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }}
	ends := part{"IMAP", func(context.Context) error { return os.ErrClosed }}
	if err := runAll(t.Context(), []part{waits, ends}); err == nil || err.Error() != "IMAP ended by itself: file already closed" {
		t.Errorf("runAll = %v", err)
	}
	ends.run = func(context.Context) error { return nil }
	if err := runAll(t.Context(), []part{waits, ends}); err == nil || err.Error() != "IMAP ended by itself" {
		t.Errorf("runAll = %v", err)
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if err := runAll(stopped, []part{waits, waits}); err != nil {
		t.Errorf("runAll when told to stop = %v", err)
	}
}
