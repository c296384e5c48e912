package ladder

import (
	"fmt"
	"slices"
	"time"
)

// Reach returns the highest place that one at place may challenge: some places
// or a share of the ladder above, or where the rating would put him if that is
// higher.
func (l Ladder) Reach(place int, ratings Ratings) int {
	own := ratings(l.Rungs[place-1].Player).Value
	rated := 1 // the place that the rating alone gives
	for i, r := range l.Rungs {
		if i+1 != place && ratings(r.Player).Value > own {
			rated++
		}
	}
	return max(1, min(rated, place-max(l.Rules.Places, (len(l.Rungs)*l.Rules.Percent+99)/100)))
}

// Refusal says why a challenge cannot be made, as a number for code and in
// words for the log.
type Refusal struct {
	Why     Why
	Reach   int           // the highest place that can be challenged
	Limit   int           // of challenges and games at once
	Wait    time.Duration // until a rematch may be
	Players [2]ID         // challenger and defender
}

// Why is a reason to refuse a challenge.
type Why uint8

// The reasons.
const (
	NotOnLadder    Why = iota + 1 // the challenger
	NoSuchDefender                // the defender is not on the ladder
	YouLeave                      // the challenger is in limbo
	TheyLeave                     // the defender is
	Below                         // the defender stands below, or it is the same player
	TooFar
	TooManyOut // challenger's limit
	TooManyIn  // defender's limit
	Already    // the two have a challenge or a game
	TooSoon    // after their last game
)

func (e *Refusal) Error() string {
	return fmt.Sprintf("ladder challenge of player %d to player %d refused: reason %d", e.Players[0], e.Players[1], e.Why)
}

// Challenge returns the ladder with a challenge. The error is a [*Refusal].
func (l Ladder) Challenge(from, to ID, ratings Ratings, now time.Time) (Ladder, error) {
	if r := l.refusal(from, to, ratings, now); r.Why != 0 {
		r.Players = [2]ID{from, to}
		return l, &r
	}
	l = l.clone()
	l.Pairings = append(l.Pairings, Pairing{Challenger: from, Defender: to, Made: now})
	return l, nil
}

func (l Ladder) refusal(from, to ID, ratings Ratings, now time.Time) Refusal {
	mine, theirs := l.Place(from), l.Place(to)
	switch {
	case mine == 0:
		return Refusal{Why: NotOnLadder}
	case theirs == 0:
		return Refusal{Why: NoSuchDefender}
	case l.Rungs[mine-1].Limbo:
		return Refusal{Why: YouLeave}
	case l.Rungs[theirs-1].Limbo:
		return Refusal{Why: TheyLeave}
	case theirs >= mine:
		return Refusal{Why: Below}
	}
	if r := l.busy(from, to); r.Why != 0 {
		return r
	}
	for _, m := range l.Meetings {
		if m.A == min(from, to) && m.B == max(from, to) {
			if wait := m.At.Add(l.Rules.Rematch).Sub(now); wait > 0 {
				return Refusal{Why: TooSoon, Wait: wait}
			}
		}
	}
	if reach := l.Reach(mine, ratings); theirs < reach {
		return Refusal{Why: TooFar, Reach: reach}
	}
	return Refusal{}
}

// busy refuses by what is under way.
func (l Ladder) busy(from, to ID) Refusal {
	out, in := 0, 0
	for _, p := range l.Pairings {
		switch {
		case p.of(from, to), p.of(to, from):
			return Refusal{Why: Already}
		case p.Challenger == from:
			out++
		case p.Defender == to:
			in++
		}
	}
	if out >= l.Rules.Outgoing {
		return Refusal{Why: TooManyOut, Limit: l.Rules.Outgoing}
	}
	if in >= l.Rules.Incoming {
		return Refusal{Why: TooManyIn, Limit: l.Rules.Incoming}
	}
	return Refusal{}
}

// Targets returns whom a player may challenge now, from the top.
func (l Ladder) Targets(id ID, ratings Ratings, now time.Time) []ID {
	place := l.Place(id)
	if place < 2 || l.Rungs[place-1].Limbo {
		return nil
	}
	barred, incoming, outgoing := map[ID]bool{}, map[ID]int{}, 0
	for _, p := range l.Pairings {
		incoming[p.Defender]++
		switch id {
		case p.Challenger:
			outgoing++
			barred[p.Defender] = true
		case p.Defender:
			barred[p.Challenger] = true
		}
	}
	if outgoing >= l.Rules.Outgoing {
		return nil
	}
	for _, m := range l.Meetings {
		if now.Before(m.At.Add(l.Rules.Rematch)) && (m.A == id || m.B == id) {
			barred[m.A], barred[m.B] = true, true
		}
	}
	var ids []ID
	for _, r := range l.Rungs[l.Reach(place, ratings)-1 : place-1] {
		if !r.Limbo && !barred[r.Player] && incoming[r.Player] < l.Rules.Incoming {
			ids = append(ids, r.Player)
		}
	}
	return ids
}

// Accept returns the ladder with the challenge become a game, and whether the
// challenger plays Black: sides alternate for each, as far as both can have
// it. A game with a handicap (even is false) has its sides from that, and does
// not count.
func (l Ladder) Accept(from, to ID, even bool) (next Ladder, black bool) {
	l = l.clone()
	for i, p := range l.Pairings {
		if p.of(from, to) {
			l.Pairings[i].Accepted = true
		}
	}
	a, b := l.rung(from), l.rung(to)
	if a == nil || b == nil || !even {
		return l, true
	}
	black = a.Blacks < b.Blacks || a.Blacks == b.Blacks && (!a.WasBlack || b.WasBlack)
	if !black {
		a, b = b, a
	}
	a.Blacks++
	b.Blacks--
	a.WasBlack, b.WasBlack = true, false
	return l, black
}

// Decline returns the ladder without a challenge that the defender did not
// take up; every so many of them cost a place.
func (l Ladder) Decline(from, to ID, now time.Time) (next Ladder, fell bool) {
	l = l.Withdraw(from, to)
	r := l.rung(to)
	if r == nil {
		return l, false
	}
	if r.Declined++; r.Declined < l.Rules.Declines {
		return l, false
	}
	r.Declined = 0
	place := l.Place(to)
	if place == len(l.Rungs) {
		return l, false
	}
	l.move(place, place+1, Declined, 0, now)
	return l, true
}

// Withdraw returns the ladder without a challenge that is taken back, or that
// came to nothing by nobody's fault.
func (l Ladder) Withdraw(from, to ID) Ladder {
	l = l.clone()
	l.Pairings = slices.DeleteFunc(l.Pairings, func(p Pairing) bool { return p.of(from, to) })
	return l
}
