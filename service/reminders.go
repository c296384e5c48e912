package service

import (
	"slices"
	"time"

	"pbem/game"
	"pbem/player"
	"pbem/templates"
)

// lastCall is how little time is left when a player is told whatever the hour.
const lastCall = 6 * time.Hour

// reminderTimes are the moments at which p is to be reminded of the present
// move of g, in order: by p's own plan, or where there is no limit after the
// operator's wait, twice and four times as long.
func (c *conversation) reminderTimes(g game.Game, p player.Player) []time.Time {
	var times []time.Time
	falls, limited := g.Clock.Falls()
	if !limited {
		if wait := c.env.Settings.RemindAfter; wait > 0 && !g.Clock.Control.Limited() && len(p.Plan()) > 0 {
			for i := range 3 {
				times = append(times, g.LastAt().Add(wait<<i))
			}
		}
		return times
	}
	for _, r := range p.Plan() {
		at := falls.Add(-r.Left)
		if r.Half {
			at, _ = g.Clock.Half()
		}
		if at.After(g.Clock.Since) || g.Clock.Used > 0 {
			times = append(times, at)
		}
	}
	slices.SortFunc(times, time.Time.Compare)
	return slices.Compact(times)
}

// reminderDue returns when the one to move is next reminded; zero if not at
// all. Nobody is woken at night or told twice a day, but for the last call.
func (c *conversation) reminderDue(g game.Game) (time.Time, error) {
	if g.Over() || g.Paused || !g.Fallen.IsZero() {
		return time.Time{}, nil
	}
	p, err := c.player(g.Turn())
	if err != nil || p.Away(c.env.Now) || p.OutOfReach() {
		return time.Time{}, err
	}
	times := c.reminderTimes(g, p)
	if g.Reminded >= len(times) {
		return time.Time{}, nil
	}
	due := times[g.Reminded]
	falls, limited := g.Clock.Falls()
	urgent := limited && falls.Sub(due) <= lastCall
	if !urgent {
		if next := p.Reminded.Add(day); !p.Reminded.IsZero() && due.Before(next) {
			due = next
		}
		if due.Before(c.env.Now) { // the service was away
			due = c.env.Now
		}
		due = p.Awake(due)
	}
	return due, nil
}

// remind tells the player whose move is due, with the other games that wait
// for him in the same mail.
func (c *conversation) remind(g game.Game) error {
	p, err := c.player(g.Turn())
	if err != nil {
		return err
	}
	c.who = p
	opponent, err := c.opponent(g)
	if err != nil {
		return err
	}
	passed := 0
	for _, t := range c.reminderTimes(g, p) {
		if !t.After(c.env.Now) {
			passed++
		}
	}
	waiting := g.LastAt()
	g.Reminded = max(g.Reminded+1, passed) // after a long silence of ours: not all of them at once
	p.Reminded = c.env.Now
	c.keepPlayer(p)
	if err := c.keep(g); err != nil {
		return err
	}
	r := templates.Reminder{Game: g.ID.String(), Opponent: opponent.Name, Since: waiting.In(p.Zone()).Format("2 January")}
	if falls, ok := g.Clock.Falls(); ok {
		r.Left, r.Until = spanText(falls.Sub(c.env.Now)), moment(falls, p)
	}
	if r.Others, err = c.otherTurns(g.ID); err != nil {
		return err
	}
	c.note(false, "player reminded", "game", uint64(g.ID), "player", uint64(p.ID))
	return c.post(letter{to: p, game: g.ID, parts: []any{r}})
}

// otherTurns describes the other games in which it is the sender's move.
func (c *conversation) otherTurns(but game.ID) ([]string, error) {
	games, err := c.st.GamesOf(c.who.ID)
	if err != nil {
		return nil, err
	}
	games = slices.DeleteFunc(games, func(g game.Game) bool { return g.ID == but || g.Turn() != c.who.ID })
	return c.gameRows(games)
}
