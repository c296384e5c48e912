package imapbox

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
)

// headerLimit is how much is kept of a mail that is too large.
const headerLimit = 64 << 10

// message is what one FETCH told of a message.
type message struct {
	uid     uint32 // 0: not told
	arrived time.Time
	size    int64
	raw     []byte // nil: no body came (trap B12), or it was longer than allowed
	header  []byte // instead of raw, if the body was longer than allowed
}

// errCut means that a literal ended before its length.
var errCut = errors.New("the connection ended within a message")

// fetch runs one FETCH and returns all it told, once the server has said that it is complete.
// It streams by hand: the library's Collect takes a body cut short for a whole one (trap B3)
// and races with its reader after a cut (trap B4). After errCut the command must not be
// touched again; the session is closed then.
func (s *session) fetch(ctx context.Context, set imap.NumSet, what *imap.FetchOptions) (found []message, err error) {
	err = s.do(ctx, "FETCH", func(alive func()) error {
		cmd := s.client.Fetch(set, what)
		for data := cmd.Next(); data != nil; data = cmd.Next() {
			alive()
			m, err := s.readMessage(data, alive)
			if err != nil {
				return err
			}
			found = append(found, m)
		}
		return cmd.Close()
	})
	if err != nil {
		return nil, err
	}
	return found, nil
}

func (s *session) readMessage(data *imapclient.FetchMessageData, alive func()) (m message, err error) {
	for item := data.Next(); item != nil; item = data.Next() {
		switch item := item.(type) {
		case imapclient.FetchItemDataUID:
			m.uid = uint32(item.UID)
		case imapclient.FetchItemDataInternalDate:
			m.arrived = item.Time
		case imapclient.FetchItemDataRFC822Size:
			m.size = item.Size
		case imapclient.FetchItemDataBodySection:
			if item.Literal == nil { // Trap B12: NIL is no body, and no error.
				continue
			}
			if err := m.readBody(item.Literal, s.c.MaxSize, alive); err != nil {
				return m, err
			}
		}
	}
	return m, nil
}

// readBody reads a literal to its end and checks its length (trap B3). The server's word on
// the size of a message is not always true: of a body longer than limit only the header is
// kept.
func (m *message) readBody(lit imap.LiteralReader, limit int64, alive func()) error {
	var b bytes.Buffer
	keep := lit.Size()
	if keep > max(limit, headerLimit) {
		keep = headerLimit
	}
	r := liveReader{lit, alive}
	kept, err := io.CopyN(&b, r, keep)
	var rest int64
	if err == nil {
		rest, err = io.Copy(io.Discard, r) // To the end: the library's reader waits for it.
	}
	if kept+rest < lit.Size() {
		return errors.Join(errCut, err)
	} else if err != nil {
		return err
	}
	if rest > 0 {
		m.header = headerOf(b.Bytes())
	} else {
		m.raw = b.Bytes()
		if m.raw == nil {
			m.raw = []byte{}
		}
	}
	return nil
}

// headerOf returns what stands before the first empty line of raw.
func headerOf(raw []byte) []byte {
	if i := bytes.Index(raw, []byte("\r\n\r\n")); i >= 0 {
		return raw[:i+4]
	}
	return raw
}

// liveReader calls alive at each piece.
type liveReader struct {
	r     io.Reader
	alive func()
}

func (l liveReader) Read(b []byte) (int, error) {
	l.alive()
	return l.r.Read(b)
}

// about asks for what is known without a body.
func about() *imap.FetchOptions {
	return &imap.FetchOptions{UID: true, InternalDate: true, RFC822Size: true}
}

// body asks for the whole message, or its header if it is too large, without setting \Seen.
// ENVELOPE and BODYSTRUCTURE are never asked for: the library drops malformed ids from the
// one (trap B13) and breaks the connection over the other (trap B14).
func body(tooLarge bool) *imap.FetchOptions {
	section := &imap.FetchItemBodySection{Peek: true}
	if tooLarge {
		section.Specifier = imap.PartSpecifierHeader
		section.Partial = &imap.SectionPartial{Offset: 0, Size: headerLimit}
	}
	return &imap.FetchOptions{UID: true, BodySection: []*imap.FetchItemBodySection{section}}
}

