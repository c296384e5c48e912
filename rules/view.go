package rules

// view is what the side to move must know of its king before it moves.
type view struct {
	occupied set
	target   set    // where a move of another piece may end: parries every check
	checkers set    // pieces that give check
	pinned   set    // pieces, own or not, that stand alone between king and slider
	pins     [8]set // by direction from the king: where the pinned piece may go
	kingTo   set    // where the king may go
}

// look fills w for the side to move.
func (b *board) look(w *view) {
	us, them := b.turn&1, b.turn&1^1
	own := b.all[us]
	w.occupied = own.or(b.all[them])
	w.target = b.t.board.without(own)
	w.checkers, w.pinned, w.kingTo = set{}, set{}, set{}
	if b.king[us] < 0 {
		return
	}
	k := int(b.king[us])
	through := w.occupied.without(single(k)) // a slider sees the squares behind a king
	danger := set{}
	var leapers, sliders set
	t := b.t
	for c := range t.towards[them][k&127] {
		pieces := b.by[them][c%maxClasses]
		if pieces.empty() {
			continue
		}
		to := &t.towards[them][k&127][c]
		leapers = leapers.or(pieces.and(to.leap))
		for s := pieces.and(to.slide); !s.empty(); s = s.rest() {
			sliders = sliders.or(b.pin(w, k, s.first()))
		}
		cl := &t.class[them][c]
		for s := pieces.and(to.near); !s.empty(); s = s.rest() {
			danger = danger.or(t.attacks(cl, s.first(), through))
		}
	}
	w.kingTo = t.attacks(&t.class[us][t.royal], k, w.occupied).without(own).without(danger)
	w.checkers = leapers.or(sliders)
	switch {
	case w.checkers.empty():
	case !w.checkers.rest().empty():
		w.target = set{} // two checks at once: only the king moves
	case !leapers.empty():
		w.target = w.checkers
	default:
		w.target = w.checkers.or(t.between(k, w.checkers.first()))
	}
}

// pin looks from king square k to a slider on square i: it returns the slider
// if nothing is between, and notes a pin if one piece is.
func (b *board) pin(w *view, k, i int) set {
	ray := b.t.between(k, i)
	blockers := ray.and(w.occupied)
	if blockers.empty() {
		return single(i)
	}
	if blockers.rest().empty() {
		w.pinned = w.pinned.or(blockers)
		w.pins[b.direction(k, i)] = ray.or(single(i))
	}
	return set{}
}

// direction tells the eight directions from k apart.
func (b *board) direction(k, i int) uint8 {
	d := (b.t.lineOf[k&127][i&127] - 1) & 3
	if i > k {
		d |= 4
	}
	return d
}

// goes returns where the piece of class c on square i may go, its king safe.
func (b *board) goes(w *view, c *class, i int) set {
	s := b.t.attacks(c, i, w.occupied).and(w.target)
	if w.pinned.has(i) {
		s = s.and(w.pins[b.direction(int(b.king[b.turn&1]), i)])
	}
	return s
}

// dropSquares returns where kind may be dropped, before pawn-drop mate.
func (b *board) dropSquares(w *view, kind uint8) set {
	us := b.turn & 1
	typ := &b.t.types[kind&typeBits]
	s := typ.dropsTo[us].and(w.target).without(w.occupied)
	if typ.nifu {
		s = s.without(b.t.fill(b.by[us][typ.class%maxClasses]))
	}
	return s
}

// mates returns those of the drop squares that give mate at once by a kind
// that must not.
func (b *board) mates(kind uint8, squares set) (bad set) {
	us, them := b.turn&1, b.turn&1^1
	typ := &b.t.types[kind&typeBits]
	if !typ.noMate || b.king[them] < 0 {
		return set{}
	}
	to := &b.t.towards[us][b.king[them]&127][typ.class]
	for s := squares.and(to.leap.or(to.slide)); !s.empty(); s = s.rest() {
		m := ply{drop: kind, to: uint8(s.first())}
		u := b.make(m)
		var w view
		b.look(&w)
		if !w.checkers.empty() && w.kingTo.empty() && b.count(&w) == 0 {
			bad = bad.or(single(s.first()))
		}
		b.unmake(m, u)
	}
	return bad
}
