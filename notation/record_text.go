package notation

import (
	"errors"
	"fmt"
	"strings"

	"pbem/rules"
)

// textReader reads Hodges game text: tags in square brackets, move numbers,
// moves, remarks in braces or after a semicolon, times, variations in round
// brackets, which are left out, and the result. PSN (R. Davin, 1997) and the
// archive of the SHOGI-L list are read alike.
type textReader struct {
	*builder
	text string
	at   int // next byte
}

func (b *builder) readText(text string) error {
	r := textReader{builder: b, text: text}
	for {
		r.blanks()
		if r.at >= len(r.text) {
			return nil
		}
		begin := r.at
		if err := r.next(); err != nil {
			start := strings.LastIndexByte(r.text[:begin], '\n') + 1
			line := r.text[start:]
			if end := strings.IndexByte(line, '\n'); end >= 0 {
				line = line[:end]
			}
			return b.fail(strings.Count(r.text[:begin], "\n")+1, line, begin-start, r.text[begin:max(begin, min(r.at, start+len(line)))], err)
		}
	}
}

func (r *textReader) blanks() {
	rest := strings.TrimLeft(r.text[r.at:], " \t\n　")
	r.at = len(r.text) - len(rest)
}

// until takes the text up to a closing sign.
func (r *textReader) until(sign string) (string, error) {
	end := strings.Index(r.text[r.at:], sign)
	if end < 0 {
		r.at = len(r.text)
		return "", errUnclosed
	}
	inside := r.text[r.at : r.at+end]
	r.at += end + len(sign)
	return inside, nil
}

// next reads one thing.
func (r *textReader) next() error {
	switch r.text[r.at] {
	case '[':
		r.at++
		inside, err := r.until(r.tagEnd())
		if err != nil {
			return err
		}
		return r.tagPair(inside)
	case '{':
		r.at++
		inside, err := r.until("}")
		if err != nil {
			return err
		}
		r.comment(tidy(inside))
		return nil
	case ';':
		r.at++
		end := strings.IndexByte(r.text[r.at:], '\n')
		if end < 0 {
			end = len(r.text) - r.at
		}
		r.comment(strings.TrimSpace(r.text[r.at : r.at+end]))
		r.at += end
		return nil
	case '(':
		return r.bracket()
	}
	end := strings.IndexAny(r.text[r.at:], " \t\n　{};")
	if end < 1 {
		end = max(len(r.text)-r.at, 1)
		if i := strings.IndexAny(r.text[r.at:], " \t\n　{};"); i >= 0 {
			end = max(i, 1)
		}
	}
	word := r.text[r.at : r.at+end]
	r.at += end
	return r.word(word)
}

// tagEnd returns the sign that closes the tag at hand: brackets between
// quotation marks do not, since the SFEN of a game with codes of two letters
// holds some.
func (r *textReader) tagEnd() string {
	rest := r.text[r.at:]
	open := strings.IndexAny(rest, `"]`)
	if open < 0 || rest[open] == ']' {
		return "]"
	}
	rest = rest[open+1:]
	if end := strings.IndexAny(rest, "\"\n"); end >= 0 && strings.HasPrefix(rest[end:], `"]`) {
		return `"]`
	}
	return "]"
}

// bracket reads a time in round brackets or steps over a variation.
func (r *textReader) bracket() error {
	depth, begin := 0, r.at
	for i := r.at; i < len(r.text); i++ {
		switch r.text[i] {
		case '(':
			depth++
		case ')':
			depth--
		case '{': // a bracket in a remark is none
			if end := strings.IndexByte(r.text[i:], '}'); end > 0 {
				i += end
			}
		}
		if depth > 0 {
			continue
		}
		inside := r.text[r.at+1 : i]
		r.at = i + 1
		switch {
		case strings.Trim(inside, "0123456789:/ ") != "":
			r.skip(begin)
		case strings.Contains(inside, ":"):
			now, _, _ := strings.Cut(inside, "/")
			r.spent(clock(now))
		}
		return nil
	}
	r.at = len(r.text)
	return errUnclosed
}

// tagPair reads `Sente "Hana"`.
func (r *textReader) tagPair(s string) error {
	name, value, ok := strings.Cut(strings.TrimSpace(s), " ")
	if !ok {
		return errors.New("a tag without value")
	}
	value = strings.ReplaceAll(strings.Trim(strings.TrimSpace(value), `"`), "''", `"`)
	v := r.record.Variant
	switch strings.ToLower(name) {
	case "sente", "black":
		r.tag(TagBlack, value)
	case "gote", "white":
		r.tag(TagWhite, value)
	case "result": // the text below says it, or nothing does
		r.result(value, true)
	case "termination":
		r.record.End.Cause = rules.Cause(value)
	case "variant":
		other, ok := rules.ByName(value)
		if !ok {
			return fmt.Errorf("no variant %q", value)
		}
		if other != v {
			r.use(other)
		}
	case "handicap":
		if value == "" || strings.EqualFold(value, "even") || strings.EqualFold(value, "none") || value == "-" {
			return nil
		}
		h, ok := v.Handicap(value)
		if !ok {
			return fmt.Errorf("no handicap %q", value)
		}
		p, err := rules.ParsePosition(v, h.Setup)
		if err == nil {
			r.start(p)
		}
		return err
	case "sfen", "fen":
		p, err := rules.ParsePosition(v, value)
		if err == nil {
			r.start(p)
		}
		return err
	default:
		r.tag(name, value)
	}
	return nil
}

// word reads a move, a move number, a time or a word for the end.
func (r *textReader) word(s string) error {
	if number, rest := cutNumber(s); rest == "" || number > 0 && rest != s {
		s = strings.TrimLeft(rest, ".-")
	}
	if strings.Trim(s, ".-") == "" || strings.HasSuffix(s, ".") && strings.Trim(s, "0123456789.:") == "" { // "28:59.", seen in practice
		return nil
	}
	if strings.Count(s, ":") == 2 && strings.Trim(s, "0123456789:") == "" {
		if n := len(r.record.Moves); n > 0 && r.record.Moves[n-1].Spent == 0 {
			r.spent(clock(s)) // a second one is the sum
		}
		return nil
	}
	if r.result(strings.TrimRight(s, "."), false) {
		return nil
	}
	return r.read(s)
}

// result reads a word for the end, in a tag or in the text.
func (r *textReader) result(s string, tag bool) bool {
	switch strings.ToLower(s) {
	case "1-0":
		r.record.End.Outcome = rules.BlackWins
	case "0-1":
		r.record.End.Outcome = rules.WhiteWins
	case "1/2-1/2", "½-½", "1/2":
		r.record.End.Outcome = rules.Draw
	default:
		if tag {
			return false
		}
		said := r.record.End // by the tags, which know better
		word := map[string]string{"resigned": "Resigns", "resign": "Resigns", "checkmate": "Mate", "timeout": "Time"}[strings.ToLower(s)]
		if word == "" {
			word = s
		}
		if !r.endByWord(word, func(e ending) string { return e.text }) {
			return false
		}
		if said.Outcome != rules.Ongoing {
			r.record.End.Outcome = said.Outcome
		}
		if said.Cause != "" {
			r.record.End.Cause = said.Cause
		}
	}
	return true
}

// tidy joins the lines of a remark in braces but keeps its paragraphs.
func tidy(s string) string {
	var lines []string
	for line := range strings.SplitSeq(strings.TrimSpace(s), "\n") {
		lines = append(lines, strings.TrimSpace(line))
	}
	return strings.Join(lines, "\n")
}
