package rules

// Color is one of the two sides. Black (sente, 先手) moves first in an even
// game; White (gote, 後手) gives the handicap and moves first in a handicap
// game. There is no third value: a Color always names a side.
type Color uint8

const (
	Black Color = iota
	White
)

// Other returns the opponent of c.
func (c Color) Other() Color { return c ^ 1 }

// String returns "Black" or "White".
func (c Color) String() string {
	if c == Black {
		return "Black"
	}
	return "White"
}

// Square is a square of a board of at most 15×15, named by file and rank as
// Black sees them: file 1 is at Black's right, rank a is White's back rank.
// The zero value is no square.
type Square uint8

// NewSquare returns the square on the file and rank given, both counted from
// 1, or no square where one of them is outside 1 to 15.
func NewSquare(file, rank int) Square {
	if file < 1 || file > 15 || rank < 1 || rank > 15 {
		return 0
	}
	return Square(file<<4 | rank)
}

// File returns the file, from 1; 0 for no square.
func (s Square) File() int { return int(s >> 4) }

// Rank returns the rank, from 1 (rank a); 0 for no square.
func (s Square) Rank() int { return int(s & 15) }

// String returns the square as file digits and rank letter, such as "7f" or
// "11k"; "-" for no square.
func (s Square) String() string {
	if s == 0 {
		return "-"
	}
	letter := byte('a' + s.Rank() - 1)
	if f := s.File(); f >= 10 {
		return string([]byte{'1', byte('0' + f - 10), letter})
	}
	return string([]byte{byte('0' + s.File()), letter})
}

// Kind is a piece kind without owner or promotion, as the index of its row in
// the variant's table of pieces, counted from 1. It means something only
// together with its variant. The zero value is no kind.
type Kind uint8

// Piece is a piece on the board: kind, owner and whether it is promoted. The
// zero value is an empty square.
type Piece struct {
	Kind     Kind
	Color    Color
	Promoted bool
}

// Move is one ply. A board move has From and no Drop; a drop has Drop and no
// From. The zero value is no move. Moves are comparable; a Move says nothing
// of the position it is played in.
type Move struct {
	From, To Square
	Drop     Kind
	Promote  bool
}

// Outcome says who has won. The zero value is a game that goes on.
type Outcome uint8

const (
	Ongoing Outcome = iota
	BlackWins
	WhiteWins
	Draw
)

// Win returns the outcome in which c has won.
func Win(c Color) Outcome { return BlackWins + Outcome(c) }

// Cause says why a game has ended. The causes below follow from the rules;
// package game adds those that come from the players and the clock. The text
// is stable: it is stored. The zero value is none.
type Cause string

const (
	Checkmate      Cause = "checkmate"
	NoMoves        Cause = "no legal move"
	Repetition     Cause = "repetition"      // sennichite, 千日手
	PerpetualCheck Cause = "perpetual check" // 連続王手の千日手
	ImpasseWin     Cause = "impasse"         // jishogi, 持将棋, decided by points
	ImpasseDraw    Cause = "impasse drawn"
	FalseClaim     Cause = "false impasse claim"
	KingCapture    Cause = "king captured"
	BareKing       Cause = "bare king"
)

// End is how a game ended: who and why. The zero value is a game that goes
// on.
type End struct {
	Outcome Outcome
	Cause   Cause
}

// Reason says which rule a move breaks. The zero value is none.
type Reason uint8

const (
	_             Reason = iota
	NoPiece              // no piece of the mover stands on From
	NotInHand            // none of that kind in hand
	NoDrops              // the variant has no drops
	Occupied             // a drop on a piece
	OwnPiece             // the target holds a piece of the mover
	CannotReach          // the piece does not move so, or something is in the way
	CannotPromote        // the piece has no promotion, or the move does not touch the zone
	MustPromote          // unpromoted it could never move again
	DeadEnd              // dropped there it could never move
	TwoPawns             // nifu, 二歩
	PawnDropMate         // uchifuzume, 打ち歩詰め
	LeavesCheck          // the king is in check and would stay so
	ExposesKing          // the king would come into check: pinned piece, or the king walks into an attack
	OffBoard             // a square that this board does not have
)
