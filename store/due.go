package store

import (
	"fmt"
	"time"

	"pbem/game"
	"pbem/player"
)

// What a due entry is about, as a byte of its key.
const (
	dueGame      = 'g'
	dueChallenge = 'c'
	dueHeld      = 'h'
	duePlayer    = 'p'
)

// dueEntry is the entry of a record that asks for attention at t; none for
// the zero time.
func dueEntry(t time.Time, kind byte, id uint64) []entry {
	if t.IsZero() {
		return nil
	}
	key := append(appendTime(nil, t), kind)
	return []entry{{indexDue, append(key, idKey(id)...), nil}}
}

// Due returns what is due at now, earliest first, and no more than limit
// records; a limit below 1 is none.
func (tx *Tx) Due(now time.Time, limit int) ([]game.Due, error) {
	var due []game.Due
	c := tx.bucket(indexDue).Cursor()
	for k, _ := c.First(); k != nil && (limit < 1 || len(due) < limit); k, _ = c.Next() {
		d, err := parseDue(k)
		if err != nil {
			return nil, err
		}
		if d.At.After(now) {
			break
		}
		due = append(due, d)
	}
	return due, nil
}

func parseDue(key []byte) (d game.Due, err error) {
	at, rest, err := cutTime(key)
	if err != nil {
		return d, fmt.Errorf("index due: %w", err)
	}
	if len(rest) != 9 {
		return d, fmt.Errorf("index due: key %x has the wrong length", key)
	}
	id, _, err := cutID(rest[1:])
	if err != nil {
		return d, fmt.Errorf("index due: %w", err)
	}
	d.At = at
	switch rest[0] {
	case dueGame:
		d.Game = game.ID(id)
	case dueChallenge:
		d.Challenge = game.ChallengeID(id)
	case dueHeld:
		d.Held = player.HeldID(id)
	case duePlayer:
		d.Player = player.ID(id)
	default:
		return d, fmt.Errorf("index due: key %x is of no known kind", key)
	}
	return d, nil
}
