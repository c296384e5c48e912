package smtpout

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"os"
	"sync/atomic"
	"time"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
)

// farewell is how long the mail in hand may still take after ctx has ended.
const farewell = 5 * time.Second

// conn is a connection to the server, greeted and logged in.
type conn struct {
	c      Config
	raw    net.Conn // beneath TLS
	client *smtp.Client

	// What the server told in its greeting. The library would ask again after each RSET, and
	// take a connection broken by then for a server that offers nothing.
	utf8  bool
	limit int // bytes a mail may have; 0: not told
}

// connect dials, protects the connection, greets and logs in. The error is an [*Error] unless
// ctx has ended.
func connect(ctx context.Context, c Config) (*conn, error) {
	dialer := net.Dialer{Timeout: c.Timeout}
	raw, err := dialer.DialContext(ctx, "tcp", c.Addr)
	if err != nil {
		return nil, c.problem(Unreachable, err, "cannot connect")
	}
	n := &conn{c: c, raw: raw}
	if err := n.watched(ctx, 2*c.Timeout, 0, n.start); err != nil {
		n.close()
		return nil, c.startProblem(err)
	}
	return n, nil
}

// watched runs f. The library waits 5 minutes for an answer to STARTTLS and for ever while it
// sends a body, so this closes the raw connection, which ends all that waits on it, after
// limit, or when ctx has ended and grace is over.
func (n *conn) watched(ctx context.Context, limit, grace time.Duration, f func() error) error {
	var late atomic.Bool
	stop := context.AfterFunc(ctx, func() {
		if grace == 0 {
			n.raw.Close()
			return
		}
		time.AfterFunc(grace, func() { n.raw.Close() })
	})
	defer stop()
	timer := time.AfterFunc(limit, func() {
		late.Store(true)
		n.raw.Close()
	})
	defer timer.Stop()
	err := f()
	if err != nil && late.Load() {
		return os.ErrDeadlineExceeded
	}
	return err
}

// start brings the connection to where mail can be sent.
func (n *conn) start() error {
	host, _, _ := net.SplitHostPort(n.c.Addr)
	config := n.c.TLS.Clone()
	if config == nil {
		config = &tls.Config{}
	}
	if config.ServerName == "" {
		config.ServerName = host
	}
	switch n.c.Security {
	case SecurityTLS:
		protected := tls.Client(n.raw, config)
		if err := protected.Handshake(); err != nil {
			return err
		}
		n.client = smtp.NewClient(protected)
	case SecurityStartTLS:
		client, err := smtp.NewClientStartTLS(n.raw, config)
		if err != nil {
			return err
		}
		n.client = client
	default:
		n.client = smtp.NewClient(n.raw)
	}
	n.client.CommandTimeout = n.c.Timeout // Its own are 5 and 12 minutes.
	n.client.SubmissionTimeout = 4 * n.c.Timeout
	if err := n.client.Hello(n.c.Hello); err != nil {
		return err
	}
	if err := n.login(); err != nil {
		return err
	}
	n.utf8, _ = n.client.Extension("SMTPUTF8")
	n.limit, _ = n.client.MaxMessageSize()
	return nil
}

// login gives user and password by PLAIN, or by LOGIN if the server has only that.
func (n *conn) login() error {
	if n.c.User == "" {
		return nil
	}
	if ok, _ := n.client.Extension("AUTH"); !ok {
		if n.c.Security == SecurityNone {
			return n.c.problem(Misconfigured, nil, `the server takes no password on this connection; use security "starttls" or "tls", or set no user`)
		}
		return n.c.problem(Misconfigured, nil, "the server takes no password; set no user, or another port")
	}
	var mechanism sasl.Client
	switch {
	case n.client.SupportsAuth(sasl.Plain):
		mechanism = sasl.NewPlainClient("", n.c.User, n.c.Password)
	case n.client.SupportsAuth(sasl.Login):
		mechanism = &login{answers: []string{n.c.User, n.c.Password}}
	default:
		_, offered := n.client.Extension("AUTH")
		return n.c.problem(Misconfigured, nil, "the server takes no plain password, only %s", offered)
	}
	err := n.client.Auth(mechanism)
	answer := (*smtp.SMTPError)(nil)
	switch {
	case err == nil:
		return nil
	case !errors.As(err, &answer):
		return err
	case answer.Temporary():
		return n.c.problem(TurnedAway, err, "the server cannot log in user %q now", n.c.User)
	default:
		return n.c.problem(WrongPassword, err, "the server refused user %q: wrong user name or password?", n.c.User)
	}
}

// login is the LOGIN mechanism: it answers two questions, whatever their words.
type login struct{ answers []string }

func (l *login) Start() (mech string, ir []byte, err error) { return sasl.Login, nil, nil }

func (l *login) Next([]byte) ([]byte, error) {
	if len(l.answers) == 0 {
		return nil, errors.New("the server asks for more than user and password")
	}
	answer := l.answers[0]
	l.answers = l.answers[1:]
	return []byte(answer), nil
}

// quit says good-bye, briefly, and closes the connection.
func (n *conn) quit() {
	n.client.CommandTimeout = min(n.c.Timeout, 2*time.Second)
	n.client.Quit()
	n.close()
}

func (n *conn) close() { n.raw.Close() }
