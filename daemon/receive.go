package daemon

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"time"

	"pbem/mailer/imapbox"
	"pbem/store"
)

// maxFailures is how often a message may fail before it is set aside.
const maxFailures = 3

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
	return d.receive(ctx, arrivals)
}

// Deliver handles one message that came by LMTP or a pipe, with the addresses
// of its envelope; an empty envelopeFrom is the null sender. Without any to,
// no envelope is known, and the header alone counts. An error says that
// whoever brought the message should keep it and bring it again.
func (d *Daemon) Deliver(ctx context.Context, envelopeFrom string, to []string, raw []byte) error {
	raw = append(envelopeFields(envelopeFrom, to), raw...)
	return d.receive(ctx, []arrival{{arrived: d.now(), raw: raw, size: int64(len(raw))}})
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

func (d *Daemon) receive(ctx context.Context, arrivals []arrival) error {
	if len(arrivals) == 0 {
		return nil
	}
	d.deciding.Lock()
	defer d.deciding.Unlock()
	// Before the first message: it must not be charged an outage that only the
	// next tick would note.
	if err := d.beat(); err != nil {
		return fmt.Errorf("note that the service runs: %w", err)
	}
	attempts, err := d.begin(arrivals)
	if err != nil {
		return fmt.Errorf("begin messages: %w", err)
	}
	failed := d.takeAll(ctx, arrivals, attempts)
	d.wakeUp()
	if failed == nil {
		return nil
	}
	// Those not come to must not look as if they had taken the process down.
	err = d.p.Store.Update(func(tx *store.Tx) error { return tx.LetGo() })
	return errors.Join(failed, err)
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
		attempts, err = tx.Begin(hashes, now)
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

// takeAll takes the messages one by one. The cursor stops before the first
// one that fails.
func (d *Daemon) takeAll(ctx context.Context, arrivals []arrival, attempts []store.Attempt) error {
	var failures []error
	for i, a := range arrivals {
		if err := ctx.Err(); err != nil {
			return errors.Join(append(failures, err)...)
		}
		if len(failures) > 0 {
			a.through = 0
		}
		err := d.take(a, attempts[i])
		var own *ownFault
		switch {
		case err == nil:
		case errors.As(err, &own):
			failures = append(failures, err)
		default: // The disk; the next message would fare no better.
			return errors.Join(append(failures, err)...)
		}
	}
	return errors.Join(failures...)
}
