package ladder_test

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"pbem/ladder"
)

const day = 24 * time.Hour

// even rates everybody alike.
func even(ladder.ID) ladder.Rating { return ladder.Rating{Value: 1500, Deviation: 80, Games: 20} }

// values rates players as given.
func values(v map[ladder.ID]float64) ladder.Ratings {
	return func(id ladder.ID) ladder.Rating { return ladder.Rating{Value: v[id], Deviation: 80, Games: 20} }
}

// of returns a ladder of players 1 to n, 1 at the top.
func of(n int, r ladder.Rules) ladder.Ladder {
	l := ladder.Ladder{Name: "standard", Rules: r}
	for i := range n {
		l = l.Enter(ladder.ID(i+1), even, noon)
	}
	return l
}

// falling rates players by their number, the first best.
func falling(id ladder.ID) ladder.Rating {
	return ladder.Rating{Value: 2000 - float64(id), Deviation: 80, Games: 20}
}

func order(l ladder.Ladder) (ids []ladder.ID) {
	for _, r := range l.Rungs {
		ids = append(ids, r.Player)
	}
	return ids
}

func mustChallenge(t *testing.T, l ladder.Ladder, from, to ladder.ID, now time.Time) ladder.Ladder {
	t.Helper()
	next, err := l.Challenge(from, to, even, now)
	if err != nil {
		t.Fatal(err)
	}
	return next
}

// played returns the ladder after a challenge, a game and its end.
func played(t *testing.T, l ladder.Ladder, from, to ladder.ID, r ladder.Result, now time.Time) (ladder.Ladder, ladder.Penalty) {
	t.Helper()
	l, _ = mustChallenge(t, l, from, to, now).Accept(from, to, true)
	r.Challenger, r.Defender = from, to
	return l.Finish(r, now)
}

func why(err error) ladder.Why {
	var r *ladder.Refusal
	if errors.As(err, &r) {
		return r.Why
	}
	return 0
}

// TestProperties: whatever happens, the places are a permutation of those who
// stand on the ladder, the limits hold, a copy once taken never changes, and
// only the rules move anybody.
func TestProperties(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 6))
		rules := ladder.PlainRules()
		rules.Rise = seed%2 == 0
		ratings := map[ladder.ID]float64{}
		rated := values(ratings)
		l, now := ladder.Ladder{Rules: rules}, noon
		for range 1500 {
			now = now.Add(time.Duration(r.IntN(12)) * time.Hour)
			before, kept := order(l), order(l)
			var id, other ladder.ID
			if len(before) > 0 {
				id, other = before[r.IntN(len(before))], before[r.IntN(len(before))]
			}
			old := l
			switch p := pick(r, l); r.IntN(9) {
			case 0:
				id = ladder.ID(1 + r.IntN(40))
				if ratings[id] == 0 {
					ratings[id] = 1000 + 800*r.Float64()
				}
				l = l.Enter(id, rated, now)
			case 1, 2, 3:
				targets := l.Targets(id, rated, now)
				next, err := l.Challenge(id, other, rated, now)
				if (err == nil) != slices.Contains(targets, other) {
					t.Fatalf("seed %d: challenge of %d to %d: %v, but the targets are %v", seed, id, other, err, targets)
				}
				l = next
			case 4:
				if !p.Accepted {
					l, _ = l.Accept(p.Challenger, p.Defender, true)
				}
			case 5, 6:
				if !p.Accepted {
					l, _ = l.Decline(p.Challenger, p.Defender, now)
					break
				}
				score := []float64{0, 0.5, 1}[r.IntN(3)]
				mine, theirs := l.Place(p.Challenger), l.Place(p.Defender)
				var pen ladder.Penalty
				l, pen = l.Finish(ladder.Result{Challenger: p.Challenger, Defender: p.Defender, Score: score, TimeLoss: r.IntN(3) == 0}, now)
				switch {
				case pen.Out:
				case score < 1 && !slices.Equal(order(l), before):
					t.Fatalf("seed %d: no win, yet %v became %v", seed, before, order(l))
				case score == 1 && mine > theirs && (l.Place(p.Challenger) != theirs || l.Place(p.Defender) != theirs+1):
					t.Fatalf("seed %d: who won from place %d against %d stands at %d, the other at %d", seed, mine, theirs, l.Place(p.Challenger), l.Place(p.Defender))
				}
				ratings[p.Challenger] += 40 * (score - 0.5)
				l = l.Settle(rated, now, p.Challenger, p.Defender)
			case 7:
				if r.IntN(5) == 0 {
					l, _ = l.Limbo(id).Gone(now)
				}
			case 8:
				l, _, _ = l.Idle(func(ladder.ID) bool { return false }, now)
				l = l.Settle(rated, now).Publish()
			}
			if err := l.Check(); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			if !slices.Equal(order(old), kept) {
				t.Fatalf("seed %d: an older copy changed", seed)
			}
			checkLimits(t, l)
		}
		if len(l.Rungs) < 10 {
			t.Errorf("seed %d: only %d players are left, too few to show anything", seed, len(l.Rungs))
		}
	}
}

