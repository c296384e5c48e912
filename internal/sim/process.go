package sim

import (
	"context"
	"fmt"
	"log/slog"
	"runtime"
	"runtime/debug"
	"time"

	"pbem/daemon"
	"pbem/game"
	"pbem/mailer"
	"pbem/store"
)

// process is the process that runs the daemon: it begins, dies and begins
// again, on the same file.
type process struct {
	w      *world
	path   string
	store  *store.Store
	daemon *daemon.Daemon // nil while it is down
	gone   bool           // the disk is gone for a while

	// A process dies at a boundary: wherever the daemon calls what it was
	// given. The countdown is 0 while it is not to die.
	countdown int
	owing     map[*letter]bool   // letters that LMTP will bring again
	cancel    context.CancelFunc // of the call in hand

	downSince    time.Time     // zero while it runs
	outages      []game.Outage // when it did not run, if for long
	blockedUntil time.Time     // no mail gets out before
	drainAt      time.Time     // when the outbox is looked at next
}

// tickEvery is how often the daemon looks for what is due. It is seldomer than
// in practice, for speed, but not so seldom that the daemon would think that
// it had been away.
const tickEvery = 6 * time.Minute

// start begins the process, unless the disk is gone.
func (p *process) start() {
	if p.daemon != nil || p.w.trouble != nil {
		return
	}
	s, err := store.Open(p.path, store.Options{NoSync: true})
	if err != nil {
		p.w.finding("", 0, "the database cannot be opened after a crash: %v", err)
		return
	}
	if !p.downSince.IsZero() && p.w.now.Sub(p.downSince) > 10*time.Minute+tickEvery {
		p.outages = append(p.outages, game.Outage{From: p.downSince, To: p.w.now})
	}
	p.store, p.gone, p.downSince = s, false, time.Time{}
	p.daemon = daemon.New(daemon.Parts{
		Store: s, Env: p.env, Handle: p.handle, Tick: p.onTick, Send: p.send,
		EnvelopeFrom: serviceAddress,
		Parse:        mailer.ParseOptions{Own: []string{serviceAddress}},
		Fetches:      true,
		Clock:        func() time.Time { p.boundary(); return p.w.now },
		Random:       func() float64 { return p.w.forFaults.Float64() },
		Log:          slog.New(boundaryLog{p}),
	})
	p.w.note("", 0, "the process begins")
	p.w.in(p.w.forFaults.between(0, 3*time.Second), p.w.read)
	p.w.in(p.w.forFaults.between(0, 3*time.Second), p.tick)
}

// close lets go of the file for good.
func (p *process) close() {
	p.daemon, p.downSince = nil, p.w.now
	if p.store != nil {
		p.store.Close()
	}
}

// stop ends the process, to begin again after d.
func (p *process) stop(d time.Duration) {
	if p.daemon == nil {
		return
	}
	p.w.note("", 0, "the process is stopped for %v", d)
	p.w.figures.Outages++
	p.close()
	p.w.in(d, p.start)
}

// boundary is a moment at which the process may die.
func (p *process) boundary() {
	if p.countdown == 0 {
		return
	}
	if p.countdown--; p.countdown == 0 {
		p.die()
	}
}

// die ends the process at once: nothing it would still do happens. What it had
// committed stays; an open transaction never was.
func (p *process) die() { runtime.Goexit() }

// arm gives the process a moment to die at, now and then. Not before all that
// an earlier death interrupted is done with: three deaths by chance with one
// message in hand would rightly set it aside.
func (p *process) arm() {
	if len(p.owing) == 0 && p.countdown == 0 && p.w.faults.crash > 0 && p.w.fault(0.2) {
		p.countdown = 1 + int(p.w.forFaults.ExpFloat64()/p.w.faults.crash/5)
	}
}

// call runs f on the daemon; died is true if the process did so meanwhile.
// It is a goroutine only so that it can end in the middle: nothing else runs
// beside it.
func (p *process) call(what string, f func(context.Context, *daemon.Daemon) error) (err error, died bool) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	p.cancel = cancel
	done := make(chan bool)
	go func() {
		finished := false
		defer func() {
			if v := recover(); v != nil {
				finished = true
				p.w.finding("", 0, "%s panics: %v\n%s", what, v, debug.Stack())
			}
			done <- finished
		}()
		err = f(ctx, p.daemon)
		finished = true
	}()
	if <-done {
		if ctx.Err() != nil { // asked to end, and did
			p.w.in(0, func() { p.stop(time.Minute) })
		}
		return err, false
	}
	p.crashed(what)
	return fmt.Errorf("%s: the process died", what), true
}

// crashed cleans up after a process that died.
func (p *process) crashed(what string) {
	p.w.figures.Crashes++
	p.w.note("", 0, "the process dies: %s", what)
	p.countdown = 0
	p.close()
	p.w.flaw.loseCommits(p)
	p.w.in(p.w.forFaults.around(3*time.Minute), p.start)
}

// tick lets the daemon do what is due.
func (p *process) tick() {
	if p.daemon == nil || p.gone {
		return
	}
	err, died := p.call("tick", func(ctx context.Context, d *daemon.Daemon) error { return d.Tick(ctx) })
	if err != nil && !died && p.daemon != nil {
		p.w.note("", 0, "tick: %v", err)
	}
	p.w.flaw.back(p)
	p.drain()
}

// drain sends what is ready, and plans when to look again.
func (p *process) drain() {
	if p.daemon == nil || p.gone {
		return
	}
	err, died := p.call("drain", func(ctx context.Context, d *daemon.Daemon) error { return d.Drain(ctx) })
	if died {
		return
	}
	if err != nil {
		p.w.note("", 0, "drain: %v", err)
	}
	if p.gone {
		return
	}
	var next time.Time
	err = p.store.View(func(tx *store.Tx) (err error) {
		next, err = tx.NextReady()
		return err
	})
	if err != nil {
		p.w.finding("", 0, "outbox: %v", err)
	}
	if next.IsZero() || p.drainAt.After(p.w.now) {
		return
	}
	wait := max(next.Sub(p.w.now), time.Minute)
	p.drainAt = p.w.now.Add(wait)
	p.w.in(wait, p.drain)
}

// block closes the way out for d.
func (p *process) block(d time.Duration) {
	p.w.note("", 0, "no mail gets out for %v", d)
	p.w.figures.Outages++
	p.blockedUntil = p.w.now.Add(d)
}

// loseDisk takes the disk away from the running daemon for a while.
func (p *process) loseDisk() {
	p.w.note("", 0, "the disk goes away")
	p.w.figures.Outages++
	p.gone = true
	p.store.Close()
	lost := p.store
	p.w.in(p.w.forFaults.between(time.Minute, time.Hour), func() {
		if !p.gone || p.store != lost || p.daemon == nil {
			return
		}
		s, err := store.Open(p.path, store.Options{NoSync: true})
		if err != nil {
			p.w.finding("", 0, "the database cannot be opened after the disk came back: %v", err)
			return
		}
		*p.store = *s // The daemon keeps the one it has.
		p.gone = false
		p.w.note("", 0, "the disk is back")
		p.w.in(0, p.w.read)
		p.drain()
	})
}

// boundaryLog is a log whose every line is a boundary: the daemon writes them
// right after its commits.
type boundaryLog struct{ p *process }

func (boundaryLog) Enabled(context.Context, slog.Level) bool { return true }
func (l boundaryLog) Handle(context.Context, slog.Record) error {
	l.p.boundary()
	return nil
}
func (l boundaryLog) WithAttrs([]slog.Attr) slog.Handler { return l }
func (l boundaryLog) WithGroup(string) slog.Handler      { return l }
