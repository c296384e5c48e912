package service_test

import (
	"fmt"
	"regexp"
	"testing"
)

const (
	club  = "shogi@club.example"
	other = "shogi@other.example"
)

// marks are the fields by which a service knows the mail of one of its kind;
// they get lost where a mail is forwarded by a program that makes it anew.
var marks = regexp.MustCompile(`(?m)^(X-Pbem-Loop|Auto-Submitted|X-Auto-Response-Suppress):.*\n`)

func strip(raw string) string { return marks.ReplaceAllString(raw, "") }

// TestTwoServices sets two services against each other for a week: each is a
// stranger to the other, or a player who has a game, with a game mail each day.
// Where the marks of our mail are intact, nothing at all is answered; where
// they are lost, what the limits allow.
func TestTwoServices(t *testing.T) {
	t.Parallel()
	const perDay = 3 // answers that a mail was not understood
	tests := []struct {
		name     string
		stripped bool
		players  bool
		kick     int // mails of the week that begin it
		most     int // mails from each to the other
	}{
		{name: "strangers", kick: 7, most: 7},
		{name: "strangers, marks lost", stripped: true, kick: 7, most: 7 * (1 + 1 + perDay)},
		{name: "players", players: true, most: 7 + 1},
		{name: "players, marks lost", players: true, stripped: true, most: 7 + 1 + 7*perDay},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			a, b := newWorldAt(t, club), newWorldAt(t, other)
			b.set.Secrets = [][]byte{[]byte("another secret")}
			o := newOffice(t, a, b)
			for _, w := range []*world{a, b} {
				if w == b {
					b.now = o.now
				}
				o.join(w, "marco", "marco@example.org")
				if !tt.players {
					continue
				}
				addr := club
				if w == a {
					addr = other
				}
				o.join(w, "robot", addr)
				o.begin(w, "robot", addr, "marco", "marco@example.org")
			}
			if tt.stripped {
				o.way = strip
			}
			a.now, b.now = o.now, o.now
			o.week(func(day int) {
				for _, w := range []*world{a, b} {
					from, text, auth := "marco@example.org", "say good morning", "Authentication-Results: mx.example.org; dmarc=pass header.from=example.org\n"
					if !tt.players { // in the name of the other service
						from, text, auth = club, "hello", ""
						if w == a {
							from = other
						}
					}
					o.bags = append(o.bags, bag{w.set.Address, fmt.Sprintf("From: %s\nTo: %s\nMessage-ID: <day%d.%d.%d@x>\n%s\n%s %d\n", from, w.set.Address, day, day, w.uid, auth, text, day)})
				}
			})
			t.Logf("a week: %d mails to %s, %d to %s", o.written[club], club, o.written[other], other)
			for _, addr := range []string{club, other} {
				if n := o.written[addr]; n > tt.most {
					t.Errorf("%d mails to %s; the rules allow %d", n, addr, tt.most)
				}
			}
			for _, w := range []*world{a, b} {
				if tt.players {
					if g := w.game(1); g.Ply() != 0 || g.Over() || len(g.Offers) > 0 || g.Paused {
						t.Errorf("%s: the game has changed", w.set.Address)
					}
				}
				responder{}.stillAnswered(o, w)
			}
		})
	}
}
