package lmtp_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-smtp"

	"pbem/mailer/lmtp"
)

const patience = 10 * time.Second

// taken is a mail that was delivered.
type taken struct {
	from string
	to   []string
	raw  string
}

// store is a place mail is delivered to.
type store struct {
	mu    sync.Mutex
	mails []taken
	fail  func() error // asked before each mail; may be nil
}

func (s *store) deliver(_ context.Context, from string, to []string, raw []byte) error {
	if s.fail != nil {
		if err := s.fail(); err != nil {
			return err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mails = append(s.mails, taken{from, to, string(raw)})
	return nil
}

func (s *store) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.mails)
}

// serve runs Serve on addr until the test ends or stop is called, which returns its error.
func serve(t *testing.T, addr string, c lmtp.Config, deliver lmtp.DeliverFunc) (at net.Addr, stop func() error) {
	t.Helper()
	ln, err := lmtp.Listen(addr)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- lmtp.Serve(ctx, ln, c, deliver) }()
	stop = sync.OnceValue(func() error {
		cancel()
		select {
		case err := <-ended:
			return err
		case <-time.After(patience):
			return errors.New("Serve does not end")
		}
	})
	t.Cleanup(func() {
		if err := stop(); !errors.Is(err, context.Canceled) {
			t.Errorf("Serve = %v; want context canceled", err)
		}
	})
	return ln.Addr(), stop
}

func dial(t *testing.T, addr net.Addr) *smtp.Client {
	t.Helper()
	conn, err := net.Dial(addr.Network(), addr.String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	c := smtp.NewClientLMTP(conn)
	c.CommandTimeout, c.SubmissionTimeout = patience, patience
	return c
}

// hand gives a mail to two recipients and returns the error of the last step.
func hand(c *smtp.Client, raw string) error {
	if err := c.Mail("hana@example.org", nil); err != nil {
		return err
	}
	return finish(c, raw)
}

// finish does what comes after MAIL.
func finish(c *smtp.Client, raw string) error {
	for _, to := range []string{"shogi+g17@example.org", "shogi@example.org"} {
		if err := c.Rcpt(to, nil); err != nil {
			return err
		}
	}
	w, err := c.Data()
	if err != nil {
		return err
	}
	if _, err := w.Write([]byte(raw)); err != nil {
		return err
	}
	_, err = w.CloseWithLMTPResponse()
	return err
}

// code returns the server's code, 0 if err is nil.
func code(t *testing.T, err error) int {
	t.Helper()
	if err == nil {
		return 0
	}
	answer := (*smtp.SMTPError)(nil)
	if !errors.As(err, &answer) {
		t.Fatalf("error %v; want an answer of the server", err)
	}
	return answer.Code
}

const raw = "From: hana@example.org\r\n\r\n.P-7f\r\n"

func TestMailIsTaken(t *testing.T) {
	for _, addr := range []string{"127.0.0.1:0", "unix:" + filepath.Join(t.TempDir(), "lmtp")} {
		t.Run(addr, func(t *testing.T) {
			var s store
			at, _ := serve(t, addr, lmtp.Config{}, s.deliver)
			c := dial(t, at)
			for range 2 {
				if err := hand(c, raw); err != nil {
					t.Fatal(err)
				}
			}
			if s.count() != 2 {
				t.Fatalf("%d mails; want 2", s.count())
			}
			got := s.mails[0]
			if got.raw != raw || got.from != "hana@example.org" || strings.Join(got.to, " ") != "shogi+g17@example.org shogi@example.org" {
				t.Errorf("got %+v", got)
			}
		})
	}
}

// Our own failures are temporary, whatever kind of error they are (trap S3).
func TestFailuresAreTemporary(t *testing.T) {
	for name, fail := range map[string]func() error{
		"error":           func() error { return errors.New("disk full: /var/lib/pbem") },
		"permanent error": func() error { return &smtp.SMTPError{Code: 554, Message: "no"} },
		"panic":           func() error { panic("out of cheese") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := store{fail: fail}
			at, _ := serve(t, "127.0.0.1:0", lmtp.Config{}, s.deliver)
			err := hand(dial(t, at), raw)
			if got := code(t, err); got != 451 || strings.Contains(err.Error(), "/var") {
				t.Errorf("answer %v; want 451 without our words", err)
			}
		})
	}
}

func TestTooLarge(t *testing.T) {
	t.Parallel()
	var s store
	at, _ := serve(t, "127.0.0.1:0", lmtp.Config{MaxSize: 1000}, s.deliver)
	c := dial(t, at)
	if got := code(t, hand(c, strings.Repeat("a line of text\r\n", 100))); got != 552 {
		t.Errorf("answer %d; want 552", got)
	}
	if err := hand(c, raw); err != nil || s.count() != 1 {
		t.Errorf("the mail behind it: %v, %d mails taken", err, s.count())
	}
	if err := c.Mail("hana@example.org", &smtp.MailOptions{Size: 1001}); code(t, err) != 552 {
		t.Errorf("MAIL with SIZE: %v; want 552", err)
	}
}

