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

	"pbem/config"
	"pbem/internal/localmail"
	"pbem/mailer/imapbox"
	"pbem/notation"
	"pbem/rules"
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

const demoAbout = `Plays a whole game by mail between two players, hana and marco, with the real service on mail
servers inside this process. Nothing is kept, and no mail leaves this machine.

With --keep you play hana from your own mail program, and a simple partner plays marco; with
--both both are yours. The accounts are printed, and everything stays up until Ctrl-C.`

// runDemo plays a whole game by mail on servers inside this process.
func runDemo(ctx context.Context, e env) int {
	flags := e.flagSet("[--moves FILE | --keep [--both]]", demoAbout)
	keep := flags.Bool("keep", false, "leave hana, who is Black, to a mail program")
	both := flags.Bool("both", false, "with --keep: leave marco to a mail program too")
	file := flags.String("moves", "", "play the record of a game in this `FILE`: KIF, KI2, CSA, USI or plain moves")
	if code, ok := e.parse(flags, 0); !ok {
		return code
	}
	switch {
	case *keep && *file != "":
		return e.misused("demo: --keep and --moves do not go together: who plays, you or the record?", "pbem help demo")
	case *both && !*keep:
		return e.misused("demo: --both goes with --keep", "pbem help demo")
	}
	d := demo{out: e.stdout}
	switch {
	case *both:
		d.people = []string{hana, marco}
	case *keep:
		d.people = []string{hana}
	default:
		record, skipped, err := demoRecord(*file)
		if err != nil {
			return e.fail(err)
		}
		for _, s := range skipped {
			fmt.Fprintf(e.stderr, "pbem: %s: %s is not played\n", *file, s)
		}
		d.record = record
	}
	if err := d.play(ctx); err != nil && !(*keep && errors.Is(err, context.Canceled)) {
		return e.fail(err)
	}
	return done
}

// demoRecord reads the game in file, or the demo's own if file is empty, and
// says what it leaves out.
func demoRecord(file string) ([]rules.Move, []notation.Variation, error) {
	if file == "" {
		return readGame(demoGame)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, nil, err
	}
	moves, skipped, err := readGame(string(text))
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", file, err)
	}
	return moves, skipped, nil
}

// readGame reads the moves of a record of a game of shogi, and says what it
// leaves out.
func readGame(text string) ([]rules.Move, []notation.Variation, error) {
	f := notation.Detect([]byte(text))
	r, err := notation.ReadRecord(f, rules.Shogi(), []byte(text))
	if err != nil {
		return nil, nil, fmt.Errorf("read game: %w", err)
	}
	moves := make([]rules.Move, len(r.Moves))
	for i, p := range r.Moves {
		moves[i] = p.Move
	}
	if r.Start != rules.Shogi().Start() || len(moves) == 0 {
		return nil, nil, errors.New("read game: the demo plays even games of shogi with at least one move")
	}
	return moves, r.Skipped, nil
}

// demo is what is played, and by whom.
type demo struct {
	out    io.Writer
	record []rules.Move // the game; nil if a person plays
	people []string     // addresses of the players left to mail programs
}

// play starts the servers, the service and two players. A record is played to its end; people
// may play until ctx ends.
func (d demo) play(ctx context.Context) error {
	begun := time.Now()
	dir, err := os.MkdirTemp("", "pbem-demo-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	servers, err := d.startServers()
	if err != nil {
		return fmt.Errorf("start the mail servers: %w", err)
	}
	defer servers.Close()
	st, err := store.Open(filepath.Join(dir, "pbem.db"), store.Options{})
	if err != nil {
		return err
	}
	defer st.Close()

	ctx, stop := context.WithCancel(ctx)
	defer stop()
	running := serveDemo(ctx, servers, st)
	fmt.Fprintf(d.out, "Mail servers on this machine: IMAP %s, SMTP %s. The service reads %s.\n\n",
		servers.IMAPAddr(), servers.SMTPAddr(), demoService)
	t := newTable(ctx, servers, d)
	defer t.close()
	if err = t.begin(); err == nil {
		err = t.wait()
	}
	stop()
	if e := <-running; err == nil {
		err = e
	}
	if err == nil || len(d.people) > 0 {
		t.printEnd(time.Since(begun))
	}
	return err
}

// startServers starts them where a mail program found them the last time, if a person is to
// play and the ports are free; else on any ports.
func (d demo) startServers() (servers *localmail.Server, err error) {
	o := localmail.Options{Domain: demoDomain}
	if len(d.people) > 0 {
		servers, err = localmail.Start(localmail.Options{Domain: demoDomain, IMAPAddr: "127.0.0.1:1143", SMTPAddr: "127.0.0.1:1025"})
	}
	if servers == nil || err != nil {
		servers, err = localmail.Start(o)
	}
	if err != nil {
		return nil, err
	}
	for _, user := range []string{demoService, hana, marco} {
		servers.AddUser(user, demoPassword)
	}
	return servers, nil
}

// demoSettings are those of an operator, but for the servers, and for limits that two players
// who answer at once would exceed.
func demoSettings(servers *localmail.Server) config.Config {
	c := config.Default()
	c.Service.Address = demoService
	c.Limits.MessagesPerHour, c.Limits.AnswersPerHour = 1000, 1000
	password := config.NewSecret(demoPassword)
	c.IMAP.Addr, c.IMAP.Security, c.IMAP.User, c.IMAP.Password = servers.IMAPAddr(), config.None, demoService, password
	c.SMTP.Addr, c.SMTP.Security, c.SMTP.User, c.SMTP.Password = servers.SMTPAddr(), config.None, demoService, password
	return c
}

// serveDemo runs the daemon as serve does, on the demo's servers.
func serveDemo(ctx context.Context, servers *localmail.Server, st *store.Store) <-chan error {
	c, log := demoSettings(servers), slog.New(slog.DiscardHandler)
	d := newDaemon(st, c, []byte(newID()+newID()), log)
	done := make(chan error, 1)
	go func() {
		done <- runAll(ctx, []part{
			{"daemon", d.Run},
			{"IMAP", func(ctx context.Context) error { return imapbox.Watch(ctx, imapConfig(c, log), d) }},
		})
	}()
	return done
}

func mailboxOf(servers *localmail.Server, user string) imapbox.Config {
	return imapbox.Config{Addr: servers.IMAPAddr(), Security: imapbox.SecurityNone, User: user, Password: demoPassword}
}
