package daemon

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"time"

	"pbem/mailer"
	"pbem/service"
	"pbem/store"
)

// ownFault is a failure that lies in the message: parsing or handling it
// fails or panics. It is counted. Anything else that goes wrong is the disk's
// fault, and costs the message nothing.
type ownFault struct {
	err      error
	hopeless bool // it will fail each time
}

func (e *ownFault) Error() string { return e.err.Error() }
func (e *ownFault) Unwrap() error { return e.err }

// panicked is a panic as an error.
type panicked struct {
	value any
	stack []byte // where it happened, cut
}

func (e *panicked) Error() string { return fmt.Sprintf("panic: %v", e.value) }

// safely runs f and makes a panic its error.
func safely(f func() error) (err error) {
	const maxStack = 4 << 10
	defer func() {
		if p := recover(); p != nil {
			stack := debug.Stack()
			err = &panicked{value: p, stack: stack[:min(len(stack), maxStack)]}
		}
	}()
	return f()
}

// cause is all that is known of why a message failed, for the quarantine.
func cause(err error) string {
	var p *panicked
	if errors.As(err, &p) {
		return err.Error() + "\n" + string(p.stack)
	}
	return err.Error()
}

// take brings one message into the database, whichever way: handled, known
// already, or set aside. An [ownFault] says that it is to be tried again.
func (d *Daemon) take(a arrival, before store.Attempt) error {
	if before.Failures >= maxFailures {
		return d.setAside(a, before)
	}
	err := d.handle(a)
	var own *ownFault
	if !errors.As(err, &own) {
		return err
	}
	return d.blame(a, own)
}

// blame counts a failure of a message, and sets it aside if it was the last
// one it may have.
func (d *Daemon) blame(a arrival, own *ownFault) error {
	after, err := d.countFailure(a, own)
	if err != nil {
		return err
	}
	if after.Failures >= maxFailures || own.hopeless {
		return d.setAside(a, after)
	}
	d.p.Log.Warn("message failed", "mailbox", a.mailbox, "uid", a.uid, "attempt", after.Failures, "err", own)
	return own
}

// countFailure notes a failure of a message, and returns what is known of it
// then.
func (d *Daemon) countFailure(a arrival, own *ownFault) (store.Attempt, error) {
	now := d.now()
	after := store.Attempt{Why: cause(own)}
	err := d.p.Store.Update(func(tx *store.Tx) (err error) {
		after.Failures, err = tx.FailAttempt(a.rawHash, after.Why, now)
		return err
	})
	if err != nil {
		return after, fmt.Errorf("note that a message failed: %w", err)
	}
	return after, nil
}

// course is the way of one message through its transaction.
type course struct {
	arrival arrival
	message mailer.Message
	seen    store.SeenBy
	result  service.Result
}

// handle is the way of a message: parsed, then one transaction.
func (d *Daemon) handle(a arrival) error {
	c, err := d.course(a)
	if err != nil {
		return err
	}
	var fault error // of the message, as against the commit
	err = d.p.Store.Update(func(tx *store.Tx) error {
		fault = d.decide(tx, c)
		return fault
	})
	if fault != nil {
		return &ownFault{err: fmt.Errorf("handle message: %w", fault)}
	}
	if err != nil {
		return fmt.Errorf("commit message: %w", err)
	}
	d.report(c)
	return nil
}

// handleTogether handles messages in one transaction, and returns how many of
// them are durable: all, or those that were decided before ctx ended. None are
// if one of them fails, which is number bad then, or if the commit does, and
// err is nil only if some are. Each is to be handled by itself then: what one
// does wrong must not cost the others.
func (d *Daemon) handleTogether(ctx context.Context, arrivals []arrival) (n, bad int, err error) {
	courses := make([]*course, len(arrivals))
	for i, a := range arrivals {
		if courses[i], err = d.course(a); err != nil {
			return 0, i, err
		}
	}
	var fault error
	err = d.p.Store.Update(func(tx *store.Tx) error {
		for n < len(courses) && (n == 0 || ctx.Err() == nil) {
			if fault = d.decide(tx, courses[n]); fault != nil {
				return fault
			}
			n++
		}
		return nil
	})
	if fault != nil {
		return 0, n, &ownFault{err: fmt.Errorf("handle message: %w", fault)}
	}
	if err != nil {
		return 0, 0, fmt.Errorf("commit messages: %w", err)
	}
	for _, c := range courses[:n] {
		d.report(c)
	}
	return n, 0, nil
}

