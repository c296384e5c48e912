package store

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"pbem/game"
	"pbem/player"
)

// Outgoing is a mail in the outbox. Its Message-ID and bytes are fixed when it
// is queued: whatever happens on the way, every copy is the same mail.
type Outgoing struct {
	ID        uint64 // given by Queue
	From, To  string // of the envelope
	MessageID string // without angle brackets
	Data      []byte // the whole mail; nil in lists, see [Tx.OutgoingData]
	Player    player.ID
	Game      game.ID
	Ply       int
	Queued    time.Time // UTC
	Next      time.Time // not to be tried before, UTC
	Attempts  int
	LastError string    // why the last attempt failed
	Failed    time.Time // when it was given up, UTC; zero while it waits
}

type outgoingRecord struct {
	From      string    `json:"from"`
	To        string    `json:"to"`
	MessageID string    `json:"message_id"`
	Player    uint64    `json:"player,omitempty"`
	Game      uint64    `json:"game,omitempty"`
	Ply       int       `json:"ply,omitempty"`
	Queued    time.Time `json:"queued"`
	Next      time.Time `json:"next,omitzero"`
	Attempts  int       `json:"attempts,omitempty"`
	LastError string    `json:"last_error,omitempty"`
	Failed    time.Time `json:"failed,omitzero"`
}

func (r outgoingRecord) index(id uint64) []entry {
	return []entry{{indexOutboxNext, append(appendTime(nil, r.Next), idKey(id)...), nil}}
}

func (r outgoingRecord) outgoing(id uint64) Outgoing {
	return Outgoing{
		ID: id, From: r.From, To: r.To, MessageID: r.MessageID,
		Player: player.ID(r.Player), Game: game.ID(r.Game), Ply: r.Ply,
		Queued: r.Queued, Next: r.Next, Attempts: r.Attempts,
		LastError: r.LastError, Failed: r.Failed,
	}
}

// Queue puts a mail in the outbox and returns its number there. It is ready
// at m.Next, or at once if that is zero.
func (tx *Tx) Queue(m Outgoing) (uint64, error) {
	id, err := tx.next(bucketOutbox)
	if err != nil {
		return 0, err
	}
	if m.Next.IsZero() {
		m.Next = m.Queued
	}
	if err := tx.bucket(bucketOutboxData).Put(idKey(id), m.Data); err != nil {
		return 0, fmt.Errorf("queue mail: %w", err)
	}
	return id, save(tx, bucketOutbox, id, outgoingRecord{
		From: m.From, To: m.To, MessageID: m.MessageID,
		Player: uint64(m.Player), Game: uint64(m.Game), Ply: m.Ply,
		Queued: m.Queued.UTC(), Next: m.Next.UTC(),
	})
}

// Ready returns the mails that may be tried at now, with their Data, those
// that have been ready longest first, at most limit.
func (tx *Tx) Ready(now time.Time, limit int) ([]Outgoing, error) {
	var ready []Outgoing
	c := tx.bucket(indexOutboxNext).Cursor()
	for k, _ := c.First(); k != nil && len(ready) < limit; k, _ = c.Next() {
		at, rest, err := cutTime(k)
		if err != nil {
			return nil, fmt.Errorf("outbox: %w", err)
		}
		if at.After(now) {
			break
		}
		id, _, err := cutID(rest)
		if err != nil {
			return nil, fmt.Errorf("outbox: %w", err)
		}
		m, err := tx.Outgoing(id)
		if err != nil {
			return nil, err
		}
		ready = append(ready, m)
	}
	return ready, nil
}

// NextReady returns when the next mail of the outbox may be tried; zero if
// the outbox is empty.
func (tx *Tx) NextReady() (time.Time, error) {
	k, _ := tx.bucket(indexOutboxNext).Cursor().First()
	if k == nil {
		return time.Time{}, nil
	}
	at, _, err := cutTime(k)
	return at, err
}

// Outgoing returns a mail that waits in the outbox, with its Data.
func (tx *Tx) Outgoing(id uint64) (Outgoing, error) {
	r, err := load[outgoingRecord](tx, bucketOutbox, idKey(id))
	if err != nil {
		return Outgoing{}, fmt.Errorf("mail %d of the outbox: %w", id, err)
	}
	m := r.outgoing(id)
	m.Data, err = tx.OutgoingData(id)
	return m, err
}

