package main

import (
	"fmt"
	"math/rand/v2"
	"time"

	"pbem/game"
	"pbem/player"
	"pbem/rules"
	"pbem/store"
)

const (
	leastPlies, mostPlies = 20, 120 // of a stored game, all still going on
	gamesOfPair           = 8       // of the same two players; the service's limit is higher
)

// fill makes a database with so many games at path. It does not wait for the
// disk: what it takes is not what is measured.
func fill(path string, games int) error {
	st, err := store.Open(path, store.Options{NoSync: true})
	if err != nil {
		return err
	}
	stock, err := someGames(min(games, 100))
	if err != nil {
		return err
	}
	const atOnce = gamesOfPair * 50
	for first := 0; first < games; first += atOnce {
		err := st.Update(func(tx *store.Tx) error {
			var pair [2]player.ID
			for i := first; i < min(first+atOnce, games); i++ {
				if i%gamesOfPair == 0 {
					if pair, err = addPair(tx); err != nil {
						return err
					}
				}
				if err := addGame(tx, pair, stock[i%len(stock)]); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			st.Close()
			return err
		}
	}
	return st.Close()
}

func addPair(tx *store.Tx) (pair [2]player.ID, err error) {
	for i := range pair {
		if pair[i], err = tx.NextPlayer(); err != nil {
			return pair, err
		}
		p := player.Player{ID: pair[i], Name: fmt.Sprintf("player%d", pair[i]),
			Addresses: []string{addressOf(pair[i])}, Joined: time.Now().UTC()}
		if err := tx.SavePlayer(p); err != nil {
			return pair, err
		}
	}
	return pair, nil
}

func addressOf(id player.ID) string { return fmt.Sprintf("player%d@%s", id, domain) }

func addGame(tx *store.Tx, pair [2]player.ID, plies []game.Ply) error {
	id, err := tx.NextGame()
	if err != nil {
		return err
	}
	now := time.Now().UTC()
	g, err := game.Resume(game.Game{ID: id, Players: pair, Terms: game.Terms{Variant: rules.Shogi().Name},
		Started: now, Due: now.Add(72 * time.Hour)}, rules.Shogi().Start(), plies)
	if err != nil {
		return err
	}
	return tx.SaveGame(g)
}

// someGames returns the moves of n different games, played at random, the
// same in every run.
func someGames(n int) ([][]game.Ply, error) {
	stock := make([][]game.Ply, n)
	for i := range stock {
		rng := rand.New(rand.NewPCG(1, uint64(i)))
		g, err := game.New(1, 1, 2, game.Terms{Variant: rules.Shogi().Name}, time.Now().UTC())
		for length := leastPlies + rng.IntN(mostPlies-leastPlies+1); err == nil && g.Ply() < length; {
			g, _, err = playOn(g, rng)
		}
		if err != nil {
			return nil, err
		}
		stock[i] = g.Plies()
	}
	return stock, nil
}

// playOn plays a random move that does not end the game.
func playOn(g game.Game, rng *rand.Rand) (game.Game, rules.Move, error) {
	moves := g.Position().LegalMoves()
	for _, i := range rng.Perm(len(moves)) {
		next, err := g.Play(g.Turn(), moves[i], time.Now().UTC())
		if err != nil {
			return g, rules.Move{}, err
		}
		if !next.Over() {
			return next, moves[i], nil
		}
	}
	return g, rules.Move{}, fmt.Errorf("game %s can only end", g.ID)
}
