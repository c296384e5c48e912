package main

import (
	"os"
	"path/filepath"
	"testing"
)

func TestExportAndImport(t *testing.T) {
	t.Parallel()
	d, other := newDatabase(t), newDatabase(t)
	d.run(failed, "no such file", "export")
	d.fill(5)
	text := d.run(done, `{"end":true`, "export").stdout
	d.pipe(text, failed, "is not empty", "import")
	other.pipe(text, done, "is made of the export", "import")
	if got := other.run(done, "", "export").stdout; got != text {
		t.Errorf("exported again: %s, want %s", got, text)
	}
	other.run(done, "nothing is wrong", "fsck")

	os.Remove(other.path)
	file := filepath.Join(t.TempDir(), "state.jsonl")
	other.run(failed, "no such file", "import", file)
	write(t, file, text[:len(text)/2])
	other.run(failed, "unexpected EOF", "import", file)
	other.pipe("hello\n", failed, "this is no export of pbem", "import")
	if _, err := os.Stat(other.path); err == nil {
		t.Error("half an export has left a database")
	}
	write(t, file, text)
	other.run(done, "is made of the export", "import", file)
}
