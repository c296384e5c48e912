package daemon

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"pbem/mailer/imapbox"
	"pbem/store"
)

const (
	maxFailures = 3  // of a message, before it is set aside
	maxTogether = 50 // messages in one transaction
)

// arrival is a message as it came, not looked into.
type arrival struct {
	mailbox          string
	uidValidity, uid uint32
	through          uint32 // UID for the cursor once this message is taken
	arrived          time.Time
	raw              []byte
	size             int64
	tooLarge         bool

	rawHash [32]byte
}

// Cursor returns how far mailbox has been read, for [imapbox.Handler].
func (d *Daemon) Cursor(mailbox string) (c imapbox.Cursor, err error) {
	err = d.p.Store.View(func(tx *store.Tx) error {
		kept, err := tx.Cursor(mailbox)
		c = imapbox.Cursor{UIDValidity: kept.UIDValidity, UID: kept.UID}
		return err
	})
	return c, err
}

// CaughtUp is called when mailbox was read to its end as of t.
func (d *Daemon) CaughtUp(mailbox string, t time.Time) error {
	d.p.Log.Debug("mailbox read to its end", "mailbox", mailbox, "as_of", t)
	d.deciding.Lock()
	defer d.deciding.Unlock()
	d.readTo = t.UTC()
	return nil
}

// Receive handles the messages of a batch in order. Nil: all of them are
// durable, handled now or before, or set aside. An error: at least one is
// not, and the batch should be offered again; those that are will be known
// then. A message that fails does not keep those behind it waiting.
func (d *Daemon) Receive(ctx context.Context, batch []imapbox.Fetched) error {
	arrivals := make([]arrival, len(batch))
	for i, f := range batch {
		arrivals[i] = arrival{
			mailbox: f.Mailbox, uidValidity: f.UIDValidity, uid: f.UID, through: f.Through,
			arrived: f.Arrived, raw: f.Raw, size: f.Size, tooLarge: f.TooLarge,
		}
	}
	d.deciding.Lock()
	defer d.deciding.Unlock()
	return d.receive(ctx, arrivals).err()
}

// delivery is a message that somebody brings and waits for. Whoever decides
// sets taken and err.
type delivery struct {
	arrival
	taken bool
	err   error
}

// Deliver handles one message that came by LMTP or a pipe, with the addresses
// of its envelope; an empty envelopeFrom is the null sender. Without any to,
// no envelope is known, and the header alone counts. An error says that
// whoever brought the message should keep it and bring it again. Messages that
// are brought while others are in hand are then handled together.
func (d *Daemon) Deliver(ctx context.Context, envelopeFrom string, to []string, raw []byte) error {
	raw = append(envelopeFields(envelopeFrom, to), raw...)
	own := &delivery{arrival: arrival{arrived: d.now(), raw: raw, size: int64(len(raw))}}
	d.bringing.Lock()
	d.brought = append(d.brought, own)
	d.bringing.Unlock()

	d.deciding.Lock()
	defer d.deciding.Unlock()
	for !own.taken { // It may have been taken along by whoever decided before.
		d.takeBrought(ctx)
	}
	return own.err
}

// takeBrought handles messages that wait to be taken, the first that came.
func (d *Daemon) takeBrought(ctx context.Context) {
	d.bringing.Lock()
	n := min(len(d.brought), maxTogether)
	brought := slices.Clone(d.brought[:n])
	d.brought = slices.Delete(d.brought, 0, n)
	d.bringing.Unlock()

	arrivals := make([]arrival, n)
	for i, b := range brought {
		arrivals[i] = b.arrival
		b.taken = true
	}
	if n > 1 {
		ctx = context.WithoutCancel(ctx) // That one of them goes away must not cost the others.
	}
	t := d.receive(ctx, arrivals)
	for i, b := range brought {
		b.err = t.of(i)
	}
}

// envelopeFields are what final delivery adds to a message, so that it looks
// the same whichever way it came (RFC 5321, section 4.4; RFC 9228).
func envelopeFields(from string, to []string) []byte {
	if len(to) == 0 {
		return nil
	}
	clean := strings.NewReplacer("\r", "", "\n", "", "\x00", "")
	fields := []byte("Return-Path: <" + clean.Replace(from) + ">\r\n")
	for _, addr := range to {
		fields = append(fields, "Delivered-To: "+clean.Replace(addr)+"\r\n"...)
	}
	return fields
}

