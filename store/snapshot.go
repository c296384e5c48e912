package store

import (
	"errors"
	"io"
	"os"

	bolt "go.etcd.io/bbolt"
)

// Snapshot writes the database at path, whatever its schema, to w. It fails
// with [ErrLocked] while somebody else has it open for writing.
func Snapshot(path string, w io.Writer, o Options) error {
	db, err := openFile(path, &bolt.Options{ReadOnly: true, Timeout: o.withDefaults().LockWait})
	if err != nil {
		return err
	}
	defer db.Close()
	return db.View(func(tx *bolt.Tx) error {
		_, err := tx.WriteTo(w)
		return err
	})
}

// InUse reports whether another process has the database at path open for
// writing. It may be damaged.
func InUse(path string) bool {
	db, err := openFile(path, &bolt.Options{ReadOnly: true, Timeout: 1})
	if err == nil {
		db.Close()
	}
	return errors.Is(err, ErrLocked)
}

// Looks reports whether the file at path looks like a database at a glance.
func Looks(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, pageHeader+metaSize)
	if _, err := io.ReadFull(f, head); err != nil {
		return false
	}
	_, ok := parseMeta(head)
	return ok
}
