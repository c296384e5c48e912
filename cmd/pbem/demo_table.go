package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
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
// answers it for them, as far as they are not people.
type table struct {
	ctx     context.Context // of the whole demo
	servers *localmail.Server
	out     io.Writer
	people  []string
	texts   []string // the moves to play, as typed
	mails   chan letterIn
	stop    context.CancelFunc
	readers sync.WaitGroup

	seated  map[string]letterIn // the welcome of each player
	count   int                 // mails received
	sent    int                 // mails written by the players, as far as we write them
	plies   int                 // moves played
	told    int                 // the last number of moves that a line told of
	started bool                // the first mail that asks for a move is shown
	ended   map[string]bool     // who has been told that the game is over
}

const hana, marco = "hana@" + demoDomain, "marco@" + demoDomain

func newTable(ctx context.Context, servers *localmail.Server, d demo) *table {
	ctx, stop := context.WithCancel(ctx)
	t := &table{ctx: ctx, stop: stop, servers: servers, out: d.out, people: d.people, mails: make(chan letterIn),
		seated: map[string]letterIn{}, ended: map[string]bool{}}
	p := rules.Shogi().Start()
	for _, m := range d.record {
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
	return sendWith(t.ctx, t.servers.SMTPAddr(), demoPassword, from, demoService, raw)
}

// answer replies to a mail.
func (t *table) answer(l letterIn, text string) error {
	raw, to, err := l.reply(text)
	if err != nil {
		return err
	}
	t.sent++
	return sendWith(t.ctx, t.servers.SMTPAddr(), demoPassword, l.player, to, raw)
}

// patience is how long the demo waits for the next mail before it says that
// something is wrong.
const patience = 30 * time.Second

// wait answers mails until the game is over for both; if people play, until
// the demo is stopped.
func (t *table) wait() error {
	var last letterIn
	for len(t.people) > 0 || len(t.ended) < 2 {
		var late <-chan time.Time
		if len(t.people) == 0 {
			late = time.After(patience)
		}
		select {
		case l := <-t.mails:
			t.count++
			last = l
			t.show(l)
			if err := t.read(l); err != nil {
				return err
			}
		case <-t.ctx.Done():
			return t.ctx.Err()
		case <-late:
			return fmt.Errorf("no mail has come for %s; the last one was %q to %s", patience, last.subject, last.player)
		}
	}
	return nil
}

// isPerson reports whether somebody plays for the player from a mail program.
func (t *table) isPerson(player string) bool { return slices.Contains(t.people, player) }

// read does what the player would do with the mail. The way to the first move
// is gone for people too.
func (t *table) read(l letterIn) error {
	_, seated := t.seated[l.player]
	switch {
	case !seated && strings.Contains(l.subject, "is this from you"):
		return t.answer(l, "yes")
	case !seated && strings.Contains(l.subject, "welcome"):
		t.seated[l.player] = l
		if len(t.seated) == 2 {
			return t.answer(t.seated[hana], "challenge marco as black")
		}
	case strings.Contains(l.subject, "challenges you") && (!t.started || !t.isPerson(l.player)):
		return t.answer(l, "accept")
	case l.over():
		t.ended[l.player] = true
		if len(t.ended) == 2 && len(t.people) > 0 {
			fmt.Fprint(t.out, "\nThe game is over. The servers stay up: write challenge marco for another one. Ctrl-C ends the demo.\n\n")
			clear(t.ended)
		}
	case l.asks():
		return t.move(l)
	}
	return nil
}

// over reports whether the mail tells of the end of the game.
func (l letterIn) over() bool { return strings.Contains(l.text, "The game is over") }

// asks reports whether the mail asks for a move.
func (l letterIn) asks() bool { return strings.Contains(l.text, example) }

const example = "Your move? Reply with a move such as "

// move answers with the next move of the record; a partner of a person, who
// has no record, with the move that the mail itself gives as an example.
func (t *table) move(l letterIn) error {
	ply, err := plyOf(l.replyTo)
	if err != nil {
		return err
	}
	t.plies = ply
	switch {
	case t.isPerson(l.player):
		return nil
	case len(t.people) > 0:
		_, rest, _ := strings.Cut(l.text, example)
		text, _, _ := strings.Cut(rest, "\n")
		return t.answer(l, strings.TrimSuffix(text, "."))
	case ply >= len(t.texts): // the record ends before mate: whose turn it is resigns
		return t.answer(l, "resign")
	}
	t.plies++
	return t.answer(l, t.texts[ply])
}

// plyOf returns the ply that a Reply-To address names.
func plyOf(addr string) (int, error) {
	_, token, _ := strings.Cut(addr, "+")
	parts := strings.Split(token, "-")
	if len(parts) < 3 {
		return 0, errors.New("no token in " + addr)
	}
	return strconv.Atoi(parts[1])
}

// show prints a mail: the first of each kind whole, the others as a line.
func (t *table) show(l letterIn) {
	fmt.Fprintf(t.out, "  shogi  → %-6s %s\n", name(l.player), l.subject)
	switch {
	case strings.Contains(l.subject, "challenges you"), l.over() && len(t.ended) == 0:
		fmt.Fprintf(t.out, "\n%s\n", indented(l.text))
	case l.asks() && !t.started:
		t.started = true
		fmt.Fprintf(t.out, "\n%s\n", indented(l.text))
		t.printAccounts()
	}
	if t.plies >= t.told+20 {
		t.told = t.plies - t.plies%20
		fmt.Fprintf(t.out, "  -- %d moves played, %d mails so far\n", t.told, t.count+t.sent)
	}
}

func indented(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString("    | " + line)
	}
	return b.String()
}

// printAccounts tells people how to take over their sides.
func (t *table) printAccounts() {
	if len(t.people) == 0 {
		return
	}
	fmt.Fprint(t.out, "It is your turn. Set up this account in your mail program, with no encryption:\n\n")
	for _, who := range t.people {
		fmt.Fprintf(t.out, "  address and user %s   password %s   IMAP %s   SMTP %s\n",
			who, demoPassword, t.servers.IMAPAddr(), t.servers.SMTPAddr())
	}
	fmt.Fprint(t.out, "\nThen reply to the mail above with a move; hana is Black and begins. ")
	if !t.isPerson(marco) {
		fmt.Fprint(t.out, "marco answers by himself. ")
	}
	fmt.Fprint(t.out, "Other words:\nmoves, board, resign, help. Ctrl-C ends the demo.\n\n")
}

// printEnd closes the demo with its figures.
func (t *table) printEnd(took time.Duration) {
	fmt.Fprintf(t.out, "\n%d mails (%d written by the players, %d received), %d moves, %.1f seconds\n",
		t.count+t.sent, t.sent, t.count, t.plies, took.Seconds())
}
