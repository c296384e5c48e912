package service

import (
	"strings"
	"time"

	"pbem/game"
	"pbem/player"
	"pbem/templates"
)

// vacation takes, ends or shows the sender's vacation.
func (c *conversation) vacation(args, _ string) error {
	p := c.who
	switch word := strings.ToLower(strings.Trim(args, " .")); word {
	case "":
		c.say(c.leaveState())
		return nil
	case "off", "end", "over", "back", "cancel":
		return c.comeBack(p)
	}
	from, until, ok := parseLeave(args, c.env.Now.In(p.Zone()))
	if !ok {
		c.say(templates.BadLeave{Text: args})
		return nil
	}
	away := p
	p = p.Return(c.env.Now) // a vacation taken anew replaces the old one
	if need, have := until.Sub(from), p.Earned(c.env.Now); need > have {
		c.say(templates.LittleLeave{Asked: dayText(need), Earned: dayText(have.Truncate(day))})
		return nil
	}
	c.keepPlayer(p)
	if err := c.stopLeave(away); err != nil {
		return err
	}
	p = p.Take(from, until, c.env.Now)
	c.keepPlayer(p)
	c.note(false, "vacation taken", "player", uint64(p.ID), "from", from, "until", until)
	if p.Away(c.env.Now) {
		if err := c.startLeave(p); err != nil {
			return err
		}
	}
	c.say(templates.LeaveTaken{From: moment(from, p), Until: moment(until, p), Left: dayText(p.Earned(c.env.Now).Truncate(day)), EndsByMove: p.Settings.MoveEndsLeave})
	return nil
}

// comeBack ends the vacation of p.
func (c *conversation) comeBack(p player.Player) error {
	if p.Leave.From.IsZero() {
		c.say(c.leaveState())
		return nil
	}
	back := p.Return(c.env.Now)
	c.keepPlayer(back)
	if err := c.stopLeave(p); err != nil {
		return err
	}
	c.say(c.leaveState())
	return nil
}

func (c *conversation) leaveState() templates.LeaveState {
	p := c.who
	s := templates.LeaveState{Earned: dayText(p.Earned(c.env.Now).Truncate(day))}
	if !p.Leave.From.IsZero() {
		s.From, s.Until = moment(p.Leave.From, p), moment(p.Leave.Until, p)
	}
	return s
}

// dayText says a length of time in whole days.
func dayText(d time.Duration) string { return count(int((d+day-1)/day), "day") }

// startLeave stops the games of p, who is away from now on, and tells the
// opponents.
func (c *conversation) startLeave(p player.Player) error {
	return c.eachGame(p, func(g game.Game, opponent player.Player) error {
		if err := c.keep(stopClock(g, p.Leave.From)); err != nil {
			return err
		}
		return c.post(letter{to: opponent, game: g.ID, parts: []any{templates.OpponentAway{
			Game: g.ID.String(), Opponent: p.Name, Until: moment(p.Leave.Until, opponent)}}})
	})
}

// stopLeave lets the games of p go on that nothing else stops. What p was away
// from is in p.Leave still; the player as noted has returned.
func (c *conversation) stopLeave(p player.Player) error {
	end := p.Leave.Until
	if c.env.Now.Before(end) {
		end = c.env.Now
	}
	if p.Leave.From.IsZero() || end.Before(p.Leave.From) {
		return nil
	}
	return c.eachGame(p, func(g game.Game, opponent player.Player) error {
		g, runs, err := c.startClock(g, end)
		if err != nil || !runs {
			return err
		}
		if err := c.keep(g); err != nil {
			return err
		}
		return c.post(letter{to: opponent, game: g.ID, parts: []any{templates.OpponentBack{
			Game: g.ID.String(), Opponent: p.Name}}})
	})
}

