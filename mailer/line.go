package mailer

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// line is one line of a text. Its key is what the tables of words are laid
// beside: without invisible characters, signs folded (NFKC), the stars of rich
// text gone, blanks single.
type line struct {
	text   string // as written, trimmed, NFC
	key    string
	quoted bool
}

// longestLine is how many bytes of a line are looked at, and kept.
const longestLine = 4096

func newLine(s string, quoted bool) line {
	if len(s) > longestLine {
		s = strings.ToValidUTF8(s[:longestLine], "")
	}
	s = strings.TrimSpace(s)
	if quoted { // nobody looks at it
		return line{text: s, key: s, quoted: true}
	}
	return line{text: norm.NFC.String(s), key: fold(s)}
}

// plainLines cuts a plain text into lines. A line is quoted if it begins with
// one of the signs that mail programs put there: ">", "|", and the full-width
// ">" of Japanese ones.
func plainLines(text string) []line {
	if strings.Contains(text, "\r") {
		text = lineEnds.Replace(text)
	}
	out := make([]line, 0, strings.Count(text, "\n")+1)
	for s := range strings.SplitSeq(text, "\n") {
		out = append(out, newLine(s, hasQuoteMark(strings.TrimLeft(s, " \t\u00a0\u3000\ufeff\u200b"))))
	}
	markNames(out)
	markWrapped(out)
	return out
}

var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

func hasQuoteMark(s string) bool {
	if s == "" {
		return false
	}
	switch {
	case s[0] == '>':
		return !strings.HasPrefix(s, ">>> ") || !groupWise.MatchString(strings.TrimSpace(s))
	case s[0] == '|', strings.HasPrefix(s, "&gt;"):
		return true
	case s[0] < 0x80:
		return false
	}
	r, _ := utf8.DecodeRuneInString(s)
	return strings.ContainsRune("＞｜»›〉≫", r)
}

// nameMark is the quote mark of programs that write who is quoted: "MB> ",
// "Shogi> ".
var nameMark = regexp.MustCompile(`^[A-Za-z.]{1,15}>( |$)`)

// markNames marks the lines quoted by a name. One such line alone may be
// anything.
func markNames(lines []line) {
	count := map[string]int{}
	name := func(l line) string {
		if l.quoted || !strings.Contains(l.key[:min(16, len(l.key))], ">") {
			return ""
		}
		return nameMark.FindString(l.key)
	}
	for _, l := range lines {
		if n := strings.TrimSpace(name(l)); n != "" {
			count[n]++
		}
	}
	for i := range lines {
		lines[i].quoted = lines[i].quoted || count[strings.TrimSpace(name(lines[i]))] > 2
	}
}

// wrapped is from how many characters on a quoted line may have been broken by
// a carrier, which leaves its tail without a mark.
const wrapped = 56

// markWrapped marks the tails of broken quoted lines. Answers written between
// quoted lines have room around them, or stand below a short line.
func markWrapped(lines []line) {
	for i := 1; i+1 < len(lines); i++ {
		l := &lines[i]
		if !l.quoted && l.key != "" && lines[i-1].quoted && lines[i+1].quoted && utf8.RuneCountInString(lines[i-1].text) >= wrapped && len(l.key) < wrapped {
			l.quoted = true
		}
	}
}

// fold makes the key of a line.
func fold(s string) string {
	if simple(s) || strings.Trim(s, "*") == "" {
		return s
	}
	s = strings.Map(func(r rune) rune {
		switch {
		case r == 0xad, r >= 0x200b && r <= 0x200f, r >= 0x202a && r <= 0x202e, r == 0x2060, r >= 0x2066 && r <= 0x2069, r == 0xfeff:
			return -1
		case r >= 0x2010 && r <= 0x2013:
			return '-'
		case r >= 0x2018 && r <= 0x201b:
			return '\''
		case r == '*':
			return ' '
		}
		return r
	}, s)
	return strings.Join(strings.Fields(norm.NFKC.String(s)), " ")
}

// simple reports whether s, trimmed, is its own key: ASCII without stars and
// double blanks.
func simple(s string) bool {
	for i := range len(s) {
		if c := s[i]; c >= 0x80 || c == '*' || c < ' ' || c == ' ' && (i == 0 || s[i-1] == ' ') {
			return false
		}
	}
	return true
}
