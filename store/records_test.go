package store_test

import (
	"errors"
	"reflect"
	"slices"
	"testing"
	"time"

	"pbem/clock"
	"pbem/game"
	"pbem/player"
	"pbem/rules"
	"pbem/store"
)

func TestPlayer(t *testing.T) {
	s := open(t)
	complete(t, hana)
	complete(t, hana.Settings)
	complete(t, hana.Leave)
	complete(t, hana.Bounces)
	update(t, s, func(tx *store.Tx) error {
		return errors.Join(tx.SavePlayer(hana), tx.SavePlayer(zoe))
	})
	lookup := func(tx *store.Tx, how, what string) (player.Player, error) {
		if how == "name" {
			return tx.PlayerByName(what)
		}
		return tx.PlayerByAddress(what)
	}
	check := func(how, what string, want player.Player) {
		t.Helper()
		view(t, s, func(tx *store.Tx) error {
			got, err := lookup(tx, how, what)
			if want.ID == 0 {
				if !errors.Is(err, game.ErrNotFound) {
					t.Errorf("player by %s %q = %+v, %v; want %v", how, what, got, err, game.ErrNotFound)
				}
			} else if err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("player by %s %q = %+v, %v; want %+v", how, what, got, err, want)
			}
			return nil
		})
	}
	check("address", "hana@example.org", hana)
	check("address", "HANA@HOME.example", hana)
	check("name", "hANA", hana)
	check("name", "ZOÉ", zoe)
	check("name", "zoe\u0301", zoe) // the accent as a character of its own
	check("name", "zoe", player.Player{})
	check("address", "nobody@example.org", player.Player{})
	check("address", "", player.Player{})

	// Indexes follow the record.
	hana := hana
	hana.Name, hana.Addresses = "Hanako", []string{"new@example.org"}
	update(t, s, func(tx *store.Tx) error { return tx.SavePlayer(hana) })
	check("address", "hana@example.org", player.Player{})
	check("address", "new@example.org", hana)
	check("name", "hana", player.Player{})
	check("name", "hanako", hana)
	view(t, s, func(tx *store.Tx) error {
		names, err := tx.Names()
		if want := []string{"Hanako", "Zoé"}; !slices.Equal(names, want) {
			t.Errorf("Names = %q, want %q", names, want)
		}
		return err
	})
}

func TestPlayerTaken(t *testing.T) {
	s := open(t)
	update(t, s, func(tx *store.Tx) error { return tx.SavePlayer(hana) })
	for _, p := range []player.Player{
		{ID: 2, Name: "HANA", Addresses: []string{"other@example.org"}},
		{ID: 2, Name: "Other", Addresses: []string{"HANA@example.org"}},
		{ID: 0, Name: "Nobody"},
	} {
		if err := s.Update(func(tx *store.Tx) error { return tx.SavePlayer(p) }); err == nil {
			t.Errorf("SavePlayer(%+v) = nil, want an error", p)
		}
	}
}

func TestGame(t *testing.T) {
	s := open(t)
	full := newGame(t, 17, 1, 2, game.Terms{Variant: "shogi", Handicap: "lance"}, "3c3d", "7g7f", "2b8h+")
	full.End = rules.End{Outcome: rules.BlackWins, Cause: game.Resignation}
	full.Ended = noon.Add(time.Hour)
	full.Reminded = 2
	full.Due = noon.Add(time.Minute)
	full.Threads = [2]game.Thread{{Root: "a@x", Last: "b@x"}, {Root: "c@x", Last: "d@x"}}
	control, err := clock.Parse("30d+5x3d")
	if err != nil {
		t.Fatal(err)
	}
	control.Weekends = true
	full.Terms.Clock = control
	full.Clock = clock.Clock{Control: control, Turn: 1, Since: noon, Used: time.Hour, Sides: [2]clock.Side{
		{Left: 29 * clock.Day, Periods: 4, Moves: 3, Zone: "Asia/Tokyo"}, {Left: time.Second, Zone: "Europe/Rome"}}}
	full.Fallen, full.Patient, full.Paused = noon.Add(time.Hour), true, true
	plan := usi(t, "3a2b", "8i7g", "5a5b", "7g8e")
	full.Plans = [2][]game.Line{{{From: 3, Moves: plan}}, {{From: 4, Moves: plan[:2]}, {From: 4, Moves: plan[2:]}}}
	full.Pending = game.Pending{By: 2, Move: plan[0], At: noon, Until: noon.Add(time.Hour), Note: "a note"}
	full.Watchers = []player.ID{5, 6}
	full.Terms.Strict, full.Foul = true, rules.Move{From: rules.NewSquare(7, 7), To: rules.NewSquare(7, 5)}
	full.Counted, full.Gains = true, [2]float64{12.5, -11.25}
	full.Offers = []game.Offer{{Kind: game.OfferDraw, By: 2, At: noon, Expires: noon.Add(clock.Day)}}
	complete(t, full)
	games := []game.Game{
		full,
		newGame(t, 18, 1, 2, game.Terms{Variant: "shogi"}),
		newGame(t, 19, 2, 1, game.Terms{Variant: "shogi"}, "7g7f", "3c3d", "8h2b+", "3a2b", "B*5e"),
	}
	for _, v := range rules.Variants() {
		games = append(games, newGame(t, game.ID(20+len(games)), 1, 2, game.Terms{Variant: v.Name}))
	}
	for _, want := range games {
		update(t, s, func(tx *store.Tx) error { return tx.SaveGame(want) })
		view(t, s, func(tx *store.Tx) error {
			got, err := tx.Game(want.ID)
			if err != nil {
				t.Errorf("Game(%s): %v", want.ID, err)
			} else if !reflect.DeepEqual(got, want) {
				t.Errorf("Game(%s), %s = %v %v, %v; want %v %v", want.ID, want.Terms.Variant, got.Position(), got.Plies(), err, want.Position(), want.Plies())
			}
			return nil
		})
	}
	view(t, s, func(tx *store.Tx) error {
		if _, err := tx.Game(99); !errors.Is(err, game.ErrNotFound) {
			t.Errorf("Game(99) = _, %v; want %v", err, game.ErrNotFound)
		}
		return nil
	})
	if err := s.Update(func(tx *store.Tx) error { return tx.SaveGame(game.Game{}) }); err == nil {
		t.Error("SaveGame of no game = nil, want an error")
	}
}

