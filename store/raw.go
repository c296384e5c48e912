package store

import (
	"bytes"
	"fmt"
	"time"
)

// KeepRaw keeps the bytes of a mail as it came, as proof of what a player has
// written, until [Tx.ForgetRaw].
func (tx *Tx) KeepRaw(arrived time.Time, raw []byte) error {
	n, err := tx.next(bucketRaw)
	if err != nil {
		return err
	}
	if err := tx.bucket(bucketRaw).Put(append(appendTime(nil, arrived), idKey(n)...), raw); err != nil {
		return fmt.Errorf("keep raw mail: %w", err)
	}
	return nil
}

// Raws calls f for every mail kept that arrived at or after since, in the
// order they arrived. raw must not be changed, nor used after f has returned.
func (tx *Tx) Raws(since time.Time, f func(arrived time.Time, raw []byte) error) error {
	c := tx.bucket(bucketRaw).Cursor()
	for k, v := c.Seek(appendTime(nil, since)); k != nil; k, v = c.Next() {
		arrived, _, err := cutTime(k)
		if err != nil {
			return fmt.Errorf("raw mail: %w", err)
		}
		if err := f(arrived, v); err != nil {
			return err
		}
	}
	return nil
}

// ForgetRaw removes mails that arrived before t, the oldest first and at most
// limit, and returns how many went.
func (tx *Tx) ForgetRaw(before time.Time, limit int) (int, error) {
	var gone [][]byte
	end := appendTime(nil, before)
	c := tx.bucket(bucketRaw).Cursor()
	for k, _ := c.First(); k != nil && bytes.Compare(k, end) < 0 && len(gone) < limit; k, _ = c.Next() {
		gone = append(gone, bytes.Clone(k))
	}
	for _, k := range gone {
		if err := tx.bucket(bucketRaw).Delete(k); err != nil {
			return 0, fmt.Errorf("forget raw mail: %w", err)
		}
	}
	return len(gone), nil
}
