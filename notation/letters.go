package notation

import (
	"slices"
	"strings"

	"pbem/rules"
)

// Letters is the language of the piece letters. The zero value is English.
// Whatever is chosen, English letters that do not collide with it, the codes
// of variants that have their own, and kanji are read as well.
type Letters uint8

const (
	English Letters = iota // K R B G S N L P
	Spanish                // R T A O Pl C L P
	Italian                // R T A O Ar C L P
)

// names are the names of one of the standard pieces, by its English code. The
// first one is written, all are read.
type names struct {
	code     string
	plain    []string
	promoted []string
}

func (l Letters) table() []names {
	switch l {
	case Spanish:
		return spanish
	case Italian:
		return italian
	}
	return nil
}

var (
	spanish = []names{
		{"K", []string{"R", "rey"}, nil}, {"R", []string{"T", "torre"}, nil}, {"B", []string{"A", "alfil"}, nil}, {"G", []string{"O", "oro"}, nil},
		{"S", []string{"Pl", "plata"}, nil}, {"N", []string{"C", "caballo"}, nil}, {"L", []string{"L", "lanza", "lancero"}, nil},
		{"P", []string{"P", "peón", "peon"}, nil},
	}
	italian = []names{
		{"K", []string{"R", "re"}, nil}, {"R", []string{"T", "torre"}, nil}, {"B", []string{"A", "alfiere"}, nil}, {"G", []string{"O", "oro"}, nil},
		{"S", []string{"Ar", "Ag", "argento"}, nil}, {"N", []string{"C", "cavallo"}, nil}, {"L", []string{"L", "lancia"}, nil},
		{"P", []string{"P", "pedone"}, nil},
	}
	// The aliases D, H, T and TO are those of MacShogi and 81Dojo.
	english = []names{
		{"K", []string{"king"}, nil}, {"R", []string{"rook"}, []string{"D", "dragon"}}, {"B", []string{"bishop"}, []string{"H", "horse"}},
		{"G", []string{"gold"}, nil}, {"S", []string{"silver"}, nil}, {"N", []string{"knight"}, nil}, {"L", []string{"lance"}, nil},
		{"P", []string{"pawn"}, []string{"T", "TO", "tokin"}},
	}
	kanji = []names{
		{"K", []string{"玉", "王", "玉将", "王将"}, nil},
		{"R", []string{"飛", "飛車"}, []string{"龍", "竜", "竜王", "龍王"}},
		{"B", []string{"角", "角行"}, []string{"馬", "龍馬", "竜馬"}},
		{"G", []string{"金", "金将"}, nil},
		{"S", []string{"銀", "銀将"}, []string{"成銀", "全"}},
		{"N", []string{"桂", "桂馬"}, []string{"成桂", "圭"}},
		{"L", []string{"香", "香車"}, []string{"成香", "杏"}},
		{"P", []string{"歩", "歩兵"}, []string{"と", "と金", "成歩"}},
	}
)

// word is a piece name as it may be typed, lower case.
type word struct {
	text     []rune
	kind     rules.Kind
	promoted bool
}

// pieceWords lists the piece names for a variant and a language, without the
// "+" of promotion, which any plain name may have in front. A name that the
// language has given away is not read as English any more.
func pieceWords(v *rules.Variant, l Letters) []word {
	words := make([]word, 0, 80)
	known := func(text []rune) bool {
		return slices.ContainsFunc(words, func(w word) bool { return slices.Equal(w.text, text) })
	}
	add := func(k rules.Kind, promoted bool, names ...string) {
		for _, name := range names {
			text := []rune(strings.ToLower(name))
			if k != 0 && len(text) > 0 && !known(text) {
				words = append(words, word{text, k, promoted})
			}
		}
	}
	for _, n := range l.table() {
		add(v.Kind(n.code), false, n.plain...)
	}
	for i, piece := range v.Pieces {
		add(rules.Kind(i+1), false, piece.Code, piece.Name, piece.Kanji)
	}
	for _, table := range [][]names{english, kanji} {
		for _, n := range table {
			k := v.Kind(n.code)
			add(k, false, n.plain...)
			add(k, true, n.promoted...)
		}
	}
	for i, piece := range v.Pieces { // in Wa a promoted piece may have the name of another one: both are meant
		k := rules.Kind(i + 1)
		for _, name := range []string{piece.Promoted.Name, piece.Promoted.Kanji} {
			w := word{[]rune(strings.ToLower(name)), k, true}
			same := func(o word) bool { return o.kind == k && o.promoted && slices.Equal(o.text, w.text) }
			if len(w.text) > 0 && !slices.ContainsFunc(words, same) {
				words = append(words, w)
			}
		}
	}
	return words
}

// nameIn returns the first name of a piece in a table; empty if it has none.
func nameIn(table []names, code string, promoted bool) string {
	for _, n := range table {
		switch {
		case n.code != code:
		case promoted && len(n.promoted) > 0:
			return n.promoted[0]
		case !promoted:
			return n.plain[0]
		}
	}
	return ""
}
