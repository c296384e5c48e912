package imapbox_test

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"pbem/mailer/imapbox"
)

func text(n int) string { return string(mail(n)) }

// quick gives up on a silent server soon.
func quick(c imapbox.Config) imapbox.Config {
	c.Timeout = 150 * time.Millisecond
	return c
}

func wantMails(t *testing.T, k *keeper, want ...string) {
	t.Helper()
	k.awaitMails(t, len(want))
	k.mu.Lock()
	defer k.mu.Unlock()
	var got []string
	for _, f := range k.got {
		got = append(got, string(f.Raw))
	}
	if !slices.Equal(got, want) {
		t.Errorf("got mails %q; want %q", got, want)
	}
}

// Trap B2: an answer with its body before its UID is dropped by the library, without an error.
func TestBodyBeforeUID(t *testing.T) {
	t.Parallel()
	s := startBad(t, text(1), text(2), text(3))
	for _, verb := range []string{"UID FETCH", "FETCH"} {
		s.on[verb] = func(p *peer, tag, rest string) bool {
			p.fetch(verb, rest, true)
			p.say("%s OK done", tag)
			return true
		}
	}
	k := newKeeper()
	watch(t, config(t, s.serve()), k)
	wantMails(t, k, text(1), text(2), text(3))
	k.awaitSettled(t, 3)
	if k.cursor.UID != 3 || k.got[0].Arrived.IsZero() {
		t.Errorf("cursor at %d, arrived %v; want 3 and a time", k.cursor.UID, k.got[0].Arrived)
	}
}

// Traps B2, B12: a message that is listed, but not handed over, neither stops the others nor is
// lost. The cursor stays before it.
func TestMessageNotGiven(t *testing.T) {
	for name, answer := range map[string]string{
		"no answer":     "",
		"NIL body":      "* 2 FETCH (UID 2 BODY[] NIL)\r\n",
		"only flags":    "* 2 FETCH (UID 2 FLAGS (\\Seen))\r\n",
		"refused later": "NO",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := startBad(t, text(1), text(2), text(3))
			given := make(chan struct{}) // Closed: the server hands all over.
			for _, verb := range []string{"UID FETCH", "FETCH"} {
				s.on[verb] = func(p *peer, tag, rest string) bool {
					set, items, _ := strings.Cut(rest, " ")
					select {
					case <-given:
						return false
					default:
					}
					if !isBody(rest) {
						return false
					}
					end := "OK done"
					for _, uid := range in(set, p.uids()) {
						switch {
						case uid != 2:
							p.tell(uid, items, false)
						case answer == "NO":
							end = "NO [SERVERBUG] cannot read it"
						default:
							io.WriteString(p, answer)
						}
					}
					p.say("%s %s", tag, end)
					return true
				}
			}
			k := newKeeper()
			c := config(t, s.serve())
			c.Poll = 20 * time.Millisecond
			watch(t, c, k)
			wantMails(t, k, text(1), text(3))
			k.await(t, "third try", func() bool { return strings.Count(s.said(), "UID SEARCH UID 2\n") >= 3 || nudge(k) })
			k.mu.Lock()
			if k.cursor.UID != 1 || k.caughtUp != 0 {
				t.Errorf("cursor at %d, caught up %d times; want 1 and 0", k.cursor.UID, k.caughtUp)
			}
			k.mu.Unlock()
			close(given)
			wantMails(t, k, text(1), text(3), text(2))
			k.awaitSettled(t, 3)
			if k.cursor.UID != 3 {
				t.Errorf("cursor at %d; want 3", k.cursor.UID)
			}
			if n := s.connections(); n != 1 {
				t.Errorf("%d connections; want 1", n)
			}
		})
	}
}

