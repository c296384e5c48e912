package service

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"pbem/game"
	"pbem/notation"
	"pbem/rules"
	"pbem/templates"
)

// joints are the words that stand between the moves of a conditional.
var joints = regexp.MustCompile(`(?i)(^|[\s,;])(if|then|and|he plays|she plays|you play|i play|si|entonces|se|allora|もし|なら)([\s,;]|$)`)

// plan takes conditional moves: "if P-3d then P-2f", chains of them, a line
// each. Without any it shows those that stand.
func (c *conversation) plan(args, _ string) error {
	ok, err := c.needGame("if "+args, false)
	if err != nil || !ok {
		return err
	}
	g, name := c.game, c.game.ID.String()
	switch {
	case strings.TrimSpace(args) == "":
		c.sayOf(g.ID, c.planState(g, 0))
		return nil
	case g.Over():
		c.sayOf(g.ID, templates.Over{Game: name})
		return nil
	case g.Turn() == c.who.ID:
		c.sayOf(g.ID, templates.PlanRefused{Game: name, Typed: "if " + args, Why: "it is your own move; make it first, and plan from there"})
		return nil
	case len(g.Plan(c.who.ID)) >= game.MaxLines:
		c.sayOf(g.ID, templates.PlanRefused{Game: name, Typed: "if " + args, Why: fmt.Sprintf("there are %d lines already; cancel if drops them", game.MaxLines)})
		return nil
	}
	text := args
	for joints.MatchString(text) {
		text = joints.ReplaceAllString(text, " ")
	}
	moves, misfit := notation.ReadMoves(g.Position(), text, options(g))
	why := ""
	switch {
	case misfit != nil:
		p := g.Position()
		for _, m := range moves {
			if p, err = p.Play(m); err != nil {
				return fmt.Errorf("conditional in game %s: %w", name, err)
			}
		}
		why = whyNot(p, misfit)
	case len(moves)%2 == 1:
		why = "each move of your opponent needs an answer of yours behind it"
	case len(moves) > game.MaxLineMoves:
		why = fmt.Sprintf("no more than %d moves can be planned in one line", game.MaxLineMoves)
	}
	if why != "" {
		c.sayOf(g.ID, templates.PlanRefused{Game: name, Typed: "if " + args, Why: why})
		return nil
	}
	g, replaced := g.WithLine(c.who.ID, game.Line{From: g.Ply(), Moves: moves})
	if err := c.keep(g); err != nil {
		return err
	}
	c.sayOf(g.ID, c.planState(g, replaced))
	return nil
}

// whyNot says in a clause why the next move of a line cannot be.
func whyNot(p rules.Position, err error) string {
	switch r := misreadAt(p, "", "", err).(type) {
	case templates.Refused:
		if r.Read != "" {
			return r.Read + " cannot be played there: " + r.Why
		}
		return r.Why
	case templates.Which:
		return "more than one move fits there: " + strings.Join(r.Moves, ", ")
	}
	return err.Error()
}

// planState shows the conditional moves of the sender as a tree.
func (c *conversation) planState(g game.Game, replaced int) templates.PlanState {
	s := templates.PlanState{Game: g.ID.String(), Replaced: replaced}
	s.Rows = tree(g.Position(), g.Plan(c.who.ID), 0)
	return s
}

// tree draws lines that begin at p: what may be played, the answer to it, and
// indented below what follows.
func tree(p rules.Position, lines []game.Line, depth int) []string {
	var rows []string
	done := map[rules.Move]bool{}
	for _, l := range lines {
		if len(l.Moves) < 2 || done[l.Moves[0]] {
			continue
		}
		first, answer := l.Moves[0], l.Moves[1]
		done[first] = true
		q, err := p.Play(first)
		if err != nil {
			continue
		}
		rows = append(rows, strings.Repeat("  ", depth)+"if "+notation.Hodges(p, first)+" then "+notation.Hodges(q, answer))
		var below []game.Line
		for _, o := range lines {
			if len(o.Moves) > 2 && o.Moves[0] == first && o.Moves[1] == answer {
				below = append(below, game.Line{Moves: o.Moves[2:]})
			}
		}
		if q, err = q.Play(answer); err == nil {
			rows = append(rows, tree(q, below, depth+1)...)
		}
	}
	return rows
}

// cancel drops the conditional moves, or takes back a move that is held.
func (c *conversation) cancel(args, _ string) error {
	ok, err := c.needGameOf(args, "cancel")
	if err != nil || !ok {
		return err
	}
	g := c.game
	name := g.ID.String()
	if p := g.Pending; p.By == c.who.ID && !strings.Contains(args, "if") {
		g.Pending = game.Pending{}
		if err := c.keep(g); err != nil {
			return err
		}
		c.sayOf(g.ID, templates.HeldBack{Game: name, Move: notation.Hodges(g.Position(), p.Move), Taken: true})
		return nil
	}
	had := len(g.Plan(c.who.ID)) > 0
	if err := c.keep(g.WithoutPlan(c.who.ID)); err != nil {
		return err
	}
	c.sayOf(g.ID, templates.PlanCancelled{Game: name, Any: had})
	return nil
}

// holdBack keeps a move that its player may still take back: one to be played,
// or in a strict game an illegal one that is to lose.
func (c *conversation) holdBack(g game.Game, m rules.Move, note string, until time.Time) error {
	g.Pending = game.Pending{By: c.who.ID, Move: m, At: c.arrived(), Until: until, Note: note}
	if err := c.keep(g); err != nil {
		return err
	}
	held := templates.HeldBack{Game: g.ID.String(), Move: notation.Hodges(g.Position(), m), Until: moment(until, c.who)}
	var illegal *rules.IllegalMoveError
	if errors.As(g.Position().Check(m), &illegal) {
		held.Broken = illegal.Reason.String()
	}
	c.sayOf(g.ID, held)
	return nil
}

// release plays the move that was held back until now.
func (c *conversation) release(g game.Game) error {
	p := g.Pending
	who, err := c.player(p.By)
	if err != nil {
		return err
	}
	c.who = who
	g.Pending = game.Pending{}
	if g.Turn() != p.By {
		return c.keep(g)
	}
	if g.Position().Check(p.Move) != nil {
		err = c.lose(g, p.Move, p.At, p.Note)
	} else {
		err = c.commit(g, p.Move, p.At, p.Note)
	}
	if err != nil {
		return err
	}
	return c.finish()
}
