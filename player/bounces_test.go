package player_test

import (
	"testing"
	"time"

	"pbem/player"
)

func TestBounced(t *testing.T) {
	const day = 24 * time.Hour
	noon := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	at := func(days int) time.Time { return noon.Add(time.Duration(days) * day) }
	type mail struct {
		id  string
		day int
	}
	tests := []struct {
		name  string
		mails []mail
		most  int
		want  bool
	}{
		{"two", []mail{{"a", 0}, {"b", 1}}, 3, false},
		{"three", []mail{{"a", 0}, {"b", 1}, {"c", 2}}, 3, true},
		{"one of them twice", []mail{{"a", 0}, {"b", 1}, {"a", 2}}, 3, false},
		{"the first long ago", []mail{{"a", 0}, {"b", 10}, {"c", 15}}, 3, false},
		{"the first long ago, and a fourth", []mail{{"a", 0}, {"b", 10}, {"c", 15}, {"d", 16}}, 3, true},
		{"never", []mail{{"a", 0}, {"b", 1}, {"c", 2}}, 0, false},
	}
	for _, tt := range tests {
		var p player.Player
		for _, m := range tt.mails {
			p = p.Bounced(m.id, at(m.day), tt.most, 14*day)
		}
		if p.OutOfReach() != tt.want {
			t.Errorf("%s: out of reach is %v; want %v", tt.name, !tt.want, tt.want)
		}
		if p.Reached().OutOfReach() {
			t.Errorf("%s: out of reach after a sign of life", tt.name)
		}
	}
}

// TestNextProbe: an address is tried once a week, and four times in all.
func TestNextProbe(t *testing.T) {
	const week = 7 * 24 * time.Hour
	noon := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	p := player.Player{}.Bounced("a", noon, 1, week)
	for n := 1; n <= 4; n++ {
		if got, want := p.NextProbe(), noon.Add(time.Duration(n)*week); !got.Equal(want) {
			t.Errorf("probe %d is at %v; want %v", n, got, want)
		}
		p = p.Probed()
	}
	if got := p.NextProbe(); !got.IsZero() {
		t.Errorf("a fifth probe at %v", got)
	}
	if got := (player.Player{}).NextProbe(); !got.IsZero() {
		t.Errorf("a player in reach is probed at %v", got)
	}
}
