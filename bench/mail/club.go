package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	mathrand "math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/emersion/go-message/mail"

	"pbem/daemon"
	"pbem/game"
	"pbem/mailer"
	"pbem/mailer/smtpout"
	"pbem/notation"
	"pbem/service"
	"pbem/store"
)

const (
	domain   = "example.org"
	address  = "shogi@" + domain
	password = "bench"
	gateway  = "gateway." + domain // vouches for the first mail of each table
)

// settings are those of a real service, but for the limits: here a person
// writes more in a second than people do in a day.
func settings() service.Settings {
	return service.Settings{
		Address: address, Name: "Shogi by mail", PlusAddressing: true,
		Secrets: [][]byte{[]byte("the secret of a bench, known to all")}, AuthservIDs: []string{gateway},
		MaxMessage: 1 << 20, GamesPerPlayer: 16, MessagesPerHour: 1 << 30, AnswersPerHour: 1 << 30,
		ChallengeExpires: 14 * 24 * time.Hour, ConfirmExpires: 72 * time.Hour, RemindAfter: 72 * time.Hour,
	}
}

// newDaemon is what pbem serve runs, with another way out.
func newDaemon(st *store.Store, send sender) *daemon.Daemon {
	return daemon.New(daemon.Parts{
		Store: st,
		Env: func(now time.Time) service.Env {
			return service.Env{Now: now, NewID: func() string { return strings.ToLower(rand.Text()) }, Settings: settings()}
		},
		Send:         send,
		EnvelopeFrom: address,
		Parse:        mailer.ParseOptions{Own: []string{address}},
		Log:          slog.New(slog.NewTextHandler(io.Discard, nil)), // formatted as in earnest
	})
}

type sender = func(context.Context, []smtpout.Envelope, func(smtpout.Outcome) error) error

// club is the people who play: at each table a game, and the mail that the
// one whose turn it is has got and not answered yet.
type club struct {
	tables []*table
	byGame map[game.ID]*table
	name   string // in its Message-IDs, that no other club uses
	mails  int    // written so far
	rng    *mathrand.Rand
}

type table struct {
	game game.Game // as the players know it
	last letter
}

// letter is what a reply needs of a mail.
type letter struct{ replyTo, subject, messageID, text string }

// newClub seats people at the first n games of the database. They have got no
// mail yet: see [club.invite].
func newClub(st *store.Store, n int) (*club, error) {
	c := &club{byGame: map[game.ID]*table{}, name: rand.Text(), rng: mathrand.New(mathrand.NewPCG(2, 3))}
	err := st.View(func(tx *store.Tx) error {
		for id := game.ID(1); id <= game.ID(n); id++ {
			g, err := tx.Game(id)
			if err != nil {
				return err
			}
			t := &table{game: g}
			c.tables, c.byGame[id] = append(c.tables, t), t
		}
		return nil
	})
	return c, err
}

// addresses returns those of all who play.
func (c *club) addresses() []string {
	var out []string
	for _, t := range c.tables {
		for _, id := range t.game.Players {
			if addr := addressOf(id); !slices.Contains(out, addr) {
				out = append(out, addr)
			}
		}
	}
	return out
}

// invite returns, for each table, a mail that asks for the board.
func (c *club) invite() [][]byte {
	var out [][]byte
	for _, t := range c.tables {
		out = append(out, c.compose(t, letter{replyTo: address, subject: "board"}, "board "+t.game.ID.String()))
	}
	return out
}

// reply plays the next move at t and returns the mail that says so.
func (c *club) reply(t *table) ([]byte, error) {
	if t.last.replyTo == "" {
		return nil, fmt.Errorf("game %s: no mail to reply to", t.game.ID)
	}
	before := t.game
	next, m, err := playOn(before, c.rng)
	if err != nil {
		return nil, err
	}
	raw := c.compose(t, t.last, notation.Hodges(before.Position(), m))
	t.game, t.last = next, letter{}
	return raw, nil
}

// learn looks at a mail of the service's: whoever is to move will answer it.
func (c *club) learn(to string, raw []byte) error {
	l, err := readLetter(raw)
	if err != nil {
		return err
	}
	var id game.ID
	var ply int
	if _, err := fmt.Sscanf(l.replyTo, "shogi+g%d-%d-", &id, &ply); err != nil {
		return fmt.Errorf("mail %q to %s is of no game: %s", l.subject, to, l.replyTo)
	}
	t := c.byGame[id]
	if t == nil {
		return fmt.Errorf("mail %q is of a game that nobody plays", l.subject)
	}
	if ply != t.game.Ply() {
		return fmt.Errorf("mail %q is of ply %d, want %d:\n%s", l.subject, ply, t.game.Ply(), l.text)
	}
	if to == addressOf(t.game.Turn()) {
		t.last = l
	}
	return nil
}

func readLetter(raw []byte) (l letter, err error) {
	r, err := mail.CreateReader(bytes.NewReader(raw))
	if err != nil {
		return l, err
	}
	list, err := r.Header.AddressList("Reply-To")
	if err != nil || len(list) == 0 {
		return l, errors.Join(errors.New("no Reply-To"), err)
	}
	l.replyTo = list[0].Address
	l.subject, _ = r.Header.Subject()
	l.messageID, _ = r.Header.MessageID()
	p, err := r.NextPart()
	if err != nil {
		return l, err
	}
	text, err := io.ReadAll(p.Body)
	l.text = strings.ReplaceAll(string(text), "\r\n", "\n")
	return l, err
}
