package store

import (
	"fmt"
	"time"

	"pbem/game"
	"pbem/notation"
	"pbem/player"
	"pbem/rules"
)

// lineRecord is a row of conditional moves.
type lineRecord struct {
	From int      `json:"from"`
	USI  []string `json:"usi"`
}

func lineRecords(v *rules.Variant, plans [2][]game.Line) (records [2][]lineRecord) {
	for side, plan := range plans {
		for _, l := range plan {
			r := lineRecord{From: l.From}
			for _, m := range l.Moves {
				r.USI = append(r.USI, notation.USI(v, m))
			}
			records[side] = append(records[side], r)
		}
	}
	return records
}

func lines(v *rules.Variant, records [2][]lineRecord) (plans [2][]game.Line, err error) {
	for side, plan := range records {
		for _, r := range plan {
			l := game.Line{From: r.From}
			for _, text := range r.USI {
				m, err := notation.ParseUSI(v, text)
				if err != nil {
					return plans, fmt.Errorf("conditional moves: %w", err)
				}
				l.Moves = append(l.Moves, m)
			}
			plans[side] = append(plans[side], l)
		}
	}
	return plans, nil
}

// pendingRecord is a move that can still be taken back.
type pendingRecord struct {
	By    uint64    `json:"by"`
	USI   string    `json:"usi"`
	At    time.Time `json:"at"`
	Until time.Time `json:"until"`
	Note  string    `json:"note,omitempty"`
}

func newPendingRecord(v *rules.Variant, p game.Pending) *pendingRecord {
	if p.By == 0 {
		return nil
	}
	return &pendingRecord{uint64(p.By), notation.USI(v, p.Move), p.At.UTC(), p.Until.UTC(), p.Note}
}

func (r *pendingRecord) pending(v *rules.Variant) (game.Pending, error) {
	if r == nil {
		return game.Pending{}, nil
	}
	m, err := notation.ParseUSI(v, r.USI)
	if err != nil {
		return game.Pending{}, fmt.Errorf("move held back: %w", err)
	}
	return game.Pending{By: player.ID(r.By), Move: m, At: r.At, Until: r.Until, Note: r.Note}, nil
}
