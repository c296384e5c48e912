package ladder

import "time"

const day = 24 * time.Hour

// Rules are the numbers by which a ladder is climbed.
type Rules struct {
	// One may challenge so many places above, or this share of the ladder, or
	// as far as one's rating reaches.
	Places, Percent int

	Incoming int           // challenges and games at once in which one is the defender
	Outgoing int           // likewise the challenger
	Answer   time.Duration // to accept a challenge; then it counts as declined
	Declines int           // so many cost a place
	Rematch  time.Duration // between two games of the same pair

	TimeOut int // points for a game lost on time
	Out     int // so many points take one off the ladder
	Heal    int // moves that heal a point

	Idle       time.Duration // without a game, vacation not counted, takes one off
	Notices    int           // before one is taken off, for whichever reason
	NoticeTime time.Duration // from one notice of being idle to the next, and to the end

	// Rise lets who is rated higher than those above rise past them, see
	// [Ladder.Settle]. The other rules alone leave the strong below for years,
	// and those who were there first above: go run ./bench/club.
	Rise bool
}

// DefaultRules returns the rules of a ladder that says nothing else.
func DefaultRules() Rules {
	r := PlainRules()
	r.Rise = true
	return r
}

// PlainRules returns the rules that correspondence ladders came to in thirty
// years, without what we add.
func PlainRules() Rules {
	return Rules{
		Places: 5, Percent: 10, Incoming: 3, Outgoing: 3, Answer: 5 * day, Declines: 5, Rematch: 7 * day,
		TimeOut: 2, Out: 6, Heal: 30, Idle: 60 * day, Notices: 2, NoticeTime: 7 * day,
	}
}
