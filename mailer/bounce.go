package mailer

import (
	"regexp"
	"strings"

	"github.com/emersion/go-message"
)

// status reads the fields of a delivery report (RFC 3464, section 2.3): those
// of the first recipient whose mail failed, else of the first one.
func (r *Report) status(text string) {
	var best Report
	for group := range strings.SplitSeq(strings.ReplaceAll(text, "\r\n", "\n"), "\n\n") {
		one := recipientStatus(group)
		if one.Failed != "" && (best.Failed == "" || best.Action != "failed" && one.Action == "failed") {
			best = one
		}
	}
	best.MessageID = r.MessageID
	*r = best
}

func recipientStatus(group string) Report {
	var r Report
	final := ""
	for name, value := range fieldsOf(group) {
		switch name {
		case "original-recipient": // the address that we wrote to, before any forwarding
			r.Failed = typedAddress(value)
		case "final-recipient":
			final = typedAddress(value)
		case "action":
			r.Action = strings.ToLower(firstField(value))
		case "status":
			r.Status = firstField(value)
		}
	}
	if !strings.Contains(r.Failed, "@") {
		r.Failed = final
	}
	return r
}

// feedback reads an abuse report (RFC 5965, section 3).
func (r *Report) feedback(text string) {
	r.Action = "complaint"
	for name, value := range fieldsOf(text) {
		if name == "original-rcpt-to" && r.Failed == "" {
			r.Failed = typedAddress(value)
		}
	}
}

// original reads the header of the mail of ours that is attached.
func (r *Report) original(text string) {
	head, _, _ := strings.Cut(strings.ReplaceAll(text, "\r\n", "\n"), "\n\n")
	for name, value := range fieldsOf(head) {
		switch {
		case name == "message-id" && r.MessageID == "":
			if id := ids(value); len(id) > 0 {
				r.MessageID = id[0]
			}
		case name == "to" && r.Failed == "" && r.Action == "complaint":
			r.Failed = typedAddress(value)
		}
	}
}

// complete fills in what no part told, from the text that mail systems of
// before RFC 3464 write for people: the first address in it that is not ours,
// and the status code.
func (r *Report) complete(h message.Header, texts []string) {
	text := strings.Join(texts, "\n")
	if r.MessageID == "" {
		if m := messageIDLine.FindStringSubmatch(text); m != nil {
			r.MessageID = m[1]
		}
	}
	if i := copyBelow.FindStringIndex(text); i != nil {
		text = text[:i[0]]
	}
	if r.Failed == "" {
		r.Failed = failedAddress(h, text)
	}
	if m := statusCode.FindStringSubmatch(text); r.Status == "" && m != nil {
		r.Status = m[1]
	}
	if r.Action == "" && r.Failed != "" {
		r.Action = "failed"
		if delayed.MatchString(h.Get("Subject")) || delayed.MatchString(text) {
			r.Action = "delayed"
		}
	}
}

func failedAddress(h message.Header, text string) string {
	if m := looseAddress.FindString(h.Get("X-Failed-Recipients")); m != "" {
		return normal(m)
	}
	ours, _ := recipients(h, DefaultLimits())
	for _, a := range addresses(h, "From") {
		ours = append(ours, a.Addr)
	}
	skip := make(map[string]bool, len(ours))
	for _, a := range ours {
		skip[strings.ToLower(a)] = true
	}
	for _, m := range looseAddress.FindAllString(text, 200) {
		if m = strings.Trim(m, `.'"[]|`); !skip[strings.ToLower(m)] {
			return normal(m)
		}
	}
	return ""
}

var (
	messageIDLine = regexp.MustCompile(`(?im)^\s*message-id:\s*<([^>\s]+)>`)
	statusCode    = regexp.MustCompile(`(?:^|[^\d.])([245]\.\d{1,3}\.\d{1,3})(?:[^\d.]|\.?\s|$)`)
	copyBelow     = regexp.MustCompile(`(?im)^(-{2,}.*(copy|original|unsent|returned|message|headers).*|return-path:.*|received: .*|(original message|message headers) follows?.*)$`)
	delayed       = regexp.MustCompile(`(?i)(delayed|warning:|still (being )?(retried|trying)|will (be retried|keep trying|continue)|not yet (been )?delivered|no need to (do anything|resend))`)
)

// fieldsOf yields the fields of a header in a text, names in lower case, folded
// lines joined.
func fieldsOf(text string) func(yield func(name, value string) bool) {
	return func(yield func(string, string) bool) {
		unfolded := foldedLine.ReplaceAllString(text, " ")
		for line := range strings.Lines(unfolded) {
			name, value, ok := strings.Cut(line, ":")
			if ok && !yield(strings.ToLower(strings.TrimSpace(name)), strings.TrimSpace(value)) {
				return
			}
		}
	}
}

var foldedLine = regexp.MustCompile(`\r?\n[ \t]+`)

// typedAddress reads an address with or without its type: "rfc822;a@b".
func typedAddress(s string) string {
	if _, addr, ok := strings.Cut(s, ";"); ok {
		s = addr
	}
	if m := looseAddress.FindString(s); m != "" {
		return normal(m)
	}
	return strings.Trim(strings.TrimSpace(s), "<>")
}

func firstField(s string) string {
	for f := range strings.FieldsSeq(s) {
		return f
	}
	return ""
}
