package store

import (
	"fmt"

	"pbem/game"
	"pbem/player"
	"pbem/rules"
)

// Doubts returns what can be read, but cannot have come about in play: records
// that speak of players there are none of, numbers that would be given a
// second time, games that go on behind their end by the rules.
func (tx *Tx) Doubts() (found []error) {
	found = append(found, tx.doubtNumbers()...)
	tx.bucket(bucketGames).ForEach(func(k, _ []byte) error {
		id, _, _ := cutID(k)
		g, err := tx.Game(game.ID(id))
		if err != nil {
			return nil // Check says so.
		}
		for _, p := range g.Players {
			found = append(found, tx.doubtPlayer(fmt.Sprintf("game %s", g.ID), p)...)
		}
		positions := make([]rules.Position, 0, g.Ply()+1)
		for i := range g.Ply() + 1 {
			p, _ := g.After(i)
			positions = append(positions, p)
		}
		if end := rules.Judge(positions); end.Outcome != rules.Ongoing && end != g.End {
			found = append(found, fmt.Errorf("game %s: by the rules it has ended (%s), but the record says otherwise", g.ID, end.Cause))
		}
		return nil
	})
	tx.bucket(bucketChallenges).ForEach(func(k, _ []byte) error {
		id, _, _ := cutID(k)
		c, err := tx.Challenge(game.ChallengeID(id))
		if err != nil {
			return nil
		}
		for _, p := range []player.ID{c.From, c.To} {
			found = append(found, tx.doubtPlayer(fmt.Sprintf("challenge %d", id), p)...)
		}
		return nil
	})
	return found
}

func (tx *Tx) doubtPlayer(what string, id player.ID) []error {
	if id == 0 || tx.bucket(bucketPlayers).Get(idKey(uint64(id))) != nil {
		return nil
	}
	return []error{fmt.Errorf("%s: there is no player %d", what, id)}
}

// doubtNumbers holds the highest number of each bucket against the last one
// given.
func (tx *Tx) doubtNumbers() (found []error) {
	given := map[string]string{bucketSetAsideRaw: bucketSetAside, bucketOutboxData: bucketOutbox, bucketFailed: bucketOutbox}
	for _, name := range buckets() {
		if !numbered(name) {
			continue
		}
		by := given[name]
		if by == "" {
			by = name
		}
		last, _ := tx.bucket(name).Cursor().Last()
		if last == nil {
			continue
		}
		if id, _, err := cutID(last); err == nil && id > tx.bucket(by).Sequence() {
			found = append(found, fmt.Errorf("%s: there is a number %d, but the last one given is %d", name, id, tx.bucket(by).Sequence()))
		}
	}
	return found
}
