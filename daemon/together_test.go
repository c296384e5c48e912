package daemon_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"

	"pbem/mailer"
	"pbem/mailer/imapbox"
	"pbem/player"
	"pbem/service"
	"pbem/store"
)

// joining is a service in which each message makes its sender a player, and
// which reports how many players it sees.
func (w *world) joining() {
	w.handle = func(m mailer.Message, st service.State, env service.Env) (service.Result, error) {
		r, err := w.answer(m, st, env)
		id, err2 := st.NextPlayer()
		r.Players = []player.Player{{ID: id, Name: fmt.Sprintf("player%d", id), Addresses: []string{m.From.Addr}}}
		return r, errors.Join(err, err2)
	}
}

func batchOf(n int) []imapbox.Fetched {
	batch := make([]imapbox.Fetched, n)
	for i := range batch {
		uid := uint32(i + 1)
		batch[i] = fetched(uid, raw(fmt.Sprintf("p%d@example.org", uid), fmt.Sprintf("m%d@x", uid), "join"))
	}
	return batch
}

// committed is how many mails wait in the outbox outside of any transaction
// that is still going on.
func (w *world) committed() (n int) {
	w.view(func(tx *store.Tx) error {
		out, err := tx.Waiting()
		n = len(out)
		return err
	})
	return n
}

// TestTogether: what one fetch brings is one transaction, and each message
// sees what those before it have done.
func TestTogether(t *testing.T) {
	w := newWorld(t)
	w.joining()
	joining := w.handle
	w.handle = func(m mailer.Message, st service.State, env service.Env) (service.Result, error) {
		if n := w.committed(); n != 0 {
			t.Errorf("%d mails committed before %s is handled, want none", n, m.MessageID)
		}
		return joining(m, st, env)
	}
	w.mustReceive(batchOf(40)...)
	w.expect(40, 40, 0, 40)
	w.view(func(tx *store.Tx) error {
		names, err := tx.Names()
		if len(names) != 40 {
			t.Errorf("%d players, want 40", len(names))
		}
		return err
	})
}

// TestTogetherTrouble: one message of many fails, whichever way and wherever
// it stands; all others are handled, once.
func TestTogetherTrouble(t *testing.T) {
	ways := map[string]func() error{
		"a panic":     func() error { panic("nil board") },
		"an error":    func() error { return errors.New("game #17: unexpected end of JSON input") },
		"no such way": func() error { return nil }, // the store refuses what it made
	}
	for name, how := range ways {
		for _, at := range []uint32{1, 2, 19, 20} {
			t.Run(fmt.Sprint(name, " ", at), func(t *testing.T) {
				w := newWorld(t)
				w.joining()
				joining, bad := w.handle, fmt.Sprintf("m%d@x", at)
				w.handle = func(m mailer.Message, st service.State, env service.Env) (service.Result, error) {
					r, err := joining(m, st, env)
					if m.MessageID == bad {
						w.handled = w.handled[:len(w.handled)-1]
						r.Players = append(r.Players, player.Player{Name: "no number"})
						err = how()
					}
					return r, err
				}
				batch := batchOf(20)
				for range 2 {
					if err := w.receive(batch...); err == nil {
						t.Error("Receive = nil, want an error")
					}
					w.expect(19, 19, 0, at-1)
				}
				w.mustReceive(batch...)
				w.expect(19, 19, 1, 20)
			})
		}
	}
}

// TestTogetherKilled: a message that takes the process with it is found among
// many, at the third time, and no other is blamed for it.
func TestTogetherKilled(t *testing.T) {
	w := newWorld(t)
	batch := batchOf(20)
	batch[11] = fetched(12, raw(hana, "bad@x", "P-7f"))
	for range 3 {
		w.killed(batch)
	}
	w.restart()
	w.mustReceive(batch...)
	w.expect(19, 19, 1, 20)
	w.view(func(tx *store.Tx) error {
		list, err := tx.Quarantine()
		if len(list) == 1 && (list[0].UID != 12 || list[0].Attempts != 3) {
			t.Errorf("set aside: %+v, want UID 12 after 3 attempts", list[0])
		}
		return err
	})
}

