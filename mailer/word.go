package mailer

import (
	"regexp"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// decode returns a header value as text in one line: encoded words decoded,
// raw 8-bit bytes too, NFC.
func decode(s string) string {
	s = decodeWords(s)
	return norm.NFC.String(strings.Join(strings.Fields(s), " "))
}

// encodedWord is one of RFC 2047, with the language of RFC 2231, section 5.
// Seen in practice: blanks inside, and a missing end.
var encodedWord = regexp.MustCompile(`=\?([^?*\s]+)(?:\*[^?]*)?\?([bBqQ])\?([^?]*)(?:\?=|$)`)

// decodeWords decodes the encoded words of s. Neighbours of the same charset
// are joined before they are decoded: many programs cut a character in two.
func decodeWords(s string) string {
	found := encodedWord.FindAllStringSubmatchIndex(s, 1000)
	if found == nil {
		return decodeText([]byte(s), "")
	}
	var out strings.Builder
	var pending []byte // bytes of the words since the last other text
	charset, end := "", 0
	emit := func() {
		out.WriteString(decodeText(pending, charset))
		pending = nil
	}
	for _, w := range found {
		between, label := s[end:w[0]], strings.ToLower(s[w[2]:w[3]])
		glued := end > 0 && strings.TrimSpace(between) == ""
		if !glued || label != charset {
			emit()
		}
		if !glued {
			out.WriteString(decodeText([]byte(between), ""))
		}
		charset = label
		text := s[w[6]:w[7]]
		if s[w[4]] == 'b' || s[w[4]] == 'B' {
			pending = append(pending, unbase64([]byte(strings.ReplaceAll(text, " ", "")), len(text))...)
		} else {
			text = strings.TrimRight(strings.ReplaceAll(text, "_", "=20"), "=")
			pending = append(pending, unquote([]byte(text), len(text))...)
		}
		end = w[1]
	}
	emit()
	out.WriteString(decodeText([]byte(s[end:]), ""))
	return out.String()
}
