package daemon

import (
	"fmt"
	"time"

	"pbem/service"
	"pbem/store"
)

const (
	tellEvery = 24 * time.Hour   // the operator is not told more often
	lookEvery = 10 * time.Minute // how often it is looked for trouble
)

// tellOperator writes to the operator, if there is one, when messages were set
// aside or mails given up since the last time, once a day at most.
func (d *Daemon) tellOperator() error {
	now := d.now()
	env := d.p.Env(now)
	if env.Settings.Operator == "" || now.Before(d.nextTell) {
		return nil
	}
	d.nextTell = now.Add(lookEvery)
	var t service.Trouble
	err := d.p.Store.View(func(tx *store.Tx) (err error) {
		t, err = trouble(tx, now)
		return err
	})
	switch {
	case err != nil:
		return fmt.Errorf("look for trouble: %w", err)
	case now.Sub(t.Since) < tellEvery:
		d.nextTell = t.Since.Add(tellEvery)
		return nil
	case t.SetAside+t.GivenUp == 0:
		return nil
	}
	m, err := service.TellOperator(t, env)
	if err != nil {
		return fmt.Errorf("write to the operator: %w", err)
	}
	err = d.p.Store.Update(func(tx *store.Tx) error {
		if err := d.queue(tx, m, now); err != nil {
			return err
		}
		return tx.SetOperatorTold(now)
	})
	if err != nil {
		return fmt.Errorf("write to the operator: %w", err)
	}
	d.p.Log.Info("operator told of trouble", "set_aside", t.SetAside, "given_up", t.GivenUp, "over_limits", t.Excesses)
	return nil
}

// trouble counts what there is since the operator was last told.
func trouble(tx *store.Tx, now time.Time) (t service.Trouble, err error) {
	if t.Since, err = tx.OperatorTold(); err != nil {
		return t, err
	}
	aside, err := tx.Quarantine()
	if err != nil {
		return t, err
	}
	for _, m := range aside {
		if m.At.After(t.Since) {
			t.SetAside++
		}
	}
	failed, err := tx.Failed()
	if err != nil {
		return t, err
	}
	for _, m := range failed {
		if m.Failed.After(t.Since) && !service.ToOperator(m.MessageID) {
			t.GivenUp++
		}
	}
	excesses, err := tx.Excesses(now.Add(-tellEvery))
	for _, x := range excesses {
		t.Excesses += x.Count
	}
	return t, err
}
