package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"time"

	bolt "go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

// mend is what an operator can do about a damaged file.
const mend = "pbem fsck says what is wrong with it, pbem restore goes back to a backup"

// openFile opens a bbolt file that is there and is as long as it says.
func openFile(path string, o *bolt.Options) (db *bolt.DB, err error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, fmt.Errorf("open database: %w", err) // os errors name the file
	case info.IsDir():
		return nil, fmt.Errorf("open %s: %w: it is a folder", path, ErrNoDatabase)
	case info.Size() == 0: // bbolt would take it for a new one, and all would be forgotten.
		return nil, fmt.Errorf("open %s: %w: it is empty; restore a backup with pbem restore --force, or remove it to begin anew", path, ErrNoDatabase)
	case info.Size() < 8<<10: // two of the smallest pages
		return nil, fmt.Errorf("open %s: %w, or it is cut short: it has %d bytes; if it was one, pbem restore goes back to a backup", path, ErrNoDatabase, info.Size())
	}
	if !o.ReadOnly {
		if err := checkFree(path, o.Timeout); err != nil {
			return nil, err
		}
	}
	db, err = openBolt(path, o)
	switch {
	case errors.Is(err, bolterrors.ErrTimeout):
		return nil, fmt.Errorf("open %s: %w", path, ErrLocked)
	case errors.Is(err, bolterrors.ErrInvalid), errors.Is(err, bolterrors.ErrVersionMismatch), errors.Is(err, bolterrors.ErrChecksum):
		return nil, fmt.Errorf("open %s: %w, or its beginning is damaged (%v); if it was one, pbem restore goes back to a backup", path, ErrNoDatabase, err)
	case errors.Is(err, ErrDamaged):
		return nil, err
	case err != nil:
		return nil, fmt.Errorf("open database: %w", err)
	}
	if err := checkLength(db); err != nil {
		db.Close()
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	return db, nil
}

// checkFree finds a damaged list of free pages. bbolt panics over one when it
// opens a file for writing, and the file stays locked.
func checkFree(path string, wait time.Duration) error {
	db, err := openFile(path, &bolt.Options{ReadOnly: true, Timeout: wait})
	if err != nil {
		return err
	}
	defer db.Close()
	found, usable, err := inspectPages(db, true)
	if err == nil && !usable {
		err = fmt.Errorf("open %s: %w (%w); %s", path, ErrDamaged, errors.Join(found...), mend)
	}
	return err
}

// openBolt is [bolt.Open] without its panics.
func openBolt(path string, o *bolt.Options) (db *bolt.DB, err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if p := recover(); p != nil {
			db, err = nil, fmt.Errorf("open %s: %w (%v); %s", path, ErrDamaged, p, mend)
		}
	}()
	return bolt.Open(path, 0o600, o)
}

// checkLength finds a file that is shorter than what is in use of it: reading
// behind its end would end the process.
func checkLength(db *bolt.DB) error {
	return db.View(func(tx *bolt.Tx) error {
		info, err := os.Stat(db.Path())
		if err == nil && info.Size() < tx.Size() {
			err = fmt.Errorf("%w: it has %d bytes of %d; %s", ErrDamaged, info.Size(), tx.Size(), mend)
		}
		return err
	})
}

// sound runs f, which reads the file. Where a damaged page points behind the
// end of what is mapped, the error is [ErrDamaged]. So it is for any other
// panic if all of them can only come from bbolt, which knows no other way to
// say that a page makes no sense; if not, they pass.
func (s *Store) sound(all bool, f func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		p := recover()
		if p == nil {
			return
		}
		if _, fault := p.(interface{ Addr() uintptr }); !fault && !all {
			panic(p)
		}
		err = fmt.Errorf("read %s: %w (%v); %s", s.path, ErrDamaged, p, mend)
	}()
	return f()
}

// create makes a new database at path, all at once: a process that dies on
// the way leaves no half of one. It is no error if somebody else was faster.
func create(path string, o Options) error {
	tmp, err := TempBeside(path)
	if err != nil {
		return fmt.Errorf("make database: %w", err)
	}
	defer os.Remove(tmp)
	db, err := openBolt(tmp, &bolt.Options{NoSync: o.NoSync, MaxSize: o.MaxSize})
	if err != nil {
		return fmt.Errorf("make database: %w", err)
	}
	err = (&Store{db: db, path: tmp}).migrate(o.Log)
	if cerr := db.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return fmt.Errorf("make database %s: %w", path, err)
	}
	if err := Publish(tmp, path); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("make database: %w", err)
	}
	return nil
}

// TempBeside makes an empty file in the folder of path, closed to others, and
// returns its path.
func TempBeside(path string) (string, error) {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".new-*")
	if err != nil {
		return "", err
	}
	return f.Name(), f.Close()
}

// Publish gives the whole and synced file at tmp the name path. The error is
// a [fs.ErrExist] if there is a file of that name already; it stays. The name
// tmp may stay, too: the caller removes it.
func Publish(tmp, path string) error {
	err := os.Link(tmp, path) // Renaming would replace what is there.
	if errors.Is(err, fs.ErrExist) {
		return err
	}
	if err != nil { // Not every file system has links.
		if _, serr := os.Lstat(path); serr == nil {
			return &fs.PathError{Op: "publish", Path: path, Err: fs.ErrExist}
		}
		if err = os.Rename(tmp, path); err != nil {
			return err
		}
	}
	return SyncFolder(filepath.Dir(path))
}

// SyncFolder makes new names in a folder last through a loss of power.
func SyncFolder(folder string) error {
	f, err := os.Open(folder)
	if err != nil {
		return err
	}
	defer f.Close()
	f.Sync() // Not every file system can; the file itself is on the disk.
	return nil
}
