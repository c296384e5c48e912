package notation

import (
	"strings"

	"pbem/rules"
)

// answer is what a text says to a question: nothing, yes or no.
type answer uint8

const (
	unsaid answer = iota
	yes
	no
)

// trust says how much like a move a text is, if no legal move fits it. The
// zero value is a text that can be nothing else.
type trust uint8

const (
	sure  trust = iota
	loose       // "76-75", which may be a date: a move if a piece of the mover stands at the origin
	faint       // "7675", "Px": a move if the piece could go there, were nothing else in the way
)

// allows reports whether the answer leaves room for the fact.
func (a answer) allows(fact bool) bool {
	return a == unsaid || (a == yes) == fact
}

// reading is what a text fixes of a move. Zero fields are left open.
type reading struct {
	kind     rules.Kind
	promoted answer       // is the piece promoted before the move
	becomes  answer       // is it promoted after the move (CSA names the piece that arrives)
	promote  answer       // does it promote: "+" or "="
	from     rules.Square // origin
	file     int          // file of the origin, where only that is written
	to       rules.Square
	same     bool   // to is the square of the last move
	drop     answer // yes for a drop sign
	capture  bool   // "x" is written
	free     bool   // a drop needs no sign where no piece on the board can go (Japanese)
	trust    trust  // how much like a move the text is
	way      way    // right, left, upward ... (Japanese)
}

// at returns the reading with "same" replaced by the target of the last move.
func (r reading) at(previous rules.Square) reading {
	if r.same && r.to == 0 {
		r.to = previous
	}
	return r
}

// fits reports whether m, a move of p by the laws of movement, is one that the
// reading describes. It leaves the words of direction aside.
func (r reading) fits(p rules.Position, m rules.Move) bool {
	if m.To != r.to || !r.promote.allows(m.Promote) {
		return false
	}
	if m.Drop != 0 {
		return r.kind == m.Drop && r.drop != no && r.promoted != yes && r.becomes != yes &&
			r.promote != yes && r.from == 0 && r.file == 0 && !r.capture && r.way == 0
	}
	piece := p.At(m.From)
	return r.drop != yes &&
		(r.kind == 0 || r.kind == piece.Kind) &&
		r.promoted.allows(piece.Promoted) &&
		r.becomes.allows(piece.Promoted || m.Promote) &&
		(r.from == 0 || r.from == m.From) &&
		(r.file == 0 || r.file == m.From.File()) &&
		(!r.capture || p.At(m.To) != rules.Piece{})
}

// narrow returns the moves of legal that the reading describes.
func (r reading) narrow(p rules.Position, legal []rules.Move, o Options) []rules.Move {
	r = r.at(o.Previous)
	var board, drops []rules.Move
	for _, m := range legal {
		switch {
		case !r.fits(p, m):
		case m.Drop != 0:
			drops = append(drops, m)
		case r.way == 0 || r.way.holds(p, m):
			board = append(board, m)
		}
	}
	if o.PlainStays && r.promote == unsaid && r.becomes == unsaid {
		board = plain(board)
	}
	switch {
	case len(board) > 0:
		return board
	case r.drop == yes, r.free && !r.reachable(p):
		return drops
	}
	return nil
}

// plain takes out the moves that promote where the same move without
// promotion is among moves too.
func plain(moves []rules.Move) []rules.Move {
	stays := make(map[rules.Move]bool, len(moves))
	for _, m := range moves {
		stays[m] = true
	}
	var kept []rules.Move
	for _, m := range moves {
		twin := m
		twin.Promote = false
		if !m.Promote || !stays[twin] {
			kept = append(kept, m)
		}
	}
	return kept
}

// reachable reports whether a piece of the reading's kind stands where it
// could go to the target by its movement.
func (r reading) reachable(p rules.Position) bool {
	for _, s := range squares(p.Variant()) {
		piece := p.At(s)
		if piece.Kind == r.kind && piece.Color == p.Turn() && r.promoted.allows(piece.Promoted) && p.Reaches(s, r.to) {
			return true
		}
	}
	return false
}

// text writes the reading in Hodges notation as far as it goes.
func (r reading) text(v *rules.Variant) string {
	var b strings.Builder
	if r.kind != 0 {
		if r.promoted == yes || r.becomes == yes && r.promote == no {
			b.WriteByte('+')
		}
		b.WriteString(v.Piece(r.kind).Code)
	}
	switch {
	case r.from != 0:
		b.WriteString(r.from.String())
	case r.file != 0:
		b.WriteString(rules.NewSquare(r.file, 1).String()[:1])
	}
	switch {
	case r.drop == yes:
		b.WriteByte('*')
	case r.capture:
		b.WriteByte('x')
	default:
		b.WriteByte('-')
	}
	if r.to != 0 {
		b.WriteString(r.to.String())
	}
	switch r.promote {
	case yes:
		b.WriteByte('+')
	case no:
		b.WriteByte('=')
	}
	return b.String()
}

// squares lists the squares of the variant's board, rank by rank from White's
// left as Black sees it.
func squares(v *rules.Variant) []rules.Square {
	all := make([]rules.Square, 0, v.Files*v.Ranks)
	for rank := 1; rank <= v.Ranks; rank++ {
		for file := v.Files; file >= 1; file-- {
			all = append(all, rules.NewSquare(file, rank))
		}
	}
	return all
}
