package store

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"pbem/game"
)

// SetAside is a message in quarantine: one that could not be handled.
type SetAside struct {
	ID               uint64
	Mailbox          string // empty for one that came by LMTP or a pipe
	UIDValidity, UID uint32
	Arrived          time.Time // UTC
	At               time.Time // when it was set aside, UTC
	Attempts         int
	Cause            string
	Size             int64 // of the raw bytes
}

type setAsideRecord struct {
	Mailbox     string    `json:"mailbox,omitempty"`
	UIDValidity uint32    `json:"uidvalidity,omitempty"`
	UID         uint32    `json:"uid,omitempty"`
	Arrived     time.Time `json:"arrived"`
	At          time.Time `json:"at"`
	Attempts    int       `json:"attempts"`
	Cause       string    `json:"cause"`
	Size        int64     `json:"size"`
}

// SetAside puts a message in quarantine and returns its number there. ID and
// Size of m are not looked at.
func (tx *Tx) SetAside(m SetAside, raw []byte) (uint64, error) {
	id, err := tx.next(bucketSetAside)
	if err != nil {
		return 0, err
	}
	if err := tx.bucket(bucketSetAsideRaw).Put(idKey(id), raw); err != nil {
		return 0, fmt.Errorf("set message aside: %w", err)
	}
	return id, put(tx, bucketSetAside, idKey(id), setAsideRecord{
		Mailbox: m.Mailbox, UIDValidity: m.UIDValidity, UID: m.UID,
		Arrived: m.Arrived.UTC(), At: m.At.UTC(),
		Attempts: m.Attempts, Cause: m.Cause, Size: int64(len(raw)),
	})
}

// Quarantine returns the messages set aside, oldest first.
func (tx *Tx) Quarantine() (list []SetAside, err error) {
	err = tx.bucket(bucketSetAside).ForEach(func(k, v []byte) error {
		id, _, err := cutID(k)
		if err != nil {
			return err
		}
		var r setAsideRecord
		if err := json.Unmarshal(v, &r); err != nil {
			return fmt.Errorf("quarantine %d: %w", id, err)
		}
		list = append(list, r.setAside(id))
		return nil
	})
	return list, err
}

// SetAsideMessage returns one message of the quarantine.
func (tx *Tx) SetAsideMessage(id uint64) (SetAside, error) {
	r, err := load[setAsideRecord](tx, bucketSetAside, idKey(id))
	if err != nil {
		return SetAside{}, fmt.Errorf("quarantine %d: %w", id, err)
	}
	return r.setAside(id), nil
}

func (r setAsideRecord) setAside(id uint64) SetAside {
	return SetAside{
		ID: id, Mailbox: r.Mailbox, UIDValidity: r.UIDValidity, UID: r.UID,
		Arrived: r.Arrived, At: r.At, Attempts: r.Attempts, Cause: r.Cause, Size: r.Size,
	}
}

// SetAsideRaw returns the bytes of a message in quarantine.
func (tx *Tx) SetAsideRaw(id uint64) ([]byte, error) {
	raw := tx.bucket(bucketSetAsideRaw).Get(idKey(id))
	if raw == nil {
		return nil, fmt.Errorf("quarantine %d: %w", id, game.ErrNotFound)
	}
	return bytes.Clone(raw), nil
}

// DropSetAside removes a message from quarantine.
func (tx *Tx) DropSetAside(id uint64) error {
	if err := tx.bucket(bucketSetAside).Delete(idKey(id)); err != nil {
		return err
	}
	return tx.bucket(bucketSetAsideRaw).Delete(idKey(id))
}
