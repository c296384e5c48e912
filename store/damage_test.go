package store_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	bolt "go.etcd.io/bbolt"

	"pbem/store"
)

// sampleFile returns the bytes of a database with the sample and random
// records in it.
func sampleFile(t *testing.T) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "pbem.db")
	s, err := store.Open(path, store.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	update(t, s, func(tx *store.Tx) error { return saveSample(t, tx) })
	c := &chance{Rand: rand.New(rand.NewPCG(1, 2)), t: t, players: samplePlayers()}
	for range 80 {
		update(t, s, c.step)
	}
	var b bytes.Buffer // a snapshot has no room to grow, as the file has
	view(t, s, func(tx *store.Tx) error {
		n, err := tx.WriteTo(&b)
		if n != tx.Size() || n != int64(b.Len()) {
			t.Errorf("snapshot of %d bytes: %d, %d written", tx.Size(), n, b.Len())
		}
		return err
	})
	s.Close()
	return b.Bytes()
}

// spoiled writes data to a file and returns what Inspect says of it. It also
// opens the file to play on, which must not panic either.
func spoiled(t *testing.T, path string, data []byte) (found []error, err error) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	found, err = store.Inspect(path, store.Options{})
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(after, data) {
		t.Fatalf("Inspect has changed the file (%v)", err)
	}
	if s, err := store.Open(path, store.Options{NoSync: true}); err == nil {
		s.Close()
	}
	return found, err
}

// TestTorn cuts the file off, and zeroes it from some place on, as a disk may
// leave it: each must be noticed, and the message say what to do.
func TestTorn(t *testing.T) {
	t.Parallel()
	whole := sampleFile(t)
	page := os.Getpagesize()
	path := filepath.Join(t.TempDir(), "pbem.db")
	if found, err := spoiled(t, path, whole); err != nil || len(found) > 0 {
		t.Fatalf("before: %v, %v", found, err)
	}
	inUse := pagesInUse(t, path)
	var at []int
	for i := 0; i < len(whole); i += page {
		at = append(at, i, i+1, i+17, i+page/2, i+page-1)
	}
	for _, n := range at {
		found, err := spoiled(t, path, whole[:n])
		if err == nil && len(found) == 0 {
			t.Errorf("cut off at %d of %d: not noticed", n, len(whole))
		}
		if err != nil && !strings.Contains(err.Error(), "pbem restore") {
			t.Errorf("cut off at %d: %v; want a way out in it", n, err)
		}
		zeroed := append(bytes.Clone(whole[:n]), make([]byte, len(whole)-n)...)
		if found, err := spoiled(t, path, zeroed); err == nil && len(found) == 0 && n <= inUse[len(inUse)-1]*page {
			t.Errorf("zeroed from %d on: not noticed", n)
		}
	}
}

// pagesInUse returns which pages begin something that is not free.
func pagesInUse(t *testing.T, path string) (used []int) {
	t.Helper()
	db, err := bolt.Open(path, 0o600, &bolt.Options{ReadOnly: true, PreLoadFreelist: true})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	err = db.View(func(tx *bolt.Tx) error {
		for i := 2; ; i++ {
			p, err := tx.Page(i)
			if p == nil || err != nil {
				return err
			}
			if p.Type != "free" {
				used = append(used, i)
				i += p.OverflowCount
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return used
}

// TestFlipped writes rubbish into every page, header and content: nothing may
// panic, fault or hang.
func TestFlipped(t *testing.T) {
	t.Parallel()
	whole := sampleFile(t)
	page := os.Getpagesize()
	path := filepath.Join(t.TempDir(), "pbem.db")
	r := rand.New(rand.NewPCG(3, 4))
	noticed, tries := 0, 0
	try := func(name string, change func(b []byte)) {
		data := bytes.Clone(whole)
		change(data)
		if bytes.Equal(data, whole) {
			return
		}
		tries++
		if found, err := spoiled(t, path, data); err != nil || len(found) > 0 {
			noticed++
		} else if testing.Verbose() {
			t.Logf("%s: not noticed", name)
		}
	}
	for at := 0; at < len(whole); at += page {
		for _, offset := range []int{0, 8, 10, 12, 16, 17, 20, 24, 28, 32, 40, 48, 56} {
			for _, v := range []byte{0x00, 0xff} {
				try(fmt.Sprintf("byte %d of page %d is %#x", offset, at/page, v), func(b []byte) { b[at+offset] = v })
			}
		}
		try(fmt.Sprintf("page %d is rubbish", at/page), func(b []byte) {
			for i := range page {
				b[at+i] = byte(r.IntN(256))
			}
		})
		try(fmt.Sprintf("page %d lies elsewhere, too", at/page), func(b []byte) {
			copy(b[r.IntN(len(b)/page)*page:], b[at:at+page])
		})
		for range 5 {
			i := at + r.IntN(page)
			try(fmt.Sprintf("byte %d", i), func(b []byte) { b[i] ^= byte(1 + r.IntN(255)) })
		}
	}
	t.Logf("%d of %d changes noticed; the others hit free pages or what may be anything", noticed, tries)
}
