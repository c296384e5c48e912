package imapbox

import (
	"maps"
	"slices"
	"time"
)

// progress is what outlives a session: how far the mailbox is read, and which messages give
// trouble. It is lost with the process; the handler's cursor, which it keeps behind every
// message still in trouble, is enough to begin again.
type progress struct {
	validity uint32 // 0: UIDs mean nothing beyond one session
	high     uint32 // every UID up to here is taken, gone or in trouble
	trouble  map[uint32]*trouble
	caughtUp bool // the mailbox was read to its end in the present session
}

// trouble is a message that could not be fetched.
type trouble struct {
	tries  int       // connections lost or answers without the message
	parked bool      // others go on without it
	since  time.Time // when it was parked
	next   time.Time // when it is tried again
}

// longestPause is the longest wait between tries of a parked message. A mailbox with messages
// parked for less than patience does not count as read to its end: there may be a move in one
// of them, and a player must not lose on time for it.
const (
	longestPause = time.Hour
	patience     = time.Hour
)

func newProgress() *progress { return &progress{trouble: make(map[uint32]*trouble)} }

// begin starts at the cursor. If that is of another UIDVALIDITY, lower or higher, or if there
// is none, everything is read from the start, and begin reports true (RFC 3501, section
// 2.3.1.1): what was seen before is offered again, nothing is skipped.
func (p *progress) begin(cursor Cursor, validity uint32) (fromStart bool) {
	if validity == 0 || validity != p.validity {
		p.validity, p.high = validity, 0
		clear(p.trouble)
	}
	if validity == 0 || cursor.UIDValidity != validity {
		p.high = 0
		return cursor != Cursor{} || validity == 0
	}
	p.high = max(p.high, cursor.UID)
	return false
}

// through is the UID a cursor may hold when all up to uid is taken: no message still in
// trouble lies at or below it.
func (p *progress) through(uid uint32) uint32 {
	for u, t := range p.trouble {
		if t.parked && u <= uid {
			uid = u - 1
		}
	}
	return uid
}

// tried counts an attempt at uid before it is made, so that it counts even if the connection
// is lost over it.
func (p *progress) tried(uid uint32, now time.Time, poll time.Duration) *trouble {
	t := p.trouble[uid]
	if t == nil {
		t = &trouble{}
		p.trouble[uid] = t
	}
	t.tries++
	t.next = now
	if t.tries > 2 { // Twice may be chance, in a bad net; it is tried again when the others are through.
		t.next = now.Add(min(poll<<min(t.tries-3, 20), longestPause))
	}
	return t
}

// park lets the others go on without uid.
func (p *progress) park(uid uint32, now time.Time) {
	t := p.trouble[uid]
	if !t.parked {
		t.parked, t.since = true, now
	}
}

func (p *progress) isParked(uid uint32) bool {
	t := p.trouble[uid]
	return t != nil && t.parked
}

// due returns the parked messages whose time has come.
func (p *progress) due(now time.Time) []uint32 {
	var uids []uint32
	for uid, t := range p.trouble {
		if t.parked && !t.next.After(now) {
			uids = append(uids, uid)
		}
	}
	slices.Sort(uids)
	return uids
}

// complete reports whether no message was parked within patience.
func (p *progress) complete(now time.Time) bool {
	for t := range maps.Values(p.trouble) {
		if t.parked && now.Sub(t.since) < patience {
			return false
		}
	}
	return true
}