// course parses a message.
func (d *Daemon) course(a arrival) (*course, error) {
	c := &course{arrival: a}
	if err := safely(func() (err error) { c.message, err = d.parse(a); return err }); err != nil {
		var p *panicked
		return nil, &ownFault{err: fmt.Errorf("parse message: %w", err), hopeless: !errors.As(err, &p)}
	}
	return c, nil
}

// decide does all that a message does in its transaction. An error is the
// message's fault, and nothing of the transaction may stay.
func (d *Daemon) decide(tx *store.Tx, c *course) error {
	a, m, now := c.arrival, c.message, d.now()
	key := a.key(m.From.Addr, m.MessageID)
	return safely(func() (err error) {
		if c.seen, err = tx.Seen(key); err != nil {
			return err
		}
		if !c.seen.Seen() {
			if c.result, err = d.p.Handle(m, tx, d.env(now)); err != nil {
				return err
			}
			if err := d.keep(tx, c.result, now); err != nil {
				return err
			}
			if err := d.keepRaw(tx, a); err != nil {
				return err
			}
			if sender := cmp.Or(c.result.Sender, m.From.Addr); sender != "" {
				if err := tx.Received(sender, now); err != nil {
					return err
				}
			}
		}
		return d.close(tx, a, key, now)
	})
}

// parse reads the bytes of a message.
func (d *Daemon) parse(a arrival) (mailer.Message, error) {
	m, err := mailer.Parse(a.raw, d.p.Parse)
	if err != nil {
		return mailer.Message{}, err
	}
	m.Received = a.arrived
	m.Size = a.size
	m.Truncated = m.Truncated || a.tooLarge
	return m, nil
}

// close ends the way of a message in the transaction that decides it.
func (d *Daemon) close(tx *store.Tx, a arrival, key store.MessageKey, now time.Time) error {
	if err := tx.MarkSeen(key, now); err != nil {
		return err
	}
	if err := tx.Settle(a.rawHash); err != nil {
		return err
	}
	if a.through == 0 {
		return nil
	}
	return tx.MoveCursor(a.mailbox, store.Cursor{UIDValidity: a.uidValidity, UID: a.through})
}

// report logs what became of a message.
func (d *Daemon) report(c *course) {
	a, m, seen, r := c.arrival, c.message, c.seen, c.result
	if seen.Seen() {
		d.p.Log.Info("message known already", "mailbox", a.mailbox, "uid", a.uid, "msgid", m.MessageID, "by", seen.String())
		return
	}
	if seen == store.SameID {
		d.p.Log.Warn("message-id used again for other content", "msgid", m.MessageID, "uid", a.uid)
	}
	d.notes(r)
	d.p.Log.Info("message handled", "mailbox", a.mailbox, "uid", a.uid, "msgid", m.MessageID, "mails", len(r.Mails))
}

// setAside puts a message in quarantine. The rest of the mailbox goes on.
func (d *Daemon) setAside(a arrival, after store.Attempt) error {
	now := d.now()
	why, _, _ := strings.Cut(after.Why, "\n")
	var id uint64
	err := d.p.Store.Update(func(tx *store.Tx) (err error) {
		id, err = tx.SetAside(store.SetAside{
			Mailbox: a.mailbox, UIDValidity: a.uidValidity, UID: a.uid,
			Arrived: a.arrived, At: now, Attempts: after.Failures, Cause: after.Why,
		}, a.raw)
		if err != nil {
			return err
		}
		return d.close(tx, a, a.key("", ""), now)
	})
	if err != nil {
		return fmt.Errorf("set message aside: %w", err)
	}
	d.p.Log.Warn("message set aside", "quarantine", id, "mailbox", a.mailbox, "uid", a.uid, "attempts", after.Failures, "err", why)
	return nil
}

// key is what the ledger knows the message by.
func (a arrival) key(sender, messageID string) store.MessageKey {
	return store.MessageKey{
		Mailbox: a.mailbox, UIDValidity: a.uidValidity, UID: a.uid,
		Hash:   a.contentHash(),
		Sender: sender, MessageID: messageID,
		Arrived: a.arrived,
	}
}

// contentHash is the hash of the content without trace fields, or of all the
// bytes if that cannot be had.
func (a arrival) contentHash() (hash [32]byte) {
	err := safely(func() error { hash = mailer.Hash(a.raw); return nil })
	if err != nil {
		return sha256.Sum256(a.raw)
	}
	return hash
}
