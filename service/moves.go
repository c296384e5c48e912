package service

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"pbem/game"
	"pbem/notation"
	"pbem/player"
	"pbem/rules"
	"pbem/templates"
)

const day = 24 * time.Hour

// arrived returns when the message reached the mailbox: that moment counts,
// not when it is read.
func (c *conversation) arrived() time.Time {
	if c.msg.Received.IsZero() {
		return c.env.Now
	}
	return c.msg.Received
}

// play plays the move that lines say, all of them of one game, and passes the
// note on.
func (c *conversation) play(lines []string, note string) error {
	typed := strings.Join(lines, " ")
	ok, err := c.needGame(typed, true)
	if err != nil || !ok {
		return err
	}
	g, name := c.game, c.game.ID.String()
	switch {
	case c.ply >= 0 && c.ply < g.Ply():
		c.stale(typed)
		return nil
	case g.Over():
		c.sayOf(g.ID, templates.Over{Game: name})
		return nil
	case g.Turn() != c.who.ID:
		opponent, err := c.opponent(g)
		if err != nil {
			return err
		}
		c.sayOf(g.ID, templates.Waiting{Game: name, Opponent: opponent.Name, Typed: typed})
		return nil
	}
	moves, err := viewOf(g).move(lines)
	if m, foul := c.foul(g, lines, err); foul {
		return c.playFoul(g, m, note)
	}
	if err != nil {
		c.sayOf(g.ID, misread(g, typed, err))
		return nil
	}
	if len(moves) == 0 { // only what has been played already
		c.sayOf(g.ID, templates.Refused{Game: name, Typed: typed, Example: example(g.Position()),
			Why: "all of it has been played already, and your own move is missing"})
		return nil
	}
	if full := notation.Hodges(g.Position(), moves[0]); c.who.Settings.Strict && !slices.Contains(lines, full) {
		c.sayOf(g.ID, templates.Strict{Game: name, Typed: typed, Move: full})
		return nil
	}
	return c.playMove(g, moves[0], note)
}

// playMove plays a legal move, or holds it back for as long as the sender
// wants to be able to take it back.
func (c *conversation) playMove(g game.Game, m rules.Move, note string) error {
	if hold := c.who.HoldFor(); hold > 0 {
		return c.holdBack(g, m, note, c.env.Now.Add(hold))
	}
	return c.commit(g, m, c.arrived(), note)
}

// step is a move that has just been played.
type step struct {
	by      player.ID
	text    string
	planned bool
}

// commit plays m, which came at the given time from the sender, and all that
// both have planned behind it, and tells everybody.
func (c *conversation) commit(g game.Game, m rules.Move, at time.Time, note string) error {
	steps := []step{{by: c.who.ID, text: notation.Hodges(g.Position(), m)}}
	next, err := g.Play(c.who.ID, m, at)
	if err != nil {
		return fmt.Errorf("play %s in game %s: %w", steps[0].text, g.ID, err)
	}
	// The opponent's time begins when the move is sent to him, not before.
	next.Clock = next.Clock.Rest(at, c.env.Now)
	dropped := player.ID(0)
	for {
		var answer rules.Move
		var lost bool
		turn := next.Turn()
		if answer, next, lost = next.Planned(); answer == (rules.Move{}) {
			if lost {
				dropped = turn
			}
			break
		}
		steps = append(steps, step{turn, notation.Hodges(next.Position(), answer), true})
		if next, err = next.Play(turn, answer, c.env.Now); err != nil {
			return fmt.Errorf("planned move in game %s: %w", g.ID, err)
		}
	}
	if next, err = c.endLeaveByMove(next); err != nil {
		return err
	}
	if err := c.keep(next); err != nil {
		return err
	}
	for _, s := range steps {
		c.note(false, "move played", "game", uint64(g.ID), "player", uint64(s.by), "move", s.text, "planned", s.planned)
	}
	return c.tellMoves(c.game, steps, dropped, note)
}

// endLeaveByMove ends the sender's vacation if that is what he wants of a move.
func (c *conversation) endLeaveByMove(g game.Game) (game.Game, error) {
	away := c.who
	if !away.Away(c.env.Now) || !away.Settings.MoveEndsLeave {
		return g, nil
	}
	c.keepPlayer(away.Return(c.env.Now))
	c.changed[g.ID] = g
	err := c.stopLeave(away)
	return c.changed[g.ID], err
}

