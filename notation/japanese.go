package notation

import (
	"slices"
	"strings"

	"pbem/rules"
)

// readJapanese reads Japanese notation: 同銀, 7六歩, 76歩成, 5二金右, 2二角打,
// 7六歩(77). The digits may be kanji. A drop needs no 打 where no piece on the
// board could go to the square.
func readJapanese(g grammar, text []rune) []reading {
	i := skip(text, 0)
	r := reading{free: true}
	var targets []place
	switch {
	case has(text, i, "同"), has(text, i, "仝"):
		targets = []place{{0, i + 1, false}}
	default:
		targets = places(g.v, text, i)
	}
	var all []reading
	for _, to := range targets {
		j := skip(text, to.next)
		for j < len(text) && (text[j] == '同' || text[j] == '、' || text[j] == ',' || text[j] == ' ') {
			j++
		}
		for _, w := range g.words {
			if w.text[0] < 0x80 || !has(text, j, string(w.text)) {
				continue // 7fP is no notation
			}
			r.to, r.same = to.square, to.square == 0
			r.kind, r.promoted = w.kind, no
			if w.promoted {
				r.promoted = yes
			}
			if whole, ok := afterKanji(g.v, text, j+len(w.text), r); ok && (r.same || g.v.Contains(r.to)) {
				all = append(all, whole)
			}
		}
	}
	return all
}

// afterKanji reads what follows the piece: words of direction, promotion,
// drop, and the origin in brackets that KIF writes.
func afterKanji(v *rules.Variant, text []rune, i int, r reading) (reading, bool) {
	if open := slices.Index(text[i:], '('); open >= 0 {
		from := places(v, text, i+open+1)
		if len(from) == 0 || skip(text, from[0].next) != len(text)-1 || text[len(text)-1] != ')' {
			return r, false
		}
		r.from = from[0].square
		text = text[:i+open]
	}
	rest := strings.ReplaceAll(string(text[i:]), " ", "")
	for _, end := range []struct {
		word string
		what answer
	}{
		{"不成らず", no}, {"不成", no}, {"成らず", no}, {"ならず", no}, {"ナラズ", no}, {"生", no}, {"=", no},
		{"成る", yes}, {"成り", yes}, {"成", yes}, {"ナル", yes}, {"なる", yes}, {"+", yes},
	} {
		if s, ok := strings.CutSuffix(rest, end.word); ok {
			rest, r.promote = s, end.what
			break
		}
	}
	for _, drop := range []string{"打ち", "打つ", "打", "*", "'"} {
		if s, ok := strings.CutSuffix(rest, drop); ok {
			rest, r.drop = s, yes
			if r.promoted == no {
				r.promoted = unsaid
			}
			break
		}
	}
	var ok bool
	r.way, ok = parseWay(rest)
	return r, ok && (r.drop != yes || r.way == 0)
}

// withoutSide takes a mark of side off the start of a move.
func withoutSide(s string) string {
	s = strings.TrimLeft(s, " .")
	for _, mark := range []string{"▲", "△", "先手", "後手"} {
		if rest, ok := strings.CutPrefix(s, mark); ok {
			return strings.TrimLeft(rest, " :.")
		}
	}
	return s
}
