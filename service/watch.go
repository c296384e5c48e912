package service

import (
	"slices"
	"strconv"
	"strings"

	"pbem/game"
	"pbem/player"
	"pbem/templates"
)

// maxWatchers is how many may watch one game: each move is a mail to all.
const maxWatchers = 50

// watch lets the sender see the moves of a game he does not play.
func (c *conversation) watch(args, _ string) error {
	g, ok, err := c.anyGame(args)
	if err != nil || !ok {
		return err
	}
	name := g.ID.String()
	_, plays := g.Side(c.who.ID)
	why := ""
	switch {
	case plays:
		why = "you play in it"
	case g.Over():
		why = "it is over"
	case len(g.Watchers) >= maxWatchers:
		why = "too many watch it already"
	}
	if why != "" {
		c.say(templates.CannotWatch{Game: name, Why: why})
		return nil
	}
	if !slices.Contains(g.Watchers, c.who.ID) {
		g.Watchers = append(slices.Clone(g.Watchers), c.who.ID)
		if err := c.keep(g); err != nil {
			return err
		}
	}
	c.sayOf(g.ID, templates.Watching{Game: name})
	c.game = game.Game{}
	return nil
}

// unwatch ends that.
func (c *conversation) unwatch(args, _ string) error {
	g, ok, err := c.anyGame(args)
	if err != nil || !ok {
		return err
	}
	g.Watchers = slices.DeleteFunc(slices.Clone(g.Watchers), func(id player.ID) bool { return id == c.who.ID })
	if err := c.keep(g); err != nil {
		return err
	}
	c.game = game.Game{}
	c.say(templates.Unwatched{Game: g.ID.String()})
	return nil
}

// anyGame finds a game by its number, whoever plays it.
func (c *conversation) anyGame(args string) (game.Game, bool, error) {
	n, err := strconv.ParseUint(strings.Trim(args, " #＃.!"), 10, 64)
	if err != nil {
		c.say(templates.WatchWhich{})
		return game.Game{}, false, nil
	}
	g, err := c.gameNow(game.ID(n))
	if ok, err := found(err); err != nil || !ok {
		c.say(templates.CannotWatch{Game: game.ID(n).String(), Why: "there is no game of that number"})
		return game.Game{}, false, err
	}
	return g, true, nil
}

// tellWatchers shows the moves of g, or its end, to those who watch it. What
// the players write to each other stays between them.
func (c *conversation) tellWatchers(g game.Game, steps []step) error {
	if len(g.Watchers) == 0 {
		return nil
	}
	var names [2]string
	for side, id := range g.Players {
		p, err := c.player(id)
		if err != nil {
			return err
		}
		names[side] = p.Name
	}
	w := templates.Watched{Game: g.ID.String(), Black: names[0], White: names[1]}
	for _, s := range steps {
		side, _ := g.Side(s.by)
		w.Moves = append(w.Moves, names[side]+" "+s.text)
	}
	if g.Over() {
		w.Result = resultText(g, names)
	}
	for _, id := range g.Watchers {
		p, err := c.player(id)
		if err != nil {
			return err
		}
		if err := c.post(letter{to: p, game: g.ID, parts: []any{w}}); err != nil {
			return err
		}
	}
	return nil
}
