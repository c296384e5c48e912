package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"pbem/internal/localmail"
	"pbem/mailer/imapbox"
	"pbem/mailer/smtpout"
	"pbem/notation"
	"pbem/rules"
	"pbem/service"
	"pbem/store"
)

// demoGame is the game that the demo plays, in Hodges notation.
//
//go:embed demo.game
var demoGame string

const (
	demoDomain   = "example.org"
	demoService  = "shogi@" + demoDomain
	demoPassword = "demo"
)

// runDemo plays a whole game by mail on servers inside this process.
func runDemo(ctx context.Context, e env) int {
	flags := e.flagSet("[--keep | --moves FILE]",
		"Plays a whole game by mail between two players, on mail servers inside this process.")
	keep := flags.Bool("keep", false, "leave the servers up and let a mail client play")
	file := flags.String("moves", "", "play the game record in this `FILE` instead")
	if code, ok := e.parse(flags, 0); !ok {
		return code
	}
	text := demoGame
	if *file != "" {
		b, err := os.ReadFile(*file)
		if err != nil {
			return e.fail(err)
		}
		text = string(b)
	}
	record, err := readGame(text)
	if err != nil {
		return e.fail(err)
	}
	if *keep {
		record = nil
	}
	if err := demo(ctx, e.stdout, record); err != nil && !(*keep && errors.Is(err, context.Canceled)) {
		return e.fail(err)
	}
	return done
}

// readGame reads the moves of a record of a game of shogi.
func readGame(text string) ([]rules.Move, error) {
	f := notation.Detect([]byte(text))
	r, err := notation.ReadRecord(f, rules.Shogi(), []byte(text))
	if err != nil {
		return nil, fmt.Errorf("read game: %w", err)
	}
	moves := make([]rules.Move, len(r.Moves))
	for i, p := range r.Moves {
		moves[i] = p.Move
	}
	if r.Start != rules.Shogi().Start() || len(moves) == 0 {
		return nil, errors.New("read game: the demo plays even games of shogi with at least one move")
	}
	return moves, nil
}

// demo starts the servers, the daemon and two players. With no record the
// players are left to mail clients, and the partner of each answers legal
// moves until ctx ends.
func demo(ctx context.Context, out io.Writer, record []rules.Move) error {
	begun := time.Now()
	dir, err := os.MkdirTemp("", "pbem-demo-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	servers, err := localmail.Start(localmail.Options{Domain: demoDomain})
	if err != nil {
		return fmt.Errorf("start the mail servers: %w", err)
	}
	defer servers.Close()
	for _, user := range []string{demoService, "hana@" + demoDomain, "marco@" + demoDomain} {
		servers.AddUser(user, demoPassword)
	}
	st, err := store.Open(filepath.Join(dir, "pbem.db"), store.Options{})
	if err != nil {
		return err
	}
	defer st.Close()

	ctx, stop := context.WithCancel(ctx)
	defer stop()
	running := serveDemo(ctx, servers, st)
	fmt.Fprintf(out, "Mail servers on this machine: IMAP %s, SMTP %s. The daemon reads %s.\n\n",
		servers.IMAPAddr(), servers.SMTPAddr(), demoService)
	t := newTable(ctx, servers, out, record)
	defer t.close()
	if record == nil {
		t.printAccounts()
	}
	if err := t.begin(); err != nil {
		return err
	}
	err = t.wait()
	stop()
	if e := <-running; err == nil && e != nil && !errors.Is(e, context.Canceled) {
		err = e
	}
	if err != nil {
		return err
	}
	t.printEnd(time.Since(begun))
	return nil
}

// serveDemo runs the daemon as serve does, on the demo's servers.
func serveDemo(ctx context.Context, servers *localmail.Server, st *store.Store) <-chan error {
	set := service.Settings{
		Address: demoService, Name: "Shogi by mail", PlusAddressing: true, Secrets: [][]byte{[]byte(newID() + newID())},
		MaxMessage: 1 << 20, MessagesPerHour: 1000, AnswersPerHour: 1000, GamesPerPlayer: 16,
		ChallengeExpires: 14 * 24 * time.Hour, ConfirmExpires: 72 * time.Hour, RemindAfter: 72 * time.Hour,
	}
	log := slog.New(slog.DiscardHandler)
	d := newDaemon(st, set, smtpout.Config{
		Addr: servers.SMTPAddr(), Security: smtpout.SecurityNone, User: demoService, Password: demoPassword, Log: log,
	}, log)
	done := make(chan error, 1)
	go func() {
		watched := make(chan error, 1)
		go func() { watched <- imapbox.Watch(ctx, mailboxOf(servers, demoService), d) }()
		err := d.Run(ctx)
		<-watched
		done <- err
	}()
	return done
}

func mailboxOf(servers *localmail.Server, user string) imapbox.Config {
	return imapbox.Config{Addr: servers.IMAPAddr(), Security: imapbox.SecurityNone, User: user, Password: demoPassword}
}
