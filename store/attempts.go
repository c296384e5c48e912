package store

import (
	"encoding/json"
	"fmt"
	"time"

	"pbem/game"
)

// attemptRecord is a message that has been begun and not been done with.
type attemptRecord struct {
	Failures int       `json:"failures,omitempty"`
	Open     uint64    `json:"open,omitempty"` // turn in the order of those begun; 0: not in hand
	Last     time.Time `json:"last"`
	Why      string    `json:"why,omitempty"` // the last failure
}

// Attempt is how the tries at a message have ended so far.
type Attempt struct {
	Failures int
	Why      string // the last failure
	Turn     uint64 // place in the order of those begun; messages begun together share one
}

// Begin notes that the messages with these hashes of their raw bytes are
// taken in hand, one after the other, and returns how earlier tries at each
// have ended. It is to be committed before any of them is looked into: one
// that takes the process with it is then found by [Tx.Crashed].
func (tx *Tx) Begin(raw [][32]byte, now time.Time) ([]Attempt, error) {
	return tx.BeginTogether(raw, 1, now)
}

// BeginTogether is Begin for messages that are handled in one transaction: up
// to most that follow each other and have not failed before share a turn. One
// that has failed has its turn alone.
func (tx *Tx) BeginTogether(raw [][32]byte, most int, now time.Time) ([]Attempt, error) {
	attempts := make([]Attempt, len(raw))
	turn, sharing := uint64(0), 0
	for i, hash := range raw {
		r, err := load[attemptRecord](tx, bucketAttempts, hash[:])
		if err != nil && err != game.ErrNotFound {
			return nil, err
		}
		if sharing == 0 || sharing >= most || r.Failures > 0 {
			if turn, err = tx.next(bucketAttempts); err != nil {
				return nil, err
			}
			sharing = 0
		}
		if r.Failures == 0 {
			sharing++
		}
		r.Open, r.Last = turn, now.UTC()
		attempts[i] = Attempt{Failures: r.Failures, Why: r.Why, Turn: turn}
		if err := put(tx, bucketAttempts, hash[:], r); err != nil {
			return nil, err
		}
	}
	return attempts, nil
}

// Crashed is called once when a process begins. If the last one ended with
// messages in hand, the first of those, and those that share its turn, count
// as failed for the reason given, and crashed is true; those behind had not
// been looked into.
func (tx *Tx) Crashed(why string, now time.Time) (crashed bool, err error) {
	open, err := tx.openAttempts()
	if err != nil {
		return false, err
	}
	first := uint64(0)
	for _, r := range open {
		if first == 0 || r.Open < first {
			first = r.Open
		}
	}
	for hash, r := range open {
		if r.Open == first {
			if _, err := tx.FailAttempt(hash, why, now); err != nil {
				return false, err
			}
		}
	}
	return first != 0, tx.LetGo()
}

// LetGo ends that any message is in hand, without blame.
func (tx *Tx) LetGo() error {
	open, err := tx.openAttempts()
	if err != nil {
		return err
	}
	for hash, r := range open {
		r.Open = 0
		if r.Failures == 0 {
			err = tx.Settle(hash)
		} else {
			err = put(tx, bucketAttempts, hash[:], r)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (tx *Tx) openAttempts() (map[[32]byte]attemptRecord, error) {
	open := map[[32]byte]attemptRecord{}
	err := tx.bucket(bucketAttempts).ForEach(func(k, v []byte) error {
		var r attemptRecord
		if err := json.Unmarshal(v, &r); err != nil {
			return fmt.Errorf("attempts %x: %w", k, err)
		}
		if r.Open != 0 && len(k) == 32 {
			open[[32]byte(k)] = r
		}
		return nil
	})
	return open, err
}

// FailAttempt counts a try at a message that has failed by the message's own
// fault, and returns how many that makes.
func (tx *Tx) FailAttempt(raw [32]byte, why string, now time.Time) (int, error) {
	r, err := load[attemptRecord](tx, bucketAttempts, raw[:])
	if err != nil && err != game.ErrNotFound {
		return 0, err
	}
	r.Failures++
	r.Open, r.Why, r.Last = 0, why, now.UTC()
	return r.Failures, put(tx, bucketAttempts, raw[:], r)
}

// Settle forgets the tries at a message that is done with.
func (tx *Tx) Settle(raw [32]byte) error { return tx.bucket(bucketAttempts).Delete(raw[:]) }

func (tx *Tx) forgetAttempts(before time.Time) error {
	return deleteWhere(tx.bucket(bucketAttempts), func(_, v []byte) (bool, error) {
		var r attemptRecord
		err := json.Unmarshal(v, &r)
		return err != nil || r.Last.Before(before), nil
	})
}
