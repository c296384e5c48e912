package store

import (
	"fmt"
	"os"

	bolt "go.etcd.io/bbolt"
)

// Inspect reads the whole database at path, changes nothing, and returns all
// that is not as it should be: pages first, and if these are whole what
// [Tx.Check] and [Tx.Doubts] find. A damaged file may be given to it. The
// error, if any, is that of [OpenReadOnly].
func Inspect(path string, o Options) (found []error, err error) {
	o = o.withDefaults()
	db, err := openFile(path, &bolt.Options{Timeout: o.LockWait, ReadOnly: true})
	if err != nil {
		return nil, err
	}
	found, usable, err := inspectPages(db, false) // The file is locked, and does not change under it.
	db.Close()
	if err != nil || !usable {
		return found, err
	}
	s, err := OpenReadOnly(path, o)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	defer func() {
		if p := recover(); p != nil {
			found = append(found, fmt.Errorf("the rest cannot be read (%v)", p))
		}
	}()
	err = s.View(func(tx *Tx) error {
		found = append(found, split(tx.Check())...)
		found = append(found, tx.Doubts()...)
		return nil
	})
	if err != nil {
		found = append(found, err)
	}
	return found, nil
}

func inspectPages(db *bolt.DB, onlyFree bool) (found []error, usable bool, err error) {
	f, err := os.Open(db.Path())
	if err != nil {
		return nil, false, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, false, err
	}
	found, usable = scanPages(f, info.Size(), db.Info().PageSize, onlyFree)
	return found, usable, nil
}

// split takes joined errors apart.
func split(err error) []error {
	if err == nil {
		return nil
	}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		return joined.Unwrap()
	}
	return []error{err}
}
