package service

import (
	"fmt"
	"time"

	"pbem/game"
	"pbem/mailer"
	"pbem/player"
	"pbem/templates"
)

// tickLimit is how many due records one tick handles, so that a transaction
// stays small; the next tick takes the rest.
const tickLimit = 200

// Tick does what is due at env.Now: reminders, and the end of challenges and
// held messages whose time is over. Its cost is that of what is due.
func Tick(st State, env Env) (Result, error) {
	w, err := newWorking(st)
	if err != nil {
		return Result{}, err
	}
	due, err := st.Due(env.Now, tickLimit)
	if err != nil {
		return Result{}, fmt.Errorf("find what is due: %w", err)
	}
	var r Result
	for _, d := range due {
		c := newConversation(mailer.Message{}, w, env)
		if err := c.tick(d); err != nil {
			return Result{}, fmt.Errorf("tick of game %d, challenge %d, held %d, player %d: %w", d.Game, d.Challenge, d.Held, d.Player, err)
		}
		c.collect()
		w.note(c.result)
		r.add(c.result)
	}
	return r, nil
}

func (r *Result) add(o Result) {
	r.Players = append(r.Players, o.Players...)
	r.Games = append(r.Games, o.Games...)
	r.DropChallenges = append(r.DropChallenges, o.DropChallenges...)
	r.DropHeld = append(r.DropHeld, o.DropHeld...)
	r.Mails = append(r.Mails, o.Mails...)
	r.Notes = append(r.Notes, o.Notes...)
	r.Excesses = append(r.Excesses, o.Excesses...)
}

func (c *conversation) tick(d game.Due) error {
	switch {
	case d.Game != 0:
		return c.tickGame(d.Game)
	case d.Challenge != 0:
		return c.expire(d.Challenge)
	case d.Player != 0:
		return c.tickPlayer(d.Player)
	case d.Held != 0:
		c.result.DropHeld = append(c.result.DropHeld, player.HeldID(d.Held))
	}
	return nil
}

// tickGame does what is due in a game: its flag has fallen, an offer has
// expired, or the one to move is to be reminded.
func (c *conversation) tickGame(id game.ID) error {
	g, err := c.st.Game(id)
	if err != nil {
		return err
	}
	if g, err = c.expireOffers(g); err != nil {
		return err
	}
	remind, err := c.reminderDue(g)
	if err != nil {
		return err
	}
	falls, limited := g.Clock.Falls()
	switch {
	case g.Over():
	case g.Pending.By != 0 && !c.env.Now.Before(g.Pending.Until):
		return c.release(g)
	case g.Pending.By != 0: // the move came in time
	case limited && !c.env.Now.Before(falls):
		return c.flag(g, falls)
	case !remind.IsZero() && !c.env.Now.Before(remind):
		return c.remind(g)
	}
	return c.keep(g) // its clock may have rested since this was due
}

// nextDue returns when g next asks for attention: for a reminder, for its
// flag, for a flag that fell and is claimed by itself, or for an offer.
func (c *conversation) nextDue(g game.Game) (time.Time, error) {
	var due time.Time
	for _, o := range g.Offers {
		due = soonest(due, o.Expires)
	}
	if g.Over() {
		return due, nil
	}
	if g.Pending.By != 0 {
		return soonest(due, g.Pending.Until), nil
	}
	if !g.Fallen.IsZero() {
		if !g.Patient && g.Clock.Running() {
			due = soonest(due, g.Fallen.Add(c.env.Settings.ClaimAfter))
		}
		return due, nil
	}
	if falls, ok := g.Clock.Falls(); ok {
		due = soonest(due, falls)
	}
	remind, err := c.reminderDue(g)
	return soonest(due, remind), err
}

// soonest returns the earlier of two times; a zero one is never.
func soonest(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// expire ends a challenge that nobody answered.
func (c *conversation) expire(id game.ChallengeID) error {
	ch, err := c.st.Challenge(id)
	if err != nil {
		return err
	}
	from, err := c.st.Player(ch.From)
	if err != nil {
		return err
	}
	to, err := c.st.Player(ch.To)
	if err != nil {
		return err
	}
	c.result.DropChallenges = append(c.result.DropChallenges, id)
	return c.post(letter{to: from, parts: []any{templates.ChallengeExpired{Opponent: to.Name}}})
}

// sizeText says a number of bytes for people.
func sizeText(n int64) string {
	if n >= 1<<20 {
		return fmt.Sprintf("%.1f MB", float64(n)/(1<<20))
	}
	return fmt.Sprintf("%d kB", (n+1023)/1024)
}
