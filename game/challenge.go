package game

import (
	"time"

	"pbem/player"
	"pbem/rules"
)

// ChallengeID numbers a challenge from 1. The zero value is none.
type ChallengeID uint64

// Challenge is an offer of a game that waits for its answer.
type Challenge struct {
	ID       ChallengeID
	From, To player.ID
	Side     Side // the side From wishes to play
	Terms    Terms
	Made     time.Time // UTC
	Expires  time.Time // UTC
	Threads  [2]Thread // the mails about it that From, then To, got; the game goes on in them
}

// Side is the side a challenger wishes. The zero value leaves it to the draw.
type Side uint8

const (
	AnySide Side = iota
	AsBlack
	AsWhite
)

// Accept returns the game that the challenge becomes. draw decides the sides
// where the challenger left them open: true makes him Black.
func (c Challenge) Accept(id ID, draw bool, now time.Time) (Game, error) {
	black, white := c.From, c.To
	threads := c.Threads
	if c.Side == AsWhite || c.Side == AnySide && !draw {
		black, white = white, black
		threads[rules.Black], threads[rules.White] = c.Threads[1], c.Threads[0]
	}
	g, err := New(id, black, white, c.Terms, now)
	g.Threads = threads
	return g, err
}
