package rules

import "fmt"

// IllegalMoveError is returned for a move against the rules.
type IllegalMoveError struct {
	Move   Move
	Reason Reason
}

// Error returns a lower-case sentence that names the rule. Players read texts
// made from Reason instead, in their own language.
func (e *IllegalMoveError) Error() string {
	m := e.Move
	switch {
	case m.Drop != 0:
		return fmt.Sprintf("illegal drop on %v: %v", m.To, e.Reason)
	case m.Promote:
		return fmt.Sprintf("illegal move %v-%v+: %v", m.From, m.To, e.Reason)
	}
	return fmt.Sprintf("illegal move %v-%v: %v", m.From, m.To, e.Reason)
}

// String returns the rule in a few lower-case words.
func (r Reason) String() string {
	switch r {
	case NoPiece:
		return "no piece of the mover stands there"
	case NotInHand:
		return "no such piece in hand"
	case NoDrops:
		return "this game has no drops"
	case Occupied:
		return "a piece may be dropped on an empty square only"
	case OwnPiece:
		return "the target holds a piece of the mover"
	case CannotReach:
		return "the piece cannot go there"
	case CannotPromote:
		return "the piece cannot promote with this move"
	case MustPromote:
		return "the piece must promote, it could never move again"
	case DeadEnd:
		return "dropped there the piece could never move"
	case TwoPawns:
		return "two pawns on one file (nifu)"
	case PawnDropMate:
		return "mate by a dropped pawn (uchifuzume)"
	case LeavesCheck:
		return "the king stays in check"
	case ExposesKing:
		return "the king comes into check"
	case OffBoard:
		return "the square is not on the board"
	}
	return "no reason"
}

// Check returns nil if m is legal in p, and otherwise an [*IllegalMoveError]
// whose Reason is the first rule m breaks: how the piece moves, promotion and
// drop rules, then the safety of the king.
func (p Position) Check(m Move) error {
	if p.v == nil {
		return &IllegalMoveError{m, OffBoard}
	}
	var b board
	b.open(&p)
	if _, reason := b.check(m); reason != 0 {
		return &IllegalMoveError{m, reason}
	}
	return nil
}

// Play returns the position after m. If m is against the rules, p comes back
// unchanged and the error is an [*IllegalMoveError]. Repetition and the end of
// the game are not its business.
func (p Position) Play(m Move) (Position, error) {
	if p.v == nil {
		return p, &IllegalMoveError{m, OffBoard}
	}
	var b board
	b.open(&p)
	pl, reason := b.check(m)
	if reason != 0 {
		return p, &IllegalMoveError{m, reason}
	}
	b.make(pl)
	return b.close(), nil
}

// check returns m as a ply and the rule it breaks, if any.
func (b *board) check(m Move) (ply, Reason) {
	to := b.t.number[m.To]
	if to == noNumber {
		return ply{}, OffBoard
	}
	var pl ply
	var reason Reason
	if m.Drop != 0 {
		pl = ply{to: to, drop: uint8(m.Drop)}
		reason = b.checkDrop(m, to)
	} else {
		from := b.t.number[m.From]
		if from == noNumber {
			return ply{}, OffBoard
		}
		pl = ply{from: from, to: to, promote: m.Promote}
		reason = b.checkBoardMove(pl)
	}
	if reason == 0 {
		reason = b.checkKing(pl)
	}
	if reason == 0 && pl.drop != 0 && !b.mates(pl.drop, single(int(to))).empty() {
		reason = PawnDropMate
	}
	return pl, reason
}

func (b *board) checkDrop(m Move, to uint8) Reason {
	us := b.turn & 1
	if !b.t.v.Drops {
		return NoDrops
	}
	if m.From != 0 || m.Drop > maxKinds || b.hand[us][m.Drop] == 0 {
		return NotInHand
	}
	typ := &b.t.types[m.Drop]
	switch {
	case m.Promote:
		return CannotPromote
	case b.at[to] != 0:
		return Occupied
	case !typ.dropsTo[us].has(int(to)):
		return DeadEnd
	case typ.nifu && b.by[us][typ.class].meets(b.t.file[to]):
		return TwoPawns
	}
	return 0
}

func (b *board) checkBoardMove(m ply) Reason {
	us := b.turn & 1
	pc := b.at[m.from]
	if pc == 0 || Color(pc>>6) != us {
		return NoPiece
	}
	c := &b.t.class[us][b.t.types[pc&typeBits].class]
	occupied := b.all[Black].or(b.all[White])
	if !b.t.attacks(c, int(m.from), occupied).has(int(m.to)) {
		return CannotReach
	}
	if b.all[us].has(int(m.to)) {
		return OwnPiece
	}
	may, must := b.t.promotions(c, us, int(m.from), single(int(m.to)))
	switch {
	case m.promote && may.empty():
		return CannotPromote
	case !m.promote && !must.empty():
		return MustPromote
	}
	return 0
}

// checkKing plays m and looks whether the mover's king is attacked. A check
// that was there before and still is, is left; any other is new.
func (b *board) checkKing(m ply) Reason {
	var before, after view
	b.look(&before)
	u := b.make(m)
	b.turn ^= 1
	b.look(&after)
	b.turn ^= 1
	b.unmake(m, u)
	switch {
	case after.checkers.empty():
		return 0
	case after.checkers.meets(before.checkers):
		return LeavesCheck
	}
	return ExposesKing
}