// eachGame does something to every running game of p.
func (c *conversation) eachGame(p player.Player, do func(game.Game, player.Player) error) error {
	games, err := c.st.GamesOf(p.ID)
	if err != nil {
		return err
	}
	meant, ply := c.game, c.ply
	c.ply = -1
	for _, g := range games {
		if changed, ok := c.changed[g.ID]; ok {
			g = changed
		}
		if g.Over() {
			continue
		}
		opponent, err := c.player(g.Opponent(p.ID))
		if err != nil {
			return err
		}
		if err := do(g, opponent); err != nil {
			return err
		}
	}
	c.game, c.ply = meant, ply
	if changed, ok := c.changed[meant.ID]; ok {
		c.game = changed
	}
	return nil
}

// spendLeave keeps the flag of the one to move from falling by a day of earned
// vacation, if there is one.
func (c *conversation) spendLeave(g game.Game, falls time.Time) (bool, error) {
	p, err := c.player(g.Turn())
	if err != nil || p.Earned(c.env.Now) < day {
		return false, err
	}
	opponent, err := c.player(g.Opponent(p.ID))
	if err != nil {
		return false, err
	}
	p = p.Spend(day, c.env.Now)
	c.keepPlayer(p)
	g.Clock = g.Clock.Rest(falls, later(falls, c.env.Now).Add(day))
	if err := c.keep(g); err != nil {
		return false, err
	}
	until, _ := g.Clock.Falls()
	c.note(false, "vacation used for a flag", "game", uint64(g.ID), "player", uint64(p.ID))
	left := dayText(p.Earned(c.env.Now).Truncate(day))
	if err := c.post(letter{to: p, game: g.ID, parts: []any{templates.LeaveUsed{
		Game: g.ID.String(), Opponent: opponent.Name, Until: moment(until, p), Left: left}}}); err != nil {
		return false, err
	}
	return true, c.post(letter{to: opponent, game: g.ID, parts: []any{templates.LeaveUsedOpponent{
		Game: g.ID.String(), Opponent: p.Name, Until: moment(until, opponent)}}})
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// nextPlayerDue returns when p next asks for attention.
func (c *conversation) nextPlayerDue(p player.Player) time.Time {
	var due time.Time
	if l := p.Leave; !l.From.IsZero() {
		due = l.Until
		if c.env.Now.Before(l.From) {
			due = l.From
		}
	}
	if digest, ok := p.DigestAfter(c.env.Now); ok {
		due = soonest(due, digest)
	}
	return soonest(due, p.NextProbe())
}

// tickPlayer does what is due for a player: a vacation begins or ends, or the
// digest is to be written.
func (c *conversation) tickPlayer(id player.ID) error {
	p, err := c.st.Player(id)
	if err != nil {
		return err
	}
	c.who = p
	due := p.Due
	if l := p.Leave; !l.From.IsZero() && !due.Before(l.From) {
		if due.Before(l.Until) {
			err = c.startLeave(p)
		}
		if err == nil && !c.env.Now.Before(l.Until) {
			p = p.Return(c.env.Now)
			c.keepPlayer(p)
			old := p
			old.Leave = l
			err = c.stopLeave(old)
		}
		if err != nil {
			return err
		}
	}
	c.keepPlayer(p)
	if probeDue(p, c.env.Now) {
		if err := c.probe(p); err != nil {
			return err
		}
	}
	if digest, ok := p.DigestAfter(due.Add(-time.Second)); ok && digest.Equal(due) {
		return c.digest(p)
	}
	return nil
}

// digest writes to p of all games in which it is p's move, in one mail.
func (c *conversation) digest(p player.Player) error {
	games, err := c.st.GamesOf(p.ID)
	if err != nil {
		return err
	}
	l := letter{to: p}
	var d templates.Digest
	for _, g := range games {
		if g.Turn() != p.ID {
			continue
		}
		rows, err := c.gameRows([]game.Game{g})
		if err != nil {
			return err
		}
		d.Games = append(d.Games, rows...)
		if d.Example == "" {
			d.Example = g.ID.String() + " " + example(g.Position())
		}
		if len(l.more) < maxBoards {
			l.more = append(l.more, g.ID)
		}
	}
	if len(d.Games) == 0 {
		return nil
	}
	d.Count = len(d.Games)
	l.parts = []any{d}
	return c.post(l)
}

// maxBoards is how many boards one digest shows.
const maxBoards = 10
