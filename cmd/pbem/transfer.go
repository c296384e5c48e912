package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"pbem/config"
	"pbem/store"
)

const exportAbout = `Writes everything in the database to stdout, as lines of JSON that any program can read, and that
pbem import of this version or a newer one makes the same database of. It works while pbem
serve runs, too.

Exit code: 0 done, 1 it could not be done, 2 this command line makes no sense.`

// runExport writes the whole state to stdout.
func runExport(ctx context.Context, e env) int {
	flags := e.flagSet("[--config PATH] >FILE", exportAbout)
	path := e.configFlag(flags)
	if code, ok := e.parse(flags, 0); !ok {
		return code
	}
	c, err := e.loadConfig(*path, config.LoadOffline)
	if err != nil {
		return e.fail(err)
	}
	if err := export(ctx, c.Service.Database, e.stdout); err != nil {
		return e.fail(err)
	}
	return done
}

func export(ctx context.Context, database string, w io.Writer) error {
	file, drop, err := still(ctx, database)
	if err != nil {
		return err
	}
	defer drop()
	st, err := store.OpenReadOnly(file, store.Options{})
	if errors.Is(err, store.ErrOlderSchema) {
		tmp, uerr := updated(file)
		if uerr != nil {
			return uerr
		}
		defer os.Remove(tmp)
		st, err = store.OpenReadOnly(tmp, store.Options{})
	}
	if err != nil {
		return err
	}
	defer st.Close()
	return st.View(func(tx *store.Tx) error { return tx.Export(w) })
}

const importAbout = `Makes the database of what pbem export has written, from FILE or stdin. There must be none yet, or
an empty one. The export is read to its end and checked before anything of it is seen.

Exit code: 0 done, 1 it could not be done, 2 this command line makes no sense.`

// runImport makes the database of an export.
func runImport(_ context.Context, e env) int {
	flags := e.flagSet("[--config PATH] [FILE]", importAbout)
	path := e.configFlag(flags)
	if code, ok := e.parse(flags, 1); !ok {
		return code
	}
	c, err := e.loadConfig(*path, config.LoadOffline)
	if err != nil {
		return e.fail(err)
	}
	in := e.stdin
	if name := flags.Arg(0); name != "" {
		f, err := os.Open(name)
		if err != nil {
			return e.fail(err)
		}
		defer f.Close()
		in = f
	}
	err = store.Import(c.Service.Database, in, store.Options{Log: e.logger(c)})
	if errors.Is(err, store.ErrNotEmpty) {
		err = fmt.Errorf("%w; name another database in %s, or move this one away", err, *path)
	}
	if err != nil {
		return e.fail(err)
	}
	fmt.Fprintf(e.stdout, "%s is made of the export\n", c.Service.Database)
	return done
}
