package service_test

import (
	"fmt"
	"testing"
	"time"

	"pbem/game"
	"pbem/store"
)

// TestClockStandsForEachReason: of two reasons for a clock to stand, one after
// the other, it stands until both have gone, whichever goes first.
func TestClockStandsForEachReason(t *testing.T) {
	t.Parallel()
	type reason struct {
		name       string
		begin, end func(w *world)
	}
	say := func(who, text string) func(*world) { return func(w *world) { w.say(who, text) } }
	reasons := []reason{
		{"pause", func(w *world) { w.say("hana", "pause"); w.say("marco", "accept") }, say("marco", "#1 resume")},
		{"hana on vacation", say("hana", "vacation 1 day"), func(w *world) { w.pass(25 * time.Hour) }},
		{"marco on vacation", say("marco", "vacation 2 days"), say("marco", "vacation off")},
		{"hana out of reach", func(w *world) { w.lose("hana") }, say("hana", "games")},
		{"marco out of reach", func(w *world) { w.lose("marco") }, say("marco", "games")},
	}
	both := [][2]int{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 4}, {2, 3}, {3, 4}}
	for _, pair := range both {
		for _, order := range [][2]int{{0, 1}, {1, 0}} {
			a, b := reasons[pair[order[0]]], reasons[pair[order[1]]]
			if b.name == "pause" && a.name == "hana out of reach" {
				continue // Who agrees to a pause has written.
			}
			for _, first := range []reason{a, b} {
				last := a
				if first.name == a.name {
					last = b
				}
				t.Run(fmt.Sprintf("%s, %s; %s ends first", a.name, b.name, first.name), func(t *testing.T) {
					t.Parallel()
					w := newWorld(t)
					w.setUp()
					w.now = w.now.Add(30 * 24 * time.Hour) // in which vacation is earned, and the service is away
					w.running(true, "before")
					a.begin(w)
					w.running(false, a.name)
					b.begin(w)
					w.running(false, a.name+" and "+b.name)
					first.end(w)
					w.running(false, last.name+" alone")
					last.end(w)
					w.running(true, "after both")
				})
			}
		}
	}
}

// TestNewGameOfWhoIsOutOfReach: a game that begins while a player is out of
// reach stands from the first.
func TestNewGameOfWhoIsOutOfReach(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.setUp()
	w.say("hana", "challenge marco")
	w.lose("hana")
	w.say("marco", "accept")
	if g := w.game(2); g.Clock.Running() {
		t.Error("the clock of a game against somebody out of reach runs")
	}
	w.say("hana", "games")
	if g := w.game(2); !g.Clock.Running() {
		t.Error("the clock stands though hana has written")
	}
}

// TestFallenFlagWaits: where the time of a player out of reach is over, the
// game is not claimed by itself before the player can be reached and has had
// the usual wait.
func TestFallenFlagWaits(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.setUp()
	w.pass(10*24*time.Hour + time.Hour) // longer than the time at the start
	if w.game(1).Fallen.IsZero() {
		t.Fatal("no flag fell")
	}
	w.lose("hana")
	w.pass(30 * 24 * time.Hour)
	if w.game(1).Over() {
		t.Fatal("lost on time while out of reach")
	}
	w.say("hana", "games")
	w.pass(71 * time.Hour)
	if w.game(1).Over() {
		t.Fatal("lost before the opponent's wait was over")
	}
	w.pass(2 * time.Hour)
	if g := w.game(1); !g.Over() || g.End.Cause != game.Time {
		t.Errorf("not lost on time after the wait: %+v", g.End)
	}
}

// say hands in a mail from a player, in reply to the latest one.
func (w *world) say(who, text string) {
	w.t.Helper()
	w.deliver(fmt.Sprintf("From: %s@example.org\nTo: @reply(%s)\n\n%s\n", who, who, text))
	w.collect()
}

// lose lets three mails to a player come back.
func (w *world) lose(who string) {
	w.t.Helper()
	mails := w.got[who]
	for n := len(mails) - 2; n <= len(mails); n++ {
		w.deliver(fmt.Sprintf(report, n, who))
		w.collect()
	}
}

const report = `Return-Path: <>
From: MAILER-DAEMON@mx.example.org
To: shogi@example.org
Message-ID: <report%d.%s@mx.example.org>
Content-Type: multipart/report; report-type=delivery-status; boundary=b

--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.org

Final-Recipient: rfc822; %[2]s@example.org
Action: failed
Status: 5.1.1

--b
Content-Type: text/rfc822-headers

Message-ID: @id(%[2]s,%[1]d)

--b--
`

func (w *world) game(id game.ID) (g game.Game) {
	w.t.Helper()
	err := w.store.View(func(tx *store.Tx) (err error) {
		g, err = tx.Game(id)
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return g
}

func (w *world) running(want bool, when string) {
	w.t.Helper()
	if got := w.game(1).Clock.Running(); got != want {
		w.t.Fatalf("%s: the clock runs is %v; want %v", when, got, want)
	}
}
