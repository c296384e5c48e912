package service

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"pbem/game"
	"pbem/ladder"
	"pbem/player"
	"pbem/rules"
	"pbem/templates"
)

// minRated is how many plies a game must have to be rated: one that is given up
// at once says nothing of strength.
const minRated = 4

// count puts the end of g into the scores of both players and, if it can be
// rated, into their ratings.
func (c *conversation) count(g game.Game) (game.Game, error) {
	var players [2]player.Player
	for side, id := range g.Players {
		p, err := c.player(id)
		if err != nil {
			return g, err
		}
		players[side] = p
	}
	for side := range players {
		players[side].Score = counted(players[side].Score, g.End, rules.Color(side))
	}
	offset, known := ladder.Offset(g.Terms.Handicap)
	if known && g.Ply() >= minRated {
		variant := g.Terms.Variant
		black, white := players[0].Rating(variant, c.env.Now), players[1].Rating(variant, c.env.Now)
		newBlack, newWhite := ladder.Rate(black, white, blackScore(g.End.Outcome), offset, c.env.Now)
		g.Gains = [2]float64{newBlack.Value - black.Value, newWhite.Value - white.Value}
		players[0], players[1] = players[0].WithRating(variant, newBlack), players[1].WithRating(variant, newWhite)
	}
	for _, p := range players {
		c.keepPlayer(p)
	}
	g.Counted = true
	return g, nil
}

// blackScore is what Black made of a game.
func blackScore(o rules.Outcome) float64 {
	switch o {
	case rules.BlackWins:
		return 1
	case rules.WhiteWins:
		return 0
	}
	return 0.5
}

// counted returns the score of who played side, after a game with that end.
func counted(s player.Score, end rules.End, side rules.Color) player.Score {
	switch end.Outcome {
	case rules.Draw:
		s.Drawn++
	case rules.Win(side):
		s.Won++
	default:
		s.Lost++
		if end.Cause == game.Time {
			s.TimeLosses++
		}
	}
	return s
}

// gainText says what the end of g did to the rating of reader; "" if it was
// not rated.
func (c *conversation) gainText(g game.Game, reader player.Player) string {
	side, ok := g.Side(reader.ID)
	if !ok || g.Gains == [2]float64{} {
		return ""
	}
	p, err := c.player(reader.ID)
	if err != nil {
		return ""
	}
	return fmt.Sprintf("%s (%+.0f)", ratingText(p.Rating(g.Terms.Variant, c.env.Now)), g.Gains[side])
}

// ratingText says a rating in points and as a grade; a question mark says that
// it rests on few games.
func ratingText(r ladder.Rating) string {
	text := fmt.Sprintf("%.0f", math.Round(r.Value))
	if r.Provisional() {
		text += "?"
	}
	return text + ", " + ladder.Grade(r.Value)
}

// rating shows the rating of a player, and of all who play the variant.
func (c *conversation) rating(args, _ string) error {
	p, ok, err := c.somebody(args)
	if err != nil || !ok {
		return err
	}
	r := templates.Rating{Name: p.Name, Own: p.ID == c.who.ID, Games: p.Score.Games(), Won: p.Score.Won, Lost: p.Score.Lost,
		Drawn: p.Score.Drawn, OnTime: fmt.Sprintf("%.0f %%", 100*p.Score.Reliability())}
	for _, variant := range slices.Sorted(maps.Keys(p.Ratings)) {
		rating := p.Rating(variant, c.env.Now)
		v, _ := rules.ByName(variant)
		title := variant
		if v != nil {
			title = v.Title
		}
		r.Rows = append(r.Rows, fmt.Sprintf("%s: %s, %s", title, ratingText(rating), count(rating.Games, "rated game")))
	}
	c.say(r)
	return nil
}

// somebody finds the player that args names, the sender if nobody.
func (c *conversation) somebody(args string) (player.Player, bool, error) {
	name := strings.Trim(args, " .,!\"'“”")
	if name == "" {
		return c.who, true, nil
	}
	p, err := c.st.PlayerByName(name)
	ok, err := found(err)
	if err != nil || ok {
		return p, ok, err
	}
	return p, false, c.noPlayer(name)
}

// history lists the games of a player that are over, the latest first.
func (c *conversation) history(args, _ string) error {
	p, ok, err := c.somebody(args)
	if err != nil || !ok {
		return err
	}
	ended, err := c.st.EndedGamesOf(p.ID, maxHistory)
	if err != nil {
		return err
	}
	h := templates.History{Name: p.Name, Own: p.ID == c.who.ID}
	for _, g := range ended {
		other, err := c.player(g.Opponent(p.ID))
		if err != nil {
			return err
		}
		result := "drawn"
		if side, _ := g.Side(p.ID); g.End.Outcome == rules.Win(side) {
			result = "won"
		} else if g.End.Outcome != rules.Draw {
			result = "lost"
		}
		h.Rows = append(h.Rows, fmt.Sprintf("%s %s %s against %s, %s %s, %d moves", g.Ended.In(c.who.Zone()).Format("2006-01-02"),
			g.ID, cmp.Or(g.Terms.Handicap, "even"), other.Name, result, causeText(g.End.Cause), g.Ply()))
	}
	c.say(h)
	return nil
}

// maxHistory is how many games one answer lists.
const maxHistory = 30

// suggestion says which handicap two players should play, by their ratings; ""
// if none is called for, or too little is known.
func (c *conversation) suggestion(other player.Player, t game.Terms) string {
	if t.Variant != rules.Shogi().Name || t.Handicap != "" {
		return ""
	}
	mine, theirs := c.who.Rating(t.Variant, c.env.Now), other.Rating(t.Variant, c.env.Now)
	if mine.Provisional() || theirs.Provisional() {
		return ""
	}
	side := "white"
	if theirs.Value > mine.Value {
		side = "black"
	}
	h := ladder.Suggest(max(mine.Value, theirs.Value), min(mine.Value, theirs.Value))
	if h == "" {
		return ""
	}
	text := fmt.Sprintf("challenge %s as %s handicap %s", other.Name, side, h)
	if t.Strict {
		text += " strict"
	}
	return text
}
