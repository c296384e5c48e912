package mailer

import (
	"regexp"
	"slices"
	"strings"

	"github.com/emersion/go-message"
)

// loopField marks the mails we write, so that we know them if they come back.
const loopField = "X-Pbem-Loop"

// classify says whether a person wrote the message, and if not, which field
// tells. An automatic mail must never be answered nor move a piece (RFC 3834,
// section 2).
func classify(h message.Header, m Message, own []string) (Kind, string) {
	kind, params, _ := h.ContentType()
	auto := strings.ToLower(strings.TrimSpace(h.Get("Auto-Submitted")))
	precedence := strings.ToLower(strings.TrimSpace(h.Get("Precedence")))
	local, _, _ := strings.Cut(strings.ToLower(m.From.Addr), "@")
	report := strings.ToLower(params["report-type"])
	switch {
	case h.Has(loopField):
		return Own, loopField
	case slices.ContainsFunc(own, func(a string) bool { return strings.EqualFold(a, m.From.Addr) }):
		return Own, "From"
	case kind == "multipart/report" && report == "disposition-notification":
		return AutoReply, "Content-Type: disposition-notification"
	case kind == "multipart/report":
		return Bounce, "Content-Type: multipart/report"
	case h.Has("X-Failed-Recipients"):
		return Bounce, "X-Failed-Recipients"
	case local == "mailer-daemon" || local == "postmaster":
		return Bounce, "From: " + local
	case auto != "" && !strings.HasPrefix(auto, "no"):
		return AutoReply, "Auto-Submitted"
	case strings.TrimSpace(h.Get("Return-Path")) == "<>":
		return AutoReply, "Return-Path"
	case h.Has("List-Id") || h.Has("List-Post") || precedence == "list":
		return List, "List-Id"
	case slices.Contains([]string{"bulk", "junk", "auto_reply", "auto-reply"}, precedence):
		return AutoReply, "Precedence"
	case suppress.MatchString(h.Get("X-Auto-Response-Suppress")):
		return AutoReply, "X-Auto-Response-Suppress"
	case local == "no-reply" || local == "noreply" || local == "do-not-reply":
		return AutoReply, "From: no-reply"
	case awaySubject.MatchString(m.Subject):
		return AutoReply, "Subject"
	}
	for _, f := range []string{"X-Autoreply", "X-Autorespond", "X-Auto-Reply", "X-FC-MachineGenerated"} {
		if v := strings.ToLower(h.Get(f)); v != "" && v != "no" {
			return AutoReply, f
		}
	}
	return Personal, ""
}

// suppress is the value that automatic mail of Exchange has; a person's
// Outlook may set the others ([MS-OXCMAIL], section 2.1.3.2.20).
var suppress = regexp.MustCompile(`(?i)\b(all|autoreply)\b`)

var awaySubject = regexp.MustCompile(`(?i)^(automatic reply|auto(matic)?[ -]?(reply|response)|out of (the )?office|respuesta automática|fuera de la oficina|risposta automatica|fuori sede|自動(返信|応答)|不在通知|automatische antwort|abwesenheitsnotiz|réponse automatique)\b?\s*[:：]?`)

// deliveryStatus reads the fields of a delivery report (RFC 3464, section 2.3).
func deliveryStatus(text string) Report {
	var r Report
	for line := range strings.Lines(text) {
		name, value, ok := strings.Cut(line, ":")
		if !ok {
			continue
		}
		value = strings.TrimSpace(value)
		switch strings.ToLower(strings.TrimSpace(name)) {
		case "final-recipient", "original-recipient":
			if _, addr, ok := strings.Cut(value, ";"); ok && r.Failed == "" {
				r.Failed = normal(strings.Trim(strings.TrimSpace(addr), "<>"))
			}
		case "action":
			r.Action = strings.ToLower(value)
		case "status":
			r.Status = value
		}
	}
	return r
}
