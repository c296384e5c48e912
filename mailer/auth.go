package mailer

import (
	"strings"

	"github.com/emersion/go-message"
	"github.com/emersion/go-msgauth/authres"
)

// AuthResult is what one Authentication-Results field says (RFC 8601). The
// zero value says nothing.
type AuthResult struct {
	Host  string // the authserv-id
	DMARC string // "pass", "fail", …; empty if not said
	From  string // the domain that DMARC was checked for, lower case
}

// authResults reads the fields in order. A field that cannot be read in full
// says nothing: half of a forged one must not count.
func authResults(h message.Header) []AuthResult {
	var out []AuthResult
	fields := h.FieldsByKey("Authentication-Results")
	for fields.Next() && len(out) < 20 {
		host, results, err := authres.Parse(fields.Value())
		r := AuthResult{Host: strings.ToLower(strings.Trim(host, `"`))}
		said := 0
		for _, one := range results {
			if d, ok := one.(*authres.DMARCResult); ok && err == nil {
				said++
				r.DMARC, r.From = string(d.Value), strings.ToLower(d.From)
			}
		}
		if said > 1 { // one of them was written by somebody else
			r.DMARC, r.From = "", ""
		}
		out = append(out, r)
	}
	return out
}

// Trusted returns what the host named authservID says of m. Only the topmost
// field counts, and only if it bears that name: whatever stands below may have
// come with the message.
func Trusted(m Message, authservID string) AuthResult {
	if authservID == "" || len(m.Auth) == 0 || m.Auth[0].Host != strings.ToLower(authservID) {
		return AuthResult{}
	}
	r := m.Auth[0]
	if _, domain, _ := strings.Cut(m.From.Addr, "@"); r.From != "" && r.From != domain {
		return AuthResult{}
	}
	return r
}

// Forged reports whether the topmost Authentication-Results field says that the
// domain of From did not send the mail. That is believed whoever wrote the
// field: to distrust costs a question, no more.
func Forged(m Message) bool {
	_, domain, _ := strings.Cut(m.From.Addr, "@")
	return len(m.Auth) > 0 && m.Auth[0].DMARC == "fail" && (m.Auth[0].From == "" || m.Auth[0].From == domain)
}
