package notation

import (
	"strings"

	"pbem/rules"
)

// The dialects are read by trying every way through a text of at most a
// hundred characters: each step takes a place in the text and returns the
// places where it may end. A mark is what a step has read with the place
// after it.

// place is a square read and the index after it.
type place struct {
	square rules.Square
	next   int
	digits bool // written as two digits
}

// reader is a step that reads a square.
type reader = func(v *rules.Variant, text []rune, i int) []place

// skip returns the index of the first character from i on that is no blank.
func skip(text []rune, i int) int {
	for i < len(text) && text[i] == ' ' {
		i++
	}
	return i
}

// has reports whether word stands at i.
func has(text []rune, i int, word string) bool {
	for _, r := range word {
		if i >= len(text) || text[i] != r {
			return false
		}
		i++
	}
	return true
}

// digit returns the value of the digit or kanji numeral at i.
func digit(text []rune, i int) (int, bool) {
	if i >= len(text) {
		return 0, false
	}
	if r := text[i]; r >= '1' && r <= '9' {
		return int(r - '0'), true
	}
	return kanjiDigit(text, i)
}

// kanjiDigit returns the value of the kanji numeral at i.
func kanjiDigit(text []rune, i int) (int, bool) {
	if i >= len(text) {
		return 0, false
	}
	k := strings.IndexRune("一二三四五六七八九", text[i])
	return k/3 + 1, k >= 0
}

// places reads a square at i: "7f", "7 f", "11k", "76", "7六", "七六".
func places(v *rules.Variant, text []rune, i int) []place {
	i = skip(text, i)
	file, ok := digit(text, i)
	if !ok {
		return nil
	}
	var found []place
	add := func(file, rank, next int, digits bool) {
		if s := rules.NewSquare(file, rank); s != 0 {
			found = append(found, place{s, next, digits})
		}
	}
	if text[i] == '1' && i+1 < len(text) && text[i+1] >= '0' && text[i+1] <= '5' {
		j := skip(text, i+2)
		if j < len(text) && text[j] >= 'a' && text[j] <= 'o' {
			add(10+int(text[i+1]-'0'), int(text[j]-'a')+1, j+1, false)
		}
	}
	j := skip(text, i+1)
	if j < len(text) && text[j] >= 'a' && text[j] <= 'o' {
		add(file, int(text[j]-'a')+1, j+1, false)
	}
	if rank, ok := digit(text, j); ok && v.Files <= 9 && v.Ranks <= 9 {
		add(file, rank, j+1, true)
	}
	return found
}

// reversed reads a square written rank first, as chess players do: "f7".
func reversed(_ *rules.Variant, text []rune, i int) []place {
	i = skip(text, i)
	if i+1 >= len(text) || text[i] < 'a' || text[i] > 'o' || text[i+1] < '1' || text[i+1] > '9' {
		return nil
	}
	rank, file := int(text[i]-'a')+1, int(text[i+1]-'0')
	found := []place{{rules.NewSquare(file, rank), i + 2, false}}
	if i+2 < len(text) && file == 1 && text[i+2] >= '0' && text[i+2] <= '5' {
		found = append(found, place{rules.NewSquare(10+int(text[i+2]-'0'), rank), i + 3, false})
	}
	return found
}

// suffix reads what says whether the piece promotes, up to the end of the
// text; false if something else stands there.
func suffix(text []rune, i int) (answer, bool) {
	switch strings.TrimSpace(string(text[min(i, len(text)):])) {
	case "":
		return unsaid, true
	case "+", "(+)", "/+", "成", "成り", "成る", "ナル", "なる", "promote", "promotes", "promoted", "promoting":
		return yes, true
	case "=", "(=)", "/=", "不成", "生", "不", "成らず", "ならず", "ナラズ", "unpromoted", "no promotion", "not promoted", "no promote":
		return no, true
	}
	return unsaid, false
}
