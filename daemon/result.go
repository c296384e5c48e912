package daemon

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"pbem/mailer"
	"pbem/service"
	"pbem/store"
)

// keep writes what the service has decided: records, and mails to the outbox.
func (d *Daemon) keep(tx *store.Tx, r service.Result, now time.Time) error {
	if err := saveRecords(tx, r); err != nil {
		return err
	}
	for _, m := range r.Mails {
		if err := d.queue(tx, m, now); err != nil {
			return err
		}
	}
	for _, x := range r.Excesses {
		if err := tx.OverLimit(x.Address, x.Limit, now); err != nil {
			return err
		}
	}
	return nil
}

func saveRecords(tx *store.Tx, r service.Result) error {
	// What goes first makes room in the indexes for what comes.
	if err := each(r.DropChallenges, tx.DropChallenge); err != nil {
		return err
	}
	if err := each(r.DropHeld, tx.DropHeld); err != nil {
		return err
	}
	if err := each(r.Players, tx.SavePlayer); err != nil {
		return err
	}
	if err := each(r.Games, tx.SaveGame); err != nil {
		return err
	}
	if err := each(r.Challenges, tx.SaveChallenge); err != nil {
		return err
	}
	return each(r.Held, tx.SaveHeld)
}

func each[T any](list []T, f func(T) error) error {
	for _, v := range list {
		if err := f(v); err != nil {
			return err
		}
	}
	return nil
}

// queue composes a mail and puts it in the outbox. A mail to an address that
// no server would take is left out: it must not undo what the message did.
func (d *Daemon) queue(tx *store.Tx, m service.Mail, now time.Time) error {
	to := m.Draft.To.Addr
	if to == "" {
		return fmt.Errorf("mail about game %s to player %d: no address", m.Game, m.Player)
	}
	data, err := mailer.Compose(m.Draft)
	if errors.Is(err, mailer.ErrAddress) {
		d.p.Log.Warn("mail not written: the address cannot be sent to", "player", uint64(m.Player), "game", uint64(m.Game), "msgid", m.Draft.MessageID)
		return nil
	}
	if err != nil {
		return err
	}
	_, err = tx.Queue(store.Outgoing{
		From: d.p.EnvelopeFrom, To: to, MessageID: m.Draft.MessageID, Data: data,
		Player: m.Player, Game: m.Game, Ply: m.Ply, Queued: now,
	})
	if err != nil || m.Answer == "" {
		return err
	}
	return tx.Answer(to, m.Answer, now)
}

// notes writes the service's lines to the log.
func (d *Daemon) notes(r service.Result) {
	for _, n := range r.Notes {
		level := slog.LevelInfo
		if n.Warn {
			level = slog.LevelWarn
		}
		d.p.Log.Log(context.Background(), level, n.Text, n.Attrs...)
	}
}
