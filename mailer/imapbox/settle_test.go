package imapbox_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"

	"pbem/internal/localmail"
	"pbem/mailer/imapbox"
)

// person is somebody who opens the same mailbox by another program.
func person(t *testing.T, s *localmail.Server) *imapclient.Client {
	t.Helper()
	c, err := imapclient.DialInsecure(s.IMAPAddr(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	if err := c.Login(address, password).Wait(); err != nil {
		t.Fatal(err)
	}
	return c
}

// lying returns what lies in a mailbox as lines "UID flags".
func lying(t *testing.T, c *imapclient.Client, mailbox string) []string {
	t.Helper()
	data, err := c.Select(mailbox, nil).Wait()
	if err != nil {
		return []string{err.Error()}
	}
	if data.NumMessages == 0 {
		return nil
	}
	found, err := c.Fetch(imap.UIDSet{{Start: 1}}, &imap.FetchOptions{UID: true, Flags: true}).Collect()
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, m := range found {
		slices.Sort(m.Flags)
		lines = append(lines, fmt.Sprint(m.UID, m.Flags))
	}
	return lines
}

// mark sets a flag on the mail uid.
func mark(t *testing.T, c *imapclient.Client, uid uint32, flag imap.Flag) {
	t.Helper()
	if _, err := c.Select("INBOX", nil).Wait(); err != nil {
		t.Fatal(err)
	}
	err := c.Store(imap.UIDSetNum(imap.UID(uid)), &imap.StoreFlags{Op: imap.StoreFlagsAdd, Flags: []imap.Flag{flag}}, nil).Close()
	if err != nil {
		t.Fatal(err)
	}
}

// Trap B1: mail is moved where the server can do it safely, and flagged elsewhere; mail that
// others have marked as deleted stays.
func TestHandledMail(t *testing.T) {
	tests := []struct {
		name, moveTo string
		caps         localmail.Caps
		inbox, done  []string
	}{
		{"flag full", "", localmail.CapsFull, []string{`1 [$pbemdone \Deleted]`, "2 [$pbemdone]"}, nil},
		{"flag basic", "", localmail.CapsBasic, []string{`1 [$pbemdone \Deleted]`, "2 [$pbemdone]"}, nil},
		{"move full", "Done", localmail.CapsFull, nil, []string{`1 [\Deleted]`, "2 []"}},
		{"move uidplus", "Done", localmail.CapsUIDPlus, nil, []string{`1 [\Deleted]`, "2 []"}},
		{"move basic", "Done", localmail.CapsBasic, []string{`1 [$pbemdone \Deleted]`, "2 [$pbemdone]"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := start(t, localmail.Options{Caps: tt.caps})
			deliver(t, s, mail(1))
			deliver(t, s, mail(2))
			other := person(t, s)
			mark(t, other, 1, imap.FlagDeleted)
			k := newKeeper()
			c := config(t, s.IMAPAddr())
			c.MoveTo = tt.moveTo
			watch(t, c, k)
			k.awaitSettled(t, 2)
			if got := lying(t, other, "INBOX"); !slices.Equal(got, tt.inbox) {
				t.Errorf("INBOX holds %q; want %q", got, tt.inbox)
			}
			if tt.done != nil {
				if got := lying(t, other, "Done"); !slices.Equal(got, tt.done) {
					t.Errorf("Done holds %q; want %q", got, tt.done)
				}
			}
		})
	}
}

// Trap B1: a copy that fails deletes nothing.
func TestCopyFails(t *testing.T) {
	t.Parallel()
	s := startBad(t, text(1))
	s.caps = "IMAP4rev1 IDLE UIDPLUS"
	for _, verb := range []string{"UID COPY", "CREATE"} {
		s.on[verb] = func(p *peer, tag, _ string) bool {
			p.say("%s NO [OVERQUOTA] no room", tag)
			return true
		}
	}
	k := newKeeper()
	c := config(t, s.serve())
	c.MoveTo = "Done"
	watch(t, c, k)
	k.awaitSettled(t, 1)
	said := s.said()
	if strings.Contains(said, "Deleted") || strings.Contains(said, "EXPUNGE") || !strings.Contains(said, "$PbemDone") {
		t.Errorf("client said\n%s\nwant the mail flagged, and nothing deleted", said)
	}
}

// The keyword falls back to \Seen where the server does not keep keywords.
func TestFlags(t *testing.T) {
	tests := []struct{ name, permanent, wanted, stored string }{
		{"keywords", `\Seen \*`, "", "$PbemDone"},
		{"this keyword", `\Seen $pbemdone`, "", "$PbemDone"},
		{"no keywords", `\Seen \Deleted`, "", `\Seen`},
		{"own flag", `\Seen \Flagged \*`, `\Flagged`, `\Flagged`},
		{"own keyword", `\Seen \*`, "Shogi", "Shogi"},
		{"nothing", `\Draft`, "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := startBad(t, text(1))
			s.flags = tt.permanent
			k := newKeeper()
			c := config(t, s.serve())
			c.Flag = tt.wanted
			watch(t, c, k)
			k.awaitSettled(t, 1)
			want := fmt.Sprintf("UID STORE 1 +FLAGS.SILENT (%s)", tt.stored)
			if said := s.said(); strings.Contains(said, want) != (tt.stored != "") {
				t.Errorf("client said\n%s\nwant %q", said, want)
			}
		})
	}
}

// A server that promises keywords and refuses them gets \Seen.
func TestKeywordRefused(t *testing.T) {
	t.Parallel()
	s := startBad(t, text(1))
	s.on["UID STORE"] = func(p *peer, tag, rest string) bool {
		if strings.Contains(rest, "$PbemDone") {
			p.say("%s NO no keywords", tag)
			return true
		}
		return false
	}
	k := newKeeper()
	watch(t, config(t, s.serve()), k)
	k.awaitSettled(t, 1)
	if said := s.said(); !strings.Contains(said, `(\Seen)`) {
		t.Errorf("client said\n%s\nwant \\Seen stored", said)
	}
}

// Mail that somebody has read in another program is handled like any other.
func TestSeenMailIsTaken(t *testing.T) {
	t.Parallel()
	s := start(t, localmail.Options{})
	mark(t, person(t, s), deliver(t, s, mail(1)), imap.FlagSeen)
	k := newKeeper()
	watch(t, config(t, s.IMAPAddr()), k)
	k.awaitMails(t, 1)
}

// Fetching does not set \Seen.
func TestPeek(t *testing.T) {
	t.Parallel()
	s := start(t, localmail.Options{})
	deliver(t, s, mail(1))
	k := newKeeper()
	k.onReceive = func([]imapbox.Fetched) error {
		if got := lying(t, person(t, s), "INBOX"); !slices.Equal(got, []string{"1 []"}) {
			t.Errorf("INBOX holds %q; want the mail without flags", got)
		}
		return nil
	}
	watch(t, config(t, s.IMAPAddr()), k)
	k.awaitMails(t, 1)
}

// Trap B11: the memory server breaks the connection over a MOVE of a mail deleted meanwhile.
// The next one goes on.
func TestDeletedBeforeMove(t *testing.T) {
	t.Parallel()
	s := start(t, localmail.Options{})
	other := person(t, s)
	deliver(t, s, mail(1))
	k := newKeeper()
	k.onReceive = func(batch []imapbox.Fetched) error {
		if batch[0].UID == 1 {
			mark(t, other, 1, imap.FlagDeleted)
			return other.Expunge().Close()
		}
		return nil
	}
	c := config(t, s.IMAPAddr())
	c.MoveTo = "Done"
	watch(t, c, k)
	k.awaitMails(t, 1)
	deliver(t, s, mail(2))
	k.awaitSettled(t, 2)
	if got := lying(t, other, "INBOX"); got != nil {
		t.Errorf("INBOX holds %q; want nothing", got)
	}
}

// A mailbox made anew under our feet is noticed when IDLE is left, and read from its start.
func TestMailboxMadeAnew(t *testing.T) {
	for name, caps := range allCaps {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := start(t, localmail.Options{Caps: caps})
			deliver(t, s, mail(1))
			k := newKeeper()
			c := config(t, s.IMAPAddr())
			c.IdleFor = 20 * time.Millisecond
			watch(t, c, k)
			k.awaitSettled(t, 1)
			if err := s.Recreate(address); err != nil {
				t.Fatal(err)
			}
			deliver(t, s, mail(2))
			wantMails(t, k, text(1), text(2))
			if got := k.got[1]; got.UID != 1 || got.UIDValidity == k.got[0].UIDValidity {
				t.Errorf("got UID %d of UIDVALIDITY %d; want 1 of another", got.UID, got.UIDValidity)
			}
		})
	}
}

