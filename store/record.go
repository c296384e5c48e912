package store

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	bolt "go.etcd.io/bbolt"

	"pbem/game"
)

// record is what is kept under one key, and where else it can be found.
type record interface {
	index(id uint64) []entry
}

// entry is one line of an index.
type entry struct {
	bucket     string
	key, value []byte
}

func (tx *Tx) bucket(name string) *bolt.Bucket { return tx.tx.Bucket([]byte(name)) }

// load reads the record under key; [game.ErrNotFound] if there is none.
func load[R any](tx *Tx, bucket string, key []byte) (r R, err error) {
	data := tx.bucket(bucket).Get(key)
	if data == nil {
		return r, game.ErrNotFound
	}
	if err := json.Unmarshal(data, &r); err != nil {
		return r, fmt.Errorf("record %x in %s: %w", key, bucket, err)
	}
	return r, nil
}

// put writes r under key.
func put(tx *Tx, bucket string, key []byte, r any) error {
	data, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("record %x in %s: %w", key, bucket, err)
	}
	return tx.bucket(bucket).Put(key, data)
}

// save writes r under id and brings its index entries up to date.
func save[R record](tx *Tx, bucket string, id uint64, r R) error {
	if id == 0 {
		return fmt.Errorf("save in %s: record without a number", bucket)
	}
	entries := r.index(id)
	old, err := load[R](tx, bucket, idKey(id))
	if err == nil {
		err = tx.unindex(old.index(id), entries)
	} else if err == game.ErrNotFound {
		err = nil
	}
	if err != nil {
		return err
	}
	for _, e := range entries {
		b := tx.bucket(e.bucket)
		if v := b.Get(e.key); v != nil && bytes.Equal(v, e.value) {
			continue
		}
		if err := b.Put(e.key, e.value); err != nil {
			return fmt.Errorf("index %s: %w", e.bucket, err)
		}
	}
	return put(tx, bucket, idKey(id), r)
}

// drop removes the record under id and its index entries; it is no error if
// there is none.
func drop[R record](tx *Tx, bucket string, id uint64) error {
	old, err := load[R](tx, bucket, idKey(id))
	if err == game.ErrNotFound {
		return nil
	}
	if err != nil {
		return err
	}
	if err := tx.unindex(old.index(id), nil); err != nil {
		return err
	}
	return tx.bucket(bucket).Delete(idKey(id))
}

// unindex removes the entries that are not in keep.
func (tx *Tx) unindex(entries, keep []entry) error {
	for _, e := range entries {
		kept := slices.ContainsFunc(keep, func(k entry) bool {
			return k.bucket == e.bucket && bytes.Equal(k.key, e.key)
		})
		if kept {
			continue
		}
		if err := tx.bucket(e.bucket).Delete(e.key); err != nil {
			return fmt.Errorf("index %s: %w", e.bucket, err)
		}
	}
	return nil
}

// idsUnder returns the numbers that follow prefix in an index, in order.
func (tx *Tx) idsUnder(index string, prefix []byte) (ids []uint64, err error) {
	c := tx.bucket(index).Cursor()
	for k, _ := c.Seek(prefix); bytes.HasPrefix(k, prefix); k, _ = c.Next() {
		id, _, err := cutID(k[len(prefix):])
		if err != nil {
			return nil, fmt.Errorf("index %s: %w", index, err)
		}
		ids = append(ids, id)
	}
	return ids, nil
}

// next returns a number of the bucket's sequence that was never given before.
func (tx *Tx) next(bucket string) (uint64, error) {
	id, err := tx.bucket(bucket).NextSequence()
	if err != nil {
		return 0, fmt.Errorf("next number of %s: %w", bucket, err)
	}
	return id, nil
}
