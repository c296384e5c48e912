package daemon_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pbem/game"
	"pbem/mailer/smtpout"
	"pbem/player"
	"pbem/service"
	"pbem/store"
)

// queue puts n mails in the outbox.
func (w *world) queue(n int) {
	w.t.Helper()
	err := w.store.Update(func(tx *store.Tx) error {
		for i := range n {
			_, err := tx.Queue(store.Outgoing{
				From: "shogi@example.org", To: hana, MessageID: fmt.Sprintf("m%d@x", i+1),
				Data: []byte("hello"), Player: 1, Game: 17, Queued: w.now,
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) outbox() (waiting, failed []store.Outgoing) {
	w.t.Helper()
	w.view(func(tx *store.Tx) (err error) {
		if waiting, err = tx.Waiting(); err != nil {
			return err
		}
		failed, err = tx.Failed()
		return err
	})
	return waiting, failed
}

func TestDrain(t *testing.T) {
	w := newWorld(t)
	w.queue(250)
	if err := w.daemon.Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(w.sent) != 250 || w.sent[0].From != "shogi@example.org" || w.sent[0].To != hana || string(w.sent[0].Data) != "hello" {
		t.Errorf("%d mails sent, the first %+v; want 250", len(w.sent), w.sent[0])
	}
	if waiting, failed := w.outbox(); len(waiting)+len(failed) != 0 {
		t.Errorf("%d mails wait, %d have failed; want none", len(waiting), len(failed))
	}
	if err := w.daemon.Drain(t.Context()); err != nil || w.tries != 250 {
		t.Errorf("Drain of an empty outbox = %v after %d tries", err, w.tries)
	}
}

func TestAnswerLeavesAfterCommit(t *testing.T) {
	w := newWorld(t)
	w.mustReceive(fetched(1, raw(hana, "m1@x", "P-7f")))
	if len(w.sent) != 0 {
		t.Error("a mail was sent while a message was received")
	}
	if err := w.daemon.Drain(t.Context()); err != nil || len(w.sent) != 1 {
		t.Fatalf("Drain = %v, %d mails sent; want 1", err, len(w.sent))
	}
	if data := string(w.sent[0].Data); !strings.Contains(data, "<answer-1@example.org>") {
		t.Errorf("sent:\n%s\nwant the Message-ID it was queued with", data)
	}
}

// TestCrashAfterAccepted: the server has the mail, we do not know: the same
// bytes go out again.
func TestCrashAfterAccepted(t *testing.T) {
	w := newWorld(t)
	w.mustReceive(fetched(1, raw(hana, "m1@x", "P-7f")))
	reply := w.reply
	ctx, cancel := context.WithCancel(t.Context())
	w.reply = func(e smtpout.Envelope) smtpout.Outcome { // taken, and then the line breaks
		reply(e)
		w.sent = append(w.sent, e)
		cancel()
		return smtpout.Outcome{ID: e.ID, Status: smtpout.Temporary, Text: "EOF"}
	}
	w.daemon.Drain(ctx)
	w.reply = reply
	w.now = w.now.Add(time.Hour)
	if err := w.daemon.Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(w.sent) != 2 || string(w.sent[0].Data) != string(w.sent[1].Data) {
		t.Errorf("sent %d times, want twice the same bytes", len(w.sent))
	}
}

func TestRetrySchedule(t *testing.T) {
	w := newWorld(t)
	w.queue(1)
	w.reply = func(e smtpout.Envelope) smtpout.Outcome {
		return smtpout.Outcome{ID: e.ID, Status: smtpout.Temporary, Code: 450, Text: "450 greylisted\r\nlater"}
	}
	var waits []time.Duration
	for {
		if err := w.daemon.Drain(t.Context()); err != nil {
			t.Fatal(err)
		}
		waiting, _ := w.outbox()
		if len(waiting) == 0 {
			break
		}
		m := waiting[0]
		if m.Attempts != len(waits)+1 || m.LastError != "450 greylisted later" {
			t.Fatalf("after %d waits: %+v", len(waits), m)
		}
		waits = append(waits, m.Next.Sub(w.now))
		w.now = m.Next.Add(-time.Second)
		w.daemon.Drain(t.Context()) // a second too early
		w.now = m.Next
		if w.tries != len(waits) {
			t.Fatalf("tried %d times in %d waits", w.tries, len(waits))
		}
	}
	for i, wait := range waits {
		want := time.Duration(math.Min(math.Pow(2, float64(i)), 240)) * time.Minute
		if wait != want {
			t.Errorf("wait %d: %v, want %v", i+1, wait, want)
		}
	}
	if age := w.now.Sub(noon); age < 5*24*time.Hour || age > 5*24*time.Hour+4*time.Hour {
		t.Errorf("given up after %v, want 5 days", age)
	}
	_, failed := w.outbox()
	if len(failed) != 1 || !strings.Contains(failed[0].LastError, "given up after 120h0m0s: 450 greylisted") {
		t.Errorf("given up: %+v", failed)
	}
	w.expectLog(`level=WARN msg="mail given up" msgid=m1@x player=1 game=17`)
}

func TestPermanent(t *testing.T) {
	w := newWorld(t)
	w.queue(3)
	w.reply = func(e smtpout.Envelope) smtpout.Outcome {
		if e.ID == 2 {
			return smtpout.Outcome{ID: e.ID, Status: smtpout.Permanent, Code: 550, Text: "no such user"}
		}
		return smtpout.Outcome{ID: e.ID, Status: smtpout.Accepted, Code: 250}
	}
	if err := w.daemon.Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
	waiting, failed := w.outbox()
	if len(w.sent) != 2 || len(waiting) != 0 || len(failed) != 1 || failed[0].LastError != "550 no such user" {
		t.Errorf("%d sent, %d wait, failed: %+v", len(w.sent), len(waiting), failed)
	}
	w.expectLog(`level=WARN msg="mail given up" msgid=m2@x`)
}

func TestBlocked(t *testing.T) {
	w := newWorld(t)
	w.queue(3)
	take := w.reply
	w.reply = func(e smtpout.Envelope) smtpout.Outcome {
		return smtpout.Outcome{ID: e.ID, Status: smtpout.Blocked, Code: 535, Text: "wrong password"}
	}
	if err := w.daemon.Drain(t.Context()); err == nil {
		t.Error("Drain = nil, want an error")
	}
	for i, wait := range []time.Duration{time.Minute, 2 * time.Minute, 4 * time.Minute, 8 * time.Minute, 16 * time.Minute, 32 * time.Minute, time.Hour, time.Hour} {
		if w.tries != i+1 {
			t.Fatalf("%d tries after %d pauses: the whole outbox should rest", w.tries, i)
		}
		w.now = w.now.Add(wait - time.Second)
		if err := w.daemon.Drain(t.Context()); err != nil || w.tries != i+1 {
			t.Fatalf("in pause %d: Drain = %v, %d tries", i+1, err, w.tries)
		}
		w.now = w.now.Add(time.Second)
		w.daemon.Drain(t.Context())
	}
	waiting, _ := w.outbox()
	for _, m := range waiting {
		if m.Attempts != 0 {
			t.Errorf("mail %d has paid for it: %+v", m.ID, m)
		}
	}
	// The operator mends it, and does not wait for the pause to end.
	w.reply = take
	if err := w.daemon.Flush(t.Context()); err != nil || len(w.sent) != 3 {
		t.Errorf("Flush = %v, %d sent; want 3", err, len(w.sent))
	}
}

func TestStopDraining(t *testing.T) {
	w := newWorld(t)
	w.queue(5)
	ctx, cancel := context.WithCancel(t.Context())
	take := w.reply
	w.reply = func(e smtpout.Envelope) smtpout.Outcome {
		if e.ID == 2 {
			cancel()
		}
		return take(e)
	}
	if err := w.daemon.Drain(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("Drain = %v, want %v", err, context.Canceled)
	}
	if waiting, _ := w.outbox(); len(w.sent) != 2 || len(waiting) != 3 {
		t.Errorf("%d sent, %d wait; want 2 and 3", len(w.sent), len(waiting))
	}
	w.daemon.Drain(t.Context()) // a stop is no reason to pause
	if len(w.sent) != 5 {
		t.Errorf("%d sent, want 5", len(w.sent))
	}
}

func TestTick(t *testing.T) {
	w := newWorld(t)
	ticks := 0
	w.tick = func(st service.State, env service.Env) (r service.Result, err error) {
		ticks++
		due, err := st.Due(env.Now, 2)
		for _, d := range due {
			r.DropChallenges = append(r.DropChallenges, d.Challenge)
			r.Mails = append(r.Mails, service.Mail{Draft: draft(hana, fmt.Sprintf("expired-%d@x", d.Challenge))})
		}
		return r, err
	}
	w.store.Update(func(tx *store.Tx) error {
		for id := game.ChallengeID(1); id <= 5; id++ {
			c := game.Challenge{ID: id, From: 1, To: 2, Expires: noon.Add(time.Hour)}
			if err := tx.SaveChallenge(c); err != nil {
				return err
			}
		}
		return nil
	})
	if err := w.daemon.Tick(t.Context()); err != nil || ticks != 0 {
		t.Errorf("Tick = %v, the service asked %d times; want 0: nothing is due", err, ticks)
	}
	w.now = noon.Add(time.Hour)
	if err := w.daemon.Tick(t.Context()); err != nil || ticks != 3 {
		t.Errorf("Tick = %v in %d rounds; want 3", err, ticks)
	}
	if waiting, _ := w.outbox(); len(waiting) != 5 {
		t.Errorf("%d mails wait, want 5", len(waiting))
	}
}

// TestTickFails: one bad record costs only itself, and leaves nothing half
// done.
func TestTickFails(t *testing.T) {
	w := newWorld(t)
	w.store.Update(func(tx *store.Tx) error {
		for id := game.ChallengeID(1); id <= 5; id++ {
			if err := tx.SaveChallenge(game.Challenge{ID: id, From: 1, To: 2, Expires: noon}); err != nil {
				return err
			}
		}
		return nil
	})
	w.tick = func(st service.State, env service.Env) (r service.Result, err error) {
		due, err := st.Due(env.Now, 10)
		for _, d := range due {
			switch d.Challenge {
			case 1:
				panic("nil board")
			case 3:
				r.Players = []player.Player{{Name: "no number"}}
			}
			r.DropChallenges = append(r.DropChallenges, d.Challenge)
			r.Mails = append(r.Mails, service.Mail{Draft: draft(hana, fmt.Sprintf("expired-%d@x", d.Challenge))})
		}
		return r, err
	}
	if err := w.daemon.Tick(t.Context()); err == nil || !strings.Contains(err.Error(), "2 due records failed, the first: panic: nil board") {
		t.Errorf("Tick = %v", err)
	}
	if waiting, _ := w.outbox(); len(waiting) != 3 {
		t.Errorf("%d mails wait, want 3", len(waiting))
	}
	w.view(func(tx *store.Tx) error {
		due, err := tx.Due(noon, 0)
		if len(due) != 2 || due[0].Challenge != 1 || due[1].Challenge != 3 {
			t.Errorf("due after the tick: %v; want 1 and 3", due)
		}
		return err
	})
	w.expectLog(`msg="due record failed" game=0 challenge=1`, `challenge=3`)
}

// TestTickEnds: a service that leaves things due is not asked for ever.
func TestTickEnds(t *testing.T) {
	w := newWorld(t)
	ticks := 0
	w.store.Update(func(tx *store.Tx) error {
		return tx.SaveChallenge(game.Challenge{ID: 1, From: 1, To: 2, Expires: noon})
	})
	w.tick = func(service.State, service.Env) (service.Result, error) { ticks++; return service.Result{}, nil }
	if err := w.daemon.Tick(t.Context()); err != nil || ticks != 1 {
		t.Errorf("Tick = %v after %d rounds; want 1", err, ticks)
	}
}

// TestNotNoted: the server has a mail and the disk will not take the note of
// it. It must not go out again and again.
func TestNotNoted(t *testing.T) {
	w := newWorld(t)
	w.queue(1)
	var release func()
	take := w.reply
	w.reply = func(e smtpout.Envelope) smtpout.Outcome {
		release = w.fillDisk()
		return take(e)
	}
	if err := w.daemon.Drain(t.Context()); err == nil {
		t.Error("Drain = nil, want an error")
	}
	w.reply = take
	for range 5 {
		w.now = w.now.Add(2 * time.Hour)
		if err := w.daemon.Drain(t.Context()); err == nil {
			t.Error("Drain on a full disk = nil, want an error")
		}
	}
	release()
	w.now = w.now.Add(2 * time.Hour)
	if err := w.daemon.Drain(t.Context()); err != nil {
		t.Errorf("Drain with room again: %v", err)
	}
	if waiting, _ := w.outbox(); len(w.sent) != 1 || len(waiting) != 0 {
		t.Errorf("sent %d times, %d wait; want once and none", len(w.sent), len(waiting))
	}
}

// fillDisk makes every commit fail until release is called: a reader keeps
// the pages that are given up from being used again.
func (w *world) fillDisk() (release func()) {
	reading, done, ended := make(chan struct{}), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		w.store.View(func(*store.Tx) error {
			close(reading)
			<-done
			return nil
		})
	}()
	<-reading
	for size := 100_000; size > 0; size /= 2 {
		for range 1000 {
			err := w.store.Update(func(tx *store.Tx) error {
				p := player.Player{ID: 1, Name: "x", Addresses: []string{strings.Repeat("x", size)}}
				return tx.SavePlayer(p)
			})
			if err != nil {
				break
			}
		}
	}
	return func() { close(done); <-ended }
}

// TestRun lets hours pass in no time: what is ready is sent when it is ready,
// a message that comes is answered at once, and the end is orderly.
func TestRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.now = time.Time{} // the bubble's clock
		start := time.Now()
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- w.daemon.Run(ctx) }()
		synctest.Wait()

		f := fetched(1, raw(hana, "m1@x", "P-7f"))
		f.Arrived = start
		w.mustReceive(f)
		synctest.Wait()
		if n := w.sentSoFar(); n != 1 || !time.Now().Equal(start) {
			t.Errorf("%d mails sent at once, want 1", n)
		}

		w.sendMu.Lock()
		w.reply = func(e smtpout.Envelope) smtpout.Outcome {
			if time.Since(start) < 10*time.Minute {
				return smtpout.Outcome{ID: e.ID, Status: smtpout.Temporary, Code: 450, Text: "later"}
			}
			return smtpout.Outcome{ID: e.ID, Status: smtpout.Accepted}
		}
		w.sendMu.Unlock()
		g := fetched(2, raw(hana, "m2@x", "P-3d"))
		g.Arrived = start
		w.mustReceive(g)
		time.Sleep(14 * time.Minute) // tries after 1, 2, 4 and 8 minutes
		synctest.Wait()
		if n := w.sentSoFar(); n != 1 {
			t.Errorf("%d mails sent before the server takes them, want 1", n)
		}
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		if n := w.sentSoFar(); n != 2 {
			t.Errorf("%d mails sent, want 2", n)
		}
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("Run = %v, want %v", err, context.Canceled)
		}
	})
}
