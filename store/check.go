package store

import (
	"encoding/json"
	"errors"
	"fmt"

	"pbem/game"
)

// Check reads the whole database and returns, joined, everything in it that
// is not as it should be: pages that bbolt finds damaged, records that cannot
// be read, indexes that say anything else than the records do.
func (tx *Tx) Check() error {
	var found []error
	for err := range tx.tx.Check() {
		found = append(found, err)
	}
	want := map[string]map[string]string{}
	for _, index := range []string{indexAddress, indexName, indexRunning, indexEnded, indexChallenges, indexDue, indexOutboxNext} {
		want[index] = map[string]string{}
	}
	found = append(found, collect[playerRecord](tx, bucketPlayers, want)...)
	found = append(found, collect[gameRecord](tx, bucketGames, want)...)
	found = append(found, collect[challengeRecord](tx, bucketChallenges, want)...)
	found = append(found, collect[heldRecord](tx, bucketHeld, want)...)
	found = append(found, collect[outgoingRecord](tx, bucketOutbox, want)...)
	for index, entries := range want {
		found = append(found, tx.compare(index, entries)...)
	}
	found = append(found, tx.checkGames()...)
	found = append(found, tx.checkOutbox()...)
	return errors.Join(found...)
}

// collect adds the index entries that the records of a bucket call for.
func collect[R record](tx *Tx, bucket string, want map[string]map[string]string) (found []error) {
	tx.bucket(bucket).ForEach(func(k, v []byte) error {
		id, _, err := cutID(k)
		var r R
		if err == nil {
			err = json.Unmarshal(v, &r)
		}
		if err != nil {
			found = append(found, fmt.Errorf("%s %x: %w", bucket, k, err))
			return nil
		}
		for _, e := range r.index(id) {
			if other, taken := want[e.bucket][string(e.key)]; taken && other != string(e.value) {
				found = append(found, fmt.Errorf("%s %d: somebody else has its entry in %s", bucket, id, e.bucket))
			}
			want[e.bucket][string(e.key)] = string(e.value)
		}
		return nil
	})
	return found
}

// compare holds an index against the entries it should have.
func (tx *Tx) compare(index string, want map[string]string) (found []error) {
	n := 0
	tx.bucket(index).ForEach(func(k, v []byte) error {
		n++
		if value, ok := want[string(k)]; !ok {
			found = append(found, fmt.Errorf("index %s: entry %x belongs to no record", index, k))
		} else if value != string(v) {
			found = append(found, fmt.Errorf("index %s: entry %x is %x, want %x", index, k, v, value))
		}
		return nil
	})
	if n < len(want) {
		found = append(found, fmt.Errorf("index %s: %d entries, want %d", index, n, len(want)))
	}
	return found
}

// checkGames replays every game.
func (tx *Tx) checkGames() (found []error) {
	tx.bucket(bucketGames).ForEach(func(k, _ []byte) error {
		id, _, err := cutID(k)
		if err == nil {
			_, err = tx.Game(game.ID(id))
		}
		if err != nil {
			found = append(found, err)
		}
		return nil
	})
	return found
}

// checkOutbox finds mails without bytes, and bytes without a mail.
func (tx *Tx) checkOutbox() (found []error) {
	n := 0
	for _, bucket := range []string{bucketOutbox, bucketFailed} {
		tx.bucket(bucket).ForEach(func(k, _ []byte) error {
			n++
			if tx.bucket(bucketOutboxData).Get(k) == nil {
				found = append(found, fmt.Errorf("%s %x: its bytes are missing", bucket, k))
			}
			return nil
		})
	}
	if have := tx.bucket(bucketOutboxData).Stats().KeyN; have > n {
		found = append(found, fmt.Errorf("outbox: bytes of %d mails, but %d mails", have, n))
	}
	return found
}
