package player

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Settings are a player's wishes, as texts that their parsers have accepted.
// The zero value is the default of each.
type Settings struct {
	FixedBoard    bool   // draw Black at the bottom always, not the reader's own side
	Zone          string // IANA name of the time zone; empty: UTC
	Reminders     string // see [ParsePlan]; empty: [DefaultPlan]
	Quiet         string // see [ParseQuiet]; empty: [DefaultQuiet]
	Digest        string // hour of the day for one mail of all that happened; empty: a mail at once
	MoveEndsLeave bool   // a move made on vacation ends it
	Strict        bool   // a move in any but full notation is asked about
	Hold          string // how long a move can be taken back, such as "20m"; empty: not at all
}

// Zone returns the time zone p lives in, as far as it is known.
func (p Player) Zone() *time.Location {
	loc, err := time.LoadLocation(p.Settings.Zone)
	if err != nil {
		return time.UTC
	}
	return loc
}

// The defaults of what a player may choose otherwise.
const (
	DefaultPlan  = "half 24h 6h"
	DefaultQuiet = "22-7"
)

// Reminder is a moment at which a player wants to be reminded of a move: when
// half the time is gone, or when so much is left.
type Reminder struct {
	Half bool
	Left time.Duration
}

// ErrPlan says that a text is no plan of reminders.
var ErrPlan = errors.New("a plan reads like half 24h 6h, or off")

// ParsePlan reads a plan of reminders: "half", times left such as "24h" or
// "2d", up to six of them; "off" or an empty text is none.
func ParsePlan(text string) ([]Reminder, error) {
	words := strings.Fields(strings.ReplaceAll(strings.ToLower(text), ",", " "))
	if len(words) == 0 || slices.Equal(words, []string{"off"}) {
		return nil, nil
	}
	if len(words) > 6 {
		return nil, ErrPlan
	}
	var plan []Reminder
	for _, w := range words {
		if w == "half" {
			plan = append(plan, Reminder{Half: true})
			continue
		}
		n, err := strconv.Atoi(w[:len(w)-1])
		unit := map[byte]time.Duration{'h': time.Hour, 'd': 24 * time.Hour}[w[len(w)-1]]
		if err != nil || n < 1 || n > 999 || unit == 0 {
			return nil, fmt.Errorf("%w: %q is neither", ErrPlan, w)
		}
		plan = append(plan, Reminder{Left: time.Duration(n) * unit})
	}
	return plan, nil
}

// Plan returns when p wants to be reminded.
func (p Player) Plan() []Reminder {
	text := p.Settings.Reminders
	if text == "" {
		text = DefaultPlan
	}
	plan, err := ParsePlan(text)
	if err != nil {
		plan, _ = ParsePlan(DefaultPlan)
	}
	return plan
}

// ErrHold says that a text is no time to hold a move back.
var ErrHold = errors.New("it reads like 20m or 2h, one day at most, or off")

// ParseHold reads how long a move is held back before the opponent is told:
// "20m", "2h".
func ParseHold(text string) (time.Duration, error) {
	d, err := time.ParseDuration(strings.ReplaceAll(text, " ", ""))
	if err != nil || d < time.Minute || d > 24*time.Hour {
		return 0, ErrHold
	}
	return d, nil
}

// HoldFor returns how long p's moves can be taken back.
func (p Player) HoldFor() time.Duration {
	d, err := ParseHold(p.Settings.Hold)
	if err != nil {
		return 0
	}
	return d
}

// Quiet is a part of the day, in hours from 0 to 23, in which a player does
// not want to be woken. From may be later than To; equal ones are no quiet.
type Quiet struct{ From, To int }

// ErrQuiet says that a text names no quiet hours.
var ErrQuiet = errors.New("quiet hours read like 22-7, or off")

// ParseQuiet reads "22-7" or "off".
func ParseQuiet(text string) (Quiet, error) {
	if text == "off" {
		return Quiet{}, nil
	}
	from, to, ok := strings.Cut(text, "-")
	a, errA := ParseHour(from)
	b, errB := ParseHour(to)
	if !ok || errA != nil || errB != nil {
		return Quiet{}, ErrQuiet
	}
	return Quiet{a, b}, nil
}

// ErrHour says that a text is no hour.
var ErrHour = errors.New("an hour is a number from 0 to 23")

// ParseHour reads an hour of the day, such as "7", "07:00" or "22".
func ParseHour(text string) (int, error) {
	text = strings.TrimSuffix(strings.TrimSpace(text), ":00")
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > 23 {
		return 0, ErrHour
	}
	return n, nil
}

// Awake returns t, or the end of p's quiet hours if t falls in them.
func (p Player) Awake(t time.Time) time.Time {
	text := p.Settings.Quiet
	if text == "" {
		text = DefaultQuiet
	}
	q, err := ParseQuiet(text)
	if err != nil || q.From == q.To {
		return t
	}
	local := t.In(p.Zone())
	hour := local.Hour()
	quiet := hour >= q.From && hour < q.To
	if q.From > q.To {
		quiet = hour >= q.From || hour < q.To
	}
	if !quiet {
		return t
	}
	return nextHour(local, q.To)
}

// DigestAfter returns when the first digest after t is due; ok is false for a
// player who wants none.
func (p Player) DigestAfter(t time.Time) (due time.Time, ok bool) {
	hour, err := ParseHour(p.Settings.Digest)
	if err != nil {
		return time.Time{}, false
	}
	return nextHour(t.In(p.Zone()), hour), true
}

// nextHour returns the first moment after local at which the clock on the wall
// shows the hour.
func nextHour(local time.Time, hour int) time.Time {
	y, m, d := local.Date()
	next := time.Date(y, m, d, hour, 0, 0, 0, local.Location())
	if !next.After(local) {
		next = time.Date(y, m, d+1, hour, 0, 0, 0, local.Location())
	}
	return next.UTC()
}
