// Package lmtp takes mail, as bytes, from a mail server on the same machine or network (RFC
// 2033).
//
// The mail server keeps a mail and tries it again until we answer 250, which happens only
// after the mail was made durable. A failure of ours is therefore never more than a delay:
// the answer is 4xx, never 5xx. There is no TLS and no password: whoever reaches the socket
// is believed, so it belongs on loopback or on a unix socket with narrow permissions.
package lmtp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"github.com/emersion/go-smtp"
)

// Config says how mail is taken. The zero value of anything means its default.
type Config struct {
	Hello   string        // our name in the greeting; default "localhost"
	MaxSize int64         // bytes; a larger mail is refused with 552; default 1 MiB
	MaxRcpt int           // recipients of one mail; default 100
	MaxConn int           // connections at a time, others wait; default 50
	Timeout time.Duration // for the client to say something; default 5 min
	Log     *slog.Logger  // nil: nothing is logged
}

func (c Config) withDefaults() Config {
	setDefault(&c.Hello, "localhost")
	setDefault(&c.MaxSize, 1<<20)
	setDefault(&c.MaxRcpt, 100)
	setDefault(&c.MaxConn, 50)
	setDefault(&c.Timeout, 5*time.Minute)
	setDefault(&c.Log, slog.New(slog.DiscardHandler))
	return c
}

func setDefault[T comparable](v *T, otherwise T) {
	var zero T
	if *v == zero {
		*v = otherwise
	}
}

// DeliverFunc makes a mail durable. It is called at the same time for different connections.
type DeliverFunc = func(ctx context.Context, from string, to []string, raw []byte) error

// Listen listens on addr: host:port, or unix:/path. A socket that a dead process has left
// behind is replaced; the new one may be used by its owner and group.
func Listen(addr string) (net.Listener, error) {
	path, isUnix := strings.CutPrefix(addr, "unix:")
	if !isUnix {
		return net.Listen("tcp", addr)
	}
	ln, err := net.Listen("unix", path)
	if errors.Is(err, syscall.EADDRINUSE) && isStale(path) {
		os.Remove(path)
		ln, err = net.Listen("unix", path)
	}
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(path, 0o660); err != nil {
		ln.Close()
		return nil, err
	}
	return ln, nil
}

// isStale reports whether path is a socket on which nobody listens.
func isStale(path string) bool {
	info, err := os.Stat(path)
	if err != nil || info.Mode().Type() != fs.ModeSocket {
		return false
	}
	conn, err := net.DialTimeout("unix", path, time.Second)
	if err != nil {
		return errors.Is(err, syscall.ECONNREFUSED)
	}
	conn.Close()
	return false
}

// finish is how long the mails in hand may take when Serve is told to end.
const finish = 30 * time.Second

// Serve takes mail on ln and calls deliver for each, until ctx ends; then it closes ln, ends
// connections as soon as they have no mail in hand, and returns the error of ctx. The context
// of deliver does not end with ctx, so that the mail in hand is finished. Any other error is
// that of ln.
func Serve(ctx context.Context, ln net.Listener, c Config, deliver DeliverFunc) error {
	c = c.withDefaults()
	open := &connections{slots: make(chan struct{}, c.MaxConn), all: make(map[*conn]struct{})}
	srv := smtp.NewServer(smtp.BackendFunc(func(sc *smtp.Conn) (smtp.Session, error) {
		return &session{
			ctx: context.WithoutCancel(ctx), c: c, deliver: deliver,
			conn: sc.Conn().(*conn),
		}, nil
	}))
	srv.LMTP = true
	srv.Domain = c.Hello
	srv.MaxMessageBytes = c.MaxSize
	srv.MaxRecipients = c.MaxRcpt
	srv.ReadTimeout, srv.WriteTimeout = c.Timeout, c.Timeout
	srv.EnableSMTPUTF8 = true // We carry bytes.
	srv.ErrorLog = logger{c.Log}

	stopped := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(stopped)
		ln.Close() // The library does not know of it before it serves.
		open.finish()
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), finish)
		defer cancel()
		if srv.Shutdown(last) != nil {
			c.Log.Warn("lmtp connections cut; their mail comes again")
			open.cut()
		}
	})
	err := srv.Serve(listener{ln, open})
	if !stop() {
		<-stopped
		return ctx.Err()
	}
	open.cut()
	return fmt.Errorf("take mail by lmtp: %w", err)
}

// session is one connection.
type session struct {
	ctx     context.Context // of deliver; a session lives as long as its connection
	c       Config
	deliver DeliverFunc
	conn    *conn
	from    string
	to      []string
}

// Mail begins a mail.
func (s *session) Mail(from string, _ *smtp.MailOptions) error {
	s.conn.begin()
	s.from, s.to = from, nil
	return nil
}

// Rcpt adds a recipient. Which addresses are ours, the mail server knows.
func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.to = append(s.to, to)
	return nil
}

// Data reads the mail and returns nil once it is durable. The one answer holds for all
// recipients.
func (s *session) Data(r io.Reader) (err error) {
	defer func() {
		if v := recover(); v != nil {
			s.c.Log.Error("panic in taking a mail", "panic", v, "stack", string(debug.Stack()))
			err = later("internal error")
		}
	}()
	raw, err := io.ReadAll(r)
	if errors.Is(err, smtp.ErrDataTooLarge) {
		s.c.Log.Warn("mail refused: too large", "limit", s.c.MaxSize)
		return smtp.ErrDataTooLarge
	} else if err != nil {
		return later("the mail did not come whole")
	}
	if err := s.deliver(s.ctx, s.from, s.to, raw); err != nil {
		s.c.Log.Error("mail not taken; it comes again", "size", len(raw), "err", err)
		return later("cannot keep the mail now") // What went wrong is not for strangers.
	}
	s.c.Log.Info("mail taken", "size", len(raw))
	return nil
}

// later is a temporary failure: a plain error would become a permanent one (trap S3).
func later(text string) error {
	return &smtp.SMTPError{Code: 451, EnhancedCode: smtp.EnhancedCode{4, 3, 0}, Message: text}
}

// Reset forgets the mail begun. The library calls it after the answer to a mail, too.
func (s *session) Reset() {
	s.from, s.to = "", nil
	s.conn.end()
}

// Logout has nothing to do.
func (s *session) Logout() error { return nil }

// logger hands on what the library logs.
type logger struct{ log *slog.Logger }

func (l logger) Printf(format string, args ...any) {
	l.log.Debug("lmtp", "text", fmt.Sprintf(format, args...))
}

func (l logger) Println(args ...any) { l.log.Debug("lmtp", "text", fmt.Sprint(args...)) }
