package game

import (
	"slices"
	"time"

	"pbem/player"
	"pbem/rules"
)

// Line is a row of moves that a player has planned: the opponent's next move,
// the answer to it, the opponent's move after that, and so on; its length is
// even. It is played as far as the opponent makes the moves in it.
type Line struct {
	From  int // plies played when its first move can be made
	Moves []rules.Move
}

// Bounds of what may be planned.
const (
	MaxLines     = 30 // of one player in one game
	MaxLineMoves = 60 // 30 of each side
)

// Plan returns the lines that who has planned. The caller must not change
// them.
func (g Game) Plan(who player.ID) []Line {
	side, ok := g.Side(who)
	if !ok {
		return nil
	}
	return g.Plans[side]
}

// WithLine returns g with a line of who added. Lines that answer the same
// moves otherwise are replaced; replaced says how many.
func (g Game) WithLine(who player.ID, l Line) (next Game, replaced int) {
	side, ok := g.Side(who)
	if !ok {
		return g, 0
	}
	kept := slices.DeleteFunc(slices.Clone(g.Plans[side]), func(o Line) bool { return contradict(o, l) || prefix(o, l) })
	replaced = 0
	for _, o := range g.Plans[side] {
		if contradict(o, l) {
			replaced++
		}
	}
	for _, o := range kept {
		if prefix(l, o) {
			g.Plans[side] = kept
			return g, replaced
		}
	}
	g.Plans[side] = append(kept, l)
	return g, replaced
}

// contradict reports whether the two lines answer the same moves differently.
func contradict(a, b Line) bool {
	if a.From != b.From {
		return true // of another position
	}
	for i := range min(len(a.Moves), len(b.Moves)) {
		if a.Moves[i] != b.Moves[i] {
			return i%2 == 1
		}
	}
	return false
}

// prefix reports whether a is the beginning of b.
func prefix(a, b Line) bool {
	return a.From == b.From && len(a.Moves) <= len(b.Moves) && slices.Equal(a.Moves, b.Moves[:len(a.Moves)])
}

// WithoutPlan returns g without the lines of who.
func (g Game) WithoutPlan(who player.ID) Game {
	if side, ok := g.Side(who); ok {
		g.Plans[side] = nil
	}
	return g
}

// Planned returns the answer that the one to move has planned to the last
// move, and g with his lines carried on past it. Dropped says that he had
// lines and none of them fits, or that the answer planned is not legal.
func (g Game) Planned() (answer rules.Move, next Game, dropped bool) {
	if g.Over() {
		return rules.Move{}, g, false
	}
	side := g.Position().Turn()
	lines := g.Plans[side]
	g.Plans[side] = nil
	for _, l := range lines {
		if l.From != g.Ply()-1 || len(l.Moves) < 2 || l.Moves[0] != g.Last() {
			continue
		}
		if answer == (rules.Move{}) {
			answer = l.Moves[1]
		}
		if l.Moves[1] == answer && len(l.Moves) > 2 {
			g.Plans[side] = append(g.Plans[side], Line{From: l.From + 2, Moves: l.Moves[2:]})
		}
	}
	if answer == (rules.Move{}) {
		return answer, g, len(lines) > 0
	}
	if _, err := g.Position().Play(answer); err != nil {
		g.Plans[side] = nil
		return rules.Move{}, g, true
	}
	return answer, g, false
}

// Pending is a move that its player may still take back: it is played at Until
// as if it had come at At.
type Pending struct {
	By    player.ID
	Move  rules.Move
	At    time.Time // UTC
	Until time.Time // UTC
	Note  string
}
