package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"time"

	bolt "go.etcd.io/bbolt"
)

// MessageKey is all by which a message is known again. Fields that are not
// known are zero and play no part.
type MessageKey struct {
	Mailbox          string
	UIDValidity, UID uint32    // of Mailbox; UIDValidity 0: the server gives none
	Hash             [32]byte  // of the content, without trace fields
	Sender           string    // address, case ignored
	MessageID        string    // without angle brackets
	Arrived          time.Time // when it reached the mailbox
}

// SeenBy says by what a message was known again. The zero value: it was not.
type SeenBy uint8

const (
	NotSeen    SeenBy = iota
	SameID            // its sender has used its Message-ID before, for other content: not seen
	ByPlace           // its mailbox, UIDVALIDITY and UID
	ByContent         // its content
	BeforeTime        // it arrived before the time that the ledger still knows; see [Tx.Forget]
)

// Seen reports whether the message has been handled and must not be again.
func (s SeenBy) Seen() bool { return s >= ByPlace }

// String says it in a word, for the log.
func (s SeenBy) String() string {
	switch s {
	case SameID:
		return "message-id with other content"
	case ByPlace:
		return "place"
	case ByContent:
		return "content"
	case BeforeTime:
		return "age"
	}
	return "not seen"
}

// Which bucket a line of seen.time speaks of.
const (
	seenPlace = 'p'
	seenHash  = 'h'
	seenID    = 'i'
)

func seenBucket(kind byte) string {
	switch kind {
	case seenPlace:
		return bucketSeenPlace
	case seenHash:
		return bucketSeenHash
	}
	return bucketSeenID
}

func (k MessageKey) place() []byte {
	if k.Mailbox == "" || k.UIDValidity == 0 || k.UID == 0 {
		return nil
	}
	key := append([]byte(foldMailbox(k.Mailbox)), 0)
	key = binary.BigEndian.AppendUint32(key, k.UIDValidity)
	return binary.BigEndian.AppendUint32(key, k.UID)
}

// foldMailbox keeps names of mailboxes fit for keys. They are what the
// operator configured, so this is no more than a guard.
func foldMailbox(name string) string {
	if len(name) > maxAddress {
		sum := sha256.Sum256([]byte(name))
		return "hash " + string(sum[:])
	}
	return name
}

func (k MessageKey) id() []byte {
	if k.Sender == "" || k.MessageID == "" {
		return nil
	}
	sum := sha256.Sum256([]byte(foldAddress(k.Sender) + "\x00" + k.MessageID))
	return sum[:]
}

// Seen looks k up in the ledger. Content decides wherever it is known: a mail
// with other content is another mail, whatever UID or Message-ID it comes
// under. The place alone decides where k has no Hash, that is before a mail
// has been fetched.
func (tx *Tx) Seen(k MessageKey) (SeenBy, error) {
	switch {
	case k.Hash == [32]byte{}:
		if place := k.place(); place != nil && tx.bucket(bucketSeenPlace).Get(place) != nil {
			return ByPlace, nil
		}
	case tx.bucket(bucketSeenHash).Get(k.Hash[:]) != nil:
		if place := k.place(); place != nil && bytes.Equal(tx.bucket(bucketSeenPlace).Get(place), k.Hash[:]) {
			return ByPlace, nil
		}
		return ByContent, nil
	}
	horizon, err := tx.horizon()
	if err != nil {
		return NotSeen, err
	}
	if !k.Arrived.IsZero() && k.Arrived.Before(horizon) {
		return BeforeTime, nil
	}
	if id := k.id(); id != nil {
		if known := tx.bucket(bucketSeenID).Get(id); known != nil && !bytes.Equal(known, k.Hash[:]) {
			return SameID, nil
		}
	}
	return NotSeen, nil
}

// MarkSeen enters k in the ledger, as handled at now.
func (tx *Tx) MarkSeen(k MessageKey, now time.Time) error {
	lines := []struct {
		kind       byte
		key, value []byte
	}{
		{seenPlace, k.place(), k.Hash[:]},
		{seenHash, k.Hash[:], appendTime(nil, now)},
		{seenID, k.id(), k.Hash[:]},
	}
	if k.Hash == [32]byte{} {
		lines[1].key = nil
	}
	for _, l := range lines {
		if l.key == nil {
			continue
		}
		b := tx.bucket(seenBucket(l.kind))
		if known := b.Get(l.key); known != nil {
			if l.kind == seenHash || bytes.Equal(known, l.value) {
				continue // The older line says when it may be forgotten.
			}
		} else if err := tx.forgetAt(now, l.kind, l.key); err != nil {
			return err
		}
		if err := b.Put(l.key, l.value); err != nil {
			return fmt.Errorf("mark message as seen: %w", err)
		}
	}
	return nil
}

