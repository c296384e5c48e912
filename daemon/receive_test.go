package daemon_test

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"pbem/mailer"
	"pbem/mailer/imapbox"
	"pbem/player"
	"pbem/service"
	"pbem/store"
)

const hana = "hana@example.org"

func TestReceive(t *testing.T) {
	w := newWorld(t)
	w.mustReceive(fetched(1, raw(hana, "m1@x", "P-7f")), fetched(2, raw(hana, "m2@x", "P-3d")))
	w.expect(2, 2, 0, 2)
	m := w.handled[0]
	if m.MessageID != "m1@x" || m.From.Addr != hana || !m.Received.Equal(noon.Add(-time.Minute)) || m.Truncated {
		t.Errorf("message handled: %+v", m)
	}
	c, err := w.daemon.Cursor("INBOX")
	if want := (imapbox.Cursor{UIDValidity: 7, UID: 2}); c != want || err != nil {
		t.Errorf("Cursor = %+v, %v; want %+v", c, err, want)
	}
	w.view(func(tx *store.Tx) error {
		out, err := tx.Waiting()
		if out[0].From != "shogi@example.org" || out[0].To != hana || out[0].MessageID != "answer-1@example.org" {
			t.Errorf("mail queued: %+v", out[0])
		}
		n, err2 := tx.ReceivedSince(hana, noon)
		a, err3 := tx.AnswersSince(hana, "", noon)
		last, err4 := tx.Answered(hana, "help")
		if n != 2 || a != 2 || !last.Equal(noon) {
			t.Errorf("traffic: %d received, %d answers, help at %v; want 2, 2, %v", n, a, last, noon)
		}
		return errors.Join(err, err2, err3, err4)
	})
	if err := w.receive(); err != nil {
		t.Errorf("Receive of nothing: %v", err)
	}
}

func TestTwiceIsOnce(t *testing.T) {
	first := raw(hana, "m1@x", "P-7f")
	again := raw(hana, "m1@x", "P-7f", "Received: from elsewhere by here; Sun, 1 Mar 2026 12:00:00 +0000", "Delivered-To: shogi@example.org")
	other := func(change func(*imapbox.Fetched)) imapbox.Fetched {
		f := fetched(1, first)
		change(&f)
		return f
	}
	tests := []struct {
		name   string
		second imapbox.Fetched
		once   bool
	}{
		{"fetched again", fetched(1, first), true},
		{"delivered again", fetched(2, first), true},
		{"delivered again over another route", fetched(2, again), true},
		{"UIDVALIDITY changed", other(func(f *imapbox.Fetched) { f.UIDValidity = 8 }), true},
		{"UIDVALIDITY lower", other(func(f *imapbox.Fetched) { f.UIDValidity = 6 }), true},
		{"UIDVALIDITY missing", other(func(f *imapbox.Fetched) { f.UIDValidity = 0 }), true},
		{"moved", other(func(f *imapbox.Fetched) { f.Mailbox, f.UID = "Other", 5 }), true},
		{"the Message-ID with other content", fetched(2, raw(hana, "m1@x", "P-3d")), false},
		{"no Message-ID", fetched(2, raw(hana, "", "P-7f")), false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			w.mustReceive(fetched(1, first))
			w.mustReceive(tt.second)
			want := 2
			if tt.once {
				want = 1
			}
			if len(w.handled) != want {
				t.Errorf("handled %d times, want %d", len(w.handled), want)
			}
			w.view(func(tx *store.Tx) error {
				if out, err := tx.Waiting(); len(out) != want || err != nil {
					t.Errorf("%d answers, %v; want %d", len(out), err, want)
				}
				return nil
			})
		})
	}
	t.Run("twice in one batch, then by pipe", func(t *testing.T) {
		w := newWorld(t)
		w.mustReceive(fetched(1, first), fetched(2, again))
		w.expect(1, 1, 0, 2)
		if err := w.daemon.Deliver(t.Context(), hana, []string{"shogi@example.org"}, again); err != nil {
			t.Errorf("Deliver: %v", err)
		}
		w.expect(1, 1, 0, 2)
	})
}

// TestEnvelope: what only the envelope says reaches the service too.
func TestEnvelope(t *testing.T) {
	tests := []struct {
		name, from string
		to         []string
		want       mailer.Kind
		recipient  string
	}{
		{"a person", hana, []string{"shogi+g1-2-x@example.org"}, mailer.Personal, "shogi+g1-2-x@example.org"},
		{"the null sender", "", []string{"shogi@example.org"}, mailer.AutoReply, "shogi@example.org"},
		{"no envelope known", "", nil, mailer.Personal, "shogi@example.org"},
		{"an attempt to write fields", "a>\r\nAuto-Submitted: auto-replied\r\nX: <b", []string{"c\r\n\r\nP-7f"}, mailer.Personal, "shogi@example.org"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			if err := w.daemon.Deliver(t.Context(), tt.from, tt.to, raw(hana, "m1@x", "P-7f")); err != nil {
				t.Fatal(err)
			}
			if m := w.handled[0]; m.Kind != tt.want || !slices.Contains(m.Recipients, tt.recipient) || m.From.Addr != hana {
				t.Errorf("message handled: %+v; want kind %v, recipient %s", m, tt.want, tt.recipient)
			}
		})
	}
}

