// Command perft measures the move generator: leaf positions counted per
// second, on one thread, for every variant's start and for the heavy
// positions of shogi. Every count is compared with the known one; a wrong
// count is an error (exit status 1).
//
//	go run ./bench/perft [-sfen SFEN -variant NAME -depth N]
//
// The last ply is counted by sets of squares, not move by move, as engines
// count it.
//
// Last it plays a game that goes on for very long, each move checked, played
// and watched for the end of the game, and prints what a move costs at its
// beginning and at its end: the same.
package main

import (
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"time"

	"pbem/rules"
)

// measure is one measurement; want 0 means that no count is known.
type measure struct {
	variant, name, sfen string
	depth               int
	want                uint64
}

// all returns what is measured when nothing is asked for.
func all() []measure {
	return []measure{
		{"shogi", "start", "", 6, 547581517},
		{"shogi", "matsuri", "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p", 4, 516925165},
		{"shogi", "middle", "l4S2l/4g1gs1/5p1p1/pr2N1pkp/4Gn3/PP3PPPP/2GPP4/1K7/L3r+s2L w BS2N5Pb", 4, 153238280},
		{"minishogi", "start", "", 6, 8276188},
		{"heian", "start", "", 6, 269568748},
		{"heian-reply", "start", "", 5, 10804053},
		{"heian-8x8", "start", "", 6, 96673959},
		{"heian-8x8-facing", "start", "", 5, 4602070},
		{"heian-8x9", "start", "", 6, 96569233},
		{"heian-8x9-facing", "start", "", 5, 4599030},
		{"heian-9x9", "start", "", 6, 269352806},
		{"wa", "start", "", 5, 290003954},
		{"wa-drops", "start", "", 5, 290018689},
	}
}

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("perft", flag.ContinueOnError)
	flags.SetOutput(stderr)
	sfen := flags.String("sfen", "", "measure this `position` instead of the table")
	variant := flags.String("variant", "shogi", "the `variant` of -sfen")
	depth := flags.Int("depth", 4, "`plies` to count, for -sfen")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	list := all()
	if *sfen != "" {
		list = []measure{{*variant, "given", *sfen, *depth, 0}}
	}
	status := 0
	for _, m := range list {
		if err := m.print(stdout); err != nil {
			fmt.Fprintf(stderr, "perft: %v\n", err)
			status = 1
		}
	}
	if *sfen == "" {
		longGame(stdout)
	}
	return status
}

// longGame prints the cost of a move in the stretches of a random game that is
// not stopped by its end.
func longGame(w io.Writer) {
	const stretches, plies = 4, 50000
	r := rand.New(rand.NewPCG(1, 2))
	p := rules.Shogi().Start()
	h := rules.NewHistory(p)
	for i := range stretches {
		moves := make([]rules.Move, 0, plies)
		for q := p; len(moves) < plies; {
			legal := q.LegalMoves()
			if len(legal) == 0 { // mated: a move back would be no move, so begin anew
				q = rules.Shogi().Start()
				moves = append(moves, rules.Move{})
				continue
			}
			m := legal[r.IntN(len(legal))]
			q, _ = q.Play(m) // legal
			moves = append(moves, m)
		}
		began := time.Now()
		for _, m := range moves {
			if m == (rules.Move{}) {
				p = rules.Shogi().Start()
			} else {
				p, _ = p.Play(m) // legal, as above
			}
			h.Add(p)
		}
		took := time.Since(began)
		fmt.Fprintf(w, "shogi, plies %6d to %6d of a game: %5.2f µs a ply\n", i*plies+1, (i+1)*plies, took.Seconds()*1e6/plies)
	}
}

func (m measure) print(w io.Writer) error {
	v, ok := rules.ByName(m.variant)
	if !ok {
		return fmt.Errorf("no variant %q", m.variant)
	}
	p := v.Start()
	if m.sfen != "" {
		var err error
		if p, err = rules.ParsePosition(v, m.sfen); err != nil {
			return err
		}
	}
	began := time.Now()
	got := p.Perft(m.depth)
	took := time.Since(began)
	fmt.Fprintf(w, "%-16s %-8s depth %d %12d leaves %7.2f s %8.1f M/s\n",
		m.variant, m.name, m.depth, got, took.Seconds(), float64(got)/took.Seconds()/1e6)
	if m.want != 0 && got != m.want {
		return fmt.Errorf("%s %s depth %d: %d leaves, want %d", m.variant, m.name, m.depth, got, m.want)
	}
	return nil
}