func pick(r *rand.Rand, l ladder.Ladder) ladder.Pairing {
	if len(l.Pairings) == 0 {
		return ladder.Pairing{}
	}
	return l.Pairings[r.IntN(len(l.Pairings))]
}

func checkLimits(t *testing.T, l ladder.Ladder) {
	t.Helper()
	in, out := map[ladder.ID]int{}, map[ladder.ID]int{}
	for _, p := range l.Pairings {
		in[p.Defender]++
		out[p.Challenger]++
	}
	for _, r := range l.Rungs {
		if in[r.Player] > l.Rules.Incoming || out[r.Player] > l.Rules.Outgoing {
			t.Fatalf("player %d: %d incoming, %d outgoing", r.Player, in[r.Player], out[r.Player])
		}
		if r.Points < 0 || len(r.Log) == 0 || len(r.Log) > 10 {
			t.Fatalf("rung %+v", r)
		}
	}
}

func TestRefusals(t *testing.T) {
	l := of(40, ladder.PlainRules())
	limbo := l.Limbo(20)
	busy := l
	for _, from := range []ladder.ID{21, 22, 23} {
		busy = mustChallenge(t, busy, from, 20, noon)
	}
	eager := mustChallenge(t, mustChallenge(t, mustChallenge(t, l, 24, 20, noon), 24, 21, noon), 24, 22, noon)
	met, _ := played(t, l, 21, 20, ladder.Result{Score: 0.5}, noon)
	for _, tt := range []struct {
		name     string
		l        ladder.Ladder
		from, to ladder.ID
		after    time.Duration
		want     ladder.Why
	}{
		{"five places", l, 25, 20, 0, 0},
		{"six places", l, 26, 20, 0, ladder.TooFar},
		{"to the top of a short way", l, 5, 1, 0, 0},
		{"below", l, 20, 25, 0, ladder.Below},
		{"oneself", l, 20, 20, 0, ladder.Below},
		{"not on it", l, 99, 20, 0, ladder.NotOnLadder},
		{"nobody", l, 20, 99, 0, ladder.NoSuchDefender},
		{"in limbo", limbo, 20, 19, 0, ladder.YouLeave},
		{"of one in limbo", limbo, 21, 20, 0, ladder.TheyLeave},
		{"a fourth incoming", busy, 24, 20, 0, ladder.TooManyIn},
		{"a fourth outgoing", eager, 24, 23, 0, ladder.TooManyOut},
		{"twice", busy, 21, 20, 0, ladder.Already},
		{"a rematch too soon", met, 21, 20, 7*day - 1, ladder.TooSoon},
		{"a rematch after a week", met, 21, 20, 7 * day, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := tt.l.Challenge(tt.from, tt.to, falling, noon.Add(tt.after)); why(err) != tt.want {
				t.Errorf("Challenge(%d, %d) = %v; want reason %d", tt.from, tt.to, err, tt.want)
			}
		})
	}
}

// TestReach: a tenth of a long ladder, and as far as the rating.
func TestReach(t *testing.T) {
	l := of(100, ladder.PlainRules())
	if got := l.Reach(50, even); got != 1 {
		t.Errorf("among equals Reach(50) = %d; the rating alone gives place 1", got)
	}
	v := map[ladder.ID]float64{}
	for i := range 100 {
		v[ladder.ID(i+1)] = 2000 - float64(i)
	}
	if got := l.Reach(50, values(v)); got != 40 {
		t.Errorf("Reach(50) of 100 = %d; want 40", got)
	}
	v[50] = 1989.5
	if got := l.Reach(50, values(v)); got != 12 {
		t.Errorf("with a rating between the 11th and the 12th Reach(50) = %d; want 12", got)
	}
}

