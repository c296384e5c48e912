package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"pbem/config"
	"pbem/internal/control"
	"pbem/store"
)

const statusAbout = `Counts players, games and mails, and lists the limits that were reached in the last day, by whom
and how often; of addresses only so much is shown that they can be told apart. While pbem serve
runs, it is asked.

Exit code: 0 done, 1 it could not be done, 2 this command line makes no sense.`

// runStatus says how the service fares.
func runStatus(ctx context.Context, e env) int {
	flags := e.flagSet("[--config PATH]", statusAbout)
	path := e.configFlag(flags)
	if code, ok := e.parse(flags, 0); !ok {
		return code
	}
	c, err := e.loadConfig(*path, config.LoadOffline)
	if err != nil {
		return e.fail(err)
	}
	resp, err := control.Ask(ctx, control.Path(c.Service.Database), http.MethodGet, "/status")
	switch {
	case err == nil:
		_, err = io.Copy(e.stdout, resp.Body)
		resp.Body.Close()
	case errors.Is(err, control.ErrNobody):
		var h house
		if h, err = openHouse(c, 0, e.logger(c)); err != nil {
			return e.fail(err)
		}
		defer h.close()
		if err = h.status(e.stdout, time.Now()); err == nil {
			fmt.Fprintln(e.stdout, "\npbem serve is not running.")
		}
	}
	if err != nil {
		return e.fail(err)
	}
	return done
}

// answerStatus is the service's side of it.
func answerStatus(w http.ResponseWriter, h house) {
	var text bytes.Buffer
	if err := h.status(&text, time.Now()); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	control.Patient(w).Write(text.Bytes()) // Whoever asked sees if it fails.
}

// status prints counts, and what was over a limit in the day before now.
func (h house) status(w io.Writer, now time.Time) error {
	var (
		n        store.Counts
		excesses []store.Excess
	)
	err := h.store.View(func(tx *store.Tx) (err error) {
		if n, err = tx.Counts(); err != nil {
			return err
		}
		excesses, err = tx.Excesses(now.Add(-store.TrafficWindow))
		return err
	})
	if err != nil {
		return err
	}
	for _, row := range []struct {
		n    int
		what string
	}{
		{n.Players, "players"}, {n.OutOfReach, "of them out of reach: mail to them comes back"},
		{n.Running, "games running"}, {n.Ended, "games ended"}, {n.Challenges, "challenges open"},
		{n.Held, "messages wait to be confirmed"},
		{n.Waiting, "mails wait in the outbox"}, {n.GivenUp, "mails given up"},
		{n.SetAside, "messages set aside"},
	} {
		fmt.Fprintf(w, "%7d  %s\n", row.n, row.what)
	}
	if len(excesses) == 0 {
		fmt.Fprintln(w, "\nNo limit was reached in the last day.")
		return nil
	}
	fmt.Fprintln(w, "\nLimits reached in the last day:")
	for _, x := range excesses {
		fmt.Fprintf(w, "%7d  %-22s  %s  last %s\n", x.Count, x.Limit, masked(x.Address), minute(x.Last))
	}
	return nil
}

// masked shows so much of an address that it can be told from others: the
// first character of its local part, and of its domain with the last label.
func masked(address string) string {
	local, domain, _ := strings.Cut(address, "@")
	return printable(first(local) + "…@" + first(domain) + "…" + domain[strings.LastIndexByte(domain, '.')+1:])
}

func first(s string) string {
	_, size := utf8.DecodeRuneInString(s)
	return s[:size]
}
