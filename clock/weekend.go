package clock

import (
	"time"
	_ "time/tzdata" // machines without zone data must count the same
)

// zone returns where the one to move lives; UTC if the name says nothing.
func (k Clock) zone() *time.Location {
	loc, err := time.LoadLocation(k.Sides[k.Turn].Zone)
	if err != nil {
		return time.UTC
	}
	return loc
}

// counted returns the time from one moment to another that counts; 0 if the
// second is the earlier one.
func (k Clock) counted(from, to time.Time) time.Duration {
	if !to.After(from) {
		return 0
	}
	if !k.Control.Weekends {
		return to.Sub(from)
	}
	var sum time.Duration
	for day := from.In(k.zone()); day.Before(to); day = nextDay(day) {
		if !weekend(day) {
			sum += earlier(nextDay(day), to).Sub(day)
		}
	}
	return sum
}

// after returns the moment at which d has been counted since from.
func (k Clock) after(from time.Time, d time.Duration) time.Time {
	if !k.Control.Weekends {
		return from.Add(d)
	}
	day := from.In(k.zone())
	for {
		if !weekend(day) {
			length := nextDay(day).Sub(day)
			if d <= length {
				return day.Add(d).UTC()
			}
			d -= length
		}
		day = nextDay(day)
	}
}

func weekend(t time.Time) bool {
	return t.Weekday() == time.Saturday || t.Weekday() == time.Sunday
}

// nextDay returns the beginning of the day after t's, which is 23 to 25 hours
// long where summer time begins or ends.
func nextDay(t time.Time) time.Time {
	y, m, d := t.Date()
	next := time.Date(y, m, d+1, 0, 0, 0, 0, t.Location())
	if !next.After(t) { // a zone that left out midnight
		next = next.Add(time.Hour)
	}
	return next
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}
