package rules

import "math/bits"

// promotions splits the targets of a piece on square i: where it may promote
// and where it must.
func (t *tables) promotions(c *class, owner Color, i int, to set) (may, must set) {
	if !c.promote {
		return set{}, set{}
	}
	may = to
	if !t.zone[owner&1].has(i) {
		may = to.and(t.zone[owner&1])
	}
	return may, may.and(c.dead)
}

// count returns the number of legal moves, counting sets instead of making
// moves. w is what look has seen.
func (b *board) count(w *view) int {
	us, t := b.turn&1, b.t
	n := w.kingTo.count()
	if w.target.empty() {
		return n
	}
	zone := t.zone[us]
	for i := range t.class[us] {
		pieces := b.by[us][i%maxClasses]
		if pieces.empty() || uint8(i) == t.royal {
			continue
		}
		c := &t.class[us][i]
		if c.forward != 0 {
			s := pieces.without(w.pinned).and(c.from).shift(c.forward).and(w.target)
			n += s.count()
			if c.promote {
				n += s.and(zone).without(c.dead).count()
			}
			pieces = pieces.and(w.pinned)
		}
		for ; !pieces.empty(); pieces = pieces.rest() {
			from := pieces.first()
			s := b.goes(w, c, from)
			n += s.count()
			if c.promote {
				if !zone.has(from) {
					s = s.and(zone)
				}
				n += s.without(c.dead).count()
			}
		}
	}
	for kinds := b.holds[us]; kinds != 0; kinds &= kinds - 1 {
		kind := uint8(bits.TrailingZeros32(kinds))
		s := b.dropSquares(w, kind)
		n += s.without(b.mates(kind, s)).count()
	}
	return n
}

// list appends the legal moves to plies.
func (b *board) list(w *view, plies []ply) []ply {
	us, t := b.turn&1, b.t
	for s := w.kingTo; !s.empty(); s = s.rest() {
		plies = append(plies, ply{from: uint8(b.king[us]), to: uint8(s.first())})
	}
	if w.target.empty() {
		return plies
	}
	for i := range t.class[us] {
		if uint8(i) == t.royal {
			continue
		}
		c := &t.class[us][i]
		for pieces := b.by[us][i%maxClasses]; !pieces.empty(); pieces = pieces.rest() {
			from := pieces.first()
			s := b.goes(w, c, from)
			may, must := t.promotions(c, us, from, s)
			for p := may; !p.empty(); p = p.rest() {
				plies = append(plies, ply{from: uint8(from), to: uint8(p.first()), promote: true})
			}
			for p := s.without(must); !p.empty(); p = p.rest() {
				plies = append(plies, ply{from: uint8(from), to: uint8(p.first())})
			}
		}
	}
	for kinds := b.holds[us]; kinds != 0; kinds &= kinds - 1 {
		kind := uint8(bits.TrailingZeros32(kinds))
		s := b.dropSquares(w, kind)
		for s = s.without(b.mates(kind, s)); !s.empty(); s = s.rest() {
			plies = append(plies, ply{to: uint8(s.first()), drop: kind})
		}
	}
	return plies
}

// Perft returns the number of sequences of depth legal moves from p, the
// usual measure of a move generator's truth and speed. The last moves are
// counted, not made. Depth 0 or less counts p itself.
func (p Position) Perft(depth int) uint64 {
	if p.v == nil || depth <= 0 {
		return 1
	}
	var b board
	b.open(&p)
	plies := make([]ply, 0, 1024)
	return b.perft(depth, plies)
}

func (b *board) perft(depth int, plies []ply) uint64 {
	var w view
	b.look(&w)
	if depth == 1 {
		return uint64(b.count(&w))
	}
	plies = b.list(&w, plies[len(plies):])
	var n uint64
	for _, m := range plies {
		u := b.make(m)
		n += b.perft(depth-1, plies)
		b.unmake(m, u)
	}
	return n
}
