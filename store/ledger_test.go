package store_test

import (
	"testing"
	"time"

	"pbem/store"
)

func TestSeen(t *testing.T) {
	known := store.MessageKey{
		Mailbox: "INBOX", UIDValidity: 7, UID: 9, Hash: [32]byte{1},
		Sender: "hana@example.org", MessageID: "m1@example.org", Arrived: noon,
	}
	with := func(change func(*store.MessageKey)) store.MessageKey {
		k := known
		change(&k)
		return k
	}
	tests := []struct {
		name string
		key  store.MessageKey
		want store.SeenBy
	}{
		{"fetched again", known, store.ByPlace},
		{"the place alone, before it is fetched", store.MessageKey{Mailbox: "INBOX", UIDValidity: 7, UID: 9}, store.ByPlace},
		{"delivered again under a new UID", with(func(k *store.MessageKey) { k.UID = 10 }), store.ByContent},
		{"another UIDVALIDITY, same UID", with(func(k *store.MessageKey) { k.UIDValidity = 6 }), store.ByContent},
		{"a mailbox without UIDVALIDITY", with(func(k *store.MessageKey) { k.UIDValidity = 0 }), store.ByContent},
		{"moved to another mailbox", with(func(k *store.MessageKey) { k.Mailbox = "Later" }), store.ByContent},
		{"by a pipe, without Message-ID", store.MessageKey{Hash: [32]byte{1}}, store.ByContent},
		{"the Message-ID with other content", with(func(k *store.MessageKey) { k.UID, k.Hash = 10, [32]byte{2} }), store.SameID},
		{"the same, sender in capitals", with(func(k *store.MessageKey) { k.UID, k.Hash, k.Sender = 10, [32]byte{2}, "HANA@example.org" }), store.SameID},
		{"the Message-ID from another sender", with(func(k *store.MessageKey) { k.UID, k.Hash, k.Sender = 10, [32]byte{2}, "zoe@example.net" }), store.NotSeen},
		{"the UID used again for other content", with(func(k *store.MessageKey) { k.Hash, k.MessageID = [32]byte{2}, "m2@example.org" }), store.NotSeen},
		{"another place alone", store.MessageKey{Mailbox: "INBOX", UIDValidity: 8, UID: 9}, store.NotSeen},
		{"no place without UIDVALIDITY", store.MessageKey{Mailbox: "INBOX", UID: 9}, store.NotSeen},
		{"nothing known", store.MessageKey{}, store.NotSeen},
	}
	s := open(t)
	update(t, s, func(tx *store.Tx) error { return tx.MarkSeen(known, noon) })
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			view(t, s, func(tx *store.Tx) error {
				got, err := tx.Seen(tt.key)
				if got != tt.want {
					t.Errorf("Seen(%+v) = %v, want %v", tt.key, got, tt.want)
				}
				if got.Seen() != (tt.want >= store.ByPlace) {
					t.Errorf("%v.Seen() = %v", got, got.Seen())
				}
				return err
			})
		})
	}
}

func TestMarkSeenWithoutHash(t *testing.T) {
	s := open(t)
	update(t, s, func(tx *store.Tx) error {
		return tx.MarkSeen(store.MessageKey{Sender: "a@b.example", MessageID: "x"}, noon)
	})
	view(t, s, func(tx *store.Tx) error {
		if got, err := tx.Seen(store.MessageKey{}); got != store.NotSeen || err != nil {
			t.Errorf("Seen of nothing = %v, %v", got, err)
		}
		return nil
	})
}

func TestForget(t *testing.T) {
	s := open(t)
	key := func(n byte) store.MessageKey {
		return store.MessageKey{
			Mailbox: "INBOX", UIDValidity: 7, UID: uint32(n), Hash: [32]byte{n},
			Sender: "a@b.example", MessageID: string('a' + rune(n)), Arrived: noon.Add(time.Duration(n)*time.Hour - time.Minute),
		}
	}
	for n := byte(1); n <= 3; n++ { // one an hour, each a minute after it arrived
		update(t, s, func(tx *store.Tx) error { return tx.MarkSeen(key(n), noon.Add(time.Duration(n)*time.Hour)) })
	}
	forget := func(before time.Time, limit, want int) {
		t.Helper()
		update(t, s, func(tx *store.Tx) error {
			if n, err := tx.Forget(before, limit); n != want || err != nil {
				t.Errorf("Forget(%v, %d) = %d, %v; want %d", before, limit, n, err, want)
			}
			return nil
		})
	}
	seen := func(k store.MessageKey, want store.SeenBy) {
		t.Helper()
		view(t, s, func(tx *store.Tx) error {
			if got, err := tx.Seen(k); got != want || err != nil {
				t.Errorf("Seen(UID %d) = %v, %v; want %v", k.UID, got, err, want)
			}
			return nil
		})
	}
	forget(noon, 100, 0)
	forget(noon.Add(150*time.Minute), 2, 2) // place, hash and Message-ID of each: one message is left half known
	forget(noon.Add(150*time.Minute), 100, 4)
	forget(noon.Add(150*time.Minute), 100, 0)
	seen(key(3), store.ByPlace)
	// The mailbox is renumbered, and what was forgotten comes again.
	renumbered := key(1)
	renumbered.UIDValidity, renumbered.UID = 8, 100
	seen(renumbered, store.BeforeTime)
	renumbered.Arrived = time.Time{} // whoever brings it does not know when it came
	seen(renumbered, store.NotSeen)
	// A mail that arrived while we were away is newer than all that was forgotten.
	late := key(9)
	late.Arrived = noon.Add(3 * time.Hour)
	seen(late, store.NotSeen)
}

func TestCursor(t *testing.T) {
	s := open(t)
	steps := []struct {
		name       string
		move, want store.Cursor
	}{
		{"nothing read", store.Cursor{}, store.Cursor{}},
		{"first", store.Cursor{UIDValidity: 7, UID: 3}, store.Cursor{UIDValidity: 7, UID: 3}},
		{"forward", store.Cursor{UIDValidity: 7, UID: 9}, store.Cursor{UIDValidity: 7, UID: 9}},
		{"never back", store.Cursor{UIDValidity: 7, UID: 4}, store.Cursor{UIDValidity: 7, UID: 9}},
		{"without UIDVALIDITY", store.Cursor{UID: 40}, store.Cursor{UIDValidity: 7, UID: 9}},
		{"renumbered, UIDVALIDITY lower", store.Cursor{UIDValidity: 2, UID: 1}, store.Cursor{UIDValidity: 2, UID: 1}},
	}
	for _, step := range steps {
		update(t, s, func(tx *store.Tx) error { return tx.MoveCursor("INBOX", step.move) })
		view(t, s, func(tx *store.Tx) error {
			if got, err := tx.Cursor("INBOX"); got != step.want || err != nil {
				t.Errorf("%s: Cursor = %+v, %v; want %+v", step.name, got, err, step.want)
			}
			if got, err := tx.Cursor("Other"); got != (store.Cursor{}) || err != nil {
				t.Errorf("%s: Cursor of another mailbox = %+v, %v", step.name, got, err)
			}
			return nil
		})
	}
}
