package store_test

import (
	"cmp"
	"errors"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"pbem/game"
	"pbem/store"
)

// TestOutboxRandom holds the outbox against two plain maps.
func TestOutboxRandom(t *testing.T) {
	t.Parallel()
	for seed := range uint64(3) {
		r := rand.New(rand.NewPCG(seed, 5))
		s := open(t)
		waiting, failed := map[uint64]time.Time{}, map[uint64]bool{} // next try, by number
		moment := func() time.Time { return noon.Add(time.Duration(r.IntN(60)) * time.Minute) }
		last := uint64(0)
		for step := range 400 {
			id, at := uint64(1+r.IntN(30)), moment()
			_, waits := waiting[id]
			var want error
			err := s.Update(func(tx *store.Tx) error {
				switch r.IntN(8) {
				case 0, 1, 2:
					last++
					got, err := tx.Queue(store.Outgoing{Data: []byte{byte(last)}, Queued: noon, Next: at})
					if got != last {
						t.Errorf("Queue = %d, want %d", got, last)
					}
					waiting[last] = at
					return err
				case 3:
					delete(waiting, id)
					return tx.Sent(id)
				case 4:
					if !waits {
						want = game.ErrNotFound
					} else {
						waiting[id] = at
					}
					return tx.Retry(id, at, "450")
				case 5:
					if !waits {
						want = game.ErrNotFound
					} else {
						delete(waiting, id)
						failed[id] = true
					}
					return tx.Fail(id, "550", noon)
				case 6:
					if !failed[id] {
						want = game.ErrNotFound
					} else {
						delete(failed, id)
						waiting[id] = at
					}
					return tx.Requeue(id, at)
				}
				if r.IntN(4) == 0 {
					for id, next := range waiting {
						if next.After(at) {
							waiting[id] = at
						}
					}
					return tx.Hasten(at)
				}
				delete(failed, id)
				return tx.DropFailed(id)
			})
			if !errors.Is(err, want) {
				t.Fatalf("seed %d, step %d: %v, want %v", seed, step, err, want)
			}
			view(t, s, func(tx *store.Tx) error { return compareOutbox(t, tx, waiting, failed, moment(), 1+r.IntN(10)) })
		}
	}
}

func compareOutbox(t *testing.T, tx *store.Tx, waiting map[uint64]time.Time, failed map[uint64]bool, now time.Time, limit int) error {
	t.Helper()
	var ready []uint64
	var next time.Time
	for id, at := range waiting {
		if !at.After(now) {
			ready = append(ready, id)
		}
		if next.IsZero() || at.Before(next) {
			next = at
		}
	}
	slices.SortFunc(ready, func(a, b uint64) int { return cmp.Or(waiting[a].Compare(waiting[b]), cmp.Compare(a, b)) })
	got, err := tx.Ready(now, limit)
	if want := ready[:min(limit, len(ready))]; !slices.Equal(ids(got), want) {
		t.Fatalf("Ready(%v, %d) = %v, want %v", now, limit, ids(got), want)
	}
	for _, m := range got {
		if string(m.Data) != string([]byte{byte(m.ID)}) {
			t.Fatalf("mail %d has the bytes %q", m.ID, m.Data)
		}
	}
	list, err2 := tx.Waiting()
	gone, err3 := tx.Failed()
	if !slices.Equal(ids(list), slices.Sorted(maps.Keys(waiting))) || !slices.Equal(ids(gone), slices.Sorted(maps.Keys(failed))) {
		t.Fatalf("Waiting %v, Failed %v; want %v, %v", ids(list), ids(gone), waiting, failed)
	}
	first, err4 := tx.NextReady()
	if !first.Equal(next) {
		t.Fatalf("NextReady = %v, want %v", first, next)
	}
	return errors.Join(err, err2, err3, err4)
}
