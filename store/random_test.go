package store_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"pbem/game"
	"pbem/player"
	"pbem/rules"
	"pbem/store"
)

// chance makes a random state, step by step, through the API.
type chance struct {
	*rand.Rand
	t       testing.TB
	players []player.Player
	games   []game.Game
	mails   []uint64
}

// random does so many random steps, each in a transaction.
func random(t testing.TB, s *store.Store, r *rand.Rand, steps int) *chance {
	t.Helper()
	c := &chance{Rand: r, t: t}
	for range steps {
		update(t, s, c.step)
	}
	return c
}

func (c *chance) time() time.Time {
	return noon.Add(time.Duration(c.Int64N(int64(30 * 24 * time.Hour)))).Truncate(time.Duration(1 + c.IntN(2)*1_000_000_000))
}

// bytes returns random bytes: text, text with odd characters, or none.
func (c *chance) bytes() []byte {
	texts := []string{"", "{}", `{"a": 1}`, `{"a":1}`, "\xff\x00", "▲７六歩\r\n<&>\u2028", "\x1b$B#7\x1b(B", "\ufffd", "null"}
	b := []byte(texts[c.IntN(len(texts))])
	for range c.IntN(3) {
		b = append(b, byte(c.IntN(256)))
	}
	return b
}

func (c *chance) text() string { return fmt.Sprintf("%q <%d>", c.bytes(), c.IntN(1000)) }

func (c *chance) player() player.ID {
	if len(c.players) == 0 {
		return 0
	}
	return c.players[c.IntN(len(c.players))].ID
}

func (c *chance) step(tx *store.Tx) error {
	switch n := c.IntN(12); {
	case n == 0 || len(c.players) < 2:
		return c.stepPlayer(tx)
	case n == 1 || len(c.games) == 0:
		return c.newGame(tx)
	case n < 5:
		return c.play(tx)
	case n == 5:
		id, err := tx.NextChallenge()
		if id%3 == 0 {
			err = errors.Join(err, tx.DropChallenge(game.ChallengeID(1+c.IntN(int(id)))))
		}
		return errors.Join(err, tx.SaveChallenge(game.Challenge{
			ID: id, From: c.player(), To: c.player(), Side: game.Side(c.IntN(3)), Terms: game.Terms{Variant: "wa"}, Made: c.time(), Expires: c.time(),
		}))
	case n == 6:
		id, err := tx.NextHeld()
		if id%3 == 0 {
			err = errors.Join(err, tx.DropHeld(player.HeldID(1+c.IntN(int(id)))))
		}
		return errors.Join(err, tx.SaveHeld(player.Held{ID: id, Address: c.text(), Subject: c.text(), Lines: []string{c.text()}, Expires: c.time()}))
	case n == 7:
		_, err := tx.SetAside(store.SetAside{Mailbox: c.text(), UID: c.Uint32(), At: c.time(), Cause: c.text()}, c.bytes())
		return errors.Join(err, tx.DropSetAside(uint64(c.IntN(10))))
	case n == 8:
		key := store.MessageKey{Mailbox: c.text(), UIDValidity: 7, UID: uint32(c.IntN(50)), Sender: c.text(), MessageID: c.text()}
		key.Hash[0] = byte(c.IntN(50))
		_, err := tx.Forget(noon.Add(time.Duration(c.IntN(24))*time.Hour), c.IntN(5))
		return errors.Join(err, tx.MarkSeen(key, c.time()), tx.MoveCursor(key.Mailbox, store.Cursor{UIDValidity: 7, UID: key.UID}))
	case n == 9:
		_, err := tx.Begin([][32]byte{{byte(c.IntN(5))}}, c.time())
		_, err2 := tx.FailAttempt([32]byte{byte(c.IntN(5))}, c.text(), c.time())
		_, err3 := tx.ForgetRaw(c.time(), 1)
		return errors.Join(err, err2, tx.KeepRaw(c.time(), c.bytes()), err3, tx.Received(c.text(), c.time()), tx.Answer(c.text(), "help", c.time()))
	}
	return c.stepMail(tx)
}

func (c *chance) stepPlayer(tx *store.Tx) error {
	if len(c.players) > 0 && c.IntN(2) == 0 {
		p := &c.players[c.IntN(len(c.players))]
		p.Name = fmt.Sprintf("Né%d", c.Uint64())
		p.Addresses = p.Addresses[:1]
		return tx.SavePlayer(*p)
	}
	id, err := tx.NextPlayer()
	p := player.Player{ID: id, Name: fmt.Sprintf("P%d", id), Joined: c.time()}
	for i := range 1 + c.IntN(3) {
		p.Addresses = append(p.Addresses, fmt.Sprintf("p%d-%d@example.org", id, i))
	}
	c.players = append(c.players, p)
	return errors.Join(err, tx.SavePlayer(p))
}

func (c *chance) newGame(tx *store.Tx) error {
	id, err := tx.NextGame()
	if err != nil {
		return err
	}
	variants := rules.Variants()
	black := c.IntN(len(c.players) - 1)
	white := black + 1 + c.IntN(len(c.players)-1-black)
	g, err := game.New(id, c.players[black].ID, c.players[white].ID, game.Terms{Variant: variants[c.IntN(len(variants))].Name}, c.time())
	c.games = append(c.games, g)
	return errors.Join(err, tx.SaveGame(g))
}

// play plays some plies of a game, or ends it.
func (c *chance) play(tx *store.Tx) (err error) {
	g := &c.games[c.IntN(len(c.games))]
	for range c.IntN(4) {
		moves := g.Position().LegalMoves()
		if g.Over() || len(moves) == 0 {
			break
		}
		if *g, err = g.Play(g.Turn(), moves[c.IntN(len(moves))], c.time()); err != nil {
			return err
		}
	}
	if !g.Over() && c.IntN(20) == 0 {
		if *g, err = g.Resign(g.Turn(), c.time()); err != nil {
			return err
		}
	}
	g.Due = time.Time{}
	if c.IntN(3) > 0 {
		g.Due = c.time()
	}
	return tx.SaveGame(*g)
}

func (c *chance) stepMail(tx *store.Tx) error {
	if len(c.mails) > 3 {
		id := c.mails[0]
		c.mails = c.mails[1:]
		switch c.IntN(5) {
		case 0:
			return tx.Sent(id)
		case 1:
			return tx.Retry(id, c.time(), c.text())
		case 2:
			return tx.Fail(id, c.text(), c.time())
		case 3:
			return errors.Join(tx.Fail(id, c.text(), c.time()), tx.Requeue(id, c.time()))
		case 4:
			return errors.Join(tx.Fail(id, c.text(), c.time()), tx.DropFailed(id))
		}
	}
	id, err := tx.Queue(store.Outgoing{To: c.text(), MessageID: c.text(), Data: c.bytes(), Player: c.player(), Queued: c.time()})
	c.mails = append(c.mails, id)
	return err
}