func TestTooManyRecipients(t *testing.T) {
	t.Parallel()
	var s store
	at, _ := serve(t, "127.0.0.1:0", lmtp.Config{MaxRcpt: 1}, s.deliver)
	if got := code(t, hand(dial(t, at), raw)); got != 452 {
		t.Errorf("answer %d; want 452", got)
	}
}

// A mail that does not come whole is not delivered.
func TestCutWithinMail(t *testing.T) {
	t.Parallel()
	var s store
	at, stop := serve(t, "127.0.0.1:0", lmtp.Config{}, s.deliver)
	conn, err := net.Dial(at.Network(), at.String())
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(conn, "LHLO x\r\nMAIL FROM:<a@b.example>\r\nRCPT TO:<shogi@example.org>\r\nDATA\r\nFrom: a@b.example\r\n")
	for r := bufio.NewReader(conn); ; {
		line, err := r.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(line, "354") {
			break
		}
	}
	conn.Close()
	stop()
	if s.count() != 0 {
		t.Errorf("%d mails delivered; want none", s.count())
	}
}

// Serve ends with its context: idle connections at once, those with a mail in hand after it.
func TestStop(t *testing.T) {
	t.Parallel()
	within, goOn := make(chan struct{}), make(chan struct{})
	var once sync.Once
	s := store{fail: func() error { once.Do(func() { close(within); <-goOn }); return nil }}
	at, stop := serve(t, "127.0.0.1:0", lmtp.Config{}, s.deliver)
	idle := dial(t, at)
	if err := idle.Hello("mx.example.org"); err != nil {
		t.Fatal(err)
	}
	busy := dial(t, at)
	begun := dial(t, at)
	if err := begun.Mail("hana@example.org", nil); err != nil {
		t.Fatal(err)
	}
	handed := make(chan error, 1)
	go func() { handed <- hand(busy, raw) }()
	<-within
	stopped := make(chan error, 1)
	go func() { stopped <- stop() }()
	var err error
	for err == nil { // Until the server closes it.
		err = idle.Noop()
	}
	if got := code(t, err); got != 421 {
		t.Errorf("idle connection got %d; want 421", got)
	}
	select {
	case err := <-stopped:
		t.Fatalf("Serve = %v with a mail in hand", err)
	default:
	}
	close(goOn)
	if err := <-handed; err != nil || s.count() != 1 {
		t.Errorf("the mail in hand: %v, %d mails taken; want it finished", err, s.count())
	}
	if err := finish(begun, raw); err != nil || s.count() != 2 {
		t.Errorf("the mail begun: %v, %d mails taken; want it finished", err, s.count())
	}
	if err := <-stopped; !errors.Is(err, context.Canceled) {
		t.Errorf("Serve = %v; want context canceled", err)
	}
	if _, err := net.Dial(at.Network(), at.String()); err == nil {
		t.Error("the port is still open")
	}
}

// More connections than allowed wait for their turn.
func TestMaxConn(t *testing.T) {
	t.Parallel()
	var s store
	at, _ := serve(t, "127.0.0.1:0", lmtp.Config{MaxConn: 1}, s.deliver)
	first := dial(t, at)
	if err := first.Hello("mx.example.org"); err != nil {
		t.Fatal(err)
	}
	second := make(chan error, 1)
	c := dial(t, at)
	go func() { second <- hand(c, raw) }()
	if err := hand(first, raw); err != nil {
		t.Fatal(err)
	}
	if n := s.count(); n != 1 {
		t.Errorf("%d mails taken; want the first connection alone served", n)
	}
	first.Quit()
	if err := <-second; err != nil {
		t.Error(err)
	}
}

// A client that says nothing is sent away.
func TestSilentClient(t *testing.T) {
	t.Parallel()
	var s store
	at, _ := serve(t, "127.0.0.1:0", lmtp.Config{Timeout: 30 * time.Millisecond}, s.deliver)
	conn, err := net.Dial(at.Network(), at.String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	conn.SetReadDeadline(time.Now().Add(patience))
	r := bufio.NewReader(conn)
	r.ReadString('\n')
	if line, err := r.ReadString('\n'); !strings.HasPrefix(line, "421") {
		t.Errorf("got %q, %v; want 421", line, err)
	}
}

// A socket left behind is replaced; one in use, or a file, is not.
func TestListenOnUnixSocket(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "lmtp")
	left, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := lmtp.Listen("unix:" + path); err == nil {
		t.Error("Listen took a socket in use")
	}
	left.(*net.UnixListener).SetUnlinkOnClose(false)
	left.Close()
	ln, err := lmtp.Listen("unix:" + path)
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o660 {
		t.Errorf("mode of the socket %v, %v; want 0660", info.Mode(), err)
	}
	ln.Close()
	if err := os.WriteFile(path, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := lmtp.Listen("unix:" + path); err == nil {
		t.Error("Listen replaced a file")
	}
}
