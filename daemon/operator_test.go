package daemon_test

import (
	"strings"
	"testing"
	"time"

	"pbem/mailer/smtpout"
	"pbem/store"
)

const boss = "boss@example.net"

// TestOperatorIsTold: of what was set aside or given up the operator is told
// once a day at most, all in one mail, and never of a mail to the operator.
func TestOperatorIsTold(t *testing.T) {
	w := newWorld(t)
	w.set.Operator, w.set.Address, w.set.Name = boss, "shogi@example.org", "Shogi by mail"
	var told []string
	w.reply = func(e smtpout.Envelope) smtpout.Outcome {
		if e.To == boss {
			told = append(told, string(e.Data))
		}
		return smtpout.Outcome{ID: e.ID, Status: smtpout.Permanent, Code: 550} // those to the operator too
	}
	pass := func(d time.Duration) {
		t.Helper()
		for end := w.now.Add(d); w.now.Before(end); {
			w.now = w.now.Add(5 * time.Minute)
			if err := w.daemon.Tick(t.Context()); err != nil {
				t.Fatal(err)
			}
			if err := w.daemon.Drain(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
	expect := func(n int, parts ...string) {
		t.Helper()
		if len(told) != n {
			t.Fatalf("the operator has %d mails, want %d:\n%s", len(told), n, strings.Join(told, "\n"))
		}
		for _, part := range parts {
			if n > 0 && !strings.Contains(told[n-1], part) {
				t.Errorf("mail %d to the operator lacks %q:\n%s", n, part, told[n-1])
			}
		}
	}
	pass(2 * time.Hour)
	expect(0)
	w.queue(2)
	pass(time.Hour)
	expect(1, "2 that could not be delivered", "To: <"+boss+">", "Auto-Submitted: auto-generated")
	w.aside(3)
	pass(22 * time.Hour)
	expect(1)
	pass(3 * time.Hour)
	expect(2, "3 that could not be handled", "Since Sun 1 March")
	pass(5 * 24 * time.Hour)
	expect(2)
}

// TestNoOperator: without an operator nobody is written to.
func TestNoOperator(t *testing.T) {
	w := newWorld(t)
	w.aside(1)
	if err := w.daemon.Tick(t.Context()); err != nil {
		t.Fatal(err)
	}
	if waiting, _ := w.outbox(); len(waiting) != 0 {
		t.Errorf("%d mails wait; want none", len(waiting))
	}
}

// aside sets n messages aside.
func (w *world) aside(n int) {
	w.t.Helper()
	err := w.store.Update(func(tx *store.Tx) error {
		for range n {
			if _, err := tx.SetAside(store.SetAside{Arrived: w.now, At: w.now, Attempts: 3, Cause: "panic"}, []byte("x")); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		w.t.Fatal(err)
	}
}
