package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// older puts the database of an older schema in d's place.
func (d database) older(name string) {
	d.t.Helper()
	packed, err := os.ReadFile(filepath.Join("..", "..", "store", "testdata", name+".gz"))
	if err != nil {
		d.t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		d.t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		d.t.Fatal(err)
	}
	write(d.t, d.path, string(data))
}

func TestFsck(t *testing.T) {
	t.Parallel()
	d := newDatabase(t)
	d.run(failed, "no such file", "fsck")
	d.run(misuse, "what is", "fsck", "a", "b")
	d.fill(20)
	d.run(done, "nothing is wrong", "fsck")
	whole, err := os.ReadFile(d.path)
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, want string
		change     func(b []byte) []byte
	}{
		{"empty", "it is empty; restore a backup", func(b []byte) []byte { return nil }},
		{"cut short", "pbem restore goes back to a backup", func(b []byte) []byte { return b[:20_000] }},
		{"zeroed", "pbem restore goes back to a backup", func(b []byte) []byte { return make([]byte, len(b)) }},
		{"zeroed from page 3 on", "is not whole; go back to a backup with pbem restore", func(b []byte) []byte { clear(b[3*4096:]); return b }},
		{"a player lost", "is missing from the index", func(b []byte) []byte {
			return bytes.ReplaceAll(b, []byte(`"p7@example.org"`), []byte(`"p7@example.com"`))
		}},
	}
	for _, tt := range tests {
		t.Log(tt.name)
		write(t, d.path, string(tt.change(bytes.Clone(whole))))
		d.run(failed, tt.want, "fsck")
	}
}

// What an older pbem has left can be checked, backed up and written out before it is brought up
// to date, and its backup restored.
func TestOlderSchema(t *testing.T) {
	t.Parallel()
	d := newDatabase(t)
	d.older("schema1.db")
	before, _ := os.ReadFile(d.path)
	file := filepath.Join(t.TempDir(), "backup.db")
	d.run(done, "nothing is wrong", "fsck")
	d.run(done, "whole", "backup", file)
	text := d.run(done, `"name":"Hana"`, "export").stdout
	if after, err := os.ReadFile(d.path); err != nil || !bytes.Equal(before, after) {
		t.Errorf("the database was changed (%v)", err)
	}
	d.run(done, "is restored", "restore", "--force", file)
	if got := d.run(done, "", "export").stdout; got != text {
		t.Errorf("restored: %s, want %s", got, text)
	}
}
