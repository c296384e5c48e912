package rules

// Judge returns how the game whose positions are given, from the start to the
// present one, has ended by the rules; the zero End if it goes on. The first
// end counts: what follows it is not looked at.
func Judge(positions []Position) End {
	if len(positions) == 0 {
		return End{}
	}
	h := NewHistory(positions[0])
	for _, p := range positions[1:] {
		if h.Add(p) != (End{}) {
			break
		}
	}
	return h.End()
}

// History watches a growing game for its end. Adding a position costs the
// same however long the game is.
type History struct {
	now    Position
	seen   map[Position]occurrence
	made   [2]int // moves made by each side
	checks [2]int // how many of its last moves gave check, without a gap
	end    End
}

// occurrence is what is kept of a position that has occurred.
type occurrence struct {
	times int
	made  [2]int // moves made by each side when it first occurred
}

// NewHistory returns the history of a game that begins with start. The start
// counts as an occurrence, and may itself be the end of the game.
func NewHistory(start Position) *History {
	h := &History{now: start, seen: map[Position]occurrence{start: {times: 1}}}
	h.end = h.judge(start)
	return h
}

// Add notes that p has followed, and returns [History.End]. A game that has
// ended stays so.
func (h *History) Add(p Position) End {
	mover := p.turn.Other()
	h.made[mover]++
	if p.InCheck() {
		h.checks[mover]++
	} else {
		h.checks[mover] = 0
	}
	o, known := h.seen[p]
	if !known {
		o.made = h.made
	}
	o.times++
	h.seen[p] = o
	before := h.now
	h.now = p
	if h.end == (End{}) {
		h.end = h.judge(before)
	}
	return h.end
}

// Position returns the present position.
func (h *History) Position() Position { return h.now }

// Occurrences returns how often the present position has occurred, itself
// included.
func (h *History) Occurrences() int { return h.seen[h.now].times }

// End returns how the game has ended by the rules; the zero End if it goes on.
func (h *History) End() End { return h.end }

// judge looks at the present position, which followed before.
func (h *History) judge(before Position) End {
	p := h.now
	if p.v == nil {
		return End{}
	}
	for _, c := range []Color{Black, White} {
		if before.King(c) != 0 && p.King(c) == 0 {
			return End{Win(c.Other()), KingCapture}
		}
	}
	var b board
	var w view
	b.open(&p)
	b.look(&w)
	if b.count(&w) == 0 {
		if w.checkers.empty() {
			return End{Win(p.turn.Other()), NoMoves}
		}
		return End{Win(p.turn.Other()), Checkmate}
	}
	if end := b.bare(&w); end != (End{}) {
		return end
	}
	return h.repetition()
}

// bare applies the variant's rule on a king that stands alone.
func (b *board) bare(w *view) End {
	rule := b.t.v.BareKing
	if rule == BareIgnored {
		return End{}
	}
	us, them := b.turn&1, b.turn&1^1
	weBare, theyBare := b.isBare(us), b.isBare(them)
	switch {
	case weBare && theyBare:
		return End{Draw, BareKing}
	case theyBare:
		return End{Win(us), BareKing}
	case !weBare:
		return End{}
	}
	if rule == BareReply && b.all[them].count() == 2 && b.king[them] >= 0 &&
		w.kingTo.meets(b.all[them].without(single(int(b.king[them])))) {
		return End{} // the bared king takes the last piece, or loses after its move
	}
	return End{Win(them), BareKing}
}

func (b *board) isBare(c Color) bool { return b.king[c] >= 0 && b.all[c].count() == 1 }

// repetition judges the fourth occurrence of a position: a side loses all of
// whose moves since the first occurrence gave check, be the fourth reached by
// the check or by the answer. Both sides: a draw. Neither: as the variant says.
func (h *History) repetition() End {
	o := h.seen[h.now]
	if o.times < 4 {
		return End{}
	}
	var perpetual [2]bool
	for c := range perpetual {
		moves := h.made[c] - o.made[c]
		perpetual[c] = moves > 0 && h.checks[c] >= moves
	}
	switch {
	case perpetual[Black] && perpetual[White]:
		return End{Draw, Repetition}
	case perpetual[Black]:
		return End{WhiteWins, PerpetualCheck}
	case perpetual[White]:
		return End{BlackWins, PerpetualCheck}
	}
	return End{h.now.v.Repetition, Repetition}
}
