package localmail

import (
	"bytes"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
)

// Reply returns an error that makes the SMTP server answer with code and text when a hook of
// [Options] returns it.
func Reply(code int, text string) error {
	return &smtp.SMTPError{Code: code, EnhancedCode: smtp.EnhancedCodeNotSet, Message: text}
}

func (s *Server) newSMTP() {
	srv := smtp.NewServer(smtp.BackendFunc(func(c *smtp.Conn) (smtp.Session, error) {
		return &session{server: s, helo: c.Hostname(), remote: c.Conn().RemoteAddr().String()}, nil
	}))
	srv.Domain = s.options.Domain
	srv.MaxMessageBytes = s.options.MaxSize
	srv.AllowInsecureAuth = s.options.TLS == TLSNone || s.options.TLS == TLSStart
	srv.EnableSMTPUTF8 = s.options.SMTPUTF8
	srv.ErrorLog = logger{s.options.Log}
	if s.options.TLS == TLSStart || s.options.TLS == TLSRequired {
		srv.TLSConfig = s.cert.server
	}
	s.smtp = srv
}

// session is one connection to the SMTP server.
type session struct {
	server       *Server
	helo, remote string
	user         string // who gave his password; empty: nobody yet
	from         string
	to           []string
}

// AuthMechanisms names the one way to give a password.
func (c *session) AuthMechanisms() []string { return []string{sasl.Plain} }

// Auth takes the password of any user.
func (c *session) Auth(mech string) (sasl.Server, error) {
	if mech != sasl.Plain {
		return nil, smtp.ErrAuthUnknownMechanism
	}
	return sasl.NewPlainServer(func(_, name, password string) error {
		u := c.server.lookup(name)
		if u == nil || subtle.ConstantTimeCompare([]byte(u.password), []byte(password)) != 1 {
			return smtp.ErrAuthFailed
		}
		c.user = u.address
		return nil
	}), nil
}

// Mail begins a mail.
func (c *session) Mail(from string, _ *smtp.MailOptions) error {
	if c.user == "" && !c.server.options.NoAuth {
		return Reply(530, "give a password first")
	}
	if hook := c.server.options.OnMail; hook != nil {
		if err := hook(from); err != nil {
			return refusal(err)
		}
	}
	c.from, c.to = from, nil
	return nil
}

// Rcpt adds a recipient, who must be a user.
func (c *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	if hook := c.server.options.OnRcpt; hook != nil {
		if err := hook(c.from, to); err != nil {
			return refusal(err)
		}
	}
	if c.server.lookup(to) == nil {
		return &smtp.SMTPError{
			Code: 550, EnhancedCode: smtp.EnhancedCode{5, 1, 1},
			Message: "no such user here",
		}
	}
	c.to = append(c.to, to)
	return nil
}

// Data delivers the mail to every recipient.
func (c *session) Data(r io.Reader) error {
	raw, err := io.ReadAll(r)
	if err != nil {
		return err // Its own code if the mail is too large.
	}
	if hook := c.server.options.OnData; hook != nil {
		if err := hook(c.from, c.to, raw); err != nil {
			return refusal(err)
		}
	}
	for _, to := range c.to {
		if _, err := c.server.Deliver(to, c.withTrace(to, raw), time.Now()); err != nil {
			return refusal(err)
		}
	}
	return nil
}

// Reset forgets the mail begun.
func (c *session) Reset() { c.from, c.to = "", nil }

// Logout has nothing to do.
func (c *session) Logout() error { return nil }

// withTrace puts before raw what a final delivery adds (RFC 5321, section 4.4).
func (c *session) withTrace(to string, raw []byte) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "Return-Path: <%s>\r\n", c.from)
	fmt.Fprintf(&b, "Delivered-To: %s\r\n", to)
	fmt.Fprintf(&b, "Received: from %s (%s)\r\n\tby %s with ESMTP\r\n\tfor <%s>; %s\r\n",
		c.helo, c.remote, c.server.options.Domain, to, time.Now().Format(time.RFC1123Z))
	b.Write(raw)
	return b.Bytes()
}

// refusal makes err one that the library answers with a code of its own: it takes a plain
// error for a permanent failure (trap S3).
func refusal(err error) error {
	if answer := (*smtp.SMTPError)(nil); errors.As(err, &answer) {
		return answer
	}
	return Reply(451, err.Error())
}
