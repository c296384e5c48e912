package sim

import (
	"context"
	"time"

	"pbem/daemon"
	"pbem/mailer/imapbox"
)

// mailbox is the service's mailbox on an IMAP server, and what reads it: a
// stand-in for package imapbox, which keeps its promises and uses every
// freedom they leave.
type mailbox struct {
	validity uint32 // UIDVALIDITY; 0: the server gives none
	last     uint32 // UID given last
	mails    []*boxed

	planned   bool                // a reading is planned
	shutUntil time.Time           // the server lets nobody in before
	handed    map[int][]time.Time // arrivals of the copies that the daemon holds just now, by letter
}

// boxed is a mail in the mailbox.
type boxed struct {
	letter  *letter
	uid     uint32
	arrived time.Time
	raw     []byte
	flagged bool // as handled
}

// put puts a copy of l into the mailbox, and has it read soon.
func (w *world) put(l *letter) {
	m := &w.mailbox
	m.last++
	arrived := w.now
	if w.fault(w.faults.ahead) {
		arrived = arrived.Add(w.forFaults.between(0, time.Hour))
	}
	m.mails = append(m.mails, &boxed{letter: l, uid: m.last, arrived: arrived, raw: w.trace(l, "imap")})
	w.figures.Copies++
	l.copies++
	w.note(l.from.name, 0, "letter %d is in the mailbox: %s", l.serial, l.what)
	w.readIn(w.forNetwork.around(5 * time.Second))
}

// readIn plans a reading of the mailbox, if none is planned.
func (w *world) readIn(d time.Duration) {
	if w.mailbox.planned {
		return
	}
	w.mailbox.planned = true
	w.in(d, w.read)
}

// renumber gives every mail a new UID, under a new UIDVALIDITY.
func (w *world) renumber() {
	m := &w.mailbox
	if m.validity == 0 {
		return
	}
	w.figures.Renumbered++
	m.validity = 1 + uint32(w.forFaults.IntN(1_000_000)) // lower, at times
	m.last = 0
	w.forFaults.Shuffle(len(m.mails), func(i, j int) { m.mails[i], m.mails[j] = m.mails[j], m.mails[i] })
	for _, b := range m.mails {
		m.last++
		b.uid, b.flagged = m.last, false
	}
	w.note("", 0, "the mailbox has new numbers, UIDVALIDITY %d", m.validity)
	w.readIn(time.Minute)
}

// shut closes the mailbox to the service for d; mail goes on arriving.
func (w *world) shut(d time.Duration) {
	w.note("", 0, "the mailbox is closed for %v", d)
	w.figures.Outages++
	w.mailbox.shutUntil = w.now.Add(d)
}

// read reads the mailbox from the cursor to its end.
func (w *world) read() {
	w.mailbox.planned = false
	p := w.process
	if p.daemon == nil || p.gone || w.now.Before(w.mailbox.shutUntil) && !w.calm {
		return // The process reads when it begins, and every so often.
	}
	cursor, err := p.daemon.Cursor(inbox)
	if err != nil {
		w.finding("", 0, "cursor: %v", err)
		return
	}
	asOf := w.now
	gap := uint32(0) // the first UID that the server does not hand over
	todo := w.unread(cursor)
	for len(todo) > 0 {
		n := min(1+w.forNetwork.IntN(20), len(todo))
		var batch []*boxed
		for _, b := range todo[:n] {
			if w.fault(w.faults.gap) {
				if gap == 0 {
					gap = w.flaw.overlook(b.uid)
				}
				continue
			}
			batch = append(batch, b)
		}
		todo = todo[n:]
		if len(batch) > 0 && !w.receive(batch, gap) {
			return
		}
	}
	if gap == 0 {
		if err, died := p.call("caught up", func(_ context.Context, d *daemon.Daemon) error { return d.CaughtUp(inbox, asOf) }); err != nil && !died {
			w.finding("", 0, "caught up: %v", err)
		}
		p.arm()
	}
	w.in(time.Second, p.drain)
	if gap != 0 {
		w.readIn(5 * time.Minute)
	}
}

