package store

import (
	"bytes"
	"fmt"

	bolt "go.etcd.io/bbolt"
)

// reindex makes the index entries of every record.
func reindex(db *bolt.DB) error {
	for _, kind := range kinds() {
		for after, more := []byte(nil), true; more; {
			err := db.Update(func(tx *bolt.Tx) (err error) {
				after, more, err = reindexSome(tx, kind, after, 5000)
				return err
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// reindexSome does so for the records of a kind that follow the key after, at
// most so many, and returns the key of the last one, and whether there are
// more.
func reindexSome(tx *bolt.Tx, kind kind, after []byte, most int) (last []byte, more bool, err error) {
	c := tx.Bucket([]byte(kind.bucket)).Cursor()
	k, v := c.First()
	if after != nil {
		c.Seek(after)
		k, v = c.Next()
	}
	for n := 0; k != nil && n < most; n++ {
		id, _, err := cutID(k)
		if err != nil {
			return nil, false, fmt.Errorf("%s: %w", kind.bucket, err)
		}
		entries, err := kind.entries(id, v)
		if err != nil {
			return nil, false, fmt.Errorf("%s %d: %w", kind.name, id, err)
		}
		for _, e := range entries {
			if err := tx.Bucket([]byte(e.bucket)).Put(e.key, e.value); err != nil {
				return nil, false, err
			}
		}
		last = bytes.Clone(k)
		k, v = c.Next()
	}
	return last, k != nil, nil
}
