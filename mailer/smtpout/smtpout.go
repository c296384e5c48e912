// Package smtpout hands mail, as bytes, to the SMTP server that takes it from us (RFC 5321,
// RFC 6409), and says for each what became of it.
//
// It keeps nothing, queues nothing and never tries a mail twice after the server may have
// taken it: those are the outbox's business. It tells trouble with one mail or recipient from
// trouble with our own settings, for which no mail should pay.
//
// Places that guard against a trap of the library or of servers are marked "trap" with the
// number it has in our notes.
package smtpout

import (
	"context"
	"crypto/tls"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"time"
)

// Security says how the connection is protected. The zero value is TLS.
type Security string

// The ways to protect a connection.
const (
	SecurityTLS      Security = "tls"      // from the first byte, port 465
	SecurityStartTLS Security = "starttls" // agreed on in plain text, port 587
	SecurityNone     Security = "none"     // only to this machine, unless AllowInsecure
)

// Config says which server takes our mail. Addr is needed; the zero value of anything else
// means its default.
type Config struct {
	Addr          string // host:port
	Security      Security
	TLS           *tls.Config // nil: the system's certificates, name of the host in Addr
	AllowInsecure bool        // SecurityNone to other machines too
	User          string      // empty: no AUTH
	Password      string
	Hello         string // our name in EHLO; default this machine's, or localhost

	// Timeout is how long the server may take to answer a command; default 30 s. It may take
	// four times as long to accept a mail, which it may filter first.
	Timeout time.Duration

	Log *slog.Logger // nil: nothing is logged
}

func (c Config) withDefaults() Config {
	if c.Security == "" {
		c.Security = SecurityTLS
	}
	if c.Hello == "" {
		c.Hello = "localhost"
		if name, err := os.Hostname(); err == nil && strings.Contains(name, ".") {
			c.Hello = name
		}
	}
	if c.Timeout == 0 {
		c.Timeout = 30 * time.Second
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	return c
}

// Envelope is a mail to one recipient.
type Envelope struct {
	ID       uint64 // of the caller, returned in [Outcome]
	From, To string // MAIL FROM, RCPT TO; From "" is the null sender
	Data     []byte // the mail, lines ended by CRLF and at most 998 bytes long
}

// Status is what became of a mail. The zero value is none of them.
type Status uint8

// What may become of a mail.
const (
	Accepted  Status = iota + 1 // it is the server's now
	Temporary                   // try it again later; the server may have taken it already
	Permanent                   // this mail to this recipient will never be taken
	Blocked                     // our own fault or the server's: no mail gets through now
)

// String returns the name of s in lower case.
func (s Status) String() string {
	switch s {
	case Accepted:
		return "accepted"
	case Temporary:
		return "temporary failure"
	case Permanent:
		return "permanent failure"
	case Blocked:
		return "blocked"
	default:
		return "none"
	}
}

// Outcome says what became of the mail with that ID.
type Outcome struct {
	ID     uint64
	Status Status
	Code   int    // the server's; 0 if it did not speak
	Text   string // the server's words (of an accepted mail often with its queue id), or ours
}

// Send hands the mails of batch to the server one after the other, on one connection, and
// calls done after each. A connection that breaks is made again; if that one breaks too before
// the server has decided on any mail, Send ends.
//
// The error is nil if every mail has its outcome. It is done's own if done fails, and that of
// ctx if ctx ends: the mail in hand is finished first. Otherwise it is an [*Error], and done
// was told of the mail in hand, as Blocked or Temporary. Mails behind it were not tried.
func Send(ctx context.Context, c Config, batch []Envelope, done func(Outcome) error) error {
	c = c.withDefaults()
	if err := c.check(); err != nil {
		return err
	}
	s := sender{c: c}
	defer func() { s.quit() }()
	for _, e := range batch {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		out, failed := s.send(ctx, e)
		if ctx.Err() != nil && out.Status == 0 {
			return ctx.Err()
		}
		c.Log.Debug("mail offered", "id", e.ID, "status", out.Status.String(), "code", out.Code)
		if err := done(out); err != nil {
			return fmt.Errorf("note what became of mail %d: %w", e.ID, err)
		}
		if failed != nil {
			return failed
		}
	}
	return nil
}

// sender is the connection of one Send.
type sender struct {
	c      Config
	conn   *conn
	broken bool // a connection broke since the server last decided on a mail
}

// send tries one mail, on a second connection if the first breaks before the mail is out. The
// error says that the batch must end; the outcome is none only if ctx has ended.
func (s *sender) send(ctx context.Context, e Envelope) (out Outcome, failed error) {
	out.ID = e.ID
	if text := e.unfit(); text != "" {
		out.Status, out.Text = Permanent, text
		return out, nil
	}
	for {
		if s.conn == nil {
			conn, err := connect(ctx, s.c)
			if ctx.Err() != nil {
				return out, ctx.Err()
			} else if err != nil {
				out.Status, out.Code, out.Text = Blocked, codeOf(err), err.Error()
				return out, err
			}
			s.conn = conn
		}
		v := s.conn.deliver(ctx, e)
		out.Status, out.Code, out.Text = v.status, v.code, v.text
		if !v.lost {
			s.broken = false
			if v.closed {
				s.drop()
			}
			if v.status == Blocked {
				return out, s.c.problem(Refused, nil, "the server takes no mail from us: %s", v.text)
			}
			return out, nil
		}
		s.drop()
		if ctx.Err() != nil {
			return out, nil
		}
		if s.broken { // The second time in a row.
			return out, s.c.problem(Broken, nil, "the connection broke twice: %s", v.text)
		}
		s.broken = true
		if v.sent {
			return out, nil // Trap S2: it may have been taken. Not again now.
		}
	}
}

func (s *sender) drop() {
	s.conn.close()
	s.conn = nil
}

func (s *sender) quit() {
	if s.conn != nil {
		s.conn.quit()
	}
}
