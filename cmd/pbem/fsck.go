package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"

	"pbem/config"
	"pbem/internal/control"
	"pbem/store"
)

const fsckAbout = `Reads the whole database, or the backup FILE, and says what is wrong in it: damaged pages, records
that cannot be read, indexes that do not fit the records, games that cannot be played again,
mails without their text. It changes nothing. While pbem serve runs, a snapshot is checked.

Exit code: 0 nothing is wrong, 1 something is, or it cannot be read, 2 this command line makes no
sense.`

// maxFindings is how many findings are printed.
const maxFindings = 100

// runFsck checks the database, or a backup.
func runFsck(ctx context.Context, e env) int {
	flags := e.flagSet("[--config PATH] [FILE]", fsckAbout)
	path := e.configFlag(flags)
	if code, ok := e.parse(flags, 1); !ok {
		return code
	}
	name, file := flags.Arg(0), flags.Arg(0)
	if name == "" {
		c, err := e.loadConfig(*path, config.LoadOffline)
		if err != nil {
			return e.fail(err)
		}
		var drop func()
		name = c.Service.Database
		if file, drop, err = still(ctx, name); err != nil {
			return e.fail(err)
		}
		defer drop()
	}
	found, err := inspect(file)
	if err != nil {
		return e.fail(err)
	}
	for i, finding := range found {
		if i == maxFindings {
			fmt.Fprintf(e.stdout, "and %d findings more\n", len(found)-i)
			break
		}
		fmt.Fprintln(e.stdout, finding)
	}
	if len(found) > 0 {
		return e.fail(fmt.Errorf("%s is not whole; go back to a backup with pbem restore, "+
			"or, if only indexes are wrong, make it anew with pbem export and pbem import", name))
	}
	fmt.Fprintf(e.stdout, "%s: nothing is wrong\n", name)
	return done
}

// inspect is [store.Inspect] for databases of any schema. An older one is checked as it will be
// once it is up to date.
func inspect(file string) (found []error, err error) {
	found, err = store.Inspect(file, store.Options{})
	if !errors.Is(err, store.ErrOlderSchema) || len(found) > 0 {
		return found, err
	}
	tmp, err := updated(file)
	if err != nil {
		return nil, err
	}
	defer os.Remove(tmp)
	return store.Inspect(tmp, store.Options{})
}

// updated returns a copy of a database beside it that is up to date.
func updated(file string) (tmp string, err error) {
	if tmp, err = store.TempBeside(file); err != nil {
		return "", err
	}
	var st *store.Store
	if err = copyFile(tmp, file); err == nil {
		st, err = store.Open(tmp, store.Options{})
	}
	if err == nil {
		err = st.Close()
	}
	if err != nil {
		os.Remove(tmp)
		return "", err
	}
	return tmp, nil
}

// still returns a file with the present state of a database that nobody writes to: the database
// itself, or a snapshot that drop removes if a service runs on it.
func still(ctx context.Context, database string) (file string, drop func(), err error) {
	resp, err := control.Ask(ctx, control.Path(database), http.MethodGet, "/here")
	if errors.Is(err, control.ErrNobody) {
		return database, func() {}, nil
	}
	if err != nil {
		return "", nil, err
	}
	resp.Body.Close()
	tmp, err := store.TempBeside(database)
	if err != nil {
		return "", nil, err
	}
	if _, err := snapshot(ctx, database, tmp); err != nil {
		os.Remove(tmp)
		return "", nil, err
	}
	return tmp, func() { os.Remove(tmp) }, nil
}
