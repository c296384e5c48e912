package rules

// API the other packages build on; the implementation replaces this file.

// Variant is one game as data.
type Variant struct {
	Name   string // as players type it: "shogi", "minishogi", "heian", "wa"
	Title  string // "Shogi"
	Files  int
	Ranks  int
	Zone   int // ranks of the promotion zone, from the far side
	Drops  bool
	Pieces []PieceKind // Kind k is Pieces[k-1]
	Setup  string      // SFEN of the start: board, side to move, hands
}

// PieceKind is a row of a variant's table of pieces.
type PieceKind struct {
	Code string // "P"; two letters in Wa
	Name string // "Pawn"
}

func Shogi() *Variant                     { panic("stub") }
func ByName(name string) (*Variant, bool) { panic("stub") }
func (v *Variant) Start() Position        { panic("stub") }
func (v *Variant) Kind(code string) Kind  { panic("stub") }
func (v *Variant) Piece(k Kind) PieceKind { return v.Pieces[k-1] }
func (v *Variant) Contains(s Square) bool { panic("stub") }

// Position is a board, both hands and whose turn it is. Comparable with ==.
type Position struct{ v *Variant }

func ParsePosition(v *Variant, sfen string) (Position, error) { panic("stub") }
func (p Position) String() string                             { panic("stub") } // SFEN without move number
func (p Position) Variant() *Variant                          { return p.v }
func (p Position) Turn() Color                                { panic("stub") }
func (p Position) At(s Square) Piece                          { panic("stub") }
func (p Position) Hand(c Color, k Kind) int                   { panic("stub") }
func (p Position) Key() uint64                                { panic("stub") }
func (p Position) InCheck() bool                              { panic("stub") }
func (p Position) LegalMoves() []Move                         { panic("stub") }
func (p Position) Reaches(from, to Square) bool               { panic("stub") }
func (p Position) Check(m Move) error                         { panic("stub") }
func (p Position) Play(m Move) (Position, error)              { panic("stub") }

// IllegalMoveError is returned for a move against the rules.
type IllegalMoveError struct {
	Move   Move
	Reason Reason
}

func (e *IllegalMoveError) Error() string { panic("stub") }

// Handicap is a named set of pieces White gives.
type Handicap struct {
	Name    string // "lance", "2p"
	Aliases []string
	Title   string // "two pieces"
	Setup   string // SFEN
}

func (v *Variant) Handicaps() []Handicap                 { panic("stub") }
func (v *Variant) Handicap(name string) (Handicap, bool) { panic("stub") }

// Judge returns how the game whose positions are given, from the start to the
// present one, has ended by the rules; the zero End if it goes on.
func Judge(positions []Position) End { panic("stub") }
