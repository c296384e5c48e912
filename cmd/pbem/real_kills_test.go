package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"sync"
	"testing"
	"time"

	"pbem/internal/realmail"
	"pbem/store"
)

// killsOfGame is how many kills fall into one of the games of
// TestRealGameKilled200, of 112 mails each.
const killsOfGame = 25

// TestRealGameKilled200 plays several games at once while the daemon is killed
// as often as PBEM_KILLS says and started again at once: a few messages after
// it began, or while it begins. It is not run without PBEM_KILLS; .ci/run has
// a phase for it. All the games are at once only with go test -parallel 8.
func TestRealGameKilled200(t *testing.T) {
	kills, err := strconv.Atoi(os.Getenv("PBEM_KILLS"))
	if err != nil {
		t.Skip("skipped: PBEM_KILLS is not set; 200 take a minute")
	}
	// Without IDLE, whose news Dovecot keeps back for half a second.
	s := realmail.Start(t, realmail.Options{Dovecot: "imap_capability = IMAP4rev1 UIDPLUS MOVE"})
	d := buildDaemon(t, s, "tls", `poll = "100ms"`, `move_to = "Done"`)
	showLog(t, d)
	k := &killer{t: t, d: d, kills: kills, rng: rand.New(rand.NewPCG(3, seed(t))), handled: make(chan struct{}, 1000)}
	d.log.notice = k.notice
	if err := d.start(); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	ctx, over := context.WithCancel(t.Context())
	defer over()
	var killing sync.WaitGroup
	killing.Go(func() { k.run(ctx) })

	games := make([]*realGame, max(kills/killsOfGame, 1))
	playing := t.Run("games", func(t *testing.T) {
		for i := range games {
			t.Run(strconv.Itoa(i), func(t *testing.T) {
				t.Parallel()
				games[i] = newRealGame(t, s, fmt.Sprintf("hana%d", i), fmt.Sprintf("marco%d", i))
				games[i].play()
			})
		}
	})
	over()
	killing.Wait()
	if !playing {
		return
	}
	took := time.Since(began)
	d.finish(t)
	copies, mails := 0, 0
	for _, g := range games {
		g.t = t
		g.checkMails()
		for _, p := range g.people {
			copies, mails = copies+p.copies, mails+len(p.mails)
		}
	}
	t.Logf("%d games of %d plies and %d kills in %.1f s, %d of them while the daemon began; %d mails to players, %d of them came twice",
		len(games), len(games[0].moves), k.done, took.Seconds(), k.early, mails, copies)
	if k.done < kills {
		t.Errorf("only %d kills fell within play, want %d", k.done, kills)
	}
	checkDatabase(t, d.database, len(games), games[0].moves)
	d.checkLog(t, "the last run ended with a message in hand")
}

// killer kills the daemon and starts it again while games are played.
type killer struct {
	t           *testing.T
	d           *realDaemon
	kills       int
	rng         *rand.Rand
	handled     chan struct{} // one for each message
	done, early int
}

func (k *killer) notice(int) {
	select {
	case k.handled <- struct{}{}:
	default:
	}
}

func (k *killer) run(ctx context.Context) {
	for k.done < k.kills && ctx.Err() == nil {
		early := k.done%4 == 3
		if early {
			pauseFor(ctx, time.Duration(k.rng.Int64N(int64(200*time.Millisecond))))
		} else {
			for range 1 + k.rng.IntN(2) {
				select {
				case <-k.handled:
				case <-ctx.Done():
				}
			}
			pauseFor(ctx, time.Duration(k.rng.Int64N(int64(15*time.Millisecond))))
		}
		if ctx.Err() != nil {
			return
		}
		if err := k.d.restart(); err != nil {
			k.t.Error(err)
			return
		}
		for len(k.handled) > 0 {
			<-k.handled
		}
		k.done++
		if early {
			k.early++
		}
	}
}

// finish lets the daemon send what its outbox still holds, if anything, and
// stops it.
func (d *realDaemon) finish(t *testing.T) {
	t.Helper()
	for deadline := time.Now().Add(realPatience); ; pauseFor(t.Context(), time.Second) {
		if err := d.stop(); err != nil {
			t.Fatalf("serve after SIGTERM: %v", err)
		}
		waiting := 0
		st, err := store.Open(d.database, store.Options{LockWait: realPatience})
		if err != nil {
			t.Fatal(err)
		}
		err = st.View(func(tx *store.Tx) error {
			list, err := tx.Waiting()
			waiting = len(list)
			return err
		})
		st.Close()
		if err != nil {
			t.Fatal(err)
		}
		if waiting == 0 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d mails still wait", waiting)
		}
		if err := d.start(); err != nil {
			t.Fatal(err)
		}
	}
}