// unread returns what is beyond the cursor, by UID.
func (w *world) unread(cursor imapbox.Cursor) []*boxed {
	var out []*boxed
	for _, b := range w.mailbox.mails {
		switch {
		case w.mailbox.validity == 0:
			if !b.flagged {
				out = append(out, b)
			}
		case cursor.UIDValidity != w.mailbox.validity || b.uid > cursor.UID:
			out = append(out, b)
		}
	}
	return out
}

// receive hands a batch to the daemon and reports whether it took it.
func (w *world) receive(batch []*boxed, gap uint32) bool {
	fetched := make([]imapbox.Fetched, len(batch))
	for i, b := range batch {
		through := b.uid
		if gap != 0 {
			through = min(through, gap-1)
		}
		fetched[i] = imapbox.Fetched{
			Mailbox: inbox, UIDValidity: w.mailbox.validity, UID: b.uid, Through: through,
			Arrived: b.arrived, Size: int64(len(b.raw)), Raw: w.flaw.disguise(b.letter, b.raw),
		}
		w.hand(b.letter, b.arrived)
	}
	err, died := w.process.call("receive", func(ctx context.Context, d *daemon.Daemon) error { return d.Receive(ctx, fetched) })
	clear(w.mailbox.handed)
	if err != nil && !w.flaw.is("flag before commit") {
		if !died {
			w.note("", 0, "not received: %v", err)
			w.readIn(w.forFaults.between(time.Minute, 5*time.Minute))
		}
		return false
	}
	for _, b := range batch {
		b.flagged = true
	}
	if w.faults.moves || w.flaw.is("flag before commit") {
		w.mailbox.remove(func(b *boxed) bool { return b.flagged })
	} else {
		w.mailbox.remove(func(b *boxed) bool { return b.flagged && w.now.Sub(b.arrived) > 5*24*time.Hour })
	}
	return !died
}

// hand notes that a copy of l goes to the daemon, and when it arrived, as far
// as that is not in the future.
func (w *world) hand(l *letter, arrived time.Time) {
	if arrived.After(w.now) {
		arrived = w.now
	}
	w.mailbox.handed[l.serial] = append(w.mailbox.handed[l.serial], arrived)
}

// handedAt is when the copy that the daemon handles arrived, by what it says;
// the first one's arrival if it says what is not so.
func (w *world) handedAt(l *letter, said time.Time) time.Time {
	all := w.mailbox.handed[l.serial]
	for _, at := range all {
		if at.Equal(said) {
			return at
		}
	}
	if len(all) == 0 {
		w.finding(l.from.name, 0, "letter %d is handled, and was not handed over", l.serial)
		return time.Time{}
	}
	return all[0]
}

func (m *mailbox) remove(f func(*boxed) bool) {
	kept := m.mails[:0]
	for _, b := range m.mails {
		if !f(b) {
			kept = append(kept, b)
		}
	}
	clear(m.mails[len(kept):])
	m.mails = kept
}

// deliver brings a copy of l by LMTP, again and again until it is taken.
func (w *world) deliver(l *letter) {
	l.copies++
	w.deliverCopy(l, w.trace(l, "lmtp"))
}

func (w *world) deliverCopy(l *letter, raw []byte) {
	retry := func() {
		w.in(w.forNetwork.between(5*time.Minute, 30*time.Minute), func() { w.deliverCopy(l, raw) })
	}
	p := w.process
	if p.daemon == nil || p.gone {
		retry()
		return
	}
	w.figures.Copies++
	w.note(l.from.name, 0, "letter %d comes by LMTP: %s", l.serial, l.what)
	w.hand(l, w.now)
	err, _ := p.call("deliver", func(ctx context.Context, d *daemon.Daemon) error {
		return d.Deliver(ctx, l.envelopeFrom, []string{l.to}, w.flaw.disguise(l, raw))
	})
	clear(w.mailbox.handed)
	if err != nil {
		p.owing[l] = true
		retry()
		return
	}
	delete(p.owing, l)
	w.in(time.Second, p.drain)
}
