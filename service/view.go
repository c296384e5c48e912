package service

import (
	"errors"
	"regexp"
	"strconv"
	"strings"

	"pbem/game"
	"pbem/notation"
	"pbem/rules"
)

// View is what reading a message knows of the game that it is about. The zero
// value knows of none: no line is a move then.
type View struct {
	Start   rules.Position // of the game
	Played  []rules.Move   // since then
	Number  int            // of the move to come, from 1, where Start is not the start; else 0
	Options notation.Options
	now     rules.Position
}

// NewView returns the view of a game in which the moves played since start are
// not known; number is that of the move to come, from 1.
func NewView(start rules.Position, number int) View {
	return View{Start: start, Number: number, now: start}
}

// viewOf returns the view that the players of g have.
func viewOf(g game.Game) View {
	return View{Start: g.Start(), Played: g.Moves(), Options: options(g), now: g.Position()}
}

// view returns what is known of the game that the message is about. Without
// one, a move is still told from prose, so that it can be asked about.
func (c *conversation) view() View {
	if c.game.ID == 0 {
		return NewView(rules.Shogi().Start(), 0)
	}
	return viewOf(c.game)
}

// known reports whether there is a game at all.
func (v View) known() bool { return v.now != rules.Position{} }

// movelike reports whether line has the form of a move, possible or not.
func (v View) movelike(line string) bool {
	if !v.known() {
		return false
	}
	_, err := notation.ReadLine(v.now, nil, line, v.Options)
	return !errors.Is(err, notation.ErrNotMove)
}

// move reads the lines of one game that say a move: one, or none where they
// only repeat what has been played. Errors are those of [notation.ReadLine].
func (v View) move(lines []string) ([]rules.Move, error) {
	typed := strings.Join(lines, " ")
	if v.Number > 1 && len(v.Played) == 0 {
		typed = v.withoutPast(typed)
	}
	moves, err := notation.ReadLine(v.Start, v.Played, typed, v.Options)
	if err == nil && len(moves) > 1 {
		err = &notation.TwoMovesError{Texts: lines}
	}
	return moves, err
}

var moveNumber = regexp.MustCompile(`(?:^|\s)(\d{1,3})\s*(\.{1,3}|\)|…)`)

// withoutPast cuts the moves off the start of a numbered list that were played
// before the present one, where their numbers are all that tells so.
func (v View) withoutPast(typed string) string {
	pair := (v.Number + 1) / 2
	cut := 0
	for _, m := range moveNumber.FindAllStringSubmatchIndex(typed, -1) {
		n, _ := strconv.Atoi(typed[m[2]:m[3]]) // three digits
		if n != pair && n != v.Number {
			continue
		}
		cut = m[0]
		if words := strings.Fields(typed[m[1]:]); n == pair && v.now.Turn() == rules.White && len(words) > 1 && m[5]-m[4] == 1 {
			return strings.Join(words[1:], " ") // Black's move of the pair
		}
		break
	}
	return typed[cut:]
}