// OutgoingData returns the bytes of a mail that waits or has failed.
func (tx *Tx) OutgoingData(id uint64) ([]byte, error) {
	data := tx.bucket(bucketOutboxData).Get(idKey(id))
	if data == nil {
		return nil, fmt.Errorf("bytes of mail %d of the outbox: %w", id, game.ErrNotFound)
	}
	return bytes.Clone(data), nil
}

// Waiting returns the mails of the outbox in the order they were queued,
// without their Data.
func (tx *Tx) Waiting() ([]Outgoing, error) { return tx.outgoingList(bucketOutbox) }

// Failed returns the mails given up, without their Data.
func (tx *Tx) Failed() ([]Outgoing, error) { return tx.outgoingList(bucketFailed) }

func (tx *Tx) outgoingList(bucket string) (list []Outgoing, err error) {
	err = tx.bucket(bucket).ForEach(func(k, v []byte) error {
		id, _, err := cutID(k)
		if err != nil {
			return err
		}
		var r outgoingRecord
		if err := json.Unmarshal(v, &r); err != nil {
			return fmt.Errorf("mail %d in %s: %w", id, bucket, err)
		}
		list = append(list, r.outgoing(id))
		return nil
	})
	return list, err
}

// Sent removes a mail that a server has taken. It is no error if it is gone
// already; one that was given up stays.
func (tx *Tx) Sent(id uint64) error {
	if tx.bucket(bucketOutbox).Get(idKey(id)) == nil {
		return nil
	}
	if err := drop[outgoingRecord](tx, bucketOutbox, id); err != nil {
		return err
	}
	return tx.bucket(bucketOutboxData).Delete(idKey(id))
}

// Retry counts an attempt that failed for now; the mail is tried again at
// next.
func (tx *Tx) Retry(id uint64, next time.Time, why string) error {
	r, err := load[outgoingRecord](tx, bucketOutbox, idKey(id))
	if err != nil {
		return fmt.Errorf("mail %d of the outbox: %w", id, err)
	}
	r.Attempts++
	r.Next, r.LastError = next.UTC(), why
	return save(tx, bucketOutbox, id, r)
}

// Fail gives a mail up. It is kept, with its bytes, for the operator.
func (tx *Tx) Fail(id uint64, why string, now time.Time) error {
	r, err := load[outgoingRecord](tx, bucketOutbox, idKey(id))
	if err != nil {
		return fmt.Errorf("mail %d of the outbox: %w", id, err)
	}
	if err := drop[outgoingRecord](tx, bucketOutbox, id); err != nil {
		return err
	}
	r.Attempts++
	r.Next, r.LastError, r.Failed = time.Time{}, why, now.UTC()
	return put(tx, bucketFailed, idKey(id), r)
}

// DropFailed removes a mail that was given up.
func (tx *Tx) DropFailed(id uint64) error {
	if tx.bucket(bucketFailed).Get(idKey(id)) == nil {
		return nil
	}
	if err := tx.bucket(bucketFailed).Delete(idKey(id)); err != nil {
		return err
	}
	return tx.bucket(bucketOutboxData).Delete(idKey(id))
}

// Requeue puts a mail that was given up back in the outbox, to be tried at
// next as if for the first time.
func (tx *Tx) Requeue(id uint64, next time.Time) error {
	r, err := load[outgoingRecord](tx, bucketFailed, idKey(id))
	if err != nil {
		return fmt.Errorf("mail %d given up: %w", id, err)
	}
	if err := tx.bucket(bucketFailed).Delete(idKey(id)); err != nil {
		return err
	}
	r.Attempts, r.Queued, r.Next, r.Failed = 0, next.UTC(), next.UTC(), time.Time{}
	return save(tx, bucketOutbox, id, r)
}

// Hasten makes every mail of the outbox ready at now.
func (tx *Tx) Hasten(now time.Time) error {
	waiting, err := tx.Waiting()
	if err != nil {
		return err
	}
	for _, m := range waiting {
		if !m.Next.After(now) {
			continue
		}
		r, err := load[outgoingRecord](tx, bucketOutbox, idKey(m.ID))
		if err != nil {
			return err
		}
		r.Next = now.UTC()
		if err := save(tx, bucketOutbox, m.ID, r); err != nil {
			return err
		}
	}
	return nil
}
