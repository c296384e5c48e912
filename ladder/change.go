package ladder

import (
	"slices"
	"time"
)

// Change is an entry of the log of a rung: why its place changed.
type Change struct {
	At       time.Time
	Why      Cause
	From, To int // places, from 1; From is 0 where one entered
	Other    ID  // who was beaten, has won or passed; the latest of several
	Count    int // of others, where they passed or made way
}

// Cause is a reason for a change of place, as a word that is kept on disk.
type Cause string

// The causes.
const (
	Entered  Cause = "entered"
	Won      Cause = "won"      // against a defender, and went above him
	Beaten   Cause = "beaten"   // by a challenger, who went above
	Rated    Cause = "rated"    // clearly higher than who stood above
	Declined Cause = "declined" // too many challenges
	Others   Cause = "others"   // came in between, or made way
)

// maxLog is how many changes a rung remembers.
const maxLog = 10

// log adds a change. What others do is one entry until something of one's own
// follows. The old log stays as it was: copies of the ladder share it.
func (r *Rung) log(c Change) {
	n := len(r.Log)
	if n > 0 && c.Why == Others && r.Log[n-1].Why == Others {
		last := r.Log[n-1]
		c.From, c.Count = last.From, last.Count+1
		r.Log = append(slices.Clip(r.Log[:n-1]), c)
		return
	}
	r.Log = append(slices.Clip(r.Log[max(0, n+1-maxLog):]), c)
}

// move takes the rung at place from to place to, the ones between make way.
// The copy must be made first.
func (l *Ladder) move(from, to int, why Cause, other ID, now time.Time) {
	if from == to {
		return
	}
	step := 1
	if from > to {
		step = -1
	}
	id := l.Rungs[from-1].Player
	for p := from; p != to; p += step {
		l.Rungs[p-1], l.Rungs[p-1+step] = l.Rungs[p-1+step], l.Rungs[p-1]
		c := Change{At: now, Why: Others, From: p + step, To: p, Other: id, Count: 1}
		if r := &l.Rungs[p-1]; why == Won && r.Player == other {
			c.Why, c.Count = Beaten, 0
			r.log(c)
		} else {
			r.log(c)
		}
	}
	l.Rungs[to-1].log(Change{At: now, Why: why, From: from, To: to, Other: other})
}
