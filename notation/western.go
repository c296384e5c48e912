package notation

import (
	"strings"

	"pbem/rules"
)

// readWestern reads what starts with a piece: Hodges, Hosking, Kitao-Kawasaki
// and their mixtures. Every separator may be missing; the origin may be a
// square, a square in brackets or a file alone (G45b for G4a-5b, seen in
// e-mail of 1996 and in MacShogi); a square may be two digits.
func readWestern(g grammar, text []rune) []reading {
	var all []reading
	for _, plus := range []bool{false, true} {
		start := skip(text, 0)
		if plus {
			if !has(text, start, "+") {
				break
			}
			start = skip(text, start+1)
		}
		for _, w := range g.words {
			if !has(text, start, string(w.text)) || plus && w.promoted {
				continue
			}
			r := reading{kind: w.kind, promoted: no}
			if plus || w.promoted {
				r.promoted = yes
			}
			all = append(all, afterPiece(g.v, text, start+len(w.text), r)...)
		}
	}
	return append(all, readSame(g, text)...)
}

// afterPiece reads the rest of a Western move once the piece is known.
func afterPiece(v *rules.Variant, text []rune, i int, r reading) []reading {
	i = skip(text, i)
	all := readDrop(v, text, i, r)
	all = append(all, readTarget(v, text, i, r, places)...)
	for _, from := range places(v, text, i) {
		r.from = from.square
		all = append(all, readTarget(v, text, from.next, r, places)...)
	}
	r.from = 0
	if has(text, i, "(") {
		for _, from := range places(v, text, i+1) {
			if j := skip(text, from.next); has(text, j, ")") {
				r.from = from.square
				all = append(all, readTarget(v, text, j+1, r, places)...)
			}
		}
		r.from = 0
	}
	if file, next, ok := fileAlone(v, text, i); ok {
		r.file = file
		all = append(all, readTarget(v, text, next, r, places)...)
		r.file = 0
	}
	if len(all) > 0 {
		return all
	}
	all = readTarget(v, text, i, r, reversed)
	for _, from := range reversed(v, text, i) {
		r.from = from.square
		all = append(all, readTarget(v, text, from.next, r, reversed)...)
	}
	return all
}

// fileAlone reads an origin of which only the file is written.
func fileAlone(v *rules.Variant, text []rune, i int) (file, next int, ok bool) {
	if v.Files > 9 || i >= len(text) || text[i] < '1' || text[i] > '9' {
		return 0, 0, false
	}
	return int(text[i] - '0'), i + 1, true
}

// readDrop reads the drop sign and the target.
func readDrop(v *rules.Variant, text []rune, i int, r reading) []reading {
	j := i
	for j < len(text) && (text[j] == '*' || text[j] == '\'' || text[j] == '@' || text[j] == '打') {
		j++
	}
	if j == i || r.promoted == yes {
		return nil
	}
	r.drop, r.promoted = yes, unsaid
	j = skip(text, j)
	if has(text, j, "-") {
		j++
	}
	return finish(v, text, places(v, text, j), r, true)
}

// readTarget reads an optional separator, the target and the suffix. Without
// a separator only squares of the board are believed.
func readTarget(v *rules.Variant, text []rune, i int, r reading, read reader) []reading {
	i = skip(text, i)
	j := i
	for j < len(text) && (text[j] == '-' || text[j] == 'x' || text[j] == ':') {
		r.capture = r.capture || text[j] == 'x'
		j++
	}
	if j-i > 2 {
		return nil
	}
	return finish(v, text, read(v, text, j), r, j > i || r.from != 0)
}

// finish completes a reading with each target that leads to a proper end.
func finish(v *rules.Variant, text []rune, targets []place, r reading, sure bool) []reading {
	var all []reading
	for _, to := range targets {
		promote, ok := suffix(text, to.next)
		if !ok || !sure && !v.Contains(to.square) {
			continue
		}
		r.to, r.promote = to.square, promote
		all = append(all, r)
	}
	return all
}

// readSame reads the captures that name no square, since it is that of the
// last move: "Px", "xL", "S same", "same S", and "same" alone, by whatever
// piece can.
func readSame(g grammar, text []rune) []reading {
	s := strings.ReplaceAll(string(text), " ", "")
	for _, word := range []string{"same", "xsame", "同"} {
		if tail, ok := strings.CutPrefix(s, word); ok {
			if promote, ok := suffix([]rune(tail), 0); ok {
				return []reading{{promote: promote, same: true, capture: true, trust: faint}}
			}
		}
	}
	before, rest := cutSame(s)
	promoted := no
	if after, ok := strings.CutPrefix(rest, "+"); ok {
		promoted, rest = yes, after
	}
	var all []reading
	for _, w := range g.words {
		tail, ok := strings.CutPrefix(rest, string(w.text))
		if !ok {
			continue
		}
		after := false
		if !before {
			if after, tail = cutSame(strings.TrimPrefix(tail, "-")); !after {
				continue
			}
		}
		promote, ok := suffix([]rune(tail), 0)
		if !ok {
			continue
		}
		r := reading{kind: w.kind, promoted: promoted, promote: promote, same: true, capture: true, trust: faint}
		if w.promoted {
			r.promoted = yes
		}
		all = append(all, r)
	}
	return all
}

// cutSame takes "x", "same" or both off the start of s.
func cutSame(s string) (bool, string) {
	rest := strings.TrimPrefix(strings.TrimPrefix(s, "x"), "same")
	return rest != s, rest
}
