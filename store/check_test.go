package store_test

import (
	"path/filepath"
	"strings"
	"testing"

	bolt "go.etcd.io/bbolt"

	"pbem/store"
)

// TestCheck spoils a database in every way that Check looks for.
func TestCheck(t *testing.T) {
	first := func(b *bolt.Bucket) []byte { k, _ := b.Cursor().First(); return k }
	tests := []struct {
		name, want string
		spoil      func(tx *bolt.Tx) error
	}{
		{"an index entry is missing", "index players.address: 2 entries, want 3", func(tx *bolt.Tx) error {
			b := tx.Bucket([]byte("players.address"))
			return b.Delete(first(b))
		}},
		{"an index entry too many", "belongs to no record", func(tx *bolt.Tx) error {
			return tx.Bucket([]byte("games.running")).Put(make([]byte, 16), nil)
		}},
		{"an index entry points elsewhere", "index players.name", func(tx *bolt.Tx) error {
			b := tx.Bucket([]byte("players.name"))
			return b.Put(first(b), []byte("\x00\x00\x00\x00\x00\x00\x00\x09Hana"))
		}},
		{"a record is no JSON", "challenges 0000000000000001", func(tx *bolt.Tx) error {
			b := tx.Bucket([]byte("challenges"))
			return b.Put(first(b), []byte("{"))
		}},
		{"a game cannot be replayed", "game #1, ply 1", func(tx *bolt.Tx) error {
			b := tx.Bucket([]byte("games"))
			k, v := b.Cursor().First()
			return b.Put(k, []byte(strings.Replace(string(v), "7g7f", "7g7e", 1)))
		}},
		{"a mail has lost its bytes", "its bytes are missing", func(tx *bolt.Tx) error {
			b := tx.Bucket([]byte("outbox.data"))
			return b.Delete(first(b))
		}},
		{"bytes without a mail", "bytes of 2 mails, but 1 mails", func(tx *bolt.Tx) error {
			return tx.Bucket([]byte("outbox.data")).Put([]byte("\x00\x00\x00\x00\x00\x00\x00\x09"), []byte("x"))
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "pbem.db")
			check := func() error {
				t.Helper()
				s, err := store.Open(path, store.Options{NoSync: true})
				if err != nil {
					t.Fatal(err)
				}
				defer s.Close()
				return s.View((*store.Tx).Check)
			}
			s, err := store.Open(path, store.Options{NoSync: true})
			if err != nil {
				t.Fatal(err)
			}
			update(t, s, func(tx *store.Tx) error {
				for _, step := range fillSteps(t) {
					if err := step(tx); err != nil {
						return err
					}
				}
				return nil
			})
			s.Close()
			if err := check(); err != nil {
				t.Fatalf("Check before: %v", err)
			}
			editBolt(t, path, tt.spoil)
			if err := check(); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Check = %v; want %q in it", err, tt.want)
			}
		})
	}
}
