package ladder

import (
	"fmt"
	"slices"
	"time"
)

// ID numbers a player. The zero value is nobody.
type ID uint64

// Ladder is a ladder as it stands. It is a value: methods that change it
// return a changed copy, and what they return shares nothing that is ever
// written to.
type Ladder struct {
	Number   uint64 // from 1; 0: not kept anywhere yet
	Name     string
	Rungs    []Rung // from the top
	Pairings []Pairing
	Meetings []Meeting // those that still bar a rematch
	Rules    Rules     // the operator's, not kept with the rest
	Due      time.Time // when it next asks for attention, UTC
}

// Rung is one player's place on a ladder.
type Rung struct {
	Player   ID
	Joined   time.Time
	Active   time.Time // end of the last game, or when the player joined
	Points   int       // for games lost on time
	Warned   int       // times the player was told of points
	Moves    int       // since a point last healed
	Declined int       // challenges not taken up since a place was last lost
	Notices  int       // of being idle
	Noticed  time.Time // the latest of them
	Limbo    bool      // leaving: no new challenges, running games still count
	Blacks   int       // games as Black, less those as White
	WasBlack bool      // in the last of them
	Before   int       // place in the last standings, from 1; 0: not yet in them
	Log      []Change  // why the place is what it is, the latest last
}

// Pairing is a challenge or a game of a ladder that is under way.
type Pairing struct {
	Challenger, Defender ID
	Made                 time.Time
	Accepted             bool // it has become a game
}

// of reports whether p is between those two, in these roles.
func (p Pairing) of(challenger, defender ID) bool {
	return p.Challenger == challenger && p.Defender == defender
}

// Has reports whether id is one of the two.
func (p Pairing) Has(id ID) bool { return p.Challenger == id || p.Defender == id }

// Meeting is the end of the last game of a pair.
type Meeting struct {
	A, B ID // A < B
	At   time.Time
}

// Ratings tells everybody's rating, as of now.
type Ratings func(ID) Rating

// clone returns a copy whose rungs, pairings and meetings can be written to.
// Logs are shared: they are only ever replaced.
func (l Ladder) clone() Ladder {
	l.Rungs, l.Pairings, l.Meetings = slices.Clone(l.Rungs), slices.Clone(l.Pairings), slices.Clone(l.Meetings)
	return l
}

// Place returns the place of a player, from 1 at the top; 0 for who is not on
// the ladder.
func (l Ladder) Place(id ID) int {
	return slices.IndexFunc(l.Rungs, func(r Rung) bool { return r.Player == id }) + 1
}

// Rung returns the rung of a player; the zero one for who is not on the ladder.
func (l Ladder) Rung(id ID) Rung {
	if i := l.Place(id); i > 0 {
		return l.Rungs[i-1]
	}
	return Rung{}
}

// rung returns the rung of a player to be written to, or nil. The copy must be
// made first.
func (l *Ladder) rung(id ID) *Rung {
	if i := l.Place(id); i > 0 {
		return &l.Rungs[i-1]
	}
	return nil
}

// Enter returns the ladder with a newcomer, where his rating puts him: below
// all who are rated as high. Who has no rated game yet enters below the top
// tenth, whatever grade he says he has. Who is on it already and was about to
// leave stays.
func (l Ladder) Enter(id ID, ratings Ratings, now time.Time) Ladder {
	l = l.clone()
	if r := l.rung(id); r != nil {
		r.Limbo = false
		return l
	}
	l.Rungs = append(l.Rungs, Rung{Player: id, Joined: now, Active: now})
	place, last := 1, len(l.Rungs)
	own := ratings(id)
	for _, r := range l.Rungs[:last-1] {
		if ratings(r.Player).Value >= own.Value {
			place++
		}
	}
	if own.Games == 0 {
		place = min(last, max(place, last/10+1))
	}
	for i := last - 1; i >= place; i-- {
		l.Rungs[i], l.Rungs[i-1] = l.Rungs[i-1], l.Rungs[i]
		l.Rungs[i].log(Change{At: now, Why: Others, From: i, To: i + 1, Other: id, Count: 1})
	}
	l.Rungs[place-1].log(Change{At: now, Why: Entered, To: place})
	return l
}

// Limbo returns the ladder with a player on the way out: no challenge to or
// from him is made any more, games that run still count. [Ladder.Gone] takes
// him off once none is left.
func (l Ladder) Limbo(id ID) Ladder {
	l = l.clone()
	if r := l.rung(id); r != nil {
		r.Limbo = true
	}
	l.Pairings = slices.DeleteFunc(l.Pairings, func(p Pairing) bool { return !p.Accepted && p.Has(id) })
	return l
}

// Gone returns the ladder without those who were leaving and have no game left
// on it, and names them.
func (l Ladder) Gone(now time.Time) (next Ladder, gone []ID) {
	for _, r := range l.Rungs {
		if r.Limbo && !l.Playing(r.Player) {
			gone = append(gone, r.Player)
		}
	}
	for _, id := range gone {
		l = l.Leave(id, now)
	}
	return l, gone
}

// Leave returns the ladder without a player. His games go on and count for his
// opponents' ratings, not for places.
func (l Ladder) Leave(id ID, now time.Time) Ladder {
	place := l.Place(id)
	if place == 0 {
		return l
	}
	l = l.clone()
	l.Rungs = slices.Delete(l.Rungs, place-1, place)
	for i := place - 1; i < len(l.Rungs); i++ {
		l.Rungs[i].log(Change{At: now, Why: Others, From: i + 2, To: i + 1, Other: id, Count: 1})
	}
	l.Pairings = slices.DeleteFunc(l.Pairings, func(p Pairing) bool { return p.Has(id) })
	return l
}

// Playing reports whether a player has a game of the ladder under way.
func (l Ladder) Playing(id ID) bool {
	return slices.ContainsFunc(l.Pairings, func(p Pairing) bool { return p.Accepted && p.Has(id) })
}

// Publish returns the ladder with its places noted as those of the standings
// that go out now, against which the next ones show who rose and fell.
func (l Ladder) Publish() Ladder {
	l = l.clone()
	for i := range l.Rungs {
		l.Rungs[i].Before = i + 1
	}
	return l
}

// Check returns what is wrong with the ladder in itself: a player who stands
// on it twice, a challenge or game of somebody who does not, or that is there
// twice.
func (l Ladder) Check() error {
	known := map[ID]bool{}
	for _, r := range l.Rungs {
		if r.Player == 0 || known[r.Player] {
			return fmt.Errorf("player %d stands on it twice, or is nobody", r.Player)
		}
		known[r.Player] = true
	}
	pairs := map[[2]ID]bool{}
	for _, p := range l.Pairings {
		pair := [2]ID{min(p.Challenger, p.Defender), max(p.Challenger, p.Defender)}
		if !known[p.Challenger] || !known[p.Defender] || p.Challenger == p.Defender || pairs[pair] {
			return fmt.Errorf("a challenge of player %d to player %d cannot be", p.Challenger, p.Defender)
		}
		pairs[pair] = true
	}
	return nil
}
