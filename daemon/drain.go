package daemon

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"pbem/mailer/smtpout"
	"pbem/service"
	"pbem/store"
)

// How the outbox is drained.
const (
	maxBatch = 100       // mails on one connection
	pauseMax = time.Hour // the longest wait while no mail gets through
	spread   = 0.2       // waits differ by up to this share, so that mails do not march in step
	maxWhy   = 500       // bytes kept of what a server said
)

// pause is the rest the whole outbox takes while no mail gets through.
type pause struct {
	until time.Time
	times int // in a row
}

// wait returns how long to wait after so many failures in a row.
func (d *Daemon) wait(failures int, longest time.Duration) time.Duration {
	w := min(float64(d.p.RetryFirst)*math.Pow(2, float64(max(failures, 1)-1)), float64(longest))
	return time.Duration(w * (1 - spread + 2*spread*d.p.Random()))
}

// Drain sends what is ready, in batches, until nothing is. It returns early
// when ctx ends, after the mail in hand, and while no mail gets through; the
// error says why the last batch ended. What is not sent stays in the outbox.
func (d *Daemon) Drain(ctx context.Context) error {
	d.sending.Lock()
	defer d.sending.Unlock()
	for ctx.Err() == nil && !d.now().Before(d.pause.until) {
		sent, err := d.drainBatch(ctx)
		if err != nil || sent == 0 {
			return err
		}
	}
	return ctx.Err()
}

// Flush is Drain, whatever pause the outbox is in and whenever its mails were
// to be tried next.
func (d *Daemon) Flush(ctx context.Context) error {
	d.sending.Lock()
	d.pause = pause{}
	now := d.now()
	err := d.p.Store.Update(func(tx *store.Tx) error { return tx.Hasten(now) })
	d.sending.Unlock()
	if err != nil {
		return err
	}
	return d.Drain(ctx)
}

// drainBatch sends one batch and returns how many mails met a decision.
func (d *Daemon) drainBatch(ctx context.Context) (decided int, err error) {
	var ready []store.Outgoing
	if err := d.noteLate(); err != nil {
		d.rest(err)
		return 0, err
	}
	err = d.p.Store.View(func(tx *store.Tx) (err error) {
		ready, err = tx.Ready(d.now(), maxBatch)
		return err
	})
	if err != nil || len(ready) == 0 {
		return 0, err
	}
	batch := make([]smtpout.Envelope, len(ready))
	byID := make(map[uint64]store.Outgoing, len(ready))
	for i, m := range ready {
		batch[i] = smtpout.Envelope{ID: m.ID, From: m.From, To: m.To, Data: m.Data}
		m.Data = nil
		byID[m.ID] = m
	}
	blocked := false
	err = d.p.Send(ctx, batch, func(o smtpout.Outcome) error {
		m, ok := byID[o.ID]
		if !ok {
			return fmt.Errorf("outcome of mail %d, which was not sent", o.ID)
		}
		if o.Status == smtpout.Blocked {
			blocked = true
			return nil
		}
		decided++
		if o.Status != smtpout.Temporary {
			d.pause = pause{}
		}
		err := d.settle(m, o)
		if err != nil && o.Status == smtpout.Accepted {
			d.late[m.ID] = m
		}
		return err
	})
	if ctx.Err() != nil {
		return decided, ctx.Err()
	}
	if blocked || err != nil {
		d.rest(err)
	}
	return decided, err
}

// noteLate notes mails that the server has taken and that the disk would not
// let us note then; before that they must not go out again.
func (d *Daemon) noteLate() error {
	for id, m := range d.late {
		if err := d.settle(m, smtpout.Outcome{ID: id, Status: smtpout.Accepted}); err != nil {
			return fmt.Errorf("note that mail %d is sent: %w", id, err)
		}
		delete(d.late, id)
	}
	return nil
}

// rest pauses the whole outbox.
func (d *Daemon) rest(err error) {
	d.pause.times++
	wait := d.wait(d.pause.times, pauseMax)
	d.pause.until = d.now().Add(wait)
	if err == nil {
		err = errors.New("the server takes no mail")
	}
	d.p.Log.Warn("no mail gets through", "err", err, "wait", wait.Round(time.Second))
}

// settle notes what became of a mail, in a commit of its own: what a server
// has taken must not be sent again because a later mail failed. What comes of a
// mail given up for its reader's games is in the same commit.
func (d *Daemon) settle(m store.Outgoing, o smtpout.Outcome) error {
	now := d.now()
	why := describe(o)
	verdict := o.Status
	if verdict == smtpout.Temporary && now.Sub(m.Queued) >= d.p.GiveUp {
		verdict, why = smtpout.Permanent, "given up after "+d.p.GiveUp.String()+": "+why
	}
	var result service.Result
	err := d.p.Store.Update(func(tx *store.Tx) (err error) {
		switch verdict {
		case smtpout.Accepted:
			return tx.Sent(m.ID)
		case smtpout.Permanent:
			if err := tx.Fail(m.ID, why, now); err != nil {
				return err
			}
			result, err = d.undelivered(tx, m, o.Code, now)
			return err
		default:
			return tx.Retry(m.ID, now.Add(d.wait(m.Attempts+1, d.p.RetryMax)), why)
		}
	})
	if err != nil {
		return err
	}
	d.notes(result)
	attrs := []any{"msgid", m.MessageID, "player", m.Player, "game", uint64(m.Game), "attempt", m.Attempts + 1}
	switch verdict {
	case smtpout.Accepted:
		d.p.Log.Info("mail sent", attrs...)
	case smtpout.Permanent:
		d.p.Log.Warn("mail given up", append(attrs, "err", why)...)
	default:
		d.p.Log.Info("mail not taken yet", append(attrs, "err", why)...)
	}
	return nil
}

// undelivered lets the service do what comes of a mail given up. Where it
// fails, the mail is given up all the same: it must not be sent again for that.
func (d *Daemon) undelivered(tx *store.Tx, m store.Outgoing, code int, now time.Time) (r service.Result, err error) {
	back := service.Returned{Address: m.To, MessageID: m.MessageID, Status: strconv.Itoa(code)}
	err = safely(func() (err error) {
		r, err = d.p.Undelivered(back, tx, d.p.Env(now))
		return err
	})
	if err != nil {
		d.p.Log.Error("the service does not know of a mail given up", "msgid", m.MessageID, "player", m.Player, "err", err)
		return service.Result{}, nil
	}
	return r, d.keep(tx, r, now)
}

// describe is what a server said, on one line and not too long.
func describe(o smtpout.Outcome) string {
	text := strings.Join(strings.Fields(o.Text), " ")
	if len(text) > maxWhy {
		text = text[:maxWhy]
		for !utf8.ValidString(text) {
			text = text[:len(text)-1]
		}
	}
	if o.Code == 0 || strings.HasPrefix(text, fmt.Sprint(o.Code)) {
		return text
	}
	return fmt.Sprintf("%d %s", o.Code, text)
}
