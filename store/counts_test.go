package store_test

import (
	"testing"

	"pbem/player"
	"pbem/store"
)

func TestCounts(t *testing.T) {
	s := open(t)
	update(t, s, func(tx *store.Tx) error {
		if err := saveSample(t, tx); err != nil {
			return err
		}
		p := samplePlayers()[1]
		p.Bounces = player.Bounces{Since: noon}
		return tx.SavePlayer(p)
	})
	view(t, s, func(tx *store.Tx) error {
		got, err := tx.Counts()
		want := store.Counts{Players: 2, OutOfReach: 1, Running: 1, Ended: 1, Challenges: 1, Held: 1, Waiting: 1, GivenUp: 1, SetAside: 2}
		if got != want {
			t.Errorf("Counts = %+v; want %+v", got, want)
		}
		return err
	})
}
