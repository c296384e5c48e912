package service

import (
	"errors"
	"regexp"
	"strconv"
	"strings"
	"time"

	"pbem/clock"
	"pbem/game"
	"pbem/player"
	"pbem/templates"
)

// retryFlag is how soon a flag is looked at again that could not fall because
// mail may lie unread.
const retryFlag = 10 * time.Minute

// flag looks at the clock of g, whose flag should have fallen. In a casual
// game the opponent decides what comes of it, for a while; later it is claimed
// for him. No flag falls while mail may lie unread that arrived before.
func (c *conversation) flag(g game.Game, falls time.Time) error {
	if c.env.ReadTo.Before(falls) {
		g.Due = c.env.Now.Add(retryFlag)
		c.changed[g.ID] = g
		return nil
	}
	if !g.Fallen.IsZero() {
		return c.timeOut(g)
	}
	if spent, err := c.spendLeave(g, falls); err != nil || spent {
		return err
	}
	return c.flagFell(g, falls)
}

// flagFell tells both that the time of the one to move is over.
func (c *conversation) flagFell(g game.Game, falls time.Time) error {
	g.Fallen = falls
	if err := c.keep(g); err != nil {
		return err
	}
	loser, err := c.player(g.Turn())
	if err != nil {
		return err
	}
	winner, err := c.player(g.Opponent(loser.ID))
	if err != nil {
		return err
	}
	until := falls.Add(c.env.Settings.ClaimAfter)
	c.note(false, "flag fell", "game", uint64(g.ID), "player", uint64(loser.ID))
	if err := c.post(letter{to: loser, game: g.ID, parts: []any{templates.FlagFell{
		Game: g.ID.String(), Opponent: winner.Name, Until: moment(until, loser)}}}); err != nil {
		return err
	}
	return c.post(letter{to: winner, game: g.ID, parts: []any{templates.FlagFellOpponent{
		Game: g.ID.String(), Opponent: loser.Name, Until: moment(until, winner)}}})
}

// timeOut ends g on time and tells both.
func (c *conversation) timeOut(g game.Game) error {
	loser, err := c.player(g.Turn())
	if err != nil {
		return err
	}
	winner, err := c.player(g.Opponent(loser.ID))
	if err != nil {
		return err
	}
	if g, err = g.TimeOut(c.env.Now); err != nil {
		return err
	}
	if err := c.keep(g); err != nil {
		return err
	}
	c.note(false, "game lost on time", "game", uint64(g.ID), "player", uint64(loser.ID))
	result := resultText(g, c.names(g, winner, loser))
	for _, to := range []player.Player{loser, winner} {
		other := winner
		if to.ID == winner.ID {
			other = loser
		}
		if err := c.post(letter{to: to, game: g.ID, reply: to.ID == c.who.ID && c.msg.MessageID != "", parts: []any{
			templates.Ended{Game: g.ID.String(), Opponent: other.Name, Result: result, Rating: c.gainText(g, to)}}}); err != nil {
			return err
		}
	}
	return nil
}

// names returns the names of both players of g by side.
func (c *conversation) names(g game.Game, a, b player.Player) (names [2]string) {
	for _, p := range []player.Player{a, b} {
		if side, ok := g.Side(p.ID); ok {
			names[side] = p.Name
		}
	}
	return names
}

// fallenGame finds the game whose time-out the sender may decide about.
func (c *conversation) fallenGame(args, command string) (game.Game, player.Player, bool, error) {
	ok, err := c.needGameOf(args, command)
	if err != nil || !ok {
		return game.Game{}, player.Player{}, false, err
	}
	g := c.game
	opponent, err := c.opponent(g)
	if err != nil {
		return g, opponent, false, err
	}
	if g.Fallen.IsZero() || g.Turn() == c.who.ID || g.Over() {
		c.sayOf(g.ID, templates.NoFlag{Game: g.ID.String(), Opponent: opponent.Name})
		return g, opponent, false, nil
	}
	return g, opponent, true, nil
}

