package sim

import (
	"fmt"
	"strings"
	"time"
)

// trailLines is how many events a finding shows.
const trailLines = 20

// happening is an event as it is told: what it was, and whom and which game it
// touched.
type happening struct {
	at     time.Time
	person string // name; empty: nobody in particular
	game   int    // 0 none
	format string
	args   []any
}

func (h happening) String() string {
	about := h.person
	if h.game != 0 {
		about += fmt.Sprintf(" #%d", h.game)
	}
	return strings.TrimSpace(fmt.Sprintf("%s  %-12s ", h.at.Format("01-02 15:04:05"), about) + fmt.Sprintf(h.format, h.args...))
}

// note keeps an event for the trail.
func (w *world) note(person string, game int, format string, args ...any) {
	h := happening{w.schedule.now, person, game, format, args}
	w.happened = append(w.happened, h)
	if w.config.Trace != nil {
		w.config.Trace(h.String())
	}
}

// finding notes that something is wrong about a person, a game, or both. The
// first finding of a run is the one that counts. While the checker replays an
// event, what came after it is left out.
func (w *world) finding(person string, game int, format string, args ...any) {
	if w.trouble != nil {
		return
	}
	var trail []string
	for i := len(w.happened) - 1; i >= 0 && len(trail) < trailLines; i-- {
		h := w.happened[i]
		if !w.replaying.IsZero() && h.at.After(w.replaying) {
			continue
		}
		if person == "" && game == 0 || h.person == "" && h.game == 0 || game != 0 && h.game == game || game == 0 && h.person == person {
			trail = append(trail, h.String())
		}
	}
	for i, j := 0, len(trail)-1; i < j; i, j = i+1, j-1 {
		trail[i], trail[j] = trail[j], trail[i]
	}
	w.trouble = &Finding{Seed: w.config.Seed, What: fmt.Sprintf(format, args...), Trail: trail}
}
