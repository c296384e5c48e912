package main

import (
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"pbem/game"
	"pbem/internal/realmail"
	"pbem/rules"
	"pbem/store"
)

// TestRealGame plays the demo's game to its mate through Postfix and Dovecot,
// with pbem serve as a process: TLS from the first byte, AUTH, IDLE.
func TestRealGame(t *testing.T) {
	t.Parallel()
	s := realmail.Start(t, realmail.Options{})
	d := buildDaemon(t, s, "tls")
	g := newRealGame(t, s)
	showLog(t, d)
	if err := d.start(); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	g.play()
	t.Logf("%d plies in %.1f s", len(g.moves), time.Since(began).Seconds())
	if err := d.stop(); err != nil {
		t.Errorf("serve after SIGTERM: %v", err)
	}
	g.checkMails()
	for _, p := range g.people {
		if p.copies > 0 {
			t.Errorf("%s got %d mails twice", p.name, p.copies)
		}
	}
	checkDatabase(t, d.database, 1, g.moves)
	d.checkLog(t)
}

// kills is how often TestRealGameKilled kills the daemon.
const kills = 10

// TestRealGameKilled plays the same game while the daemon is killed and
// started again, ten times: every other time at any moment, else within the
// few milliseconds in which a message has been handled and its answers leave.
// Here the server has neither IDLE nor MOVE, so that the daemon polls, and
// clears the mailbox by COPY and EXPUNGE.
// PBEM_SEED repeats a run, as far as processes can be made to repeat theirs.
func TestRealGameKilled(t *testing.T) {
	t.Parallel()
	s := realmail.Start(t, realmail.Options{Dovecot: "imap_capability = IMAP4rev1 UIDPLUS"})
	d := buildDaemon(t, s, "starttls", `poll = "100ms"`, `move_to = "Done"`)
	g := newRealGame(t, s)
	showLog(t, d)
	rng := rand.New(rand.NewPCG(1, seed(t)))

	var killing sync.WaitGroup
	waits := map[int]time.Duration{} // by the number of messages handled
	for i := range kills {
		longest := 300 * time.Millisecond // as long as a ply takes
		if i%2 == 0 {
			longest = 20 * time.Millisecond
		}
		waits[3+i*9+rng.IntN(8)] = time.Duration(rng.Int64N(int64(longest)))
		killing.Add(1)
	}
	d.log.notice = func(n int) {
		wait, ok := waits[n]
		if !ok {
			return
		}
		delete(waits, n)
		time.AfterFunc(wait, func() {
			defer killing.Done()
			if err := d.restart(); err != nil {
				t.Error(err)
			}
		})
	}
	if err := d.start(); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	g.play()
	killing.Wait()
	t.Logf("%d plies and %d kills in %.1f s; mails that came twice: %s %d, %s %d", len(g.moves), kills,
		time.Since(began).Seconds(), g.people[0].name, g.people[0].copies, g.people[1].name, g.people[1].copies)
	if err := d.stop(); err != nil {
		t.Errorf("serve after SIGTERM: %v", err)
	}
	g.checkMails()
	checkDatabase(t, d.database, 1, g.moves)
	d.checkLog(t, "the last run ended with a message in hand")
}

// seed returns PBEM_SEED or, without it, a new seed, and says which.
func seed(t *testing.T) uint64 {
	t.Helper()
	n, err := strconv.ParseUint(os.Getenv("PBEM_SEED"), 10, 64)
	if err != nil {
		n = rand.Uint64()
	}
	t.Logf("PBEM_SEED=%d", n)
	return n
}

// showLog shows the end of the daemon's log if the test fails.
func showLog(t *testing.T, d *realDaemon) {
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the log of pbem serve ends so:\n%s", d.log.end())
		}
	})
}

// checkDatabase expects so many games with these moves, won by White by mate,
// and nothing that waits, failed or was set aside.
func checkDatabase(t *testing.T, path string, games int, moves []rules.Move) {
	t.Helper()
	st, err := store.Open(path, store.Options{LockWait: realPatience})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	err = st.View(func(tx *store.Tx) error {
		for id := game.ID(1); id <= game.ID(games); id++ {
			g, err := tx.Game(id)
			if err != nil {
				return err
			}
			if got := g.Moves(); !slices.Equal(got, moves) {
				t.Errorf("game %s has %d plies in the database, want %d: %v", id, len(got), len(moves), got)
			}
			if g.End.Outcome != rules.Win(rules.White) || g.End.Cause != rules.Checkmate {
				t.Errorf("game %s ended by %v, want White's mate", id, g.End)
			}
		}
		if _, err := tx.Game(game.ID(games + 1)); err == nil {
			t.Error("there is a game too many")
		}
		for name, list := range map[string]func() ([]store.Outgoing, error){"waiting": tx.Waiting, "given up": tx.Failed} {
			mails, err := list()
			if err != nil || len(mails) > 0 {
				t.Errorf("%d mails %s, %v; want none", len(mails), name, err)
			}
		}
		if aside, err := tx.Quarantine(); err != nil || len(aside) > 0 {
			t.Errorf("set aside: %v, %v; want nothing", aside, err)
		}
		return tx.Check()
	})
	if err != nil {
		t.Errorf("database: %v", err)
	}
}
