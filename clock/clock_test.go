package clock_test

import (
	"errors"
	"math/rand/v2"
	"testing"
	"testing/quick"
	"time"

	"pbem/clock"
)

const (
	hour = time.Hour
	day  = clock.Day
)

// noon is a Wednesday.
var noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

func mustParse(t testing.TB, text string) clock.Control {
	t.Helper()
	c, err := clock.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestParse(t *testing.T) {
	tests := []struct {
		text string
		want clock.Control
		form string // as String writes it; empty: as typed
	}{
		{"10d+36h/10d", clock.Control{Bank: 10 * day, Increment: 36 * hour, Cap: 10 * day}, ""},
		{"10d + 36h / 10d", clock.Control{Bank: 10 * day, Increment: 36 * hour, Cap: 10 * day}, "10d+36h/10d"},
		{"10D+1d", clock.Control{Bank: 10 * day, Increment: day}, "10d+1d"},
		{"3d", clock.Control{Bank: 3 * day, Each: true}, ""},
		{"36h", clock.Control{Bank: 36 * hour, Each: true}, ""},
		{"1w", clock.Control{Bank: 7 * day, Each: true}, "7d"},
		{"10/30", clock.Control{Bank: 30 * day, Moves: 10, Cap: 40 * day}, "10/30/40"},
		{"10/50", clock.Control{Bank: 50 * day, Moves: 10, Cap: 66 * day}, "10/50/66"},
		{"10/30/30", clock.Control{Bank: 30 * day, Moves: 10, Cap: 30 * day}, ""},
		{"30d+5x3d", clock.Control{Bank: 30 * day, Periods: 5, Period: 3 * day}, ""},
		{"5x3d", clock.Control{Periods: 5, Period: 3 * day}, ""},
		{"10/50 iccf", clock.Control{Bank: 50 * day, Moves: 10, Cap: 66 * day, Double: 20 * day}, "10/50/66 iccf"},
		{"iccf", clock.Control{Bank: 50 * day, Moves: 10, Cap: 66 * day, Double: 20 * day}, "10/50/66 iccf"},
		{"none", clock.Control{}, ""},
	}
	for _, tt := range tests {
		got, err := clock.Parse(tt.text)
		if err != nil || got != tt.want {
			t.Errorf("Parse(%q) = %+v, %v; want %+v", tt.text, got, err, tt.want)
			continue
		}
		form := tt.form
		if form == "" {
			form = tt.text
		}
		if got.String() != form {
			t.Errorf("Parse(%q).String() = %q; want %q", tt.text, got.String(), form)
		}
		if again, err := clock.Parse(form); err != nil || again != got {
			t.Errorf("Parse(%q) = %+v, %v; want what it was written from", form, again, err)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for _, text := range []string{"", "fast", "0d", "10d+36h/9d", "0/30", "9999d", "10", "3 days each", "-3d", "5x0d", "10//30"} {
		c, err := clock.Parse(text)
		var wrong *clock.Error
		if !errors.As(err, &wrong) || c != (clock.Control{}) {
			t.Errorf("Parse(%q) = %+v, %v; want an *Error", text, c, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"10d+36h/10d", "3d", "10/30", "30d+5x3d", "iccf 10/50", "none"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		c, err := clock.Parse(s)
		if err != nil {
			return
		}
		if again, err := clock.Parse(c.String()); err != nil || again != c {
			t.Errorf("%q is %+v, written %q, and read back %+v, %v", s, c, c, again, err)
		}
		if c.Limited() {
			if at, ok := clock.New(c, [2]string{}, 0, noon).Falls(); !ok || !at.After(noon) {
				t.Errorf("%q: flag falls at %v, %v", s, at, ok)
			}
		}
	})
}

// TestCharge: what stands on the clock of the first player after moves that
// took the given times, the other always answering at once.
func TestCharge(t *testing.T) {
	tests := []struct {
		name    string
		control string
		took    []time.Duration
		left    time.Duration
		periods int
	}{
		{"increment up to the cap", "10d+36h/10d", []time.Duration{day}, 10 * day, 0},
		{"increment below the cap", "10d+36h/10d", []time.Duration{4 * day}, 7*day + 12*hour, 0},
		{"no cap", "10d+1d", []time.Duration{hour, hour}, 12*day - 2*hour, 0},
		{"a move each", "3d", []time.Duration{2 * day, day}, 3 * day, 0},
		{"moves in days, before the control", "2/10", []time.Duration{4 * day}, 6 * day, 0},
		{"moves in days, carried", "2/12", []time.Duration{9 * day, day}, 14 * day, 0},
		{"moves in days, carried up to the cap", "2/12", []time.Duration{day, day}, 16 * day, 0},
		{"byoyomi untouched", "30d+5x3d", []time.Duration{29 * day}, day, 5},
		{"byoyomi begun", "30d+5x3d", []time.Duration{32 * day}, 0, 5},
		{"byoyomi within a period is free", "30d+5x3d", []time.Duration{30 * day, 2 * day, 2 * day}, 0, 5},
		{"byoyomi periods lost", "30d+5x3d", []time.Duration{30 * day, 7 * day}, 0, 3},
		{"iccf, 20 days", "10/50 iccf", []time.Duration{20 * day}, 30 * day, 0},
		{"iccf, the 23rd day is the 26th", "10/50 iccf", []time.Duration{23 * day}, 24 * day, 0},
		{"no limit", "none", []time.Duration{400 * day}, 0, 0},
		{"too late: nothing is left, nothing owed", "10d+36h/10d", []time.Duration{12 * day}, 36 * hour, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			at := noon
			k := clock.New(mustParse(t, tt.control), [2]string{}, 0, at)
			for _, d := range tt.took {
				at = at.Add(d)
				k = k.Move(at).Move(at)
			}
			if s := k.Sides[0]; s.Left != tt.left || s.Periods != tt.periods {
				t.Errorf("%v and %d periods left; want %v and %d", s.Left, s.Periods, tt.left, tt.periods)
			}
		})
	}
}

func TestFalls(t *testing.T) {
	tests := []struct {
		name, control string
		weekends      bool
		zone          string
		want          time.Duration // after noon, a Wednesday in UTC
	}{
		{"bank", "10d+36h/10d", false, "", 10 * day},
		{"a move each", "3d", false, "", 3 * day},
		{"byoyomi to its end", "30d+5x3d", false, "", 45 * day},
		{"iccf, the last days count twice", "10/50 iccf", false, "", 35 * day},
		{"weekends off", "3d", true, "", 5 * day},
		{"weekends off, two of them", "10d+36h/10d", true, "", 14 * day},
		{"weekends begin earlier in Tokyo", "60h", true, "Asia/Tokyo", 4*day + 12*hour},
		{"an unknown zone is UTC", "3d", true, "Nowhere/Atall", 5 * day},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := mustParse(t, tt.control)
			c.Weekends = tt.weekends
			k := clock.New(c, [2]string{tt.zone, ""}, 0, noon)
			got, ok := k.Falls()
			if want := noon.Add(tt.want); !ok || !got.Equal(want) {
				t.Errorf("falls at %v, %v; want %v", got, ok, want)
			}
			if !k.Fallen(got) || k.Fallen(got.Add(-time.Second)) {
				t.Error("the flag does not fall when it is said to")
			}
		})
	}
	if _, ok := clock.New(clock.Control{}, [2]string{}, 0, noon).Falls(); ok {
		t.Error("a flag falls without a limit")
	}
}

// TestSummerTime: the night that summer time begins is an hour shorter, and
// the clock counts hours, not days of the calendar.
func TestSummerTime(t *testing.T) {
	c := mustParse(t, "3d")
	c.Weekends = true
	rome, err := time.LoadLocation("Europe/Rome")
	if err != nil {
		t.Fatal(err)
	}
	friday := time.Date(2026, 3, 27, 0, 0, 0, 0, rome) // it begins on Sunday the 29th
	k := clock.New(c, [2]string{"Europe/Rome", ""}, 0, friday)
	got, _ := k.Falls()
	if want := time.Date(2026, 4, 1, 0, 0, 0, 0, rome); !got.Equal(want) {
		t.Errorf("falls at %v; want %v", got.In(rome), want)
	}
}

func TestPauses(t *testing.T) {
	c := mustParse(t, "10d+36h/10d")
	k := clock.New(c, [2]string{}, 0, noon).Stop(noon.Add(4 * day))
	if _, ok := k.Falls(); ok || k.Spent(noon.Add(100*day)) != 4*day {
		t.Error("time runs while the clock is stopped")
	}
	moved := k.Move(noon.Add(50 * day)) // one may move during a pause
	if moved.Running() || moved.Sides[0].Left != 7*day+12*hour || moved.Spent(noon.Add(90*day)) != 0 {
		t.Errorf("after a move in a pause: %+v", moved)
	}
	k = k.Start(noon.Add(100 * day))
	if got, _ := k.Falls(); !got.Equal(noon.Add(106 * day)) {
		t.Errorf("falls at %v, want 106 days after noon", got)
	}
	k = k.Rest(noon.Add(101*day), noon.Add(110*day)) // five days used, then nine of rest
	if got, _ := k.Falls(); !got.Equal(noon.Add(115 * day)) {
		t.Errorf("falls at %v, want 115 days after noon", got)
	}
	early := k.Move(noon.Add(105 * day)) // a move ends the rest of one side only in what it costs
	if early.Sides[0].Left != 6*day+12*hour || early.Spent(noon.Add(110*day)) != 0 || early.Spent(noon.Add(111*day)) != day {
		t.Errorf("after a move within a rest: %+v", early)
	}
}

func TestRemaining(t *testing.T) {
	k := clock.New(mustParse(t, "30d+5x3d"), [2]string{}, 0, noon)
	for _, tt := range []struct {
		after   time.Duration
		left    time.Duration
		periods int
	}{
		{0, 30 * day, 5}, {29 * day, day, 5}, {30 * day, 3 * day, 4}, {31 * day, 2 * day, 4},
		{33 * day, 3 * day, 3}, {44 * day, day, 0}, {45 * day, 0, 0}, {99 * day, 0, 0},
	} {
		if got := k.Remaining(0, noon.Add(tt.after)); got.Left != tt.left || got.Periods != tt.periods {
			t.Errorf("after %v: %v and %d periods; want %v and %d", tt.after, got.Left, got.Periods, tt.left, tt.periods)
		}
	}
	if got := k.Remaining(1, noon.Add(99*day)); got.Left != 30*day {
		t.Errorf("the one who waits has %v; want 30 days", got.Left)
	}
}

var zones = []string{"", "Europe/Rome", "Asia/Tokyo", "America/Sao_Paulo", "Australia/Lord_Howe", "Pacific/Apia"}

// TestNothingChargedTwice: whatever pauses, zone changes and moves there are,
// in any order of arrival, the time charged is what passed while the clock
// ran, weekends left out, and never more; a flag never falls before that.
func TestNothingChargedTwice(t *testing.T) {
	controls := []string{"10d+36h/10d", "3d", "10/30", "30d+5x3d", "10/50 iccf"}
	f := func(seed uint64) bool {
		r := rand.New(rand.NewPCG(seed, 1))
		c := mustParse(t, controls[r.IntN(len(controls))])
		c.Weekends = r.IntN(2) == 0
		at := noon.Add(time.Duration(r.IntN(365*24)) * hour)
		k := clock.New(c, [2]string{zones[r.IntN(len(zones))], zones[r.IntN(len(zones))]}, r.IntN(2), at)
		running, ran := true, time.Duration(0) // on this move, by the plain count
		var resumes time.Time
		for range 60 {
			step := time.Duration(r.IntN(40*60)) * time.Minute
			before := k.Spent(at)
			from := at
			at = at.Add(step)
			if running && at.After(resumes) {
				if resumes.After(from) {
					from = resumes
				}
				ran += at.Sub(from)
			}
			spent := k.Spent(at)
			if spent < before || spent > ran {
				t.Logf("spent %v, before that %v, ran %v", spent, before, ran)
				return false
			}
			if !c.Weekends && spent != ran {
				t.Logf("spent %v, ran %v", spent, ran)
				return false
			}
			if falls, ok := k.Falls(); ok {
				if k.Fallen(at) != !at.Before(falls) {
					return false
				}
				s := k.Sides[k.Turn]
				if had := s.Left + time.Duration(s.Periods)*c.Period; k.Fallen(at) && c.Double == 0 && ran < had {
					t.Logf("fallen after %v of %v", ran, had)
					return false
				}
			}
			switch r.IntN(6) {
			case 0:
				k, running = k.Stop(at), false
				resumes = time.Time{}
			case 1:
				if !running {
					k, running = k.Start(at), true
				}
			case 2:
				if running && !resumes.After(at) {
					resumes = at.Add(time.Duration(r.IntN(20)) * day)
					k = k.Rest(at, resumes)
				}
			case 3:
				k = k.Rezone(r.IntN(2), zones[r.IntN(len(zones))], at)
			case 4:
				other := k.Sides[1-k.Turn]
				k = k.Move(at)
				ran = 0
				if k.Sides[k.Turn] != other || k.Sides[1-k.Turn].Left < 0 {
					t.Log("the one who waited was charged")
					return false
				}
			case 5:
				late := k.Stop(at.Add(-5 * day)) // news of the past charges nothing back
				if late.Used < k.Used {
					return false
				}
			}
		}
		return true
	}
	if err := quick.Check(f, &quick.Config{MaxCount: 3000}); err != nil {
		t.Error(err)
	}
}
