package notation

import (
	"errors"

	"pbem/rules"
)

// definite returns the rule that is broken by the one move which the readings
// name in full, and false if they do not: if the move cannot be made with the
// pieces as they stand (none there, none in hand, a square that is taken or off
// the board), if it may be a slip in a sign (a drop sign or a promotion left
// open), or if there are several.
func definite(p rules.Position, readings []reading) (*rules.IllegalMoveError, bool) {
	var found *rules.IllegalMoveError
	for _, r := range readings {
		if r.trust != sure {
			continue
		}
		if !r.full() {
			return nil, false
		}
		for _, t := range r.trials(p) {
			if t.err == nil { // a sign, a word or a piece that does not fit
				return nil, false
			}
			broken, ok := r.makes(p, t.move)
			if !ok {
				return nil, false
			}
			if broken == nil || found != nil && found.Move == broken.Move {
				continue
			}
			if found != nil && reachable(found) == reachable(broken) {
				return nil, false
			}
			if found == nil || reachable(broken) {
				found = broken
			}
		}
	}
	return found, found != nil
}

// full reports whether the text names the piece or its origin, and the target.
func (r reading) full() bool {
	return r.to != 0 && !r.same && r.way == 0 && (r.kind != 0 || r.from != 0)
}

// reachable reports whether a move that breaks a rule at least goes where the
// piece goes.
func reachable(e *rules.IllegalMoveError) bool { return e.Reason != rules.CannotReach }

// makes returns the rule that m breaks, as the reading has it, nil for one that
// cannot be made on a board of wood. It reports false where the text leaves
// something of m open.
func (r reading) makes(p rules.Position, m rules.Move) (*rules.IllegalMoveError, bool) {
	taken := p.At(m.To)
	if taken.Kind != 0 && (m.Drop != 0 || taken.Color == p.Turn()) {
		return nil, true
	}
	if m.Drop != 0 {
		if r.drop != yes || r.promote == yes || r.capture {
			return nil, false
		}
	} else {
		piece := p.At(m.From)
		may, must := p.Promotion(m.From, m.To)
		m.Promote = r.promote == yes || r.becomes == yes && !piece.Promoted
		switch {
		case r.promote == unsaid && r.becomes == unsaid && must:
			m.Promote = true
		case r.promote == unsaid && r.becomes == unsaid && may:
			return nil, false
		case !r.becomes.allows(piece.Promoted || m.Promote), r.capture && taken.Kind == 0:
			return nil, false
		}
	}
	var broken *rules.IllegalMoveError
	if !errors.As(p.Check(m), &broken) {
		return nil, false
	}
	switch broken.Reason {
	case rules.TwoPawns, rules.PawnDropMate, rules.DeadEnd, rules.MustPromote, rules.LeavesCheck, rules.ExposesKing, rules.CannotReach:
		return broken, true
	case rules.CannotPromote:
		return nil, false
	}
	return nil, true
}
