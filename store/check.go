package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"pbem/game"
)

// Check reads the whole database and returns, joined, everything in it that
// is not as it should be: pages that bbolt finds damaged, records that cannot
// be read, games that cannot be replayed, indexes that say anything else than
// the records do, parts that are missing. Nobody may write meanwhile: it is
// for databases at rest and snapshots.
func (tx *Tx) Check() error {
	var found []error
	for err := range tx.tx.Check() {
		found = append(found, fmt.Errorf("structure: %w", err))
	}
	if len(found) > 0 {
		return errors.Join(found...) // What stands on such pages cannot be relied on.
	}
	for _, name := range buckets() {
		if tx.bucket(name) == nil {
			return fmt.Errorf("bucket %s is missing", name)
		}
	}
	want := map[string]int{} // entries, by index
	for _, k := range kinds() {
		found = append(found, tx.checkRecords(k, want)...)
	}
	for _, index := range indexes() {
		found = append(found, tx.checkIndex(index, want[index])...)
	}
	found = append(found, tx.checkGames()...)
	found = append(found, tx.checkPlain()...)
	found = append(found, tx.checkMails()...)
	found = append(found, tx.checkLedger()...)
	found = append(found, tx.checkTraffic()...)
	return errors.Join(found...)
}

// checkRecords finds records that cannot be read, and those an index does not
// lead to. It counts the entries each index should have.
func (tx *Tx) checkRecords(kind kind, want map[string]int) (found []error) {
	tx.bucket(kind.bucket).ForEach(func(k, v []byte) error {
		id, rest, err := cutID(k)
		if err != nil || len(rest) > 0 || id == 0 {
			found = append(found, fmt.Errorf("%s %x: this is no number", kind.name, k))
			return nil
		}
		entries, err := kind.entries(id, v)
		if err != nil {
			found = append(found, fmt.Errorf("%s %d: the record cannot be read: %w", kind.name, id, err))
			return nil
		}
		for _, e := range entries {
			want[e.bucket]++
			switch there := tx.bucket(e.bucket).Get(e.key); {
			case there == nil:
				found = append(found, fmt.Errorf("%s %d: it is missing from the index %s", kind.name, id, e.bucket))
			case !bytes.Equal(there, e.value):
				found = append(found, fmt.Errorf("%s %d: the index %s leads elsewhere in its place", kind.name, id, e.bucket))
			}
		}
		return nil
	})
	return found
}

// checkIndex finds entries that no record calls for. Every record has been
// looked up in the index before, so if the number is right, all is.
func (tx *Tx) checkIndex(index string, want int) (found []error) {
	if tx.bucket(index).Stats().KeyN == want {
		return nil
	}
	tx.bucket(index).ForEach(func(k, v []byte) error {
		bucket, id, err := owner(index, k, v)
		if err != nil {
			found = append(found, fmt.Errorf("index %s: %w", index, err))
			return nil
		}
		entries := []entry(nil)
		if data := tx.bucket(bucket).Get(idKey(id)); data != nil {
			i := slices.IndexFunc(kinds(), func(k kind) bool { return k.bucket == bucket })
			if entries, err = kinds()[i].entries(id, data); err != nil {
				return nil // It has been told.
			}
		}
		called := slices.ContainsFunc(entries, func(e entry) bool { return e.bucket == index && bytes.Equal(e.key, k) })
		if !called {
			found = append(found, fmt.Errorf("index %s: an entry for %d of %s belongs to no record", index, id, bucket))
		}
		return nil
	})
	return found
}

// checkGames replays every game.
func (tx *Tx) checkGames() (found []error) {
	tx.bucket(bucketGames).ForEach(func(k, _ []byte) error {
		if id, _, err := cutID(k); err == nil {
			if _, err := tx.Game(game.ID(id)); err != nil {
				found = append(found, err)
			}
		}
		return nil
	})
	return found
}

// checkPlain reads the records that have no index.
func (tx *Tx) checkPlain() (found []error) {
	read := func(bucket string, into func() any) {
		tx.bucket(bucket).ForEach(func(k, v []byte) error {
			if err := json.Unmarshal(v, into()); err != nil {
				found = append(found, fmt.Errorf("%s %s: the record cannot be read: %w", bucket, number(k), err))
			}
			return nil
		})
	}
	read(bucketFailed, func() any { return new(outgoingRecord) })
	read(bucketSetAside, func() any { return new(setAsideRecord) })
	read(bucketCursors, func() any { return new(Cursor) })
	read(bucketAttempts, func() any { return new(attemptRecord) })
	return found
}
