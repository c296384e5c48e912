package store

import (
	"encoding/json"
	"fmt"
	"time"

	"pbem/game"
)

// Keys in bucketMeta.
const (
	keyAlive   = "alive"   // when the service was last known to run
	keyOutages = "outages" // list of outageRecord, earliest first
	keyTold    = "told"    // when the operator was last told of trouble
)

// keptOutages is how many are remembered. A clock needs those since its last
// move; there is one at each restart that took long.
const keptOutages = 100

type outageRecord struct {
	From time.Time `json:"from"`
	To   time.Time `json:"to"`
}

// Alive returns when the service was last known to run; zero if never.
func (tx *Tx) Alive() (time.Time, error) { return tx.moment(keyAlive) }

// SetAlive notes that the service runs at now.
func (tx *Tx) SetAlive(now time.Time) error { return tx.setMoment(keyAlive, now) }

// OperatorTold returns when the operator was last told of trouble; zero if
// never.
func (tx *Tx) OperatorTold() (time.Time, error) { return tx.moment(keyTold) }

// SetOperatorTold notes that the operator is told of trouble at now.
func (tx *Tx) SetOperatorTold(now time.Time) error { return tx.setMoment(keyTold, now) }

func (tx *Tx) moment(key string) (t time.Time, err error) {
	v := tx.bucket(bucketMeta).Get([]byte(key))
	if v == nil {
		return t, nil
	}
	if err := t.UnmarshalText(v); err != nil {
		return t, fmt.Errorf("read the time under %q: %w", key, err)
	}
	return t, nil
}

func (tx *Tx) setMoment(key string, t time.Time) error {
	text, err := t.UTC().MarshalText()
	if err != nil {
		return err
	}
	return tx.bucket(bucketMeta).Put([]byte(key), text)
}

// Outages returns when the service was away, earliest first, as far back as is
// remembered.
func (tx *Tx) Outages() ([]game.Outage, error) {
	v := tx.bucket(bucketMeta).Get([]byte(keyOutages))
	if v == nil {
		return nil, nil
	}
	var records []outageRecord
	if err := json.Unmarshal(v, &records); err != nil {
		return nil, fmt.Errorf("read outages: %w", err)
	}
	outages := make([]game.Outage, len(records))
	for i, r := range records {
		outages[i] = game.Outage(r)
	}
	return outages, nil
}

// AddOutage notes that the service was away.
func (tx *Tx) AddOutage(o game.Outage) error {
	outages, err := tx.Outages()
	if err != nil {
		return err
	}
	outages = append(outages, game.Outage{From: o.From.UTC(), To: o.To.UTC()})
	outages = outages[max(0, len(outages)-keptOutages):]
	records := make([]outageRecord, len(outages))
	for i, o := range outages {
		records[i] = outageRecord(o)
	}
	text, err := json.Marshal(records)
	if err != nil {
		return err
	}
	return tx.bucket(bucketMeta).Put([]byte(keyOutages), text)
}