// TestTogetherStopped: when the daemon is to end, what is decided of a batch
// is kept, and the rest is offered again.
func TestTogetherStopped(t *testing.T) {
	w := newWorld(t)
	ctx, cancel := context.WithCancel(t.Context())
	w.handle = func(m mailer.Message, st service.State, env service.Env) (service.Result, error) {
		if m.MessageID == "m7@x" {
			cancel()
		}
		return w.answer(m, st, env)
	}
	if err := w.daemon.Receive(ctx, batchOf(20)); !errors.Is(err, context.Canceled) {
		t.Errorf("Receive = %v, want %v", err, context.Canceled)
	}
	w.expect(7, 7, 0, 7)
	w.restart()
	w.mustReceive(batchOf(20)...)
	w.expect(20, 20, 0, 20)
}

// TestTogetherFailedAndStopped: a message that fails among others has failed
// also if the daemon is to end before it is come to by itself.
func TestTogetherFailedAndStopped(t *testing.T) {
	w := newWorld(t)
	tries, stop := 0, func() {}
	w.handle = func(m mailer.Message, st service.State, env service.Env) (service.Result, error) {
		if m.MessageID == "m20@x" {
			tries++
			stop()
			panic("nil board")
		}
		return w.answer(m, st, env)
	}
	for range 3 {
		ctx, cancel := context.WithCancel(t.Context())
		stop = cancel
		w.daemon.Receive(ctx, batchOf(20)) // Whether it failed or was stopped: what counts is below.
		w.restart()
	}
	w.expect(19, 19, 1, 20)
	if tries != 3 {
		t.Errorf("tried %d times, want 3", tries)
	}
}

// TestTogetherFull: a disk too full for all of a batch takes as many as it can.
func TestTogetherFull(t *testing.T) {
	w := newWorld(t)
	w.handle = func(m mailer.Message, _ service.State, _ service.Env) (service.Result, error) {
		w.handled = append(w.handled, m)
		p := player.Player{ID: player.ID(len(w.handled)), Name: m.MessageID, Addresses: []string{m.From.Addr + strings.Repeat("x", maxSize/8)}}
		return service.Result{Players: []player.Player{p}}, nil
	}
	if err := w.receive(batchOf(20)...); err == nil || !strings.Contains(err.Error(), "commit") {
		t.Fatalf("Receive = %v; want a failed commit", err)
	}
	w.view(func(tx *store.Tx) error {
		names, err := tx.Names()
		c, err2 := tx.Cursor("INBOX")
		if len(names) == 0 || len(names) == 20 || int(c.UID) != len(names) {
			t.Errorf("%d players and the cursor at %d, want some, and as many", len(names), c.UID)
		}
		return errors.Join(err, err2)
	})
}

// TestDeliverTogether: messages brought at the same time are handled, each
// once, and each bringer hears of his own.
func TestDeliverTogether(t *testing.T) {
	w := newWorld(t)
	const n = 30
	entered, release := make(chan struct{}), make(chan struct{})
	first := true
	w.handle = func(m mailer.Message, st service.State, env service.Env) (service.Result, error) {
		if first {
			first = false
			close(entered)
			<-release
		}
		if m.MessageID == "bad@x" {
			panic("nil board")
		}
		return w.answer(m, st, env)
	}
	deliver := func(id string) error {
		return w.daemon.Deliver(t.Context(), hana, nil, raw(hana, id, "join"))
	}
	var all sync.WaitGroup
	all.Go(func() {
		if err := deliver("m0@x"); err != nil {
			t.Errorf("Deliver = %v", err)
		}
	})
	<-entered
	for i := 1; i < n; i++ {
		all.Go(func() {
			id := fmt.Sprintf("m%d@x", i)
			if i == n/2 {
				id = "bad@x"
			}
			if err := deliver(id); (err == nil) == (id == "bad@x") {
				t.Errorf("Deliver of %s = %v", id, err)
			}
		})
	}
	for w.daemon.Brought() < n-1 {
		runtime.Gosched()
	}
	close(release)
	all.Wait()
	w.expect(n-1, n-1, 0, 0)
}
