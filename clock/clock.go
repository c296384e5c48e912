package clock

import "time"

// Side is the time of one player.
type Side struct {
	Left    time.Duration // in the bank
	Periods int           // of byoyomi that are left
	Moves   int           // made since the bank was last added to
	Zone    string        // IANA name of the zone whose weekends are free; empty: UTC
}

// Clock is how the time of both players stands. The zero value has no limit.
// It is a value: methods that change it return the changed copy.
type Clock struct {
	Control Control
	Sides   [2]Side
	Turn    int           // index of the one to move
	Since   time.Time     // the turn's time runs from here on, which may be in the future; zero: it is stopped
	Used    time.Duration // counted on the present move before Since
}

// New returns the clocks of a game that begins at the given time with turn to
// move.
func New(c Control, zones [2]string, turn int, at time.Time) Clock {
	k := Clock{Control: c, Turn: turn, Since: at}
	for i := range k.Sides {
		k.Sides[i] = Side{Left: c.Bank, Periods: c.Periods, Zone: zones[i]}
	}
	return k
}

// Running reports whether the time of the one to move is counted.
func (k Clock) Running() bool { return !k.Since.IsZero() }

// Spent returns what the present move has taken up to t. It never shrinks as t
// grows.
func (k Clock) Spent(t time.Time) time.Duration {
	if !k.Running() {
		return k.Used
	}
	return k.Used + k.counted(k.Since, t)
}

// Stop stops the clock at t; a t before the clock began to run charges
// nothing.
func (k Clock) Stop(t time.Time) Clock {
	k.Used = k.Spent(t)
	k.Since = time.Time{}
	return k
}

// Start lets a stopped clock run from t on. A running one goes on as it was.
func (k Clock) Start(t time.Time) Clock {
	if !k.Running() {
		k.Since = t
	}
	return k
}

// Rest stops the clock at t and lets it run again from until on.
func (k Clock) Rest(t, until time.Time) Clock {
	if !k.Running() {
		return k
	}
	return k.Stop(t).Start(until)
}

// Give adds to the bank of side.
func (k Clock) Give(side int, d time.Duration) Clock {
	if k.Control.Limited() {
		k.Sides[side].Left += d
	}
	return k
}

// Rezone changes at t the zone whose weekends are side's. What was counted
// before stays counted as it was.
func (k Clock) Rezone(side int, zone string, t time.Time) Clock {
	if side == k.Turn && k.Running() && t.After(k.Since) {
		k = k.Stop(t).Start(t)
	}
	k.Sides[side].Zone = zone
	return k
}

// Move charges the move that arrived at t and hands the turn to the other
// side, whose time runs from t on; it stays stopped if it was.
func (k Clock) Move(t time.Time) Clock {
	k.Sides[k.Turn] = k.charged(t)
	k.Turn = 1 - k.Turn
	k.Used = 0
	if k.Running() && t.After(k.Since) {
		k.Since = t
	}
	return k
}

// Back gives turn the move without charging anybody, as when a move was taken
// back; its time runs from t on, or stays stopped.
func (k Clock) Back(turn int, t time.Time) Clock {
	k.Turn, k.Used = turn, 0
	if k.Running() {
		k.Since = t
	}
	return k
}

// charged returns the time of the one to move once a move has arrived at t.
func (k Clock) charged(t time.Time) Side {
	c, s := k.Control, k.Sides[k.Turn]
	if !c.Limited() {
		return s
	}
	cost := c.cost(k.Spent(t))
	over := max(0, cost-s.Left)
	s.Left = max(0, s.Left-cost)
	if c.Period > 0 {
		s.Periods = max(0, s.Periods-int(over/c.Period))
	}
	s.Moves++
	switch {
	case c.Each:
		s.Left = c.Bank
	case c.Moves > 0 && s.Moves >= c.Moves:
		s.Moves = 0
		s.Left = c.capped(s.Left, c.Bank)
	case c.Increment > 0:
		s.Left = c.capped(s.Left, c.Increment)
	}
	return s
}

// cost is what a move that took d is charged.
func (c Control) cost(d time.Duration) time.Duration {
	if c.Double > 0 && d > c.Double {
		return d + (d - c.Double)
	}
	return d
}

// within is the longest a move may take that is charged d.
func (c Control) within(d time.Duration) time.Duration {
	if c.Double > 0 && d > c.Double {
		return c.Double + (d-c.Double)/2
	}
	return d
}

// capped adds more to left, but not above the cap. What is above already, by a
// gift, is not taken away.
func (c Control) capped(left, more time.Duration) time.Duration {
	if c.Cap == 0 {
		return left + more
	}
	return max(left, min(left+more, c.Cap))
}

// Remaining returns what side has at t: the bank, and the byoyomi periods.
func (k Clock) Remaining(side int, t time.Time) Side {
	s := k.Sides[side]
	if side != k.Turn || !k.Control.Limited() {
		return s
	}
	cost := k.Control.cost(k.Spent(t))
	over := max(0, cost-s.Left)
	s.Left = max(0, s.Left-cost)
	if p := k.Control.Period; p > 0 {
		s.Periods = max(0, s.Periods-int(over/p))
		if s.Left == 0 && s.Periods > 0 {
			s.Left = p - over%p // of the period that runs
			s.Periods--         // the one that runs is shown as time left
		}
	}
	return s
}

// Falls returns when the flag of the one to move falls if nothing happens; ok
// is false if it never does, for want of a limit or because the clock is
// stopped.
func (k Clock) Falls() (t time.Time, ok bool) {
	if !k.Control.Limited() || !k.Running() {
		return time.Time{}, false
	}
	s := k.Sides[k.Turn]
	total := k.Control.within(s.Left + time.Duration(s.Periods)*k.Control.Period)
	return k.after(k.Since, max(0, total-k.Used)), true
}

// Fallen reports whether the flag of the one to move has fallen by t.
func (k Clock) Fallen(t time.Time) bool {
	falls, ok := k.Falls()
	return ok && !t.Before(falls)
}

// Half returns when half of what the one to move had at his turn's begin, or
// has got back since, is gone.
func (k Clock) Half() (t time.Time, ok bool) {
	if !k.Control.Limited() || !k.Running() {
		return time.Time{}, false
	}
	s := k.Sides[k.Turn]
	total := k.Control.within(s.Left + time.Duration(s.Periods)*k.Control.Period)
	return k.after(k.Since, max(0, total/2-k.Used)), true
}
