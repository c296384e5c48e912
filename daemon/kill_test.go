package daemon_test

import (
	"bufio"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"pbem/daemon"
	"pbem/mailer"
	"pbem/mailer/imapbox"
	"pbem/player"
	"pbem/service"
	"pbem/store"
)

// killMails is how many mails the process that is killed has to handle.
const killMails = 300

// TestSIGKILL kills a process that receives mail, at random moments, until it
// has received all. Each mail must have been handled once, and none blamed.
func TestSIGKILL(t *testing.T) {
	if path := os.Getenv("DAEMON_TEST_RECEIVE"); path != "" {
		receiveAll(t, path)
		return
	}
	t.Parallel()
	path := filepath.Join(t.TempDir(), "pbem.db")
	random := rand.New(rand.NewPCG(1, 2))
	kills := 0
	for finished := false; !finished; {
		// After the second line a message has been committed: it goes on.
		finished = receiveSome(t, path, 2+random.IntN(40))
		if !finished {
			kills++
		}
	}
	t.Logf("killed %d times", kills)
	if kills < 5 {
		t.Errorf("killed %d times, which shows nothing", kills)
	}
	s, err := store.Open(path, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	err = s.View(func(tx *store.Tx) error {
		names, err1 := tx.Names()
		if len(names) != killMails {
			t.Errorf("%d players, want %d", len(names), killMails)
		}
		ids := map[string]bool{}
		out, err2 := tx.Waiting()
		for _, m := range out {
			ids[m.MessageID] = true
		}
		if len(out) != killMails || len(ids) != killMails {
			t.Errorf("%d mails with %d Message-IDs wait, want %d", len(out), len(ids), killMails)
		}
		aside, err3 := tx.Quarantine()
		if len(aside) != 0 {
			t.Errorf("%d messages set aside, want none: %+v", len(aside), aside[0])
		}
		cursor, err4 := tx.Cursor("INBOX")
		if cursor.UID != killMails {
			t.Errorf("cursor at %d, want %d", cursor.UID, killMails)
		}
		return errors.Join(err1, err2, err3, err4, tx.Check())
	})
	if err != nil {
		t.Error(err)
	}
}

// receiveSome runs the process and kills it once it has begun so many
// messages; finished is true if it came to its end before.
func receiveSome(t *testing.T, path string, messages int) (finished bool) {
	t.Helper()
	child := exec.Command(os.Args[0], "-test.run=^TestSIGKILL$")
	child.Env = append(os.Environ(), "DAEMON_TEST_RECEIVE="+path)
	child.Stderr = os.Stderr
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for n := 0; n < messages && lines.Scan(); n++ {
		if lines.Text() == "finished" {
			finished = true
			break
		}
	}
	if !finished {
		child.Process.Kill()
	}
	child.Wait()
	return finished
}

// receiveAll is the process: it reads its mailbox from the cursor on, as
// imapbox does.
func receiveAll(t *testing.T, path string) {
	s, err := store.Open(path, store.Options{LockWait: 10 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	d := daemon.New(daemon.Parts{
		Store: s,
		Env:   func(now time.Time) service.Env { return service.Env{Now: now} },
		Handle: func(m mailer.Message, st service.State, _ service.Env) (service.Result, error) {
			fmt.Println("begun", m.MessageID)
			id, err := st.NextPlayer()
			p := player.Player{ID: id, Name: fmt.Sprintf("player%d", id), Addresses: []string{m.From.Addr}}
			return service.Result{
				Players: []player.Player{p},
				Mails:   []service.Mail{answerMail(m.From.Addr, "re-"+m.MessageID)},
			}, err
		},
		EnvelopeFrom: "shogi@example.org",
	})
	for {
		c, err := d.Cursor("INBOX")
		if err != nil {
			t.Fatal(err)
		}
		var batch []imapbox.Fetched
		for uid := c.UID + 1; uid <= killMails && len(batch) < 20; uid++ {
			from := fmt.Sprintf("p%d@example.org", uid)
			batch = append(batch, fetched(uid, raw(from, fmt.Sprintf("m%d@x", uid), "join")))
		}
		if len(batch) == 0 {
			fmt.Println("finished")
			return
		}
		if err := d.Receive(t.Context(), batch); err != nil {
			t.Fatal(err)
		}
	}
}
