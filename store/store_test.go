package store_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"

	"pbem/store"
)

// noon is when the tests take place.
var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// open opens a new database that is checked when the test ends.
func open(t testing.TB) *store.Store {
	t.Helper()
	s, err := store.Open(filepath.Join(t.TempDir(), "pbem.db"), store.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.View((*store.Tx).Check); err != nil {
			t.Errorf("check at the end: %v", err)
		}
		if err := s.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return s
}

// update runs f in a transaction that must succeed.
func update(t testing.TB, s *store.Store, f func(tx *store.Tx) error) {
	t.Helper()
	if err := s.Update(f); err != nil {
		t.Fatalf("update: %v", err)
	}
}

func view(t testing.TB, s *store.Store, f func(tx *store.Tx) error) {
	t.Helper()
	if err := s.View(f); err != nil {
		t.Fatalf("view: %v", err)
	}
}

func TestReopen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pbem.db")
	for want := uint64(1); want <= 3; want++ {
		s, err := store.Open(path, store.Options{})
		if err != nil {
			t.Fatal(err)
		}
		update(t, s, func(tx *store.Tx) error {
			id, err := tx.NextGame()
			if uint64(id) != want {
				t.Errorf("NextGame = %d, want %d", id, want)
			}
			return err
		})
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v; want 0600: there are addresses in it", info.Mode(), err)
	}
}

func TestOpenRefuses(t *testing.T) {
	dir := t.TempDir()
	file := func(name string, content []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	foreign := filepath.Join(dir, "foreign.db")
	editBolt(t, foreign, func(tx *bolt.Tx) error {
		_, err := tx.CreateBucket([]byte("something"))
		return err
	})
	newer := filepath.Join(dir, "newer.db")
	s, err := store.Open(newer, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s.Close()
	editBolt(t, newer, func(tx *bolt.Tx) error {
		return tx.Bucket([]byte("meta")).Put([]byte("schema"), []byte("99"))
	})
	tests := []struct {
		name, path string
		want       error
		text       string
	}{
		{"a text", file("text.db", []byte(strings.Repeat("no database\n", 1000))), store.ErrNoDatabase, "text.db"},
		{"a short text", file("short.db", []byte("x")), store.ErrNoDatabase, "short.db"},
		{"a folder", dir, store.ErrNoDatabase, "folder"},
		{"another program's database", foreign, store.ErrNoDatabase, "another program"},
		{"a newer schema", newer, store.ErrNewerSchema, "schema 99, this program knows schemas up to 2"},
		{"a missing folder", filepath.Join(dir, "none", "pbem.db"), os.ErrNotExist, "none"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, err := store.Open(tt.path, store.Options{})
			if err == nil {
				s.Close()
			}
			if !errors.Is(err, tt.want) || !strings.Contains(err.Error(), tt.text) {
				t.Errorf("Open = %v; want %v with %q in it", err, tt.want, tt.text)
			}
		})
	}
}

func editBolt(t *testing.T, path string, f func(*bolt.Tx) error) {
	t.Helper()
	db, err := bolt.Open(path, 0o600, &bolt.Options{Timeout: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.Update(f); err != nil {
		t.Fatal(err)
	}
}

// TestLocked holds the file from another process, as a second daemon would.
func TestLocked(t *testing.T) {
	if path := os.Getenv("STORE_TEST_HOLD"); path != "" {
		s, err := store.Open(path, store.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		os.Stdout.WriteString("held\n")
		os.Stdin.Read(make([]byte, 1))
		return
	}
	path := filepath.Join(t.TempDir(), "pbem.db")
	holder := exec.Command(os.Args[0], "-test.run=^TestLocked$")
	holder.Env = append(os.Environ(), "STORE_TEST_HOLD="+path)
	in, err := holder.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := holder.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := holder.Start(); err != nil {
		t.Fatal(err)
	}
	defer holder.Wait()
	defer in.Close()
	if _, err := out.Read(make([]byte, 5)); err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(path, store.Options{LockWait: 10 * time.Millisecond})
	if err == nil {
		s.Close()
	}
	if !errors.Is(err, store.ErrLocked) || !strings.Contains(err.Error(), "in use by another process") {
		t.Errorf("Open = %v; want %v", err, store.ErrLocked)
	}
}

func TestFailedUpdateLeavesNothing(t *testing.T) {
	s := open(t)
	var before, after string
	view(t, s, func(tx *store.Tx) error { before = everything(t, tx); return nil })
	boom := errors.New("boom")
	steps := fillSteps(t)
	for i := range steps {
		err := s.Update(func(tx *store.Tx) error {
			for _, step := range steps[:i+1] {
				if err := step(tx); err != nil {
					t.Fatalf("step %d: %v", i, err)
				}
			}
			return boom
		})
		if !errors.Is(err, boom) {
			t.Fatalf("Update = %v, want %v", err, boom)
		}
		view(t, s, func(tx *store.Tx) error { after = everything(t, tx); return nil })
		if after != before {
			t.Fatalf("after a failure behind step %d the database holds\n%s\nwant\n%s", i, after, before)
		}
	}
	func() { // A panic is no different.
		defer func() { recover() }()
		s.Update(func(tx *store.Tx) error {
			for _, step := range steps {
				step(tx)
			}
			panic(boom)
		})
	}()
	view(t, s, func(tx *store.Tx) error { after = everything(t, tx); return nil })
	if after != before {
		t.Fatalf("after a panic the database holds\n%s\nwant\n%s", after, before)
	}
	// And the writer is free again.
	update(t, s, func(tx *store.Tx) error {
		for _, step := range steps {
			if err := step(tx); err != nil {
				return err
			}
		}
		return nil
	})
	view(t, s, func(tx *store.Tx) error { after = everything(t, tx); return nil })
	if after == before {
		t.Error("the steps left nothing even when committed")
	}
}