// Watch that ends while mail is made durable still marks that mail.
func TestStopWithinReceive(t *testing.T) {
	t.Parallel()
	s := start(t, localmail.Options{})
	deliver(t, s, mail(1))
	k := newKeeper()
	ctx, cancel := context.WithCancel(context.Background())
	k.onReceive = func([]imapbox.Fetched) error {
		cancel()
		return nil
	}
	if err := imapbox.Watch(ctx, config(t, s.IMAPAddr()), k); !errors.Is(err, context.Canceled) {
		t.Errorf("Watch = %v; want context canceled", err)
	}
	if got := lying(t, person(t, s), "INBOX"); !slices.Equal(got, []string{"1 [$pbemdone]"}) {
		t.Errorf("INBOX holds %q; want the mail flagged", got)
	}
}

// Hundreds of mails come in order, in batches, across connections that break all the time.
func TestManyMails(t *testing.T) {
	for name, caps := range allCaps {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := start(t, localmail.Options{Caps: caps})
			const n = 150
			for i := range n {
				deliver(t, s, mail(i))
			}
			var faults []localmail.Fault
			for i := range 6 {
				faults = append(faults, localmail.Fault{After: int64(3000 + 2000*i)})
			}
			p, err := localmail.NewProxy(s.IMAPAddr(), faults...)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(p.Close)
			k := newKeeper()
			watch(t, config(t, p.Addr()), k)
			k.awaitSettled(t, n)
			seen := make(map[uint32]bool)
			for _, f := range k.got {
				if string(f.Raw) != text(int(f.UID)-1) {
					t.Fatalf("mail %d is %q", f.UID, f.Raw)
				}
				seen[f.UID] = true
			}
			if len(seen) != n || k.cursor.UID != n {
				t.Errorf("%d mails, cursor at %d; want %d", len(seen), k.cursor.UID, n)
			}
		})
	}
}