// A message that was deleted while we read is gone, and no trouble.
func TestMessageGone(t *testing.T) {
	t.Parallel()
	s := startBad(t, text(1), text(2), text(3))
	s.on["UID FETCH"] = func(p *peer, tag, rest string) bool {
		p.mu.Lock()
		delete(p.mails, 2)
		p.mu.Unlock()
		return false
	}
	k := newKeeper()
	watch(t, config(t, s.serve()), k)
	wantMails(t, k, text(1), text(3))
	k.awaitSettled(t, 2)
	if k.cursor.UID != 3 {
		t.Errorf("cursor at %d; want 3", k.cursor.UID)
	}
}

// Traps B3, B4: a connection cut within a body gives a short body and no error.
func TestCutWithinBody(t *testing.T) {
	t.Parallel()
	long := text(1) + strings.Repeat("a line of text\r\n", 3000)
	s := startBad(t, long, text(2))
	s.on["UID FETCH"] = once(func(p *peer, tag, rest string) bool {
		if !isBody(rest) {
			return false
		}
		fmt.Fprintf(p, "* 1 FETCH (UID 1 BODY[] {%d}\r\n%s", len(long), long[:5000])
		p.Close()
		return true
	})
	k := newKeeper()
	watch(t, config(t, s.serve()), k)
	wantMails(t, k, long, text(2))
}

// The library stays within one literal for 5 minutes, and its Close waits for it (trap B6).
func TestStallWithinBody(t *testing.T) {
	t.Parallel()
	s := startBad(t, text(1), text(2))
	s.on["UID FETCH"] = once(func(p *peer, tag, rest string) bool {
		if !isBody(rest) {
			return false
		}
		fmt.Fprintf(p, "* 1 FETCH (UID 1 BODY[] {%d}\r\n%s", len(text(1)), text(1)[:10])
		return silent(p, tag, rest)
	})
	k := newKeeper()
	watch(t, quick(config(t, s.serve())), k)
	wantMails(t, k, text(1), text(2))
}

// Watch ends with its context even while a body is under way.
func TestStopWithinBody(t *testing.T) {
	t.Parallel()
	s := startBad(t, text(1))
	within := make(chan struct{})
	s.on["UID FETCH"] = func(p *peer, tag, rest string) bool {
		if !isBody(rest) {
			return false
		}
		fmt.Fprintf(p, "* 1 FETCH (UID 1 BODY[] {%d}\r\n%s", len(text(1)), text(1)[:10])
		close(within)
		return silent(p, tag, rest)
	}
	stop := watch(t, config(t, s.serve()), newKeeper())
	<-within
	began := time.Now()
	stop()
	if took := time.Since(began); took > 2*time.Second {
		t.Errorf("Watch ended after %v", took)
	}
}

// Trap B5: the library waits for ever for the first byte of an answer.
func TestSilentServer(t *testing.T) {
	for _, verb := range []string{"", "LOGIN", "CAPABILITY", "SELECT", "UID SEARCH", "UID FETCH", "UID STORE", "IDLE"} {
		t.Run(verb, func(t *testing.T) {
			t.Parallel()
			s := startBad(t, text(1))
			s.on[verb] = once(silent)
			k := newKeeper()
			watch(t, quick(config(t, s.serve())), k)
			k.awaitMails(t, 1)
			k.await(t, "second connection", func() bool { return s.connections() > 1 || nudge(k) })
		})
	}
}

// nudge makes await look again soon; for what the keeper is not told of.
func nudge(k *keeper) bool {
	time.AfterFunc(5*time.Millisecond, func() {
		k.mu.Lock()
		defer k.mu.Unlock()
		k.tell()
	})
	return false
}

// Trap B7: a server that freezes within IDLE lets Close succeed and Wait hang; one that says
// BYE without closing is not noticed at all.
func TestFrozenWithinIdle(t *testing.T) {
	for name, last := range map[string]string{"silent": "", "BYE": "* BYE see you\r\n"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := startBad(t, text(1))
			s.on["IDLE"] = once(func(p *peer, tag, rest string) bool {
				p.say("+ idling")
				io.WriteString(p, last)
				p.put(2, text(2))
				return silent(p, tag, rest)
			})
			k := newKeeper()
			c := quick(config(t, s.serve()))
			c.IdleFor = 30 * time.Millisecond
			watch(t, c, k)
			wantMails(t, k, text(1), text(2))
		})
	}
}