func TestSidesAlternate(t *testing.T) {
	l := of(2, ladder.PlainRules())
	now, last := noon, false
	for i := range 6 {
		now = now.Add(8 * day)
		from, to := l.Rungs[1].Player, l.Rungs[0].Player
		next, black := mustChallenge(t, l, from, to, now).Accept(from, to, true)
		first := black == (from == 1) // whether player 1 has Black
		if i > 0 && first == last {
			t.Fatalf("game %d: player 1 has the same side again", i+1)
		}
		last = first
		l, _ = next.Finish(ladder.Result{Challenger: from, Defender: to, Score: float64(i % 2)}, now)
	}
	if l.Rungs[0].Blacks != 0 || l.Rungs[1].Blacks != 0 {
		t.Errorf("after six games: %+v", l.Rungs)
	}
}

func TestDeclines(t *testing.T) {
	l := of(10, ladder.PlainRules())
	for i := range 5 {
		from := []ladder.ID{4, 5, 6}[i%3]
		fell := false
		l, fell = mustChallenge(t, l, from, 3, noon).Decline(from, 3, noon)
		if fell != (i == 4) || l.Place(3) != map[bool]int{false: 3, true: 4}[fell] {
			t.Fatalf("after %d: fell %v, place %d", i+1, fell, l.Place(3))
		}
	}
	if r := l.Rung(3); r.Declined != 0 || r.Log[len(r.Log)-1].Why != ladder.Declined {
		t.Errorf("rung %+v", r)
	}
}

// TestTimeOuts: two points each, healed by moves, and off at six: at the third
// in a row, after two that were told.
func TestTimeOuts(t *testing.T) {
	l, now := of(10, ladder.PlainRules()), noon
	lose := func(moves int) ladder.Penalty {
		t.Helper()
		now = now.Add(8 * day)
		var p ladder.Penalty
		l, p = played(t, l, 5, 4, ladder.Result{TimeLoss: true, Moves: [2]int{moves, 1}}, now)
		return p
	}
	for i, want := range []ladder.Penalty{
		{Player: 5, Points: 2}, {Player: 5, Points: 4},
	} {
		if got := lose(10); got != want {
			t.Fatalf("time-out %d: %+v; want %+v", i+1, got, want)
		}
	}
	if got, want := lose(90), (ladder.Penalty{Player: 5, Points: 3}); got != want {
		t.Fatalf("after a hundred moves, three healed: %+v; want %+v", got, want)
	}
	lose(0)
	if got := lose(0); !got.Out || l.Place(5) != 0 {
		t.Fatalf("%+v, place %d; want off the ladder", got, l.Place(5))
	}

	harsh := ladder.PlainRules()
	harsh.TimeOut = 6
	l, now = of(10, harsh), noon
	for i := range 3 {
		if got := lose(0); got.Out != (i == 2) {
			t.Fatalf("six points a time-out, number %d: %+v; nobody goes without two notices", i+1, got)
		}
	}
}

// TestIdle: sixty days, two notices a week apart, vacation not counted; who
// plays or is away is left alone.
func TestIdle(t *testing.T) {
	nobody := func(ladder.ID) bool { return false }
	l := of(3, ladder.PlainRules())
	l, _ = mustChallenge(t, l, 2, 1, noon).Accept(2, 1, true)
	told, off := map[int]int{}, -1
	for d := range 80 {
		var noticed, out []ladder.ID
		l, noticed, out = l.Idle(nobody, noon.Add(time.Duration(d)*day))
		if len(noticed) > 0 {
			told[d] = int(noticed[0])
		}
		if len(out) > 0 {
			off = d
		}
	}
	if want := map[int]int{46: 3, 53: 3}; !reflect.DeepEqual(told, want) || off != 60 || !slices.Equal(order(l), []ladder.ID{1, 2}) {
		t.Errorf("noticed on %v, off on day %d, left %v; want %v, 60", told, off, order(l), want)
	}

	l = of(1, ladder.PlainRules()).Rested(1, noon.Add(-day), noon.Add(20*day))
	if l, noticed, _ := l.Idle(nobody, noon.Add(65*day)); len(noticed) > 0 {
		t.Errorf("45 days and a vacation: %+v", l.Rungs)
	}
	if _, noticed, _ := l.Idle(nobody, noon.Add(66*day)); len(noticed) != 1 {
		t.Error("no notice 46 days beside the vacation")
	}
	if _, noticed, _ := l.Idle(func(ladder.ID) bool { return true }, noon.Add(90*day)); len(noticed) != 0 {
		t.Error("a notice while away")
	}
	_, noticed, out := of(1, ladder.PlainRules()).Idle(nobody, noon.Add(300*day))
	if len(noticed) != 1 || len(out) != 0 {
		t.Errorf("the first look after 300 days: %d told, %d off; want a notice first", len(noticed), len(out))
	}
}

