package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"pbem/daemon"
	"pbem/mailer/imapbox"
	"pbem/mailer/smtpout"
	"pbem/store"
)

// way is one way of mail into the daemon, and what it took so far.
type way struct {
	name    string
	commits int // that one mail costs
	mails   int
	took    time.Duration
	each    []time.Duration
	bytes   int64 // written
	bare    time.Duration
}

const fetchedAtOnce = 50 // mails in a batch from IMAP

// throughput takes replies in, in rounds of one at each table, by both ways in
// turn. The bare database and the disk are measured between the rounds, so
// that a disk that is slow for a while is slow for all.
func throughput(ctx context.Context, w io.Writer, path, dir string, a amounts) error {
	st, err := store.Open(path, store.Options{})
	if err != nil {
		return err
	}
	defer st.Close()
	b, err := openBare(dir)
	if err != nil {
		return err
	}
	defer b.db.Close()
	c, err := newClub(st, a.tables)
	if err != nil {
		return err
	}
	r := &rounds{ctx: ctx, club: c, bare: b, dir: dir}
	r.daemon = newDaemon(st, r.take)
	for _, raw := range c.invite() {
		if err := r.daemon.Deliver(ctx, addressOf(1), nil, raw); err != nil {
			return err
		}
	}
	if err := errors.Join(r.daemon.Drain(ctx), r.failed); err != nil {
		return err
	}
	pipe := &way{name: "one by one (LMTP, pipe)", commits: 2}
	batch := &way{name: fmt.Sprintf("%d at once (IMAP)", fetchedAtOnce), commits: 1}
	for i := range a.warmup + a.rounds {
		if i == a.warmup {
			*pipe, *batch = way{name: pipe.name, commits: 2}, way{name: batch.name, commits: 1}
			r.drained, r.sent, r.syncs = 0, 0, nil
		}
		if err := errors.Join(r.round(pipe, r.pipe), r.round(batch, r.batch)); err != nil {
			return err
		}
	}
	r.print(w, a, pipe, batch)
	return nil
}

// rounds is what is measured on, and what was found beside the two ways.
type rounds struct {
	ctx    context.Context
	club   *club
	daemon *daemon.Daemon
	bare   *bare
	dir    string
	uid    uint32
	size   int64 // of the mails taken in
	failed error // the first mail sent that could not be read

	sent    int
	drained time.Duration
	syncs   []time.Duration
}

// take is a next server that takes everything at once.
func (r *rounds) take(_ context.Context, batch []smtpout.Envelope, done func(smtpout.Outcome) error) error {
	for _, e := range batch {
		if err := r.club.learn(e.To, e.Data); err != nil && r.failed == nil {
			r.failed = err
		}
		r.sent++
		if err := done(smtpout.Outcome{ID: e.ID, Status: smtpout.Accepted, Code: 250}); err != nil {
			return err
		}
	}
	return nil
}

// round takes a reply of each table in, sends what comes of it, and lets the
// bare database make as many commits of the same size.
func (r *rounds) round(w *way, in func(*way, [][]byte) error) error {
	var mails [][]byte
	for _, t := range r.club.tables {
		raw, err := r.club.reply(t)
		if err != nil {
			return err
		}
		r.size = int64(len(raw))
		mails = append(mails, raw)
	}
	before, began := written(), time.Now()
	if err := in(w, mails); err != nil {
		return err
	}
	w.took += time.Since(began)
	w.bytes += written() - before
	w.mails += len(mails)

	began = time.Now()
	if err := errors.Join(r.daemon.Drain(r.ctx), r.failed); err != nil {
		return err
	}
	r.drained += time.Since(began)

	size, err := r.bare.valueFor(w.bytes / int64(w.mails*w.commits))
	if err != nil {
		return err
	}
	began = time.Now()
	for range len(mails) * w.commits {
		if err := r.bare.commit(size); err != nil {
			return err
		}
	}
	w.bare += time.Since(began)
	times, err := syncs(r.dir, len(mails))
	r.syncs = append(r.syncs, times...)
	return err
}

// pipe hands each mail over by itself, as LMTP and pbem deliver do: a commit
// that it is in hand, and one of what comes of it.
func (r *rounds) pipe(w *way, mails [][]byte) error {
	for _, raw := range mails {
		began := time.Now()
		if err := r.daemon.Deliver(r.ctx, addressOf(1), nil, raw); err != nil {
			return err
		}
		w.each = append(w.each, time.Since(began))
	}
	return nil
}

// batch hands mails over as a mailbox is read: one commit that all of a batch
// are in hand, and one for each mail.
func (r *rounds) batch(_ *way, mails [][]byte) error {
	for from := 0; from < len(mails); from += fetchedAtOnce {
		var batch []imapbox.Fetched
		for _, raw := range mails[from:min(from+fetchedAtOnce, len(mails))] {
			r.uid++
			batch = append(batch, imapbox.Fetched{Mailbox: "Bench", UIDValidity: 1, UID: r.uid, Through: r.uid,
				Arrived: time.Now(), Size: int64(len(raw)), Raw: raw})
		}
		if err := r.daemon.Receive(r.ctx, batch); err != nil {
			return err
		}
	}
	return nil
}

func (r *rounds) print(out io.Writer, a amounts, ways ...*way) {
	fmt.Fprintf(out, "\nMails taken in, fsync on: parsed, handled, committed with the two mails that come of each\n"+
		"  %d mails by each way after %d to warm up, about %.1f KiB each, at %d tables\n",
		ways[0].mails, a.warmup*a.tables, float64(r.size)/1024, a.tables)
	for _, w := range ways {
		n := float64(w.mails)
		fmt.Fprintf(out, "  %-24s %6.0f mails/s; %d commits a mail of %.0f KiB\n", w.name, n/w.took.Seconds(),
			w.commits, float64(w.bytes)/n/float64(w.commits)/1024)
		fmt.Fprintf(out, "    %-22s %6.0f mails' worth/s of the same commits; pbem has %.2f of that\n", "bare bbolt",
			n/w.bare.Seconds(), w.bare.Seconds()/w.took.Seconds())
		if len(w.each) > 0 {
			fmt.Fprintf(out, "    a mail: %s\n", spread(w.each))
		}
	}
	fmt.Fprintf(out, "  outbox to a server that takes all at once: %.0f mails/s of %d, a commit each\n",
		float64(r.sent)/r.drained.Seconds(), r.sent)
	var sum time.Duration
	for _, d := range r.syncs {
		sum += d
	}
	fmt.Fprintf(out, "  raw disk, 4 KiB written over and fsync: %.0f/s; %s (a commit needs two)\n",
		float64(len(r.syncs))/sum.Seconds(), spread(r.syncs))
}
