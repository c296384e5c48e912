package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"pbem/config"
	"pbem/game"
	"pbem/internal/control"
	"pbem/store"
)

const quarantineAbout = `Looks after messages that could not be handled and were set aside. N is the number that list
gives. While pbem serve runs, it is asked to do it.

  list      one line a message
  show N    why it was set aside, and the message as it came
  retry N   handle it once more, as of the time it arrived; it stays if that fails again
  drop N    forget it

Exit code: 0 done, 1 it could not be done, 2 this command line makes no sense.`

// runQuarantine lists, shows, retries or drops messages that were set aside.
func runQuarantine(ctx context.Context, e env) int {
	flags := e.flagSet("[--config PATH] list | show N | retry N | drop N", quarantineAbout)
	path := e.configFlag(flags)
	if code, ok := e.parse(flags, 2); !ok {
		return code
	}
	order, err := parseOrder(flags.Args())
	if err != nil {
		return e.misused("quarantine: "+err.Error(), "pbem help quarantine")
	}
	c, err := e.loadConfig(*path, config.LoadOffline)
	if err != nil {
		return e.fail(err)
	}
	err = order.ask(ctx, e.stdout, control.Path(c.Service.Database))
	if errors.Is(err, control.ErrNobody) {
		var h house
		if h, err = openHouse(c, 0, e.logger(c)); err != nil {
			return e.fail(err)
		}
		defer h.close()
		err = order.do(ctx, e.stdout, h)
	}
	if err != nil {
		return e.fail(err)
	}
	return done
}

// order is what is to be done with the quarantine.
type order struct {
	verb string
	id   uint64 // 0 for list
}

func parseOrder(args []string) (order, error) {
	if len(args) == 0 {
		return order{}, errors.New("list, show, retry or drop?")
	}
	o := order{verb: args[0]}
	switch o.verb {
	case "list":
		if len(args) > 1 {
			return o, fmt.Errorf("what is %q for?", args[1])
		}
		return o, nil
	case "show", "retry", "drop":
	default:
		return o, fmt.Errorf("%q is none of list, show, retry, drop", o.verb)
	}
	if len(args) < 2 {
		return o, fmt.Errorf("%s which message? pbem quarantine list gives their numbers", o.verb)
	}
	id, err := strconv.ParseUint(args[1], 10, 64)
	if err != nil || id == 0 {
		return o, fmt.Errorf("%q is no number of a message", args[1])
	}
	o.id = id
	return o, nil
}

// ask lets the running service do it; [control.ErrNobody] if there is none.
func (o order) ask(ctx context.Context, w io.Writer, socket string) error {
	target := "/quarantine?verb=" + url.QueryEscape(o.verb)
	if o.id != 0 {
		target += fmt.Sprintf("&id=%d", o.id)
	}
	resp, err := control.Ask(ctx, socket, http.MethodPost, target)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	_, err = io.Copy(w, resp.Body)
	return err
}

// answerQuarantine is the service's side of ask.
func answerQuarantine(w http.ResponseWriter, r *http.Request, h house) {
	args := []string{r.FormValue("verb")}
	if id := r.FormValue("id"); id != "" {
		args = append(args, id)
	}
	o, err := parseOrder(args)
	var text bytes.Buffer
	if err == nil {
		err = o.do(r.Context(), &text, h)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusUnprocessableEntity)
		return
	}
	control.Patient(w).Write(text.Bytes()) // Whoever asked sees if it fails.
}

// do does it.
func (o order) do(ctx context.Context, w io.Writer, h house) error {
	var err error
	switch o.verb {
	case "list":
		err = h.store.View(func(tx *store.Tx) error { return listSetAside(tx, w) })
	case "show":
		err = h.store.View(func(tx *store.Tx) error { return showSetAside(tx, w, o.id) })
	case "retry":
		if err = h.daemon.Retry(ctx, o.id); err == nil {
			fmt.Fprintf(w, "message %d is handled\n", o.id)
		}
	case "drop":
		err = h.store.Update(func(tx *store.Tx) error {
			if _, err := tx.SetAsideMessage(o.id); err != nil {
				return err
			}
			return tx.DropSetAside(o.id)
		})
		if err == nil {
			fmt.Fprintf(w, "message %d is dropped\n", o.id)
		}
	}
	switch {
	case errors.Is(err, game.ErrNotFound):
		return fmt.Errorf("there is no message %d in quarantine", o.id)
	case err != nil && o.verb == "retry":
		return fmt.Errorf("message %d stays in quarantine: %w", o.id, err)
	}
	return err
}

func listSetAside(tx *store.Tx, w io.Writer) error {
	list, err := tx.Quarantine()
	if err != nil {
		return err
	}
	if len(list) == 0 {
		fmt.Fprintln(w, "No message is set aside.")
	}
	for _, m := range list {
		why, _, _ := strings.Cut(m.Cause, "\n")
		fmt.Fprintf(w, "%5d  %s  %6d bytes  %s  %s\n", m.ID, minute(m.At), m.Size, origin(m), printable(why))
	}
	return nil
}

// origin says where a message came from.
func origin(m store.SetAside) string {
	if m.Mailbox == "" {
		return "delivered"
	}
	return fmt.Sprintf("%s/%d", m.Mailbox, m.UID)
}

func showSetAside(tx *store.Tx, w io.Writer, id uint64) error {
	m, err := tx.SetAsideMessage(id)
	if err != nil {
		return err
	}
	raw, err := tx.SetAsideRaw(id)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "Message %d, %s, arrived %s.\nSet aside %s, %s:\n%s\n\n",
		m.ID, origin(m), minute(m.Arrived), minute(m.At), tried(m.Attempts), printable(m.Cause))
	_, err = io.WriteString(w, printable(string(raw)))
	return err
}

// printable takes out what a terminal would obey: the message was written by anybody.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\r':
			return -1
		case r == '\n', r == '\t':
			return r
		case r < ' ', r >= 0x7f && r < 0xa0:
			return '\ufffd'
		}
		return r
	}, strings.ToValidUTF8(text, "\ufffd"))
}
