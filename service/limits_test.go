package service_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pbem/store"
)

// TestAnswersAnHour: past the limit of answers an hour what a player writes is
// done all the same; only the answer is left out, and the operator can see it.
func TestAnswersAnHour(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.setUp()
	w.pass(2 * time.Hour)
	w.set.AnswersPerHour = 5
	answers := 0
	for n := range 7 {
		w.deliver(fmt.Sprintf("From: hana@example.org\nTo: @reply(hana)\nMessage-ID: <m%d@x>\n\ngames\n", n))
		answers += len(w.collect())
	}
	w.deliver("From: hana@example.org\nTo: @reply(hana)\nMessage-ID: <move@x>\n\n#1 P-7f\n")
	mails := w.collect()
	if answers != 5 || len(mails) != 1 || mails[0].to != "marco@example.org" || w.game(1).Ply() != 1 {
		t.Errorf("%d answers, then %d mails at ply %d; want 5, and the move told to the opponent alone", answers, len(mails), w.game(1).Ply())
	}
	w.excess("answers_per_hour", "hana@example.org", 3)
	w.pass(time.Hour)
	w.deliver("From: hana@example.org\nTo: @reply(hana)\nMessage-ID: <late@x>\n\ngames\n")
	if n := len(w.collect()); n != 1 {
		t.Errorf("%d answers an hour later; want 1", n)
	}
}

// TestConfirmationsADay: who writes in a player's name can have the player
// asked only so often, and uses up nothing of what the player may write or is
// answered.
func TestConfirmationsADay(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.setUp()
	w.pass(25 * time.Hour)
	w.set.AnswersPerHour, w.set.MessagesPerHour = 12, 70
	asked := 0
	for n := range 100 {
		w.deliver(fmt.Sprintf("From: hana@example.org\nTo: shogi@example.org\nMessage-ID: <f%d@evil.example>\n\nresign\n", n))
		for _, m := range w.collect() {
			if m.to == "hana@example.org" && strings.Contains(m.shown, "is this from you") {
				asked++
			}
		}
		w.now = w.now.Add(-30 * time.Second)
	}
	if asked != w.set.ConfirmationsPerDay {
		t.Errorf("asked %d times; want %d", asked, w.set.ConfirmationsPerDay)
	}
	w.deliver("From: hana@example.org\nTo: @reply(hana,4)\nMessage-ID: <own@x>\n\nP-7f\n")
	if n := len(w.collect()); n != 2 || w.game(1).Over() || w.game(1).Ply() != 1 {
		t.Errorf("%d mails after a move of her own at ply %d; want both told", n, w.game(1).Ply())
	}
	w.excess("confirmations_per_day", "hana@example.org", 60)
}

// excess expects that a limit was noted for whoever asks for it.
func (w *world) excess(limit, addr string, count int) {
	w.t.Helper()
	err := w.store.View(func(tx *store.Tx) error {
		list, err := tx.Excesses(w.now.Add(-24 * time.Hour))
		for _, x := range list {
			if x.Limit == limit && x.Address == addr {
				if x.Count != count {
					w.t.Errorf("%s of %s reached %d times; want %d", limit, addr, x.Count, count)
				}
				return err
			}
		}
		w.t.Errorf("%s of %s is not in %+v", limit, addr, list)
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
}
