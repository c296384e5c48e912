package rules

import (
	"errors"
	"fmt"
	"unicode"
)

const (
	maxKinds   = 31
	maxClasses = 32
	maxSquares = 128
)

// tables is a variant compiled: what the generator reads. Kinds, promoted or
// not, that move alike and promote alike share a class; the generator knows
// only classes.
type tables struct {
	*geometry
	v       *Variant
	initial Position

	types   [64]pieceType // by type: the kind, promotedBit added for the other side
	class   [2][]class    // by owner
	towards [2][maxSquares][]towards
	royal   uint8  // the class of the king
	king    Kind   // the royal kind
	zone    [2]set // where that side promotes
}

// pieceType is one face of a kind.
type pieceType struct {
	class   uint8
	used    bool
	dropsTo [2]set // squares where a drop is not dead
	nifu    bool
	noMate  bool
	points  int
}

// class is how all pieces of a class and an owner move.
type class struct {
	leap    [maxSquares]set // single steps and jumps
	reach   [maxSquares]set // squares a slide meets on the empty board
	lines   []uint8
	dead    set // squares on which it can never move again
	promote bool
	forward int // the shift of a piece with one step, forward; 0: it has others
	from    set // where that shift does not leave the board
}

// towards is what one class must know about one square that may be attacked:
// from where it is attacked by a leap, by a slide if nothing is between, and
// from where any square next to it might be attacked.
type towards struct{ leap, slide, near set }

// faces calls f for each face of each kind.
func (v *Variant) faces(f func(typ uint8, k PieceKind, betza string)) {
	for i, k := range v.Pieces {
		f(uint8(i+1), k, k.Betza)
		if k.Promoted.Betza != "" {
			f(uint8(i+1)|promotedBit, k, k.Promoted.Betza)
		}
	}
}

func compile(v *Variant) (*tables, error) {
	if err := v.validate(); err != nil {
		return nil, err
	}
	t := &tables{geometry: newGeometry(v.Files, v.Ranks), v: v}
	for i := range t.squares {
		if i%v.Ranks < v.Zone {
			t.zone[Black] = t.zone[Black].or(single(i))
		}
		if i%v.Ranks >= v.Ranks-v.Zone {
			t.zone[White] = t.zone[White].or(single(i))
		}
	}
	var firstErr error
	known := map[string]uint8{}
	v.faces(func(typ uint8, k PieceKind, betza string) {
		steps, err := parseBetza(betza)
		if err != nil {
			firstErr = errors.Join(firstErr, fmt.Errorf("piece %s: %w", k.Code, err))
			return
		}
		promote := typ&promotedBit == 0 && k.Promoted.Betza != ""
		nifu := typ&promotedBit == 0 && k.OnePerFile
		id := fmt.Sprint(steps, promote, k.Royal)
		if nifu {
			id += k.Code
		}
		c, ok := known[id]
		if !ok {
			c = uint8(len(t.class[Black]))
			known[id] = c
			for _, owner := range []Color{Black, White} {
				t.class[owner] = append(t.class[owner], t.newClass(owner, steps, promote))
			}
		}
		if k.Royal {
			t.royal, t.king = c, Kind(typ)
		}
		t.types[typ] = pieceType{
			class: c, used: true, nifu: nifu, noMate: typ&promotedBit == 0 && k.NoDropMate, points: k.Points,
			dropsTo: [2]set{t.board.without(t.class[Black][c].dead), t.board.without(t.class[White][c].dead)},
		}
	})
	if firstErr != nil {
		return nil, firstErr
	}
	if n := len(t.class[Black]); n > maxClasses {
		return nil, fmt.Errorf("%d ways to move, at most %d", n, maxClasses)
	}
	t.lookBack()
	start, err := parsePosition(t, v.Setup)
	t.initial = start
	return t, err
}

func (t *tables) start() Position { return t.initial }

