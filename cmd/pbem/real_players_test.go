package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"

	"pbem/internal/realmail"
	"pbem/notation"
	"pbem/rules"
)

// realPatience is how long a mail may take before the test says that it is
// lost. Half a second is usual; the rest is for a busy machine.
const realPatience = 60 * time.Second

// person is a player with a mailbox on the real servers.
type person struct {
	name, addr string
	mails      map[string]string // by Message-ID: the mail below the transport headers
	order      []string          // of the Message-IDs, as they came
	copies     int               // of mails that had come before
	played     map[int]bool      // plies: nobody makes the same move twice
	ended      bool              // has read how the game ended
}

// incoming is a mail in a player's mailbox.
type incoming struct {
	to  *person
	raw string
}

// realGame is the game of two people who only read and answer mail.
type realGame struct {
	t       *testing.T
	servers *realmail.Servers
	address string   // of the service
	texts   []string // the moves, as typed
	moves   []rules.Move
	people  [2]*person // Black and White
	welcome [2]letterIn
	token   string // what the Message-IDs of the game begin with, such as g1; empty before it begins
	news    chan incoming
	last    string // subject of the mail read last

	// send is how a player's mail leaves; Postfix takes it at once unless a
	// test puts trouble in between.
	send func(from string, to []string, message []byte) error
}

// newRealGame seats hana and marco, or two of other names.
func newRealGame(t *testing.T, s *realmail.Servers, names ...string) *realGame {
	t.Helper()
	if len(names) == 0 {
		names = []string{"hana", "marco"}
	}
	g := &realGame{t: t, servers: s, address: "shogi@" + s.Domain, news: make(chan incoming), send: s.Send}
	for i, name := range names {
		g.people[i] = &person{name: name, addr: name + "@" + s.Domain, mails: map[string]string{}, played: map[int]bool{}}
	}
	moves, _, err := readGame(demoGame)
	if err != nil {
		t.Fatal(err)
	}
	g.moves = moves
	p := rules.Shogi().Start()
	for _, m := range moves {
		g.texts = append(g.texts, notation.Hodges(p, m))
		p, _ = p.Play(m) // legal: readGame has played it
	}
	return g
}

// play lets both join and then answer mails until both know how the game ended
// and have got every mail of it. They read on until the test ends.
func (g *realGame) play() {
	g.t.Helper()
	for _, p := range g.people {
		go g.watch(g.t.Context(), p)
		g.write(p, "join "+p.name)
	}
	g.readUntil(func() bool { return g.people[0].ended && g.people[1].ended && g.missing() == "" })
}

// readUntil reads and answers mails until done says so.
func (g *realGame) readUntil(done func() bool) {
	g.t.Helper()
	for !done() {
		select {
		case in := <-g.news:
			g.take(in)
		case <-time.After(realPatience):
			g.t.Fatalf("no mail came for %v; the last one was %q. Missing:\n%s", realPatience, g.last, g.missing())
		}
	}
}

// take reads a mail and does what its reader would; a copy of one that has
// come before is only compared with it.
func (g *realGame) take(in incoming) {
	g.t.Helper()
	l, err := readLetter(in.to.addr, []byte(in.raw))
	if err != nil {
		g.t.Fatalf("%v:\n%s", err, in.raw)
	}
	content := belowTransport(in.raw)
	if before, ok := in.to.mails[l.messageID]; ok {
		in.to.copies++
		if before != content {
			g.t.Errorf("the mail <%s> came twice, not the same:\n%s\n----\n%s", l.messageID, before, content)
		}
		return
	}
	in.to.mails[l.messageID] = content
	in.to.order = append(in.to.order, l.messageID)
	if parts := ofGame.FindStringSubmatch(l.messageID); parts != nil && g.token == "" {
		g.token = parts[1]
	}
	g.last = l.subject
	g.answer(in.to, l)
}

func (g *realGame) answer(p *person, l letterIn) {
	g.t.Helper()
	switch {
	case strings.Contains(l.subject, "is this from you"):
		g.reply(p, l, "yes")
	case strings.Contains(l.subject, "welcome"):
		if p == g.people[0] {
			g.welcome[0] = l
		} else {
			g.welcome[1] = l
		}
		if g.welcome[0].messageID != "" && g.welcome[1].messageID != "" {
			g.reply(g.people[0], g.welcome[0], "challenge "+g.people[1].name+" as black")
		}
	case strings.Contains(l.subject, "challenges you"):
		g.reply(p, l, "accept")
	case strings.Contains(l.text, "The game is over"):
		p.ended = true
	case strings.Contains(l.text, "Your move?"):
		ply, err := plyOf(l.replyTo)
		if err != nil || ply >= len(g.texts) {
			g.t.Fatalf("%q to %s asks for a move at ply %d, %v", l.subject, p.name, ply, err)
		}
		if !p.played[ply] {
			p.played[ply] = true
			g.reply(p, l, g.texts[ply])
		}
	}
}

// write sends a mail that answers nothing.
func (g *realGame) write(p *person, text string) {
	g.t.Helper()
	raw, err := compose(p.addr, g.address, text, text+"\n", "", nil)
	if err != nil {
		g.t.Fatal(err)
	}
	g.mail(p, g.address, raw)
}

func (g *realGame) reply(p *person, l letterIn, text string) {
	g.t.Helper()
	raw, to, err := l.reply(text)
	if err != nil {
		g.t.Fatal(err)
	}
	g.mail(p, to, raw)
}

