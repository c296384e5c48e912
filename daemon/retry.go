package daemon

import (
	"context"
	"errors"
	"fmt"

	"pbem/game"
	"pbem/mailer"
	"pbem/service"
	"pbem/store"
)

// Retry handles a message of the quarantine as if it had not been seen yet,
// with the time it arrived at. If that succeeds, it is no longer set aside, in
// the same transaction; if not, it stays as it was, and the error says why.
// The error is [game.ErrNotFound] if there is no such message.
func (d *Daemon) Retry(_ context.Context, id uint64) error {
	d.deciding.Lock()
	defer d.deciding.Unlock()
	a, err := d.setAsideArrival(id)
	if err != nil {
		return err
	}
	var m mailer.Message
	if err := safely(func() (err error) { m, err = d.parse(a); return err }); err != nil {
		return fmt.Errorf("parse message: %w", err)
	}
	now := d.now()
	var result service.Result
	err = d.p.Store.Update(func(tx *store.Tx) error {
		return safely(func() (err error) {
			if result, err = d.p.Handle(m, tx, d.p.Env(now)); err != nil {
				return err
			}
			if err := d.keep(tx, result, now); err != nil {
				return err
			}
			if err := d.keepRaw(tx, a); err != nil {
				return err
			}
			if err := tx.MarkSeen(a.key(m.From.Addr, m.MessageID), now); err != nil {
				return err
			}
			return tx.DropSetAside(id)
		})
	})
	if err != nil {
		return fmt.Errorf("handle message: %w", err)
	}
	d.report(&course{arrival: a, message: m, result: result})
	d.wakeUp()
	return nil
}

// setAsideArrival returns a message of the quarantine as it came.
func (d *Daemon) setAsideArrival(id uint64) (a arrival, err error) {
	err = d.p.Store.View(func(tx *store.Tx) error {
		m, err := tx.SetAsideMessage(id)
		if err != nil {
			return err
		}
		raw, err := tx.SetAsideRaw(id)
		if errors.Is(err, game.ErrNotFound) {
			return fmt.Errorf("quarantine %d has lost its bytes", id)
		}
		a = arrival{
			mailbox: m.Mailbox, uidValidity: m.UIDValidity, uid: m.UID,
			arrived: m.Arrived, raw: raw, size: m.Size,
		}
		return err
	})
	return a, err
}

// keepRaw keeps a message as it came, if that is wished.
func (d *Daemon) keepRaw(tx *store.Tx, a arrival) error {
	if d.p.KeepRaw <= 0 {
		return nil
	}
	return tx.KeepRaw(a.arrived, a.raw)
}