func TestDeliver(t *testing.T) {
	w := newWorld(t)
	if err := w.daemon.Deliver(t.Context(), hana, []string{"shogi@example.org"}, raw(hana, "m1@x", "P-7f")); err != nil {
		t.Fatal(err)
	}
	w.expect(1, 1, 0, 0)
	if !w.handled[0].Received.Equal(noon) {
		t.Errorf("Received = %v, want %v", w.handled[0].Received, noon)
	}
}

func TestTooLarge(t *testing.T) {
	w := newWorld(t)
	f := fetched(1, raw(hana, "m1@x", ""))
	f.TooLarge, f.Size = true, 30<<20
	w.mustReceive(f)
	w.expect(1, 1, 0, 1)
	if m := w.handled[0]; !m.Truncated || m.Size != 30<<20 || m.From.Addr != hana {
		t.Errorf("message handled: %+v; want it truncated", m)
	}
}

func TestArrivalInTheFuture(t *testing.T) {
	w := newWorld(t)
	f := fetched(1, raw(hana, "m1@x", "P-7f"))
	f.Arrived = noon.Add(48 * time.Hour)
	w.mustReceive(f)
	if got := w.handled[0].Received; !got.Equal(noon) {
		t.Errorf("Received = %v, want %v", got, noon)
	}
}

// breaks makes the service fail at messages with a Message-ID.
func (w *world) breaks(messageID string, how func() error) {
	w.handle = func(m mailer.Message, st service.State, env service.Env) (service.Result, error) {
		r, err := w.answer(m, st, env)
		if m.MessageID == messageID {
			w.handled = w.handled[:len(w.handled)-1]
			r.Players = []player.Player{{ID: 1, Name: "half done"}}
			err = how()
		}
		return r, err
	}
}

func TestQuarantine(t *testing.T) {
	tests := []struct {
		name, cause string
		how         func() error
	}{
		{"a panic", "panic: nil board", func() error { panic("nil board") }},
		{"an error", "game #17: unexpected end of JSON input", func() error { return errors.New("game #17: unexpected end of JSON input") }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			w.breaks("bad@x", tt.how)
			batch := []imapbox.Fetched{
				fetched(1, raw(hana, "m1@x", "P-7f")),
				fetched(2, raw(hana, "bad@x", "P-7f")),
				fetched(3, raw(hana, "m3@x", "P-7f")),
			}
			for attempt := 1; attempt <= 2; attempt++ {
				if err := w.receive(batch...); err == nil || !strings.Contains(err.Error(), tt.cause) {
					t.Errorf("attempt %d: Receive = %v, want %q in it", attempt, err, tt.cause)
				}
				w.expect(2, 2, 0, 1) // those behind go on, the cursor stays
			}
			w.mustReceive(batch...)
			w.expect(2, 2, 1, 3)
			w.mustReceive(batch...)
			w.expect(2, 2, 1, 3)
			w.expectLog(`msg="message set aside" quarantine=1 mailbox=INBOX uid=2 attempts=3`)
			w.view(func(tx *store.Tx) error {
				list, err := tx.Quarantine()
				if q := list[0]; q.UID != 2 || q.Attempts != 3 || !strings.Contains(q.Cause, tt.cause) {
					t.Errorf("set aside: %+v", q)
				}
				data, err2 := tx.SetAsideRaw(1)
				if string(data) != string(batch[1].Raw) {
					t.Errorf("bytes set aside: %q, want %q", data, batch[1].Raw)
				}
				if names, _ := tx.Names(); len(names) != 0 {
					t.Errorf("a failed message left a player: %q", names)
				}
				return errors.Join(err, err2)
			})
		})
	}
}

func TestDeliverQuarantine(t *testing.T) {
	w := newWorld(t)
	w.breaks("bad@x", func() error { panic("nil board") })
	for attempt := 1; attempt <= 3; attempt++ {
		err := w.daemon.Deliver(t.Context(), hana, nil, raw(hana, "bad@x", "P-7f"))
		if (err == nil) != (attempt == 3) {
			t.Errorf("attempt %d: Deliver = %v", attempt, err)
		}
	}
	w.expect(0, 0, 1, 0)
}

// TestBadResult: what the mail cannot be composed from, or the store refuses, is
// the message's fault too, and must not stop the mailbox.
func TestBadResult(t *testing.T) {
	tests := []struct {
		name string
		r    service.Result
	}{
		{"a mail to nobody", service.Result{Mails: []service.Mail{answerMail("", "x@example.org")}}},
		{"a player without a number", service.Result{Players: []player.Player{{Name: "x"}}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			w.handle = func(mailer.Message, service.State, service.Env) (service.Result, error) { return tt.r, nil }
			f := fetched(1, raw(hana, "m1@x", "P-7f"))
			for range 2 {
				if err := w.receive(f); err == nil {
					t.Error("Receive = nil, want an error")
				}
			}
			w.mustReceive(f)
			w.expect(0, 0, 1, 1)
		})
	}
}

