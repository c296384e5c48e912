package imapbox

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
	"github.com/emersion/go-sasl"
)

// session is one connection to the server, logged in, with the mailbox open. One goroutine
// uses it; the library's reader goroutine only signals on news.
type session struct {
	c      Config
	h      Handler
	kept   *progress
	raw    net.Conn // beneath TLS; closing it is the one sure way to end a command
	client *imapclient.Client
	caps   imap.CapSet
	late   atomic.Bool   // the watchdog has closed raw
	tls    atomic.Uint32 // version in use, 0 if none
	news   chan struct{} // holds one; filled when the server tells of new mail

	validity uint32
	opened   time.Time // when the mailbox was last selected
	settle   settling
	leftover bool // mail below the cursor may still lack its flag
	noIdle   bool // the server refused IDLE
	bySeq    bool // the server puts literals before UIDs: fetch by sequence number
}

// watchOnce runs one session until it breaks or ctx ends. A panic ends the session, not the
// program (trap B15: the library panics on some answers).
func watchOnce(ctx context.Context, c Config, h Handler, kept *progress) (err error) {
	kept.caughtUp = false
	s := &session{c: c, h: h, kept: kept, news: make(chan struct{}, 1)}
	defer s.close()
	defer func() {
		if v := recover(); v != nil {
			c.Log.Error("panic in a mailbox session", "mailbox", c.Mailbox, "panic", v, "stack", string(debug.Stack()))
			err = c.problem(Broken, fmt.Errorf("panic: %v", v), "the session was given up")
		}
	}()
	if err := s.connect(ctx); err != nil {
		return err
	}
	if err := s.open(ctx); err != nil {
		return err
	}
	c.Log.Info("mailbox open", "mailbox", c.Mailbox, "uidvalidity", s.validity, "settle", s.settle.String())
	return s.follow(ctx)
}

// connect dials, protects the connection and logs in.
func (s *session) connect(ctx context.Context) error {
	host, _, _ := net.SplitHostPort(s.c.Addr)
	dialer := net.Dialer{Timeout: s.c.Timeout}
	raw, err := dialer.DialContext(ctx, "tcp", s.c.Addr)
	if err != nil {
		return errors.Join(ctx.Err(), s.c.problem(Unreachable, err, "cannot connect"))
	}
	s.raw = raw
	config := s.c.TLS.Clone()
	if config == nil {
		config = &tls.Config{}
	}
	setDefault(&config.ServerName, host)
	verify := config.VerifyConnection
	config.VerifyConnection = func(state tls.ConnectionState) error {
		s.tls.Store(uint32(state.Version)) // The library does not tell it after STARTTLS.
		if verify != nil {
			return verify(state)
		}
		return nil
	}
	if err := s.greet(ctx, config); err != nil {
		return err
	}
	return s.login(ctx)
}

// greet makes the client and waits for the server's first words.
func (s *session) greet(ctx context.Context, config *tls.Config) error {
	options := &imapclient.Options{
		TLSConfig: config,
		// Trap B8: a command given inside the callback waits for ever. It only signals.
		UnilateralDataHandler: &imapclient.UnilateralDataHandler{
			Mailbox: func(d *imapclient.UnilateralDataMailbox) {
				if d.NumMessages != nil {
					s.signal()
				}
			},
		},
	}
	switch s.c.Security {
	case SecurityTLS:
		conn := tls.Client(s.raw, config)
		err := s.do(ctx, "the TLS handshake", func(func()) error { return conn.HandshakeContext(ctx) })
		if err != nil {
			return s.unlessOurs(ctx, err, s.c.tlsProblem)
		}
		s.client = imapclient.New(conn, options)
	case SecurityStartTLS:
		err := s.do(ctx, "STARTTLS", func(func()) (err error) {
			s.client, err = imapclient.NewStartTLS(s.raw, options)
			return err
		})
		if isRefusal(err) {
			return s.c.problem(BadTLS, err, `the server refuses STARTTLS; is security = "tls" (port 993) meant?`)
		} else if err != nil {
			return s.unlessOurs(ctx, err, s.c.tlsProblem)
		}
	default:
		s.client = imapclient.New(s.raw, options)
	}
	err := s.do(ctx, "greeting", func(func()) error { return s.client.WaitGreeting() })
	if bye := (*imap.Error)(nil); errors.As(err, &bye) {
		return s.c.problem(TurnedAway, err, "the server turned us away")
	}
	return err
}

