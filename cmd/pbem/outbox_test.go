package main

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pbem/internal/localmail"
	"pbem/store"
)

// queue puts mails into the database beside the settings at path, and returns when.
func queue(t *testing.T, path string, to ...string) time.Time {
	t.Helper()
	st := openDatabase(t, path)
	defer st.Close()
	queued := time.Now()
	err := st.Update(func(tx *store.Tx) error {
		for _, addr := range to {
			_, err := tx.Queue(store.Outgoing{From: testAddress, To: addr, MessageID: "m@example.org",
				Data: []byte("From: " + testAddress + "\r\nTo: " + addr + "\r\nSubject: [Shogi #1] your move\r\n\r\nP-7f\r\n"), Queued: queued})
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return queued
}

func openDatabase(t *testing.T, path string) *store.Store {
	t.Helper()
	st, err := store.Open(filepath.Join(filepath.Dir(path), "pbem.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return st
}

func TestOutboxFlush(t *testing.T) {
	t.Parallel()
	s := startMail(t, localmail.Options{OnRcpt: func(_, to string) error {
		switch to {
		case "full@example.org":
			return localmail.Reply(452, "mailbox full")
		case "gone@example.org":
			return localmail.Reply(550, "no such user")
		}
		return nil
	}})
	path := writeSettings(t, s.IMAPAddr(), s.SMTPAddr(), "none")
	since := minute(queue(t, path, "hana@example.org", "full@example.org", "gone@example.org"))
	got := pbem(within(t), "", "outbox", "--flush", "--config", path)
	const want = `    1  hana@example.org  sent
    2  full@example.org  not taken yet: 452 4.0.0 mailbox full
    3  gone@example.org  given up: 550 5.0.0 no such user
1 mail was sent. 1 mail was given up. 1 mail waits still.
`
	if got.code != failed || got.stdout != want || !strings.HasSuffix(got.stderr, "pbem: not all mails were sent\n") {
		t.Errorf("exit code %d; printed\n%s%s\nwant\n%s", got.code, got.stdout, got.stderr, want)
	}
	if n := len(s.Delivered("hana@example.org")); n != 1 {
		t.Errorf("hana got %d mails, want 1", n)
	}

	got = pbem(within(t), "", "outbox", "--config", path)
	for _, want := range []string{
		"1 mail waits in the outbox.\n\n    2  full@example.org  [Shogi #1] your move\n       since " + since + ", tried once, next after ",
		"\n       last error: 452 4.0.0 mailbox full\n",
		"\n\n1 mail was given up.\n\n    3  gone@example.org  [Shogi #1] your move\n       since " + since + ", tried once, given up at ",
	} {
		if got.code != done || !strings.Contains(got.stdout, want) {
			t.Errorf("exit code %d; the list lacks %q:\n%s", got.code, want, got.stdout)
		}
	}
}

func TestOutboxFlushAll(t *testing.T) {
	t.Parallel()
	s := startMail(t, localmail.Options{})
	path := writeSettings(t, s.IMAPAddr(), s.SMTPAddr(), "none")
	queue(t, path, "hana@example.org", "hana@example.org")
	got := pbem(within(t), "", "outbox", "--flush", "--config", path)
	if got.code != done || !strings.HasSuffix(got.stdout, "\n2 mails were sent.\n") {
		t.Errorf("exit code %d; printed\n%s%s", got.code, got.stdout, got.stderr)
	}
	got = pbem(within(t), "", "outbox", "--flush", "--config", path)
	if got.code != done || got.stdout != "No mail was sent.\n" {
		t.Errorf("exit code %d of an empty outbox; printed\n%s%s", got.code, got.stdout, got.stderr)
	}
}

// A wrong password costs no mail an attempt.
func TestOutboxFlushWrongPassword(t *testing.T) {
	t.Parallel()
	s := startMail(t, localmail.Options{})
	path := writeSettings(t, s.IMAPAddr(), s.SMTPAddr(), "none")
	write(t, filepath.Join(filepath.Dir(path), "mail-password"), "wrong\n")
	queue(t, path, "hana@example.org")
	got := pbem(within(t), "", "outbox", "--flush", "--config", path)
	if got.code != failed || got.stdout != "    1  hana@example.org  not tried\nNo mail was sent. 1 mail waits still.\n" ||
		!strings.Contains(got.stderr, "wrong user name or password?") {
		t.Errorf("exit code %d; printed\n%s%s", got.code, got.stdout, got.stderr)
	}
}

// While pbem serve has the database, others say so; a mail server keeps its mail.
func TestDatabaseInUse(t *testing.T) {
	t.Parallel()
	s := startMail(t, localmail.Options{})
	path := writeSettings(t, s.IMAPAddr(), s.SMTPAddr(), "none")
	st := openDatabase(t, path)
	defer st.Close()
	const inUse = "pbem.db: the database is in use by another process: is pbem serve running?\n"
	got := pbem(within(t), "Subject: x\r\n\r\njoin hana\r\n", "deliver", "--wait", "10ms", "--config", path)
	if got.code != tempFail || !strings.Contains(got.stderr, inUse) || !strings.Contains(got.stderr, "set lmtp.listen in "+path) {
		t.Errorf("deliver: exit code %d, want 75\n%s", got.code, got.stderr)
	}
	for _, command := range []string{"outbox", "serve"} {
		got := pbem(within(t), "", command, "--config", path)
		if got.code != failed || !strings.HasSuffix(got.stderr, inUse) {
			t.Errorf("%s: exit code %d, want 1\n%s", command, got.code, got.stderr)
		}
	}
}
