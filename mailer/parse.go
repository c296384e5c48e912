package mailer

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/emersion/go-message"
	_ "github.com/emersion/go-message/charset" // lets go-message decode what is not UTF-8
	"github.com/emersion/go-message/mail"
)

// Parse reads a message. The error is for bytes in which not even a header
// can be found; whatever else is wrong is mended or left out.
func Parse(raw []byte, o ParseOptions) (Message, error) {
	if o.Limits == (Limits{}) {
		o.Limits = DefaultLimits()
	}
	e, salvaged, err := read(raw, o.Limits)
	if err != nil {
		return Message{}, fmt.Errorf("read message: %w", err)
	}
	h := e.Header
	m := Message{
		From: author(h), Subject: decode(h.Get("Subject")), Recipients: recipients(h),
		ReplyTo: addresses(h, "Reply-To"), Size: int64(len(raw)), Salvaged: salvaged,
	}
	if id := ids(h.Get("Message-Id")); len(id) > 0 {
		m.MessageID = id[0]
	}
	m.InReplyTo = ids(h.Get("In-Reply-To"))
	m.References = ids(h.Get("References"))
	m.Tokens = tokens(m.Recipients, m.InReplyTo, m.References)
	m.Date = date(h)
	m.Kind, m.Why = classify(h, m, o.Own)
	m.Auth = authResults(h)
	w := walk{limits: o.Limits}
	w.part(e, 0)
	m.Bounce = w.report
	m.HasText = w.text != "" || w.html != ""
	if m.Kind == Personal || m.Kind == List {
		m.Lines = ownLines(w)
	}
	return m, nil
}

// read parses the header, after mending it if it has to be.
func read(raw []byte, l Limits) (e *message.Entity, salvaged bool, err error) {
	o := &message.ReadOptions{MaxHeaderBytes: int64(l.Header)}
	e, err = message.ReadWithOptions(bytes.NewReader(raw), o)
	if e == nil {
		var mended []byte
		mended, salvaged = mend(raw)
		e, err = message.ReadWithOptions(bytes.NewReader(mended), o)
	}
	if e == nil {
		if err == nil {
			err = errors.New("no header")
		}
		return nil, salvaged, err
	}
	return e, salvaged, nil
}

func date(h message.Header) time.Time {
	t, err := (&mail.Header{Header: h}).Date()
	if err != nil {
		return time.Time{}
	}
	return t.UTC()
}

// ownLines returns the sender's own lines: of the plain text, or where that
// has none, of the HTML.
func ownLines(w walk) []string {
	lines := reply(w.text)
	if len(lines) == 0 && w.html != "" {
		lines = reply(htmlText(strings.NewReader(w.html)))
	}
	return lines
}
