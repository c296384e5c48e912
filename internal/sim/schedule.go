package sim

import (
	"container/heap"
	"time"
)

// schedule is virtual time and what is to happen in it: events in the order of
// their time, and in the order they were planned where that is the same.
type schedule struct {
	now     time.Time
	planned int
	events  events
}

type event struct {
	at    time.Time
	order int
	do    func()
}

// in plans f to happen after d.
func (s *schedule) in(d time.Duration, f func()) {
	s.planned++
	heap.Push(&s.events, event{s.now.Add(max(d, 0)), s.planned, f})
}

// next lets the next event happen if it is due before end, and reports whether
// there was one.
func (s *schedule) next(end time.Time) bool {
	if len(s.events) == 0 || s.events[0].at.After(end) {
		s.now = end
		return false
	}
	e := heap.Pop(&s.events).(event)
	s.now = e.at
	e.do()
	return true
}

type events []event

func (e events) Len() int { return len(e) }
func (e events) Less(i, j int) bool {
	if e[i].at.Equal(e[j].at) {
		return e[i].order < e[j].order
	}
	return e[i].at.Before(e[j].at)
}
func (e events) Swap(i, j int) { e[i], e[j] = e[j], e[i] }
func (e *events) Push(v any)   { *e = append(*e, v.(event)) }
func (e *events) Pop() any {
	last := (*e)[len(*e)-1]
	*e = (*e)[:len(*e)-1]
	return last
}
