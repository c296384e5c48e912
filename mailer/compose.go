package mailer

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/emersion/go-message"
	"github.com/emersion/go-message/mail"
)

// Draft is one outbound mail before it is written.
type Draft struct {
	From, To   Address
	ReplyTo    string // an address; empty for none
	MessageID  string // without angle brackets
	InReplyTo  string
	References []string
	Subject    string
	Text       string // lines end in LF
	HTML       string // empty for none
	Date       time.Time
	Auto       string // Auto-Submitted: "auto-generated" or "auto-replied" (RFC 3834, section 5)
}

// Errors of a draft that cannot be a mail.
var (
	ErrHeader  = errors.New("a header field must not hold a line end or NUL") // Returned by Compose.
	ErrAddress = errors.New("address is not ASCII")                           // Returned by Compose; SMTPUTF8 is not offered.
)

// Compose writes d as a message, the same bytes for the same draft. No line is
// longer than 78 characters but for ids, and the text never holds a bare CR
// or LF. Errors: [ErrHeader], [ErrAddress].
func Compose(d Draft) ([]byte, error) {
	for _, s := range append([]string{d.From.Name, d.From.Addr, d.To.Name, d.To.Addr, d.ReplyTo, d.MessageID,
		d.InReplyTo, d.Subject, d.Auto}, d.References...) {
		if strings.ContainsAny(s, "\r\n\x00") {
			return nil, fmt.Errorf("compose %q: %w", d.MessageID, ErrHeader)
		}
	}
	for _, a := range []string{d.From.Addr, d.To.Addr, d.ReplyTo} {
		if strings.ContainsFunc(a, func(r rune) bool { return r > 126 || r <= ' ' }) {
			return nil, fmt.Errorf("compose %q: %w", d.MessageID, ErrAddress)
		}
	}
	var b bytes.Buffer
	if err := d.write(&b); err != nil {
		return nil, fmt.Errorf("compose %q: %w", d.MessageID, err)
	}
	return b.Bytes(), nil
}

func (d Draft) write(w io.Writer) error {
	h := d.header()
	if d.HTML == "" {
		return part(h, "text/plain", d.Text, func(h message.Header) (*message.Writer, error) { return message.CreateWriter(w, h) })
	}
	// The boundary comes from the Message-ID: random, and yet the same each time.
	boundary := "=_" + strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r == '-' {
			return r
		}
		return '_'
	}, d.MessageID)
	h.SetContentType("multipart/alternative", map[string]string{"boundary": boundary[:min(len(boundary), 60)]})
	mw, err := message.CreateWriter(w, h)
	if err != nil {
		return err
	}
	if err := part(message.Header{}, "text/plain", d.Text, mw.CreatePart); err != nil {
		return err
	}
	if err := part(message.Header{}, "text/html", d.HTML, mw.CreatePart); err != nil {
		return err
	}
	return mw.Close()
}

// part writes one text, quoted-printable so that no line is too long.
func part(h message.Header, kind, text string, create func(message.Header) (*message.Writer, error)) error {
	h.SetContentType(kind, map[string]string{"charset": "utf-8"})
	h.Set("Content-Transfer-Encoding", "quoted-printable")
	w, err := create(h)
	if err != nil {
		return err
	}
	if _, err := io.WriteString(w, strings.ReplaceAll(text, "\n", "\r\n")); err != nil {
		return err
	}
	return w.Close()
}

// header writes the fields, the last one first: go-message puts each on top.
func (d Draft) header() message.Header {
	var h mail.Header
	h.Set(loopField, "1")
	h.Set("X-Auto-Response-Suppress", "OOF, DR, RN, NRN, AutoReply")
	if d.Auto != "" {
		h.Set("Auto-Submitted", d.Auto)
	}
	h.Set("Mime-Version", "1.0")
	if len(d.References) > 0 {
		h.SetMsgIDList("References", d.References)
	}
	if d.InReplyTo != "" {
		h.SetMsgIDList("In-Reply-To", []string{d.InReplyTo})
	}
	h.SetMessageID(d.MessageID)
	h.SetDate(d.Date)
	h.SetSubject(d.Subject)
	if d.ReplyTo != "" {
		h.SetAddressList("Reply-To", []*mail.Address{{Address: d.ReplyTo}})
	}
	h.SetAddressList("To", []*mail.Address{{Name: d.To.Name, Address: d.To.Addr}})
	h.SetAddressList("From", []*mail.Address{{Name: d.From.Name, Address: d.From.Addr}})
	return h.Header
}
