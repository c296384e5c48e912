package game

import "time"

// Outage is a time in which the service did not run.
type Outage struct{ From, To time.Time }

// Rested returns g with its clock stopped in each outage that lies within the
// present move: nobody's time runs while nobody can be reached. Doing it twice
// changes nothing more, since the clock then runs from the outage's end on.
func (g Game) Rested(outages []Outage) Game {
	for _, o := range outages {
		if k := g.Clock; k.Running() && o.To.After(k.Since) {
			g.Clock = k.Rest(o.From, o.To)
		}
	}
	return g
}
