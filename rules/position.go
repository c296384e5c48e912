package rules

// Position is a board, both hands and whose turn it is: all that the rules
// ask of a moment of the game, except what has happened before. It is
// comparable: == means same variant, board, hands and turn. The zero value is
// no position.
type Position struct {
	v    *Variant
	key  uint64
	at   [121]uint8
	hand [2][maxKinds + 1]uint8
	turn Color
}

// Variant returns the game p belongs to; nil for no position.
func (p Position) Variant() *Variant { return p.v }

// Turn returns the side to move.
func (p Position) Turn() Color { return p.turn }

// Key returns a hash of p. Equal positions have equal keys, in every run of
// the program; different ones may collide, so compare positions where it
// matters.
func (p Position) Key() uint64 { return p.key }

// At returns the piece on s; the zero Piece if there is none or s is not on
// the board.
func (p Position) At(s Square) Piece {
	if i, ok := p.number(s); ok {
		return unpackPiece(p.at[i])
	}
	return Piece{}
}

// Hand returns how many of kind k side c has in hand.
func (p Position) Hand(c Color, k Kind) int { return int(p.hand[c&1][k&kindBits]) }

// number returns the bit of a square.
func (p *Position) number(s Square) (int, bool) {
	if p.v == nil {
		return 0, false
	}
	i := p.v.compiled().number[s]
	return int(i), i != noNumber
}

// King returns where the king of c stands; no square if it has none, as in a
// mating problem.
func (p Position) King(c Color) Square {
	if p.v == nil {
		return 0
	}
	t := p.v.compiled()
	for i := range t.squares {
		if p.at[i] == uint8(t.king)|uint8(c)<<6 {
			return t.square[i]
		}
	}
	return 0
}

// InCheck reports whether the king of the side to move is attacked.
func (p Position) InCheck() bool {
	if p.v == nil {
		return false
	}
	var b board
	var w view
	b.open(&p)
	b.look(&w)
	return !w.checkers.empty()
}

// Checkers returns the squares of the pieces that attack the king of the side
// to move.
func (p Position) Checkers() []Square {
	if p.v == nil {
		return nil
	}
	var b board
	var w view
	b.open(&p)
	b.look(&w)
	return b.t.squaresOf(w.checkers)
}

func (t *tables) squaresOf(s set) (list []Square) {
	for ; !s.empty(); s = s.rest() {
		list = append(list, t.square[s.first()])
	}
	return list
}

// LegalMoves returns every legal move, in an order that is the same each
// time. Promotion and its refusal are two moves; promotion that is forced is
// one.
func (p Position) LegalMoves() []Move {
	if p.v == nil {
		return nil
	}
	var b board
	var w view
	b.open(&p)
	b.look(&w)
	plies := b.list(&w, make([]ply, 0, b.count(&w)))
	moves := make([]Move, len(plies))
	for i, m := range plies {
		moves[i] = b.t.move(m)
	}
	return moves
}

// HasLegalMove reports whether the side to move has a legal move. If not, it
// has lost.
func (p Position) HasLegalMove() bool {
	if p.v == nil {
		return false
	}
	var b board
	var w view
	b.open(&p)
	b.look(&w)
	return b.count(&w) > 0
}

func (t *tables) move(m ply) Move {
	if m.drop != 0 {
		return Move{Drop: Kind(m.drop), To: t.square[m.to]}
	}
	return Move{From: t.square[m.from], To: t.square[m.to], Promote: m.promote}
}

// Reaches reports whether the piece on from, of either side, may go to to by
// its movement: nothing is in the way, and to holds no piece of its own side.
// Pins, checks and turn do not count; notation asks this to see whether a
// move needs its origin.
func (p Position) Reaches(from, to Square) bool {
	i, ok := p.number(from)
	j, ok2 := p.number(to)
	if !ok || !ok2 || p.at[i] == 0 {
		return false
	}
	if p.at[j] != 0 && p.at[j]&whiteBit == p.at[i]&whiteBit {
		return false
	}
	return p.attacksFrom(i).has(j)
}

// attacksFrom returns the squares the piece on square i attacks.
func (p *Position) attacksFrom(i int) set {
	t := p.v.compiled()
	var occupied set
	for j := range t.squares {
		if p.at[j] != 0 {
			occupied = occupied.or(single(j))
		}
	}
	pc := p.at[i]
	return t.attacks(&t.class[pc>>6&1][t.types[pc&typeBits].class], i, occupied)
}

// Promotion reports whether a move of the piece on from to to may promote, and
// whether it must. It does not ask whether the piece can go there.
func (p Position) Promotion(from, to Square) (may, must bool) {
	i, ok := p.number(from)
	j, ok2 := p.number(to)
	if !ok || !ok2 || p.at[i] == 0 {
		return false, false
	}
	t := p.v.compiled()
	owner := Color(p.at[i] >> 6 & 1)
	a, b := t.promotions(&t.class[owner][t.types[p.at[i]&typeBits].class], owner, i, single(j))
	return !a.empty(), !b.empty()
}