// validate reports what a row says that no board or piece can be.
func (v *Variant) validate() error {
	if v.Files < 1 || v.Ranks < 1 || v.Files > 11 || v.Ranks > 11 {
		return fmt.Errorf("board of %d×%d, at most 11×11", v.Files, v.Ranks)
	}
	if v.Zone < 0 || v.Zone > v.Ranks {
		return fmt.Errorf("promotion zone of %d ranks", v.Zone)
	}
	if len(v.Pieces) == 0 || len(v.Pieces) > maxKinds {
		return fmt.Errorf("%d kinds of piece, from 1 to %d", len(v.Pieces), maxKinds)
	}
	royals := 0
	codes := map[string]bool{}
	for _, k := range v.Pieces {
		if k.Royal {
			royals++
		}
		if k.Royal && k.Promoted.Betza != "" {
			return fmt.Errorf("piece %s: a king does not promote", k.Code)
		}
		if len(k.Code) < 1 || len(k.Code) > 2 || codes[k.Code] {
			return fmt.Errorf("piece %q: a code is one or two letters and used once", k.Code)
		}
		for _, r := range k.Code {
			if r > unicode.MaxASCII || !unicode.IsUpper(r) {
				return fmt.Errorf("piece %q: codes are capital letters", k.Code)
			}
		}
		codes[k.Code] = true
	}
	if royals != 1 {
		return fmt.Errorf("%d royal kinds, must be one", royals)
	}
	return nil
}

func (t *tables) newClass(owner Color, steps []step, promote bool) class {
	c := class{promote: promote}
	sign := 1
	if owner == White {
		sign = -1
	}
	for _, s := range steps {
		df, dr := sign*s.dx, -sign*s.dy
		for i := range t.squares {
			to, ok := t.offset(i, df, dr)
			if !ok {
				continue
			}
			if s.far == 0 {
				c.leap[i] = c.leap[i].or(single(to))
				continue
			}
			for n := 0; ok && n < s.far; n++ {
				c.reach[i] = c.reach[i].or(single(to))
				to, ok = t.offset(to, df, dr)
			}
		}
		if s.far > 0 {
			c.addLine(lineIndex(df, dr))
		}
	}
	for i := range t.squares {
		if c.leap[i].or(c.reach[i]).empty() {
			c.dead = c.dead.or(single(i))
		}
	}
	if len(steps) == 1 && steps[0].far == 0 && steps[0].dy > 0 {
		c.forward = sign * (steps[0].dx*t.ranks - steps[0].dy)
		c.from = t.board.without(c.dead)
	}
	return c
}

// lineIndex returns which of geometry's four lines runs in that direction.
func lineIndex(df, dr int) uint8 {
	switch {
	case df == 0:
		return 0
	case dr == 0:
		return 1
	case df == dr:
		return 2
	}
	return 3
}

func (c *class) addLine(l uint8) {
	for _, have := range c.lines {
		if have == l {
			return
		}
	}
	c.lines = append(c.lines, l)
}

// lookBack fills towards from the classes' moves.
func (t *tables) lookBack() {
	n := len(t.class[Black])
	for owner := range t.class {
		for i := range t.squares {
			t.towards[owner][i] = make([]towards, n)
		}
		for c := range n {
			cl := &t.class[owner][c]
			for from := range t.squares {
				for s := cl.leap[from]; !s.empty(); s = s.rest() {
					w := &t.towards[owner][s.first()][c]
					w.leap = w.leap.or(single(from))
				}
				for s := cl.reach[from].without(cl.leap[from]); !s.empty(); s = s.rest() {
					w := &t.towards[owner][s.first()][c]
					w.slide = w.slide.or(single(from))
				}
			}
		}
	}
	for owner := range t.class {
		kings := &t.class[1-owner][t.royal]
		for i := range t.squares {
			for s := kings.leap[i].or(kings.reach[i]); !s.empty(); s = s.rest() {
				for c := range n {
					w, at := &t.towards[owner][i][c], t.towards[owner][s.first()][c]
					w.near = w.near.or(at.leap).or(at.slide)
				}
			}
		}
	}
}

// attacks returns the squares a piece of a class attacks from square i.
func (t *tables) attacks(c *class, i int, occupied set) set {
	if len(c.lines) == 0 {
		return c.leap[i&127]
	}
	var s set
	for _, l := range c.lines {
		s = s.or(t.slide(l, i, occupied))
	}
	return s.and(c.reach[i&127]).or(c.leap[i&127])
}
