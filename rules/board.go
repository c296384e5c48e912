package rules

// A piece in a byte: kind, promotedBit, whiteBit; 0 is an empty square.
const (
	kindBits    = 31
	promotedBit = 32
	typeBits    = 63
	whiteBit    = 64
)

func unpackPiece(b uint8) Piece {
	if b == 0 {
		return Piece{}
	}
	return Piece{Kind: Kind(b & kindBits), Color: Color(b >> 6), Promoted: b&promotedBit != 0}
}

// ply is a move inside the package: square numbers and the kind dropped.
type ply struct {
	from, to uint8
	drop     uint8
	promote  bool
}

// board is a position opened for work: bitboards beside the squares, moves
// made and unmade in place. It belongs to one goroutine.
type board struct {
	t     *tables
	by    [2][maxClasses]set // by owner and class
	all   [2]set
	at    [maxSquares]uint8
	hand  [2][maxKinds + 1]uint8
	holds [2]uint32 // bit k: some of kind k in hand
	king  [2]int8   // number of the king's square; -1: none
	turn  Color
	key   uint64
}

// undo is what a move destroys.
type undo struct {
	captured uint8
	king     int8
	key      uint64
}

// open fills b from p.
func (b *board) open(p *Position) {
	t := p.v.compiled()
	*b = board{t: t, king: [2]int8{-1, -1}, turn: p.turn, key: p.key, hand: p.hand}
	for c := range b.hand {
		for k, n := range b.hand[c] {
			if n > 0 {
				b.holds[c] |= 1 << k
			}
		}
	}
	for i := range t.squares {
		pc := p.at[i]
		if pc == 0 {
			continue
		}
		owner, typ := pc>>6&1, pc&typeBits
		b.at[i] = pc
		b.by[owner][t.types[typ].class] = b.by[owner][t.types[typ].class].or(single(i))
		b.all[owner] = b.all[owner].or(single(i))
		if Kind(typ) == t.king {
			b.king[owner] = int8(i)
		}
	}
}

// close returns b as a value.
func (b *board) close() Position {
	p := Position{v: b.t.v, turn: b.turn, key: b.key, hand: b.hand}
	copy(p.at[:], b.at[:])
	return p
}

// toggle puts a piece on a square of b's sets or takes it away.
func (b *board) toggle(pc uint8, s set) {
	owner, c := pc>>6&1, b.t.types[pc&typeBits].class%maxClasses
	b.by[owner][c] = b.by[owner][c].xor(s)
	b.all[owner] = b.all[owner].xor(s)
}

// make plays m, which need not be legal but must be possible.
func (b *board) make(m ply) undo {
	us := b.turn & 1
	u := undo{king: b.king[us], key: b.key}
	to := m.to & 127
	if m.drop != 0 {
		pc := m.drop | uint8(us)<<6
		b.at[to] = pc
		b.toggle(pc, single(int(to)))
		b.give(us, m.drop, -1)
		b.key += squareKey(pc, to)
	} else {
		from := m.from & 127
		pc := b.at[from]
		if u.captured = b.at[to]; u.captured != 0 {
			b.capture(us, u.captured, to)
		}
		b.toggle(pc, single(int(from)))
		b.at[from] = 0
		b.key -= squareKey(pc, from)
		if Kind(pc&typeBits) == b.t.king {
			b.king[us] = int8(to)
		}
		if m.promote {
			pc |= promotedBit
		}
		b.toggle(pc, single(int(to)))
		b.at[to] = pc
		b.key += squareKey(pc, to)
	}
	b.turn = us ^ 1
	if us == Black {
		b.key += turnKey
	} else {
		b.key -= turnKey
	}
	return u
}

func (b *board) capture(us Color, pc, to uint8) {
	b.toggle(pc, single(int(to)))
	b.key -= squareKey(pc, to)
	switch {
	case Kind(pc&typeBits) == b.t.king:
		b.king[us^1] = -1
	case b.t.v.Drops:
		b.give(us, pc&kindBits, 1)
		return
	}
}

// give adds n of a kind to a hand.
func (b *board) give(c Color, kind uint8, n int) {
	h := &b.hand[c&1][kind&kindBits]
	*h += uint8(n)
	b.key += uint64(n) * handKey(c, kind)
	if *h == 0 {
		b.holds[c&1] &^= 1 << (kind & kindBits)
	} else {
		b.holds[c&1] |= 1 << (kind & kindBits)
	}
}

// unmake takes m back.
func (b *board) unmake(m ply, u undo) {
	us := b.turn&1 ^ 1
	to := m.to & 127
	pc := b.at[to]
	b.toggle(pc, single(int(to)))
	b.at[to] = u.captured
	switch {
	case m.drop != 0:
		b.give(us, m.drop, 1)
	default:
		if m.promote {
			pc &^= promotedBit
		}
		from := m.from & 127
		b.at[from] = pc
		b.toggle(pc, single(int(from)))
		if u.captured != 0 {
			b.toggle(u.captured, single(int(to)))
			if Kind(u.captured&typeBits) == b.t.king {
				b.king[us^1] = int8(to)
			} else if b.t.v.Drops {
				b.give(us, u.captured&kindBits, -1)
			}
		}
	}
	b.king[us] = u.king
	b.turn = us
	b.key = u.key
}

// Keys are sums: each piece on its square adds a number, each piece in hand
// another, so that a move changes the key by a few additions. White's turn
// adds turnKey. The numbers are a hash of what they stand for (splitmix64),
// so a key is the same in every run of the program.
const turnKey = 0x9e3779b97f4a7c15

func squareKey(pc, i uint8) uint64       { return mix(uint64(pc)<<8 | uint64(i)) }
func handKey(c Color, kind uint8) uint64 { return mix(uint64(kind|uint8(c)<<6)<<8 | 0xff) }

func mix(x uint64) uint64 {
	x = (x + 1) * 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
