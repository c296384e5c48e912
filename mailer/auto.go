package mailer

import (
	"slices"
	"strings"

	"github.com/emersion/go-message"
)

// loopField marks the mails we write, so that we know them if they come back.
const loopField = "X-Pbem-Loop"

// classify says whether a person wrote the message, and if not, which field
// tells. An automatic mail must never be answered nor move a piece (RFC 3834,
// section 2).
func classify(e entity, m Message, own []string) (Kind, string) {
	h := e.header
	switch {
	case h.Has(loopField):
		return Own, loopField
	case slices.ContainsFunc(own, func(a string) bool { return strings.EqualFold(a, m.From.Addr) }):
		return Own, "From"
	}
	if why := isReport(e, m); why != "" {
		if strings.HasSuffix(why, "disposition-notification") {
			return AutoReply, why
		}
		return Bounce, why
	}
	if why := isAutomatic(h, m); why != "" {
		return AutoReply, why
	}
	for _, f := range []string{"List-Id", "List-Post", "List-Unsubscribe", "X-Mailman-Version", "X-BeenThere", "Mailing-List", "X-Mailing-List", "X-Ml-Name", "X-Google-Group-Id"} {
		if h.Has(f) {
			return List, f
		}
	}
	if token(h, "Precedence") == "list" {
		return List, "Precedence"
	}
	return Personal, ""
}

// token returns the first word of a field in lower case, without comments.
func token(h message.Header, field string) string {
	word, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(h.Get(field))), ";")
	word, _, _ = strings.Cut(word, "(")
	return strings.TrimSpace(word)
}

// isReport returns the field that says that the message reports on a mail of
// ours, or "".
func isReport(e entity, m Message) string {
	if e.kind == "multipart/report" {
		return strings.TrimSuffix("Content-Type: "+strings.ToLower(e.params["report-type"]), ": ")
	}
	if e.header.Has("X-Failed-Recipients") {
		return "X-Failed-Recipients"
	}
	local, _, _ := strings.Cut(strings.ToLower(m.From.Addr), "@")
	if slices.Contains(daemons, local) {
		return "From: " + local
	}
	if returned(e.header) && bounceSubject.MatchString(m.Subject) {
		return "Subject"
	}
	return ""
}

// returned reports whether the message came with the null return path.
func returned(h message.Header) bool {
	path, _, _ := strings.Cut(strings.TrimSpace(h.Get("Return-Path")), ">")
	return strings.ReplaceAll(path, " ", "") == "<"
}

// isAutomatic returns the field that says that a machine answered, or "".
func isAutomatic(h message.Header, m Message) string {
	switch auto := token(h, "Auto-Submitted"); {
	case auto != "" && auto != "no":
		return "Auto-Submitted"
	case returned(h):
		return "Return-Path"
	case slices.Contains([]string{"bulk", "junk", "auto_reply", "auto-reply", "autoreply"}, token(h, "Precedence")):
		return "Precedence"
	case suppress.MatchString(h.Get("X-Auto-Response-Suppress")):
		return "X-Auto-Response-Suppress"
	}
	for _, f := range autoFields {
		if v := token(h, f); v != "" && v != "no" && v != "false" && v != "none" {
			return f
		}
	}
	local, _, _ := strings.Cut(strings.ToLower(m.From.Addr), "@")
	if noReply.MatchString(local) {
		return "From: " + local
	}
	if awaySubject.MatchString(m.Subject) {
		return "Subject"
	}
	return ""
}
