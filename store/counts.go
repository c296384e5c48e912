package store

import (
	"encoding/json"
	"fmt"
)

// Counts is how much there is of what.
type Counts struct {
	Players    int
	OutOfReach int // of those, the ones from whom mail comes back
	Running    int // games
	Ended      int
	Challenges int // open
	Held       int // messages to be confirmed
	Waiting    int // mails in the outbox
	GivenUp    int // mails
	SetAside   int // messages
}

// Counts counts. Its cost is that of reading all players and all keys.
func (tx *Tx) Counts() (Counts, error) {
	n := func(bucket string) int { return tx.bucket(bucket).Stats().KeyN }
	c := Counts{
		Players: n(bucketPlayers), Running: n(indexRunning) / 2, Challenges: n(bucketChallenges), Held: n(bucketHeld),
		Waiting: n(bucketOutbox), GivenUp: n(bucketFailed), SetAside: n(bucketSetAside),
	}
	c.Ended = n(bucketGames) - c.Running
	err := tx.bucket(bucketPlayers).ForEach(func(k, v []byte) error {
		var r struct {
			Bounces bouncesRecord `json:"bounces"`
		}
		if err := json.Unmarshal(v, &r); err != nil {
			return fmt.Errorf("player %s: %w", number(k), err)
		}
		if !r.Bounces.Since.IsZero() {
			c.OutOfReach++
		}
		return nil
	})
	return c, err
}