func (tx *Tx) forgetAt(at time.Time, kind byte, key []byte) error {
	n, err := tx.next(bucketSeenTime)
	if err != nil {
		return err
	}
	when := append(appendTime(nil, at), idKey(n)...)
	return tx.bucket(bucketSeenTime).Put(when, append([]byte{kind}, key...))
}

const keyHorizon = "horizon" // in bucketMeta: a time

func (tx *Tx) horizon() (time.Time, error) {
	v := tx.bucket(bucketMeta).Get([]byte(keyHorizon))
	if v == nil {
		return time.Time{}, nil
	}
	t, _, err := cutTime(v)
	return t, err
}

// Forget removes what was entered before t from the ledger, at most limit
// lines, so that it does not grow for ever. Whatever arrived before the
// oldest line left counts as seen from then on: it has lain in the mailbox
// while the ledger was kept, so it was handled, and a mailbox that has to be
// read from its start must not bring it up again. Counted attempts of that
// age go too. It returns how many lines went.
func (tx *Tx) Forget(before time.Time, limit int) (int, error) {
	c := tx.bucket(bucketSeenTime).Cursor()
	var gone [][]byte
	var horizon time.Time
	for k, v := c.First(); k != nil && len(gone) < limit; k, v = c.Next() {
		at, _, err := cutTime(k)
		if err != nil {
			return 0, fmt.Errorf("ledger: %w", err)
		}
		if !at.Before(before) {
			break
		}
		if len(v) > 1 {
			if err := tx.bucket(seenBucket(v[0])).Delete(v[1:]); err != nil {
				return 0, err
			}
		}
		horizon = at.Add(1)
		gone = append(gone, bytes.Clone(k))
	}
	if len(gone) == 0 {
		return 0, nil
	}
	for _, k := range gone {
		if err := tx.bucket(bucketSeenTime).Delete(k); err != nil {
			return 0, err
		}
	}
	if err := tx.forgetAttempts(before); err != nil {
		return 0, err
	}
	return len(gone), tx.bucket(bucketMeta).Put([]byte(keyHorizon), appendTime(nil, horizon))
}

// Cursor is how far a mailbox has been read: every mail up to UID is handled,
// as long as the mailbox keeps its UIDVALIDITY. The zero value: nothing is.
type Cursor struct {
	UIDValidity uint32 `json:"uidvalidity"`
	UID         uint32 `json:"uid"`
}

// Cursor returns how far mailbox has been read.
func (tx *Tx) Cursor(mailbox string) (Cursor, error) {
	if tx.bucket(bucketCursors).Get([]byte(foldMailbox(mailbox))) == nil {
		return Cursor{}, nil
	}
	return load[Cursor](tx, bucketCursors, []byte(foldMailbox(mailbox)))
}

// MoveCursor notes that mailbox has been read up to c. Within one UIDVALIDITY
// a cursor never goes back; one without UIDVALIDITY means nothing and is not
// kept.
func (tx *Tx) MoveCursor(mailbox string, c Cursor) error {
	if c.UIDValidity == 0 {
		return nil
	}
	old, err := tx.Cursor(mailbox)
	if err != nil {
		return err
	}
	if old.UIDValidity == c.UIDValidity && old.UID >= c.UID {
		return nil
	}
	return put(tx, bucketCursors, []byte(foldMailbox(mailbox)), c)
}

// deleteWhere removes the keys of b for which f is true.
func deleteWhere(b *bolt.Bucket, f func(k, v []byte) (bool, error)) error {
	var gone [][]byte // A bbolt cursor loses its place when keys go under it.
	err := b.ForEach(func(k, v []byte) error {
		ok, err := f(k, v)
		if ok {
			gone = append(gone, bytes.Clone(k))
		}
		return err
	})
	for _, k := range gone {
		if err == nil {
			err = b.Delete(k)
		}
	}
	return err
}
