package notation

import (
	"strings"
)

// longestList is the longest text, in bytes, that is looked at as a list of
// moves: a game of four hundred plies, each with its number, fits.
const longestList = 8 << 10

// step is one move of a list as typed.
type step struct {
	text     string
	number   int // move number in front; 0 if there is none
	readings []reading
}

// split cuts a list into moves. It returns ErrNotMove if anything in it is
// neither a move nor a number nor a time.
func (g grammar) split(text string) ([]step, error) {
	if len(text) > longestList {
		return nil, ErrNotMove
	}
	tokens := strings.Fields(spread(withoutTimes(fold(text))))
	var steps []step
	number := 0
	for i := 0; i < len(tokens); {
		k, rest := cutNumber(tokens[i])
		if k > 0 {
			number = k
		}
		if rest == "" || isTime(rest) {
			i++
			continue
		}
		st, used := g.take(rest, tokens[i+1:])
		if used == 0 {
			return nil, ErrNotMove
		}
		i += used
		st.number, number = number, 0
		steps = append(steps, st)
	}
	if len(steps) == 0 {
		return nil, ErrNotMove
	}
	return steps, nil
}

// take reads a move from the first token, or from two or three together
// ("同 銀", "P 2 f"). It returns how many tokens it used, 0 for no move.
func (g grammar) take(first string, more []string) (step, int) {
	text := first
	alone, taken := step{}, 0 // "同" or "same", until it is known that no piece follows
	for used := 1; ; used++ {
		if s, ok := prepare(text); ok {
			if readings := g.parse(s); len(readings) > 0 {
				st := step{text: text, readings: readings}
				if !readings[0].same || readings[0].kind != 0 {
					return st, used
				}
				alone, taken = st, used
			}
		}
		if used > 2 || used > len(more) {
			return alone, taken
		}
		text += " " + more[used-1]
	}
}

// spread puts blanks between moves that are written without: after a comma,
// before a mark of side, and where Japanese moves run on (76歩34歩).
func spread(s string) string {
	var b strings.Builder
	var former rune
	japanese := false // the token began with a square
	for _, r := range s {
		numeral := r >= '0' && r <= '9' || strings.ContainsRune("一二三四五六七八九同", r)
		switch {
		case r == ',' || r == ';' || r == '、' || r == '・':
			r = ' '
		case r == '▲' || r == '△':
			b.WriteByte(' ')
			former = ' '
		}
		if former == ' ' || former == 0 || former == '▲' || former == '△' {
			japanese = numeral
		} else if numeral && japanese && former >= 0x3000 && !strings.ContainsRune("一二三四五六七八九同", former) {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
		former = r
	}
	return b.String()
}

// cutNumber takes a move number off the start of s: "12.", "12...", "3)",
// "..." or digits alone. The number is 0 if there is none.
func cutNumber(s string) (number int, rest string) {
	i := 0
	for i < len(s) && isDigit(s[i]) {
		number = number*10 + int(s[i]-'0')
		i++
	}
	j := i
	for j < len(s) && (s[j] == '.' || s[j] == ')' || s[j] == ':' || s[j] == ' ') {
		j++
	}
	switch {
	case i > 3, i > 0 && j == i && j < len(s):
		return 0, s
	}
	return number, s[j:]
}

// withoutTimes takes out what stands in brackets with a colon: "(0:12)",
// "( 0:01/00:00:01)".
func withoutTimes(s string) string {
	var b strings.Builder
	for {
		open := strings.IndexByte(s, '(')
		if open < 0 {
			break
		}
		end := strings.IndexByte(s[open:], ')')
		if end < 0 {
			break
		}
		end += open + 1
		if b.WriteString(s[:open]); !strings.Contains(s[open:end], ":") {
			b.WriteString(s[open:end])
		}
		s = s[end:]
	}
	b.WriteString(s)
	return b.String()
}

// isTime reports whether a token is a time without colon: "(9)".
func isTime(s string) bool {
	return len(s) > 2 && s[0] == '(' && strings.Trim(s, "0123456789()") == ""
}
