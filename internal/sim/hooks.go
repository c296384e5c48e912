package sim

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"pbem/game"
	"pbem/mailer"
	"pbem/mailer/smtpout"
	"pbem/service"
	"pbem/store"
)

// entry is one thing the service did and that was committed: it handled a
// letter, or what was due. Between the return of a tick and its commit the
// simulation lets nothing go wrong, so that what returned is what is kept; a
// letter may share its transaction with one that comes to grief.
type entry struct {
	letter  *letter // nil: a tick
	now     time.Time
	arrived time.Time // of the copy that was handled
	outages []game.Outage

	// Of a tick: what it ended, changed and told.
	expired []int // challenges
	unheld  []int // held messages
	games   []game.Game
	mails   []told
}

// told is a mail that a tick wrote.
type told struct {
	to, about string
	reminder  bool
}

// errUnreadable is a state that cannot be read just now.
var errUnreadable = errors.New("the state cannot be read (simulated)")

// maxTries is how often a copy of a message may fail before it is set aside.
const maxTries = 3

// env is what the service may ask of the world.
func (p *process) env(now time.Time) service.Env {
	return service.Env{Now: now, NewID: p.w.newID, Settings: settings()}
}

// handle is the service, with what may go wrong around it.
func (p *process) handle(m mailer.Message, st service.State, env service.Env) (service.Result, error) {
	l := p.w.letterOf(m)
	if l == nil {
		p.w.finding("", 0, "a message was handled that nobody wrote: %q", m.MessageID)
		return service.Result{}, nil
	}
	p.boundary()
	if p.w.fault(p.w.faults.cancel) {
		p.cancel()
	}
	if l.poison != 0 {
		if l.tries++; l.tries > maxTries*l.copies {
			p.w.finding(l.from.name, 0, "letter %d (%s) has failed %d times and is not set aside", l.serial, l.what, l.tries)
		}
	}
	switch {
	case l.poison == panics:
		p.w.figures.Failures++
		panic("poison (simulated)")
	case l.poison == kills:
		p.die()
	case !l.failed && p.w.fault(p.w.faults.fails):
		l.failed = true
		p.w.figures.Failures++
		if p.w.forFaults.is(0.5) {
			panic("a panic (simulated)")
		}
		return service.Result{}, errUnreadable
	}
	r, err := p.w.flaw.handle(p.w, l, m, st, env)
	if err != nil {
		p.w.finding(l.from.name, 0, "letter %d cannot be handled: %v", l.serial, err)
		return r, err
	}
	p.boundary()
	e := entry{letter: l, now: env.Now, arrived: p.w.handedAt(l, m.Received), outages: p.known(st)}
	st.(*store.Tx).OnCommit(func() {
		p.w.history = append(p.w.history, e)
		p.w.figures.Handled++
		p.w.note(l.from.name, 0, "letter %d is handled, %d mails", l.serial, len(r.Mails))
		for _, g := range r.Games {
			p.w.note("", int(g.ID), "has %d plies after letter %d", g.Ply(), l.serial)
		}
	})
	return r, nil
}

// onTick is the service's tick, with what may go wrong around it.
func (p *process) onTick(st service.State, env service.Env) (service.Result, error) {
	p.boundary()
	if p.w.fault(p.w.faults.tick) {
		return service.Result{}, errUnreadable
	}
	r, err := p.w.flaw.tick(p.w, st, env)
	if err != nil {
		p.w.finding("", 0, "a tick fails: %v", err)
		return r, err
	}
	p.boundary()
	e := entry{now: env.Now, outages: p.known(st), games: r.Games}
	for _, id := range r.DropChallenges {
		e.expired = append(e.expired, int(id))
	}
	for _, id := range r.DropHeld {
		e.unheld = append(e.unheld, int(id))
	}
	for _, m := range r.Mails {
		e.mails = append(e.mails, told{m.Draft.To.Addr, aboutOf(m.Draft.MessageID), isReminder(m.Draft.Subject)})
	}
	p.w.history = append(p.w.history, e)
	for _, g := range r.Games {
		p.w.note("", int(g.ID), "is changed by a tick, flag fell %v, ended %v", g.Fallen, g.End)
	}
	return r, nil
}

// known are the outages that the service knows of.
func (p *process) known(st service.State) []game.Outage {
	outages, err := st.Outages()
	if err != nil {
		p.w.finding("", 0, "outages cannot be read: %v", err)
	}
	return outages
}

// letterOf returns the letter that m is a copy of.
func (w *world) letterOf(m mailer.Message) *letter {
	for _, id := range m.References {
		if n, ok := strings.CutPrefix(id, serialPrefix); ok {
			n, _, _ = strings.Cut(n, "@")
			if serial, err := strconv.Atoi(n); err == nil && serial > 0 && serial <= len(w.letters) {
				return w.letters[serial-1]
			}
		}
	}
	return nil
}

// send is the server that takes the service's mail.
func (p *process) send(ctx context.Context, batch []smtpout.Envelope, done func(smtpout.Outcome) error) error {
	for _, e := range batch {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		p.boundary()
		if p.w.fault(p.w.faults.cancel) {
			p.cancel()
		}
		o := p.w.flaw.outcome(p.w.offer(e))
		p.boundary()
		if o.Status == smtpout.Accepted && p.w.fault(p.w.faults.disk) {
			p.loseDisk()
		}
		if err := done(o); err != nil {
			return err
		}
		if o.Status == smtpout.Blocked {
			return errors.New("the server takes nothing (simulated)")
		}
	}
	return nil
}
