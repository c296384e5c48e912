package notation

import (
	"fmt"
	"strings"

	"pbem/rules"
)

// Dialect is a way of writing moves. The zero value is Hodges notation. Every
// dialect is read by [Read], whatever the player writes in.
type Dialect uint8

// The dialects that can be written.
const (
	InHodges  Dialect = iota // P-7f, G4i-5h, N*5e, Bx2b+
	InNumbers                // the same with digits: P-76, G49-58, N*55, Bx22+
	InHosking                // P76, G49-58, N'55, Bx22+
	InKitao                  // Kitao-Kawasaki: 歩-76, 金(49)-58, 桂*55, 角x22+
	InUSI                    // 7g7f, 4i5h, N*5e, 8h2b+
	InCSA                    // +7776FU, +4958KI, +0055KE, +8822UM
	InKIF                    // ７六歩(77), ５八金(49), ５五桂打, ２二角成(88)
	InKI2                    // ▲７六歩, ▲５八金右, ▲５五桂打, ▲２二角成
)

var dialectNames = []string{"hodges", "numbers", "hosking", "kitao", "usi", "csa", "kif", "ki2"}

// String returns the name that players type: "hodges", "kitao", "usi" ...
func (d Dialect) String() string {
	if int(d) < len(dialectNames) {
		return dialectNames[d]
	}
	return fmt.Sprintf("Dialect(%d)", uint8(d))
}

// DialectByName returns the dialect of a name, in any case. "japanese" is KI2,
// "western" Hodges.
func DialectByName(name string) (Dialect, bool) {
	name = strings.ToLower(strings.TrimSpace(name))
	switch name {
	case "japanese", "日本語":
		return InKI2, true
	case "western", "english":
		return InHodges, true
	case "kitao-kawasaki", "kawasaki":
		return InKitao, true
	}
	for i, n := range dialectNames {
		if n == name {
			return Dialect(i), true
		}
	}
	return 0, false
}

// UnsupportedError is returned for what a dialect or a file format has no way
// to hold: a board wider than its digits, a piece it has no name for.
type UnsupportedError struct {
	Format string // "CSA", "KIF" ...
	What   string // "boards of more than 9 files"
}

// Error says which format cannot hold what.
func (e *UnsupportedError) Error() string { return e.Format + " cannot hold " + e.What }

// Write writes m, a legal move of p, in a dialect. Options.Letters chooses
// the piece letters of Hodges notation and its kin, Options.Previous is what
// KIF and KI2 write 同 for. The error is an [*UnsupportedError].
//
// All but USI, CSA and KIF write what a declined promotion needs to be read
// back; those three mean by silence that the piece stays as it is.
func Write(d Dialect, p rules.Position, m rules.Move, o Options) (string, error) {
	v := p.Variant()
	if d != InHodges && d != InUSI && (v.Files > 9 || v.Ranks > 9) {
		return "", &UnsupportedError{d.title(), "boards of more than nine files or ranks"}
	}
	switch d {
	case InNumbers:
		return western{square: digits, name: o.Letters.name, drop: "*", plain: "-", origin: "%s"}.write(p, m), nil
	case InHosking:
		return western{square: digits, name: o.Letters.name, drop: "'", origin: "%s"}.write(p, m), nil
	case InKitao:
		if err := hasKanji(v, d); err != nil {
			return "", err
		}
		return western{square: digits, name: oneKanji, drop: "*", plain: "-", origin: "(%s)"}.write(p, m), nil
	case InUSI:
		return USI(v, m), nil
	case InCSA:
		return writeCSA(p, m)
	case InKIF, InKI2:
		if err := hasKanji(v, d); err != nil {
			return "", err
		}
		if d == InKIF {
			return writeKIF(p, m, o.Previous), nil
		}
		return writeKI2(p, m, o.Previous), nil
	}
	return HodgesIn(p, m, o.Letters), nil
}

func (d Dialect) title() string {
	switch d {
	case InCSA, InKIF, InKI2, InUSI:
		return strings.ToUpper(d.String())
	case InNumbers:
		return "notation with digits"
	}
	return strings.ToUpper(d.String()[:1]) + d.String()[1:] + " notation"
}

// hasKanji reports as an error that a variant has a piece without the one or
// two kanji that Japanese notation writes.
func hasKanji(v *rules.Variant, d Dialect) error {
	for _, piece := range v.Pieces {
		if nameIn(kanji, piece.Code, false) == "" {
			return &UnsupportedError{d.title(), "the piece " + piece.Name}
		}
	}
	return nil
}
