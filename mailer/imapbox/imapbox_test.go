package imapbox_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pbem/internal/localmail"
	"pbem/mailer/imapbox"
)

const (
	address  = "shogi@example.org"
	password = "tokin"
	patience = 10 * time.Second
)

// keeper is a Handler that keeps everything in memory.
type keeper struct {
	mu        sync.Mutex
	cursor    imapbox.Cursor
	got       []imapbox.Fetched
	caughtUp  int // rounds ended
	during    int // caughtUp when mail last came
	asOf      time.Time
	changed   chan struct{}
	onReceive func([]imapbox.Fetched) error // called first; may be nil
}

func newKeeper() *keeper { return &keeper{changed: make(chan struct{})} }

func (k *keeper) Cursor(string) (imapbox.Cursor, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.cursor, nil
}

func (k *keeper) Receive(_ context.Context, batch []imapbox.Fetched) error {
	if k.onReceive != nil {
		if err := k.onReceive(batch); err != nil {
			return err
		}
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.got = append(k.got, batch...)
	k.during = k.caughtUp
	for _, f := range batch {
		if f.UIDValidity != k.cursor.UIDValidity {
			k.cursor = imapbox.Cursor{UIDValidity: f.UIDValidity}
		}
		k.cursor.UID = max(k.cursor.UID, f.Through)
	}
	k.tell()
	return nil
}

func (k *keeper) CaughtUp(_ string, t time.Time) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.caughtUp++
	k.asOf = t
	k.tell()
	return nil
}

func (k *keeper) tell() {
	close(k.changed)
	k.changed = make(chan struct{})
}

// await waits until done holds for what is kept.
func (k *keeper) await(t *testing.T, what string, done func() bool) {
	t.Helper()
	limit := time.After(patience)
	for {
		k.mu.Lock()
		ok, changed := done(), k.changed
		k.mu.Unlock()
		if ok {
			return
		}
		select {
		case <-changed:
		case <-limit:
			t.Fatalf("no %s within %v; got UIDs %v", what, patience, k.uids())
		}
	}
}

func (k *keeper) awaitMails(t *testing.T, n int) {
	t.Helper()
	k.await(t, fmt.Sprintf("%d mails", n), func() bool { return len(k.got) >= n })
}

func (k *keeper) awaitRounds(t *testing.T, n int) {
	t.Helper()
	k.await(t, "end of the mailbox", func() bool { return k.caughtUp >= n })
}

// awaitSettled waits until n mails came, were flagged or moved, and no more lie there.
func (k *keeper) awaitSettled(t *testing.T, n int) {
	t.Helper()
	k.await(t, fmt.Sprintf("%d mails settled", n), func() bool { return len(k.got) >= n && k.caughtUp > k.during })
}

func (k *keeper) uids() []uint32 {
	k.mu.Lock()
	defer k.mu.Unlock()
	var uids []uint32
	for _, f := range k.got {
		uids = append(uids, f.UID)
	}
	return uids
}

// watch runs Watch until the test ends.
func watch(t *testing.T, c imapbox.Config, h imapbox.Handler) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- imapbox.Watch(ctx, c, h) }()
	stop = sync.OnceFunc(func() {
		cancel()
		select {
		case err := <-ended:
			if !errors.Is(err, context.Canceled) {
				t.Errorf("Watch = %v; want context canceled", err)
			}
		case <-time.After(patience):
			t.Errorf("Watch does not end %v after its context", patience)
		}
	})
	t.Cleanup(stop)
	return stop
}

func config(t *testing.T, addr string) imapbox.Config {
	return imapbox.Config{
		Addr: addr, Security: imapbox.SecurityNone, User: address, Password: password,
		Poll: time.Minute, Timeout: patience,
		RetryFirst: 5 * time.Millisecond, RetryMax: 20 * time.Millisecond,
		Log: slog.New(slog.NewTextHandler(testLog{t}, &slog.HandlerOptions{Level: slog.LevelDebug})),
	}
}

// testLog writes to the test's log and fails the test if the password gets into it.
type testLog struct{ t *testing.T }

func (l testLog) Write(b []byte) (int, error) {
	if strings.Contains(string(b), password) {
		l.t.Errorf("the password is in the log: %s", b)
	}
	l.t.Logf("%s", b)
	return len(b), nil
}

func start(t *testing.T, o localmail.Options) *localmail.Server {
	t.Helper()
	s, err := localmail.Start(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	s.AddUser(address, password)
	return s
}

func mail(n int) []byte {
	return fmt.Appendf(nil, "From: hana@example.org\r\nSubject: move %d\r\n\r\nP-7f\r\n", n)
}

func deliver(t *testing.T, s *localmail.Server, raw []byte) uint32 {
	t.Helper()
	uid, err := s.Deliver(address, raw, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	return uid
}

var allCaps = map[string]localmail.Caps{
	"full": localmail.CapsFull, "basic": localmail.CapsBasic, "uidplus": localmail.CapsUIDPlus,
}

func TestMailIsTaken(t *testing.T) {
	for name, caps := range allCaps {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := start(t, localmail.Options{Caps: caps})
			arrived := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
			if _, err := s.Deliver(address, mail(1), arrived); err != nil {
				t.Fatal(err)
			}
			k := newKeeper()
			watch(t, config(t, s.IMAPAddr()), k)
			k.awaitSettled(t, 1) // Mail that lay there before the first start is taken.
			if got := k.got[0]; !got.Arrived.Equal(arrived) || string(got.Raw) != string(mail(1)) ||
				got.Size != int64(len(mail(1))) || got.TooLarge || got.Mailbox != "INBOX" {
				t.Errorf("got %+v; want the mail as it was delivered", got)
			}
			for n := 2; n <= 5; n++ { // IDLE tells at once; Poll is a minute.
				deliver(t, s, mail(n))
				k.awaitSettled(t, n)
			}
			if want := []uint32{1, 2, 3, 4, 5}; !slices.Equal(k.uids(), want) {
				t.Errorf("got UIDs %v; want %v", k.uids(), want)
			}
			if k.cursor.UID != 5 {
				t.Errorf("cursor at %d; want 5", k.cursor.UID)
			}
		})
	}
}
