package daemon_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"pbem/daemon"
	"pbem/mailer"
	"pbem/mailer/imapbox"
	"pbem/mailer/smtpout"
	"pbem/service"
	"pbem/store"
)

// noon is when the tests begin.
var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// maxSize is how large a test's database may get: the disk is full then.
const maxSize = 1 << 20

// world is a daemon with a service that answers every message with one mail,
// a clock that stands still, and a server that takes what it is told to.
type world struct {
	t       *testing.T
	store   *store.Store
	daemon  *daemon.Daemon
	log     *strings.Builder
	now     time.Time
	handled []mailer.Message

	// What the tests change.
	fetches bool
	handle  func(mailer.Message, service.State, service.Env) (service.Result, error)
	tick    func(service.State, service.Env) (service.Result, error)
	set     service.Settings

	undelivered func(service.Returned, service.State, service.Env) (service.Result, error)

	reply  func(smtpout.Envelope) smtpout.Outcome // what the server says
	sendMu sync.Mutex
	sent   []smtpout.Envelope // what the server has taken
	tries  int
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{t: t, now: noon, log: &strings.Builder{}}
	s, err := store.Open(filepath.Join(t.TempDir(), "pbem.db"), store.Options{NoSync: true, MaxSize: maxSize})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.View((*store.Tx).Check); err != nil {
			t.Errorf("check at the end: %v", err)
		}
		s.Close()
	})
	w.store = s
	w.handle = w.answer
	w.tick = func(service.State, service.Env) (service.Result, error) { return service.Result{}, nil }
	w.undelivered = func(service.Returned, service.State, service.Env) (service.Result, error) {
		return service.Result{}, nil
	}
	w.reply = func(e smtpout.Envelope) smtpout.Outcome {
		return smtpout.Outcome{ID: e.ID, Status: smtpout.Accepted, Code: 250}
	}
	w.restart()
	return w
}

// restart makes a new daemon, as a process that begins does.
func (w *world) restart() {
	w.daemon = daemon.New(daemon.Parts{
		Store: w.store,
		Env: func(now time.Time) service.Env {
			return service.Env{Now: now, Settings: w.set, NewID: func() string { return "0123456789abcdef" }}
		},
		Handle: func(m mailer.Message, st service.State, env service.Env) (service.Result, error) {
			return w.handle(m, st, env)
		},
		Tick: func(st service.State, env service.Env) (service.Result, error) { return w.tick(st, env) },
		Undelivered: func(r service.Returned, st service.State, env service.Env) (service.Result, error) {
			return w.undelivered(r, st, env)
		},
		Send:         w.send,
		EnvelopeFrom: "shogi@example.org",
		Fetches:      w.fetches,
		Clock: func() time.Time {
			if w.now.IsZero() {
				return time.Now()
			}
			return w.now
		},
		Random: func() float64 { return 0.5 },
		Log:    slog.New(slog.NewTextHandler(w.log, nil)),
	})
}

// answer is a service that answers each message with one mail.
func (w *world) answer(m mailer.Message, _ service.State, env service.Env) (service.Result, error) {
	w.handled = append(w.handled, m)
	id := fmt.Sprintf("answer-%d@example.org", len(w.handled))
	return service.Result{Mails: []service.Mail{answerMail(m.From.Addr, id)}}, nil
}

func answerMail(to, messageID string) service.Mail {
	return service.Mail{Draft: draft(to, messageID), Answer: "help"}
}

func (w *world) send(ctx context.Context, batch []smtpout.Envelope, done func(smtpout.Outcome) error) error {
	w.sendMu.Lock()
	defer w.sendMu.Unlock()
	for _, e := range batch {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		w.tries++
		out := w.reply(e)
		if out.Status == smtpout.Accepted {
			w.sent = append(w.sent, e)
		}
		if err := done(out); err != nil {
			return err
		}
		if out.Status == smtpout.Blocked {
			return errors.New("the server takes nothing: " + out.Text)
		}
	}
	return nil
}

// sentSoFar is how many mails the server has taken, for a test in which a
// daemon runs.
func (w *world) sentSoFar() int {
	w.sendMu.Lock()
	defer w.sendMu.Unlock()
	return len(w.sent)
}

// raw is a mail as it comes; fields stand before its own.
func raw(from, messageID, body string, fields ...string) []byte {
	head := append(fields, "From: "+from, "To: shogi@example.org", "Subject: hello", "Date: Sun, 01 Mar 2026 11:59:00 +0000")
	if messageID != "" {
		head = append(head, "Message-ID: <"+messageID+">")
	}
	return []byte(strings.Join(head, "\r\n") + "\r\n\r\n" + body + "\r\n")
}

// fetched is a mail of INBOX.
func fetched(uid uint32, data []byte) imapbox.Fetched {
	return imapbox.Fetched{
		Mailbox: "INBOX", UIDValidity: 7, UID: uid, Through: uid,
		Arrived: noon.Add(-time.Minute), Size: int64(len(data)), Raw: data,
	}
}

func (w *world) receive(batch ...imapbox.Fetched) error {
	return w.daemon.Receive(context.Background(), batch)
}

// mustReceive receives a batch that must be taken.
func (w *world) mustReceive(batch ...imapbox.Fetched) {
	w.t.Helper()
	if err := w.receive(batch...); err != nil {
		w.t.Fatalf("Receive: %v", err)
	}
}

func (w *world) view(f func(tx *store.Tx) error) {
	w.t.Helper()
	if err := w.store.View(f); err != nil {
		w.t.Fatal(err)
	}
}

// countHandled is how many messages were handled. One counts once, though what
// it did may have been undone since another one in its transaction failed.
func (w *world) countHandled() int {
	ids := map[string]bool{}
	n := 0
	for _, m := range w.handled {
		if m.MessageID == "" || !ids[m.MessageID] {
			n++
		}
		ids[m.MessageID] = true
	}
	return n
}

// expect holds the world against what should be in it.
func (w *world) expect(handled, waiting, aside int, cursor uint32) {
	w.t.Helper()
	if n := w.countHandled(); n != handled {
		w.t.Errorf("%d messages handled, want %d", n, handled)
	}
	w.view(func(tx *store.Tx) error {
		out, err1 := tx.Waiting()
		if len(out) != waiting {
			w.t.Errorf("%d mails wait, want %d", len(out), waiting)
		}
		quarantine, err2 := tx.Quarantine()
		if len(quarantine) != aside {
			w.t.Errorf("%d messages set aside, want %d", len(quarantine), aside)
		}
		c, err3 := tx.Cursor("INBOX")
		if c.UID != cursor {
			w.t.Errorf("cursor at %d, want %d", c.UID, cursor)
		}
		return errors.Join(err1, err2, err3)
	})
}

func (w *world) expectLog(parts ...string) {
	w.t.Helper()
	for _, p := range parts {
		if !strings.Contains(w.log.String(), p) {
			w.t.Errorf("the log lacks %q:\n%s", p, w.log)
		}
	}
}
