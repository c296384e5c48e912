package mailer

import "strings"

// reply returns the lines that the sender of a text wrote: no quotes, no header
// of a quoted mail, no signature and no footer. sender is the display name,
// which some sign with.
func reply(lines []line, sender string) []string {
	lines = openArmour(lines)
	r := reader{lines: lines, sender: fold(sender)}
	own, end := r.own(0)
	// Nothing above: perhaps the answer stands below what is quoted, even
	// below a signature or a quote without marks.
	for tries := 0; len(own) == 0 && end < len(lines) && tries < mostTries; tries++ {
		next := r.below(end)
		if next <= end {
			return own
		}
		own, end = r.own(next)
	}
	return own
}

// What a text may cost: the lines of a sender's that are kept, the unquoted
// ones that are looked at, and the quotes behind which an answer is sought.
const (
	mostLines  = 1000
	mostLooked = 5000
	mostTries  = 50
)

// reader goes through the lines of one text.
type reader struct {
	lines  []line
	sender string
}

// own collects the sender's lines from i on until something begins behind which
// nothing more is expected: a signature, a disclaimer, a quote without marks.
// It returns where that is, or the end.
func (r reader) own(i int) (out []string, end int) {
	for looked := 0; i < len(r.lines) && len(out) < mostLines && looked < mostLooked; {
		l := r.lines[i]
		if l.key == "" || l.quoted {
			i++
			continue
		}
		looked++
		switch {
		case isTagline(l.key):
			i++
			continue
		case r.ourMail(i):
			i = r.lastOfOurs(i) + 1
			continue
		}
		if n := r.quoteHeader(i); n > 0 {
			if !r.quoteAt(i + n) {
				return out, i
			}
			i += n
			continue
		}
		if r.tail(i) {
			return out, i
		}
		if !rule.MatchString(l.key) {
			out = append(out, l.text)
		}
		i++
	}
	return out, i
}

// below returns where the sender's lines may go on behind the quote, signature
// or footer that begins at i: after the last line of a mail of ours, or after
// the last quoted line. If there is neither, it returns i.
func (r reader) below(i int) int {
	if n := r.quoteHeader(i); n > 0 && !r.quoteAt(i+n) {
		if last := r.lastOfOurs(i); last > i {
			return last + 1
		}
		return i
	}
	for j := i; j < len(r.lines); j++ {
		if r.lines[j].quoted {
			for j < len(r.lines) && (r.lines[j].quoted || r.lines[j].key == "") {
				j++
			}
			return j
		}
	}
	return i
}

// quoteAt reports whether the next line that is not blank is quoted.
func (r reader) quoteAt(i int) bool {
	for i < len(r.lines) && r.lines[i].key == "" {
		i++
	}
	return i < len(r.lines) && r.lines[i].quoted
}

// tail reports whether a signature or a footer begins at i.
func (r reader) tail(i int) bool {
	key := r.lines[i].key
	switch {
	case signatureMark.MatchString(key), listFooter.MatchString(key), antivirus.MatchString(key), disclaimer.MatchString(r.paragraph(i, 3)):
		return true
	case rule.MatchString(key):
		return r.ruleCuts(i)
	}
	return r.sender != "" && key == r.sender && r.contactFollows(i+1)
}

// ruleCuts reports whether the line of dashes or the like at i sets off
// something that is not the sender's text: a quote, a footer, or a signature,
// which is told by what only signatures hold, or by a second rule at the very
// end. Others write such lines between their paragraphs.
func (r reader) ruleCuts(i int) bool {
	seen := 0
	for j := i + 1; j < len(r.lines); j++ {
		switch l := r.lines[j]; {
		case l.key == "":
			continue
		case l.quoted, r.quoteHeader(j) > 0:
			return seen == 0
		case seen == 0 && r.ourMail(j):
			return true
		case seen > 8:
			return false
		case rule.MatchString(l.key):
			return !strings.HasPrefix(l.key, "-") && r.endsAt(j+1)
		case contact.MatchString(l.key), listFooter.MatchString(l.key), disclaimer.MatchString(l.key),
			antivirus.MatchString(l.key), r.sender != "" && l.key == r.sender:
			return true
		}
		seen++
	}
	return seen == 0
}

// endsAt reports whether nothing of the sender's follows from i on.
func (r reader) endsAt(i int) bool {
	for i < len(r.lines) && r.lines[i].key == "" {
		i++
	}
	return i == len(r.lines) || r.lines[i].quoted || r.quoteHeader(i) > 0
}

// contactFollows reports whether the next lines, up to a blank one, hold what
// only signatures do.
func (r reader) contactFollows(i int) bool { return contact.MatchString(r.paragraph(i, 8)) }

// paragraph returns the keys of the lines from i up to a blank one, of at most
// n lines.
func (r reader) paragraph(i, n int) string {
	var keys []string
	for j := i; j < min(i+n, len(r.lines)) && r.lines[j].key != "" && !r.lines[j].quoted; j++ {
		keys = append(keys, r.lines[j].key)
	}
	return strings.Join(keys, " ")
}
