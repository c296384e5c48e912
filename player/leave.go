package player

import "time"

// Vacation is earned by being here: a day for so many, and not more than a
// month of it is kept.
const (
	earnEvery = 12
	maxLeave  = 30 * 24 * time.Hour
)

// Leave is a player's vacation: what is earned, and what is taken. Times are
// UTC. The zero value has earned nothing since joining.
type Leave struct {
	Balance time.Duration // earned and not taken, at
	At      time.Time     // this time; zero: nothing yet, since joining
	From    time.Time     // the vacation that is taken or planned; zero: none
	Until   time.Time     // its end
}

// Earned returns how much vacation p has at now, whole or in part days.
func (p Player) Earned(now time.Time) time.Duration {
	since := p.Leave.At
	if since.IsZero() {
		since = p.Joined
	}
	return min(maxLeave, p.Leave.Balance+max(0, now.Sub(since))/earnEvery)
}

// Spend returns p with d less vacation; what is missing is not owed.
func (p Player) Spend(d time.Duration, now time.Time) Player {
	p.Leave.Balance, p.Leave.At = min(maxLeave, max(0, p.Earned(now)-d)), now
	return p
}

// Away reports whether p is on vacation at t.
func (p Player) Away(t time.Time) bool {
	return !p.Leave.From.IsZero() && !t.Before(p.Leave.From) && t.Before(p.Leave.Until)
}

// Take returns p with a vacation from one moment to another; its length is
// spent. The caller has looked that it is earned.
func (p Player) Take(from, until, now time.Time) Player {
	p = p.Spend(until.Sub(from), now)
	p.Leave.From, p.Leave.Until = from, until
	return p
}

// Return returns p back from vacation at now, or with a planned one given up;
// what is left of it is kept.
func (p Player) Return(now time.Time) Player {
	if p.Leave.From.IsZero() {
		return p
	}
	begin := p.Leave.From
	if now.After(begin) {
		begin = now
	}
	p = p.Spend(-max(0, p.Leave.Until.Sub(begin)), now)
	p.Leave.From, p.Leave.Until = time.Time{}, time.Time{}
	return p
}
