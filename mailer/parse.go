package mailer

import (
	"fmt"
	"strings"
	"time"

	"github.com/emersion/go-message"
	"github.com/emersion/go-message/mail"
)

// Parse reads a message. The error is for a header beyond the limit, of which
// no part may count; whatever else is wrong is mended or left out, and bytes
// that are no mail at all are one without an author.
func Parse(raw []byte, o ParseOptions) (Message, error) {
	if o.Limits == (Limits{}) {
		o.Limits = DefaultLimits()
	}
	e, err := readEntity(raw, o.Limits.Header)
	if err != nil {
		return Message{}, fmt.Errorf("read message: %w", err)
	}
	h := e.header
	to, over := recipients(h, o.Limits)
	m := Message{
		From: author(h), Subject: decode(h.Get("Subject")), Recipients: to, Over: over,
		ReplyTo: addresses(h, "Reply-To"), Size: int64(len(raw)), Salvaged: e.mended,
		Date: date(h), Auth: authResults(h),
	}
	if id := ids(h.Get("Message-Id")); len(id) > 0 {
		m.MessageID = id[0]
	}
	m.InReplyTo = ids(h.Get("In-Reply-To"))
	m.References = ids(h.Get("References"))
	m.Tokens = tokens(m.Recipients, m.InReplyTo, m.References)
	m.Kind, m.Why = classify(e, m, o.Own)
	if m.Over != "" {
		return m, nil
	}
	w := walk{limits: o.Limits, left: o.Limits.Text}
	w.part(e, 0)
	m.Over = w.over
	m.HasText, m.Sealed = len(w.plain)+len(w.html) > 0, w.sealed
	switch m.Kind {
	case Personal:
		m.Lines = ownLines(w, m.From.Name)
	case Bounce:
		m.Bounce = w.report
		m.Bounce.complete(h, w.plain)
	}
	return m, nil
}

// date returns what the Date field says, zero if it cannot be read.
func date(h message.Header) time.Time {
	t, err := (&mail.Header{Header: h}).Date()
	if err != nil {
		return time.Time{}
	}
	return t.UTC()
}

// ownLines returns the sender's own lines: those of the first plain text that
// has any, or else of the first HTML text.
func ownLines(w walk, sender string) []string {
	for _, text := range w.plain {
		if lines := reply(plainLines(text), sender); len(lines) > 0 {
			return lines
		}
	}
	w.left = w.limits.Text
	for _, e := range w.html {
		if lines := reply(htmlLines(strings.NewReader(w.text(e))), sender); len(lines) > 0 {
			return lines
		}
	}
	return nil
}
