package sim

import (
	"strconv"

	"pbem/game"
	"pbem/player"
	"pbem/rules"
	"pbem/store"
)

func atoi(s string) int {
	n, _ := strconv.Atoi(s) // 0, which nothing has as its number, where s is none
	return n
}

// start begins the game that o offers. Who has which side where the lot
// decides cannot be known from the letters: the kept record says it.
func (b *book) start(o *offer) *match {
	g := &match{id: len(b.games) + 1, handicap: o.handicap, started: b.entry.now}
	g.players[rules.Black], g.players[rules.White] = o.from, o.to
	if o.side == "white" || o.side == "" && b.lot(g.id) == o.to.id {
		g.players[rules.Black], g.players[rules.White] = o.to, o.from
	}
	start := rules.Shogi().Start()
	if h, ok := rules.Shogi().Handicap(o.handicap); ok {
		p, err := rules.ParsePosition(rules.Shogi(), h.Setup)
		if err != nil {
			b.w.machine(err)
		}
		start = p
	}
	g.positions, g.history = []rules.Position{start}, rules.NewHistory(start)
	b.games = append(b.games, g)
	g.watch = b.newWatch(o.control, b.entry.now)
	return g
}

// lot returns who has Black in the record of a game; 0 if there is none.
func (b *book) lot(id int) (black int) {
	err := b.w.process.store.View(func(tx *store.Tx) error {
		g, err := tx.Game(game.ID(id))
		if err == nil {
			black = int(g.Players[rules.Black])
		}
		return nil // A game that is missing is found when all are compared.
	})
	if err != nil {
		b.w.machine(err)
	}
	return black
}

// players are the numbers of those who play g, by color.
func (g *match) ids() [2]player.ID {
	return [2]player.ID{player.ID(g.players[0].id), player.ID(g.players[1].id)}
}
