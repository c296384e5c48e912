package store

import (
	"fmt"
	"time"

	"pbem/game"
	"pbem/player"
)

type challengeRecord struct {
	From     uint64          `json:"from"`
	To       uint64          `json:"to"`
	Side     string          `json:"side,omitempty"` // of From
	Variant  string          `json:"variant"`
	Handicap string          `json:"handicap,omitempty"`
	Strict   bool            `json:"strict,omitempty"`
	Clock    string          `json:"clock,omitempty"` // as clock.Parse reads it; empty: no limit
	Weekends bool            `json:"weekends,omitempty"`
	Made     time.Time       `json:"made"`
	Expires  time.Time       `json:"expires"`
	Threads  [2]threadRecord `json:"threads"` // From's, To's
}

func (r challengeRecord) index(id uint64) []entry {
	entries := []entry{
		{indexChallenges, append(idKey(r.From), idKey(id)...), nil},
		{indexChallenges, append(idKey(r.To), idKey(id)...), nil},
	}
	return append(entries, dueEntry(r.Expires, dueChallenge, id)...)
}

// sides are how a wish for a side is written, by game.Side.
func sides() []string { return []string{"", "black", "white"} }

func sideText(s game.Side) (string, error) {
	if texts := sides(); int(s) < len(texts) {
		return texts[s], nil
	}
	return "", fmt.Errorf("side %d is not known", s)
}

func parseSide(text string) (game.Side, error) {
	for s, t := range sides() {
		if t == text {
			return game.Side(s), nil
		}
	}
	return 0, fmt.Errorf("side %q is not known", text)
}

// Challenge returns the challenge with the number id.
func (tx *Tx) Challenge(id game.ChallengeID) (game.Challenge, error) {
	r, err := load[challengeRecord](tx, bucketChallenges, idKey(uint64(id)))
	if err != nil {
		return game.Challenge{}, fmt.Errorf("challenge %d: %w", id, err)
	}
	side, err := parseSide(r.Side)
	if err != nil {
		return game.Challenge{}, fmt.Errorf("read challenge %d: %w", id, err)
	}
	control, err := parseControl(r.Clock, r.Weekends)
	if err != nil {
		return game.Challenge{}, fmt.Errorf("read challenge %d: %w", id, err)
	}
	return game.Challenge{
		ID: id, From: player.ID(r.From), To: player.ID(r.To), Side: side,
		Terms: game.Terms{Variant: r.Variant, Handicap: r.Handicap, Clock: control, Strict: r.Strict},
		Made:  r.Made, Expires: r.Expires,
		Threads: [2]game.Thread{game.Thread(r.Threads[0]), game.Thread(r.Threads[1])},
	}, nil
}

// ChallengesOf returns the challenges a player has made or received, by
// number.
func (tx *Tx) ChallengesOf(id player.ID) ([]game.Challenge, error) {
	ids, err := tx.idsUnder(indexChallenges, idKey(uint64(id)))
	if err != nil {
		return nil, err
	}
	challenges := make([]game.Challenge, len(ids))
	for i, n := range ids {
		if challenges[i], err = tx.Challenge(game.ChallengeID(n)); err != nil {
			return nil, err
		}
	}
	return challenges, nil
}

// SaveChallenge writes c.
func (tx *Tx) SaveChallenge(c game.Challenge) error {
	side, err := sideText(c.Side)
	if err != nil {
		return fmt.Errorf("save challenge %d: %w", c.ID, err)
	}
	return save(tx, bucketChallenges, uint64(c.ID), challengeRecord{
		From: uint64(c.From), To: uint64(c.To), Side: side,
		Variant: c.Terms.Variant, Handicap: c.Terms.Handicap, Strict: c.Terms.Strict,
		Clock: controlText(c.Terms.Clock), Weekends: c.Terms.Clock.Weekends,
		Made: c.Made.UTC(), Expires: c.Expires.UTC(),
		Threads: [2]threadRecord{threadRecord(c.Threads[0]), threadRecord(c.Threads[1])},
	})
}

// DropChallenge removes a challenge; it is no error if there is none.
func (tx *Tx) DropChallenge(id game.ChallengeID) error {
	return drop[challengeRecord](tx, bucketChallenges, uint64(id))
}

// NextChallenge returns a number for a new challenge.
func (tx *Tx) NextChallenge() (game.ChallengeID, error) {
	id, err := tx.next(bucketChallenges)
	return game.ChallengeID(id), err
}
