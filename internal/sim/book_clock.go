package sim

import (
	"regexp"
	"strings"
	"time"

	"pbem/clock"
	"pbem/game"
	"pbem/rules"
)

// watch is the time of a game as the checker counts it: what each side has
// left, and since when the one to move thinks. Outages are taken off when time
// is counted, not when they happen.
type watch struct {
	control clock.Control
	left    [2]time.Duration
	periods [2]int
	since   time.Time
	fallen  time.Time // the flag fell, and the opponent was told; zero: not
	patient bool
}

func (b *book) newWatch(c clock.Control, at time.Time) watch {
	return watch{control: c, left: [2]time.Duration{c.Bank, c.Bank}, periods: [2]int{c.Periods, c.Periods}, since: at}
}

// thought is how long the one to move has thought at t: nobody's time runs in
// the outages.
func thought(since, t time.Time, outages []game.Outage) time.Duration {
	d := max(0, t.Sub(since))
	for _, o := range outages {
		from, to := o.From, o.To
		if from.Before(since) {
			from = since
		}
		if to.After(t) {
			to = t
		}
		d -= max(0, to.Sub(from))
	}
	return d
}

// has is all the time that side can think about one move.
func (k watch) has(side rules.Color) time.Duration {
	return k.left[side] + time.Duration(k.periods[side])*k.control.Period
}

// charged is the moment up to which a move that arrived at t is charged. It
// should be t. As things are it is the beginning of the last outage between
// its arrival and its handling: a clock that has rested (game.Game.Rested)
// does not know any more what had been used at t. Once it does, this goes.
func charged(t, now time.Time, outages []game.Outage) time.Time {
	for _, o := range outages {
		if o.From.After(t) && !o.From.After(now) {
			t = o.From
		}
	}
	return t
}

// charge takes off what the move of side cost that arrived at t, and adds what
// a move adds; the opponent thinks from now on.
func (k *watch) charge(side rules.Color, t, now time.Time, outages []game.Outage) {
	k.fallen, k.patient = time.Time{}, false
	if k.control.Limited() {
		cost := thought(k.since, charged(t, now, outages), outages)
		over := max(0, cost-k.left[side])
		k.left[side] = max(0, k.left[side]-cost)
		if p := k.control.Period; p > 0 {
			k.periods[side] = max(0, k.periods[side]-int(over/p))
		}
		switch add := k.left[side] + k.control.Increment; {
		case k.control.Each:
			k.left[side] = k.control.Bank
		case k.control.Cap > 0 && add > k.control.Cap:
			k.left[side] = max(k.left[side], k.control.Cap)
		default:
			k.left[side] = add
		}
	}
	k.since = now
	if t.After(now) {
		k.since = t
	}
}

// checkCharge: the move in hand is charged no time in which the service was
// away.
func (b *book) checkCharge(g *match) {
	k, at := g.watch, b.entry.arrived
	charged, fair := thought(k.since, at, b.entry.outages), thought(k.since, at, b.w.process.outages)
	if k.control.Limited() && charged > fair {
		b.w.finding(b.who.name, g.id, "ply %d of game #%d is charged %v, with an outage in it: without, %v", len(g.moves)+1, g.id, charged, fair)
	}
}

// flagFell replays that a flag fell: rightly so, by the outages that the
// service knows of and by those that there were.
func (b *book) flagFell(g *match, at time.Time) {
	side := g.position().Turn()
	has := g.watch.has(side)
	switch {
	case g.over() || !g.watch.control.Limited():
		b.w.finding("", g.id, "a flag fell in game #%d, which has none", g.id)
	case thought(g.watch.since, at, b.entry.outages) < has:
		b.w.finding("", g.id, "a flag fell in game #%d at %v after %v of %v", g.id, at, thought(g.watch.since, at, b.entry.outages), has)
	case thought(g.watch.since, at, b.w.process.outages) < has:
		b.w.finding("", g.id, "an outage made a flag fall in game #%d at %v, since %v", g.id, at, g.watch.since)
	}
	g.watch.fallen = at
}

