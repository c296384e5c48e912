package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	"pbem/internal/localmail"
	"pbem/store"
)

// figures are what the child finds out about itself. Bytes, as Linux counts
// them: resident is anonymous (what the program itself holds) and mapped
// (pages of the database and of the program file, which the system may drop).
type figures struct {
	Peak, Resident, Anonymous, Mapped int64
	File, Used                        int64 // of the database
	Ticks                             []time.Duration
}

// memory starts this program once more, as a service with so many games, has
// it handle mails, and prints how much memory it then has. It is a process of
// its own since this one has held much else.
func memory(ctx context.Context, w io.Writer, dir string, games int, a amounts) error {
	path := filepath.Join(dir, fmt.Sprintf("memory-%d.db", games))
	c, err := clubAt(path, games, a)
	if err != nil {
		return err
	}
	news := make(chan accepted, 4)
	servers, err := startMail(c)
	if err != nil {
		return err
	}
	defer servers.Close()
	self, err := os.Executable()
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, self, "-child", path, servers.IMAPAddr(), servers.SMTPAddr(), fmt.Sprint(a.ticks))
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	err = serveMails(ctx, servers, c, news, a.served)
	in.Close() // tells the child to measure, and to end
	var f figures
	err = errors.Join(err, json.NewDecoder(bufio.NewReader(out)).Decode(&f), cmd.Wait())
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "  %6d games: resident %.1f MiB (%.1f its own, %.1f mapped from files), %.1f at most\n", games,
		mib(f.Resident), mib(f.Anonymous), mib(f.Mapped), mib(f.Peak))
	fmt.Fprintf(w, "                database %.1f MiB, %.1f of it in use, %.1f KiB a game; idle tick %s\n",
		mib(f.File), mib(f.Used), float64(f.Used)/float64(games)/1024, spread(f.Ticks))
	return nil
}

// clubAt makes a database of so many games at path, and seats people at a.tables of them.
func clubAt(path string, games int, a amounts) (*club, error) {
	if err := fill(path, games); err != nil {
		return nil, err
	}
	st, err := store.Open(path, store.Options{})
	if err != nil {
		return nil, err
	}
	defer st.Close()
	return newClub(st, a.tables)
}

// serveMails lets the child handle n mails.
func serveMails(ctx context.Context, servers *localmail.Server, c *club, news chan accepted, n int) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	for _, addr := range c.addresses() {
		go forward(ctx, servers, addr, news)
	}
	p := &post{ctx: ctx, club: c, news: news, lay: func(raw []byte) error {
		_, err := servers.Deliver(address, raw, time.Now())
		return err
	}}
	if err := p.invite(); err != nil {
		return err
	}
	for i := range n {
		if err := p.play(c.tables[i%len(c.tables)]); err != nil {
			return err
		}
	}
	return nil
}

// forward tells news of each mail that reaches a player.
func forward(ctx context.Context, servers *localmail.Server, to string, news chan<- accepted) {
	for n := 0; ; n++ {
		mails, err := servers.AwaitDelivered(ctx, to, n+1)
		if err != nil {
			return
		}
		select {
		case news <- accepted{to, mails[n], time.Now()}:
		case <-ctx.Done():
			return
		}
	}
}

// serveChild serves until its input ends and then writes its figures.
func serveChild(ctx context.Context, args []string, stdin io.Reader, stdout io.Writer) error {
	var ticks int
	if len(args) != 4 {
		return errors.New("-child is not for people")
	}
	if _, err := fmt.Sscan(args[3], &ticks); err != nil {
		return err
	}
	st, err := store.Open(args[0], store.Options{})
	if err != nil {
		return err
	}
	defer st.Close()
	d, stop := serve(ctx, st, args[1], args[2], nil)
	defer stop()
	if _, err := io.Copy(io.Discard, stdin); err != nil {
		return err
	}
	f := figures{Peak: status("VmHWM:")}
	f.Ticks = make([]time.Duration, ticks)
	for i := range f.Ticks {
		began := time.Now()
		if err := d.Tick(ctx); err != nil {
			return err
		}
		f.Ticks[i] = time.Since(began)
	}
	if f.File, f.Used, err = st.Sizes(); err != nil {
		return err
	}
	debug.FreeOSMemory() // a collection, and what it frees goes back at once
	f.Resident, f.Anonymous, f.Mapped = status("VmRSS:"), status("RssAnon:"), status("RssFile:")
	return json.NewEncoder(stdout).Encode(f)
}

// status returns a figure of this process in bytes; 0 where there is no /proc.
func status(word string) int64 { return procNumber("/proc/self/status", strings.TrimSpace(word)) << 10 }
