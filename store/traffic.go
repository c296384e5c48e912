package store

import (
	"bytes"
	"fmt"
	"time"
)

// TrafficWindow is how long traffic is remembered.
const TrafficWindow = 24 * time.Hour

// Which way a mail went, or that it was over a limit, as the first byte of a
// traffic key.
const (
	wentIn  = 'i'
	wentOut = 'o'
	wasOver = 'l' // it was over a limit
)

// trafficPrefix begins the keys of all mails one way to or from addr.
func trafficPrefix(way byte, addr string) []byte {
	key := append([]byte{way}, foldAddress(addr)...)
	return append(key, 0)
}

// Received notes that a mail from addr came at now.
func (tx *Tx) Received(addr string, now time.Time) error {
	return tx.traffic(wentIn, addr, "", now)
}

// Answer notes that an answer of this kind goes to addr at now.
func (tx *Tx) Answer(addr, kind string, now time.Time) error {
	return tx.traffic(wentOut, addr, kind, now)
}

// OverLimit notes that a mail from or to addr was over the limit of that name
// at now.
func (tx *Tx) OverLimit(addr, limit string, now time.Time) error {
	return tx.traffic(wasOver, addr, limit, now)
}

// Excess is how often a limit was reached by mails from or to an address.
type Excess struct {
	Limit, Address string
	Count          int
	Last           time.Time // UTC
}

// Excesses returns what limits were reached at or after t, as far back as the
// [TrafficWindow], by address and then by limit.
func (tx *Tx) Excesses(t time.Time) ([]Excess, error) {
	var list []Excess
	place := map[[2]string]int{}
	c := tx.bucket(bucketTraffic).Cursor()
	for k, v := c.Seek([]byte{wasOver}); len(k) > 0 && k[0] == wasOver; k, v = c.Next() {
		end := bytes.IndexByte(k, 0)
		if end < 0 {
			return nil, fmt.Errorf("traffic: key %x has no address", k)
		}
		at, _, err := cutTime(k[end+1:])
		if err != nil {
			return nil, fmt.Errorf("traffic: %w", err)
		}
		if at.Before(t) {
			continue
		}
		id := [2]string{string(k[1:end]), string(v)}
		i, ok := place[id]
		if !ok {
			i = len(list)
			place[id] = i
			list = append(list, Excess{Address: id[0], Limit: id[1]})
		}
		list[i].Count++
		list[i].Last = at
	}
	return list, nil
}

func (tx *Tx) traffic(way byte, addr, kind string, now time.Time) error {
	if err := tx.forgetTraffic(now.Add(-TrafficWindow)); err != nil {
		return err
	}
	n, err := tx.next(bucketTraffic)
	if err != nil {
		return err
	}
	stamp := append(appendTime(nil, now), idKey(n)...)
	key := append(trafficPrefix(way, addr), stamp...)
	if err := tx.bucket(bucketTraffic).Put(key, []byte(kind)); err != nil {
		return fmt.Errorf("note traffic: %w", err)
	}
	return tx.bucket(bucketTrafficTime).Put(stamp, key)
}

// forgetTraffic removes some of what is older than t: more than one call adds,
// so that what is kept stays bounded, and not so much that a call gets slow.
func (tx *Tx) forgetTraffic(t time.Time) error {
	const most = 8
	var stamps [][]byte
	c := tx.bucket(bucketTrafficTime).Cursor()
	limit := appendTime(nil, t)
	for k, v := c.First(); k != nil && bytes.Compare(k, limit) < 0 && len(stamps) < most; k, v = c.Next() {
		if err := tx.bucket(bucketTraffic).Delete(v); err != nil {
			return err
		}
		stamps = append(stamps, bytes.Clone(k))
	}
	for _, k := range stamps {
		if err := tx.bucket(bucketTrafficTime).Delete(k); err != nil {
			return err
		}
	}
	return nil
}

// Answered returns when an answer of this kind last went to addr; the zero
// time if none did within the [TrafficWindow].
func (tx *Tx) Answered(addr, kind string) (last time.Time, err error) {
	err = tx.trafficSince(wentOut, addr, time.Time{}, func(at time.Time, k string) {
		if k == kind {
			last = at
		}
	})
	return last, err
}

// AnswersSince returns how many answers of a kind, or of every kind if it is
// empty, went to addr at or after t, as far back as the [TrafficWindow].
func (tx *Tx) AnswersSince(addr, kind string, t time.Time) (n int, err error) {
	err = tx.trafficSince(wentOut, addr, t, func(_ time.Time, k string) {
		if kind == "" || k == kind {
			n++
		}
	})
	return n, err
}

// ReceivedSince returns how many mails came from addr at or after t, as far
// back as the [TrafficWindow].
func (tx *Tx) ReceivedSince(addr string, t time.Time) (n int, err error) {
	err = tx.trafficSince(wentIn, addr, t, func(time.Time, string) { n++ })
	return n, err
}

func (tx *Tx) trafficSince(way byte, addr string, t time.Time, f func(time.Time, string)) error {
	prefix := trafficPrefix(way, addr)
	c := tx.bucket(bucketTraffic).Cursor()
	for k, v := c.Seek(appendTime(bytes.Clone(prefix), t)); bytes.HasPrefix(k, prefix); k, v = c.Next() {
		at, _, err := cutTime(k[len(prefix):])
		if err != nil {
			return fmt.Errorf("traffic: %w", err)
		}
		f(at, string(v))
	}
	return nil
}
