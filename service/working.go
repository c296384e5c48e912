package service

import (
	"fmt"
	"slices"

	"pbem/game"
	"pbem/player"
)

// working is a state as the service reads it: games whose clocks have rested
// while the service was away, and over that what this run has changed already,
// so that what is due later in a tick sees what came of the earlier.
type working struct {
	State
	outages []game.Outage
	games   map[game.ID]game.Game
	players map[player.ID]player.Player
}

func newWorking(st State) (*working, error) {
	outages, err := st.Outages()
	if err != nil {
		return nil, fmt.Errorf("outages: %w", err)
	}
	return &working{st, outages, map[game.ID]game.Game{}, map[player.ID]player.Player{}}, nil
}

// note takes over what r changes.
func (w *working) note(r Result) {
	for _, g := range r.Games {
		w.games[g.ID] = g
	}
	for _, p := range r.Players {
		w.players[p.ID] = p
	}
}

func (w *working) Game(id game.ID) (game.Game, error) {
	if g, ok := w.games[id]; ok {
		return g, nil
	}
	g, err := w.State.Game(id)
	if err != nil {
		return g, err
	}
	return g.Rested(w.outages), nil
}

func (w *working) GamesOf(id player.ID) ([]game.Game, error) {
	games, err := w.State.GamesOf(id)
	for i, g := range games {
		if changed, ok := w.games[g.ID]; ok {
			games[i] = changed
		} else {
			games[i] = g.Rested(w.outages)
		}
	}
	return slices.DeleteFunc(games, game.Game.Over), err
}

func (w *working) Player(id player.ID) (player.Player, error) {
	if p, ok := w.players[id]; ok {
		return p, nil
	}
	return w.State.Player(id)
}