// A server that never tells of new mail within IDLE is found out by polling.
func TestIdleTellsNothing(t *testing.T) {
	t.Parallel()
	s := startBad(t, text(1))
	s.on["IDLE"] = func(p *peer, tag, rest string) bool {
		p.put(2, text(2))
		return false
	}
	k := newKeeper()
	c := config(t, s.serve())
	c.Poll = 20 * time.Millisecond
	watch(t, c, k)
	wantMails(t, k, text(1), text(2))
	if n := s.connections(); n != 1 {
		t.Errorf("%d connections; want 1", n)
	}
}

// Trap B8: news may come with the answer to any command; the callback must not wait.
func TestNewsWithinCommands(t *testing.T) {
	t.Parallel()
	s := startBad(t, text(1), text(2))
	for _, verb := range []string{"UID SEARCH", "UID FETCH", "UID STORE", "NOOP"} {
		s.on[verb] = func(p *peer, tag, rest string) bool {
			for range 5 {
				p.say("* %d EXISTS\r\n* %d RECENT", len(p.uids()), len(p.uids()))
			}
			return false
		}
	}
	k := newKeeper()
	watch(t, config(t, s.serve()), k)
	wantMails(t, k, text(1), text(2))
	k.awaitRounds(t, 3) // The news wakes us each time.
	if n := s.connections(); n != 1 {
		t.Errorf("%d connections; want 1", n)
	}
}

// Trap B9: the library drops the connection over a response it does not know.
func TestUnknownResponse(t *testing.T) {
	t.Parallel()
	s := startBad(t, text(1), text(2))
	s.on["UID FETCH"] = once(func(p *peer, tag, rest string) bool {
		p.say("* VANISHED 41,43:116")
		return false
	})
	k := newKeeper()
	watch(t, config(t, s.serve()), k)
	wantMails(t, k, text(1), text(2))
	if n := s.connections(); n != 2 {
		t.Errorf("%d connections; want 2", n)
	}
}

// Trap B10: a command with an empty set of UIDs breaks the connection.
func TestEmptyMailbox(t *testing.T) {
	t.Parallel()
	s := startBad(t)
	k := newKeeper()
	c := config(t, s.serve())
	c.Poll = 5 * time.Millisecond
	watch(t, c, k)
	k.awaitRounds(t, 5)
	if n := s.connections(); n != 1 || strings.Contains(s.said(), "FETCH") || strings.Contains(s.said(), "STORE") {
		t.Errorf("%d connections, client said\n%s\nwant 1, and neither FETCH nor STORE", n, s.said())
	}
}

// Trap B15: the library panics on a search result that holds "*".
func TestPanicInLibrary(t *testing.T) {
	t.Parallel()
	s := startBad(t, text(1))
	s.on["UID SEARCH"] = once(func(p *peer, tag, _ string) bool {
		p.say("* SEARCH 0\r\n%s OK done", tag)
		return true
	})
	k := newKeeper()
	watch(t, config(t, s.serve()), k)
	wantMails(t, k, text(1))
	if n := s.connections(); n != 2 {
		t.Errorf("%d connections; want 2", n)
	}
}

// Trap B16: after a refused IDLE the connection is as good as before.
func TestIdleRefused(t *testing.T) {
	t.Parallel()
	s := startBad(t, text(1))
	s.on["IDLE"] = func(p *peer, tag, _ string) bool {
		p.put(2, text(2))
		p.say("%s NO not today", tag)
		return true
	}
	k := newKeeper()
	c := config(t, s.serve())
	c.Poll = 10 * time.Millisecond
	watch(t, c, k)
	wantMails(t, k, text(1), text(2))
	k.awaitRounds(t, 2)
	if n, idles := s.connections(), strings.Count(s.said(), "IDLE"); n != 1 || idles != 1 {
		t.Errorf("%d connections, %d IDLEs; want 1 and 1", n, idles)
	}
}

