package store

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"

	bolt "go.etcd.io/bbolt"
)

// ErrNotEmpty is returned by Import for a database that holds something.
var ErrNotEmpty = errors.New("the database is not empty")

// importAtOnce is about how many bytes of an export go into one transaction.
const importAtOnce = 4 << 20

// Import makes the database at path of an export; see export.go. What is at
// path already must be a database without any record, or the error is
// [ErrNotEmpty]. The export is read to its end, brought up to the present
// schema and checked before any of it is seen at path.
func Import(path string, r io.Reader, o Options) error {
	o = o.withDefaults()
	publish := Publish
	if _, err := os.Stat(path); err == nil {
		empty, err := openEmpty(path, o) // Held, so that nobody fills it meanwhile.
		if err != nil {
			return err
		}
		defer empty.Close()
		publish = os.Rename
	}
	tmp, err := TempBeside(path)
	if err != nil {
		return fmt.Errorf("import: %w", err)
	}
	defer os.Remove(tmp)
	if err := importInto(tmp, r, o); err != nil {
		return fmt.Errorf("import: %w", err)
	}
	if found, err := Inspect(tmp, o); err != nil || len(found) > 0 {
		return fmt.Errorf("import: the export is not whole: %w", errors.Join(append(found, err)...))
	}
	if err := publish(tmp, path); err != nil {
		return fmt.Errorf("import: %w", err)
	}
	return nil
}

// openEmpty opens the database at path, in which there must be no record.
func openEmpty(path string, o Options) (*Store, error) {
	s, err := Open(path, o)
	if err != nil {
		return nil, err
	}
	err = s.View(func(tx *Tx) error {
		for _, name := range buckets() {
			if k, _ := tx.bucket(name).Cursor().First(); k != nil && name != bucketMeta {
				return fmt.Errorf("import into %s: %w: there is something in %s", path, ErrNotEmpty, name)
			}
		}
		return nil
	})
	if err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// importInto fills the empty file at path.
func importInto(path string, r io.Reader, o Options) error {
	db, err := openBolt(path, &bolt.Options{NoSync: true, MaxSize: o.MaxSize, FreelistType: bolt.FreelistMapType})
	if err != nil {
		return err
	}
	defer db.Close()
	in := importer{db: db, lines: bufio.NewReaderSize(r, 1<<16)}
	if err := in.all(); err != nil {
		return fmt.Errorf("line %d: %w", in.line, err)
	}
	if err := (&Store{db: db, path: path}).migrate(o.Log); err != nil {
		return err
	}
	if err := reindex(db); err != nil {
		return err
	}
	return db.Sync()
}

// importer reads the lines of an export.
type importer struct {
	db     *bolt.DB
	lines  *bufio.Reader
	line   int
	schema int
}

func (in *importer) all() error {
	if err := in.header(); err != nil {
		return err
	}
	for end := false; !end; {
		err := in.db.Update(func(tx *bolt.Tx) (err error) {
			for size := 0; size < importAtOnce && !end && err == nil; {
				var text []byte
				if text, err = in.next(); err == nil {
					size += len(text)
					end, err = in.take(tx, text)
				}
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	if _, err := in.next(); err != io.ErrUnexpectedEOF {
		return errors.New("there is something behind the end")
	}
	return nil
}

// next returns the next line. An export does not end before its last line, so
// that the end of the file is an [io.ErrUnexpectedEOF].
func (in *importer) next() ([]byte, error) {
	in.line++
	text, err := in.lines.ReadBytes('\n')
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return text, err
}

func (in *importer) header() error {
	text, err := in.next()
	if err != nil {
		return err
	}
	var h exportHeader
	if strict(text, &h) != nil || h.Format == 0 || h.Schema < 1 {
		return errors.New("this is no export of pbem")
	}
	if h.Format > exportFormat || h.Schema > Schema() {
		return fmt.Errorf("%w: it has format %d and schema %d, this program knows %d and %d",
			ErrNewerSchema, h.Format, h.Schema, exportFormat, Schema())
	}
	in.schema = h.Schema
	return in.db.Update(func(tx *bolt.Tx) error {
		for _, name := range buckets() {
			if _, err := tx.CreateBucketIfNotExists([]byte(name)); err != nil {
				return err
			}
		}
		return tx.Bucket([]byte(bucketMeta)).Put([]byte(keySchema), []byte(strconv.Itoa(h.Schema)))
	})
}

// take brings one line into the database; end is true for the last one.
func (in *importer) take(tx *bolt.Tx, text []byte) (end bool, err error) {
	if bytes.HasPrefix(text, []byte(`{"end"`)) {
		var e exportEnd
		if err := strict(text, &e); err != nil {
			return false, err
		}
		if e.Lines != in.line-1 {
			return false, fmt.Errorf("there should be %d lines before this one", e.Lines)
		}
		return true, nil
	}
	var l exportLine
	if err := strict(text, &l); err != nil {
		return false, err
	}
	b, err := in.bucket(tx, l.In)
	if err != nil {
		return false, err
	}
	if l.Sequence != 0 {
		return false, b.SetSequence(l.Sequence)
	}
	key, err := l.key()
	if err != nil {
		return false, err
	}
	value, err := l.value()
	if err != nil {
		return false, err
	}
	if b.Get(key) != nil {
		return false, errors.New("this key has come before")
	}
	return false, b.Put(key, value)
}

// bucket returns the bucket of that name. An older schema may have had others.
func (in *importer) bucket(tx *bolt.Tx, name string) (*bolt.Bucket, error) {
	switch {
	case slices.Contains(exported(), name):
		return tx.Bucket([]byte(name)), nil
	case name == "" || slices.Contains(indexes(), name) || in.schema == Schema():
		return nil, fmt.Errorf("there is no place for %q", name)
	}
	return tx.CreateBucketIfNotExists([]byte(name))
}

// strict reads one JSON value that has no field but those of v.
func strict(text []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return err
	}
	if d.More() {
		return errors.New("there is something behind the value")
	}
	return nil
}
