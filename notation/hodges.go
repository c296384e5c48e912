package notation

import (
	"fmt"
	"strings"

	"pbem/rules"
)

// Hodges writes m, a legal move of p, in Hodges notation: "P-7f", "Px3c+",
// "N*5e", "S4i-5h", "Nx7c=". The origin is written when another piece of the
// same kind and promotion could reach the target by its movement, pinned or
// not; "=" only where a promotion was possible. What it writes, [Read] reads
// back as m.
func Hodges(p rules.Position, m rules.Move) string { return HodgesIn(p, m, English) }

// HodgesIn writes like [Hodges], with the piece letters of a language. Pieces
// that have no letter in it keep the English one.
func HodgesIn(p rules.Position, m rules.Move, l Letters) string {
	return western{square: rules.Square.String, name: l.name, drop: "*", plain: "-", origin: "%s"}.write(p, m)
}

// western is what the Western notations differ in.
type western struct {
	square func(rules.Square) string
	name   func(v *rules.Variant, piece rules.Piece) string
	drop   string // the drop sign
	plain  string // between piece and target where nothing is captured and no origin written
	origin string // how an origin is written, as a format for one string
}

func (w western) write(p rules.Position, m rules.Move) string {
	v := p.Variant()
	if m.Drop != 0 {
		return w.name(v, rules.Piece{Kind: m.Drop}) + w.drop + w.square(m.To)
	}
	piece := p.At(m.From)
	if piece.Kind == 0 {
		return USI(v, m) // no move of p: say at least what it is
	}
	var b strings.Builder
	b.WriteString(w.name(v, piece))
	between := w.plain
	if rivals(p, m) {
		fmt.Fprintf(&b, w.origin, w.square(m.From))
		between = "-"
	}
	if (p.At(m.To) != rules.Piece{}) {
		between = "x"
	}
	b.WriteString(between + w.square(m.To) + promotionSign(p, m, "+", "="))
	return b.String()
}

// name returns the letter of a piece in the language, with "+" in front if it
// is promoted.
func (l Letters) name(v *rules.Variant, piece rules.Piece) string {
	code := v.Piece(piece.Kind).Code
	if letter := nameIn(l.table(), code, false); letter != "" {
		code = letter
	}
	if piece.Promoted {
		return "+" + code
	}
	return code
}

// digits writes a square of a board of nine files at most: "76".
func digits(s rules.Square) string { return fmt.Sprintf("%d%d", s.File(), s.Rank()) }

// rivals reports whether a piece like the one that m moves could go to the
// same square by its movement, pinned or not, or like m itself could not.
func rivals(p rules.Position, m rules.Move) bool {
	piece, goes := p.At(m.From), p.Reaches(m.From, m.To)
	for _, s := range squares(p.Variant()) {
		if s != m.From && p.At(s) == piece && p.Reaches(s, m.To) == goes {
			return true
		}
	}
	return false
}

// promotionSign returns plus for a move that promotes, stays for one that
// could, and nothing for one that could not.
func promotionSign(p rules.Position, m rules.Move, plus, stays string) string {
	if m.Promote {
		return plus
	}
	m.Promote = true
	if p.Check(m) == nil {
		return stays
	}
	return ""
}
