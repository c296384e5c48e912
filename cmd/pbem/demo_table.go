package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"time"

	"pbem/internal/localmail"
	"pbem/mailer/imapbox"
	"pbem/notation"
	"pbem/rules"
)

// table is where the two players of the demo sit: it reads their mail and
// answers it for them.
type table struct {
	ctx     context.Context // of the whole demo
	servers *localmail.Server
	out     io.Writer
	texts   []string // the moves to play, as typed
	mails   chan letterIn
	stop    context.CancelFunc
	readers sync.WaitGroup

	welcome map[string]letterIn
	human   bool // somebody plays from a mail client
	count   int  // mails received
	sent    int  // mails written by the players
	plies   int
	last    letterIn
	ended   map[string]bool
}

const hana, marco = "hana@" + demoDomain, "marco@" + demoDomain

func newTable(ctx context.Context, servers *localmail.Server, out io.Writer, record []rules.Move) *table {
	ctx, stop := context.WithCancel(ctx)
	t := &table{ctx: ctx, stop: stop, servers: servers, out: out, mails: make(chan letterIn),
		welcome: map[string]letterIn{}, ended: map[string]bool{}, human: record == nil}
	p := rules.Shogi().Start()
	for _, m := range record {
		t.texts = append(t.texts, notation.Hodges(p, m))
		p, _ = p.Play(m) // legal: readGame has played it
	}
	for _, who := range []string{hana, marco} {
		t.readers.Go(func() { imapbox.Watch(ctx, mailboxOf(servers, who), &reader{player: who, mails: t.mails}) })
	}
	return t
}

func (t *table) close() {
	t.stop()
	t.readers.Wait()
}

// begin lets both write their first mail.
func (t *table) begin() error {
	for _, who := range []string{hana, marco} {
		if err := t.write(who, "join "+name(who)); err != nil {
			return err
		}
	}
	return nil
}

func name(addr string) string {
	n, _, _ := strings.Cut(addr, "@")
	return n
}

// write sends a mail that answers nothing.
func (t *table) write(from, text string) error {
	raw, err := compose(from, demoService, text, text+"\n", "", nil)
	if err != nil {
		return err
	}
	t.sent++
	fmt.Fprintf(t.out, "  %-6s → shogi  %s\n", name(from), text)
	return send(t.ctx, t.servers.SMTPAddr(), from, demoService, raw)
}

// answer replies to a mail.
func (t *table) answer(l letterIn, text string) error {
	raw, to, err := l.reply(text)
	if err != nil {
		return err
	}
	t.sent++
	return send(t.ctx, t.servers.SMTPAddr(), l.player, to, raw)
}

// patience is how long the demo waits for the next mail before it says that
// something is wrong.
const patience = 30 * time.Second

// wait answers mails until the game is over for both.
func (t *table) wait() error {
	for len(t.ended) < 2 {
		var late <-chan time.Time
		if !t.human {
			late = time.After(patience)
		}
		select {
		case l := <-t.mails:
			t.count++
			t.last = l
			if err := t.read(l); err != nil {
				return err
			}
		case <-t.ctx.Done():
			return t.ctx.Err()
		case <-late:
			return fmt.Errorf("no mail has come for %s; the last one was %q to %s", patience, t.last.subject, t.last.player)
		}
	}
	return nil
}

// read does what the player would do with the mail.
func (t *table) read(l letterIn) error {
	t.show(l)
	switch {
	case strings.Contains(l.subject, "is this from you"):
		return t.answer(l, "yes")
	case strings.Contains(l.subject, "welcome"):
		t.welcome[l.player] = l
		if len(t.welcome) == 2 {
			return t.answer(t.welcome[hana], "challenge marco as black")
		}
	case strings.Contains(l.subject, "challenges you"):
		return t.answer(l, "accept")
	case strings.Contains(l.text, "The game is over"):
		t.ended[l.player] = true
	case strings.Contains(l.text, "Your move?"):
		return t.move(l)
	}
	return nil
}

// move answers with the next move of the record; a partner without a record
// answers the move that the mail itself gives as an example.
func (t *table) move(l letterIn) error {
	ply, err := plyOf(l.replyTo)
	if err != nil {
		return err
	}
	t.plies = ply + 1
	if t.human {
		if l.player == hana { // hana's side is left to the mail client
			return nil
		}
		_, rest, _ := strings.Cut(l.text, "Reply with a move such as ")
		text, _, _ := strings.Cut(rest, "\n")
		return t.answer(l, strings.TrimSuffix(text, "."))
	}
	if ply >= len(t.texts) { // the record ends before mate: its loser resigns
		return t.answer(l, "resign")
	}
	return t.answer(l, t.texts[ply])
}

// plyOf returns the ply that a Reply-To address names.
func plyOf(addr string) (int, error) {
	parts := strings.Split(addr, "-")
	if len(parts) < 3 {
		return 0, errors.New("no token in " + addr)
	}
	return strconv.Atoi(parts[1])
}

// show prints a mail: the first of each kind whole, the others as a line.
func (t *table) show(l letterIn) {
	fmt.Fprintf(t.out, "  shogi  → %-6s %s\n", name(l.player), l.subject)
	switch {
	case strings.Contains(l.subject, "challenges you"), strings.Contains(l.subject, "your move") && t.plies <= 1,
		strings.Contains(l.text, "The game is over") && len(t.ended) == 0:
		fmt.Fprintf(t.out, "\n%s\n", indented(l.text))
	}
	if t.plies > 0 && t.plies%20 == 0 && strings.Contains(l.text, "Your move?") {
		fmt.Fprintf(t.out, "  -- %d plies played, %d mails so far\n", t.plies, t.count+t.sent)
	}
}

func indented(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString("    | " + line)
	}
	return b.String()
}

// printAccounts tells how a mail client takes over a side.
func (t *table) printAccounts() {
	fmt.Fprintf(t.out, "Set up either account in a mail client (no encryption, password %q):\n\n", demoPassword)
	for _, who := range []string{hana, marco} {
		fmt.Fprintf(t.out, "  %s  user %s  IMAP %s  SMTP %s\n", name(who), who, t.servers.IMAPAddr(), t.servers.SMTPAddr())
	}
	fmt.Fprint(t.out, "\nhana is yours; marco answers with a legal move. Stop with Ctrl-C.\n\n")
}

// printEnd closes the demo with its figures.
func (t *table) printEnd(took time.Duration) {
	fmt.Fprintf(t.out, "\n%d mails (%d written by the players, %d received), %d moves, %.1f seconds\n",
		t.count+t.sent, t.sent, t.count, t.plies, took.Seconds())
}
