package store_test

import (
	"slices"
	"testing"
	"time"

	"pbem/game"
	"pbem/store"
)

func TestOutages(t *testing.T) {
	s := open(t)
	view(t, s, func(tx *store.Tx) error {
		alive, err := tx.Alive()
		if !alive.IsZero() {
			t.Errorf("Alive() = %v in a new database", alive)
		}
		outages, e := tx.Outages()
		if len(outages) != 0 || e != nil {
			t.Errorf("Outages() = %v, %v in a new database", outages, e)
		}
		return err
	})
	var want []game.Outage
	for i := range 150 {
		o := game.Outage{From: noon.Add(time.Duration(i) * time.Hour), To: noon.Add(time.Duration(i)*time.Hour + time.Minute)}
		want = append(want, o)
		update(t, s, func(tx *store.Tx) error {
			if err := tx.SetAlive(o.To); err != nil {
				return err
			}
			return tx.AddOutage(o)
		})
	}
	view(t, s, func(tx *store.Tx) error {
		got, err := tx.Outages()
		if !slices.Equal(got, want[50:]) {
			t.Errorf("%d outages from %v on; want the last 100", len(got), got[0])
		}
		if alive, err := tx.Alive(); !alive.Equal(want[149].To) || err != nil {
			t.Errorf("Alive() = %v, %v; want %v", alive, err, want[149].To)
		}
		return err
	})
}
