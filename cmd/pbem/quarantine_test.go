package main

import (
	"strings"
	"testing"
	"time"

	"pbem/store"
)

// aside puts a message in quarantine.
func (d database) aside(raw string) {
	d.t.Helper()
	st, err := store.Open(d.path, store.Options{})
	if err != nil {
		d.t.Fatal(err)
	}
	defer st.Close()
	err = st.Update(func(tx *store.Tx) error {
		_, err := tx.SetAside(store.SetAside{
			Mailbox: "INBOX", UIDValidity: 1, UID: 42, Arrived: time.Now(), At: time.Now(), Attempts: 3, Cause: "panic: \x1b[31mnil map\nstack",
		}, []byte(raw))
		return err
	})
	if err != nil {
		d.t.Fatal(err)
	}
}

const goodMail = "From: hana@example.org\r\nTo: shogi@example.org\r\nMessage-ID: <m1@example.org>\r\nSubject: join\r\n\r\njoin Hana\x1b[2J\r\n"

func TestQuarantine(t *testing.T) {
	t.Parallel()
	d := newDatabase(t)
	d.run(done, "No message is set aside.", "quarantine", "list")
	for _, args := range [][]string{{}, {"lst"}, {"list", "1"}, {"show"}, {"show", "x"}, {"drop", "0"}, {"retry", "1", "2"}} {
		d.run(misuse, "pbem: quarantine: ", "quarantine", args...)
	}
	check := func() {
		t.Helper()
		d.aside(goodMail)
		d.aside("no mail at all")
	}
	check()
	list := d.run(done, "INBOX/42  panic: \ufffd[31mnil map\n", "quarantine", "list").stdout
	if n := strings.Count(list, "\n"); n != 2 {
		t.Errorf("%d lines: %s", n, list)
	}
	show := d.run(done, "From: hana@example.org\n", "quarantine", "show", "1").stdout
	if !strings.Contains(show, "stack") || strings.Contains(show, "\x1b") {
		t.Errorf("show: %q", show)
	}
	d.run(failed, "there is no message 9 in quarantine", "quarantine", "show", "9")
	d.run(failed, "there is no message 9 in quarantine", "quarantine", "retry", "9")
	d.run(failed, "there is no message 9 in quarantine", "quarantine", "drop", "9")
	d.run(done, "message 1 is handled", "quarantine", "retry", "1")
	d.run(done, "1 mail waits", "outbox")
	d.run(failed, "there is no message 1 in quarantine", "quarantine", "retry", "1")
	d.run(done, "message 2 is dropped", "quarantine", "drop", "2")
	d.run(done, "No message is set aside.", "quarantine", "list")
	d.run(done, "nothing is wrong", "fsck")
}

// TestQuarantineWhileServing does the same through the running service.
func TestQuarantineWhileServing(t *testing.T) {
	t.Parallel()
	d := newDatabase(t)
	d.aside(goodMail)
	d.aside(goodMail)
	_, stop := d.serve()
	d.run(done, "INBOX/42", "quarantine", "list")
	d.run(done, "Subject: join\n", "quarantine", "show", "1")
	d.run(done, "message 1 is handled", "quarantine", "retry", "1")
	d.run(failed, "there is no message 1 in quarantine", "quarantine", "show", "1")
	d.run(done, "message 2 is dropped", "quarantine", "drop", "2")
	d.run(done, "No message is set aside.", "quarantine", "list")
	stop()
	d.run(done, "1 mail waits", "outbox")
}
