package service_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-message/mail"
	"golang.org/x/tools/txtar"

	"pbem/clock"
	"pbem/daemon"
	"pbem/mailer"
	"pbem/mailer/imapbox"
	"pbem/service"
	"pbem/store"
)

var update = flag.Bool("update", false, "rewrite the mails out in testdata")

// TestStories plays each story of testdata: mails in, mails out. A file named
// "in" is a mail as it arrives, "tick" lets the time it holds go by; the mails
// that follow from either stand behind it, named "out". In a mail in,
// @reply(hana) stands for the Reply-To of the last mail that hana got, @id(hana)
// for its Message-ID, @reply(hana,2) for those of the second one.
func TestStories(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no stories: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			story, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			w := newWorld(t)
			if !strings.HasPrefix(filepath.Base(file), "join") {
				w.setUp()
			}
			got := w.play(story)
			if *update {
				if err := os.WriteFile(file, txtar.Format(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if g, want := string(txtar.Format(got)), string(txtar.Format(story)); g != want {
				t.Errorf("%s: got\n%s\nwant\n%s", file, g, want)
			}
		})
	}
}

// world is a daemon with a real store, on a clock and with random numbers of
// the test's.
type world struct {
	t      *testing.T
	store  *store.Store
	daemon *daemon.Daemon
	set    service.Settings
	now    time.Time
	ids    int
	uid    uint32
	got    map[string][]sent // by name of the reader
}

// sent is a mail that the service queued.
type sent struct {
	to, replyTo, id, shown string
	raw                    []byte
}

func settings() service.Settings {
	return service.Settings{
		Address: "shogi@example.org", Name: "Shogi by mail", PlusAddressing: true, Secrets: [][]byte{[]byte("a secret of the test")},
		AuthservIDs: []string{"mx.example.org"},
		MaxMessage:  1 << 20, MessagesPerHour: 60, AnswersPerHour: 30, GamesPerPlayer: 3, NotUnderstoodPerDay: 3, ConfirmationsPerDay: 10,
		Bounces: 3, BouncesWithin: 14 * 24 * time.Hour,
		ChallengeExpires: 14 * 24 * time.Hour, ConfirmExpires: 72 * time.Hour, RemindAfter: 72 * time.Hour,
		Clock:      clock.Control{Bank: 10 * clock.Day, Increment: 36 * time.Hour, Cap: 10 * clock.Day},
		ClaimAfter: 72 * time.Hour,
	}
}

func newWorld(t *testing.T) *world {
	t.Helper()
	return newWorldAt(t, settings().Address)
}

// newWorldAt is a world whose service has that address.
func newWorldAt(t *testing.T, address string) *world {
	t.Helper()
	st, err := store.Open(filepath.Join(t.TempDir(), "pbem.db"), store.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	w := &world{t: t, store: st, set: settings(), now: time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC), got: map[string][]sent{}}
	w.set.Address = address
	w.daemon = daemon.New(daemon.Parts{
		Store: st, Clock: func() time.Time { return w.now }, EnvelopeFrom: w.set.Address,
		Parse: mailer.ParseOptions{Own: []string{w.set.Address}},
		Env: func(now time.Time) service.Env {
			return service.Env{Now: now, Settings: w.set, NewID: func() string { w.ids++; return fmt.Sprintf("%016d", w.ids) }}
		},
	})
	return w
}

// setUp lets hana and marco join and begin game #1, in which hana is Black.
func (w *world) setUp() {
	for _, who := range []string{"hana", "marco"} {
		w.deliver(fmt.Sprintf("From: %s@example.org\nTo: shogi@example.org\nSubject: join %s\n\n", who, who))
		w.collect()
		w.deliver(fmt.Sprintf("From: %s@example.org\nTo: @reply(%s)\n\nyes\n", who, who))
		w.collect()
	}
	w.deliver("From: hana@example.org\nTo: @reply(hana)\n\nchallenge marco as black\n")
	w.collect()
	w.deliver("From: marco@example.org\nTo: @reply(marco)\n\naccept\n")
	w.collect()
	if n := len(w.got["hana"]); n != 4 {
		w.t.Fatalf("setting up: hana has %d mails, want 4", n)
	}
}

