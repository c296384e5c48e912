// Package imapbox watches one mailbox of an IMAP server and hands its mail, as bytes, to a
// [Handler] that makes it durable.
//
// The source of truth is what the handler keeps. A mail is offered until Receive has taken it
// without error; only then is it flagged or moved. It may be offered again, after a crash or
// when the server has renumbered the mailbox, so the handler must know what it has seen. No
// mail is skipped: a message the server does not hand over is set aside and asked for again
// while the others go on. Nothing is parsed here, and only mail that was taken is ever
// deleted: from the mailbox, after it was copied to Config.MoveTo.
//
// It speaks IMAP4rev1 and rev2 (RFC 3501, RFC 9051) with IDLE, MOVE and UIDPLUS where the
// server has them. The library beneath it (go-imap v2) waits for ever where a server says
// nothing, and has ways to lose mail in silence; the guards against those are marked "trap"
// with the number they have in our notes.
package imapbox

import (
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"time"

	"github.com/cenkalti/backoff/v5"
)

// Security says how the connection is protected. The zero value is TLS.
type Security string

// The ways to protect a connection.
const (
	SecurityTLS      Security = "tls"      // from the first byte, port 993
	SecurityStartTLS Security = "starttls" // agreed on in plain text, port 143
	SecurityNone     Security = "none"     // only to this machine, unless AllowInsecure
)

// Config says which mailbox is watched, and how. Addr, User and Password are needed; the zero
// value of anything else means its default.
type Config struct {
	Addr          string // host:port
	Security      Security
	TLS           *tls.Config // nil: the system's certificates, name of the host in Addr
	AllowInsecure bool        // SecurityNone to other machines too
	User          string
	Password      string

	Mailbox string // default INBOX
	// MoveTo is the mailbox handled mail is moved to; it is made if it does not exist. Empty,
	// or if the server can neither MOVE nor expunge by UID: handled mail is flagged.
	MoveTo string
	// Flag is set on handled mail: a keyword, or \Seen. Default $PbemDone, or \Seen where the
	// server does not keep keywords.
	Flag string

	Poll    time.Duration // the mailbox is read at least this often; default 1 min
	IdleFor time.Duration // IDLE is left, and the mailbox opened anew, after this; default 5 min
	MaxSize int64         // bytes; of a larger mail only the header is fetched; default 1 MiB
	Timeout time.Duration // for the server to answer a command, or to go on with it; default 30 s

	RetryFirst time.Duration // wait after the first broken connection; it doubles; default 1 s
	RetryMax   time.Duration // the longest wait, and that after a refused password; default 5 min

	Log *slog.Logger // nil: nothing is logged
}

func (c Config) withDefaults() Config {
	setDefault(&c.Security, SecurityTLS)
	setDefault(&c.Mailbox, "INBOX")
	setDefault(&c.Flag, defaultFlag)
	setDefault(&c.Poll, time.Minute)
	setDefault(&c.IdleFor, 5*time.Minute)
	setDefault(&c.MaxSize, 1<<20)
	setDefault(&c.Timeout, 30*time.Second)
	setDefault(&c.RetryFirst, time.Second)
	setDefault(&c.RetryMax, 5*time.Minute)
	setDefault(&c.Log, slog.New(slog.DiscardHandler))
	return c
}

func setDefault[T comparable](v *T, otherwise T) {
	var zero T
	if *v == zero {
		*v = otherwise
	}
}

// Cursor is how far a mailbox has been read: UID is the last one below which all is handled.
// It holds for one UIDVALIDITY only. The zero value is "nothing read yet".
type Cursor struct{ UIDValidity, UID uint32 }

// Fetched is one mail of the mailbox.
type Fetched struct {
	Mailbox          string
	UIDValidity, UID uint32    // UIDValidity 0: the server gives none, UID tells nothing later
	Arrived          time.Time // INTERNALDATE; the time of reading if the server gives none
	Size             int64     // as the server says; Raw may differ
	Raw              []byte    // the whole mail, or its header if TooLarge (at most 64 KiB)
	TooLarge         bool

	// Through is the UID to keep in the cursor once this mail and those before it in its batch
	// are durable: every mail up to it is handled. It stays below UID while an earlier mail
	// cannot be fetched. If it is lower than the cursor, the cursor stays.
	Through uint32
}

// Handler keeps what is read. Its methods are never called at the same time.
type Handler interface {
	// Cursor returns how far mailbox has been read.
	Cursor(mailbox string) (Cursor, error)
	// Receive makes the messages durable, in order; nil error: all are (or were already) and
	// may be flagged or moved. An error leaves them unflagged; they come again.
	Receive(ctx context.Context, batch []Fetched) error
	// CaughtUp is called after the mailbox was read to its end as of t.
	CaughtUp(mailbox string, t time.Time) error
}

// Watch reads the mailbox of c and goes on reading it until ctx ends, then returns its error.
// A connection that breaks is made again, for ever, with growing waits; so is one that the
// server refuses. It returns early only for a Config it cannot work with, as an [*Error].
func Watch(ctx context.Context, c Config, h Handler) error {
	c = c.withDefaults()
	if err := c.check(); err != nil {
		return err
	}
	waits := &backoff.ExponentialBackOff{
		InitialInterval: c.RetryFirst, MaxInterval: c.RetryMax,
		Multiplier: 2, RandomizationFactor: 0.3,
	}
	waits.Reset()
	kept := newProgress()
	for {
		began := time.Now()
		err := watchOnce(ctx, c, h, kept)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if kept.caughtUp && time.Since(began) > 10*c.RetryFirst {
			waits.Reset()
		}
		wait := waits.NextBackOff()
		var problem *Error
		if errors.As(err, &problem) && problem.Problem == WrongPassword {
			wait = max(wait, c.RetryMax) // Some servers lock an account that is tried too often.
			c.Log.Error("mailbox closed to us", "mailbox", c.Mailbox, "err", err, "wait", wait)
		} else {
			c.Log.Warn("mailbox connection ended", "mailbox", c.Mailbox, "err", err, "wait", wait)
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
