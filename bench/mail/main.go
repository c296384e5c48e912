// Command mail measures what a mail costs: how many a second the daemon takes
// in, beside what the disk and the bare database can do in the same run; how
// long an answer takes over real connections; and what ten thousand stored
// games need of memory.
//
//	go run ./bench/mail [-short] [-games N] [-dir DIR]
//
// The mails are replies such as mail programs write, each with a legal move of
// a game that stands in the database. The database is on the disk, and every
// commit waits for the disk. Run it on a quiet machine, with -dir on the disk
// you mean: figures of two runs on a busy one do not compare.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"time"
)

// amounts are how much is measured.
type amounts struct {
	games  int // stored
	tables int // of them played at
	rounds int // of one reply at each table, by each way in
	warmup int // rounds before those that count
	timed  int // mails timed from the mailbox to the answer
	served int // mails that the process whose memory is read handles first
	ticks  int // idle ticks timed
}

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("mail", flag.ContinueOnError)
	flags.SetOutput(stderr)
	short := flags.Bool("short", false, "fewer samples: seconds, not a minute")
	games := flags.Int("games", 10000, "games stored, a `number`")
	parent := flags.String("dir", os.TempDir(), "`folder` on the disk to measure")
	child := flags.Bool("child", false, "used by the program itself: serve, and tell of the memory")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if *child {
		return verdict(stderr, serveChild(ctx, flags.Args(), stdin, stdout))
	}
	a := amounts{games: *games, tables: 100, rounds: 10, warmup: 2, timed: 500, served: 200, ticks: 1000}
	if *short {
		a = amounts{games: *games, tables: 50, rounds: 3, warmup: 1, timed: 100, served: 50, ticks: 200}
	}
	a.tables = min(a.tables, a.games)
	dir, err := os.MkdirTemp(*parent, "pbem-bench-")
	if err != nil {
		return verdict(stderr, err)
	}
	defer os.RemoveAll(dir)
	return verdict(stderr, all(ctx, stdout, dir, a))
}

func verdict(stderr io.Writer, err error) int {
	if err != nil {
		fmt.Fprintf(stderr, "mail: %v\n", err)
		return 1
	}
	return 0
}

// all runs the measurements one after the other.
func all(ctx context.Context, w io.Writer, dir string, a amounts) error {
	fmt.Fprintf(w, "%s %s/%s, %d CPUs, database in %s (%s)\n", runtime.Version(), runtime.GOOS, runtime.GOARCH,
		runtime.NumCPU(), filepath.Dir(dir), fileSystem(dir))
	path := filepath.Join(dir, "pbem.db")
	began := time.Now()
	if err := fill(path, a.games); err != nil {
		return err
	}
	fmt.Fprintf(w, "%d games of %d to %d plies stored in %.1f s, not waiting for the disk\n",
		a.games, leastPlies, mostPlies, time.Since(began).Seconds())
	if err := throughput(ctx, w, path, dir, a); err != nil {
		return fmt.Errorf("throughput: %w", err)
	}
	if err := latency(ctx, w, path, a); err != nil {
		return fmt.Errorf("latency: %w", err)
	}
	fmt.Fprintf(w, "\nMemory and idle tick of a process that serves, after %d mails\n", a.served)
	for _, games := range []int{a.tables, a.games} { // the difference is what games cost
		if err := memory(ctx, w, dir, games, a); err != nil {
			return fmt.Errorf("memory: %w", err)
		}
	}
	return nil
}

// spread is the median and the 99th percentile of some times, in milliseconds,
// with their number.
func spread(times []time.Duration) string {
	if len(times) == 0 {
		return "no samples"
	}
	slices.Sort(times)
	at := func(share float64) float64 { return ms(times[int(share*float64(len(times)-1))]) }
	return fmt.Sprintf("median %.3g ms, p99 %.3g ms, of %d", at(0.5), at(0.99), len(times))
}

func ms(d time.Duration) float64 { return d.Seconds() * 1000 }

func mib(bytes int64) float64 { return float64(bytes) / (1 << 20) }
