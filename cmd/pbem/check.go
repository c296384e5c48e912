package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"strings"
	"time"

	"pbem/config"
	"pbem/store"
)

const checkAbout = `Tries out the settings: secret and database, the login to both mail servers and what they
offer, and whether a mail that the service sends to itself arrives, also at an address with
+token in it. Says in plain words what is to be mended. The test mails are removed again, and no
other mail is touched. Stop pbem serve for the length of the check: it would take the test mails.

Exit code: 0 all is well, 1 something is to be mended, 2 this command line makes no sense.`

// runCheck tries out the settings.
func runCheck(ctx context.Context, e env) int {
	flags := e.flagSet("[--config PATH] [--wait DURATION]", checkAbout)
	path := e.configFlag(flags)
	wait := flags.Duration("wait", time.Minute, "how long a test mail may take to arrive, a `DURATION`")
	if code, ok := e.parse(flags, 0); !ok {
		return code
	}
	if *wait <= 0 {
		return e.misused("check: --wait must be longer than nothing, like --wait 90s", "pbem help check")
	}
	c, err := e.loadConfig(*path, config.Load)
	if err != nil {
		return e.fail(err)
	}
	k := &checkup{out: e.stdout, c: c, wait: *wait, log: slog.New(slog.DiscardHandler)}
	k.well("settings", "%s has no mistakes.", c.File)
	k.secret()
	k.database()
	k.servers(ctx)
	k.mail(ctx)
	if ctx.Err() != nil {
		return e.fail(errors.New("check: stopped before it was through"))
	}
	return k.end(*path)
}

// checkup is one run of check.
type checkup struct {
	out  io.Writer
	c    config.Config
	wait time.Duration // for a test mail
	log  *slog.Logger

	toMend  int
	locked  bool // somebody else has the database open
	offline bool // a server is out of reach, so no mail can be tried
}

// checkColumn is where the text of a report begins.
const checkColumn = 10

// say writes a paragraph behind subject.
func (k *checkup) say(subject, text string) {
	for line := range strings.Lines(wrap(text, 79-checkColumn)) {
		fmt.Fprintf(k.out, "%-*s%s", checkColumn, subject, line)
		subject = ""
	}
	fmt.Fprintln(k.out)
}

func (k *checkup) well(subject, format string, args ...any) {
	k.say(subject, fmt.Sprintf(format, args...))
}

// ill reports what is wrong and how it is mended; mend may be empty if what says it all.
func (k *checkup) ill(subject, what, mend string) {
	k.toMend++
	if !strings.HasSuffix(what, "?") {
		what += "."
	}
	k.say(subject, "NOT WELL: "+what)
	if mend != "" {
		k.say("", "To mend it: "+mend)
	}
}

// end writes the closing line and returns the exit code.
func (k *checkup) end(path string) int {
	switch k.toMend {
	case 0:
		fmt.Fprintf(k.out, "\nAll is well. Next: %s\n", nextCommand("serve", path))
		return done
	case 1:
		fmt.Fprintln(k.out, "\nOne thing is to be mended, see above.")
	default:
		fmt.Fprintf(k.out, "\n%d things are to be mended, see above.\n", k.toMend)
	}
	return failed
}

// nextCommand is how to run a command on the settings at path.
func nextCommand(name, path string) string {
	if path == defaultConfig {
		return "pbem " + name
	}
	return "pbem " + name + " --config " + path
}

func (k *checkup) secret() {
	path := k.c.Service.SecretFile
	_, err := config.ReadKey(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		k.well("secret", "%s is not there yet; pbem serve makes it.", path)
	case err != nil:
		k.ill("secret", err.Error(), "")
	default:
		k.well("secret", "%s is in order.", path)
	}
}

func (k *checkup) database() {
	path := k.c.Service.Database
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		k.well("database", "%s is not there yet; pbem serve makes it.", path)
		return
	}
	st, err := store.OpenReadOnly(path, store.Options{})
	switch {
	case errors.Is(err, store.ErrOlderSchema):
		k.well("database", "%s is of an older version; pbem serve brings it up to date. Make a copy of it before.", path)
		return
	case errors.Is(err, store.ErrLocked):
		k.locked = true
		k.ill("database", path+" is in use, likely by pbem serve", "stop pbem serve for the length of the check.")
		return
	case err != nil:
		k.ill("database", err.Error(), "see that the file is a database of pbem and may be read and written "+
			"by the user that runs pbem, or name another one in service.database.")
		return
	}
	defer st.Close()
	var players, waiting int
	err = st.View(func(tx *store.Tx) error {
		names, err := tx.Names()
		if err != nil {
			return err
		}
		mails, err := tx.Waiting()
		if err != nil {
			return err
		}
		players, waiting = len(names), len(mails)
		return tx.Check()
	})
	if err != nil {
		k.ill("database", fmt.Sprintf("%s is damaged: %v", path, err), "put a backup of it in its place.")
		return
	}
	k.well("database", "%s is sound (schema %d): %s, %s in the outbox.", path, store.Schema(),
		count(players, "player"), count(waiting, "mail"))
}

// count is n and the thing, in the plural if there is not one.
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// wrap breaks text into lines of at most width characters, where words allow it.
func wrap(text string, width int) string {
	var b strings.Builder
	column := 0
	for word := range strings.FieldsSeq(text) {
		n := len([]rune(word))
		switch {
		case column == 0:
		case column+1+n > width:
			b.WriteByte('\n')
			column = 0
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += n
	}
	return b.String()
}
