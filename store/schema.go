package store

import (
	"errors"
	"fmt"
	"log/slog"
	"math"
	"strconv"

	bolt "go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

// Buckets. A name with a dot is an index or a part of the bucket before it.
const (
	bucketMeta = "meta"

	bucketPlayers     = "players"           // id -> playerRecord
	indexAddress      = "players.address"   // folded address -> id
	indexName         = "players.name"      // folded name -> id, name
	bucketGames       = "games"             // id -> gameRecord
	indexRunning      = "games.running"     // player, game -> nothing
	indexEnded        = "games.ended"       // player, time of the end, game -> nothing
	bucketChallenges  = "challenges"        // id -> challengeRecord
	indexChallenges   = "challenges.player" // player, challenge -> nothing
	bucketHeld        = "held"              // id -> heldRecord
	indexDue          = "due"               // time, kind, id -> nothing
	bucketSeenPlace   = "seen.place"        // mailbox, UIDVALIDITY, UID -> hash
	bucketSeenHash    = "seen.hash"         // content hash -> time
	bucketSeenID      = "seen.id"           // hash of sender and Message-ID -> content hash
	bucketSeenTime    = "seen.time"         // time, number -> which of the three, key
	bucketCursors     = "cursors"           // mailbox -> cursorRecord
	bucketAttempts    = "attempts"          // hash of the raw bytes -> attemptRecord; sequence: order of opening
	bucketSetAside    = "quarantine"        // id -> setAsideRecord
	bucketSetAsideRaw = "quarantine.raw"    // id -> raw bytes
	bucketTraffic     = "traffic"           // direction, address, time, number -> kind
	bucketTrafficTime = "traffic.time"      // time, number -> key in traffic
	bucketOutbox      = "outbox"            // id -> outgoingRecord
	bucketOutboxData  = "outbox.data"       // id -> the mail
	indexOutboxNext   = "outbox.next"       // time, id -> nothing
	bucketFailed      = "outbox.failed"     // id -> outgoingRecord
	bucketRaw         = "raw"               // time of arrival, number -> the mail as it came; since schema 2
)

func buckets() []string {
	return []string{
		bucketMeta,
		bucketPlayers, indexAddress, indexName,
		bucketGames, indexRunning, indexEnded,
		bucketChallenges, indexChallenges,
		bucketHeld, indexDue,
		bucketSeenPlace, bucketSeenHash, bucketSeenID, bucketSeenTime, bucketCursors,
		bucketAttempts, bucketSetAside, bucketSetAsideRaw,
		bucketTraffic, bucketTrafficTime,
		bucketOutbox, bucketOutboxData, indexOutboxNext, bucketFailed,
		bucketRaw,
	}
}

// indexes are the buckets that are derived from records, and can be made anew
// from them.
func indexes() []string {
	return []string{indexAddress, indexName, indexRunning, indexEnded, indexChallenges, indexDue, indexOutboxNext}
}

// migration brings the records of a database from one schema to the next. It
// does not look at indexes: they are made anew behind the last one.
type migration func(*bolt.Tx) error

// migrations are in order: migrations()[i] leads from schema i+1 to i+2. None
// is ever changed once released.
func migrations() []migration {
	return []migration{
		func(*bolt.Tx) error { return nil }, // schema 2 has one bucket more, raw
	}
}

// Schema returns the version of the layout this program writes.
func Schema() int { return len(migrations()) + 1 }

const keySchema = "schema" // in bucketMeta; the version in decimal

// migrate makes the buckets of a new file, or brings an old one up to date, in
// one transaction.
func (s *Store) migrate(log *slog.Logger) error {
	version, err := s.schema()
	if err != nil || version == Schema() {
		return err
	}
	err = s.db.Update(func(tx *bolt.Tx) error {
		for v := max(version, 1); version > 0 && v < Schema(); v++ {
			if err := migrations()[v-1](tx); err != nil {
				return fmt.Errorf("schema %d to %d: %w", v, v+1, err)
			}
		}
		for _, name := range indexes() {
			if err := tx.DeleteBucket([]byte(name)); err != nil && !errors.Is(err, bolterrors.ErrBucketNotFound) {
				return fmt.Errorf("remove index %s: %w", name, err)
			}
		}
		for _, name := range buckets() {
			if _, err := tx.CreateBucketIfNotExists([]byte(name)); err != nil {
				return fmt.Errorf("make bucket %s: %w", name, err)
			}
		}
		for _, kind := range kinds() {
			if _, _, err := reindexSome(tx, kind, nil, math.MaxInt); err != nil {
				return err
			}
		}
		return tx.Bucket([]byte(bucketMeta)).Put([]byte(keySchema), []byte(strconv.Itoa(Schema())))
	})
	if err != nil {
		return fmt.Errorf("bring %s up to date: %w", s.path, err)
	}
	if version > 0 {
		log.Info("database brought up to date", "from", version, "to", Schema())
	}
	return nil
}

// schema returns the version the file has; 0 for a new file. One that this
// program does not know is an error.
func (s *Store) schema() (version int, err error) {
	err = s.db.View(func(tx *bolt.Tx) error {
		meta := tx.Bucket([]byte(bucketMeta))
		if meta == nil {
			if k, _ := tx.Cursor().First(); k != nil {
				return fmt.Errorf("open %s: %w: it is a bbolt database of another program", s.path, ErrNoDatabase)
			}
			return nil
		}
		text := string(meta.Get([]byte(keySchema)))
		version, err = strconv.Atoi(text)
		if err != nil || version < 1 {
			return fmt.Errorf("open %s: %w: its schema reads %q", s.path, ErrNoDatabase, text)
		}
		if version > Schema() {
			return fmt.Errorf("open %s: %w: it has schema %d, this program knows schemas up to %d; use the newer pbem, or a backup from before it", s.path, ErrNewerSchema, version, Schema())
		}
		return nil
	})
	return version, err
}