// search returns the UIDs that fit, in rising order.
func (s *session) search(ctx context.Context, criteria *imap.SearchCriteria) (uids []uint32, err error) {
	err = s.do(ctx, "UID SEARCH", func(func()) error {
		data, err := s.client.UIDSearch(criteria, nil).Wait()
		if err != nil {
			return err
		}
		for _, uid := range data.AllUIDs() { // May panic (trap B15).
			uids = append(uids, uint32(uid))
		}
		return nil
	})
	return uids, err
}

func within(first, last uint32) imap.UIDSet {
	return imap.UIDSet{{Start: imap.UID(first), Stop: imap.UID(last)}} // last 0 is "*"
}

// errNotGiven means that a message is there, but the server does not hand it over.
var errNotGiven = errors.New("the server lists the message, but does not hand it over")

// fetchAlone gets one message in every way there is. A UID that was asked for but not
// returned is unknown, not gone (trap B2: the library drops an answer that has its body before
// its UID): the server is asked whether the message exists, and then for its sequence number.
// The message is nil if it does not exist any more; errNotGiven if it cannot be had.
func (s *session) fetchAlone(ctx context.Context, uid uint32) (*message, error) {
	there, err := s.search(ctx, &imap.SearchCriteria{UID: []imap.UIDSet{imap.UIDSetNum(imap.UID(uid))}})
	if err != nil || len(there) == 0 {
		return nil, err
	}
	if !s.bySeq {
		m, err := s.fetchWhole(ctx, uid, imap.UIDSetNum(imap.UID(uid)))
		if err == nil || !errors.Is(err, errNotGiven) {
			return m, err
		}
	}
	seq, err := s.sequence(ctx, uid)
	if err != nil {
		return nil, err
	}
	m, err := s.fetchWhole(ctx, uid, imap.SeqSetNum(seq))
	if err == nil && !s.bySeq {
		s.bySeq = true
		s.c.Log.Info("server puts bodies before UIDs; fetching by sequence number", "mailbox", s.c.Mailbox)
	}
	return m, err
}

// fetchWhole gets the message uid, which is the only one of set, in two steps.
func (s *session) fetchWhole(ctx context.Context, uid uint32, set imap.NumSet) (*message, error) {
	known, err := s.fetchOne(ctx, uid, set, about())
	if err != nil {
		return nil, err
	}
	m, err := s.fetchOne(ctx, uid, set, body(known.size > s.c.MaxSize))
	if err != nil {
		return nil, err
	}
	m.arrived, m.size = known.arrived, known.size
	if known.size > s.c.MaxSize && m.header == nil {
		m.header, m.raw = m.raw, nil
	}
	if m.raw == nil && m.header == nil {
		return nil, errNotGiven
	}
	return m, nil
}

func (s *session) fetchOne(ctx context.Context, uid uint32, set imap.NumSet, what *imap.FetchOptions) (*message, error) {
	found, err := s.fetch(ctx, set, what)
	if isRefusal(err) {
		return nil, fmt.Errorf("%w: %w", errNotGiven, err)
	} else if err != nil {
		return nil, err
	}
	for _, m := range found {
		if m.uid == uid {
			return &m, nil
		}
	}
	return nil, errNotGiven
}

// sequence asks for the sequence number of uid. It holds until the next command but FETCH,
// STORE and SEARCH (RFC 9051, section 7.5.1).
func (s *session) sequence(ctx context.Context, uid uint32) (seq uint32, err error) {
	err = s.do(ctx, "SEARCH", func(func()) error {
		data, err := s.client.Search(&imap.SearchCriteria{UID: []imap.UIDSet{imap.UIDSetNum(imap.UID(uid))}}, nil).Wait()
		if err != nil {
			return err
		}
		if all := data.AllSeqNums(); len(all) == 1 {
			seq = all[0]
		}
		return nil
	})
	if isRefusal(err) || err == nil && seq == 0 {
		return 0, errNotGiven
	}
	return seq, err
}
