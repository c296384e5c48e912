package notation

import (
	"errors"
	"fmt"

	"pbem/rules"
)

// ReadLine reads text that holds one move, or a list of moves, numbered or
// not, on one line or several: the game resent with a move added, or the
// opponent's move repeated before one's own. What was played already must
// agree with played, the moves since start; the next one is the move.
//
// It returns the new moves in order, none if the text only repeats what was
// played, otherwise one. Errors are those of [Read], a [*TwoMovesError] if
// more than one move is new, and a [*HistoryError] if the list is of another
// game. Options.Previous counts only if nothing was played.
func ReadLine(start rules.Position, played []rules.Move, text string, o Options) ([]rules.Move, error) {
	g, err := replay(start, played, o)
	if err != nil {
		return nil, err
	}
	words := newGrammar(start.Variant(), o)
	if s, ok := prepare(text); ok {
		if readings := words.parse(s); len(readings) > 0 {
			number, _ := cutNumber(s)
			return g.readOne(step{s, number, readings})
		}
	}
	steps, err := words.split(text)
	switch {
	case err != nil:
		return nil, err
	case len(steps) == 1:
		return g.readOne(steps[0])
	}
	return g.readList(steps)
}

// ReadMoves reads a sequence of moves of both sides in turn from p on, as in
// a conditional or a preview. It returns the moves before the first one that
// cannot be read, with the error of [Read] for that one.
func ReadMoves(p rules.Position, text string, o Options) ([]rules.Move, error) {
	steps, err := newGrammar(p.Variant(), o).split(text)
	if err != nil {
		return nil, err
	}
	var moves []rules.Move
	for _, st := range steps {
		m, err := resolve(p, st.text, st.readings, o)
		if err != nil {
			return moves, err
		}
		if p, err = p.Play(m); err != nil {
			return moves, err
		}
		moves = append(moves, m)
		o.Previous = m.To
	}
	return moves, nil
}

// past is the game so far: before[i] is the position in which played[i] was
// played; the last one is the present position.
type past struct {
	before []rules.Position
	played []rules.Move
	o      Options
}

func replay(start rules.Position, played []rules.Move, o Options) (past, error) {
	g := past{before: []rules.Position{start}, played: played, o: o}
	p := start
	for i, m := range played {
		var err error
		if p, err = p.Play(m); err != nil {
			return past{}, fmt.Errorf("replay ply %d: %w", i+1, err)
		}
		g.before = append(g.before, p)
	}
	return g, nil
}

// options returns the options for the position before ply i, from 0.
func (g past) options(i int) Options {
	o := g.o
	if i > 0 {
		o.Previous = g.played[i-1].To
	}
	return o
}

// repeats reports whether st says what was played at ply i, from 0.
func (g past) repeats(st step, i int) bool {
	if i < 0 || i >= len(g.played) {
		return false
	}
	o := g.options(i)
	for _, r := range st.readings {
		if r.at(o.Previous).fits(g.before[i], g.played[i]) {
			return true
		}
	}
	return false
}

// numbered reports whether a move number may stand for ply i, from 0: players
// number pairs or plies, and in a handicap game White's first move may or may
// not count as a pair of its own.
func (g past) numbered(number, i int) bool {
	if number == i+1 || number == i/2+1 {
		return true
	}
	return g.before[0].Turn() == rules.White && number == (i+1)/2+1
}

// now reads st in the present position.
func (g past) now(st step) (rules.Move, error) {
	n := len(g.played)
	return resolve(g.before[n], st.text, st.readings, g.options(n))
}

// readOne reads a single move. One that was played already is nothing new: a
// move whose number says so, and one of the last two that is impossible now.
func (g past) readOne(st step) ([]rules.Move, error) {
	n := len(g.played)
	if st.number > 0 && !g.numbered(st.number, n) {
		for i := range n {
			if g.numbered(st.number, i) && g.repeats(st, i) {
				return nil, nil
			}
		}
	}
	m, err := g.now(st)
	if err == nil {
		return []rules.Move{m}, nil
	}
	if _, open := err.(*AmbiguousError); !open && (g.repeats(st, n-1) || g.repeats(st, n-2)) {
		return nil, nil
	}
	return nil, err
}

// readList finds where in the game a list starts and what it adds.
func (g past) readList(steps []step) ([]rules.Move, error) {
	n := len(g.played)
	best, bestScore := -1, -1
	longest, from := -1, 0 // of the starts that fail: the one that agrees longest
	for s := 0; s <= n; s++ {
		i := 0
		for i < len(steps) && s+i < n && g.repeats(steps[i], s+i) {
			i++
		}
		if i < len(steps) && s+i < n {
			if i > longest {
				longest, from = i, s
			}
			continue
		}
		score := i // more agreement is better; then the new moves and the number decide
		fresh := len(steps) - i
		if fresh == 1 {
			score += 1 << 20
		}
		if steps[0].number > 0 && g.numbered(steps[0].number, s) {
			score += 1 << 21
		}
		if fresh <= 1 || i > 0 || s == n {
			if score > bestScore {
				best, bestScore = s, score
			}
		}
	}
	fresh := steps[min(n-best, len(steps)):]
	if len(fresh) == 0 {
		return nil, nil
	}
	m, err := g.now(fresh[0])
	if err != nil {
		if best == n && longest > 0 {
			return nil, &HistoryError{Text: steps[longest].text, Ply: from + longest + 1, Want: g.played[from+longest]}
		}
		var impossible *ImpossibleError
		if errors.As(err, &impossible) && len(fresh) > 1 {
			impossible.Definite = false // of several moves, which one is meant is not sure
		}
		return nil, err
	}
	two := &TwoMovesError{First: m, Texts: []string{fresh[0].text}}
	for _, st := range fresh[1:] {
		if again, err := g.now(st); err != nil || again != m { // the same move said twice is one
			two.Texts = append(two.Texts, st.text)
		}
	}
	if len(two.Texts) == 1 {
		return []rules.Move{m}, nil
	}
	return nil, two
}
