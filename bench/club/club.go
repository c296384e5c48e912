package main

import (
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"pbem/ladder"
)

// The club: what is not said by the rules of the ladder.
const (
	mean, spread      = 1300.0, 250.0  // of the strengths
	shodan, strongest = 1680.0, 2150.0 // of the newcomers of dan strength
	shortest, longest = 20, 80         // days of a game: a hundred plies at half a day each
	eagerness         = 0.3            // chance that a dan newcomer looks for a game on a day
)

// member is one player of the club.
type member struct {
	strength float64
	eager    float64 // chance of looking for a game on a day
	joins    int     // day
	falls    int     // day from which he is silent
	newcomer bool    // of dan strength
	declared float64 // rating that he says he has; 0: he says nothing
	rating   ladder.Rating
	games    int

	aged              ladder.Rating // rating on a day, after so many games
	agedOn, agedGames int

	topDay int // first day in the top tenth; -1 not yet
}

type playing struct {
	challenger, defender ladder.ID
	ends                 int // day
}

type club struct {
	r       *rand.Rand
	members []member
	ladder  ladder.Ladder
	running []playing
	games   int
	day     int
	idle    int // most days that anybody stood in the top tenth without a game
}

var start = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

func newClub(n int, seed uint64, rules ladder.Rules, declare bool) *club {
	c := &club{r: rand.New(rand.NewPCG(seed, 2026)), ladder: ladder.Ladder{Rules: rules}}
	for i := range n {
		m := member{strength: mean + spread*c.r.NormFloat64(), eager: 0.05 + 0.25*c.r.Float64(), falls: never, topDay: -1}
		if i >= n/2 { // half of them come in the course of the year
			m.joins = c.r.IntN(250)
			if m.newcomer = i%20 == 0; m.newcomer {
				m.strength, m.eager = shodan+(strongest-shodan)*c.r.Float64(), eagerness
			}
		}
		if c.r.IntN(8) == 0 {
			m.falls = 60 + c.r.IntN(300)
		}
		m.declared = c.declares(m)
		if !declare {
			m.declared = 0
		}
		c.members = append(c.members, m)
	}
	return c
}

// declares is what a member says of his strength: a grade that is right but
// for one, or, of one in ten who are no dan, four too high.
func (c *club) declares(m member) float64 {
	says, boasts, off := c.r.IntN(2) == 0, c.r.IntN(10) == 0, 200*c.r.Float64()-100
	switch {
	case m.newcomer:
		return m.strength + off
	case says && boasts:
		return m.strength + off + 400
	case says:
		return m.strength + off
	}
	return 0
}

func (c *club) now() time.Time { return start.Add(time.Duration(c.day) * 24 * time.Hour) }

func (c *club) member(id ladder.ID) *member { return &c.members[id-1] }

func (c *club) rating(id ladder.ID) ladder.Rating {
	m := c.member(id)
	if m.agedOn != c.day || m.agedGames != m.games {
		m.aged, m.agedOn, m.agedGames = m.rating.Aged(c.now()), c.day, m.games
	}
	return m.aged
}

func (c *club) silent(id ladder.ID) bool { return c.day >= c.member(id).falls }

func (c *club) run(days int) result {
	for c.day = range days {
		for i := range c.members {
			if m := &c.members[i]; m.joins == c.day {
				m.agedOn = -1
				if m.rating = ladder.NewRating(c.now()); m.declared != 0 {
					m.rating = ladder.Declared(m.declared, c.now())
				}
				c.ladder = c.ladder.Enter(ladder.ID(i+1), c.rating, c.now())
			}
		}
		c.finish()
		c.answer()
		c.challenge()
		c.ladder, _, _ = c.ladder.Idle(func(ladder.ID) bool { return false }, c.now())
		if c.day%7 == 6 {
			c.ladder = c.ladder.Settle(c.rating, c.now()).Publish()
		}
		c.lookAtTop()
	}
	return c.result()
}

// challenge lets those who want a game ask for one.
func (c *club) challenge() {
	ids := make([]ladder.ID, len(c.ladder.Rungs))
	for i, r := range c.ladder.Rungs {
		ids[i] = r.Player
	}
	c.r.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
	for _, id := range ids {
		if c.silent(id) || c.r.Float64() > c.member(id).eager {
			continue
		}
		targets := c.ladder.Targets(id, c.rating, c.now())
		if len(targets) == 0 {
			continue
		}
		target := targets[0] // the ambitious aim high, the others anywhere in reach
		if c.r.IntN(2) == 0 {
			target = targets[c.r.IntN(len(targets))]
		}
		if next, err := c.ladder.Challenge(id, target, c.rating, c.now()); err == nil {
			c.ladder = next
		}
	}
}

// answer lets defenders accept, and lets time do it for the silent.
func (c *club) answer() {
	for _, p := range slices.Clone(c.ladder.Pairings) {
		if p.Accepted || c.silent(p.Defender) || c.r.IntN(3) == 0 {
			continue
		}
		c.ladder, _ = c.ladder.Accept(p.Challenger, p.Defender, true)
		c.running = append(c.running, playing{p.Challenger, p.Defender, c.day + shortest + c.r.IntN(longest-shortest+1)})
	}
	for _, p := range slices.Clone(c.ladder.Pairings) {
		if p.Accepted || c.now().Before(p.Made.Add(c.ladder.Rules.Answer)) {
			continue
		}
		c.ladder, _ = c.ladder.Decline(p.Challenger, p.Defender, c.now())
	}
}

// finish ends the games whose time has come.
func (c *club) finish() {
	c.running = slices.DeleteFunc(c.running, func(g playing) bool {
		if g.ends > c.day {
			return false
		}
		a, b := c.member(g.challenger), c.member(g.defender)
		r := ladder.Result{Challenger: g.challenger, Defender: g.defender, Moves: [2]int{50, 50}}
		switch lost := [2]bool{c.silent(g.challenger), c.silent(g.defender)}; {
		case lost[0]:
			r.TimeLoss = true
		case lost[1]:
			r.Score, r.TimeLoss = 1, true
		case c.r.Float64() < 1/(1+math.Pow(10, (b.strength-a.strength)/400)):
			r.Score = 1
		}
		a.rating, b.rating = ladder.Rate(a.rating, b.rating, r.Score, 0, c.now())
		a.games++
		b.games++
		c.games++
		c.ladder, _ = c.ladder.Finish(r, c.now())
		c.ladder = c.ladder.Settle(c.rating, c.now(), g.challenger, g.defender)
		return true
	})
}

// lookAtTop notes who stands in the top tenth, and for how long without a game.
func (c *club) lookAtTop() {
	for _, r := range c.ladder.Rungs[:max(1, len(c.ladder.Rungs)/10)] {
		if m := c.member(r.Player); m.topDay < 0 {
			m.topDay = c.day
		}
		if !c.ladder.Playing(r.Player) {
			c.idle = max(c.idle, int(c.now().Sub(r.Active).Hours()/24))
		}
	}
}
