package notation

import (
	"strings"

	"pbem/rules"
)

// csaKinds are CSA's names of the pieces by the English code, plain and
// promoted (CSA standard kifu file format, version 2.2).
var csaKinds = map[string][2]string{
	"K": {"OU"}, "R": {"HI", "RY"}, "B": {"KA", "UM"}, "G": {"KI"},
	"S": {"GI", "NG"}, "N": {"KE", "NK"}, "L": {"KY", "NY"}, "P": {"FU", "TO"},
}

// csaPiece returns the piece that a CSA name stands for; no kind if the
// variant lacks it.
func csaPiece(v *rules.Variant, name string) rules.Piece {
	name = strings.ToUpper(name)
	for code, names := range csaKinds {
		if name == names[0] || name == names[1] {
			return rules.Piece{Kind: v.Kind(code), Promoted: name == names[1]}
		}
	}
	return rules.Piece{}
}

// readCoordinates reads a move as two squares: USI (7g7f, 8h2b+), the long
// form of PBeM servers (7g-7f), digits (77-76, 7776) and CSA (+7776FU,
// 0055KA).
func readCoordinates(g grammar, text []rune) []reading {
	v := g.v
	all := append(readCSA(v, text), readSquares(v, text, places)...)
	if len(all) == 0 {
		all = readSquares(v, text, reversed) // f7-f6
	}
	return all
}

// readSquares reads an origin and a target, both found by read.
func readSquares(v *rules.Variant, text []rune, read reader) []reading {
	var all []reading
	for _, from := range read(v, text, 0) {
		i := skip(text, from.next)
		r := reading{from: from.square}
		if from.digits {
			r.trust = faint
		}
		spaced := i > from.next
		for i < len(text) && (text[i] == '-' || text[i] == 'x' || text[i] == ':') {
			r.capture = r.capture || text[i] == 'x'
			r.trust, spaced = min(r.trust, loose), false
			i++
		}
		if spaced && (from.digits || text[0] > '9') || i-from.next > 4 {
			continue // "76 34" is two targets, "e4 e5" chess
		}
		for _, to := range read(v, text, i) {
			promote, ok := suffix(text, to.next)
			if !ok || to.digits != from.digits || r.trust == faint && to.next-i > 2 {
				continue
			}
			if !v.Contains(from.square) || !v.Contains(to.square) {
				r.trust = faint
			}
			r.to, r.promote = to.square, promote
			all = append(all, r)
		}
	}
	return all
}

// readCSA reads "+7776FU", "-0055KA" and the same without the sign, which is
// not looked at: a list bullet looks like it. The piece named is the one that
// arrives.
func readCSA(v *rules.Variant, text []rune) []reading {
	s := strings.TrimLeft(string(text), "+-")
	if len(s) < 6 || len(s) > 7 || v.Files > 9 || v.Ranks > 9 {
		return nil
	}
	for i := range 4 {
		if !isDigit(s[i]) {
			return nil
		}
	}
	square := func(i int) rules.Square { return rules.NewSquare(int(s[i]-'0'), int(s[i+1]-'0')) }
	piece := csaPiece(v, strings.TrimSpace(s[4:]))
	from, to := square(0), square(2)
	switch {
	case piece.Kind == 0 || to == 0:
		return nil
	case s[:2] == "00" && !piece.Promoted:
		return []reading{{kind: piece.Kind, to: to, drop: yes}}
	case from == 0:
		return nil
	case piece.Promoted:
		return []reading{{kind: piece.Kind, from: from, to: to, becomes: yes}}
	}
	return []reading{{kind: piece.Kind, from: from, to: to, becomes: no}}
}
