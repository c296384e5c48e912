package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/emersion/go-message/mail"

	"pbem/mailer/imapbox"
	"pbem/mailer/smtpout"
)

// letterIn is a mail as a player's mail program shows it.
type letterIn struct {
	player    string // whose mailbox it came to
	from      string
	subject   string
	replyTo   string
	messageID string
	refs      []string
	date      time.Time
	text      string
}

// reader is a small mail program: it watches a mailbox over IMAP and hands on
// what arrives.
type reader struct {
	player string
	mails  chan<- letterIn
	seen   imapbox.Cursor
}

func (r *reader) Cursor(string) (imapbox.Cursor, error) { return r.seen, nil }
func (r *reader) CaughtUp(string, time.Time) error      { return nil }
func (r *reader) Receive(ctx context.Context, batch []imapbox.Fetched) error {
	for _, f := range batch {
		if f.UIDValidity == r.seen.UIDValidity && f.UID <= r.seen.UID {
			continue
		}
		l, err := readLetter(r.player, f.Raw)
		if err != nil {
			return err
		}
		select {
		case r.mails <- l:
		case <-ctx.Done():
			return ctx.Err()
		}
		r.seen = imapbox.Cursor{UIDValidity: f.UIDValidity, UID: f.UID}
	}
	return nil
}

// readLetter takes the plain text of a mail and what a reply needs of it.
func readLetter(player string, raw []byte) (letterIn, error) {
	r, err := mail.CreateReader(bytes.NewReader(raw)) // our own mail, so no limits are needed
	if err != nil {
		return letterIn{}, fmt.Errorf("mail to %s: %w", player, err)
	}
	l := letterIn{player: player}
	l.subject, _ = r.Header.Subject()
	l.messageID, _ = r.Header.MessageID()
	l.refs, _ = r.Header.MsgIDList("References")
	l.date, _ = r.Header.Date()
	for field, to := range map[string]*string{"Reply-To": &l.replyTo, "From": &l.from} {
		if list, _ := r.Header.AddressList(field); len(list) > 0 {
			*to = list[0].Address
		}
	}
	for {
		p, err := r.NextPart()
		if err != nil {
			return letterIn{}, fmt.Errorf("mail to %s has no plain text: %w", player, err)
		}
		if h, ok := p.Header.(*mail.InlineHeader); ok {
			if kind, _, _ := h.ContentType(); kind == "text/plain" {
				b, err := io.ReadAll(p.Body)
				l.text = strings.ReplaceAll(string(b), "\r\n", "\n")
				return l, err
			}
		}
	}
}

// reply writes text above the quoted mail, as mail programs do.
func (l letterIn) reply(text string) ([]byte, string, error) {
	var body strings.Builder
	fmt.Fprintf(&body, "%s\n\nOn %s, %s wrote:\n", text, l.date.Format("2 Jan 2006 at 15:04"), l.from)
	for line := range strings.Lines(strings.TrimRight(l.text, "\n")) {
		body.WriteString(strings.TrimRight("> "+line, " \n") + "\n")
	}
	subject := l.subject
	if !strings.HasPrefix(subject, "Re: ") {
		subject = "Re: " + subject
	}
	raw, err := compose(l.player, l.replyTo, subject, body.String(), l.messageID, append(l.refs, l.messageID))
	return raw, l.replyTo, err
}

// compose makes a plain mail.
func compose(from, to, subject, text, inReplyTo string, refs []string) ([]byte, error) {
	var h mail.Header
	if inReplyTo != "" {
		h.SetMsgIDList("In-Reply-To", []string{inReplyTo})
		h.SetMsgIDList("References", refs)
	}
	h.SetMessageID(newID() + "@mail." + demoDomain)
	h.SetDate(time.Now())
	h.SetSubject(subject)
	h.SetAddressList("From", []*mail.Address{{Address: from}})
	h.SetAddressList("To", []*mail.Address{{Address: to}})
	h.SetContentType("text/plain", map[string]string{"charset": "utf-8"})
	var b bytes.Buffer
	w, err := mail.CreateSingleInlineWriter(&b, h)
	if err != nil {
		return nil, err
	}
	if _, err := io.WriteString(w, strings.ReplaceAll(text, "\n", "\r\n")); err != nil {
		return nil, err
	}
	err = w.Close()
	return b.Bytes(), err
}

// sendWith hands a mail to the SMTP server as from.
func sendWith(ctx context.Context, smtpAddr, password, from, to string, raw []byte) error {
	var refused error
	err := smtpout.Send(ctx, smtpout.Config{
		Addr: smtpAddr, Security: smtpout.SecurityNone, User: from, Password: password,
	}, []smtpout.Envelope{{ID: 1, From: from, To: to, Data: raw}}, func(o smtpout.Outcome) error {
		if o.Status != smtpout.Accepted {
			refused = fmt.Errorf("mail to %s was not accepted: %d %s", to, o.Code, o.Text)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return refused
}
