package store

import (
	"bytes"
	"fmt"
)

// checkMails finds mails without bytes, and bytes without a mail.
func (tx *Tx) checkMails() (found []error) {
	parts := []struct {
		data, what string
		mails      []string
	}{
		{bucketOutboxData, "outbox", []string{bucketOutbox, bucketFailed}},
		{bucketSetAsideRaw, "quarantine", []string{bucketSetAside}},
	}
	for _, p := range parts {
		n := 0
		for _, bucket := range p.mails {
			tx.bucket(bucket).ForEach(func(k, _ []byte) error {
				n++
				if tx.bucket(p.data).Get(k) == nil {
					found = append(found, fmt.Errorf("%s: mail %s has lost its bytes", bucket, number(k)))
				}
				return nil
			})
		}
		if have := tx.bucket(p.data).Stats().KeyN; have > n {
			found = append(found, fmt.Errorf("%s: there are the bytes of %d mails, but %d mails", p.what, have, n))
		}
	}
	return found
}

// number says a key that should be a number.
func number(k []byte) string {
	id, rest, err := cutID(k)
	if err != nil || len(rest) > 0 {
		return fmt.Sprintf("%x", k)
	}
	return fmt.Sprint(id)
}

// checkLedger holds the three ways a message is known by against the list of
// when each is to be forgotten: every entry has one line there.
func (tx *Tx) checkLedger() (found []error) {
	lines := map[byte]int{}
	tx.bucket(bucketSeenTime).ForEach(func(k, v []byte) error {
		if _, _, err := cutTime(k); err != nil || len(v) < 2 {
			found = append(found, fmt.Errorf("ledger: line %x cannot be read", k))
			return nil
		}
		lines[v[0]]++
		if tx.bucket(seenBucket(v[0])).Get(v[1:]) == nil {
			found = append(found, fmt.Errorf("ledger: line %x is of a message that is not known", k))
		}
		return nil
	})
	for _, kind := range []byte{seenPlace, seenHash, seenID} {
		name := seenBucket(kind)
		if n := tx.bucket(name).Stats().KeyN; n != lines[kind] {
			found = append(found, fmt.Errorf("ledger: %s has %d entries, but %d lines say when to forget them", name, n, lines[kind]))
		}
	}
	if _, err := tx.horizon(); err != nil {
		found = append(found, fmt.Errorf("ledger: the time of what is forgotten cannot be read: %w", err))
	}
	return found
}

// checkTraffic holds the list of mails by address against the one by time.
func (tx *Tx) checkTraffic() (found []error) {
	n := 0
	tx.bucket(bucketTraffic).ForEach(func(k, _ []byte) error {
		n++
		stamp := k[max(0, len(k)-timeSize-8):]
		if !bytes.Equal(tx.bucket(bucketTrafficTime).Get(stamp), k) {
			found = append(found, fmt.Errorf("traffic: entry %x would never be forgotten", k))
		}
		return nil
	})
	if have := tx.bucket(bucketTrafficTime).Stats().KeyN; have != n {
		found = append(found, fmt.Errorf("traffic: %d entries by time, but %d by address", have, n))
	}
	return found
}
