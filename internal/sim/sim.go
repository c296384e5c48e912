// Package sim plays a whole club in a moment: people who read their mail and
// answer it, a network that delays, repeats, reorders and refuses, and the
// real daemon on the real store, which dies at every boundary there is. One
// seed is one run: time is virtual, everything happens in one order, and all
// chance comes from the seed, so that a run can be had again, event by event.
//
// What is simulated is what stands around [daemon.Daemon]: the mailbox, the
// server that takes its mail, the disk that goes away, the process that ends.
// Nothing of the service is.
//
// After a run a checker, which shares no code with the service but the rules
// of shogi and the reading of a move, replays the raw mails in the order they
// were handled and says what should have come of them: every accepted move
// once, legal, in order and at the time its mail arrived; every mail owed, to
// whom it is owed, once; nothing else. See book.go.
package sim

import (
	"fmt"
	"os"
	"time"
)

// Config says what is simulated. The zero value of all but Seed means its
// default.
type Config struct {
	Seed    uint64
	Players int               // default 4
	Days    int               // of play; default 5
	Dir     string            // where the database is kept while it runs; default that of temporary files
	Flaw    string            // plants this bug, one of [Flaws]; empty: none
	Trace   func(line string) // gets every event as it happens; nil: nobody
}

// Figures count what happened in a run.
type Figures struct {
	Letters    int // mails that people and machines wrote to the service
	Copies     int // copies of them that came in
	Handled    int // messages the service handled
	Mails      int // different mails that went out
	MailCopies int // copies of them that went out
	Games      int
	Ended      int // of the games
	Moves      int
	Crashes    int // of the process
	Outages    int // of the process, the disk or the way out
	Renumbered int // times the mailbox got new numbers
	Failures   int // messages that failed at a try
	SetAside   int
	Spoofs     int
}

// Add adds o to f.
func (f *Figures) Add(o Figures) {
	f.Letters += o.Letters
	f.Copies += o.Copies
	f.Handled += o.Handled
	f.Mails += o.Mails
	f.MailCopies += o.MailCopies
	f.Games += o.Games
	f.Ended += o.Ended
	f.Moves += o.Moves
	f.Crashes += o.Crashes
	f.Outages += o.Outages
	f.Renumbered += o.Renumbered
	f.Failures += o.Failures
	f.SetAside += o.SetAside
	f.Spoofs += o.Spoofs
}

// Finding is an invariant that did not hold.
type Finding struct {
	Seed  uint64
	What  string
	Trail []string // the last events about the game or person in question
}

// Error says what was found, in a line.
func (f *Finding) Error() string { return fmt.Sprintf("seed %d: %s", f.Seed, f.What) }

// Run simulates one run and checks it. The error is a [*Finding], or says that
// this machine could not run it.
func Run(c Config) (Figures, error) {
	if c.Players <= 0 {
		c.Players = 4
	}
	if c.Days <= 0 {
		c.Days = 5
	}
	if c.Flaw != "" && !known(c.Flaw) {
		return Figures{}, fmt.Errorf("no flaw is named %q", c.Flaw)
	}
	dir, err := os.MkdirTemp(c.Dir, "pbem-sim-")
	if err != nil {
		return Figures{}, err
	}
	defer os.RemoveAll(dir)
	w := newWorld(c, dir)
	defer w.process.close()
	w.play(time.Duration(c.Days) * 24 * time.Hour)
	if w.trouble == nil {
		w.check()
	}
	return w.figures, w.trouble
}
