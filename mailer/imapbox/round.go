package imapbox

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/emersion/go-imap/v2"
)

// Bounds of one batch, and of one question for what is known without a body (less than the
// 128 answers that the library holds).
const (
	batchMails = 50
	batchBytes = 8 << 20
	askedAbout = 100
)

// round reads the mailbox to its end: what is new, what an earlier life has left unmarked,
// and what could not be fetched before and is due again.
func (s *session) round(ctx context.Context) error {
	asOf := time.Now()
	uids, err := s.search(ctx, &imap.SearchCriteria{UID: []imap.UIDSet{within(s.kept.high+1, 0)}})
	if err != nil {
		return err
	}
	uids = slices.DeleteFunc(uids, func(uid uint32) bool {
		// "n:*" holds the last message even if its UID is below n (RFC 3501, section 6.4.8).
		// Parked messages wait for their time.
		return uid <= s.kept.high || s.kept.isParked(uid)
	})
	if s.leftover && s.kept.high > 0 {
		left, err := s.leftovers(ctx)
		if err != nil {
			return err
		}
		if err := s.take(ctx, left); err != nil {
			return err
		}
	}
	s.leftover = false
	if err := s.take(ctx, uids); err != nil {
		return err
	}
	for _, uid := range s.kept.due(time.Now()) {
		if err := s.take(ctx, []uint32{uid}); err != nil {
			return err
		}
	}
	if !s.kept.complete(asOf) {
		return nil
	}
	if err := s.h.CaughtUp(s.c.Mailbox, asOf); err != nil {
		return fmt.Errorf("note that %s is read: %w", s.c.Mailbox, err)
	}
	s.kept.caughtUp = true
	return nil
}

// leftovers returns mail below the cursor that does not look taken: the daemon may have ended
// between Receive and the flag. It is offered again. What bears our own keyword, but should
// have been moved, is moved at once.
func (s *session) leftovers(ctx context.Context) ([]uint32, error) {
	criteria := imap.SearchCriteria{UID: []imap.UIDSet{within(1, s.kept.high)}}
	switch keyword := s.settle.keyword(); {
	case s.settle.moves() && keyword != "":
		flagged := criteria
		flagged.Flag = []imap.Flag{keyword}
		uids, err := s.search(ctx, &flagged)
		if err != nil {
			return nil, err
		}
		if err := s.settleAll(ctx, uids); err != nil {
			return nil, err
		}
		criteria.NotFlag = flagged.Flag
	case s.settle.moves():
	case s.settle.flag != "":
		criteria.NotFlag = []imap.Flag{s.settle.flag}
	default:
		return nil, nil // Taken mail looks like any other here.
	}
	uids, err := s.search(ctx, &criteria)
	return slices.DeleteFunc(uids, func(uid uint32) bool {
		return uid > s.kept.high || s.kept.isParked(uid)
	}), err
}

// take fetches the messages uids, in rising order, and hands them on.
func (s *session) take(ctx context.Context, uids []uint32) error {
	for chunk := range slices.Chunk(uids, askedAbout) {
		known, err := s.about(ctx, chunk)
		if err != nil {
			return err
		}
		b := batch{session: s}
		for _, uid := range chunk {
			if err := b.add(ctx, uid, known[uid]); err != nil {
				return err
			}
		}
		if err := b.finish(ctx); err != nil {
			return err
		}
		s.kept.high = max(s.kept.high, chunk[len(chunk)-1])
	}
	return nil
}

// about returns date and size of messages; those it lacks are unknown, not gone (trap B2).
// Messages that have given trouble are not asked about here.
func (s *session) about(ctx context.Context, uids []uint32) (map[uint32]message, error) {
	uids = slices.DeleteFunc(slices.Clone(uids), func(uid uint32) bool { return s.kept.trouble[uid] != nil })
	found, err := s.fetchTogether(ctx, uids, about())
	if err != nil {
		return nil, err
	}
	known := make(map[uint32]message, len(found))
	for _, m := range found {
		known[m.uid] = m
	}
	return known, nil
}

// fetchTogether asks for several messages at once; a refusal is no answer about any of them.
// If it costs the connection, one of them may be the cause: each is asked for alone the next
// time.
func (s *session) fetchTogether(ctx context.Context, uids []uint32, what *imap.FetchOptions) ([]message, error) {
	set, ok := setOf(uids)
	if !ok {
		return nil, nil
	}
	found, err := s.fetch(ctx, set, what)
	if isRefusal(err) {
		return nil, nil
	}
	if err != nil && ctx.Err() == nil {
		for _, uid := range uids {
			s.kept.tried(uid, time.Now(), s.c.Poll)
		}
	}
	return found, err
}

