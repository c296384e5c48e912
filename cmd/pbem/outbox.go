package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"pbem/config"
	"pbem/mailer"
	"pbem/store"
)

const outboxAbout = `Lists the mails that wait to be sent, and those that were given up. pbem serve sends what waits
by itself; while it runs, the database is its own, and this command cannot look into it.

Exit code: 0 done, 1 it could not be done, or not all mails were sent, 2 this command line makes
no sense.`

// runOutbox lists, writes or sends the mails that wait.
func runOutbox(ctx context.Context, e env) int {
	flags := e.flagSet("[--export DIR | --flush] [--config PATH]", outboxAbout)
	path := e.configFlag(flags)
	dir := flags.String("export", "", "write each mail that waits to a file NUMBER.eml in the folder `DIR`")
	flush := flags.Bool("flush", false, "send all mails that wait, now")
	if code, ok := e.parse(flags, 0); !ok {
		return code
	}
	if *flush && *dir != "" {
		return e.misused("outbox: --export and --flush do not go together; run one after the other", "pbem help outbox")
	}
	load := config.LoadOffline
	if *flush {
		load = config.Load
	}
	c, err := e.loadConfig(*path, load)
	if err != nil {
		return e.fail(err)
	}
	h, err := openHouse(c, 0, e.logger(c))
	if err != nil {
		return e.fail(err)
	}
	defer h.close()
	switch {
	case *flush:
		err = h.flush(ctx, e.stdout)
	case *dir != "":
		err = h.export(e.stdout, *dir)
	default:
		err = h.list(e.stdout)
	}
	if err != nil {
		return e.fail(err)
	}
	return done
}

// outbox returns the mails that wait, with their Data, and those given up.
func (h house) outbox() (waiting, failed []store.Outgoing, err error) {
	err = h.store.View(func(tx *store.Tx) (err error) {
		if waiting, err = tx.Waiting(); err != nil {
			return err
		}
		if failed, err = tx.Failed(); err != nil {
			return err
		}
		for _, mails := range [][]store.Outgoing{waiting, failed} {
			for i := range mails {
				if mails[i].Data, err = tx.OutgoingData(mails[i].ID); err != nil {
					return err
				}
			}
		}
		return nil
	})
	return waiting, failed, err
}

// list prints what waits, then what was given up.
func (h house) list(w io.Writer) error {
	waiting, failed, err := h.outbox()
	if err != nil {
		return err
	}
	fmt.Fprintln(w, sentence(len(waiting), "waits", "wait", "in the outbox"))
	for _, m := range waiting {
		printOutgoing(w, m)
	}
	if len(failed) > 0 {
		fmt.Fprintln(w, "\n"+sentence(len(failed), "was", "were", "given up"))
	}
	for _, m := range failed {
		printOutgoing(w, m)
	}
	return nil
}

// sentence tells of n mails.
func sentence(n int, singular, plural, rest string) string {
	switch n {
	case 0:
		return "No mail " + singular + " " + rest + "."
	case 1:
		return "1 mail " + singular + " " + rest + "."
	}
	return fmt.Sprintf("%d mails %s %s.", n, plural, rest)
}

// printOutgoing prints a mail in two lines or three.
func printOutgoing(w io.Writer, m store.Outgoing) {
	subject := "(its subject cannot be read)"
	if parsed, err := mailer.Parse(m.Data, mailer.ParseOptions{}); err == nil {
		subject = parsed.Subject
	}
	fmt.Fprintf(w, "\n%5d  %s  %s\n", m.ID, m.To, subject)
	fmt.Fprintf(w, "       since %s, %s", minute(m.Queued), tried(m.Attempts))
	if m.Failed.IsZero() && m.Attempts > 0 {
		fmt.Fprintf(w, ", next after %s", minute(m.Next))
	} else if !m.Failed.IsZero() {
		fmt.Fprintf(w, ", given up at %s", minute(m.Failed))
	}
	fmt.Fprintln(w)
	if m.LastError != "" {
		fmt.Fprintf(w, "       last error: %s\n", m.LastError)
	}
}

func minute(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 UTC") }

func tried(n int) string {
	switch n {
	case 0:
		return "not tried yet"
	case 1:
		return "tried once"
	}
	return fmt.Sprintf("tried %d times", n)
}

// export writes what waits into dir, which is made if it is not there.
func (h house) export(w io.Writer, dir string) error {
	waiting, _, err := h.outbox()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	for _, m := range waiting {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.eml", m.ID)), m.Data, 0o600); err != nil {
			return err
		}
	}
	fmt.Fprintln(w, sentence(len(waiting), "was", "were", "written to "+dir))
	return nil
}

// flush sends what waits and tells what became of each mail. The error says that not all were
// sent.
func (h house) flush(ctx context.Context, w io.Writer) error {
	before, failedBefore, err := h.outbox()
	if err != nil {
		return err
	}
	sendErr := h.daemon.Flush(ctx)
	waiting, failed, err := h.outbox()
	if err != nil {
		return errors.Join(sendErr, err)
	}
	left := map[uint64]store.Outgoing{}
	for _, m := range append(waiting, failed...) {
		left[m.ID] = m
	}
	sent := 0
	for _, m := range before {
		now, ok := left[m.ID]
		result := "sent"
		switch {
		case !ok:
			sent++
		case !now.Failed.IsZero():
			result = "given up: " + now.LastError
		case now.Attempts > m.Attempts:
			result = "not taken yet: " + now.LastError
		default:
			result = "not tried"
		}
		fmt.Fprintf(w, "%5d  %s  %s\n", m.ID, m.To, result)
	}
	report := []string{sentence(sent, "was", "were", "sent")}
	if n := len(failed) - len(failedBefore); n > 0 {
		report = append(report, sentence(n, "was", "were", "given up"))
	}
	if n := len(waiting); n > 0 {
		report = append(report, sentence(n, "waits", "wait", "still"))
	}
	fmt.Fprintln(w, strings.Join(report, " "))
	switch {
	case sendErr != nil:
		return sendErr
	case sent < len(before):
		return errors.New("not all mails were sent")
	}
	return nil
}
