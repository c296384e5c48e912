package notation

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// longest is the longest text, in runes, that is looked at as one move.
const longest = 100

// fold maps what keyboards and mail programs write to the one form that the
// dialects read. NFKC comes after the first pass: it would turn an acute
// accent used as an apostrophe into a combining mark. Seen in practice: en
// dash and minus for a hyphen, curled quotes, U+00D7 for x, zero-width spaces
// between letters, full-width text, "=3D" from an undecoded quoted-printable
// part.
func fold(s string) string {
	s = strings.Map(foldRune, s)
	s = strings.Map(foldRune, norm.NFKC.String(s))
	s = strings.ReplaceAll(s, "=3D", "=")
	s = strings.ReplaceAll(s, "->", "-")
	return strings.Join(strings.Fields(s), " ")
}

// foldRune maps one character; -1 drops it.
func foldRune(r rune) rune {
	switch {
	case r < 0x80:
		if r == '`' || r == '"' {
			return '\''
		}
		if r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0x7f {
			return -1
		}
		return r
	case r >= 0x2010 && r <= 0x2015, r == 0x2212, r == 0xff0d, r == 0x30fc, r == 0xff70, r == 0x2043, r == 0xfe63, r == 0x2e3a:
		return '-'
	case r == '→', r == '➔', r == '➜', r == '⇒', r == '⟶':
		return '-'
	case r >= 0x2018 && r <= 0x201f, r == 0x00b4, r == 0x2032, r == 0x2033, r == 0x02bc, r == 0x02b9, r == 0xff07, r == 0x2035:
		return '\''
	case r == '∗', r == '⁎', r == '＊', r == '✱', r == '﹡', r == '·', r == '•':
		return '*'
	case r == '×', r == '✕', r == '✖', r == '⨯', r == 'х', r == 'Х', r == '☓':
		return 'x'
	case r == '☗', r == '⛊':
		return '▲'
	case r == '☖', r == '⛉', r == '▽', r == '▼':
		return '△'
	case unicode.Is(unicode.Cf, r), unicode.Is(unicode.Variation_Selector, r), r == 0x115f, r == 0x3164:
		return -1
	case unicode.IsSpace(r):
		return ' '
	}
	return r
}

// prepare folds text and takes off what stands around a move: list bullets,
// rich-text stars, quotation marks, marks of praise, smileys, times. It
// returns lower case, and false for text too long to be a move.
func prepare(text string) (string, bool) {
	if len(text) > 12*longest {
		return "", false
	}
	s := strings.ToLower(fold(text))
	if len([]rune(s)) > longest {
		return "", false
	}
	for {
		t := trimEnd(trimStart(s))
		if t == s {
			return s, true
		}
		s = t
	}
}

// trimStart takes bullets, opening quotes and rich-text marks off.
func trimStart(s string) string {
	s = strings.TrimLeft(s, " *_'.,~")
	if t, ok := strings.CutPrefix(s, "- "); ok {
		s = t
	}
	if t, ok := strings.CutPrefix(s, "("); ok && strings.Index(t, ")") == len(t)-1 && len(t) > 0 {
		s = t[:len(t)-1]
	}
	return s
}

// smileys are taken off the end of a move; the note to the opponent is cut
// from the text as typed, not from what is read here.
var smileys = []string{":-)", ":)", ";-)", ";)", ":-(", ":(", ":-d", ":-p", "(^^)", "(^_^)", "^^", "^_^", "(笑)", "♪"}

// trimEnd takes annotations, smileys, pictures and a time off the end.
func trimEnd(s string) string {
	for _, smile := range smileys {
		s = strings.TrimSuffix(s, smile)
	}
	s = strings.TrimRight(s, " .,!?;:*'_~。、")
	s = strings.TrimRightFunc(s, func(r rune) bool { return r >= 0x1f000 || r >= 0x2600 && r < 0x27c0 })
	if i := strings.LastIndexByte(s, '('); i > 0 && strings.HasSuffix(s, ")") && strings.Contains(s[i:], ":") {
		s = s[:i] // "( 0:16/00:00:16)", a time in KIF
	}
	if i := strings.LastIndexByte(s, '#'); i > 0 && i+1 < len(s) && strings.Trim(s[i+1:], "0123456789") == "" {
		s = s[:i] // "7g-7f#1": the move number as PBeM servers wanted it
	}
	return s
}
