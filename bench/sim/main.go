// Command sim runs the deterministic simulation of package internal/sim: whole
// clubs over weeks, with the real daemon and store, a network that misbehaves
// and a process that dies, seed after seed, each checked by an independent
// replay. The first seed with a finding is shown with a short trail, and the
// exit status is then 1.
//
//	go run ./bench/sim [-seeds N] [-seed S] [-players P] [-days D] [-break NAME] [-trace]
//
// A seed runs in one thread; as many run side by side as there are processors.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"pbem/internal/sim"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// options are the command line.
type options struct {
	seeds  uint64
	config sim.Config
	trace  bool
	jobs   int
}

func run(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("sim", flag.ContinueOnError)
	flags.SetOutput(stderr)
	var o options
	flags.Uint64Var(&o.seeds, "seeds", 100, "how many seeds to run")
	flags.Uint64Var(&o.config.Seed, "seed", 1, "the first `seed`")
	flags.IntVar(&o.config.Players, "players", 0, "players in a run; 0: the usual few")
	flags.IntVar(&o.config.Days, "days", 0, "days of play in a run; 0: the usual few")
	flags.StringVar(&o.config.Flaw, "break", "", "plant this bug: "+strings.Join(sim.Flaws(), ", "))
	flags.BoolVar(&o.trace, "trace", false, "print every event; for one seed")
	flags.IntVar(&o.jobs, "jobs", runtime.NumCPU(), "seeds run side by side")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	if o.trace {
		o.jobs = 1
		o.config.Trace = func(line string) { fmt.Fprintln(stdout, line) }
	}
	if info, err := os.Stat("/dev/shm"); err == nil && info.IsDir() {
		o.config.Dir = "/dev/shm" // a disk of memory, where there is one
	}
	return o.run(stdout, stderr)
}

// run runs the seeds, stops at the first finding, and prints the figures.
func (o options) run(stdout, stderr io.Writer) int {
	began := time.Now()
	debug.SetGCPercent(400) // A run leaves much behind and keeps little.
	var (
		next, done atomic.Uint64
		stop       atomic.Bool
		mu         sync.Mutex
		total      sim.Figures
		failed     error
		workers    sync.WaitGroup
	)
	for range max(o.jobs, 1) {
		workers.Go(func() {
			for !stop.Load() {
				n := next.Add(1) - 1
				if n >= o.seeds {
					return
				}
				config := o.config
				config.Seed += n
				figures, err := sim.Run(config)
				mu.Lock()
				total.Add(figures)
				if err != nil && failed == nil {
					failed = err
					stop.Store(true)
				}
				mu.Unlock()
				done.Add(1)
			}
		})
	}
	workers.Wait()
	print(stdout, total, done.Load(), time.Since(began))
	if failed == nil {
		return 0
	}
	fmt.Fprintf(stderr, "sim: %v\n", failed)
	var found *sim.Finding
	if errors.As(failed, &found) {
		fmt.Fprintf(stderr, "  %s\n", strings.Join(found.Trail, "\n  "))
		fmt.Fprintf(stderr, "again: %s\n", o.again(found.Seed))
	}
	return 1
}

// again is the command that shows the same finding.
func (o options) again(seed uint64) string {
	s := fmt.Sprintf("go run ./bench/sim -seeds 1 -seed %d -trace", seed)
	if o.config.Players > 0 {
		s += fmt.Sprintf(" -players %d", o.config.Players)
	}
	if o.config.Days > 0 {
		s += fmt.Sprintf(" -days %d", o.config.Days)
	}
	if o.config.Flaw != "" {
		s += fmt.Sprintf(" -break %q", o.config.Flaw)
	}
	return s
}

func print(w io.Writer, f sim.Figures, seeds uint64, took time.Duration) {
	fmt.Fprintf(w, "%d seeds in %.1f s, %.1f a second\n", seeds, took.Seconds(), float64(seeds)/took.Seconds())
	for _, row := range []struct {
		name  string
		count int
	}{
		{"letters written", f.Letters}, {"copies that came in", f.Copies}, {"messages handled", f.Handled},
		{"different mails out", f.Mails}, {"copies that went out", f.MailCopies},
		{"games", f.Games}, {"games ended", f.Ended}, {"moves", f.Moves},
		{"deaths of the process", f.Crashes}, {"outages", f.Outages}, {"UIDVALIDITY changes", f.Renumbered},
		{"failed attempts", f.Failures}, {"messages set aside", f.SetAside}, {"spoofs", f.Spoofs},
	} {
		fmt.Fprintf(w, "  %-22s %9d\n", row.name, row.count)
	}
}
