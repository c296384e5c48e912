package daemon

import (
	"context"
	"sync"
	"time"

	"pbem/store"
)

// Run looks for what is due and drains the outbox until ctx ends; the message
// and the mail in hand are finished. Mail comes in beside it, through Receive
// and Deliver.
func (d *Daemon) Run(ctx context.Context) error {
	var both sync.WaitGroup
	both.Go(func() { d.runTicks(ctx) })
	both.Go(func() { d.runDrain(ctx) })
	both.Wait()
	return ctx.Err()
}

func (d *Daemon) runTicks(ctx context.Context) {
	for {
		if err := d.Tick(ctx); err != nil && ctx.Err() == nil {
			d.p.Log.Error("tick", "err", err)
		}
		select {
		case <-time.After(d.p.TickEvery):
		case <-ctx.Done():
			return
		}
	}
}

func (d *Daemon) runDrain(ctx context.Context) {
	for {
		if err := d.Drain(ctx); err != nil && ctx.Err() == nil {
			d.p.Log.Debug("outbox", "err", err)
		}
		select {
		case <-time.After(d.untilReady()):
		case <-d.wake:
		case <-ctx.Done():
			return
		}
	}
}

// untilReady returns how long the outbox has nothing to do.
func (d *Daemon) untilReady() time.Duration {
	const longest = time.Hour
	var next time.Time
	err := d.p.Store.View(func(tx *store.Tx) (err error) {
		next, err = tx.NextReady()
		return err
	})
	if err != nil {
		return time.Minute
	}
	d.sending.Lock()
	defer d.sending.Unlock()
	if next.IsZero() {
		return longest
	}
	if next.Before(d.pause.until) {
		next = d.pause.until
	}
	return min(max(next.Sub(d.now()), time.Second), longest)
}
