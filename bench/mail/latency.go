package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"pbem/daemon"
	"pbem/internal/localmail"
	"pbem/mailer/imapbox"
	"pbem/mailer/smtpout"
	"pbem/store"
)

// accepted is a mail that the SMTP server has taken, and when.
type accepted struct {
	to  string
	raw []byte
	at  time.Time
}

// serve runs the daemon on st with real connections to the servers, as pbem
// serve does, until ctx ends; each mail out is told to news once accepted.
func serve(ctx context.Context, st *store.Store, imapAddr, smtpAddr string, news chan<- accepted) (*daemon.Daemon, func()) {
	out := smtpout.Config{Addr: smtpAddr, Security: smtpout.SecurityNone, User: address, Password: password}
	d := newDaemon(st, func(ctx context.Context, batch []smtpout.Envelope, done func(smtpout.Outcome) error) error {
		byID := map[uint64]smtpout.Envelope{}
		for _, e := range batch {
			byID[e.ID] = e
		}
		return smtpout.Send(ctx, out, batch, func(o smtpout.Outcome) error {
			at := time.Now()
			err := done(o)
			if o.Status == smtpout.Accepted && news != nil {
				select {
				case news <- accepted{byID[o.ID].To, byID[o.ID].Data, at}:
				case <-ctx.Done():
				}
			}
			return err
		})
	})
	ctx, stop := context.WithCancel(ctx)
	var both sync.WaitGroup
	both.Go(func() { d.Run(ctx) })
	both.Go(func() {
		imapbox.Watch(ctx, imapbox.Config{Addr: imapAddr, Security: imapbox.SecurityNone, User: address, Password: password}, d)
	})
	return d, func() { stop(); both.Wait() }
}

// startMail starts the servers, with accounts for the service and the players.
func startMail(c *club) (*localmail.Server, error) {
	mail, err := localmail.Start(localmail.Options{Domain: domain})
	if err != nil {
		return nil, err
	}
	mail.AddUser(address, password)
	for _, addr := range c.addresses() {
		mail.AddUser(addr, password)
	}
	return mail, nil
}

// latency lays one reply after the other into the mailbox and waits for the
// two mails that come of it.
func latency(ctx context.Context, w io.Writer, path string, a amounts) error {
	st, err := store.Open(path, store.Options{})
	if err != nil {
		return err
	}
	defer st.Close()
	c, err := newClub(st, a.tables)
	if err != nil {
		return err
	}
	servers, err := startMail(c)
	if err != nil {
		return err
	}
	defer servers.Close()
	news := make(chan accepted)
	_, stop := serve(ctx, st, servers.IMAPAddr(), servers.SMTPAddr(), news)
	defer stop()

	p := &post{ctx: ctx, club: c, lay: func(raw []byte) error {
		_, err := servers.Deliver(address, raw, time.Now())
		return err
	}, news: news}
	if err := p.invite(); err != nil {
		return err
	}
	const warmup = 20
	for i := range warmup + a.timed {
		if i == warmup {
			p.receipts, p.boards = nil, nil
		}
		if err := p.play(c.tables[i%len(c.tables)]); err != nil {
			return err
		}
	}
	fmt.Fprintf(w, "\nFrom the mailbox to the answer, over loopback with IDLE, one mail at a time, fsync on\n")
	fmt.Fprintf(w, "  %d mails after %d to warm up; until the SMTP server has accepted\n", a.timed, warmup)
	fmt.Fprintf(w, "  the receipt to the mover        %s\n", spread(p.receipts))
	fmt.Fprintf(w, "  the board to the opponent       %s\n", spread(p.boards))
	return nil
}

// post is the way of mails to a service that runs and back.
type post struct {
	ctx  context.Context
	club *club
	lay  func(raw []byte) error // into the service's mailbox
	news <-chan accepted

	receipts, boards []time.Duration
}

// invite gets every table its first mail.
func (p *post) invite() error {
	for _, raw := range p.club.invite() {
		if err := p.lay(raw); err != nil {
			return err
		}
		if _, err := p.await(); err != nil {
			return err
		}
	}
	return nil
}

// play makes a move at t and waits for both mails.
func (p *post) play(t *table) error {
	mover := addressOf(t.game.Turn())
	raw, err := p.club.reply(t)
	if err != nil {
		return err
	}
	began := time.Now()
	if err := p.lay(raw); err != nil {
		return err
	}
	for range 2 {
		a, err := p.await()
		if err != nil {
			return err
		}
		took := a.at.Sub(began)
		if strings.EqualFold(a.to, mover) {
			p.receipts = append(p.receipts, took)
		} else {
			p.boards = append(p.boards, took)
		}
	}
	return nil
}

func (p *post) await() (accepted, error) {
	select {
	case a := <-p.news:
		return a, p.club.learn(a.to, a.raw)
	case <-p.ctx.Done():
		return accepted{}, p.ctx.Err()
	case <-time.After(30 * time.Second):
		return accepted{}, errors.New("no answer within 30 s")
	}
}