// play runs the story and returns it with the mails that really came out.
func (w *world) play(story *txtar.Archive) *txtar.Archive {
	got := &txtar.Archive{Comment: story.Comment}
	for _, f := range story.Files {
		switch f.Name {
		case "in":
			w.deliver(string(f.Data))
		case "tick":
			d, err := time.ParseDuration(strings.TrimSpace(string(f.Data)))
			if err != nil {
				w.t.Fatal(err)
			}
			w.pass(d)
		case "limit": // the operator lets a sender write so much in an hour
			fmt.Sscan(string(f.Data), &w.set.MessagesPerHour)
		case "away": // the service does not run
			d, err := time.ParseDuration(strings.TrimSpace(string(f.Data)))
			if err != nil {
				w.t.Fatal(err)
			}
			w.now = w.now.Add(d)
		default:
			continue
		}
		got.Files = append(got.Files, f)
		for _, m := range w.collect() {
			got.Files = append(got.Files, txtar.File{Name: "out", Data: []byte(m.shown)})
		}
	}
	return got
}

// pass lets time pass while the service runs.
func (w *world) pass(d time.Duration) {
	w.t.Helper()
	const step = 5 * time.Minute
	for end := w.now.Add(d); w.now.Before(end); {
		w.now = w.now.Add(min(step, end.Sub(w.now)))
		if err := w.daemon.Tick(context.Background()); err != nil {
			w.t.Fatal(err)
		}
	}
}

var placeholder = regexp.MustCompile(`@(reply|id)\((\w+)(?:,(\d+))?\)`)

// deliver hands in a mail, with the placeholders filled. The line "@large"
// makes it one of 30 MB, of which the mailbox gave the header only.
func (w *world) deliver(text string) {
	w.t.Helper()
	text = placeholder.ReplaceAllStringFunc(text, func(s string) string {
		p := placeholder.FindStringSubmatch(s)
		mails := w.got[p[2]]
		n := len(mails)
		if p[3] != "" {
			fmt.Sscan(p[3], &n)
		}
		if n < 1 || n > len(mails) {
			w.t.Fatalf("%s: %s has %d mails", s, p[2], len(mails))
		}
		if p[1] == "id" {
			return "<" + mails[n-1].id + ">"
		}
		return mails[n-1].replyTo
	})
	w.uid++
	f := imapbox.Fetched{Mailbox: "INBOX", UIDValidity: 1, UID: w.uid, Through: w.uid, Arrived: w.now}
	if text, f.TooLarge = strings.CutSuffix(text, "@large\n"); f.TooLarge {
		f.Size = 30 << 20
	}
	f.Raw = []byte(strings.ReplaceAll(text, "\n", "\r\n"))
	if !f.TooLarge {
		f.Size = int64(len(f.Raw))
	}
	if err := w.daemon.Receive(context.Background(), []imapbox.Fetched{f}); err != nil {
		w.t.Fatalf("receive: %v", err)
	}
	w.now = w.now.Add(time.Minute)
}

// collect takes the mails out of the outbox.
func (w *world) collect() []sent {
	w.t.Helper()
	var out []sent
	err := w.store.Update(func(tx *store.Tx) error {
		waiting, err := tx.Waiting()
		if err != nil {
			return err
		}
		for _, m := range waiting {
			data, err := tx.OutgoingData(m.ID)
			if err != nil {
				return err
			}
			s := w.show(data)
			out = append(out, s)
			name, _, _ := strings.Cut(s.to, "@")
			w.got[name] = append(w.got[name], s)
			if err := tx.Sent(m.ID); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return out
}

// show gives a mail as the stories have it: the fields that matter, and the
// plain text.
func (w *world) show(data []byte) sent {
	w.t.Helper()
	r, err := mail.CreateReader(bytes.NewReader(data))
	if err != nil {
		w.t.Fatal(err)
	}
	var b strings.Builder
	for _, f := range []string{"From", "To", "Reply-To", "Message-Id", "In-Reply-To", "References", "Auto-Submitted", "Subject"} {
		text, err := r.Header.Text(f)
		if err != nil {
			w.t.Fatal(err)
		}
		if text != "" {
			fmt.Fprintf(&b, "%s: %s\n", f, text)
		}
	}
	s := sent{raw: data}
	to, err := r.Header.AddressList("To")
	if err != nil {
		w.t.Fatal(err)
	}
	reply, err := r.Header.AddressList("Reply-To")
	if err != nil {
		w.t.Fatal(err)
	}
	s.to, s.replyTo = to[0].Address, reply[0].Address
	s.id, _ = r.Header.MessageID()
	p, err := r.NextPart()
	if err != nil {
		w.t.Fatal(err)
	}
	text, err := io.ReadAll(p.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	b.WriteString("\n" + strings.ReplaceAll(string(text), "\r\n", "\n"))
	s.shown = b.String()
	return s
}
