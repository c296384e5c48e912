// Package ladder holds how players measure themselves: ratings, grades, the
// handicap that two of them should play, and ladders to climb. It is pure.
package ladder

import (
	"math"
	"time"
)

// No Go library of Glicko-2 is well kept and knows games one by one, so it is
// written here, after Mark Glickman, "Example of the Glicko-2
// system" (2022). The parameters are those of lishogi, whose games are the nearest to
// ours, but that a period is counted in days.
const (
	initial      = 1500.0
	initialDev   = 350.0
	initialVol   = 0.06
	tau          = 0.75 // how fast the volatility changes
	minDev       = 45.0
	maxVol       = 0.1
	minValue     = 400.0
	maxValue     = 4000.0
	provisional  = 130.0 // from this deviation on
	periodsADay  = 0.21436
	scale        = 173.7178 // points in one unit of the Glicko-2 scale
	maxDeviation = initialDev
)

// Rating is an estimate of a player's strength in one variant. The zero value
// is nobody's; see [NewRating].
type Rating struct {
	Value      float64 // points
	Deviation  float64 // points: the strength lies within two of them at 95 %
	Volatility float64
	At         time.Time // of the last game rated, UTC
	Games      int
}

// NewRating is the rating of who has not played yet.
func NewRating(now time.Time) Rating {
	return Rating{Value: initial, Deviation: initialDev, Volatility: initialVol, At: now}
}

// Declared is the rating of who has not played yet and says how strong he is;
// it is as uncertain as any first rating.
func Declared(value float64, now time.Time) Rating {
	r := NewRating(now)
	r.Value = value
	return r
}

// Provisional reports whether too little is known to rely on r.
func (r Rating) Provisional() bool { return r.Deviation >= provisional }

// Aged returns r at now: without games the deviation grows.
func (r Rating) Aged(now time.Time) Rating {
	periods := max(0, now.Sub(r.At).Hours()/24*periodsADay)
	phi := r.Deviation / scale
	r.Deviation = min(maxDeviation, scale*math.Sqrt(phi*phi+periods*r.Volatility*r.Volatility))
	r.At = now
	return r
}

// Rate returns both ratings after a game at now. Score is that of a: 1 won, ½
// drawn, 0 lost. Offset is how many points a is the stronger for the game's
// conditions, such as a handicap that b gave.
func Rate(a, b Rating, score, offset float64, now time.Time) (Rating, Rating) {
	x, y := a.Aged(now), b.Aged(now)
	return x.after(result{y, score, offset}), y.after(result{x, 1 - score, -offset})
}

// result is one game against an opponent.
type result struct {
	opponent Rating
	score    float64
	offset   float64 // points by which the conditions helped
}

// after is one step of Glicko-2, over the games of a period.
func (r Rating) after(games ...result) Rating {
	mu, phi := (r.Value-initial)/scale, r.Deviation/scale
	var information, gain float64 // 1/v, and what the results say beyond expectation
	for _, o := range games {
		phiO := o.opponent.Deviation / scale
		g := 1 / math.Sqrt(1+3*phiO*phiO/(math.Pi*math.Pi))
		e := 1 / (1 + math.Exp(-g*(mu+(o.offset+initial-o.opponent.Value)/scale)))
		information += g * g * e * (1 - e)
		gain += g * (o.score - e)
	}
	v := 1 / information
	sigma := volatility(r.Volatility, phi, v, v*gain)
	star := math.Sqrt(phi*phi + sigma*sigma)
	phi = 1 / math.Sqrt(1/(star*star)+information)
	r.Value = min(maxValue, max(minValue, r.Value+scale*phi*phi*gain))
	r.Deviation = min(maxDeviation, max(minDev, scale*phi))
	r.Volatility = min(maxVol, sigma)
	r.Games += len(games)
	return r
}

// volatility is step 5 of the algorithm: the root of a function between two
// bounds, by the Illinois method.
func volatility(sigma, phi, v, delta float64) float64 {
	a := math.Log(sigma * sigma)
	f := func(x float64) float64 {
		ex := math.Exp(x)
		d := phi*phi + v + ex
		return ex*(delta*delta-phi*phi-v-ex)/(2*d*d) - (x-a)/(tau*tau)
	}
	lo, hi := a, math.Log(max(delta*delta-phi*phi-v, 1e-12))
	if delta*delta <= phi*phi+v {
		k := 1.0
		for f(a-k*tau) < 0 {
			k++
		}
		hi = a - k*tau
	}
	fLo, fHi := f(lo), f(hi)
	for range 100 {
		if math.Abs(hi-lo) <= 1e-6 {
			break
		}
		mid := lo + (lo-hi)*fLo/(fHi-fLo)
		fMid := f(mid)
		if fMid*fHi <= 0 {
			lo, fLo = hi, fHi
		} else {
			fLo /= 2
		}
		hi, fHi = mid, fMid
	}
	return math.Exp(lo / 2)
}

// Expected is the score that a may expect against b, between 0 and 1.
func Expected(a, b Rating, offset float64) float64 {
	phi := b.Deviation / scale
	g := 1 / math.Sqrt(1+3*phi*phi/(math.Pi*math.Pi))
	return 1 / (1 + math.Exp(-g*(a.Value+offset-b.Value)/scale))
}
