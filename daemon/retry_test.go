package daemon_test

import (
	"errors"
	"testing"
	"time"

	"pbem/daemon"
	"pbem/game"
	"pbem/mailer"
	"pbem/mailer/imapbox"
	"pbem/service"
	"pbem/store"
)

// TestRetry handles a message of the quarantine once the fault is mended: as of
// the time it arrived, and once, however often it comes.
func TestRetry(t *testing.T) {
	w := newWorld(t)
	mail := fetched(1, raw("hana@example.org", "m1@example.org", "join"))
	w.handle = func(mailer.Message, service.State, service.Env) (service.Result, error) { panic("nil map") }
	for range 3 {
		w.daemon.Receive(t.Context(), []imapbox.Fetched{mail})
	}
	aside := func(want int) {
		t.Helper()
		err := w.store.View(func(tx *store.Tx) error {
			list, err := tx.Quarantine()
			if len(list) != want {
				t.Errorf("%d messages set aside, want %d", len(list), want)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
	aside(1)
	if err := w.daemon.Retry(t.Context(), 1); err == nil {
		t.Error("Retry of a message that still fails = nil")
	}
	aside(1)
	if err := w.daemon.Retry(t.Context(), 2); !errors.Is(err, game.ErrNotFound) {
		t.Errorf("Retry of no message = %v, want %v", err, game.ErrNotFound)
	}
	w.handle = w.answer
	w.now = noon.Add(48 * time.Hour)
	// It comes again before it is retried: it is known.
	if err := w.daemon.Receive(t.Context(), []imapbox.Fetched{mail}); err != nil || len(w.handled) != 0 {
		t.Errorf("Receive = %v, %d handled", err, len(w.handled))
	}
	if err := w.daemon.Retry(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	aside(0)
	if len(w.handled) != 1 || !w.handled[0].Received.Equal(mail.Arrived) {
		t.Fatalf("handled: %+v; want one message of %v", w.handled, mail.Arrived)
	}
	if err := w.daemon.Retry(t.Context(), 1); !errors.Is(err, game.ErrNotFound) {
		t.Errorf("Retry again = %v, want %v", err, game.ErrNotFound)
	}
	mail.UID, mail.Through = 2, 2
	if err := w.daemon.Receive(t.Context(), []imapbox.Fetched{mail}); err != nil || len(w.handled) != 1 {
		t.Errorf("Receive of a copy = %v, %d handled", err, len(w.handled))
	}
}

// TestKeepRaw keeps what is handled, once, until its time is over.
func TestKeepRaw(t *testing.T) {
	w := newWorld(t)
	now := noon
	d := daemon.New(daemon.Parts{
		Store:   w.store,
		Env:     func(now time.Time) service.Env { return service.Env{Now: now} },
		Handle:  w.answer,
		Tick:    w.tick,
		Send:    w.send,
		KeepRaw: 24 * time.Hour,
		Clock:   func() time.Time { return now },
	})
	mails := []imapbox.Fetched{
		fetched(1, raw("hana@example.org", "m1@example.org", "P-7f")),
		fetched(2, raw("hana@example.org", "m2@example.org", "P-2f")),
	}
	mails[1].Arrived = noon.Add(-23 * time.Hour)
	kept := func(want ...imapbox.Fetched) {
		t.Helper()
		n := 0
		err := w.store.View(func(tx *store.Tx) error {
			return tx.Raws(time.Time{}, func(arrived time.Time, raw []byte) error {
				if n < len(want) && (string(raw) != string(want[n].Raw) || !arrived.Equal(want[n].Arrived)) {
					t.Errorf("mail %d kept: %v %q", n, arrived, raw)
				}
				n++
				return nil
			})
		})
		if err != nil || n != len(want) {
			t.Errorf("%d mails kept, %v; want %d", n, err, len(want))
		}
	}
	for range 2 {
		if err := d.Receive(t.Context(), mails); err != nil {
			t.Fatal(err)
		}
	}
	kept(mails[1], mails[0])
	for _, after := range []struct {
		wait time.Duration
		want []imapbox.Fetched
	}{{0, []imapbox.Fetched{mails[1], mails[0]}}, {2 * time.Hour, mails[:1]}, {25 * time.Hour, nil}} {
		now = noon.Add(after.wait)
		if err := d.Tick(t.Context()); err != nil {
			t.Fatal(err)
		}
		kept(after.want...)
	}
}
