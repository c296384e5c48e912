package notation

import (
	"errors"
	"fmt"
	"strings"

	"pbem/rules"
)

// ErrNotMove is returned by [Read] and [ReadLine] for text that does not look
// like a move in any dialect: prose, a command, an empty line.
var ErrNotMove = errors.New("not a move")

// AmbiguousError is returned for text that fits several legal moves, among
// them a text that leaves open whether a piece that may promote does.
type AmbiguousError struct {
	Text     string         // as read, normalised
	Moves    []rules.Move   // at least two legal moves, in a fixed order
	Position rules.Position // where they are legal
}

// Error lists the moves in full.
func (e *AmbiguousError) Error() string {
	return fmt.Sprintf("%q may mean %s", e.Text, list(e.Position, e.Moves))
}

// Misfit says what of a text does not fit the board where no rule of the game
// is broken. The zero value is none.
type Misfit string

// What can be wrong with a move besides the rules.
const (
	NothingToCapture Misfit = "nothing to capture there"
	OtherPiece       Misfit = "another piece stands there"
	AlreadyThere     Misfit = "such a piece stands there already"
	NoSuchPiece      Misfit = "no such piece can be moved"
	NoDropSign       Misfit = "only a drop is possible, and no drop sign is written"
	NoFormerMove     Misfit = "there is no former move to refer to"
	WrongWord        Misfit = "no such piece in that direction"
)

// ImpossibleError is returned for text that is a move, but not one that can
// be played in the position.
type ImpossibleError struct {
	Text     string                  // as read, normalised
	Reading  string                  // how the text was understood, in Hodges notation as far as it is known: "B-7g", "N*5e"
	Err      *rules.IllegalMoveError // the rule that the nearest move breaks; nil if Misfit says it
	Misfit   Misfit                  // what else does not fit; empty if Err says it
	Nearest  []rules.Move            // legal moves that may have been meant; may be empty, at most six
	Position rules.Position

	// Definite says that the text names one move in full, Err.Move: one that
	// could be made on a board of wood, and is against the rules. Where such
	// a move loses the game, only a definite one does.
	Definite bool
}

// Error says what is impossible and why.
func (e *ImpossibleError) Error() string {
	why := string(e.Misfit)
	if e.Err != nil {
		why = e.Err.Error()
	}
	if len(e.Nearest) == 0 {
		return fmt.Sprintf("%s is not possible: %s", e.Reading, why)
	}
	return fmt.Sprintf("%s is not possible: %s; did you mean %s", e.Reading, why, list(e.Position, e.Nearest))
}

// Unwrap returns the broken rule, if there is one.
func (e *ImpossibleError) Unwrap() error {
	if e.Err == nil {
		return nil
	}
	return e.Err
}

// TwoMovesError is returned by [ReadLine] for a text that names more than one
// new move, while only one can be played before the opponent moves.
type TwoMovesError struct {
	Texts []string   // the new moves, as typed
	First rules.Move // the first of them, legal now
}

// Error names the moves.
func (e *TwoMovesError) Error() string {
	return "more than one new move: " + strings.Join(e.Texts, ", ")
}

// HistoryError is returned by [ReadLine] for a list of moves that does not
// agree with the moves played.
type HistoryError struct {
	Text string     // the first move that disagrees, as typed
	Ply  int        // its place in the game, counted from 1
	Want rules.Move // what was played there; no move if the list starts nowhere in the game
}

// Error says where the list leaves the game.
func (e *HistoryError) Error() string {
	return fmt.Sprintf("move list differs from the game at ply %d: %s", e.Ply, e.Text)
}

// SyntaxError is returned by [ParseSFEN] and [ParseUSI] for text outside
// their grammar.
type SyntaxError struct {
	What   string // what is read: "SFEN", "USI move"
	Text   string // the whole text, cut if long
	Offset int    // byte at which it goes wrong, from 0
	Reason string // what is wrong, lower case
}

// Error says what is wrong and where.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("%s %q: %s (at byte %d)", e.What, e.Text, e.Reason, e.Offset)
}

// list writes moves for an error: "G4i-5h or G6i-5h".
func list(p rules.Position, moves []rules.Move) string {
	texts := make([]string, len(moves))
	for i, m := range moves {
		texts[i] = Hodges(p, m)
	}
	return strings.Join(texts, " or ")
}