func (g *realGame) mail(p *person, to string, raw []byte) {
	g.t.Helper()
	if err := g.send(p.addr, []string{to}, raw); err != nil {
		g.t.Fatalf("%s sends a mail: %v", p.name, err)
	}
}

// watch tells of every mail in the player's mailbox once, in the order of
// their UIDs, on one connection after the other.
func (g *realGame) watch(ctx context.Context, p *person) {
	next := imap.UID(1)
	for ctx.Err() == nil {
		c, err := g.servers.Login(p.addr, nil)
		if err == nil {
			// A broken connection is made again: what matters is what comes.
			g.follow(ctx, c, p, &next)
			c.Close()
		}
		pauseFor(ctx, 100*time.Millisecond)
	}
}

func (g *realGame) follow(ctx context.Context, c *imapclient.Client, p *person, next *imap.UID) error {
	if _, err := c.Select("INBOX", &imap.SelectOptions{ReadOnly: true}).Wait(); err != nil {
		return err
	}
	body := &imap.FetchItemBodySection{Peek: true}
	for known := uint32(0); ; {
		box := c.Mailbox()
		if box == nil { // seen in practice: the library does not always know it at once
			return errors.New("no mailbox open")
		}
		if n := box.NumMessages; n != known {
			from := imap.UIDSet{{Start: *next, Stop: 0}} // 0: * , the last one, even if below Start
			mails, err := c.Fetch(from, &imap.FetchOptions{UID: true, BodySection: []*imap.FetchItemBodySection{body}}).Collect()
			if err != nil {
				return err
			}
			for _, m := range mails {
				if m.UID < *next {
					continue
				}
				select {
				case g.news <- incoming{p, string(m.FindBodySection(body))}:
					*next = m.UID + 1
				case <-ctx.Done():
					return ctx.Err()
				}
			}
			known = n
		}
		if err := pauseFor(ctx, 50*time.Millisecond); err != nil {
			return err
		}
		// Not IDLE, whose news Dovecot keeps back for half a second.
		if err := c.Noop().Wait(); err != nil {
			return err
		}
	}
}

// pauseFor waits between two looks at something that changes by itself.
func pauseFor(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// missing tells which mails of the game a player has not got: of each ply one,
// the board before the first move included. Empty if none.
func (g *realGame) missing() string {
	var b strings.Builder
	if g.token == "" {
		return "no mail of the game came\n"
	}
	for _, p := range g.people {
		has := map[string]int{}
		for id := range p.mails {
			has[about(id)]++
		}
		for ply := range len(g.texts) + 1 {
			if token := fmt.Sprintf("%s-%d", g.token, ply); has[token] == 0 {
				fmt.Fprintf(&b, "%s lacks the mail of %s\n", p.name, token)
			}
		}
	}
	return b.String()
}

// ofGame are the Message-IDs of mails about a game.
var ofGame = regexp.MustCompile(`^(g[0-9]+)-[0-9]+-`)

// about is what a Message-ID of the service's says that the mail is about.
func about(messageID string) string {
	parts := strings.SplitN(messageID, "-", 3)
	return strings.Join(parts[:min(2, len(parts))], "-")
}

// belowTransport cuts off what servers have put on top of a mail.
func belowTransport(raw string) string {
	for {
		line, rest, _ := strings.Cut(raw, "\n")
		name, _, _ := strings.Cut(line, ":")
		switch strings.ToLower(name) {
		case "return-path", "delivered-to", "received":
		default:
			return raw
		}
		for strings.HasPrefix(rest, " ") || strings.HasPrefix(rest, "\t") {
			_, rest, _ = strings.Cut(rest, "\n")
		}
		raw = rest
	}
}

// checkMails expects that each player got each mail once, not counting copies:
// four before the first move, one of each ply; and that the mailbox, read once
// more by other means, holds those. It counts the copies anew: some may have
// come after the player had read all he waited for.
func (g *realGame) checkMails() {
	g.t.Helper()
	for _, p := range g.people {
		count := map[string]int{}
		for id := range p.mails {
			count[about(id)]++
		}
		for ply := range len(g.texts) + 1 {
			if token := fmt.Sprintf("%s-%d", g.token, ply); count[token] != 1 {
				g.t.Errorf("%s got %d mails of %s, want 1", p.name, count[token], token)
			}
		}
		const before = 3 // the question whether the mail is from him, the welcome, the challenge
		if want := before + 1 + len(g.texts); len(p.mails) != want {
			g.t.Errorf("%s got %d mails, want %d: %s", p.name, len(p.mails), want, strings.Join(p.order, "\n"))
		}
		box, err := g.servers.Inbox(p.addr)
		if err != nil {
			g.t.Fatal(err)
		}
		held := map[string]bool{}
		for _, raw := range box {
			l, err := readLetter(p.addr, []byte(raw))
			if err != nil || p.mails[l.messageID] != belowTransport(raw) {
				g.t.Errorf("the mailbox of %s has another mail <%s>, %v:\n%s", p.name, l.messageID, err, raw)
			}
			held[l.messageID] = true
			if !bytes.Contains([]byte(raw), []byte("Return-Path: <"+g.address+">")) {
				g.t.Errorf("the envelope of a mail to %s is not from the service:\n%s", p.name, raw)
			}
		}
		if len(held) != len(p.mails) {
			g.t.Errorf("the mailbox of %s holds %d mails, not counting copies, want %d", p.name, len(held), len(p.mails))
		}
		p.copies = len(box) - len(held)
	}
}
