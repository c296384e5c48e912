package imapbox

import (
	"bytes"
	"context"
	"errors"
	"time"

	"github.com/emersion/go-imap/v2"
)

// awaitPoll is how often [Await] looks for itself.
const awaitPoll = 3 * time.Second

// Await tries out whether mail arrives. It opens the mailbox of c, calls ready, and goes on
// until ctx ends: each mail that comes after that and has one of marks in its header is
// removed, or marked as handled where the server cannot remove a single mail; then came is
// called with the mark. No other mail is touched. The error is that of ctx or an [*Error].
func Await(ctx context.Context, c Config, marks []string, ready func(), came func(mark string)) error {
	c = c.withDefaults()
	if err := c.check(); err != nil {
		return err
	}
	c.Poll = min(c.Poll, awaitPoll)
	s := &session{c: c, kept: newProgress(), news: make(chan struct{}, 1)}
	defer s.close()
	if err := s.connect(ctx); err != nil {
		return err
	}
	data, err := s.selectMailbox(ctx)
	if err != nil {
		return err
	}
	s.settle = s.settleFor(data)
	next, err := s.nextUID(ctx, data)
	if err != nil {
		return err
	}
	ready()
	for {
		if err := s.wait(ctx); err != nil {
			return err
		}
		err := s.do(ctx, "NOOP", func(func()) error { return s.client.Noop().Wait() })
		if err != nil && !isRefusal(err) {
			return err
		}
		if next, err = s.catch(ctx, next, marks, came); err != nil {
			return err
		}
	}
}

// nextUID returns a UID that no mail of the mailbox reaches.
func (s *session) nextUID(ctx context.Context, data *imap.SelectData) (uint32, error) {
	if data.UIDNext != 0 {
		return uint32(data.UIDNext), nil
	}
	uids, err := s.search(ctx, &imap.SearchCriteria{UID: []imap.UIDSet{within(1, 0)}})
	if err != nil || len(uids) == 0 {
		return 1, err
	}
	return uids[len(uids)-1] + 1, nil
}

// catch looks at the mails from UID next on and returns the UID after the last of them.
func (s *session) catch(ctx context.Context, next uint32, marks []string, came func(string)) (uint32, error) {
	uids, err := s.search(ctx, &imap.SearchCriteria{UID: []imap.UIDSet{within(next, 0)}})
	if err != nil {
		return next, err
	}
	for _, uid := range uids {
		if uid < next { // "n:*" holds the last message even if its UID is below n.
			continue
		}
		m, err := s.fetchAlone(ctx, uid)
		if err != nil && !errors.Is(err, errNotGiven) {
			return next, err
		}
		next = uid + 1
		if m == nil {
			continue
		}
		header := append(m.header, headerOf(m.raw)...) // one of them is empty
		for _, mark := range marks {
			if !bytes.Contains(header, []byte(mark)) {
				continue
			}
			if err := s.remove(ctx, uid); err != nil {
				return next, err
			}
			came(mark)
		}
	}
	return next, nil
}

// remove takes one mail out of the mailbox, or marks it if the server cannot expunge by UID.
func (s *session) remove(ctx context.Context, uid uint32) error {
	set := imap.UIDSetNum(imap.UID(uid))
	if !s.caps.Has(imap.CapUIDPlus) {
		if s.settle.flag == "" {
			return nil
		}
		return s.addFlag(ctx, set, s.settle.flag)
	}
	if err := s.addFlag(ctx, set, imap.FlagDeleted); err != nil {
		return err
	}
	return s.do(ctx, "UID EXPUNGE", func(func()) error { return s.client.UIDExpunge(set).Close() })
}