func TestGamesOf(t *testing.T) {
	s := open(t)
	terms := game.Terms{Variant: "shogi"}
	update(t, s, func(tx *store.Tx) error {
		return errors.Join(
			tx.SaveGame(newGame(t, 300, 1, 2, terms)),
			tx.SaveGame(newGame(t, 2, 3, 1, terms)),
			tx.SaveGame(newGame(t, 5, 3, 2, terms)),
		)
	})
	check := func(id player.ID, want ...game.ID) {
		t.Helper()
		view(t, s, func(tx *store.Tx) error {
			games, err := tx.GamesOf(id)
			var got []game.ID
			for _, g := range games {
				got = append(got, g.ID)
			}
			if !slices.Equal(got, want) {
				t.Errorf("GamesOf(%d) = %v, want %v", id, got, want)
			}
			return err
		})
	}
	check(1, 2, 300)
	check(2, 5, 300)
	check(4)
	update(t, s, func(tx *store.Tx) error {
		g, err := tx.Game(300)
		if err != nil {
			return err
		}
		if g, err = g.Resign(1, noon); err != nil {
			return err
		}
		return tx.SaveGame(g)
	})
	check(1, 2)
	check(2, 5)
}

func TestChallenge(t *testing.T) {
	s := open(t)
	c := game.Challenge{
		ID: 3, From: 1, To: 2, Side: game.AsWhite,
		Terms: game.Terms{Variant: "shogi", Handicap: "rook", Clock: clock.Control{Bank: 3 * clock.Day, Each: true}, Strict: true},
		Made:  noon, Expires: noon.Add(time.Hour),
		Threads: [2]game.Thread{{Root: "a@x", Last: "b@x"}, {Root: "c@x"}},
	}
	complete(t, c)
	complete(t, c.Terms)
	other := game.Challenge{ID: 1, From: 3, To: 1, Terms: game.Terms{Variant: "shogi"}, Made: noon, Expires: noon}
	update(t, s, func(tx *store.Tx) error {
		return errors.Join(tx.SaveChallenge(c), tx.SaveChallenge(other))
	})
	view(t, s, func(tx *store.Tx) error {
		if got, err := tx.Challenge(3); err != nil || !reflect.DeepEqual(got, c) {
			t.Errorf("Challenge(3) = %+v, %v; want %+v", got, err, c)
		}
		if got, err := tx.ChallengesOf(1); err != nil || !reflect.DeepEqual(got, []game.Challenge{other, c}) {
			t.Errorf("ChallengesOf(1) = %+v, %v", got, err)
		}
		return nil
	})
	update(t, s, func(tx *store.Tx) error {
		return errors.Join(tx.DropChallenge(3), tx.DropChallenge(3))
	})
	view(t, s, func(tx *store.Tx) error {
		if _, err := tx.Challenge(3); !errors.Is(err, game.ErrNotFound) {
			t.Errorf("Challenge(3) after DropChallenge = _, %v", err)
		}
		if got, err := tx.ChallengesOf(2); err != nil || len(got) != 0 {
			t.Errorf("ChallengesOf(2) = %+v, %v; want none", got, err)
		}
		return nil
	})
}

func TestHeld(t *testing.T) {
	s := open(t)
	h := player.Held{
		ID: 4, Address: "hana@example.org", Subject: "Re: #17", Lines: []string{"P-7f", "say hello"},
		Token: "g17-2-abc", Arrived: noon, Expires: noon.Add(time.Hour),
	}
	complete(t, h)
	update(t, s, func(tx *store.Tx) error { return tx.SaveHeld(h) })
	view(t, s, func(tx *store.Tx) error {
		if got, err := tx.Held(4); err != nil || !reflect.DeepEqual(got, h) {
			t.Errorf("Held(4) = %+v, %v; want %+v", got, err, h)
		}
		return nil
	})
	update(t, s, func(tx *store.Tx) error { return tx.DropHeld(4) })
	view(t, s, func(tx *store.Tx) error {
		if _, err := tx.Held(4); !errors.Is(err, game.ErrNotFound) {
			t.Errorf("Held(4) after DropHeld = _, %v", err)
		}
		return nil
	})
}

