// Package store keeps everything pbem must not forget in one bbolt file:
// players, games, challenges, held messages, the ledger of messages seen, the
// outbox, what is due when, and what was set aside.
//
// A [Tx] reads and writes them in one transaction: all of it is on the disk
// when [Store.Update] returns nil, none of it when it returns an error.
// Records are JSON with field names of their own (a game is its start in SFEN
// and its moves in USI with the time of each), so that the file can be read
// without this program and outlives its types. Every lookup is a key or the
// prefix of one; indexes are derived from the records when these are saved.
//
// It does not know what the records mean: who may move, what is answered and
// when a mail is tried again is decided above.
package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"runtime"
	"time"

	bolt "go.etcd.io/bbolt"
)

// Errors of Open that a caller may want to tell apart.
var (
	ErrLocked      = errors.New("the database is in use by another process")            // Returned by Open while somebody else has the file open.
	ErrNewerSchema = errors.New("the database was written by a newer version of pbem")  // Returned by Open for a schema this program does not know.
	ErrOlderSchema = errors.New("the database was written by an older version of pbem") // Returned by OpenReadOnly, which cannot bring it up to date.
	ErrNoDatabase  = errors.New("not a pbem database")                                  // Returned by Open for a file that holds something else, or has lost its beginning.
	ErrDamaged     = errors.New("the database is damaged")                              // Returned by Open for a file that is cut short or makes no sense, by View and Update where they come upon it.
)

// Options are the choices of Open. The zero value is the right one for play.
type Options struct {
	// NoSync leaves out the wait for the disk: a crash of the machine may
	// then lose or damage the file. For tests and measurements only.
	NoSync bool
	// LockWait is how long another process may hold the file before Open
	// gives up; default 1 s.
	LockWait time.Duration
	// MaxSize is what the file may grow to, bytes; a commit that needs more
	// fails. 0: as large as the disk allows.
	MaxSize int
	Log     *slog.Logger // nil: nothing is logged
}

// Store is an open database. Its methods may be called from any goroutine;
// there is one writing transaction at a time.
type Store struct {
	db       *bolt.DB
	path     string
	readOnly bool
}

// Open opens the database at path and makes it if it does not exist. An older
// schema is brought up to the present one. Errors: [ErrLocked],
// [ErrNewerSchema], [ErrNoDatabase], [ErrDamaged], and what the file system
// says.
func Open(path string, o Options) (*Store, error) {
	o = o.withDefaults()
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		if err := create(path, o); err != nil {
			return nil, err
		}
	}
	return openWritable(path, o)
}

// OpenReadOnly opens the database at path and changes nothing. It fails with
// [ErrLocked] while somebody else writes, and with [ErrOlderSchema] where Open
// would bring the file up to date.
func OpenReadOnly(path string, o Options) (*Store, error) {
	o = o.withDefaults()
	db, err := openFile(path, &bolt.Options{Timeout: o.LockWait, ReadOnly: true})
	if err != nil {
		return nil, err
	}
	s := &Store{db: db, path: path, readOnly: true}
	var version int
	err = s.sound(true, func() (err error) { version, err = s.schema(); return err })
	if err == nil && version < Schema() {
		err = fmt.Errorf("open %s: %w: it has schema %d, this one reads schema %d", path, ErrOlderSchema, version, Schema())
	}
	if err != nil {
		db.Close()
		return nil, err
	}
	return s, nil
}

func (o Options) withDefaults() Options {
	if o.LockWait <= 0 {
		o.LockWait = time.Second
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return o
}

func openWritable(path string, o Options) (*Store, error) {
	db, err := openFile(path, &bolt.Options{
		Timeout:         o.LockWait,
		NoSync:          o.NoSync,
		MaxSize:         o.MaxSize,
		InitialMmapSize: mapped(),
		FreelistType:    bolt.FreelistMapType,
	})
	if err != nil {
		return nil, err
	}
	s := &Store{db: db, path: path}
	if err := s.sound(true, func() error { return s.migrate(o.Log) }); err != nil {
		db.Close()
		return nil, err
	}
	return s, nil
}

// mapped returns how many bytes of address space the file gets at once. To
// map it anew as it grows, a writer has to wait for every reader, such as a
// backup; so it gets more than it will need for years.
func mapped() int {
	if runtime.GOOS == "windows" { // There the file would be made as large.
		return 0
	}
	return 1 << 30
}

// Path returns the file's path as it was given to Open.
func (s *Store) Path() string { return s.path }

// Close waits for open transactions and lets go of the file.
func (s *Store) Close() error { return s.db.Close() }

// Tx is one transaction. It must not be used after the function it was given
// to has returned, nor by two goroutines.
type Tx struct{ tx *bolt.Tx }

// Update runs f in a writing transaction and commits it if f returns nil.
// Otherwise, or if f panics, nothing of it happened. f does nothing but use
// the transaction.
func (s *Store) Update(f func(*Tx) error) error {
	return s.sound(s.readOnly, func() error {
		return s.db.Update(func(tx *bolt.Tx) error { return f(&Tx{tx}) })
	})
}

// View runs f in a transaction that only reads, on one state of the database,
// beside a writing one.
func (s *Store) View(f func(*Tx) error) error {
	return s.sound(s.readOnly, func() error {
		return s.db.View(func(tx *bolt.Tx) error { return f(&Tx{tx}) })
	})
}

// OnCommit has f called once the transaction is committed; never if it is not.
func (tx *Tx) OnCommit(f func()) { tx.tx.OnCommit(f) }

// Size returns how many bytes [Tx.WriteTo] writes.
func (tx *Tx) Size() int64 { return tx.tx.Size() }

// WriteTo writes the database as it stands in this transaction, a file for
// [Open]. Others may write meanwhile.
func (tx *Tx) WriteTo(w io.Writer) (int64, error) { return tx.tx.WriteTo(w) }

// Sizes returns the bytes of the file and of the part of it that is in use.
func (s *Store) Sizes() (file, used int64, err error) {
	err = s.db.View(func(tx *bolt.Tx) error {
		file = tx.Size()
		used = file - int64(s.db.Stats().FreePageN)*int64(s.db.Info().PageSize)
		return nil
	})
	return file, used, err
}

// idKey is a number as a key: big-endian, so that keys sort as numbers do.
func idKey(id uint64) []byte { return binary.BigEndian.AppendUint64(nil, id) }

// appendTime appends t so that keys sort as times do.
func appendTime(key []byte, t time.Time) []byte {
	key = binary.BigEndian.AppendUint64(key, uint64(t.Unix())^1<<63)
	return binary.BigEndian.AppendUint32(key, uint32(t.Nanosecond()))
}

// timeSize is how many bytes appendTime appends.
const timeSize = 12

// cutTime takes what appendTime appended off the front of key.
func cutTime(key []byte) (t time.Time, rest []byte, err error) {
	if len(key) < timeSize {
		return time.Time{}, nil, fmt.Errorf("key %x is too short for a time", key)
	}
	sec := int64(binary.BigEndian.Uint64(key) ^ 1<<63)
	return time.Unix(sec, int64(binary.BigEndian.Uint32(key[8:]))).UTC(), key[timeSize:], nil
}

// cutID takes a number off the front of key.
func cutID(key []byte) (id uint64, rest []byte, err error) {
	if len(key) < 8 {
		return 0, nil, fmt.Errorf("key %x is too short for a number", key)
	}
	return binary.BigEndian.Uint64(key), key[8:], nil
}
