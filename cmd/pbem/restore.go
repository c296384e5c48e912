package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"pbem/config"
	"pbem/store"
)

const restoreAbout = `Puts a backup in the place of the database. The backup is checked first, and brought up to date if
an older pbem wrote it. A database that is there is replaced only with --force, and kept beside
it as .old. pbem serve must not run.

What came in after the backup was made is read again if it still lies in the mailbox.

Exit code: 0 done, 1 it could not be done, 2 this command line makes no sense.`

// runRestore puts a backup in the place of the database.
func runRestore(_ context.Context, e env) int {
	flags := e.flagSet("[--force] [--config PATH] BACKUP", restoreAbout)
	path := e.configFlag(flags)
	force := flags.Bool("force", false, "replace the database that is there")
	if code, ok := e.parse(flags, 1); !ok {
		return code
	}
	if flags.NArg() == 0 {
		return e.misused("restore: from which BACKUP?", "pbem help restore")
	}
	c, err := e.loadConfig(*path, config.LoadOffline)
	if err != nil {
		return e.fail(err)
	}
	old, err := restore(flags.Arg(0), c.Service.Database, *force)
	if err != nil {
		return e.fail(err)
	}
	fmt.Fprintf(e.stdout, "%s is restored from %s\n", c.Service.Database, flags.Arg(0))
	if old != "" {
		fmt.Fprintf(e.stdout, "the former database is kept as %s\n", old)
	}
	return done
}

// restore replaces a database by a backup and returns where the former one is; empty if there
// was none.
func restore(backup, database string, force bool) (old string, err error) {
	there, err := os.Stat(database)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	if err == nil {
		from, err := os.Stat(backup)
		switch {
		case err == nil && os.SameFile(there, from):
			return "", fmt.Errorf("%s is the database itself; name a backup", backup)
		case store.InUse(database):
			return "", fmt.Errorf("%s is in use; stop pbem serve first", database)
		case !force:
			return "", fmt.Errorf("%s is there already; pbem restore --force replaces it and keeps it as %[1]s.old", database)
		}
	}
	tmp, err := prepared(backup, database)
	if err != nil {
		return "", err
	}
	defer os.Remove(tmp)
	if there != nil {
		if old, err = setAside(database); err != nil {
			return "", err
		}
	}
	if err := store.Publish(tmp, database); err != nil {
		return old, fmt.Errorf("restore: %w", err)
	}
	return old, nil
}

// prepared returns a checked copy of a backup beside the database, up to date.
func prepared(backup, database string) (tmp string, err error) {
	found, err := store.Inspect(backup, store.Options{})
	if err != nil && !errors.Is(err, store.ErrOlderSchema) {
		return "", err
	}
	if len(found) > 0 {
		return "", fmt.Errorf("%s is not whole, and nothing was restored; pbem fsck %[1]s lists what is wrong: %w", backup, found[0])
	}
	if tmp, err = store.TempBeside(database); err != nil {
		return "", fmt.Errorf("restore: %w", err)
	}
	defer func() {
		if err != nil {
			os.Remove(tmp)
		}
	}()
	if err := copyFile(tmp, backup); err != nil {
		return "", fmt.Errorf("restore: %w", err)
	}
	st, err := store.Open(tmp, store.Options{})
	if err != nil {
		return "", err
	}
	if err := st.Close(); err != nil {
		return "", err
	}
	if found, err = store.Inspect(tmp, store.Options{}); len(found) > 0 {
		err = found[0]
	}
	if err != nil {
		return "", fmt.Errorf("%s is not whole once it is up to date: %w", backup, err)
	}
	return tmp, nil
}

// copyFile copies a file to the one at path, which is there, and waits for the disk.
func copyFile(path, from string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(path, os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	defer out.Close()
	if _, err := io.Copy(out, in); err != nil {
		return err
	}
	if err := out.Sync(); err != nil {
		return err
	}
	return out.Close()
}

// setAside gives the file at path the first free name of those that end in .old, .old2 and so on.
func setAside(path string) (old string, err error) {
	for n := 1; ; n++ {
		old = path + ".old"
		if n > 1 {
			old += fmt.Sprint(n)
		}
		if _, err := os.Lstat(old); errors.Is(err, fs.ErrNotExist) {
			break
		} else if err != nil {
			return "", err
		}
	}
	if err := os.Rename(path, old); err != nil {
		return "", err
	}
	return old, store.SyncFolder(filepath.Dir(path))
}
