package main

import (
	"bytes"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"time"

	"pbem/internal/realmail"
)

// troubledPost is the way of the players' mails, with all that may happen to
// mail on its way. It is used by one goroutine.
type troubledPost struct {
	t     *testing.T
	s     *realmail.Servers
	rng   *rand.Rand
	count int    // mails handed over
	late  []late // copies under way

	copies, again int // mails that came late once more: the same mail, or sent anew
}

// late is a mail that arrives once so many others have been handed over.
type late struct {
	after   int
	from    string
	to      []string
	message []byte
}

var messageIDField = regexp.MustCompile(`(?im)^Message-Id: <`)

// send hands a mail over. Of every second one a copy comes late, behind mails
// that were written after it; or it is one that the player has sent anew, with
// a Message-ID of its own.
func (p *troubledPost) send(from string, to []string, message []byte) error {
	p.trouble()
	p.count++
	if err := p.s.Send(from, to, message); err != nil {
		return err
	}
	switch p.rng.IntN(4) {
	case 0:
		p.copies++
		p.late = append(p.late, late{p.count + 1 + p.rng.IntN(5), from, to, message})
	case 1:
		if strings.Contains(to[0], "+p") { // the challenge: one sent anew is a second game, rightly
			break
		}
		p.again++
		anew := messageIDField.ReplaceAll(message, []byte("Message-Id: <again."))
		if bytes.Equal(anew, message) {
			p.t.Errorf("no Message-ID in\n%s", message)
		}
		p.late = append(p.late, late{p.count + 1 + p.rng.IntN(5), from, to, anew})
	}
	return p.deliver(p.count)
}

// deliver hands over the copies that are due, the latest first.
func (p *troubledPost) deliver(count int) error {
	var wait []late
	for i := len(p.late) - 1; i >= 0; i-- {
		l := p.late[i]
		if l.after > count {
			wait = append([]late{l}, wait...)
			continue
		}
		if err := p.s.Send(l.from, l.to, l.message); err != nil {
			return err
		}
	}
	p.late = wait
	return nil
}

// trouble strikes before some of the mails.
func (p *troubledPost) trouble() {
	service := "shogi@" + p.s.Domain
	var err error
	switch p.count {
	case 30: // the connection stands, and the server says nothing any more
		err = p.s.Freeze(service)
	case 60: // the server breaks all connections, once
		err = p.s.Kick(service)
	case 80: // no server for a while; Postfix keeps the mail
		if err = p.s.StopIMAP(); err == nil {
			time.AfterFunc(3*time.Second, func() {
				if err := p.s.StartIMAP(); err != nil {
					p.t.Error(err)
				}
			})
		}
	case 95: // the mailbox is read from its start: all of it is known
		if err = p.s.SetUIDValidity(service, 7); err == nil {
			err = p.s.Kick(service)
		}
	}
	if err != nil {
		p.t.Errorf("trouble before mail %d: %v", p.count, err)
	}
}

// TestRealGameTrouble plays the game while mails come late, twice and out of
// order, a connection freezes, another breaks, Dovecot is away for a while,
// and the mailbox gets another UIDVALIDITY.
func TestRealGameTrouble(t *testing.T) {
	t.Parallel()
	s := realmail.Start(t, realmail.Options{})
	d := buildDaemon(t, s, "tls", `poll = "200ms"`)
	g := newRealGame(t, s)
	showLog(t, d)
	post := &troubledPost{t: t, s: s, rng: rand.New(rand.NewPCG(2, seed(t)))}
	g.send = post.send
	if err := d.start(); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	g.play()
	t.Logf("%d plies in %.1f s; %d mails came again, %d were sent anew", len(g.moves), time.Since(began).Seconds(), post.copies, post.again)
	if err := post.deliver(1 << 30); err != nil {
		t.Error(err)
	}
	g.write(g.people[0], "games") // all is well still: she is asked whether it is from her
	g.readUntil(func() bool { return strings.Contains(g.last, "is this from you") })
	if err := d.stop(); err != nil {
		t.Errorf("serve after SIGTERM: %v", err)
	}
	if text := g.missing(); text != "" {
		t.Error(text)
	}
	checkDatabase(t, d.database, 1, g.moves)
	for _, words := range []string{"by=content", "mailbox connection ended", "mailbox is read from its start"} {
		if !strings.Contains(d.log.String(), words) {
			t.Errorf("the log does not tell of %q", words)
		}
	}
}
