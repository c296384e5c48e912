package ladder_test

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"pbem/ladder"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func rating(value, deviation float64) ladder.Rating {
	return ladder.Rating{Value: value, Deviation: deviation, Volatility: 0.06, At: noon}
}

func TestRateProperties(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		a := rating(500+2500*r.Float64(), 45+300*r.Float64())
		b := rating(500+2500*r.Float64(), 45+300*r.Float64())
		offset := 1200 * (r.Float64() - 0.5)
		at := noon.Add(time.Duration(r.IntN(400)) * 24 * time.Hour)
		score := []float64{0, 0.5, 1}[r.IntN(3)]
		x, y := ladder.Rate(a, b, score, offset, at)
		for _, v := range []ladder.Rating{x, y} {
			if math.IsNaN(v.Value) || v.Value < 400 || v.Value > 4000 || v.Deviation < 45 || v.Deviation > 350 || v.Volatility <= 0 || v.Volatility > 0.1 {
				t.Fatalf("%+v against %+v, score %v, offset %v: %+v", a, b, score, offset, v)
			}
		}
		if score == 1 && (x.Value < a.Value-1e-6 || y.Value > b.Value+1e-6) {
			t.Fatalf("a win cost points: %+v, %+v become %+v, %+v", a, b, x, y)
		}
		if again, _ := ladder.Rate(a, b, score, offset, at); again != x {
			t.Fatal("the same game rated twice gives two ratings")
		}
		if p := ladder.Expected(a, b, offset); p < 0 || p > 1 {
			t.Fatalf("expected score %v", p)
		}
	}
}

// TestRatingsFindStrength: players whose results follow hidden strengths end
// near them.
func TestRatingsFindStrength(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	const n = 40
	ratings, strength := make([]ladder.Rating, n), make([]float64, n)
	for i := range ratings {
		ratings[i] = ladder.NewRating(noon)
		strength[i] = 1100 + 20*float64(i)
	}
	at := noon
	for range 4000 {
		at = at.Add(3 * time.Hour)
		i, j := r.IntN(n), r.IntN(n)
		if i == j {
			continue
		}
		score := 0.0
		if r.Float64() < 1/(1+math.Pow(10, (strength[j]-strength[i])/400)) {
			score = 1
		}
		ratings[i], ratings[j] = ladder.Rate(ratings[i], ratings[j], score, 0, at)
	}
	var mean, sum float64
	for i := range ratings {
		mean += (ratings[i].Value - strength[i]) / n
	}
	for i := range ratings {
		sum += math.Abs(ratings[i].Value - strength[i] - mean)
		if ratings[i].Provisional() {
			t.Errorf("player %d is provisional after 200 games: %.0f", i, ratings[i].Deviation)
		}
	}
	if sum/n > 70 {
		t.Errorf("ratings are off by %.0f points on average", sum/n)
	}
}

func TestAged(t *testing.T) {
	r := rating(1500, 60)
	if d := r.Aged(noon.Add(365 * 24 * time.Hour)).Deviation; d < 100 || d > 120 {
		t.Errorf("a year makes a deviation of 60 one of %.0f; want about 110", d)
	}
	if d := r.Aged(noon.Add(-24 * time.Hour)).Deviation; math.Abs(d-60) > 1e-9 {
		t.Errorf("a clock set back makes it %.2f", d)
	}
}

func TestGrade(t *testing.T) {
	for value, want := range map[float64]string{
		50: "20 kyu", 0: "20 kyu", 1279: "5 kyu", 1280: "4 kyu", 1359: "4 kyu", 1360: "3 kyu", 1500: "2 kyu", 1600: "1 kyu",
		1680: "1 dan", 1800: "2 dan", 1919: "2 dan", 2300: "6 dan", 3000: "6 dan",
	} {
		if got := ladder.Grade(value); got != want {
			t.Errorf("Grade(%.0f) = %s; want %s", value, got, want)
		}
	}
}

func TestSuggest(t *testing.T) {
	for _, tt := range []struct {
		stronger, weaker float64
		want             string
	}{
		{1800, 1800, ""}, {1850, 1800, ""}, {1920, 1800, "lance"}, {2000, 1800, "bishop"}, {2050, 1800, "rook"}, {2160, 1800, "rook-lance"},
		{2280, 1800, "2p"}, {1800, 1300, "2p"}, {1800, 1250, "4p"}, {1800, 1120, "5p-left"}, {2300, 1200, "6p"}, {1500, 1500, ""},
	} {
		if got := ladder.Suggest(tt.stronger, tt.weaker); got != tt.want {
			t.Errorf("Suggest(%.0f, %.0f) = %q; want %q", tt.stronger, tt.weaker, got, tt.want)
		}
	}
}
