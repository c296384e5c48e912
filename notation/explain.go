package notation

import (
	"errors"
	"slices"

	"pbem/rules"
)

// most is how many moves an ImpossibleError offers at most.
const most = 6

// trial is one move that a reading describes, and what is wrong with it.
type trial struct {
	reading reading
	move    rules.Move // zero where the text does not fix one
	err     *rules.IllegalMoveError
	misfit  Misfit
	weight  int // the more it tells the player, the greater
}

// tells reports whether t tells the player more than o: by its weight, else
// by how near the piece stands to the target.
func (t trial) tells(o trial) bool {
	if t.weight != o.weight {
		return t.weight > o.weight
	}
	return t.weight > 0 && distance(t.move) < distance(o.move)
}

// distance returns how far a move goes, one step along the file being less
// than one in any other direction; 0 for a drop or no move.
func distance(m rules.Move) int {
	if m.From == 0 {
		return 0
	}
	files, ranks := m.From.File()-m.To.File(), m.From.Rank()-m.To.Rank()
	return 4*max(files, -files) + max(ranks, -ranks)
}

// weights orders the reasons by how much they tell the player. That a piece
// does not move so says less than that it is pinned.
var weights = map[rules.Reason]int{
	rules.OffBoard: 10, rules.NoPiece: 20, rules.NotInHand: 30, rules.NoDrops: 40, rules.CannotReach: 50,
	rules.Occupied: 60, rules.OwnPiece: 70, rules.CannotPromote: 80, rules.DeadEnd: 80, rules.MustPromote: 80,
	rules.TwoPawns: 90, rules.LeavesCheck: 100, rules.ExposesKing: 100, rules.PawnDropMate: 110,
}

// explain says why none of the readings is a legal move: it tries the moves
// they describe one by one and keeps the most telling reason.
func explain(p rules.Position, s string, readings []reading, legal []rules.Move, o Options) error {
	var best trial
	for _, r := range readings {
		r = r.at(o.Previous)
		for _, t := range r.trials(p) {
			if t.tells(best) && r.believed(p, t.move) {
				best = t
			}
		}
	}
	if best.weight == 0 {
		return ErrNotMove
	}
	e := &ImpossibleError{
		Text:     s,
		Reading:  best.reading.text(p.Variant()),
		Err:      best.err,
		Misfit:   best.misfit,
		Nearest:  nearest(p, readings, legal, o),
		Position: p,
	}
	if broken, ok := definite(p, readings); ok {
		e.Err, e.Misfit, e.Definite = broken, "", true
	}
	return e
}

// believed reports whether the text of a reading is taken for a move although
// no legal move fits it.
func (r reading) believed(p rules.Position, m rules.Move) bool {
	switch r.trust {
	case loose:
		piece := p.At(m.From)
		return piece.Kind != 0 && piece.Color == p.Turn()
	case faint:
		return p.Reaches(m.From, m.To)
	}
	return true
}

// trials tries every move the reading may mean.
func (r reading) trials(p rules.Position) []trial {
	if r.to == 0 {
		return []trial{{reading: r, misfit: NoFormerMove, weight: 5}}
	}
	var all []trial
	unmarked := r.free && r.from == 0 && r.way == 0 && p.Hand(p.Turn(), r.kind) > 0 && !r.reachable(p)
	if r.drop == yes || unmarked {
		all = append(all, r.try(p, rules.Move{Drop: r.kind, To: r.to}))
	}
	if r.drop == yes {
		return all
	}
	if r.kind != 0 && r.from == 0 && r.file == 0 && p.Check(rules.Move{Drop: r.kind, To: r.to}) == nil && !r.capture {
		all = append(all, trial{reading: r, misfit: NoDropSign, weight: 65})
	}
	if there := p.At(r.to); there.Kind != 0 && there.Kind == r.kind && there.Color == p.Turn() && r.promoted.allows(there.Promoted) && r.from == 0 {
		all = append(all, trial{reading: r, misfit: AlreadyThere, weight: 55})
	}
	others := false
	for _, from := range squares(p.Variant()) {
		piece := p.At(from)
		if piece.Kind == 0 || piece.Color != p.Turn() || from == r.to || r.from != 0 && r.from != from || r.file != 0 && r.file != from.File() {
			continue
		}
		if r.kind != 0 && r.kind != piece.Kind || !r.promoted.allows(piece.Promoted) {
			others = others || r.from != 0
			continue
		}
		all = append(all, r.tryBoard(p, rules.Move{From: from, To: r.to}))
	}
	switch {
	case len(all) > 0:
	case others:
		all = append(all, trial{reading: r, misfit: OtherPiece, weight: 25})
	case r.from != 0:
		all = append(all, r.try(p, rules.Move{From: r.from, To: r.to}))
	default:
		all = append(all, trial{reading: r, misfit: NoSuchPiece, weight: 15})
	}
	return all
}

// tryBoard tries a move of a piece with the promotion that the text asks for
// or the rules force. A fault that has nothing to do with promotion counts
// for more than one that has.
func (r reading) tryBoard(p rules.Position, m rules.Move) trial {
	t := r.try(p, m)
	forced := t.err != nil && t.err.Reason == rules.MustPromote
	if r.promote == yes && (t.err == nil || forced) || r.promote == unsaid && forced {
		m.Promote = true
		t = r.try(p, m)
	}
	return t
}

// try asks the rules about one move. A move they allow does not fit the text
// in some other way.
func (r reading) try(p rules.Position, m rules.Move) trial {
	t := trial{reading: r, move: m}
	err := p.Check(m)
	switch {
	case errors.As(err, &t.err):
		t.weight = max(weights[t.err.Reason], 1)
	case r.capture && p.At(m.To) == rules.Piece{}:
		t.misfit, t.weight = NothingToCapture, 85
	case m.Drop == 0 && !r.becomes.allows(p.At(m.From).Promoted || m.Promote):
		t.misfit, t.weight = OtherPiece, 55
	default:
		t.misfit, t.weight = WrongWord, 55
	}
	return t
}

// nearest returns the legal moves that come close to one of the readings: the
// same piece, or one from the same origin, to the same target; failing that,
// any move from the origin written.
func nearest(p rules.Position, readings []reading, legal []rules.Move, o Options) []rules.Move {
	var close, far []rules.Move
	add := func(list *[]rules.Move, m rules.Move) {
		if !slices.Contains(*list, m) {
			*list = append(*list, m)
		}
	}
	for _, r := range readings {
		r = r.at(o.Previous)
		for _, m := range legal {
			kind := m.Drop
			if m.From != 0 {
				kind = p.At(m.From).Kind
			}
			sameFrom := r.from != 0 && r.from == m.From
			switch {
			case m.To == r.to && (sameFrom || r.kind != 0 && r.kind == kind):
				add(&close, m)
			case sameFrom:
				add(&far, m)
			}
		}
	}
	if len(close) == 0 {
		close = far
	}
	sortMoves(close)
	return close[:min(len(close), most)]
}
