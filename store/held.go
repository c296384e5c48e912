package store

import (
	"fmt"
	"time"

	"pbem/player"
)

type heldRecord struct {
	Address string    `json:"address"`
	Subject string    `json:"subject,omitempty"`
	Lines   []string  `json:"lines,omitempty"`
	Token   string    `json:"token,omitempty"`
	Arrived time.Time `json:"arrived"`
	Expires time.Time `json:"expires"`
}

func (r heldRecord) index(id uint64) []entry { return dueEntry(r.Expires, dueHeld, id) }

// Held returns the held message with the number id.
func (tx *Tx) Held(id player.HeldID) (player.Held, error) {
	r, err := load[heldRecord](tx, bucketHeld, idKey(uint64(id)))
	if err != nil {
		return player.Held{}, fmt.Errorf("held message %d: %w", id, err)
	}
	return player.Held{
		ID: id, Address: r.Address, Subject: r.Subject, Lines: r.Lines,
		Token: r.Token, Arrived: r.Arrived, Expires: r.Expires,
	}, nil
}

// SaveHeld writes h.
func (tx *Tx) SaveHeld(h player.Held) error {
	return save(tx, bucketHeld, uint64(h.ID), heldRecord{
		Address: h.Address, Subject: h.Subject, Lines: h.Lines,
		Token: h.Token, Arrived: h.Arrived.UTC(), Expires: h.Expires.UTC(),
	})
}

// DropHeld removes a held message; it is no error if there is none.
func (tx *Tx) DropHeld(id player.HeldID) error {
	return drop[heldRecord](tx, bucketHeld, uint64(id))
}

// NextHeld returns a number for a new held message.
func (tx *Tx) NextHeld() (player.HeldID, error) {
	id, err := tx.next(bucketHeld)
	return player.HeldID(id), err
}
