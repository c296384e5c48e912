package store_test

import (
	"slices"
	"strings"
	"testing"

	"pbem/game"
	"pbem/rules"
	"pbem/store"
)

func TestDoubts(t *testing.T) {
	s := open(t)
	check := func(want ...string) {
		t.Helper()
		view(t, s, func(tx *store.Tx) error {
			found := tx.Doubts()
			if len(found) != len(want) {
				t.Fatalf("Doubts = %v, want %q", found, want)
			}
			for i, err := range found {
				if !strings.Contains(err.Error(), want[i]) {
					t.Errorf("doubt %d is %v, want %q in it", i, err, want[i])
				}
			}
			return nil
		})
	}
	update(t, s, func(tx *store.Tx) error { return saveSample(t, tx) })
	check()
	g := newGame(t, 3, 1, 7, game.Terms{Variant: "shogi"})
	update(t, s, func(tx *store.Tx) error { return tx.SaveGame(g) })
	check("games: there is a number 3, but the last one given is 2", "game #3: there is no player 7")

	shuffle := []string{"4i4h", "4a4b", "4h4i", "4b4a"}
	ended := newGame(t, 3, 1, 2, game.Terms{Variant: "shogi"}, slices.Repeat(shuffle, 3)...)
	if ended.End.Cause != rules.Repetition {
		t.Fatalf("the game ended by %q", ended.End.Cause)
	}
	ended.End = rules.End{}
	update(t, s, func(tx *store.Tx) error { tx.NextGame(); return tx.SaveGame(ended) })
	check("game #3: by the rules it has ended (repetition)")
}
