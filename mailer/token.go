package mailer

import (
	"regexp"
	"slices"
	"strings"
)

// tokenForm is a token in a local part or an id: what it is about, a ply and a
// MAC. Whether it is genuine is the service's business.
const tokenForm = `([a-z][0-9]+-[0-9]+-[0-9a-z]{8,40})`

var (
	tokenAddress = regexp.MustCompile(`\+` + tokenForm + `@`)
	tokenID      = regexp.MustCompile(`^` + tokenForm + `(\.[^@]*)?@`)
)

// tokens collects the tokens of a header: those of the recipients first, then
// In-Reply-To, then References from the last to the first. The body is never
// looked at, since it is quoted and forwarded.
func tokens(recipients, inReplyTo, references []string) []string {
	var out []string
	add := func(m []string) {
		if m != nil && !slices.Contains(out, m[1]) {
			out = append(out, m[1])
		}
	}
	for _, r := range recipients {
		add(tokenAddress.FindStringSubmatch(strings.ToLower(r)))
	}
	for _, id := range inReplyTo {
		add(tokenID.FindStringSubmatch(strings.ToLower(id)))
	}
	for _, id := range slices.Backward(references) {
		add(tokenID.FindStringSubmatch(strings.ToLower(id)))
	}
	return out
}