// TestLimbo: no new challenges, running games count, and the last of them ends
// the stay; who comes back in time keeps the place.
func TestLimbo(t *testing.T) {
	l := of(5, ladder.PlainRules())
	l, _ = mustChallenge(t, l, 3, 2, noon).Accept(3, 2, true)
	l = mustChallenge(t, l, 4, 3, noon).Limbo(3)
	if len(l.Pairings) != 1 || !l.Playing(3) {
		t.Fatalf("pairings %+v", l.Pairings)
	}
	if l, gone := l.Gone(noon); len(gone) != 0 || l.Place(3) != 3 {
		t.Fatalf("gone with a game left: %v", gone)
	}
	if back := l.Enter(3, even, noon); back.Place(3) != 3 || back.Rung(3).Limbo {
		t.Errorf("back in time: %+v", back.Rung(3))
	}
	l, _ = l.Finish(ladder.Result{Challenger: 3, Defender: 2, Score: 1}, noon)
	if l.Place(3) != 2 {
		t.Errorf("the last game did not count: place %d", l.Place(3))
	}
	if l, gone := l.Gone(noon); !slices.Equal(gone, []ladder.ID{3}) || l.Place(3) != 0 {
		t.Errorf("gone %v", gone)
	}
}

// TestOffMeanwhile: a game of who was taken off moves nobody, even if he is
// back.
func TestOffMeanwhile(t *testing.T) {
	l, _ := mustChallenge(t, of(5, ladder.PlainRules()), 3, 2, noon).Accept(3, 2, true)
	l = l.Leave(3, noon).Enter(3, even, noon)
	before := order(l)
	l, p := l.Finish(ladder.Result{Challenger: 3, Defender: 2, Score: 1, TimeLoss: true}, noon)
	if !slices.Equal(order(l), before) || p != (ladder.Penalty{}) {
		t.Errorf("%v became %v, %+v", before, order(l), p)
	}
}

func TestEnterByRating(t *testing.T) {
	v := map[ladder.ID]float64{99: 1990.5}
	for i := range 20 {
		v[ladder.ID(i+1)] = 2000 - float64(i)
	}
	l := ladder.Ladder{Rules: ladder.DefaultRules()}
	for i := range 20 {
		l = l.Enter(ladder.ID(i+1), values(v), noon)
	}
	if got := l.Enter(99, values(v), noon).Place(99); got != 11 {
		t.Errorf("place %d; want 11", got)
	}
	says := func(id ladder.ID) ladder.Rating {
		if id == 99 {
			return ladder.Declared(2500, noon)
		}
		return values(v)(id)
	}
	l = l.Enter(99, says, noon)
	if got := l.Place(99); got != 3 {
		t.Errorf("who says to be stronger than all enters at place %d of 21; want 3, below the top tenth", got)
	}
	if got := l.Settle(says, noon).Place(99); got != 3 {
		t.Errorf("and rises without a game to %d", got)
	}
}

func TestSettle(t *testing.T) {
	v := map[ladder.ID]float64{1: 1500, 2: 1600, 3: 1400, 4: 1550, 5: 1300}
	l := of(5, ladder.DefaultRules())
	if got := order(l.Settle(values(v), noon, 4)); !slices.Equal(got, []ladder.ID{1, 4, 2, 3, 5}) {
		t.Errorf("of player 4: %v", got)
	}
	if got := order(l.Settle(values(v), noon)); !slices.Equal(got, []ladder.ID{2, 4, 1, 3, 5}) {
		t.Errorf("of all: %v", got)
	}
	l.Rules.Rise = false
	if got := order(l.Settle(values(v), noon)); !slices.Equal(got, []ladder.ID{1, 2, 3, 4, 5}) {
		t.Errorf("by the plain rules: %v", got)
	}
}

func TestParseGrade(t *testing.T) {
	for text, want := range map[string]string{
		"2 dan": "2 dan", "2-dan": "2 dan", "2d": "2 dan", "Shodan": "1 dan", "1 kyu": "1 kyu", "20k": "20 kyu", "6 dan": "6 dan",
		"三段": "3 dan", "初段": "1 dan", "５級": "", "5級": "5 kyu", "十級": "10 kyu",
		"7 dan": "", "21 kyu": "", "0 dan": "", "dan": "", "strong": "", "": "",
	} {
		value, ok := ladder.ParseGrade(text)
		if ok != (want != "") || ok && ladder.Grade(value) != want {
			t.Errorf("ParseGrade(%q) = %.0f, %v; want %q", text, value, ok, want)
		}
	}
}
