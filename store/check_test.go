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
		{"an index entry is missing", "player 1: it is missing from the index players.address", func(tx *bolt.Tx) error {
			b := tx.Bucket([]byte("players.address"))
			return b.Delete(first(b))
		}},
		{"an index entry too many", "belongs to no record", func(tx *bolt.Tx) error {
			return tx.Bucket([]byte("games.running")).Put(make([]byte, 16), nil)
		}},
		{"an index entry points elsewhere", "player 1: the index players.name leads elsewhere in its place", func(tx *bolt.Tx) error {
			b := tx.Bucket([]byte("players.name"))
			return b.Put(first(b), []byte("\x00\x00\x00\x00\x00\x00\x00\x09Hana"))
		}},
		{"a record is no JSON", "challenge 1: the record cannot be read", func(tx *bolt.Tx) error {
			b := tx.Bucket([]byte("challenges"))
			return b.Put(first(b), []byte("{"))
		}},
		{"a game cannot be replayed", "game #1, ply 1", func(tx *bolt.Tx) error {
			b := tx.Bucket([]byte("games"))
			k, v := b.Cursor().First()
			return b.Put(k, []byte(strings.Replace(string(v), "7g7f", "7g7e", 1)))
		}},
		{"a mail has lost its bytes", "outbox: mail 1 has lost its bytes", func(tx *bolt.Tx) error {
			b := tx.Bucket([]byte("outbox.data"))
			return b.Delete(first(b))
		}},
		{"bytes without a mail", "outbox: there are the bytes of 2 mails, but 1 mails", func(tx *bolt.Tx) error {
			return tx.Bucket([]byte("outbox.data")).Put([]byte("\x00\x00\x00\x00\x00\x00\x00\x09"), []byte("x"))
		}},
		{"a message in quarantine has lost its bytes", "quarantine: mail 1 has lost its bytes", func(tx *bolt.Tx) error {
			b := tx.Bucket([]byte("quarantine.raw"))
			return b.Delete(first(b))
		}},
		{"the ended games are one too many", "an entry for 9 of games belongs to no record", func(tx *bolt.Tx) error {
			return tx.Bucket([]byte("games.ended")).Put([]byte("12345678123456789012\x00\x00\x00\x00\x00\x00\x00\x09"), nil)
		}},
		{"the outbox leads to no mail", "an entry for 9 of outbox belongs to no record", func(tx *bolt.Tx) error {
			return tx.Bucket([]byte("outbox.next")).Put([]byte("123456789012\x00\x00\x00\x00\x00\x00\x00\x09"), nil)
		}},
		{"a due time that nobody asked for", "an entry for 9 of games belongs to no record", func(tx *bolt.Tx) error {
			return tx.Bucket([]byte("due")).Put([]byte("123456789012g\x00\x00\x00\x00\x00\x00\x00\x09"), nil)
		}},
		{"a due time is of no known kind", "is of no known kind", func(tx *bolt.Tx) error {
			return tx.Bucket([]byte("due")).Put([]byte("123456789012?\x00\x00\x00\x00\x00\x00\x00\x09"), nil)
		}},
		{"the ledger would never forget", "seen.hash has 1 entries, but 0 lines", func(tx *bolt.Tx) error {
			b := tx.Bucket([]byte("seen.time"))
			c := b.Cursor()
			for k, v := c.First(); k != nil; k, v = c.Next() {
				if v[0] == 'h' {
					return b.Delete(k)
				}
			}
			return nil
		}},
		{"the ledger has lost a message", "is of a message that is not known", func(tx *bolt.Tx) error {
			b := tx.Bucket([]byte("seen.place"))
			return b.Delete(first(b))
		}},
		{"traffic would never be forgotten", "traffic: entry", func(tx *bolt.Tx) error {
			b := tx.Bucket([]byte("traffic.time"))
			return b.Delete(first(b))
		}},
		{"a cursor is no JSON", "cursors", func(tx *bolt.Tx) error {
			b := tx.Bucket([]byte("cursors"))
			return b.Put(first(b), []byte("nine"))
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
