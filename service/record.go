package service

import (
	"strings"
	"time"

	"pbem/game"
	"pbem/notation"
	"pbem/rules"
	"pbem/templates"
)

// record sends the moves of a game as a record that other programs read.
func (c *conversation) record(args, _ string) error {
	rest := strings.TrimSpace(gameNumber.ReplaceAllString(args, ""))
	format, known := notation.FormatByName(rest)
	if rest == "" {
		format, known = notation.HodgesText, true
	}
	if !known {
		c.say(templates.BadRecord{Format: rest})
		return nil
	}
	ok, err := c.needGameOf(strings.TrimSpace(strings.TrimSuffix(args, rest)), "record")
	if err != nil || !ok {
		return err
	}
	r, err := c.recordOf(c.game)
	if err != nil {
		return err
	}
	text, lost, err := notation.WriteRecord(format, r)
	if err != nil {
		c.say(templates.BadRecord{Format: rest, Why: err.Error()})
		return nil
	}
	text = "  " + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n  ")
	c.say(templates.Record{Game: c.game.ID.String(), Text: text, Lost: lost})
	return nil
}

// recordOf is g as package notation writes it.
func (c *conversation) recordOf(g game.Game) (notation.Record, error) {
	r := notation.Record{Variant: g.Start().Variant(), Start: g.Start(), End: g.End}
	for side, id := range g.Players {
		p, err := c.player(id)
		if err != nil {
			return r, err
		}
		tag := notation.TagBlack
		if rules.Color(side) == rules.White {
			tag = notation.TagWhite
		}
		r.Tags = append(r.Tags, notation.Tag{Name: tag, Value: p.Name})
	}
	r.Tags = append(r.Tags,
		notation.Tag{Name: notation.TagEvent, Value: "Game " + g.ID.String()},
		notation.Tag{Name: notation.TagSite, Value: c.env.Settings.Name},
		notation.Tag{Name: notation.TagDate, Value: g.Started.Format("2006/01/02")})
	if g.Terms.Clock.Limited() {
		r.Tags = append(r.Tags, notation.Tag{Name: notation.TagTime, Value: g.Terms.Clock.String()})
	}
	last := g.Started
	for _, p := range g.Plies() {
		r.Moves = append(r.Moves, notation.Ply{Move: p.Move, Spent: max(0, p.At.Sub(last)).Truncate(time.Second)})
		last = p.At
	}
	if foul := foulText(g); foul != "" { // the formats name the end only, and leave the rest to a remark
		note := &r.Note
		if n := len(r.Moves); n > 0 {
			note = &r.Moves[n-1].Comment
		}
		*note = "Illegal move: " + foul
	}
	return r, nil
}
