package daemon

import (
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
	now := d.now()
	after := store.Attempt{Why: cause(own)}
	err = d.p.Store.Update(func(tx *store.Tx) (err error) {
		after.Failures, err = tx.FailAttempt(a.rawHash, after.Why, now)
		return err
	})
	if err != nil {
		return fmt.Errorf("note that a message failed: %w", err)
	}
	if after.Failures >= maxFailures || own.hopeless {
		return d.setAside(a, after)
	}
	d.p.Log.Warn("message failed", "mailbox", a.mailbox, "uid", a.uid, "attempt", after.Failures, "err", own)
	return own
}

// handle is the way of a message: parsed, then one transaction.
func (d *Daemon) handle(a arrival) error {
	var m mailer.Message
	if err := safely(func() (err error) { m, err = d.parse(a); return err }); err != nil {
		var p *panicked
		return &ownFault{err: fmt.Errorf("parse message: %w", err), hopeless: !errors.As(err, &p)}
	}
	key := a.key(m.From.Addr, m.MessageID)
	now := d.now()
	var (
		seen   store.SeenBy
		result service.Result
		fault  error // of f, as against the commit
	)
	err := d.p.Store.Update(func(tx *store.Tx) error {
		fault = safely(func() (err error) {
			if seen, err = tx.Seen(key); err != nil {
				return err
			}
			if !seen.Seen() {
				if result, err = d.p.Handle(m, tx, d.env(now)); err != nil {
					return err
				}
				if err := d.keep(tx, result, now); err != nil {
					return err
				}
				if err := d.keepRaw(tx, a); err != nil {
					return err
				}
				if m.From.Addr != "" {
					if err := tx.Received(m.From.Addr, now); err != nil {
						return err
					}
				}
			}
			return d.close(tx, a, key, now)
		})
		return fault
	})
	if fault != nil {
		return &ownFault{err: fmt.Errorf("handle message: %w", fault)}
	}
	if err != nil {
		return fmt.Errorf("commit message: %w", err)
	}
	d.report(a, m, seen, result)
	return nil
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
func (d *Daemon) report(a arrival, m mailer.Message, seen store.SeenBy, r service.Result) {
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