// claim ends a game whose time is over.
func (c *conversation) claim(args, note string) error {
	g, opponent, ok, err := c.fallenGame(args, "claim")
	if err != nil || !ok {
		return err
	}
	if g, err = g.TimeOut(c.arrived()); err != nil {
		return err
	}
	if err := c.keep(g); err != nil {
		return err
	}
	c.note(false, "game claimed on time", "game", uint64(g.ID), "player", uint64(c.who.ID))
	_ = opponent
	return c.tell(g, note)
}

// wait lets a game go on whose time is over.
func (c *conversation) wait(args, _ string) error {
	g, opponent, ok, err := c.fallenGame(args, "wait")
	if err != nil || !ok {
		return err
	}
	g.Patient = true
	if err := c.keep(g); err != nil {
		return err
	}
	c.sayOf(g.ID, templates.Patient{Game: g.ID.String(), Opponent: opponent.Name})
	return c.post(letter{to: opponent, game: g.ID,
		parts: []any{templates.PatientOpponent{Game: g.ID.String(), Opponent: c.who.Name}}})
}

// spanWords reads "3 days", "36 hours" or "1 week".
var spanWords = regexp.MustCompile(`^(\d{1,3})\s*(d|days?|h|hours?|w|weeks?)\b`)

func parseSpan(text string) (time.Duration, bool) {
	m := spanWords.FindStringSubmatch(strings.ToLower(strings.TrimSpace(text)))
	if m == nil {
		return 0, false
	}
	n, _ := strconv.Atoi(m[1]) // three digits
	unit := map[byte]time.Duration{'d': day, 'h': time.Hour, 'w': 7 * day}[m[2][0]]
	return time.Duration(n) * unit, n > 0
}

// give gives the opponent time.
func (c *conversation) give(args, _ string) error {
	d, ok := parseSpan(gameNumber.ReplaceAllString(args, ""))
	if !ok {
		c.say(templates.BadSpan{Text: args})
		return nil
	}
	ok, err := c.needGameOf(args, "give "+args)
	if err != nil || !ok {
		return err
	}
	g := c.game
	opponent, err := c.opponent(g)
	if err != nil {
		return err
	}
	if g.Over() || !g.Clock.Control.Limited() {
		c.sayOf(g.ID, templates.NoFlag{Game: g.ID.String(), Opponent: opponent.Name})
		return nil
	}
	side, _ := g.Side(opponent.ID)
	if !g.Fallen.IsZero() && g.Turn() == opponent.ID { // from now on, not from when the flag fell
		g.Clock = g.Clock.Give(int(side), c.env.Now.Sub(g.Fallen))
		g.Fallen, g.Patient = time.Time{}, false
	}
	g.Clock = g.Clock.Give(int(side), d)
	g.Reminded = 0
	if err := c.keep(g); err != nil {
		return err
	}
	c.sayOf(g.ID, templates.Gave{Game: g.ID.String(), Opponent: opponent.Name, Span: spanText(d)})
	return c.post(letter{to: opponent, game: g.ID,
		parts: []any{templates.Given{Game: g.ID.String(), Opponent: c.who.Name, Span: spanText(d)}}})
}

// parseClock reads the words of a challenge that say its time control, from
// behind the word clock on, and how many they are.
func parseClock(words []string) (clock.Control, int, error) {
	var wrong error
	for n := min(4, len(words)); n > 0; n-- {
		k, err := clock.Parse(strings.Trim(strings.Join(words[:n], " "), ","))
		if err == nil {
			return k, n, nil
		}
		wrong = err
	}
	return clock.Control{}, 0, wrong
}

// badClock is the answer to a time control that cannot be had.
func badClock(text string, err error) templates.BadClock {
	why := "it has no form that I know"
	var wrong *clock.Error
	if errors.As(err, &wrong) {
		why = wrong.Why
	}
	return templates.BadClock{Text: text, Why: why}
}
