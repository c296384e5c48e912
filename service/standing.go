package service

import (
	"time"

	"pbem/game"
)

// stands reports whether the clock of g is to stand now: the game is paused by
// agreement, or one of its players is on vacation or out of reach.
func (c *conversation) stands(g game.Game) (bool, error) {
	if g.Paused || g.Over() {
		return true, nil
	}
	for _, id := range g.Players {
		p, err := c.player(id)
		if err != nil {
			return false, err
		}
		if p.Away(c.env.Now) || p.OutOfReach() {
			return true, nil
		}
	}
	return false, nil
}

// stopClock returns g with its clock standing from t on. Of a time that is
// over, nothing more is used.
func stopClock(g game.Game, t time.Time) game.Game {
	if !g.Fallen.IsZero() && t.After(g.Fallen) {
		t = g.Fallen
	}
	g.Clock = g.Clock.Stop(t)
	return g
}

// startClock returns g with its clock running from t on, unless there is
// another reason for it to stand; runs says which. Where the time of the one
// to move was over, the opponent has as long as before to claim the game.
func (c *conversation) startClock(g game.Game, t time.Time) (started game.Game, runs bool, err error) {
	stands, err := c.stands(g)
	if err != nil || stands {
		return g, false, err
	}
	for _, id := range g.Players { // whose vacation has ended meanwhile, though nobody has looked yet
		p, err := c.player(id)
		if err != nil {
			return g, false, err
		}
		if p.Away(t) {
			t = p.Leave.Until
		}
	}
	if !g.Clock.Running() && !g.Fallen.IsZero() {
		g.Fallen = t
	}
	g.Clock = g.Clock.Start(t)
	return g, true, nil
}
