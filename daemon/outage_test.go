package daemon_test

import (
	"slices"
	"testing"
	"time"

	"pbem/game"
	"pbem/service"
	"pbem/store"
)

// TestOutage: a long silence between two ticks is an outage, whether the
// process ended or slept; a short one is none, nor is a clock set back.
func TestOutage(t *testing.T) {
	w := newWorld(t)
	tick := func(after time.Duration) {
		t.Helper()
		w.now = w.now.Add(after)
		if err := w.daemon.Tick(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	tick(0)
	for range 30 {
		tick(time.Minute)
	}
	w.restart()
	tick(5 * time.Minute)
	tick(-3 * time.Hour)
	tick(time.Minute)
	var got []game.Outage
	w.view(func(tx *store.Tx) (err error) { got, err = tx.Outages(); return err })
	if len(got) != 0 {
		t.Errorf("outages %v; want none", got)
	}
	w.restart()
	from := w.now
	tick(10 * time.Hour)
	tick(time.Minute)
	w.view(func(tx *store.Tx) (err error) { got, err = tx.Outages(); return err })
	if len(got) != 1 || from.Sub(got[0].From) > 3*time.Minute || from.Before(got[0].From) || !got[0].To.Equal(from.Add(10*time.Hour)) {
		t.Errorf("outages %v; want one from about %v to %v", got, from, from.Add(10*time.Hour))
	}
	w.expectLog("the service was away")
}

// TestReadTo: where mail is fetched, the service hears how far the mailbox has
// been read; where it is handed over, all of it has been read always.
func TestReadTo(t *testing.T) {
	w := newWorld(t)
	var got []time.Time
	w.store.Update(func(tx *store.Tx) error {
		return tx.SaveChallenge(game.Challenge{ID: 1, From: 1, To: 2, Expires: noon})
	})
	w.tick = func(_ service.State, env service.Env) (service.Result, error) {
		got = append(got, env.ReadTo)
		return service.Result{}, nil
	}
	tick := func() {
		t.Helper()
		if err := w.daemon.Tick(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	tick()
	w.fetches = true
	w.restart()
	tick()
	if err := w.daemon.CaughtUp("INBOX", noon.Add(-time.Minute)); err != nil {
		t.Fatal(err)
	}
	tick()
	if want := []time.Time{noon, {}, noon.Add(-time.Minute)}; !slices.EqualFunc(got, want, time.Time.Equal) {
		t.Errorf("read to %v; want %v", got, want)
	}
}
