package store_test

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"pbem/store"
)

// TestSnapshotUnderLoad takes snapshots while a writer adds, changes and
// removes records of all kinds: each is whole.
func TestSnapshotUnderLoad(t *testing.T) {
	t.Parallel()
	s := open(t)
	random(t, s, rand.New(rand.NewPCG(1, 1)), 100)
	ctx, stop := context.WithCancel(t.Context())
	var writing sync.WaitGroup
	steps := 0
	writing.Go(func() {
		c := &chance{Rand: rand.New(rand.NewPCG(1, 2)), t: t}
		for ; ctx.Err() == nil; steps++ {
			if err := s.Update(c.stepMail); err != nil {
				t.Error(err)
				return
			}
			if err := s.Update(func(tx *store.Tx) error { return tx.KeepRaw(c.time(), make([]byte, c.IntN(20_000))) }); err != nil {
				t.Error(err)
				return
			}
			if err := s.Update(func(tx *store.Tx) error { _, err := tx.ForgetRaw(c.time(), 2); return err }); err != nil {
				t.Error(err)
				return
			}
		}
	})
	path := filepath.Join(t.TempDir(), "snapshot.db")
	for range 10 {
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		view(t, s, func(tx *store.Tx) error {
			n, err := tx.WriteTo(f)
			if n != tx.Size() {
				t.Errorf("%d bytes of %d", n, tx.Size())
			}
			return err
		})
		f.Close()
		if found, err := store.Inspect(path, store.Options{}); err != nil || len(found) > 0 {
			t.Errorf("snapshot: %v, %v", found, err)
		}
	}
	stop()
	writing.Wait()
	t.Logf("%d writes meanwhile", 3*steps)
	if steps == 0 {
		t.Error("nobody wrote")
	}
}

func TestSnapshotOfFile(t *testing.T) {
	path := unpack(t, "schema1.db")
	copied := filepath.Join(t.TempDir(), "copy.db")
	f, err := os.Create(copied)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := store.Snapshot(path, f, store.Options{}); err != nil {
		t.Fatal(err)
	}
	if store.InUse(path) || !store.Looks(copied) || store.Looks(filepath.Join("testdata", "schema1.jsonl")) {
		t.Error("InUse or Looks is wrong")
	}
	s, err := store.Open(copied, store.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	view(t, s, func(tx *store.Tx) error { checkSample(t, tx); return tx.Check() })
	if !store.InUse(copied) {
		t.Error("InUse of an open database = false")
	}
}
