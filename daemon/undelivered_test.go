package daemon_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"pbem/clock"
	"pbem/game"
	"pbem/mailer/smtpout"
	"pbem/player"
	"pbem/service"
	"pbem/store"
)

const marco = "marco@example.org"

// TestGivenUpIsToldToTheService: a mail refused for good, or tried in vain for
// five days, is told in the commit that gives it up, and what comes of it goes
// out.
func TestGivenUpIsToldToTheService(t *testing.T) {
	tests := []struct {
		name   string
		answer smtpout.Outcome
		wait   time.Duration
		want   []service.Returned
	}{
		{"refused", smtpout.Outcome{Status: smtpout.Permanent, Code: 550}, 0,
			[]service.Returned{{Address: hana, MessageID: "m1@x", Status: "550"}}},
		{"tried in vain", smtpout.Outcome{Status: smtpout.Temporary, Code: 451}, 5 * 24 * time.Hour,
			[]service.Returned{{Address: hana, MessageID: "m1@x", Status: "451"}}},
		{"not taken yet", smtpout.Outcome{Status: smtpout.Temporary, Code: 451}, 4 * 24 * time.Hour, nil},
		{"our own fault", smtpout.Outcome{Status: smtpout.Blocked, Code: 530}, 6 * 24 * time.Hour, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			var told []service.Returned
			w.undelivered = func(r service.Returned, st service.State, _ service.Env) (service.Result, error) {
				told = append(told, r)
				if waiting, err := st.(*store.Tx).Waiting(); err != nil || len(waiting) != 0 {
					t.Errorf("told while the mail waits: %v, %v", waiting, err)
				}
				return service.Result{Mails: []service.Mail{{Draft: draft(marco, "sorry@x")}}}, nil
			}
			w.queue(1)
			w.now = w.now.Add(tt.wait)
			w.reply = func(e smtpout.Envelope) smtpout.Outcome {
				if e.To == marco {
					return smtpout.Outcome{ID: e.ID, Status: smtpout.Accepted, Code: 250}
				}
				out := tt.answer
				out.ID = e.ID
				return out
			}
			w.daemon.Drain(t.Context())
			if fmt.Sprint(told) != fmt.Sprint(tt.want) || len(w.sent) != len(tt.want) {
				t.Errorf("told %v, %d mails to the opponent; want %v", told, len(w.sent), tt.want)
			}
		})
	}
}

// TestGivenUpThoughTheServiceFails: a mail that the server refuses is not sent
// for ever because the service cannot say what comes of it.
func TestGivenUpThoughTheServiceFails(t *testing.T) {
	for name, fail := range map[string]func(){"error": func() {}, "panic": func() { panic("no") }} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.undelivered = func(service.Returned, service.State, service.Env) (service.Result, error) {
				fail()
				return service.Result{}, errors.New("no")
			}
			w.reply = func(e smtpout.Envelope) smtpout.Outcome {
				return smtpout.Outcome{ID: e.ID, Status: smtpout.Permanent, Code: 550}
			}
			w.queue(1)
			if err := w.daemon.Drain(t.Context()); err != nil {
				t.Fatal(err)
			}
			if _, failed := w.outbox(); len(failed) != 1 || !strings.Contains(w.log.String(), "does not know of a mail given up") {
				t.Errorf("%d mails given up; log:\n%s", len(failed), w.log)
			}
		})
	}
}

// TestRefusedMailsHoldThePlayer: with the real service, the third mail that
// the server refuses stops the game and tells the opponent.
func TestRefusedMailsHoldThePlayer(t *testing.T) {
	w := newWorld(t)
	w.undelivered = service.Undelivered
	w.set.Bounces, w.set.BouncesWithin = 3, 14*24*time.Hour
	w.set.Secrets = [][]byte{[]byte("secret")}
	w.set.Address = "shogi@example.org"
	err := w.store.Update(func(tx *store.Tx) error {
		g, err := game.New(1, 1, 2, game.Terms{Variant: "shogi", Clock: clock.Control{Bank: clock.Day, Each: true}}, noon)
		return errors.Join(err, tx.SaveGame(g),
			tx.SavePlayer(player.Player{ID: 1, Name: "hana", Addresses: []string{hana}, Joined: noon}),
			tx.SavePlayer(player.Player{ID: 2, Name: "marco", Addresses: []string{marco}, Joined: noon}))
	})
	if err != nil {
		t.Fatal(err)
	}
	w.queue(3)
	w.reply = func(e smtpout.Envelope) smtpout.Outcome {
		if e.To == hana {
			return smtpout.Outcome{ID: e.ID, Status: smtpout.Permanent, Code: 550}
		}
		return smtpout.Outcome{ID: e.ID, Status: smtpout.Accepted, Code: 250}
	}
	if err := w.daemon.Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.view(func(tx *store.Tx) error {
		p, err := tx.Player(1)
		if err != nil {
			return err
		}
		g, err := tx.Game(1)
		if !p.OutOfReach() || g.Clock.Running() {
			t.Errorf("out of reach: %v, the clock runs: %v", p.OutOfReach(), g.Clock.Running())
		}
		return err
	})
	if len(w.sent) != 1 || w.sent[0].To != marco || !strings.Contains(string(w.sent[0].Data), "comes back") {
		t.Errorf("%d mails sent, want one to the opponent", len(w.sent))
	}
}
