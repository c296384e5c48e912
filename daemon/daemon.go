// Package daemon is the loop that joins a mailbox, the service, the store and
// the outbox. Mail comes in through [Daemon.Receive] (from IMAP) or
// [Daemon.Deliver] (from LMTP or a pipe); each message is wholly in one
// transaction, in which the service says what comes of it; what it is answered
// leaves by [Daemon.Drain], after the commit. Messages that come together share
// a transaction while none of them gives trouble.
//
// Nothing is lost: a message is taken (nil error) only when what comes of it
// is on the disk. Nothing happens twice: what the ledger knows is taken and
// does nothing. Nothing stops the rest: a message that fails three times, or
// takes the process with it, is set aside in quarantine.
//
// It knows no config format, opens no connection, and decides nothing about
// games.
package daemon

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"

	"pbem/mailer"
	"pbem/mailer/imapbox"
	"pbem/mailer/smtpout"
	"pbem/service"
	"pbem/store"
)

// The store is the state that the service reads.
var _ service.State = (*store.Tx)(nil)

// The daemon is what a mailbox is read for.
var _ imapbox.Handler = (*Daemon)(nil)

// Parts are what a daemon is made of. Store, Env and Send are needed; the zero
// value of anything else means its default.
type Parts struct {
	Store *store.Store

	// Env is what the service may ask of the world, at the time given.
	Env func(now time.Time) service.Env
	// Handle, Tick and Undelivered are the service; default [service.Handle],
	// [service.Tick] and [service.Undelivered].
	Handle func(mailer.Message, service.State, service.Env) (service.Result, error)
	Tick   func(service.State, service.Env) (service.Result, error)

	Undelivered func(service.Returned, service.State, service.Env) (service.Result, error)

	// Send hands mails to the next server and calls done with what became of
	// each, as [smtpout.Send] does.
	Send func(ctx context.Context, batch []smtpout.Envelope, done func(smtpout.Outcome) error) error
	// EnvelopeFrom is the sender of the envelope of what leaves: where
	// delivery reports come back to.
	EnvelopeFrom string

	// Fetches says that mail is fetched from a mailbox: no flag falls then
	// before the mailbox has been read past it.
	Fetches bool

	Parse mailer.ParseOptions
	// How mail that the server does not take is tried again: the first wait,
	// which doubles, the longest one, and when it is given up; default 1 min,
	// 4 h, 5 days.
	RetryFirst, RetryMax, GiveUp time.Duration

	KeepRaw   time.Duration // how long mails handled are kept as they came; 0: not at all
	TickEvery time.Duration // how often Run looks for what is due; default 1 min
	Clock     func() time.Time
	Random    func() float64 // in [0, 1), to spread waits
	Log       *slog.Logger   // nil: nothing is logged
}

// Daemon joins its parts. Its methods may be called from any goroutine.
type Daemon struct {
	p Parts

	deciding sync.Mutex // held by whoever handles messages or a tick
	begun    bool       // what the last process left in hand has been looked at
	nextSort time.Time  // when the ledger is next relieved of what is old
	nextTell time.Time  // when it is next looked whether the operator is to be told of trouble
	readTo   time.Time  // the mailbox has been read to its end as of then

	bringing sync.Mutex
	brought  []*delivery // messages that wait to be taken in hand

	sending sync.Mutex // held by whoever drains the outbox
	pause   pause
	late    map[uint64]store.Outgoing // sent, but not yet noted as such
	wake    chan struct{}             // there may be something to send
}

// New makes a daemon. It does nothing until one of its methods is called.
func New(p Parts) *Daemon {
	if p.Handle == nil {
		p.Handle = service.Handle
	}
	if p.Tick == nil {
		p.Tick = service.Tick
	}
	if p.Undelivered == nil {
		p.Undelivered = service.Undelivered
	}
	setDefault(&p.RetryFirst, time.Minute)
	setDefault(&p.RetryMax, 4*time.Hour)
	setDefault(&p.GiveUp, 5*24*time.Hour)
	setDefault(&p.TickEvery, time.Minute)
	if p.Clock == nil {
		p.Clock = time.Now
	}
	if p.Random == nil {
		p.Random = rand.Float64
	}
	if p.Log == nil {
		p.Log = slog.New(slog.DiscardHandler)
	}
	return &Daemon{p: p, late: map[uint64]store.Outgoing{}, wake: make(chan struct{}, 1)}
}

func setDefault(d *time.Duration, otherwise time.Duration) {
	if *d <= 0 {
		*d = otherwise
	}
}

// now returns the present time, UTC.
func (d *Daemon) now() time.Time { return d.p.Clock().UTC() }

// wakeUp tells Run that the outbox may have something ready.
func (d *Daemon) wakeUp() {
	select {
	case d.wake <- struct{}{}:
	default:
	}
}
