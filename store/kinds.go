package store

import (
	"encoding/json"
	"fmt"
)

// kind is a bucket of records that have index entries.
type kind struct {
	bucket  string
	name    string // of one of them
	entries func(id uint64, data []byte) ([]entry, error)
}

func kinds() []kind {
	return []kind{
		{bucketPlayers, "player", entriesOf[playerRecord]},
		{bucketGames, "game", entriesOf[gameRecord]},
		{bucketChallenges, "challenge", entriesOf[challengeRecord]},
		{bucketHeld, "held message", entriesOf[heldRecord]},
		{bucketOutbox, "mail in the outbox", entriesOf[outgoingRecord]},
	}
}

// entriesOf returns the index entries that a record calls for, each once.
func entriesOf[R record](id uint64, data []byte) (entries []entry, err error) {
	var r R
	if err := json.Unmarshal(data, &r); err != nil {
		return nil, err
	}
	known := map[string]bool{}
	for _, e := range r.index(id) {
		if place := e.bucket + "\x00" + string(e.key); !known[place] {
			known[place] = true
			entries = append(entries, e)
		}
	}
	return entries, nil
}

// owner returns the bucket and number of the record that an index entry was
// made for.
func owner(index string, k, v []byte) (bucket string, id uint64, err error) {
	switch index {
	case indexAddress, indexName:
		id, _, err = cutID(v)
		return bucketPlayers, id, err
	case indexRunning, indexChallenges:
		bucket = bucketGames
		if index == indexChallenges {
			bucket = bucketChallenges
		}
		if len(k) == 16 {
			id, _, err = cutID(k[8:])
			return bucket, id, err
		}
	case indexEnded:
		if len(k) == 8+timeSize+8 {
			id, _, err = cutID(k[8+timeSize:])
			return bucketGames, id, err
		}
	case indexOutboxNext:
		if len(k) == timeSize+8 {
			id, _, err = cutID(k[timeSize:])
			return bucketOutbox, id, err
		}
	case indexDue:
		d, err := parseDue(k)
		switch {
		case err != nil:
			return "", 0, err
		case d.Game != 0:
			return bucketGames, uint64(d.Game), nil
		case d.Challenge != 0:
			return bucketChallenges, uint64(d.Challenge), nil
		case d.Player != 0:
			return bucketPlayers, uint64(d.Player), nil
		}
		return bucketHeld, uint64(d.Held), nil
	}
	return "", 0, fmt.Errorf("key %x has the wrong length", k)
}
