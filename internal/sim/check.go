package sim

import (
	"errors"
	"time"

	"pbem/game"
	"pbem/player"
	"pbem/rules"
	"pbem/store"
)

// check is the checker: it replays what was handled and compares the result
// with what is kept and what was sent.
func (w *world) check() {
	if w.process.daemon == nil || w.process.gone {
		w.finding("", 0, "the process never came back")
		return
	}
	b := newBook(w)
	w.checkTokens(b)
	w.checkHandled()
	for _, e := range w.history {
		if w.trouble != nil {
			return
		}
		w.replaying = e.now
		if e.letter != nil {
			b.hear(e)
		} else {
			b.tick(e)
		}
	}
	w.replaying = time.Time{}
	b.overdue(w.now)
	w.checkMails(b)
	w.checkDebts(b)
	if w.trouble != nil {
		return
	}
	if err := w.process.store.View(func(tx *store.Tx) error { return w.checkState(b, tx) }); err != nil {
		w.finding("", 0, "the state cannot be read: %v", err)
	}
	w.process.close()
	if err := w.flaw.damage(w.process); err != nil {
		w.machine(err)
	}
	s, err := store.Open(w.process.path, store.Options{NoSync: true})
	if err != nil {
		w.finding("", 0, "the database cannot be opened at the end: %v", err)
		return
	}
	w.process.store = s
	if err := s.View((*store.Tx).Check); err != nil {
		w.finding("", 0, "the database is not as it should be: %v", err)
	}
}

// checkHandled: every letter that came in was handled, once; but for the
// poisoned ones, which were not.
func (w *world) checkHandled() {
	times := make([]int, len(w.letters)+1)
	for _, e := range w.history {
		if e.letter == nil {
			continue
		}
		l := e.letter
		if times[l.serial]++; times[l.serial] > 1 {
			w.finding(l.from.name, 0, "letter %d (%s) is handled twice", l.serial, l.what)
		}
	}
	for _, l := range w.letters {
		switch {
		case l.poison == 0 && l.copies > 0 && times[l.serial] == 0:
			w.finding(l.from.name, 0, "letter %d (%s) came in and is never handled", l.serial, l.what)
		case l.copies == 0:
			w.finding(l.from.name, 0, "letter %d (%s) never came in", l.serial, l.what)
		}
	}
}

// checkState compares what is kept with the book.
func (w *world) checkState(b *book, tx *store.Tx) error {
	w.figures.Games = len(b.games)
	for _, g := range b.games {
		kept, err := tx.Game(game.ID(g.id))
		if err != nil {
			w.finding("", g.id, "game #%d should be there: %v", g.id, err)
			return nil
		}
		w.figures.Moves += kept.Ply()
		if kept.Over() {
			w.figures.Ended++
		}
		w.compareGame(g, kept)
	}
	if _, err := tx.Game(game.ID(len(b.games) + 1)); err == nil {
		w.finding("", len(b.games)+1, "game #%d was never begun", len(b.games)+1)
	}
	for _, m := range b.members {
		p, err := tx.Player(player.ID(m.id))
		if err != nil || p.Name != m.name || p.Address() != m.addr {
			w.finding(m.name, 0, "player %d is %q %v, want %q %s", m.id, p.Name, p.Addresses, m.name, m.addr)
		}
	}
	names, err := tx.Names()
	if err == nil && len(names) != len(b.members) {
		w.finding("", 0, "players %q, want %d", names, len(b.members))
	}
	return errors.Join(err, w.checkWaiting(b, tx), w.checkOutbox(tx), w.checkQuarantine(tx))
}

func (w *world) compareGame(g *match, kept game.Game) {
	wrong := func(format string, args ...any) {
		w.finding("", g.id, "game #%d: "+format, append([]any{g.id}, args...)...)
	}
	if kept.Players != g.ids() {
		wrong("players %v, want %v", kept.Players, g.ids())
	}
	if kept.Start() != g.positions[0] {
		wrong("begins with %v, want %v", kept.Start(), g.positions[0])
	}
	plies := kept.Plies()
	for i := range min(len(plies), len(g.moves)) {
		if plies[i].Move != g.moves[i] {
			wrong("ply %d is %v, want %v", i+1, plies[i].Move, g.moves[i])
		}
		if !plies[i].At.Equal(g.at[i]) {
			wrong("ply %d at %v, want %v, when its mail arrived", i+1, plies[i].At, g.at[i])
		}
	}
	switch {
	case len(plies) != len(g.moves):
		wrong("%d plies, want %d", len(plies), len(g.moves))
	case kept.End != g.end:
		wrong("ended %v, want %v", kept.End, g.end)
	case g.over() && !kept.Ended.Equal(g.ended):
		wrong("ended at %v, want %v", kept.Ended, g.ended)
	case kept.Position() != g.position():
		wrong("stands at %v, want %v", kept.Position(), g.position())
	case !kept.Fallen.Equal(g.watch.fallen) || kept.Patient != g.watch.patient:
		wrong("flag fell at %v (patient %v), want %v (%v)", kept.Fallen, kept.Patient, g.watch.fallen, g.watch.patient)
	case kept.Clock.Control != g.watch.control:
		wrong("time control %v, want %v", kept.Clock.Control, g.watch.control)
	case g.watch.control.Limited() && !g.over() && !w.sameTime(g, kept):
		wrong("clocks at %+v, want %+v", kept.Clock, g.watch)
	case g.end.Outcome != rules.Ongoing && kept.Turn() != 0:
		wrong("somebody is to move though it is over")
	}
}

// sameTime reports whether the clocks that are kept say what the book does:
// what both had when the move began, and how long it has been thought about.
func (w *world) sameTime(g *match, kept game.Game) bool {
	outages := w.history[len(w.history)-1].outages
	k := kept.Rested(outages).Clock
	for side := range 2 {
		if k.Sides[side].Left != g.watch.left[side] || k.Sides[side].Periods != g.watch.periods[side] {
			return false
		}
	}
	return k.Spent(w.now) == thought(g.watch.since, w.now, outages)
}

// checkWaiting compares the open challenges and held messages.
func (w *world) checkWaiting(b *book, tx *store.Tx) error {
	for id := 1; id <= b.nOffers+1; id++ {
		kept, err := tx.Challenge(game.ChallengeID(id))
		if err != nil && !errors.Is(err, game.ErrNotFound) {
			return err
		}
		o := b.offers[id]
		if (err == nil) != (o != nil) || o != nil && (int(kept.From) != o.from.id || int(kept.To) != o.to.id || kept.Terms.Handicap != o.handicap) {
			w.finding("", 0, "challenge %d is %+v, want %+v", id, kept, o)
		}
	}
	for id := 1; id <= b.nHeld+1; id++ {
		_, err := tx.Held(player.HeldID(id))
		if err != nil && !errors.Is(err, game.ErrNotFound) {
			return err
		}
		if (err == nil) != (b.held[id] != nil) {
			w.finding("", 0, "held message %d is there: %v, want %v", id, err == nil, b.held[id] != nil)
		}
	}
	return nil
}