// timedOut replays that the service ended a game on time.
func (b *book) timedOut(g *match) {
	k := g.watch
	if k.fallen.IsZero() || k.patient || b.entry.now.Before(k.fallen.Add(settings().ClaimAfter)) {
		b.w.finding("", g.id, "game #%d was claimed by itself; its flag fell at %v", g.id, k.fallen)
	}
	g.finish(rules.End{Outcome: rules.Win(g.position().Turn().Other()), Cause: game.Time}, b.entry.now)
}

func (g *match) finish(end rules.End, at time.Time) {
	g.end, g.ended = end, at
	g.watch.fallen, g.watch.patient = time.Time{}, false
}

// overdue: at the end no flag hangs that should have fallen.
func (b *book) overdue(now time.Time) {
	const slack = 3 * time.Hour
	for _, g := range b.games {
		k := g.watch
		if g.over() || !k.control.Limited() || len(b.w.history) == 0 {
			continue
		}
		known := b.w.history[len(b.w.history)-1].outages
		if k.fallen.IsZero() && thought(k.since, now.Add(-slack), known) > k.has(g.position().Turn()) {
			b.w.finding("", g.id, "the flag of game #%d has not fallen by %v", g.id, now)
		}
		if !k.fallen.IsZero() && !k.patient && now.Sub(k.fallen) > settings().ClaimAfter+slack {
			b.w.finding("", g.id, "game #%d is not claimed though its flag fell at %v", g.id, k.fallen)
		}
	}
}

// decide replays claim, wait and give, which an opponent says when a flag has
// fallen; give at any time.
func (b *book) decide(g *match, word, args string) {
	me := rules.Black
	if g.players[rules.White] == b.who {
		me = rules.White
	}
	k := &g.watch
	open := !k.fallen.IsZero() && g.turn() != nil && g.turn() != b.who
	switch {
	case word == "give" && !g.over() && k.control.Limited():
		if open {
			k.left[me.Other()] += b.entry.now.Sub(k.fallen)
			k.fallen, k.patient = time.Time{}, false
		}
		k.left[me.Other()] += span(args)
	case word == "claim" && open:
		g.finish(rules.End{Outcome: rules.Win(me), Cause: game.Time}, b.entry.arrived)
	case word == "wait" && open:
		k.patient = true
	default:
		return // it is told that there is nothing to decide
	}
	b.owe(g.other(b.who).addr, g.about())
}

var spanWord = regexp.MustCompile(`^(\d+) (day|hour)s?$`)

func span(text string) time.Duration {
	m := spanWord.FindStringSubmatch(text)
	if m == nil {
		return 0
	}
	unit := time.Hour
	if m[2] == "day" {
		unit = 24 * time.Hour
	}
	return time.Duration(atoi(m[1])) * unit
}

// controls are the time controls of the runs, as they are typed.
func controls() map[string]clock.Control {
	const h = time.Hour
	return map[string]clock.Control{
		"12h":       {Bank: 12 * h, Each: true},
		"1d":        {Bank: 24 * h, Each: true},
		"1d+6h/2d":  {Bank: 24 * h, Increment: 6 * h, Cap: 48 * h},
		"12h+3x12h": {Bank: 12 * h, Periods: 3, Period: 12 * h},
		"unlimited": {},
	}
}

// reminded checks a reminder that went out at a tick: to the one whose turn it
// is, outside the night, once a day, but for the last call.
func (b *book) reminded(g *match, to string) {
	turn := g.turn()
	if turn == nil || turn.addr != to {
		b.w.finding("", g.id, "%s is reminded in game #%d and is not to move", to, g.id)
		return
	}
	now := b.entry.now
	if k := g.watch; k.control.Limited() && k.has(g.position().Turn())-thought(k.since, now, b.entry.outages) <= 7*time.Hour {
		b.lastReminder[to] = now
		return // The last call may come at any time.
	}
	if h := now.Hour(); h >= 22 || h < 7 {
		b.w.finding("", g.id, "%s is reminded in game #%d at night, %v", to, g.id, now)
	}
	if last := b.lastReminder[to]; !last.IsZero() && now.Sub(last) < 24*time.Hour {
		b.w.finding("", g.id, "%s is reminded in game #%d at %v and was at %v", to, g.id, now, last)
	}
	b.lastReminder[to] = now
}

func isReminder(subject string) bool { return strings.Contains(subject, "it is your move against") }
