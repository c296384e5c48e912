package rules

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

// Variant is one game as data: a row of the table of variants. It is used
// through a pointer, is built once, and must not be changed. Two positions
// can be equal only if they share their Variant.
type Variant struct {
	Name    string   // as players type it: "shogi", "minishogi", "heian", "wa"
	Aliases []string // other names, lower case
	Title   string   // "Shogi"
	Files   int
	Ranks   int
	Zone    int         // ranks of the promotion zone, from the far side
	Drops   bool        // captured pieces change sides and may be dropped
	Pieces  []PieceKind // Kind k is Pieces[k-1]; hands are written in this order
	Setup   string      // SFEN of the start: board, side to move, hands
	Gives   []Handicap  // what White may give

	Repetition Outcome // of a position that occurs for the fourth time; Draw if not set
	BareKing   BareRule
	Points     bool // impasse may be decided by counting points

	compiled func() *tables
}

// PieceKind is a row of a variant's table of pieces.
type PieceKind struct {
	Code     string // "P"; two letters in Wa
	Name     string // "Pawn"
	Kanji    string // "歩兵"
	Romaji   string // "fuhyō"
	Betza    string // how it moves, seen from its owner; see betza.go
	Promoted Promoted
	Royal    bool // losing it loses the game; it is never in hand
	// OnePerFile forbids a drop on a file that has an unpromoted piece of
	// the same kind and owner (nifu, 二歩).
	OnePerFile bool
	// NoDropMate forbids a drop that gives checkmate (uchifuzume, 打ち歩詰め).
	NoDropMate bool
	Points     int // in an impasse count
}

// Promoted is the other side of a piece. The zero value: it has none.
type Promoted struct {
	Name   string // "Tokin"
	Kanji  string
	Romaji string
	Betza  string
}

// BareRule says what happens to a side that has nothing left but its king.
type BareRule uint8

const (
	BareIgnored BareRule = iota // nothing
	BareLoses                   // it loses at once
	BareReply                   // it loses, unless its next move bares the other king too: a draw
)

// Handicap is a named set of pieces White gives. White moves first.
type Handicap struct {
	Name    string // "lance", "2p"
	Aliases []string
	Title   string // "two pieces"
	Setup   string // SFEN
}

// Variants returns the games this package knows, shogi first.
func Variants() []*Variant { return slices.Clone(catalog()) }

var catalog = sync.OnceValue(func() []*Variant {
	list := []*Variant{shogi(), minishogi()}
	list = append(list, heian()...)
	list = append(list, wa(false), wa(true))
	for _, v := range list {
		v.compiled = sync.OnceValue(func() *tables {
			t, err := compile(v)
			if err != nil {
				panic("rules: variant " + v.Name + ": " + err.Error()) // a row of our own table is wrong
			}
			return t
		})
	}
	return list
})

// Define checks a variant of the caller's own and makes it ready for use. The
// error says which part of the row cannot be played by this package. The
// variant is not added to [Variants].
func Define(v Variant) (*Variant, error) {
	if v.Repetition == Ongoing {
		v.Repetition = Draw
	}
	t, err := compile(&v)
	if err != nil {
		return nil, fmt.Errorf("define variant %q: %w", v.Name, err)
	}
	v.compiled = func() *tables { return t }
	for _, setup := range append([]string{v.Setup}, v.setups()...) {
		if _, err := ParsePosition(&v, setup); err != nil {
			return nil, fmt.Errorf("define variant %q: %w", v.Name, err)
		}
	}
	return &v, nil
}

func (v *Variant) setups() (s []string) {
	for _, h := range v.Gives {
		s = append(s, h.Setup)
	}
	return s
}

// Shogi returns standard shogi.
func Shogi() *Variant { return catalog()[0] }

// ByName returns the variant of a name or alias, in any case.
func ByName(name string) (*Variant, bool) {
	name = strings.ToLower(strings.TrimSpace(name))
	for _, v := range catalog() {
		if v.Name == name || slices.Contains(v.Aliases, name) {
			return v, true
		}
	}
	return nil, false
}

// Start returns the initial position of the even game.
func (v *Variant) Start() Position { return v.compiled().start() }

// Kind returns the kind with that code, in any case and without "+"; 0 if
// there is none.
func (v *Variant) Kind(code string) Kind {
	for i, k := range v.Pieces {
		if strings.EqualFold(k.Code, code) {
			return Kind(i + 1)
		}
	}
	return 0
}

// Piece returns the row of k, which must be a kind of this variant; the zero
// row otherwise.
func (v *Variant) Piece(k Kind) PieceKind {
	if k == 0 || int(k) > len(v.Pieces) {
		return PieceKind{}
	}
	return v.Pieces[k-1]
}

// Contains reports whether s is a square of the board.
func (v *Variant) Contains(s Square) bool {
	return s != 0 && s.File() >= 1 && s.File() <= v.Files && s.Rank() >= 1 && s.Rank() <= v.Ranks
}

// Handicaps returns what White may give, from the smallest. The slice belongs
// to the caller.
func (v *Variant) Handicaps() []Handicap { return slices.Clone(v.Gives) }

// Handicap returns the handicap of a name or alias, in any case. It reports
// false for a name that fits none, and for one that fits several, such as
// "5p"; [Variant.HandicapsNamed] tells them apart.
func (v *Variant) Handicap(name string) (Handicap, bool) {
	if found := v.HandicapsNamed(name); len(found) == 1 {
		return found[0], true
	}
	return Handicap{}, false
}

// HandicapsNamed returns all handicaps that a name may mean. More than one:
// ask the player.
func (v *Variant) HandicapsNamed(name string) []Handicap {
	name = strings.Join(strings.Fields(strings.ToLower(name)), " ")
	var found []Handicap
	for _, h := range v.Gives {
		if h.Name == name {
			return []Handicap{h}
		}
		if slices.Contains(h.Aliases, name) {
			found = append(found, h)
		}
	}
	return found
}
