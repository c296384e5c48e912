package store_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pbem/store"
)

// TestDiskFull fills the disk: the commit that needs room fails and leaves no
// trace, what is there can be read, and play goes on once there is room.
func TestDiskFull(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pbem.db")
	s, err := store.Open(path, store.Options{NoSync: true, MaxSize: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	queue := func(s *store.Store, n int) error {
		return s.Update(func(tx *store.Tx) error {
			_, err := tx.Queue(store.Outgoing{To: "hana@example.org", Data: bytes.Repeat([]byte("x"), n), Queued: noon})
			return err
		})
	}
	taken := 0
	for err == nil {
		if err = queue(s, 50_000); err == nil {
			taken++
		}
	}
	if taken < 5 {
		t.Fatalf("%d mails taken, then %v", taken, err)
	}
	for range 3 {
		if err := queue(s, 300_000); err == nil {
			t.Error("a mail that has no room was taken")
		}
	}
	count := func(s *store.Store) {
		t.Helper()
		view(t, s, func(tx *store.Tx) error {
			waiting, err := tx.Waiting()
			if len(waiting) != taken {
				t.Errorf("%d mails wait, want %d", len(waiting), taken)
			}
			return errors.Join(err, tx.Check())
		})
	}
	count(s)
	update(t, s, func(tx *store.Tx) error { return tx.Sent(1) }) // Making room needs none.
	taken--
	count(s)
	s.Close()
	if s, err = store.Open(path, store.Options{NoSync: true}); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	count(s)
	if err := queue(s, 300_000); err != nil {
		t.Errorf("with room again: %v", err)
	}
}

func TestReadOnlyPlaces(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may write everywhere")
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "pbem.db")
	if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(dir, 0o700)
	if _, err := store.Open(path, store.Options{}); !errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(), path) {
		t.Errorf("Open in a folder that is closed = %v", err)
	}
}

func TestOpenReadOnly(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pbem.db")
	readOnly := func(want error) *store.Store {
		t.Helper()
		s, err := store.OpenReadOnly(path, store.Options{LockWait: 1})
		if !errors.Is(err, want) {
			t.Fatalf("OpenReadOnly = %v, want %v", err, want)
		}
		return s
	}
	readOnly(fs.ErrNotExist)
	s, err := store.Open(path, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	update(t, s, func(tx *store.Tx) error { return saveSample(t, tx) })
	readOnly(store.ErrLocked)
	s.Close()
	a, b := readOnly(nil), readOnly(nil) // Readers do not keep each other out.
	defer a.Close()
	defer b.Close()
	view(t, b, func(tx *store.Tx) error {
		checkSample(t, tx)
		return tx.Check()
	})
	if err := a.Update(func(*store.Tx) error { return nil }); err == nil {
		t.Error("Update of a store that is read only = nil")
	}
	if _, err := store.OpenReadOnly(unpack(t, "schema1.db"), store.Options{}); !errors.Is(err, store.ErrOlderSchema) {
		t.Errorf("OpenReadOnly of schema 1 = %v, want %v", err, store.ErrOlderSchema)
	}
}

// TestCreateAtOnce makes one database from many goroutines at once.
func TestCreateAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pbem.db")
	done := make(chan error)
	const many = 8
	for range many {
		go func() {
			s, err := store.Open(path, store.Options{NoSync: true, LockWait: 1 << 40})
			if err == nil {
				err = s.Update(func(tx *store.Tx) error { _, err := tx.NextGame(); return err })
				err = errors.Join(err, s.Close())
			}
			done <- err
		}()
	}
	for range many {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	s, err := store.Open(path, store.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	update(t, s, func(tx *store.Tx) error {
		if id, err := tx.NextGame(); id != many+1 || err != nil {
			t.Errorf("NextGame = %d, %v; want %d: somebody wrote to another file", id, err, many+1)
		}
		return nil
	})
	if files, err := os.ReadDir(filepath.Dir(path)); err != nil || len(files) != 1 {
		t.Errorf("files left: %s", fmt.Sprint(files))
	}
}
