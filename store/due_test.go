package store_test

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"pbem/game"
	"pbem/player"
	"pbem/store"
)

// TestDueRandom holds the index against a list that is searched from end to
// end, while records of all kinds come, change and go.
func TestDueRandom(t *testing.T) {
	t.Parallel()
	for seed := range uint64(3) {
		r := rand.New(rand.NewPCG(seed, 7))
		s := open(t)
		want := map[game.Due]time.Time{} // by record, At left out
		games := map[game.ID]game.Game{}
		for step := range 300 {
			id := uint64(1 + r.IntN(20))
			// In the same moment, before 1970, and with fractions, too.
			at := []time.Time{{}, noon, time.Unix(-5, 3).UTC(), noon.Add(time.Duration(r.Int64N(int64(time.Hour))))}[r.IntN(4)]
			update(t, s, func(tx *store.Tx) error {
				switch kind := r.IntN(4); kind {
				case 0, 1:
					g, ok := games[game.ID(id)]
					if !ok {
						g = newGame(t, game.ID(id), 1, 2, game.Terms{Variant: "shogi"})
					}
					g.Due = at
					if kind == 1 && r.IntN(10) == 0 && !g.Over() {
						g, _ = g.Resign(1, noon)
					}
					games[g.ID] = g
					want[game.Due{Game: g.ID}] = g.Due
					return tx.SaveGame(g)
				case 2:
					key := game.Due{Challenge: game.ChallengeID(id)}
					if r.IntN(3) == 0 {
						delete(want, key)
						return tx.DropChallenge(key.Challenge)
					}
					want[key] = at
					return tx.SaveChallenge(game.Challenge{ID: key.Challenge, From: 1, To: 2, Expires: at})
				default:
					key := game.Due{Held: player.HeldID(id)}
					if r.IntN(3) == 0 {
						delete(want, key)
						return tx.DropHeld(key.Held)
					}
					want[key] = at
					return tx.SaveHeld(player.Held{ID: key.Held, Expires: at})
				}
			})
			now, limit := noon.Add(time.Duration(r.Int64N(int64(time.Hour)))), r.IntN(10)
			view(t, s, func(tx *store.Tx) error {
				got, err := tx.Due(now, limit)
				if list := dueBySearch(want, now, limit); !slices.Equal(got, list) {
					t.Fatalf("seed %d, step %d: Due(%v, %d) = %v, want %v", seed, step, now, limit, got, list)
				}
				return err
			})
		}
	}
}

func dueBySearch(records map[game.Due]time.Time, now time.Time, limit int) (list []game.Due) {
	for d, at := range records {
		if !at.IsZero() && !at.After(now) {
			d.At = at
			list = append(list, d)
		}
	}
	slices.SortFunc(list, func(a, b game.Due) int { // challenges, then games, then held messages
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(rank(a), rank(b)),
			cmp.Compare(a.Game, b.Game), cmp.Compare(a.Challenge, b.Challenge), cmp.Compare(a.Held, b.Held))
	})
	if limit > 0 && len(list) > limit {
		list = list[:limit]
	}
	return list
}

func rank(d game.Due) int {
	switch {
	case d.Challenge != 0:
		return 0
	case d.Game != 0:
		return 1
	}
	return 2
}

// TestFlatCost: what a move writes and what an idle tick reads is the same
// with many games stored as with few.
func TestFlatCost(t *testing.T) {
	s := open(t)
	g := newGame(t, 1, 1, 2, game.Terms{Variant: "shogi"}, "7g7f", "3c3d")
	stored := game.ID(0)
	store100 := func(n game.ID) {
		for stored < n {
			update(t, s, func(tx *store.Tx) error {
				for range 100 {
					stored++
					more := g
					more.ID, more.Due = stored, noon.Add(time.Duration(stored)*time.Minute)
					more.Players = [2]player.ID{player.ID(stored), player.ID(stored + 1)}
					if err := tx.SaveGame(more); err != nil {
						return err
					}
				}
				return nil
			})
		}
	}
	move := func() int64 {
		before := s.PageBytes()
		const moves = 20
		for i := range game.ID(moves) {
			update(t, s, func(tx *store.Tx) error {
				id := 1 + i*stored/moves
				one, err := tx.Game(id)
				if err != nil {
					return err
				}
				one.Due = one.Due.Add(time.Hour)
				if err := tx.SaveGame(one); err != nil {
					return err
				}
				_, err = tx.Queue(store.Outgoing{To: "hana@example.org", Data: make([]byte, 2000), Queued: noon})
				return err
			})
		}
		return (s.PageBytes() - before) / moves
	}
	tick := func() float64 {
		return testing.AllocsPerRun(20, func() {
			view(t, s, func(tx *store.Tx) error {
				due, err := tx.Due(noon, 0)
				if len(due) > 0 {
					t.Errorf("%d due", len(due))
				}
				_, err2 := tx.NextReady()
				return cmp.Or(err, err2)
			})
		})
	}
	store100(200)
	fewMove, fewTick := move(), tick()
	store100(10_000)
	manyMove, manyTick := move(), tick()
	t.Logf("a move writes %d bytes of pages with 200 games, %d with 10 000; an idle tick allocates %v and %v times", fewMove, manyMove, fewTick, manyTick)
	if manyMove > 2*fewMove {
		t.Errorf("a move writes %d bytes of pages with 10 000 games, %d with 200", manyMove, fewMove)
	}
	if manyTick > fewTick+8 {
		t.Errorf("an idle tick allocates %v times with 10 000 games, %v with 200", manyTick, fewTick)
	}
}
