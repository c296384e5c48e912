package service

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"pbem/game"
	"pbem/notation"
	"pbem/rules"
	"pbem/templates"
)

// foul returns the illegal move by which the sender loses a strict game. It
// asks for more than a move that is played: nobody shall lose by a slip. The
// mail must answer the latest one about this very game, the text must name one
// move in full ([notation.ImpossibleError.Definite]), without a question mark,
// and, from somebody who asks for full notation, as the service writes it. All
// else is refused, as in other games.
func (c *conversation) foul(g game.Game, lines []string, err error) (rules.Move, bool) {
	var impossible *notation.ImpossibleError
	if !g.Terms.Strict || !c.proven || c.ply != g.Ply() || !errors.As(err, &impossible) || !impossible.Definite {
		return rules.Move{}, false
	}
	m := impossible.Err.Move
	if strings.ContainsAny(strings.Join(lines, " "), "?？") ||
		c.who.Settings.Strict && !slices.Contains(lines, notation.Hodges(g.Position(), m)) {
		return rules.Move{}, false
	}
	return m, true
}

// playFoul ends a strict game by an illegal move of the sender, at once or when
// he can no longer take it back.
func (c *conversation) playFoul(g game.Game, m rules.Move, note string) error {
	if hold := c.who.HoldFor(); hold > 0 {
		return c.holdBack(g, m, note, c.env.Now.Add(hold))
	}
	return c.lose(g, m, c.arrived(), note)
}

// lose ends a strict game by the illegal move m of the sender, which came at
// the given time, and tells everybody.
func (c *conversation) lose(g game.Game, m rules.Move, at time.Time, note string) error {
	lost, err := g.Lose(c.who.ID, m, at)
	if err != nil {
		return fmt.Errorf("lose game %s by an illegal move: %w", g.ID, err)
	}
	if err := c.keep(lost); err != nil {
		return err
	}
	c.note(false, "game lost by an illegal move", "game", uint64(g.ID), "player", uint64(c.who.ID))
	return c.tell(c.game, note)
}

// foulText names the illegal move that ended g and the rule it breaks; "" if
// none did.
func foulText(g game.Game) string {
	if g.Foul == (rules.Move{}) {
		return ""
	}
	return notation.Hodges(g.Position(), g.Foul) + ": " + g.Broken().String()
}

// explainStrict says what an illegal move costs in a game.
func (c *conversation) explainStrict(args string) error {
	ok, err := c.needGameOf(args, "explain strict")
	if err != nil || !ok {
		return err
	}
	c.sayOf(c.game.ID, templates.ExplainStrict{Game: c.game.ID.String(), Strict: c.game.Terms.Strict})
	return nil
}