// tellMoves brings what was played in g to both players and to who watches.
func (c *conversation) tellMoves(g game.Game, steps []step, dropped player.ID, note string) error {
	opponent, err := c.opponent(g)
	if err != nil {
		return err
	}
	if err := c.tellWatchers(g, steps); err != nil {
		return err
	}
	mine, theirs := c.moveParts(g, steps, c.who, opponent, note), c.moveParts(g, steps, opponent, c.who, note)
	if dropped == opponent.ID {
		theirs = append(theirs, templates.PlanDropped{Game: g.ID.String()})
	} else if dropped == c.who.ID {
		mine = append(mine, templates.PlanDropped{Game: g.ID.String()})
	}
	for _, p := range mine {
		c.sayOf(g.ID, p)
	}
	if opponent.Settings.Digest != "" && note == "" && !g.Over() { // it comes in the mail of the day
		return nil
	}
	return c.post(letter{to: opponent, game: g.ID, parts: theirs})
}

// moveParts says what was played as reader is to read it; other is the
// opponent.
func (c *conversation) moveParts(g game.Game, steps []step, reader, other player.Player, note string) []any {
	name := g.ID.String()
	received := "" // the sender's words, as the opponent reads them
	if reader.ID != c.who.ID {
		received = indent(note)
	}
	last := steps[len(steps)-1]
	if g.Over() {
		result := resultText(g, c.names(g, reader, other))
		return []any{templates.Ended{Game: name, Opponent: other.Name, Move: last.text, Result: result,
			Drawn: g.End.Outcome == rules.Draw, Rating: c.gainText(g, reader), Note: received}}
	}
	if len(steps) > 1 {
		s := templates.Sequence{Game: name, Opponent: other.Name, Last: last.text, You: g.Turn() == reader.ID,
			Check: g.Position().InCheck(), Note: received}
		for _, st := range steps {
			row := other.Name + " " + st.text
			if st.by == reader.ID {
				row = "you " + st.text
			}
			if st.planned && st.by == reader.ID {
				row += ", as you had planned"
			}
			s.Moves = append(s.Moves, row)
		}
		return []any{s}
	}
	if reader.ID == c.who.ID {
		return []any{templates.Played{Game: name, Move: last.text, Opponent: other.Name, Note: indent(note)}}
	}
	return []any{templates.YourMove{Game: name, Opponent: other.Name, Move: last.text, Check: g.Position().InCheck(), Note: received}}
}

// tell brings the end of g, which no move made, to both players.
func (c *conversation) tell(g game.Game, note string) error {
	opponent, err := c.opponent(g)
	if err != nil {
		return err
	}
	if err := c.tellWatchers(g, nil); err != nil {
		return err
	}
	result := resultText(g, c.names(g, c.who, opponent))
	ended := templates.Ended{Game: g.ID.String(), Opponent: opponent.Name, Result: result, Foul: foulText(g),
		Drawn: g.End.Outcome == rules.Draw, Rating: c.gainText(g, c.who)}
	c.sayOf(g.ID, ended)
	ended.Opponent, ended.Note, ended.Rating = c.who.Name, indent(note), c.gainText(g, opponent)
	return c.post(letter{to: opponent, game: g.ID, parts: []any{ended}})
}

// stale answers a move under the mail of an earlier ply: it is the one played
// then, or it was meant for a position that is gone.
func (c *conversation) stale(typed string) {
	g, name := c.game, c.game.ID.String()
	then, _ := g.After(c.ply)
	m, err := notation.Read(then, typed, notation.Options{})
	if played := g.Plies()[c.ply].Move; err == nil && m == played {
		c.sayOf(g.ID, templates.Repeat{Game: name, Move: notation.Hodges(then, m)})
		return
	}
	c.sayOf(g.ID, templates.Stale{Game: name, Typed: typed})
}

// misread says why typed is no move of g.
func misread(g game.Game, typed string, err error) any {
	return misreadAt(g.Position(), g.ID.String(), typed, err)
}

