package store_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pbem/store"
)

func export(t testing.TB, s *store.Store) string {
	t.Helper()
	var b bytes.Buffer
	view(t, s, func(tx *store.Tx) error { return tx.Export(&b) })
	return b.String()
}

// imported returns a new database made of an export.
func imported(t testing.TB, text string) *store.Store {
	t.Helper()
	path := filepath.Join(t.TempDir(), "pbem.db")
	if err := store.Import(path, strings.NewReader(text), store.Options{NoSync: true}); err != nil {
		t.Fatalf("Import: %v", err)
	}
	s, err := store.Open(path, store.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func TestExportSample(t *testing.T) {
	s := open(t)
	update(t, s, func(tx *store.Tx) error { return saveSample(t, tx) })
	text := export(t, s)
	again := imported(t, text)
	if got := export(t, again); got != text {
		t.Errorf("exported again:\n%s\nwant\n%s", got, text)
	}
	view(t, again, func(tx *store.Tx) error {
		checkSample(t, tx)
		return tx.Check()
	})
	update(t, again, func(tx *store.Tx) error { return checkSampleGoesOn(t, tx) })
}

// TestImportOlder imports a saved export of every schema that was ever released.
func TestImportOlder(t *testing.T) {
	for _, name := range []string{"schema1.jsonl"} {
		text, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		s := imported(t, string(text))
		view(t, s, func(tx *store.Tx) error {
			checkSample(t, tx)
			return tx.Check()
		})
		update(t, s, func(tx *store.Tx) error { return checkSampleGoesOn(t, tx) })
	}
}

func TestExportRandom(t *testing.T) {
	t.Parallel()
	for seed := range uint64(5) {
		s := open(t)
		random(t, s, rand.New(rand.NewPCG(seed, 1)), 300)
		text := export(t, s)
		again := imported(t, text)
		if got := export(t, again); got != text {
			t.Errorf("seed %d: exported again, it differs", seed)
		}
		view(t, again, (*store.Tx).Check)
	}
}

func TestImportRefuses(t *testing.T) {
	text, err := os.ReadFile("testdata/schema1.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	whole := string(text)
	lines := strings.SplitAfter(whole, "\n")
	tests := []struct{ name, text, want string }{
		{"nothing", "", "line 1: unexpected EOF"},
		{"a mail", "From: a\n\n", "no export of pbem"},
		{"another program's JSON", "{\"version\":3}\n", "no export of pbem"},
		{"a newer schema", "{\"pbem_export\":1,\"schema\":99}\n", "schema 99"},
		{"a newer format", "{\"pbem_export\":2,\"schema\":1}\n", "format 2"},
		{"no end", strings.Join(lines[:20], ""), "line 21: unexpected EOF"},
		{"a line is missing", strings.Join(lines[:5], "") + strings.Join(lines[6:], ""), "there should be 44 lines"},
		{"something behind the end", whole + "{}\n", "behind the end"},
		{"an unknown field", strings.Replace(whole, `"sequence":2`, `"sequense":2`, 1), "sequense"},
		{"an index", strings.Replace(whole, `"in":"held","id"`, `"in":"due","id"`, 1), `no place for "due"`},
		{"no key", strings.Replace(whole, `"in":"held","id":1`, `"in":"held"`, 1), "one of id, key and key_hex"},
		{"no value", strings.Replace(whole, `,"text":"help"`, ``, 1), "one of record, text and base64"},
		{"a record twice", strings.Replace(whole, `"in":"players","id":2`, `"in":"players","id":1`, 1), "has come before"},
		{"bad base64", strings.Replace(whole, `"base64":"g`, `"base64":"!`, 1), "base64"},
		{"a record of another form", strings.Replace(whole, `"name":"Hana"`, `"name":7`, 1), "player 1"},
		{"a name twice", strings.Replace(whole, `"name":"Zoé"`, `"name":"HANA"`, 1), "players.name"},
		{"an illegal move", strings.Replace(whole, `"7g7f"`, `"7g7e"`, 1), "game #1, ply 2"},
		{"a game of nobody", strings.Replace(whole, `"black":1`, `"black":9`, 1), "there is no player 9"},
		{"a mail without bytes", strings.Replace(whole, `"in":"outbox.data","id":2`, `"in":"outbox.data","id":1`, 1), "has lost its bytes"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "pbem.db")
			err := store.Import(path, strings.NewReader(tt.text), store.Options{NoSync: true})
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Import = %v; want %q in it", err, tt.want)
			}
			if files, _ := os.ReadDir(dir); len(files) != 0 {
				t.Errorf("files left: %v", files)
			}
		})
	}
}

func TestImportIntoUsed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pbem.db")
	s, err := store.Open(path, store.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	empty := export(t, s)
	again := func(want error) {
		t.Helper()
		err := store.Import(path, strings.NewReader(empty), store.Options{NoSync: true, LockWait: 1})
		if !errors.Is(err, want) {
			t.Errorf("Import = %v, want %v", err, want)
		}
	}
	again(store.ErrLocked)
	update(t, s, func(tx *store.Tx) error { return tx.SavePlayer(hana) })
	s.Close()
	again(store.ErrNotEmpty)
}