// batch gathers messages in rising order of their UIDs: those yet to be fetched together,
// then those fetched.
type batch struct {
	*session
	asked   []message // known, to be fetched with one command
	size    int64     // of asked
	fetched []Fetched
	bytes   int64 // of fetched
}

// add puts one message into the batch; known is zero if nothing was told of it. A message that
// has given trouble, or is large, is fetched by itself.
func (b *batch) add(ctx context.Context, uid uint32, known message) error {
	trouble := b.kept.trouble[uid]
	if known.uid == uid && known.size <= b.c.MaxSize && trouble == nil && !b.bySeq {
		b.asked = append(b.asked, known)
		b.size += known.size
		if len(b.asked) < batchMails && b.size < batchBytes {
			return nil
		}
		return b.fetchAsked(ctx)
	}
	if err := b.fetchAsked(ctx); err != nil {
		return err
	}
	if trouble != nil && !trouble.parked && trouble.tries >= 2 {
		b.kept.park(uid, time.Now()) // It has cost two connections: the others first.
		b.c.Log.Warn("mail set aside", "mailbox", b.c.Mailbox, "uid", uid, "tries", trouble.tries)
		return nil
	}
	return b.fetchAlone(ctx, uid)
}

// fetchAlone fetches one message, or parks it.
func (b *batch) fetchAlone(ctx context.Context, uid uint32) error {
	trouble := b.kept.tried(uid, time.Now(), b.c.Poll)
	m, err := b.session.fetchAlone(ctx, uid)
	switch {
	case errors.Is(err, errNotGiven):
		b.kept.park(uid, time.Now())
		b.c.Log.Warn("mail cannot be fetched", "mailbox", b.c.Mailbox, "uid", uid, "tries", trouble.tries, "err", err)
		return nil
	case err != nil:
		return err
	case m == nil: // Somebody deleted it.
		delete(b.kept.trouble, uid)
		return nil
	}
	return b.got(ctx, *m)
}

// fetchAsked fetches what was gathered. What the answer lacks is tried alone.
func (b *batch) fetchAsked(ctx context.Context) error {
	asked := b.asked
	b.asked, b.size = nil, 0
	uids := make([]uint32, 0, len(asked))
	for _, m := range asked {
		uids = append(uids, m.uid)
	}
	found, err := b.fetchTogether(ctx, uids, body(false))
	if err != nil {
		return err
	}
	byUID := make(map[uint32]message, len(found))
	for _, m := range found {
		byUID[m.uid] = m
	}
	for _, known := range asked {
		m := byUID[known.uid]
		if m.raw == nil && m.header == nil {
			if err := b.fetchAlone(ctx, known.uid); err != nil {
				return err
			}
			continue
		}
		m.arrived, m.size = known.arrived, known.size
		if err := b.got(ctx, m); err != nil {
			return err
		}
	}
	return nil
}

// got adds a fetched message, and hands the batch on if it is full.
func (b *batch) got(ctx context.Context, m message) error {
	delete(b.kept.trouble, m.uid)
	if m.arrived.IsZero() {
		m.arrived = time.Now()
	}
	f := Fetched{
		Mailbox: b.c.Mailbox, UIDValidity: b.validity, UID: m.uid,
		Arrived: m.arrived, Size: m.size, Raw: m.raw,
	}
	if m.raw == nil {
		f.Raw, f.TooLarge = m.header, true
	}
	b.fetched = append(b.fetched, f)
	b.bytes += int64(len(f.Raw))
	if len(b.fetched) < batchMails && b.bytes < batchBytes {
		return nil
	}
	return b.handOver(ctx)
}

func (b *batch) finish(ctx context.Context) error {
	if err := b.fetchAsked(ctx); err != nil {
		return err
	}
	return b.handOver(ctx)
}

// handOver gives the fetched messages to the handler and, once it has them, settles them.
func (b *batch) handOver(ctx context.Context) error {
	taken := b.fetched
	b.fetched, b.bytes = nil, 0
	if len(taken) == 0 {
		return nil
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	high, uids := b.kept.high, make([]uint32, len(taken))
	for i := range taken {
		uids[i] = taken[i].UID
		high = max(high, taken[i].UID)
		taken[i].Through = b.kept.through(high)
	}
	if err := b.h.Receive(ctx, taken); err != nil {
		return fmt.Errorf("take mail from %s: %w", b.c.Mailbox, err)
	}
	b.kept.high = high
	b.c.Log.Info("mail taken", "mailbox", b.c.Mailbox, "count", len(taken), "last", uids[len(uids)-1])
	return b.settleAll(ctx, uids)
}