func misreadAt(p rules.Position, name, typed string, err error) any {
	var several *notation.AmbiguousError
	var two *notation.TwoMovesError
	var impossible *notation.ImpossibleError
	switch {
	case errors.As(err, &several):
		return templates.Which{Game: name, Typed: typed, Moves: hodges(p, several.Moves)}
	case errors.As(err, &two):
		return templates.TwoMoves{Game: name, Moves: two.Texts}
	case errors.As(err, &impossible):
		r := templates.Refused{Game: name, Typed: typed, Read: impossible.Reading, Why: string(impossible.Misfit), Example: example(p)}
		if impossible.Err != nil {
			r.Why = impossible.Err.Reason.String()
		}
		if r.Read == typed {
			r.Read = ""
		}
		return r
	}
	return templates.Refused{Game: name, Typed: typed, Why: err.Error(), Example: example(p)}
}

func hodges(p rules.Position, moves []rules.Move) []string {
	out := make([]string, len(moves))
	for i, m := range moves {
		out[i] = notation.Hodges(p, m)
	}
	return out
}

// options are how a player's move is read in g.
func options(g game.Game) notation.Options {
	return notation.Options{Previous: g.Last().To}
}

// example returns a legal move of p to show what a move looks like. It is no
// advice: a pawn's step where there is one, else the first move in the list.
func example(p rules.Position) string {
	first := ""
	for _, m := range p.LegalMoves() {
		text := notation.Hodges(p, m)
		if strings.HasPrefix(text, "P-") {
			return text
		}
		if first == "" {
			first = text
		}
	}
	return first
}

// showMoves lists the legal moves, a kind of piece a row.
func (c *conversation) showMoves(args, _ string) error {
	ok, err := c.needGameOf(args, "moves")
	if err != nil || !ok {
		return err
	}
	g, p := c.game, c.game.Position()
	l := templates.Legal{Game: g.ID.String()}
	if g.Over() {
		c.sayOf(g.ID, templates.Over{Game: l.Game})
		return nil
	}
	var kinds []string
	rows := map[string][]string{}
	for _, m := range p.LegalMoves() {
		text := notation.Hodges(p, m)
		kind := text[:1]
		if kind == "+" {
			kind = text[:2]
		}
		if rows[kind] == nil {
			kinds = append(kinds, kind)
		}
		rows[kind] = append(rows[kind], text)
		l.Count++
	}
	for _, k := range kinds {
		l.Rows = append(l.Rows, columns(rows[k])...)
	}
	c.sayOf(g.ID, l)
	return nil
}

// columns sets words in indented lines of the width of a mail.
func columns(words []string) []string {
	var out []string
	line := " "
	for _, w := range words {
		if len(line)+1+len(w) > templates.Width {
			out, line = append(out, line), " "
		}
		line += " " + w
	}
	return append(out, line)
}

// resign gives the game up.
func (c *conversation) resign(args, note string) error {
	ok, err := c.needGameOf(args, "resign")
	if err != nil || !ok {
		return err
	}
	g, err := c.game.Resign(c.who.ID, c.arrived())
	if errors.Is(err, game.ErrOver) {
		c.sayOf(g.ID, templates.Over{Game: g.ID.String()})
		return nil
	}
	if err != nil {
		return fmt.Errorf("resign game %s: %w", g.ID, err)
	}
	if err := c.keep(g); err != nil {
		return err
	}
	c.note(false, "game resigned", "game", uint64(g.ID), "player", uint64(c.who.ID))
	return c.tell(g, note)
}

// sayWords passes words on to the opponent.
func (c *conversation) sayWords(args, note string) error {
	words := strings.Trim(args+"\n"+note, "\n")
	ok, err := c.needGame("say "+args, false)
	if err != nil || !ok {
		return err
	}
	opponent, err := c.opponent(c.game)
	if err != nil || words == "" {
		return err
	}
	if opponent.OutOfReach() {
		c.sayOf(c.game.ID, templates.NotReached{Opponent: opponent.Name})
		return nil
	}
	name := c.game.ID.String()
	c.sayOf(c.game.ID, templates.Passed{Game: name, Opponent: opponent.Name, Note: indent(words)})
	return c.post(letter{to: opponent, game: c.game.ID,
		parts: []any{templates.Said{Game: name, Opponent: c.who.Name, Note: indent(words)}}})
}

// address is anything that looks like a mail address.
var address = regexp.MustCompile(`[^\s<>()\[\]",;:]+@[^\s<>()\[\]",;:]+\.[\pL\pN]+`)

// indent makes words for another player: without mail addresses, which must
// never travel, and with every line behind two spaces as the templates expect.
func indent(note string) string {
	note = address.ReplaceAllString(strings.TrimSpace(note), "(address left out)")
	return strings.ReplaceAll(note, "\n", "\n  ")
}