// taken is what became of a batch.
type taken struct {
	faults  []error // of each message come to; nil: it is durable
	stopped error   // why those behind them were not come to
}

// of is what became of message i.
func (t taken) of(i int) error {
	if i < len(t.faults) {
		return t.faults[i]
	}
	return t.stopped
}

// err is nil if all messages are durable.
func (t taken) err() error { return errors.Join(append(slices.Clip(t.faults), t.stopped)...) }

// receive handles messages in order; deciding is held.
func (d *Daemon) receive(ctx context.Context, arrivals []arrival) taken {
	if len(arrivals) == 0 {
		return taken{}
	}
	// Before the first message: it must not be charged an outage that only the
	// next tick would note.
	if err := d.beat(); err != nil {
		return taken{stopped: fmt.Errorf("note that the service runs: %w", err)}
	}
	attempts, err := d.begin(arrivals)
	if err != nil {
		return taken{stopped: fmt.Errorf("begin messages: %w", err)}
	}
	t := d.takeAll(ctx, arrivals, attempts)
	d.wakeUp()
	if t.err() == nil {
		return t
	}
	// Those not come to must not look as if they had taken the process down.
	err = d.p.Store.Update(func(tx *store.Tx) error { return tx.LetGo() })
	t.stopped = errors.Join(t.stopped, err)
	return t
}

// begin notes, in one commit, that the messages are taken in hand.
func (d *Daemon) begin(arrivals []arrival) (attempts []store.Attempt, err error) {
	now := d.now()
	hashes := make([][32]byte, len(arrivals))
	for i := range arrivals {
		a := &arrivals[i]
		a.rawHash = sha256.Sum256(a.raw)
		hashes[i] = a.rawHash
		if a.arrived.IsZero() || a.arrived.After(now) {
			a.arrived = now // A date in the future would give a player time he does not have.
		}
		a.arrived = a.arrived.UTC()
	}
	crashed := false
	err = d.p.Store.Update(func(tx *store.Tx) (err error) {
		if !d.begun {
			crashed, err = tx.Crashed("the process ended while the message was being handled", now)
			if err != nil {
				return err
			}
		} else if err := tx.LetGo(); err != nil {
			return err
		}
		attempts, err = tx.BeginTogether(hashes, maxTogether, now)
		return err
	})
	if err != nil {
		return nil, err
	}
	d.begun = true
	if crashed {
		d.p.Log.Warn("the last run ended with a message in hand")
	}
	return attempts, nil
}

// takeAll takes the messages in order: those that share a turn in one
// transaction or, where that fails, one by one. The cursor stops before the
// first one that fails.
func (d *Daemon) takeAll(ctx context.Context, arrivals []arrival, attempts []store.Attempt) (t taken) {
	var (
		failed bool      // one before
		apart  uint64    // the turn whose messages are taken one by one
		bad    = -1      // of those, one that has failed among the others
		fault  *ownFault // of bad
	)
	for i := 0; i < len(arrivals); {
		if t.stopped = ctx.Err(); t.stopped != nil {
			if bad >= i { // Not come to again, but it has failed all the same.
				_, err := d.countFailure(arrivals[bad], fault)
				t.stopped = errors.Join(t.stopped, err)
			}
			return t
		}
		n := 1
		for attempts[i].Turn != apart && i+n < len(arrivals) && attempts[i+n].Turn == attempts[i].Turn {
			n++
		}
		for j := i; failed && j < i+n; j++ {
			arrivals[j].through = 0
		}
		if n > 1 {
			n, k, err := d.handleTogether(ctx, arrivals[i:i+n])
			if err != nil {
				d.p.Log.Debug("messages are handled one by one", "err", err)
				apart, bad = attempts[i].Turn, -1
				if errors.As(err, &fault) {
					bad = i + k
				}
			}
			t.faults = append(t.faults, make([]error, n)...)
			i += n
			continue
		}
		var err error
		if i == bad {
			err = d.blame(arrivals[i], fault)
		} else {
			err = d.take(arrivals[i], attempts[i])
		}
		var own *ownFault
		if err != nil && !errors.As(err, &own) { // The disk; the next message would fare no better.
			t.stopped = err
			return t
		}
		failed = failed || err != nil
		t.faults = append(t.faults, err)
		i++
	}
	return t
}
