package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"pbem/config"
	"pbem/mailer"
	"pbem/mailer/imapbox"
	"pbem/store"
)

const deliverAbout = `Handles one message, which it reads from stdin, as if it had come by mail, and puts what is
answered in the outbox. It uses no network: pbem outbox shows and sends the answers. A mail
server may call it for each mail (as a pipe), or you, to try a message out. For Postfix, in
master.cf:

  pbem unix - n n - 1 pipe user=pbem argv=/usr/local/bin/pbem deliver
    --config /var/lib/pbem/config.toml --from ${sender} --to ${original_recipient}

Reminders and whatever else hangs on time need pbem serve.

Postfix and Exim tell the envelope in the variables SENDER and RECIPIENT; --from and --to go
before them. Without either, the header of the message alone counts.

While pbem serve is running, it alone may use the database: let mail come to it by LMTP instead
(lmtp.listen in the settings).

Exit code: 0 the message is in the database for good, handled or set aside; 75 anything else,
also a command line that makes no sense: the mail server then keeps the mail and tries again.`

// tempFail tells a mail server to keep the mail and to try again (EX_TEMPFAIL of sysexits.h).
// Any other code would make it send the mail back.
const tempFail = 75

// runDeliver handles one message.
func runDeliver(ctx context.Context, e env) int {
	if err := e.deliver(ctx); err != nil {
		e.fail(err)
		return tempFail
	}
	return done
}

// list is a flag that may be given more than once.
type list []string

func (l *list) String() string { return strings.Join(*l, ", ") }
func (l *list) Set(s string) error {
	*l = append(*l, s)
	return nil
}

func (e env) deliver(ctx context.Context) error {
	var to list
	flags := e.flagSet("[--from ADDRESS] [--to ADDRESS ...] [--quiet] [--config PATH] < message.eml", deliverAbout)
	path := e.configFlag(flags)
	from := flags.String("from", e.getenv("SENDER"), "sender of the envelope, an `ADDRESS`; \"<>\" if there is none, as in a bounce")
	flags.Var(&to, "to", "recipient of the envelope, an `ADDRESS`; may be given more than once")
	wait := flags.Duration("wait", 10*time.Second, "how long to wait while another pbem deliver uses the database, a `DURATION`")
	quiet := flags.Bool("quiet", false, "do not say what came of it")
	if code, ok := e.parse(flags, 0); !ok {
		if code == done {
			return nil
		}
		return errors.New("the mail is left with the mail server")
	}
	if len(to) == 0 {
		to = e.recipients()
	}
	c, err := e.loadConfig(*path, config.LoadOffline)
	if err != nil {
		return err
	}
	raw, err := readMessage(e.stdin)
	if err != nil {
		return err
	}
	log := e.logger(c)
	h, err := openHouse(c, *wait, log)
	if errors.Is(err, store.ErrLocked) {
		return fmt.Errorf("%w\nWhile it runs, let mail come to it by LMTP: set lmtp.listen in %s", err, c.File)
	} else if err != nil {
		return err
	}
	defer h.close()
	before, err := h.counts()
	if err != nil {
		return err
	}
	if err := h.deliver(ctx, envelopeSender(*from, raw), to, raw, int64(c.Limits.MaxMessage)); err != nil {
		return err
	}
	after, err := h.counts()
	if err == nil && !*quiet {
		fmt.Fprintln(e.stdout, before.became(after))
	}
	return nil // What is in the database is not to come again.
}

// recipients are those of the envelope, as mail servers tell them.
func (e env) recipients() []string {
	for _, variable := range []string{"ORIGINAL_RECIPIENT", "RECIPIENT"} {
		if addr := e.getenv(variable); addr != "" {
			return []string{addr}
		}
	}
	return nil
}

// envelopeSender returns who the envelope says the mail is from, empty for the null sender. If
// nobody told, it is the author.
func envelopeSender(told string, raw []byte) string {
	switch {
	case told == "<>", strings.EqualFold(told, "MAILER-DAEMON"): // Postfix calls it so.
		return ""
	case told != "":
		return strings.Trim(told, "<>")
	}
	m, err := mailer.Parse(raw, mailer.ParseOptions{})
	if err != nil {
		return ""
	}
	return m.From.Addr
}

// readMessage reads a message; one without anything in it is a mistake of whoever called us.
func readMessage(r io.Reader) ([]byte, error) {
	const most = 256 << 20 // no mail is that large; memory is not endless
	raw, err := io.ReadAll(io.LimitReader(r, most+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("read the message from stdin: %w", err)
	case len(bytes.TrimSpace(raw)) == 0:
		return nil, errors.New("no message came on stdin; write pbem deliver < message.eml")
	case len(raw) > most:
		return nil, errors.New("the message on stdin is larger than 256 MiB")
	}
	return raw, nil
}

// deliver handles one message. Of one that is too large only the header is looked at, as if it
// had come by IMAP, so that its sender is told.
func (h house) deliver(ctx context.Context, from string, to []string, raw []byte, most int64) error {
	if int64(len(raw)) <= most {
		return h.daemon.Deliver(ctx, from, to, raw)
	}
	header := raw
	for _, end := range []string{"\r\n\r\n", "\n\n"} {
		if i := bytes.Index(header, []byte(end)); i >= 0 {
			header = header[:i+len(end)]
		}
	}
	return h.daemon.Receive(ctx, []imapbox.Fetched{{
		Arrived: time.Now(), Size: int64(len(raw)), Raw: header[:min(len(header), 64<<10)], TooLarge: true,
	}})
}

// counts is what a message may add to.
type counts struct {
	waiting int // mails in the outbox
	aside   int // messages in quarantine
}

func (h house) counts() (c counts, err error) {
	err = h.store.View(func(tx *store.Tx) error {
		mails, err := tx.Waiting()
		if err != nil {
			return err
		}
		c.waiting = len(mails)
		aside, err := tx.Quarantine()
		c.aside = len(aside)
		return err
	})
	return c, err
}

// became says what a message has changed.
func (c counts) became(now counts) string {
	text := "No mail was written in answer"
	switch n := now.waiting - c.waiting; {
	case now.aside > c.aside:
		text = "The message could not be handled and is set aside"
	case n == 1:
		text = "1 mail was written in answer"
	case n > 1:
		text = fmt.Sprintf("%d mails were written in answer", n)
	}
	return text + ". " + sentence(now.waiting, "waits", "wait", "in the outbox")
}
