package ladder

import (
	"math"
	"testing"
)

// TestPaper is the example of Glickman's paper: one period of three games.
func TestPaper(t *testing.T) {
	at := func(value, deviation float64) Rating {
		return Rating{Value: value, Deviation: deviation, Volatility: 0.06}
	}
	got := at(1500, 200).after(result{at(1400, 30), 1, 0}, result{at(1550, 100), 0, 0}, result{at(1700, 300), 0, 0})
	if math.Abs(got.Value-1464.06) > 0.1 || math.Abs(got.Deviation-151.52) > 0.1 || math.Abs(got.Volatility-0.05999) > 1e-4 {
		t.Errorf("%+v; want 1464.06, 151.52, 0.05999", got)
	}
	if got.Games != 3 {
		t.Errorf("%d games; want 3", got.Games)
	}
}

// TestOffset: a handicap of so many points is as good as so much strength.
func TestOffset(t *testing.T) {
	r, o := Rating{Value: 1500, Deviation: 80, Volatility: 0.06}, Rating{Value: 1900, Deviation: 80, Volatility: 0.06}
	even := Rating{Value: 1500, Deviation: 80, Volatility: 0.06}
	helped, plain := r.after(result{o, 1, 400}), r.after(result{even, 1, 0})
	if math.Abs(helped.Value-plain.Value) > 1e-6 {
		t.Errorf("%.2f with 400 points of handicap against 1900; %.2f against an equal", helped.Value, plain.Value)
	}
}
