package store

import (
	"fmt"
	"time"

	"pbem/clock"
	"pbem/game"
	"pbem/player"
)

// clockRecord is a clock as it stands.
type clockRecord struct {
	Control  string        `json:"control"` // as clock.Parse reads it
	Weekends bool          `json:"weekends,omitempty"`
	Sides    [2]sideRecord `json:"sides"` // Black's, White's
	Turn     int           `json:"turn"`
	Since    time.Time     `json:"since,omitzero"`
	Used     span          `json:"used,omitempty"`
}

type sideRecord struct {
	Left    span   `json:"left"`
	Periods int    `json:"periods,omitempty"`
	Moves   int    `json:"moves,omitempty"`
	Zone    string `json:"zone,omitempty"`
}

// span is a length of time, written as people and [time.ParseDuration] read
// it: "36h0m0s".
type span time.Duration

func (s span) MarshalText() ([]byte, error) { return []byte(time.Duration(s).String()), nil }

func (s *span) UnmarshalText(text []byte) error {
	d, err := time.ParseDuration(string(text))
	*s = span(d)
	return err
}

func newClockRecord(k clock.Clock) *clockRecord {
	r := &clockRecord{Control: k.Control.String(), Weekends: k.Control.Weekends, Turn: k.Turn, Since: k.Since.UTC(), Used: span(k.Used)}
	for i, s := range k.Sides {
		r.Sides[i] = sideRecord{Left: span(s.Left), Periods: s.Periods, Moves: s.Moves, Zone: s.Zone}
	}
	return r
}

func (r *clockRecord) clock() (clock.Clock, error) {
	if r == nil {
		return clock.Clock{}, nil
	}
	c, err := parseControl(r.Control, r.Weekends)
	if err != nil {
		return clock.Clock{}, err
	}
	if r.Turn != 0 && r.Turn != 1 {
		return clock.Clock{}, fmt.Errorf("clock of side %d", r.Turn)
	}
	k := clock.Clock{Control: c, Turn: r.Turn, Since: r.Since, Used: time.Duration(r.Used)}
	for i, s := range r.Sides {
		k.Sides[i] = clock.Side{Left: time.Duration(s.Left), Periods: s.Periods, Moves: s.Moves, Zone: s.Zone}
	}
	return k, nil
}

// controlText writes what [parseControl] reads.
func controlText(c clock.Control) string {
	if !c.Limited() {
		return ""
	}
	return c.String()
}

func parseControl(text string, weekends bool) (clock.Control, error) {
	if text == "" {
		return clock.Control{}, nil
	}
	c, err := clock.Parse(text)
	c.Weekends = weekends
	return c, err
}

type offerRecord struct {
	Kind    string    `json:"kind"`
	By      uint64    `json:"by"`
	At      time.Time `json:"at"`
	Expires time.Time `json:"expires"`
}

func offerRecords(offers []game.Offer) []offerRecord {
	var records []offerRecord
	for _, o := range offers {
		records = append(records, offerRecord{string(o.Kind), uint64(o.By), o.At.UTC(), o.Expires.UTC()})
	}
	return records
}

func offers(records []offerRecord) []game.Offer {
	var offers []game.Offer
	for _, r := range records {
		offers = append(offers, game.Offer{Kind: game.OfferKind(r.Kind), By: player.ID(r.By), At: r.At, Expires: r.Expires})
	}
	return offers
}
