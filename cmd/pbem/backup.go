package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strconv"

	"pbem/config"
	"pbem/internal/control"
	"pbem/store"
)

const backupAbout = `Writes a backup of the database to FILE, while pbem serve runs or not. The backup is one moment's
whole state, checked before it gets its name; a backup that is there already is replaced only
then. Keep the file of service.secret_file as well.

Exit code: 0 done, 1 it could not be done, 2 this command line makes no sense.`

// runBackup writes a snapshot of the database, and checks it.
func runBackup(ctx context.Context, e env) int {
	flags := e.flagSet("[--config PATH] FILE", backupAbout)
	path := e.configFlag(flags)
	if code, ok := e.parse(flags, 1); !ok {
		return code
	}
	if flags.NArg() == 0 {
		return e.misused("backup: to which FILE?", "pbem help backup")
	}
	c, err := e.loadConfig(*path, config.LoadOffline)
	if err != nil {
		return e.fail(err)
	}
	size, err := backup(ctx, c.Service.Database, flags.Arg(0))
	if err != nil {
		return e.fail(err)
	}
	fmt.Fprintf(e.stdout, "%s: %d bytes, whole\n", flags.Arg(0), size)
	return done
}

// backup writes the backup of a database and returns its size.
func backup(ctx context.Context, database, to string) (size int64, err error) {
	if err := mayReplace(database, to); err != nil {
		return 0, err
	}
	tmp, err := store.TempBeside(to)
	if err != nil {
		return 0, fmt.Errorf("write backup: %w", err)
	}
	defer os.Remove(tmp)
	if size, err = snapshot(ctx, database, tmp); err != nil {
		return 0, err
	}
	// One of an older schema is as old as the database: its pages are whole.
	found, err := store.Inspect(tmp, store.Options{})
	if err != nil && !errors.Is(err, store.ErrOlderSchema) {
		return 0, fmt.Errorf("check the backup: %w", err)
	}
	if len(found) > 0 {
		return 0, fmt.Errorf("%w\nno backup was written: the database itself is not whole; pbem fsck lists what is wrong", found[0])
	}
	if err := os.Rename(tmp, to); err != nil {
		return 0, fmt.Errorf("write backup: %w", err)
	}
	return size, store.SyncFolder(filepath.Dir(to))
}

// mayReplace refuses to write a backup over anything but another backup.
func mayReplace(database, to string) error {
	there, err := os.Stat(to)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	live, err := os.Stat(database)
	switch {
	case err == nil && os.SameFile(live, there):
		return fmt.Errorf("%s is the database itself; name another file for the backup", to)
	case there.IsDir():
		return fmt.Errorf("%s is a folder; name a file in it", to)
	case there.Size() > 0 && !store.Looks(to):
		return fmt.Errorf("%s is there already and is no backup; name another file, or remove it", to)
	}
	return nil
}

// snapshot writes the present state of a database into the file at path, with the help of the
// running service if there is one.
func snapshot(ctx context.Context, database, path string) (size int64, err error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_TRUNC|os.O_CREATE, 0o600)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	resp, err := control.Ask(ctx, control.Path(database), http.MethodGet, "/snapshot")
	switch {
	case errors.Is(err, control.ErrNobody):
		err = store.Snapshot(database, f, store.Options{})
		if errors.Is(err, store.ErrLocked) {
			err = fmt.Errorf("%w, which is no pbem serve that can be asked; try again when it is done", err)
		}
	case err == nil:
		_, err = io.Copy(f, resp.Body) // cut short: unexpected EOF
		resp.Body.Close()
		if err != nil {
			err = fmt.Errorf("snapshot from the running service: %w", err)
		}
	}
	if err == nil {
		err = f.Sync()
	}
	if err != nil {
		return 0, err
	}
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), f.Close()
}

// serveControl answers other commands of pbem on a socket beside the database of h, until ctx
// ends. Where it cannot listen, the service goes on without.
func serveControl(ctx context.Context, h house, log *slog.Logger) error {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /here", func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("GET /snapshot", func(w http.ResponseWriter, _ *http.Request) {
		if err := sendSnapshot(w, h.store); err != nil {
			log.Warn("snapshot not taken", "err", err)
			panic(http.ErrAbortHandler) // so that it is seen to be cut short
		}
		log.Info("snapshot taken")
	})
	mux.HandleFunc("GET /status", func(w http.ResponseWriter, _ *http.Request) { answerStatus(w, h) })
	mux.HandleFunc("POST /quarantine", func(w http.ResponseWriter, r *http.Request) {
		answerQuarantine(w, r, h)
	})
	path := control.Path(h.store.Path())
	err := control.Serve(ctx, path, mux)
	if ctx.Err() == nil {
		log.Warn("commands such as pbem backup cannot reach this service", "err", err)
		<-ctx.Done()
	}
	return ctx.Err()
}

func sendSnapshot(w http.ResponseWriter, st *store.Store) error {
	return st.View(func(tx *store.Tx) error {
		w.Header().Set("Content-Type", "application/octet-stream")
		w.Header().Set("Content-Length", strconv.FormatInt(tx.Size(), 10))
		_, err := tx.WriteTo(control.Patient(w))
		return err
	})
}