// unlessOurs words err by wording, unless it is an end of ctx or a time-out, which have their
// words.
func (s *session) unlessOurs(ctx context.Context, err error, wording func(error) *Error) error {
	if ctx.Err() != nil || s.late.Load() {
		return err
	}
	if broken := (*Error)(nil); errors.As(err, &broken) && broken.Err != nil { // What do made of it.
		err = broken.Err
	}
	return wording(err)
}

func (s *session) login(ctx context.Context) error {
	if s.client.State() == imap.ConnStateAuthenticated { // PREAUTH
		return s.readCaps(ctx)
	}
	if err := s.readCaps(ctx); err != nil {
		return err
	}
	disabled, plain := s.caps.Has(imap.CapLoginDisabled), s.caps.Has(imap.AuthCap(sasl.Plain))
	if disabled && !plain {
		return s.c.problem(Misconfigured, nil, "the server takes no password on this connection; use security \"starttls\" or \"tls\"")
	}
	err := s.do(ctx, "LOGIN", func(func()) error {
		if disabled {
			return s.client.Authenticate(sasl.NewPlainClient("", s.c.User, s.c.Password))
		}
		return s.client.Login(s.c.User, s.c.Password).Wait()
	})
	if err != nil {
		return s.c.loginProblem(err)
	}
	return s.readCaps(ctx) // They may be others after the login.
}

func (s *session) readCaps(ctx context.Context) error {
	return s.do(ctx, "CAPABILITY", func(func()) error {
		if s.caps = s.client.Caps(); s.caps == nil {
			return errors.New("no capabilities given")
		}
		return nil
	})
}

// open selects the mailbox, anew if it is open already, and finds where to begin.
func (s *session) open(ctx context.Context) error {
	data, err := s.selectMailbox(ctx)
	if err != nil {
		return err
	}
	s.opened = time.Now()
	s.settle = s.settleFor(data)
	cursor, err := s.h.Cursor(s.c.Mailbox)
	if err != nil {
		return fmt.Errorf("read the cursor of %s: %w", s.c.Mailbox, err)
	}
	if s.kept.begin(cursor, data.UIDValidity) {
		s.c.Log.Info("mailbox is read from its start", "mailbox", s.c.Mailbox,
			"uidvalidity", data.UIDValidity, "was", cursor.UIDValidity)
	}
	s.leftover = s.leftover || s.validity != data.UIDValidity
	s.validity = data.UIDValidity
	return nil
}

func (s *session) selectMailbox(ctx context.Context) (data *imap.SelectData, err error) {
	err = s.do(ctx, "SELECT", func(func()) (err error) {
		data, err = s.client.Select(s.c.Mailbox, nil).Wait()
		return err
	})
	if isRefusal(err) {
		return nil, s.c.problem(NoMailbox, err, "mailbox %q cannot be opened", s.c.Mailbox)
	}
	return data, err
}

// do runs one command under a watchdog (trap B5: the library waits for ever for the first
// byte of an answer). When the server is silent for Timeout, or ctx ends, the raw connection
// is closed, which ends every command on it. A command that moves much data calls alive with
// each piece and so gets more time, up to ten times as much.
func (s *session) do(ctx context.Context, what string, command func(alive func()) error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	stop := context.AfterFunc(ctx, func() { s.raw.Close() })
	defer stop()
	began := time.Now()
	timer := time.AfterFunc(s.c.Timeout, func() {
		s.late.Store(true)
		s.raw.Close()
	})
	defer timer.Stop()
	err := command(func() {
		if time.Since(began) < 10*s.c.Timeout {
			timer.Reset(s.c.Timeout)
		}
	})
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case s.late.Load():
		return s.c.problem(Silent, nil, "no answer to %s within %v", what, s.c.Timeout)
	case isRefusal(err):
		return err
	}
	return s.c.problem(Broken, err, "the connection broke in %s", strings.TrimPrefix(what, "the "))
}

func (s *session) signal() {
	select {
	case s.news <- struct{}{}:
	default:
	}
}

// close ends the connection without a word. It closes the raw connection first: the client's
// own Close waits for its reader, which may be waiting for us to read a literal (trap B6).
func (s *session) close() {
	if s.raw == nil {
		return
	}
	s.raw.Close()
	if s.client == nil {
		return
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.client.Close()
	}()
	select {
	case <-done:
	case <-time.After(5 * time.Second): // Never seen; better a lost goroutine than a lost daemon.
		s.c.Log.Warn("mailbox connection does not close", "mailbox", s.c.Mailbox)
	}
}