func TestSequences(t *testing.T) {
	s := open(t)
	next := func(tx *store.Tx) [4]uint64 {
		p, err1 := tx.NextPlayer()
		h, err2 := tx.NextHeld()
		g, err3 := tx.NextGame()
		c, err4 := tx.NextChallenge()
		if err := errors.Join(err1, err2, err3, err4); err != nil {
			t.Error(err)
		}
		return [4]uint64{uint64(p), uint64(h), uint64(g), uint64(c)}
	}
	update(t, s, func(tx *store.Tx) error {
		if got := next(tx); got != [4]uint64{1, 1, 1, 1} {
			t.Errorf("first numbers %v", got)
		}
		if got := next(tx); got != [4]uint64{2, 2, 2, 2} {
			t.Errorf("second numbers %v", got)
		}
		return nil
	})
	update(t, s, func(tx *store.Tx) error {
		if got := next(tx); got != [4]uint64{3, 3, 3, 3} {
			t.Errorf("numbers in the next transaction %v", got)
		}
		return nil
	})
}

func TestDue(t *testing.T) {
	s := open(t)
	at := func(m int) time.Time { return noon.Add(time.Duration(m) * time.Minute) }
	g := newGame(t, 7, 1, 2, game.Terms{Variant: "shogi"})
	g.Due = at(30)
	c := game.Challenge{ID: 7, From: 1, To: 2, Terms: g.Terms, Made: noon, Expires: at(10)}
	h := player.Held{ID: 7, Expires: at(20)}
	update(t, s, func(tx *store.Tx) error {
		return errors.Join(tx.SaveGame(g), tx.SaveChallenge(c), tx.SaveHeld(h))
	})
	check := func(now time.Time, limit int, want ...game.Due) {
		t.Helper()
		view(t, s, func(tx *store.Tx) error {
			got, err := tx.Due(now, limit)
			if !slices.Equal(got, want) {
				t.Errorf("Due(%v, %d) = %v, want %v", now, limit, got, want)
			}
			return err
		})
	}
	challenge := game.Due{At: at(10), Challenge: 7}
	held := game.Due{At: at(20), Held: 7}
	due := game.Due{At: at(30), Game: 7}
	check(at(9), 10)
	check(at(10), 10, challenge)
	check(at(60), 10, challenge, held, due)
	check(at(60), 2, challenge, held)
	check(at(60), 0, challenge, held, due)

	g.Due = at(5) // Saving replaces the old entry.
	update(t, s, func(tx *store.Tx) error { return errors.Join(tx.SaveGame(g), tx.DropHeld(7)) })
	check(at(60), 10, game.Due{At: at(5), Game: 7}, challenge)
	g.Due = time.Time{}
	update(t, s, func(tx *store.Tx) error { return errors.Join(tx.SaveGame(g), tx.DropChallenge(7)) })
	check(at(60), 10)
	g.Due = at(5)
	update(t, s, func(tx *store.Tx) error { return tx.SaveGame(g) })
	check(at(60), 10, game.Due{At: at(5), Game: 7})
	over, err := g.Resign(1, noon) // A game that is over may wait for an answer to an offer.
	if err != nil {
		t.Fatal(err)
	}
	update(t, s, func(tx *store.Tx) error { return tx.SaveGame(over) })
	check(at(60), 10, game.Due{At: at(5), Game: 7})
	over.Due = time.Time{}
	update(t, s, func(tx *store.Tx) error { return tx.SaveGame(over) })
	check(at(60), 10)
}

func TestEndedGames(t *testing.T) {
	s := open(t)
	for i := range 7 {
		g := newGame(t, game.ID(i+1), player.ID(1+i%2), player.ID(2-i%2), game.Terms{Variant: "shogi"})
		g, err := g.Resign(1, noon.Add(time.Duration(i*i%7)*time.Hour)) // ends at hour 0 1 4 2 2 4 1
		if err != nil {
			t.Fatal(err)
		}
		if i == 3 { // still running
			g = newGame(t, 4, 1, 2, game.Terms{Variant: "shogi"})
		}
		update(t, s, func(tx *store.Tx) error { return tx.SaveGame(g) })
	}
	view(t, s, func(tx *store.Tx) error {
		for limit, want := range map[int][]game.ID{10: {6, 3, 5, 7, 2, 1}, 2: {6, 3}, 0: nil} {
			games, err := tx.EndedGamesOf(2, limit)
			var got []game.ID
			for _, g := range games {
				got = append(got, g.ID)
			}
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("EndedGamesOf(2, %d) = %v, %v; want %v", limit, got, err, want)
			}
		}
		games, err := tx.EndedGamesOf(3, 10)
		if len(games) != 0 {
			t.Errorf("%d games of somebody who has none", len(games))
		}
		return err
	})
}
