package store_test

import (
	"bytes"
	"errors"
	"reflect"
	"slices"
	"testing"
	"time"

	"pbem/game"
	"pbem/store"
)

func TestAttempts(t *testing.T) {
	s := open(t)
	a, b, c := [32]byte{1}, [32]byte{2}, [32]byte{3}
	begin := func(want ...int) {
		t.Helper()
		update(t, s, func(tx *store.Tx) error {
			attempts, err := tx.Begin([][32]byte{a, b, c}, noon)
			for i, at := range attempts {
				if at.Failures != want[i] {
					t.Errorf("failures of message %d: %d, want %d", i, at.Failures, want[i])
				}
			}
			return err
		})
	}
	crashed := func(want bool) {
		t.Helper()
		update(t, s, func(tx *store.Tx) error {
			got, err := tx.Crashed("killed", noon)
			if got != want {
				t.Errorf("Crashed = %v, want %v", got, want)
			}
			return err
		})
	}
	crashed(false)
	begin(0, 0, 0)
	// The process dies with the second in hand: only that one is to blame.
	update(t, s, func(tx *store.Tx) error { return tx.Settle(a) })
	crashed(true)
	begin(0, 1, 0)
	// It lets go of what it did not come to: nobody is to blame.
	update(t, s, (*store.Tx).LetGo)
	crashed(false)
	begin(0, 1, 0)
	update(t, s, func(tx *store.Tx) error {
		n, err := tx.FailAttempt(b, "panic: nil map", noon)
		if n != 2 {
			t.Errorf("FailAttempt = %d, want 2", n)
		}
		return err
	})
	crashed(true) // a, which was first in hand
	begin(1, 2, 0)
	update(t, s, func(tx *store.Tx) error { return errors.Join(tx.Settle(a), tx.Settle(b), tx.Settle(c)) })
	crashed(false)
	begin(0, 0, 0)
}

// TestTogether: messages that share a turn share the blame, and then have
// turns of their own.
func TestTogether(t *testing.T) {
	s := open(t)
	raw := [][32]byte{{1}, {2}, {3}, {4}, {5}, {6}}
	begin := func(want ...int) {
		t.Helper()
		update(t, s, func(tx *store.Tx) error {
			attempts, err := tx.BeginTogether(raw, 3, noon)
			var got []int
			turns := map[uint64]int{}
			for _, a := range attempts {
				if turns[a.Turn] == 0 {
					turns[a.Turn] = len(turns) + 1
				}
				got = append(got, turns[a.Turn])
			}
			if !slices.Equal(got, want) {
				t.Errorf("turns %v, want %v", got, want)
			}
			return err
		})
	}
	failures := func(want ...int) {
		t.Helper()
		update(t, s, func(tx *store.Tx) error {
			if crashed, err := tx.Crashed("killed", noon); !crashed || err != nil {
				t.Errorf("Crashed = %v, %v", crashed, err)
			}
			attempts, err := tx.Begin(raw, noon)
			for i, a := range attempts {
				if a.Failures != want[i] {
					t.Errorf("failures of message %d: %d, want %d", i, a.Failures, want[i])
				}
			}
			return errors.Join(err, tx.LetGo())
		})
	}
	begin(1, 1, 1, 2, 2, 2)
	failures(1, 1, 1, 0, 0, 0)
	begin(1, 2, 3, 4, 4, 4)
	update(t, s, func(tx *store.Tx) error { return tx.Settle(raw[0]) })
	failures(0, 2, 1, 0, 0, 0)
	begin(1, 2, 3, 4, 4, 4)
	update(t, s, func(tx *store.Tx) error { return errors.Join(tx.Settle(raw[0]), tx.Settle(raw[1]), tx.Settle(raw[2])) })
	failures(0, 0, 0, 1, 1, 1)
}

func TestQuarantine(t *testing.T) {
	s := open(t)
	raw := []byte("From: a\r\n\r\n\x00bytes")
	want := store.SetAside{
		Mailbox: "INBOX", UIDValidity: 7, UID: 9, Arrived: noon, At: noon.Add(time.Hour),
		Attempts: 3, Cause: "panic: nil map",
	}
	update(t, s, func(tx *store.Tx) error {
		for range 2 {
			if _, err := tx.SetAside(want, raw); err != nil {
				return err
			}
		}
		return nil
	})
	want.ID, want.Size = 1, int64(len(raw))
	complete(t, want)
	view(t, s, func(tx *store.Tx) error {
		list, err := tx.Quarantine()
		if len(list) != 2 || !reflect.DeepEqual(list[0], want) || list[1].ID != 2 {
			t.Errorf("Quarantine = %+v, want %+v and its like", list, want)
		}
		got, err2 := tx.SetAsideRaw(2)
		if !bytes.Equal(got, raw) {
			t.Errorf("SetAsideRaw = %q, want %q", got, raw)
		}
		return errors.Join(err, err2)
	})
	update(t, s, func(tx *store.Tx) error { return errors.Join(tx.DropSetAside(1), tx.DropSetAside(1)) })
	view(t, s, func(tx *store.Tx) error {
		if list, err := tx.Quarantine(); len(list) != 1 || err != nil {
			t.Errorf("Quarantine after DropSetAside = %+v, %v", list, err)
		}
		if _, err := tx.SetAsideRaw(1); !errors.Is(err, game.ErrNotFound) {
			t.Errorf("SetAsideRaw(1) = _, %v; want %v", err, game.ErrNotFound)
		}
		return nil
	})
}
