package service

import (
	"fmt"
	"strings"
	"time"

	"pbem/clock"
	"pbem/game"
	"pbem/player"
	"pbem/templates"
)

// controlText says a time control in words.
func controlText(k clock.Control) string {
	var text string
	switch {
	case !k.Limited():
		return "no time limit"
	case k.Each:
		text = spanText(k.Bank) + " for each move"
	case k.Moves > 0:
		text = fmt.Sprintf("%d moves in %s, never more than %s", k.Moves, spanText(k.Bank), spanText(k.Cap))
	case k.Periods > 0 && k.Bank == 0:
		text = fmt.Sprintf("%d periods of %s", k.Periods, spanText(k.Period))
	case k.Periods > 0:
		text = fmt.Sprintf("%s, then %d periods of %s", spanText(k.Bank), k.Periods, spanText(k.Period))
	default:
		text = fmt.Sprintf("%s, %s more after each move", spanText(k.Bank), spanText(k.Increment))
		if k.Cap > 0 {
			text += ", never more than " + spanText(k.Cap)
		}
	}
	if k.Double > 0 {
		text += fmt.Sprintf(", what a move takes beyond %s counts twice", spanText(k.Double))
	}
	if k.Weekends {
		text += ", weekends off"
	}
	return text
}

// clockRules explains a time control in sentences.
func clockRules(k clock.Control) []string {
	if !k.Limited() {
		return []string{"There is no limit. Reminders come all the same."}
	}
	rules := []string{"Your time runs from the moment your opponent's move has been sent to you until your own mail arrives here. Only the one to move loses time."}
	switch {
	case k.Each:
		rules = append(rules, fmt.Sprintf("You have %s for each move; what is left over is not kept.", spanText(k.Bank)))
	case k.Moves > 0:
		rules = append(rules, fmt.Sprintf("After every %d moves of yours %s are added to what you have left, but never above %s.", k.Moves, spanText(k.Bank), spanText(k.Cap)))
	case k.Periods > 0:
		rules = append(rules, fmt.Sprintf("When the main time is used up, %d periods of %s begin. A move made within a period costs nothing; each period that passes in full is lost, and with the last one the game.", k.Periods, spanText(k.Period)))
	default:
		rules = append(rules, fmt.Sprintf("After each of your moves %s are added to what you have left.", spanText(k.Increment)))
		if k.Cap > 0 {
			rules = append(rules, fmt.Sprintf("You can never have more than %s.", spanText(k.Cap)))
		}
	}
	if k.Double > 0 {
		rules = append(rules, fmt.Sprintf("What one move takes beyond %s is charged twice.", spanText(k.Double)))
	}
	if k.Weekends {
		rules = append(rules, "Saturdays and Sundays, in the time zone of the one to move, are free.")
	}
	return append(rules, "While this service is away, nobody's time runs.")
}

// spanText says a length of time in days and hours, or in minutes if there is
// no hour in it.
func spanText(d time.Duration) string {
	d = d.Truncate(time.Minute)
	days, hours := int(d/day), int(d%day/time.Hour)
	var parts []string
	if days > 0 {
		parts = append(parts, count(days, "day"))
	}
	if hours > 0 {
		parts = append(parts, count(hours, "hour"))
	}
	if len(parts) == 0 {
		return count(int(d/time.Minute), "minute")
	}
	return strings.Join(parts, " ")
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// moment says a time as p's calendar and clock show it.
func moment(t time.Time, p player.Player) string {
	name := zoneText(p.Settings.Zone)
	if i := strings.LastIndex(name, "/"); i >= 0 {
		name = name[i+1:] + " time"
	}
	return t.In(p.Zone()).Format("Mon 2 January, 15:04 ") + name
}

// clockLine says the time both players of g have, as reader sees it.
func (c *conversation) clockLine(g game.Game, names [2]string, reader player.Player) string {
	if !g.Clock.Control.Limited() || g.Over() {
		return ""
	}
	var parts []string
	for _, side := range []int{g.Clock.Turn, 1 - g.Clock.Turn} {
		text := names[side] + " " + leftText(g.Clock.Remaining(side, c.env.Now))
		if side == g.Clock.Turn {
			text += c.untilText(g, reader)
		}
		parts = append(parts, text)
	}
	return "Time left: " + strings.Join(parts, "; ") + "."
}

func (c *conversation) untilText(g game.Game, reader player.Player) string {
	falls, ok := g.Clock.Falls()
	switch {
	case !g.Clock.Running():
		return " (the clock is stopped)"
	case !ok:
		return ""
	case c.env.Now.Before(falls):
		return ", until " + moment(falls, reader)
	}
	return " since " + moment(falls, reader)
}

func leftText(s clock.Side) string {
	text := spanText(s.Left)
	if s.Left <= 0 {
		text = "none"
	}
	if s.Periods > 0 {
		text += " and " + count(s.Periods, "period")
	}
	return text
}

// explain spells out the arithmetic of a game's clock.
func (c *conversation) explain(args, _ string) error {
	topic, rest, _ := strings.Cut(args, " ")
	if topic == "strict" {
		return c.explainStrict(rest)
	}
	if topic != "clock" && topic != "time" && topic != "clocks" {
		return c.help(topic, "")
	}
	ok, err := c.needGameOf(rest, "explain clock")
	if err != nil || !ok {
		return err
	}
	g := c.game
	opponent, err := c.opponent(g)
	if err != nil {
		return err
	}
	e := templates.ExplainClock{Game: g.ID.String(), Control: controlText(g.Clock.Control), Rules: clockRules(g.Clock.Control)}
	names := c.names(g, c.who, opponent)
	for side, name := range names {
		row := name + ": " + leftText(g.Clock.Remaining(side, c.env.Now)) + " left"
		if side == g.Clock.Turn && !g.Over() {
			row += ", " + spanText(g.Clock.Spent(c.env.Now)) + " used on this move"
		}
		e.Rows = append(e.Rows, row)
	}
	c.sayOf(g.ID, e)
	return nil
}
