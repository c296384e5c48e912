package main

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	bolt "go.etcd.io/bbolt"
)

// bare is a database without pbem: it shows what commits cost by themselves.
type bare struct {
	db    *bolt.DB
	chaff []byte // random, so that nothing on the way can make it small
}

var bareBucket = []byte("bare")

func openBare(dir string) (*bare, error) {
	db, err := bolt.Open(filepath.Join(dir, "bare.db"), 0o600, &bolt.Options{FreelistType: bolt.FreelistMapType})
	if err != nil {
		return nil, err
	}
	b := &bare{db: db, chaff: make([]byte, 1<<20)}
	rng := rand.NewChaCha8([32]byte{1})
	rng.Read(b.chaff)
	return b, db.Update(func(tx *bolt.Tx) error {
		_, err := tx.CreateBucket(bareBucket)
		return err
	})
}

// commit makes one transaction that puts one value of size bytes.
func (b *bare) commit(size int) error {
	size = min(max(size, 1), len(b.chaff))
	from := rand.IntN(len(b.chaff) - size + 1)
	return b.db.Update(func(tx *bolt.Tx) error {
		return tx.Bucket(bareBucket).Put([]byte("key"), b.chaff[from:from+size])
	})
}

// valueFor returns the size of the value whose commit writes about as many
// bytes as asked for: they are pages, so it is found by trying.
func (b *bare) valueFor(bytes int64) (int, error) {
	size := 1
	for range 8 {
		const tries = 4
		before := written()
		for range tries {
			if err := b.commit(size); err != nil {
				return 0, err
			}
		}
		off := bytes - (written()-before)/tries
		if off > -2048 && off < 2048 {
			break
		}
		size = max(1, size+int(off))
	}
	return size, nil
}

// syncs times n writes of 4 KiB, each with its fsync, into a file that is as
// long already.
func syncs(dir string, n int) ([]time.Duration, error) {
	f, err := os.Create(filepath.Join(dir, "sync"))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	page := make([]byte, 4096)
	var times []time.Duration
	for i := range n + 1 {
		page[0] = byte(i)
		began := time.Now()
		if _, err := f.WriteAt(page, 0); err != nil {
			return nil, err
		}
		if err := f.Sync(); err != nil {
			return nil, err
		}
		if i > 0 { // the first one makes the file longer
			times = append(times, time.Since(began))
		}
	}
	return times, nil
}

// written returns how many bytes this process has written so far, by its own
// count of write calls; 0 where the system does not tell (Linux does).
func written() int64 { return procNumber("/proc/self/io", "wchar:") }

// procNumber returns the number behind a word in a file of /proc, or 0.
func procNumber(path, word string) int64 {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, word); ok {
			n, _ := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
			return n
		}
	}
	return 0
}