// A message that costs the connection each time is set aside; the others come through.
func TestKillerMessage(t *testing.T) {
	for name, kill := range map[string]func(p *peer, tag, rest string) bool{
		"body": func(p *peer, tag, rest string) bool {
			set, _, _ := strings.Cut(rest, " ")
			if !isBody(rest) || !slices.Contains(in(set, p.uids()), 2) {
				return false
			}
			fmt.Fprintf(p, "* 2 FETCH (UID 2 BODY[] {100}\r\nFrom")
			p.Close()
			return true
		},
		"date": func(p *peer, tag, rest string) bool {
			set, _, _ := strings.Cut(rest, " ")
			if isBody(rest) || !slices.Contains(in(set, p.uids()), 2) {
				return false
			}
			p.say(`* 2 FETCH (UID 2 INTERNALDATE "yesterday" RFC822.SIZE 100)`)
			return false
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := startBad(t, text(1), text(2), text(3))
			s.on["UID FETCH"] = kill
			k := newKeeper()
			watch(t, config(t, s.serve()), k)
			wantMails(t, k, text(1), text(3))
			k.await(t, "fourth connection", func() bool { return s.connections() >= 4 || nudge(k) })
			s.put(4, text(4))
			for _, p := range s.all() { // It goes on after that.
				p.Close()
			}
			wantMails(t, k, text(1), text(3), text(4))
			k.mu.Lock()
			defer k.mu.Unlock()
			if k.cursor.UID != 1 || k.caughtUp != 0 {
				t.Errorf("cursor at %d, caught up %d times; want 1 and 0", k.cursor.UID, k.caughtUp)
			}
		})
	}
}

// The search for new mail always finds the last one (RFC 3501, section 6.4.8): it is not
// offered twice.
func TestNothingNew(t *testing.T) {
	t.Parallel()
	s := startBad(t, text(1), text(2))
	k := newKeeper()
	c := config(t, s.serve())
	c.Poll = 5 * time.Millisecond
	watch(t, c, k)
	k.awaitRounds(t, 5)
	wantMails(t, k, text(1), text(2))
}

// The size a server tells may be wrong; a body is never held beyond the limit.
func TestTooLarge(t *testing.T) {
	t.Parallel()
	header := "From: hana@example.org\r\nSubject: big\r\n\r\n"
	big := header + strings.Repeat("a line of text\r\n", 20_000)
	s := startBad(t, big, big, text(3))
	s.mails[2].size = 100 // A lie.
	k := newKeeper()
	c := config(t, s.serve())
	c.MaxSize = 70_000
	watch(t, c, k)
	wantMails(t, k, header, header, text(3))
	for i, want := range []bool{true, true, false} {
		if k.got[i].TooLarge != want {
			t.Errorf("mail %d: TooLarge = %t; want %t", i+1, k.got[i].TooLarge, want)
		}
	}
	if k.got[0].Size != int64(len(big)) {
		t.Errorf("Size = %d; want %d", k.got[0].Size, len(big))
	}
}

// Nothing is skipped when the server has another UIDVALIDITY than the cursor, a lower one or
// none at all.
func TestOtherUIDValidity(t *testing.T) {
	for name, line := range map[string]string{
		"higher": "* OK [UIDVALIDITY 9] ok", "lower": "* OK [UIDVALIDITY 3] ok", "none": "",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := startBad(t, text(1), text(2), text(3))
			s.validity = line
			k := newKeeper()
			k.cursor = imapbox.Cursor{UIDValidity: 7, UID: 2}
			watch(t, config(t, s.serve()), k)
			wantMails(t, k, text(1), text(2), text(3))
		})
	}
	t.Run("same", func(t *testing.T) {
		t.Parallel()
		s := startBad(t, text(1), text(2), text(3))
		s.mails[1].flags, s.mails[2].flags = "$PbemDone", "$PbemDone"
		k := newKeeper()
		k.cursor = imapbox.Cursor{UIDValidity: 7, UID: 2}
		watch(t, config(t, s.serve()), k)
		wantMails(t, k, text(3))
	})
}
