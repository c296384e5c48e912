package ladder

import (
	"slices"
	"time"
)

// Result is what came of a game of a ladder.
type Result struct {
	Challenger, Defender ID
	Score                float64 // of the challenger: 1, ½ or 0
	TimeLoss             bool    // the loser lost on time
	Moves                [2]int  // made by challenger and defender
}

// Penalty is what a game lost on time cost its loser. The zero value is none.
type Penalty struct {
	Player ID
	Points int  // that he has now
	Out    bool // he was taken off
}

// Finish returns the ladder after a game: a challenger who won stands just
// above the defender, anything else changes no place. Who has come to too many
// points for games lost on time, and was told of the earlier ones, is taken
// off. A game of somebody who was taken off meanwhile changes nothing. What the
// ratings say of it is left to [Ladder.Settle].
func (l Ladder) Finish(r Result, now time.Time) (Ladder, Penalty) {
	if !slices.ContainsFunc(l.Pairings, func(p Pairing) bool { return p.Accepted && p.of(r.Challenger, r.Defender) }) {
		return l, Penalty{}
	}
	l = l.Withdraw(r.Challenger, r.Defender)
	l.Meetings = slices.DeleteFunc(l.Meetings, func(m Meeting) bool { return !now.Before(m.At.Add(l.Rules.Rematch)) })
	l.Meetings = append(l.Meetings, Meeting{min(r.Challenger, r.Defender), max(r.Challenger, r.Defender), now})
	for i, id := range []ID{r.Challenger, r.Defender} {
		if rung := l.rung(id); rung != nil {
			rung.Active, rung.Notices = now, 0
			rung.heal(r.Moves[i], l.Rules.Heal)
		}
	}
	mine, theirs := l.Place(r.Challenger), l.Place(r.Defender)
	if r.Score == 1 && mine > theirs && theirs > 0 {
		l.move(mine, theirs, Won, r.Defender, now)
	}
	loser := r.Challenger
	if r.Score == 1 {
		loser = r.Defender
	}
	rung := l.rung(loser)
	if !r.TimeLoss || r.Score == 0.5 || rung == nil {
		return l, Penalty{}
	}
	rung.Points += l.Rules.TimeOut
	p := Penalty{Player: loser, Points: rung.Points, Out: rung.Points >= l.Rules.Out && rung.Warned >= l.Rules.Notices}
	if p.Out {
		return l.Leave(loser, now), p
	}
	rung.Warned++
	return l, p
}

// heal takes off points for moves made.
func (r *Rung) heal(moves, each int) {
	r.Moves += moves
	for r.Points > 0 && r.Moves >= each {
		r.Points--
		r.Moves -= each
	}
	if r.Points == 0 {
		r.Moves, r.Warned = 0, 0
	}
}

// Settle returns the ladder after a look at the ratings of some players, after
// their game, or of everybody in order, once a week, if none is named. Who is
// rated higher than those above him rises past them; nobody sinks but by that.
// Who has no rated game yet stays: a declared grade is no game won.
func (l Ladder) Settle(ratings Ratings, now time.Time, ids ...ID) Ladder {
	if !l.Rules.Rise {
		return l
	}
	l = l.clone()
	values := make(map[ID]float64, len(l.Rungs))
	for _, r := range l.Rungs {
		values[r.Player] = ratings(r.Player).Value
	}
	if len(ids) == 0 {
		for _, r := range l.Rungs {
			ids = append(ids, r.Player)
		}
	}
	for _, id := range ids {
		from := l.Place(id)
		if from == 0 || l.Rungs[from-1].Limbo || ratings(id).Games == 0 {
			continue
		}
		to := 1
		for other, value := range values {
			if other != id && value >= values[id] {
				to++
			}
		}
		if to < from {
			l.move(from, to, Rated, 0, now)
		}
	}
	return l
}
