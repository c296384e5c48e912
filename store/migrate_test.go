package store_test

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"testing"

	"pbem/store"
)

// unpack returns the path of a copy of testdata/name.gz.
func unpack(t *testing.T, name string) string {
	t.Helper()
	in, err := os.Open(filepath.Join("testdata", name+".gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	z, err := gzip.NewReader(in)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestMigrate opens the saved database of every schema that was ever released.
func TestMigrate(t *testing.T) {
	for _, name := range []string{"schema1.db"} {
		t.Run(name, func(t *testing.T) {
			s, err := store.Open(unpack(t, name), store.Options{NoSync: true})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			view(t, s, func(tx *store.Tx) error {
				checkSample(t, tx)
				if found := tx.Doubts(); len(found) > 0 {
					t.Errorf("doubts: %v", found)
				}
				return tx.Check()
			})
			update(t, s, func(tx *store.Tx) error { return checkSampleGoesOn(t, tx) })
			view(t, s, (*store.Tx).Check)
		})
	}
}
