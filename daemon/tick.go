package daemon

import (
	"context"
	"errors"
	"fmt"
	"time"

	"pbem/game"
	"pbem/service"
	"pbem/store"
)

const (
	keepSeen   = 90 * 24 * time.Hour // how long the ledger knows a message
	sortEvery  = time.Hour           // how often what is older is removed
	sortAtOnce = 1000                // lines in one transaction
	maxRounds  = 1000                // of one tick, should the service leave things due
	maxAlone   = 1000                // due records tried one by one after a round that failed
	beatEvery  = 2 * time.Minute     // how often it is noted that the service runs
	outage     = 10 * time.Minute    // a silence so long is one
)

// Tick lets the service do what is due, round by round, until nothing more
// is. A record at which it fails is logged and left; it does not keep the
// others waiting.
func (d *Daemon) Tick(ctx context.Context) error {
	d.deciding.Lock()
	defer d.deciding.Unlock()
	defer d.wakeUp()
	if err := d.beat(); err != nil {
		return err
	}
	for range maxRounds {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		due, err := d.due(1)
		if err != nil || len(due) == 0 { // A tick with nothing to do does not touch the disk.
			return errors.Join(err, d.upkeep())
		}
		progress, err := d.tickRound(nil)
		if err != nil {
			return errors.Join(d.tickAlone(ctx), d.upkeep())
		}
		if !progress {
			return d.upkeep()
		}
	}
	return fmt.Errorf("still something due after %d rounds", maxRounds)
}

// beat notes that the service runs, and how long it did not if it was away:
// nobody's time runs meanwhile.
func (d *Daemon) beat() error {
	now := d.now()
	var alive time.Time
	err := d.p.Store.View(func(tx *store.Tx) (err error) {
		alive, err = tx.Alive()
		return err
	})
	silence := now.Sub(alive)
	if err != nil || silence >= 0 && silence < beatEvery {
		return err
	}
	return d.p.Store.Update(func(tx *store.Tx) error {
		if !alive.IsZero() && silence >= outage {
			d.p.Log.Info("the service was away", "from", alive, "to", now)
			if err := tx.AddOutage(game.Outage{From: alive, To: now}); err != nil {
				return err
			}
		}
		return tx.SetAlive(now)
	})
}

// env is what the service may ask of the world at now.
func (d *Daemon) env(now time.Time) service.Env {
	env := d.p.Env(now)
	env.ReadTo = now
	if d.p.Fetches {
		env.ReadTo = d.readTo
	}
	return env
}

func (d *Daemon) due(limit int) (due []game.Due, err error) {
	err = d.p.Store.View(func(tx *store.Tx) error {
		due, err = tx.Due(d.now(), limit)
		return err
	})
	return due, err
}

// alone is a state in which one record only is due.
type alone struct {
	*store.Tx
	due game.Due
}

func (s alone) Due(time.Time, int) ([]game.Due, error) { return []game.Due{s.due}, nil }

// tickRound asks the service once, in one transaction; about one record if
// only is not nil.
func (d *Daemon) tickRound(only *game.Due) (progress bool, err error) {
	now := d.now()
	var r service.Result
	err = d.p.Store.Update(func(tx *store.Tx) error {
		var st service.State = tx
		if only != nil {
			st = alone{tx, *only}
		}
		return safely(func() (err error) {
			if r, err = d.p.Tick(st, d.env(now)); err != nil {
				return err
			}
			return d.keep(tx, r, now)
		})
	})
	if err != nil {
		return false, err
	}
	d.notes(r)
	changed := len(r.Players) + len(r.Games) + len(r.Challenges) + len(r.Held) + len(r.DropChallenges) + len(r.DropHeld)
	return changed > 0, nil
}

// tickAlone does what is due one by one, each in a transaction of its own, so
// that one bad record costs only itself.
func (d *Daemon) tickAlone(ctx context.Context) error {
	due, err := d.due(maxAlone)
	if err != nil {
		return err
	}
	var failures []error
	for _, one := range due {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if _, err := d.tickRound(&one); err != nil {
			d.p.Log.Warn("due record failed", "game", uint64(one.Game), "challenge", uint64(one.Challenge), "held", uint64(one.Held), "err", err)
			failures = append(failures, err)
		}
	}
	if len(failures) == 0 {
		return nil
	}
	return fmt.Errorf("%d due records failed, the first: %w", len(failures), failures[0])
}

// upkeep is what a tick does beside what is due.
func (d *Daemon) upkeep() error { return errors.Join(d.sortOut(), d.tellOperator()) }

// sortOut relieves the ledger of what is old, now and then.
func (d *Daemon) sortOut() error {
	now := d.now()
	if now.Before(d.nextSort) {
		return nil
	}
	d.nextSort = now.Add(sortEvery)
	return d.p.Store.Update(func(tx *store.Tx) error {
		n, err := tx.Forget(now.Add(-keepSeen), sortAtOnce)
		if err != nil {
			return err
		}
		raws, err := tx.ForgetRaw(now.Add(-d.p.KeepRaw), sortAtOnce)
		if n == sortAtOnce || raws == sortAtOnce {
			d.nextSort = now // There is more: at the next tick.
		}
		return err
	})
}
