package player_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"pbem/player"
)

func TestParsePlan(t *testing.T) {
	tests := []struct {
		text string
		want []player.Reminder
		err  error
	}{
		{"half 24h 6h", []player.Reminder{{Half: true}, {Left: 24 * time.Hour}, {Left: 6 * time.Hour}}, nil},
		{"2D, 1h", []player.Reminder{{Left: 48 * time.Hour}, {Left: time.Hour}}, nil},
		{"off", nil, nil},
		{"", nil, nil},
		{"often", nil, player.ErrPlan},
		{"h", nil, player.ErrPlan},
		{"0h", nil, player.ErrPlan},
		{"6 h", nil, player.ErrPlan},
		{"1h 2h 3h 4h 5h 6h 7h", nil, player.ErrPlan},
	}
	for _, tt := range tests {
		got, err := player.ParsePlan(tt.text)
		if !errors.Is(err, tt.err) || !slices.Equal(got, tt.want) {
			t.Errorf("ParsePlan(%q) = %v, %v; want %v, %v", tt.text, got, err, tt.want, tt.err)
		}
	}
}

func TestAwake(t *testing.T) {
	tests := []struct {
		name, zone, quiet string
		at, want          string // of 2 March, or the day said
	}{
		{"day", "", "", "2T15:04", "2T15:04"},
		{"late evening", "", "", "2T22:00", "3T07:00"},
		{"early morning", "", "", "2T03:30", "2T07:00"},
		{"the hour it ends", "", "", "2T07:00", "2T07:00"},
		{"no quiet", "", "off", "2T03:30", "2T03:30"},
		{"quiet by day", "", "9-17", "2T10:00", "2T17:00"},
		{"quiet by day, at night", "", "9-17", "2T20:00", "2T20:00"},
		{"quiet in Tokyo", "Asia/Tokyo", "", "2T14:00", "2T22:00"},
		{"no zone", "Nowhere", "", "2T23:00", "3T07:00"},
		{"no hours", "", "tea time", "2T23:00", "2T23:00"},
	}
	parse := func(s string) time.Time {
		at, err := time.Parse("2006-01-2T15:04", "2026-03-"+s)
		if err != nil {
			t.Fatal(err)
		}
		return at
	}
	for _, tt := range tests {
		p := player.Player{Settings: player.Settings{Zone: tt.zone, Quiet: tt.quiet}}
		if got := p.Awake(parse(tt.at)); !got.Equal(parse(tt.want)) {
			t.Errorf("%s: awake at %v; want %v", tt.name, got, tt.want)
		}
	}
}

// TestDigestAfter: the digest comes once a day by the wall clock, also when
// summer time begins.
func TestDigestAfter(t *testing.T) {
	p := player.Player{Settings: player.Settings{Zone: "Europe/Rome", Digest: "8"}}
	at := time.Date(2026, 3, 27, 12, 0, 0, 0, time.UTC)
	for range 5 {
		next, ok := p.DigestAfter(at)
		if d := next.Sub(at); !ok || d <= 0 || d > 25*time.Hour || next.In(p.Zone()).Hour() != 8 {
			t.Fatalf("after %v: %v, %v", at, next.In(p.Zone()), ok)
		}
		at = next
	}
	if _, ok := (player.Player{}).DigestAfter(at); ok {
		t.Error("a digest for a player who wants none")
	}
}

func TestLeave(t *testing.T) {
	const day = 24 * time.Hour
	joined := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	at := func(days int) time.Time { return joined.Add(time.Duration(days) * day) }
	p := player.Player{Joined: joined}
	for days, want := range map[int]time.Duration{0: 0, 12: day, 30: 2*day + 12*time.Hour, 360: 30 * day, 3600: 30 * day} {
		if got := p.Earned(at(days)); got != want {
			t.Errorf("after %d days %v are earned; want %v", days, got, want)
		}
	}
	p = p.Take(at(120), at(124), at(120)) // 10 days earned
	if got := p.Earned(at(120)); got != 6*day {
		t.Errorf("%v left after 4 of 10 days were taken; want 6 days", got)
	}
	for days, want := range map[int]bool{119: false, 120: true, 123: true, 124: false} {
		if p.Away(at(days)) != want {
			t.Errorf("away on day %d: %v", days, !want)
		}
	}
	back := p.Return(at(122))
	if got, want := back.Earned(at(122)), 8*day+4*time.Hour; got != want || back.Away(at(122)) {
		t.Errorf("back after two days: %v earned, want %v", got, want)
	}
	planned := player.Player{Joined: joined}.Take(at(120), at(124), at(100))
	if got, want := planned.Return(at(110)).Earned(at(120)), 10*day; got != want {
		t.Errorf("given up beforehand: %v earned, want %v", got, want)
	}
	if got := p.Spend(100*day, at(121)).Earned(at(121)); got != 0 {
		t.Errorf("%v left after all was spent", got)
	}
}
