package mailer

import "strings"

// quoteHeader returns how many lines the header of a quoted mail takes at i, 0
// if none begins there.
func (r reader) quoteHeader(i int) int {
	key := r.lines[i].key
	switch {
	case separator.MatchString(key), groupWise.MatchString(key), zoho.MatchString(key):
		return 1
	case dashed.MatchString(key) && r.headerSoon(i+1):
		return 1
	}
	if n := r.block(i); n > 0 {
		return n
	}
	if n := r.table(i); n > 0 {
		return n
	}
	return r.attribution(i)
}

// headerSoon reports whether a quoted line, or a header of a quoted mail, is
// the next thing.
func (r reader) headerSoon(i int) bool {
	for i < len(r.lines) && r.lines[i].key == "" {
		i++
	}
	return i < len(r.lines) && (r.lines[i].quoted || r.block(i) > 0 || r.attribution(i) > 0)
}

// longestBlock is how many lines are looked at for the fields of a quoted mail.
const longestBlock = 12

// block returns how many lines the fields of a quoted mail take, as Outlook and
// others copy them: "From:" and one more, or any three, in any order and in any
// of the languages of the table, one a line.
func (r reader) block(i int) int {
	if fieldOf(r.lines[i].key) == noField {
		return 0
	}
	var seen [lastField]bool
	kinds, end, gap := 0, i, 0
	for j := i; j < min(i+longestBlock, len(r.lines)) && gap < 2; j++ {
		l := r.lines[j]
		f := fieldOf(l.key)
		switch {
		case l.key == "":
			continue
		case l.quoted:
			gap = 2
			continue
		case f == noField:
			gap++ // a long list of recipients, broken
			if kinds < 2 {
				gap = 2
			}
			continue
		case !seen[f]:
			seen[f] = true
			kinds++
		}
		gap, end = 0, j+1
	}
	if kinds >= 2 && seen[fromField] || kinds >= 3 {
		return end - i
	}
	return 0
}

// table returns how many lines the header of a quoted mail takes that was a
// table in Lotus Notes: the sender and the date, then the names of fields, each
// alone on a line, with the values below them.
func (r reader) table(i int) int {
	if !hasAddress.MatchString(r.lines[i].key) || i+1 == len(r.lines) || !hasTime.MatchString(r.lines[i+1].key) {
		return 0
	}
	kinds := 0
	for j := i + 2; j < min(i+2+longestBlock, len(r.lines)); j++ {
		if key := r.lines[j].key; fieldNames[strings.ToLower(key)] != noField {
			kinds++
			if kinds == 2 {
				return j + 1 - i
			}
		}
	}
	return 0
}

// fieldOf returns which field of a header the line is, in any language.
func fieldOf(key string) field {
	name, _, ok := strings.Cut(key, ":")
	if !ok || len(name) > 40 {
		return noField
	}
	return fieldNames[strings.ToLower(strings.Trim(name, " >-【】[]"))]
}

// attribution returns how many lines an attribution takes: "On … wrote:" in any
// of the languages of the table, which mail programs break over up to four
// lines. A person may write such a line too; it counts if a quote follows, or
// if it names an address or a time as only programs do.
func (r reader) attribution(i int) int {
	joined := ""
	for n := 1; n <= 4 && i+n <= len(r.lines); n++ {
		l := r.lines[i+n-1]
		if l.key == "" || l.quoted || len(joined)+len(l.key) > 500 || n > 1 && opener.MatchString(l.key) {
			return 0
		}
		joined = strings.TrimSpace(joined + " " + l.key)
		if strings.HasSuffix(joined, ":") && attributes(joined, r.quoteAt(i+n), n) {
			return n
		}
		if n == 1 && !opener.MatchString(joined) && !hasTime.MatchString(joined) {
			return 0
		}
	}
	return 0
}

// attributes reports whether text, which took n lines and ends in a colon, is
// an attribution; quote says that a quote follows.
func attributes(text string, quote bool, n int) bool {
	said, address, time := saysWrote.MatchString(text), hasAddress.MatchString(text), hasTime.MatchString(text)
	switch {
	case quote:
		return said || address || time && n == 1
	case said:
		return address || time && (opener.MatchString(text) || endsWrote.MatchString(text))
	}
	return address && time
}