// TestNoMail: bytes in which the mailer finds no mail are set aside at once,
// for trying again would change nothing.
func TestNoMail(t *testing.T) {
	w := newWorld(t)
	endless := []byte(strings.Repeat("X-Field: "+strings.Repeat("x", 60)+"\r\n", 10_000)) // a header and no end
	w.mustReceive(fetched(1, endless), fetched(2, raw(hana, "m2@x", "P-7f")))
	w.expect(1, 1, 1, 2)
}

// TestOddMail: none of these stops the mailbox.
func TestOddMail(t *testing.T) {
	w := newWorld(t)
	w.handle = func(m mailer.Message, _ service.State, _ service.Env) (service.Result, error) {
		w.handled = append(w.handled, m)
		return service.Result{}, nil
	}
	w.mustReceive(
		fetched(1, nil),
		fetched(2, []byte("\x00\xff\xfe")),
		fetched(3, []byte("\r\n\r\nno header")),
		fetched(4, raw("a@b.example, c@d.example", "m4@x", "two authors")),
		fetched(5, raw("<>", "m5@x", "none")),
	)
	w.expect(5, 0, 0, 5)
}

// TestUnreachable: what a mail did stays done though its answer cannot be
// addressed.
func TestUnreachable(t *testing.T) {
	w := newWorld(t)
	w.handle = func(m mailer.Message, _ service.State, _ service.Env) (service.Result, error) {
		p := player.Player{ID: 1, Name: "Hana", Addresses: []string{hana}}
		return service.Result{
			Players: []player.Player{p},
			Mails:   []service.Mail{answerMail("花@example.org", "a1@x"), answerMail(hana, "a2@x")},
		}, nil
	}
	w.mustReceive(fetched(1, raw(hana, "m1@x", "join Hana")))
	w.expect(0, 1, 0, 1)
	w.view(func(tx *store.Tx) error { _, err := tx.Player(1); return err })
	w.expectLog("the address cannot be sent to")
}

// TestKilled lets the process end, again and again, with the second message
// of a batch in hand.
func TestKilled(t *testing.T) {
	w := newWorld(t)
	batch := []imapbox.Fetched{
		fetched(1, raw(hana, "m1@x", "P-7f")),
		fetched(2, raw(hana, "bad@x", "P-7f")),
		fetched(3, raw(hana, "m3@x", "P-7f")),
	}
	for range 3 {
		w.killed(batch)
	}
	w.restart()
	w.mustReceive(batch...)
	w.expect(2, 2, 1, 3)
	w.expectLog("the last run ended with a message in hand")
}

// killed receives a batch and ends as if the process had been killed while
// the message bad@x was being handled: nothing more is written.
func (w *world) killed(batch []imapbox.Fetched) {
	w.restart()
	w.handle = func(m mailer.Message, st service.State, env service.Env) (service.Result, error) {
		if m.MessageID == "bad@x" {
			runtime.Goexit()
		}
		return w.answer(m, st, env)
	}
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		w.daemon.Receive(context.Background(), batch)
		w.t.Error("Receive returned")
	}()
	<-gone
	w.handle = w.answer
}

// TestDiskFull: a commit that fails costs the message no attempt.
func TestDiskFull(t *testing.T) {
	w := newWorld(t)
	w.handle = func(mailer.Message, service.State, service.Env) (service.Result, error) {
		p := player.Player{ID: 1, Name: strings.Repeat("x", 10_000), Addresses: []string{strings.Repeat("x", maxSize)}}
		return service.Result{Players: []player.Player{p}}, nil
	}
	f := fetched(1, raw(hana, "m1@x", "P-7f"))
	for range 5 {
		if err := w.receive(f); err == nil || !strings.Contains(err.Error(), "commit") {
			t.Fatalf("Receive = %v; want a failed commit", err)
		}
	}
	w.expect(0, 0, 0, 0)
	w.handle = w.answer
	w.mustReceive(f)
	w.expect(1, 1, 0, 1)
}

func TestStopped(t *testing.T) {
	w := newWorld(t)
	ctx, cancel := context.WithCancel(t.Context())
	w.handle = func(m mailer.Message, st service.State, env service.Env) (service.Result, error) {
		cancel() // while the first is in hand
		return w.answer(m, st, env)
	}
	batch := []imapbox.Fetched{fetched(1, raw(hana, "m1@x", "P-7f")), fetched(2, raw(hana, "m2@x", "P-3d"))}
	if err := w.daemon.Receive(ctx, batch); !errors.Is(err, context.Canceled) {
		t.Errorf("Receive = %v, want %v", err, context.Canceled)
	}
	w.expect(1, 1, 0, 1) // the one in hand was finished
	w.restart()
	w.handle = w.answer
	w.mustReceive(batch...)
	w.expect(2, 2, 0, 2)
	if strings.Contains(w.log.String(), "message in hand") {
		t.Errorf("a stop looks like a crash:\n%s", w.log)
	}
}
