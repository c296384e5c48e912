package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"pbem/config"
	"pbem/internal/control"
	"pbem/player"
	"pbem/store"
)

// database is settings and the database they name, in a folder of their own.
type database struct {
	t              *testing.T
	settings, path string
}

func newDatabase(t *testing.T) database {
	t.Helper()
	settings := writeSettings(t, "", "", "none")
	return database{t, settings, filepath.Join(filepath.Dir(settings), "pbem.db")}
}

// fill writes some players and messages in quarantine.
func (d database) fill(players int) {
	d.t.Helper()
	st, err := store.Open(d.path, store.Options{})
	if err != nil {
		d.t.Fatal(err)
	}
	defer st.Close()
	err = st.Update(func(tx *store.Tx) error {
		for range players {
			if err := newPlayer(tx); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		d.t.Fatal(err)
	}
}

func newPlayer(tx *store.Tx) error {
	id, err := tx.NextPlayer()
	if err != nil {
		return err
	}
	address := fmt.Sprintf("p%d@example.org", id)
	if err := tx.SavePlayer(player.Player{ID: id, Name: fmt.Sprintf("P%d", id), Addresses: []string{address}}); err != nil {
		return err
	}
	_, err = tx.Queue(store.Outgoing{To: address, Data: []byte("welcome"), Player: id, Queued: time.Now()})
	return err
}

// run runs a command with the settings and wants an exit code and a text in its output.
func (d database) run(code int, want, command string, args ...string) outcome {
	d.t.Helper()
	return d.pipe("", code, want, command, args...)
}

func (d database) pipe(stdin string, code int, want, command string, args ...string) outcome {
	d.t.Helper()
	got := pbem(d.t.Context(), stdin, append([]string{command, "--config", d.settings}, args...)...)
	if got.code != code || !strings.Contains(got.stdout+got.stderr, want) {
		d.t.Errorf("pbem %s %q: %+v; want code %d and %q", command, args, got, code, want)
	}
	return got
}

// serve runs what serve runs, without ways in, until stop.
func (d database) serve() (h house, stop func()) {
	d.t.Helper()
	c, err := config.LoadOffline(d.settings)
	if err != nil {
		d.t.Fatal(err)
	}
	log := slog.New(slog.DiscardHandler)
	if h, err = openHouse(c, 0, log); err != nil {
		d.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(d.t.Context())
	var running sync.WaitGroup
	running.Go(func() { serveControl(ctx, h, log) })
	for {
		resp, err := control.Ask(ctx, control.Path(d.path), "GET", "/here")
		if err == nil {
			resp.Body.Close()
			break
		}
		time.Sleep(time.Millisecond)
	}
	return h, func() {
		cancel()
		running.Wait()
		h.close()
	}
}

// files are the names in the folder of the database.
func (d database) files() string {
	list, err := os.ReadDir(filepath.Dir(d.path))
	if err != nil {
		d.t.Fatal(err)
	}
	var names []string
	for _, f := range list {
		names = append(names, f.Name())
	}
	return strings.Join(names, " ")
}

func TestBackupAndRestore(t *testing.T) {
	t.Parallel()
	d := newDatabase(t)
	file := filepath.Join(t.TempDir(), "backup.db")
	d.run(failed, "no such file", "backup", file)
	d.fill(3)
	d.run(misuse, "to which FILE?", "backup")
	d.run(misuse, "what is \"more\" for?", "backup", file, "more")
	d.run(failed, "is the database itself", "backup", d.path)
	d.run(failed, "is no backup", "backup", d.settings)
	d.run(failed, "is a folder", "backup", filepath.Dir(file))
	d.run(done, "whole", "backup", file)
	d.run(done, "whole", "backup", file) // again
	d.fill(2)
	d.run(done, "nothing is wrong", "fsck")
	d.run(done, "nothing is wrong", "fsck", file)

	d.run(misuse, "from which BACKUP?", "restore")
	d.run(failed, "pbem restore --force replaces it", "restore", file)
	d.run(failed, "is the database itself", "restore", "--force", d.path)
	five := d.run(done, `{"end":true`, "export").stdout
	d.run(done, "kept as "+d.path+".old", "restore", "--force", file)
	if three := d.run(done, `{"in":"players","id":3`, "export").stdout; strings.Contains(three, `{"in":"players","id":4`) {
		t.Errorf("restored: %s", three)
	}
	d.run(done, "kept as "+d.path+".old2", "restore", "--force", d.path+".old")
	if got := d.run(done, "", "export").stdout; got != five {
		t.Errorf("the former database, restored: %s, want %s", got, five)
	}
	os.Remove(d.path)
	d.run(done, "is restored", "restore", file)
	if got, want := d.files(), "config.toml mail-password pbem.db pbem.db.old pbem.db.old2"; got != want {
		t.Errorf("files: %s, want %s", got, want)
	}
}

func TestRestoreRefusesDamage(t *testing.T) {
	t.Parallel()
	d := newDatabase(t)
	d.fill(50)
	file := filepath.Join(t.TempDir(), "backup.db")
	d.run(done, "whole", "backup", file)
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before := d.run(done, "", "export").stdout
	for _, n := range []int{0, 100, len(whole) / 2, len(whole) - 1} {
		write(t, file, string(whole[:n]))
		d.run(failed, file, "restore", "--force", file)
	}
	damaged := append([]byte(nil), whole...)
	clear(damaged[8192:])
	write(t, file, string(damaged))
	d.run(failed, "is not whole, and nothing was restored", "restore", "--force", file)
	if got := d.run(done, "", "export").stdout; got != before {
		t.Error("a backup that was refused has changed the database")
	}
}

// TestBackupWhileServing takes backups while several write. Each must be whole, and hold all
// that was written before it was asked for.
func TestBackupWhileServing(t *testing.T) {
	t.Parallel()
	d := newDatabase(t)
	d.fill(1)
	h, stop := d.serve()
	file := filepath.Join(t.TempDir(), "backup.db")
	ctx, cancel := context.WithCancel(t.Context())
	var writers sync.WaitGroup
	for range 2 {
		writers.Go(func() {
			for ctx.Err() == nil {
				if err := h.store.Update(newPlayer); err != nil {
					t.Error(err)
				}
			}
		})
	}
	players := func(st *store.Store) (n int) {
		err := st.View(func(tx *store.Tx) error {
			names, err := tx.Names()
			waiting, err2 := tx.Waiting()
			if n = len(names); len(waiting) != n {
				t.Errorf("%d players, %d mails: half a transaction", n, len(waiting))
			}
			if err != nil {
				return err
			}
			return err2
		})
		if err != nil {
			t.Error(err)
		}
		return n
	}
	for range 5 {
		before := players(h.store)
		d.run(done, "whole", "backup", file)
		d.run(done, "nothing is wrong", "fsck", file)
		st, err := store.OpenReadOnly(file, store.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if n := players(st); n < before {
			t.Errorf("%d players in the backup, %d before it", n, before)
		}
		st.Close()
	}
	d.run(done, "nothing is wrong", "fsck")
	d.run(done, `{"end":true`, "export")
	d.run(failed, "stop pbem serve first", "restore", "--force", file)
	d.run(failed, "in use", "import", os.DevNull)
	cancel()
	writers.Wait()
	stop()
	d.run(done, "is restored", "restore", "--force", file)
	if got := d.files(); strings.Contains(got, ".new") || strings.Contains(got, "sock") {
		t.Errorf("files: %s", got)
	}
}

// TestBackupLocked holds the database without being able to answer.
func TestBackupLocked(t *testing.T) {
	t.Parallel()
	d := newDatabase(t)
	st, err := store.Open(d.path, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	file := filepath.Join(t.TempDir(), "backup.db")
	d.run(failed, "no pbem serve that can be asked", "backup", file)
	if _, err := os.Stat(file); err == nil {
		t.Error("there is a backup")
	}
	d.run(failed, "in use by another process", "fsck")
}
