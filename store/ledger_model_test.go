package store_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"pbem/store"
)

// ledger is what the ledger should know, in plain maps. Each value has the
// time at which it is forgotten from.
type ledger struct {
	places, ids map[string]known
	hashes      map[[32]byte]time.Time
	horizon     time.Time
}

type known struct {
	hash [32]byte
	at   time.Time
}

func place(k store.MessageKey) string {
	if k.Mailbox == "" || k.UID == 0 || k.UIDValidity == 0 {
		return ""
	}
	return fmt.Sprint(k.Mailbox, k.UIDValidity, ".", k.UID)
}

func senderID(k store.MessageKey) string {
	if k.Sender == "" || k.MessageID == "" {
		return ""
	}
	return strings.ToLower(k.Sender) + " " + k.MessageID
}

func (l *ledger) seen(k store.MessageKey) store.SeenBy {
	at, ok := l.places[place(k)]
	_, content := l.hashes[k.Hash]
	other, id := l.ids[senderID(k)]
	switch {
	case k.Hash == [32]byte{} && ok:
		return store.ByPlace
	case k.Hash != [32]byte{} && content && ok && at.hash == k.Hash:
		return store.ByPlace
	case k.Hash != [32]byte{} && content:
		return store.ByContent
	case k.Arrived.Before(l.horizon):
		return store.BeforeTime
	case id && other.hash != k.Hash:
		return store.SameID
	}
	return store.NotSeen
}

func (l *ledger) mark(k store.MessageKey, now time.Time) {
	enter := func(m map[string]known, key string) {
		if key == "" {
			return
		}
		at := now
		if old, ok := m[key]; ok {
			at = old.at
		}
		m[key] = known{k.Hash, at}
	}
	enter(l.places, place(k))
	enter(l.ids, senderID(k))
	if _, ok := l.hashes[k.Hash]; !ok {
		l.hashes[k.Hash] = now
	}
}

func (l *ledger) forget(before time.Time) {
	old := func(at time.Time) bool {
		if at.Before(before) && !at.Before(l.horizon) {
			l.horizon = at.Add(1)
		}
		return at.Before(before)
	}
	for _, m := range []map[string]known{l.places, l.ids} {
		for k, v := range m {
			if old(v.at) {
				delete(m, k)
			}
		}
	}
	for k, at := range l.hashes {
		if old(at) {
			delete(l.hashes, k)
		}
	}
}

// TestLedgerRandom holds the ledger against the maps: few mailboxes, UIDs,
// Message-IDs and contents, so that all of them meet.
func TestLedgerRandom(t *testing.T) {
	t.Parallel()
	for seed := range uint64(3) {
		r := rand.New(rand.NewPCG(seed, 9))
		s := open(t)
		l := &ledger{places: map[string]known{}, ids: map[string]known{}, hashes: map[[32]byte]time.Time{}}
		pick := func(texts ...string) string { return texts[r.IntN(len(texts))] }
		for step := range 500 {
			now := noon.Add(time.Duration(step) * time.Minute)
			k := store.MessageKey{
				Mailbox: pick("INBOX", "Other", ""), UIDValidity: uint32(r.IntN(3)), UID: uint32(r.IntN(12)),
				Sender: pick("hana@example.org", "HANA@example.org", "zoe@example.net", ""), MessageID: pick("", "a", "b", "c", "d"),
				Arrived: now.Add(-time.Duration(r.IntN(120)) * time.Minute),
			}
			k.Hash[r.IntN(2)*31] = byte(r.IntN(9))
			view(t, s, func(tx *store.Tx) error {
				got, err := tx.Seen(k)
				if want := l.seen(k); got != want {
					t.Fatalf("seed %d, step %d: Seen(%+v) = %v, want %v", seed, step, k, got, want)
				}
				return err
			})
			if k.Hash != [32]byte{} && r.IntN(2) == 0 {
				update(t, s, func(tx *store.Tx) error { return tx.MarkSeen(k, now) })
				l.mark(k, now)
			}
			if r.IntN(50) == 0 {
				before := now.Add(-30 * time.Minute)
				update(t, s, func(tx *store.Tx) error { _, err := tx.Forget(before, 10_000); return err })
				l.forget(before)
			}
		}
	}
}

// TestRenumbered reads a mailbox again after its UIDVALIDITY has grown, has
// shrunk, is missing, and is as it was: all of it costs a re-read, and no
// message is taken for new, nor a new one for known.
func TestRenumbered(t *testing.T) {
	s := open(t)
	const mails = 40
	key := func(validity uint32, n int) store.MessageKey {
		k := store.MessageKey{
			Mailbox: "INBOX", UIDValidity: validity, UID: uint32(n + 1), Hash: [32]byte{byte(n), 1},
			Sender: "hana@example.org", MessageID: fmt.Sprint("m", n/2), // every two have the same Message-ID,
			Arrived: noon,
		}
		if n%5 == 0 {
			k.MessageID = "" // and some none
		}
		return k
	}
	for round, validity := range []uint32{7, 9, 3, 0, 7} {
		for n := range mails {
			k := key(validity, n)
			if round%2 == 1 {
				k.UID = uint32(mails - n) // in another order
			}
			update(t, s, func(tx *store.Tx) error {
				got, err := tx.Seen(k)
				if got.Seen() != (round > 0) {
					t.Errorf("UIDVALIDITY %d, mail %d: %v", validity, n, got)
				}
				if err != nil {
					return err
				}
				return tx.MarkSeen(k, noon)
			})
		}
		view(t, s, func(tx *store.Tx) error {
			if got, err := tx.Seen(key(validity, mails+round)); got.Seen() || err != nil {
				t.Errorf("UIDVALIDITY %d: a new mail is taken for a known one by %v, %v", validity, got, err)
			}
			return nil
		})
	}
}
