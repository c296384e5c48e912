package smtpout

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/emersion/go-smtp"
)

// verdict is what came of trying a mail on one connection.
type verdict struct {
	status Status
	code   int
	text   string
	lost   bool // the connection is of no more use, and the server has not decided
	sent   bool // if lost: the mail was out, the server may have taken it
	closed bool // the server has decided, but the connection is of no more use
}

// maxLine is the longest line a mail may have, without CRLF (RFC 5321, section 4.5.3.1.6).
const maxLine = 998

// unfit says why no server could take the mail; empty if nothing speaks against it.
func (e Envelope) unfit() string {
	for _, address := range []string{e.From, e.To} {
		if strings.ContainsAny(address, "\r\n\x00<> ") {
			return fmt.Sprintf("%q cannot be an address", address)
		}
	}
	if e.To == "" {
		return "there is no recipient"
	}
	// Trap S1: a server breaks the connection over a long line instead of refusing it.
	for line := range bytes.Lines(e.Data) {
		if len(bytes.TrimRight(line, "\r\n")) > maxLine {
			return fmt.Sprintf("the mail has a line of more than %d bytes", maxLine)
		}
	}
	return ""
}

// stage is how far a mail has come.
type stage uint8

const (
	atMail stage = iota
	atRcpt
	atData // DATA said, not yet all sent
	atDot  // all sent
)

// deliver tries one mail. It resets the server after a refusal, so that the next can follow.
func (n *conn) deliver(ctx context.Context, e Envelope) verdict {
	if v, ok := n.refuse(e); ok {
		return v
	}
	var v verdict
	n.watched(ctx, 10*n.c.Timeout, farewell, func() error {
		text, at, err := n.transact(e)
		if err == nil {
			v = verdict{status: Accepted, code: 250, text: oneLine(text)}
			return nil
		}
		v = n.judge(at, err)
		if !v.lost && (at == atRcpt || at == atData) { // A transaction is open.
			v.closed = n.client.Reset() != nil
		}
		return nil
	})
	return v
}

// refuse tells what this server is known not to take, without asking it.
func (n *conn) refuse(e Envelope) (verdict, bool) {
	if !n.utf8 && !isASCII(e.From+e.To) { // Trap S5.
		return verdict{status: Permanent, text: "the mail server does not take addresses with letters other than a-z (SMTPUTF8)"}, true
	}
	if n.limit > 0 && len(e.Data) > n.limit { // Trap S3.
		return verdict{status: Permanent, text: fmt.Sprintf("the mail has %d bytes; the mail server takes at most %d", len(e.Data), n.limit)}, true
	}
	return verdict{}, false
}

// transact runs the commands for one mail and returns the server's words on accepting it, or
// the stage it has come to.
func (n *conn) transact(e Envelope) (text string, at stage, err error) {
	options := &smtp.MailOptions{Size: int64(len(e.Data)), UTF8: !isASCII(e.From + e.To)}
	if err := n.client.Mail(e.From, options); err != nil {
		return "", atMail, err
	}
	if err := n.client.Rcpt(e.To, nil); err != nil {
		return "", atRcpt, err
	}
	w, err := n.client.Data()
	if err != nil {
		return "", atData, err
	}
	if _, err := w.Write(e.Data); err != nil {
		return "", atData, err
	}
	answer, err := w.CloseWithResponse()
	if err != nil {
		return "", atDot, err
	}
	return answer.StatusText, atDot, nil
}

// judge says what an error means. Trap S2: a connection that ends after the last dot leaves
// the mail in doubt: it is tried again later, the same bytes with the same Message-ID.
func (n *conn) judge(at stage, err error) verdict {
	answer := (*smtp.SMTPError)(nil)
	if !errors.As(err, &answer) {
		text := "the connection broke before the mail was out: " + err.Error()
		if at == atDot {
			text = "the connection broke after the mail was out; the server may have taken it: " + err.Error()
		}
		return verdict{status: Temporary, text: text, lost: true, sent: at == atDot}
	}
	v := verdict{code: answer.Code, text: oneLine(words(answer))}
	switch {
	case answer.Code == 421: // It closes the connection, whatever was asked.
		v.status, v.lost, v.sent = Temporary, true, at == atDot
	case answer.Code/100 == 4:
		v.status = Temporary
	case answer.Code/100 != 5:
		v.status, v.lost, v.sent = Temporary, true, at == atDot
	case n.ours(at, answer):
		v.status = Blocked
	default:
		v.status = Permanent
	}
	return v
}

// ours reports whether a permanent refusal is for us, not for the mail or its recipient.
func (n *conn) ours(at stage, answer *smtp.SMTPError) bool {
	switch answer.Code {
	case 530, 534, 535, 538: // It wants a login, or another one (RFC 4954).
		return true
	}
	text := strings.ToLower(answer.Message)
	switch at {
	case atMail:
		tooLarge := answer.Code == 552 || answer.EnhancedCode == smtp.EnhancedCode{5, 3, 4}
		return !tooLarge
	case atRcpt: // Seen in practice: a server that does not know us refuses all recipients.
		return strings.Contains(text, "relay")
	default:
		return false
	}
}

// words returns what the server said, with its enhanced code.
func words(answer *smtp.SMTPError) string {
	if answer.EnhancedCode == smtp.EnhancedCodeNotSet || answer.EnhancedCode == smtp.NoEnhancedCode {
		return answer.Message
	}
	c := answer.EnhancedCode
	return fmt.Sprintf("%d.%d.%d %s", c[0], c[1], c[2], answer.Message)
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}
