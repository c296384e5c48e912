package localmail_test

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"

	"pbem/internal/localmail"
)

const (
	bot      = "shogi@example.org"
	hana     = "hana@example.org"
	password = "tokin"
	raw      = "From: hana@example.org\r\nSubject: [K7Q2]\r\n\r\nP-7f\r\n"
)

func start(t *testing.T, o localmail.Options) *localmail.Server {
	t.Helper()
	s, err := localmail.Start(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	s.AddUser(bot, password)
	s.AddUser(hana, "other")
	return s
}

// send hands a mail in as user; the error is that of the first step that fails.
func send(s *localmail.Server, user, password, to string) error {
	c, err := smtp.Dial(s.SMTPAddr())
	if err != nil {
		return err
	}
	defer c.Close()
	if user != "" {
		if err := c.Auth(sasl.NewPlainClient("", user, password)); err != nil {
			return err
		}
	}
	return c.SendMail(hana, []string{to}, strings.NewReader(raw))
}

func code(err error) int {
	if answer := (*smtp.SMTPError)(nil); errors.As(err, &answer) {
		return answer.Code
	}
	return 0
}

func TestSMTPToIMAP(t *testing.T) {
	for name, caps := range map[string]localmail.Caps{"full": localmail.CapsFull, "basic": localmail.CapsBasic, "uidplus": localmail.CapsUIDPlus} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := start(t, localmail.Options{Caps: caps})
			news := make(chan uint32, 10)
			c, err := imapclient.DialInsecure(s.IMAPAddr(), &imapclient.Options{
				UnilateralDataHandler: &imapclient.UnilateralDataHandler{Mailbox: func(d *imapclient.UnilateralDataMailbox) {
					if d.NumMessages != nil {
						news <- *d.NumMessages
					}
				}},
			})
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			if err := c.Login(bot, password).Wait(); err != nil {
				t.Fatal(err)
			}
			if _, err := c.Select("INBOX", nil).Wait(); err != nil {
				t.Fatal(err)
			}
			if got := c.Caps().Has(imap.CapMove); got != (caps == localmail.CapsFull) {
				t.Errorf("MOVE offered: %t", got)
			}
			if got := c.Caps().Has(imap.CapUIDPlus); got != (caps != localmail.CapsBasic) {
				t.Errorf("UIDPLUS offered: %t", got)
			}
			idle, err := c.Idle()
			if err != nil {
				t.Fatal(err)
			}
			if err := send(s, hana, "other", "SHOGI+g17.x@Example.org"); err != nil {
				t.Fatal(err)
			}
			select {
			case n := <-news:
				if n != 1 {
					t.Errorf("IDLE told of %d mails; want 1", n)
				}
			case <-time.After(10 * time.Second):
				t.Fatal("IDLE told nothing")
			}
			if err := errors.Join(idle.Close(), idle.Wait()); err != nil {
				t.Fatal(err)
			}
			got := string(s.Delivered(bot)[0])
			want := "Return-Path: <hana@example.org>\r\nDelivered-To: SHOGI+g17.x@Example.org\r\nReceived: from localhost "
			if !strings.HasPrefix(got, want) || !strings.HasSuffix(got, raw) {
				t.Errorf("delivered %q", got)
			}
		})
	}
}

// Mail that comes just before IDLE is told too.
func TestIdleTellsOfWhatCameBefore(t *testing.T) {
	t.Parallel()
	s := start(t, localmail.Options{})
	news := make(chan struct{}, 10)
	c, err := imapclient.DialInsecure(s.IMAPAddr(), &imapclient.Options{
		UnilateralDataHandler: &imapclient.UnilateralDataHandler{Mailbox: func(d *imapclient.UnilateralDataMailbox) { news <- struct{}{} }},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := c.Login(bot, password).Wait(); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Select("INBOX", nil).Wait(); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Deliver(bot, []byte(raw), time.Now()); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Idle(); err != nil {
		t.Fatal(err)
	}
	select {
	case <-news:
	case <-time.After(10 * time.Second):
		t.Fatal("IDLE told nothing")
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	s := start(t, localmail.Options{
		OnRcpt: func(_, to string) error {
			switch {
			case strings.Contains(to, "+slow"):
				return localmail.Reply(450, "later")
			case strings.Contains(to, "+odd"):
				return errors.New("out of cheese")
			}
			return nil
		},
		OnData: func(_ string, to []string, _ []byte) error {
			if strings.Contains(to[0], "+spam") {
				return localmail.Reply(554, "spam")
			}
			return nil
		},
	})
	tests := []struct {
		name, user, password, to string
		want                     int
	}{
		{"unknown recipient", hana, "other", "taro@example.org", 550},
		{"wrong password", hana, password, bot, 535},
		{"no password", "", "", bot, 530},
		{"refused by hook", hana, "other", "shogi+spam@example.org", 554},
		{"deferred by hook", hana, "other", "shogi+slow@example.org", 450},
		{"hook's own error", hana, "other", "shogi+odd@example.org", 451},
	}
	for _, tt := range tests {
		if got := code(send(s, tt.user, tt.password, tt.to)); got != tt.want {
			t.Errorf("%s: code %d; want %d", tt.name, got, tt.want)
		}
	}
	if n := len(s.Delivered(bot)); n != 0 {
		t.Errorf("%d mails delivered; want none", n)
	}
}

func TestAwaitDelivered(t *testing.T) {
	t.Parallel()
	s := start(t, localmail.Options{})
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := s.AwaitDelivered(ctx, bot, 1); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("AwaitDelivered = %v; want the deadline", err)
	}
	go s.Deliver(bot, []byte(raw), time.Now())
	if got, err := s.AwaitDelivered(t.Context(), bot, 1); err != nil || len(got) != 1 || string(got[0]) != raw {
		t.Errorf("AwaitDelivered = %q, %v", got, err)
	}
	if _, err := s.Deliver("taro@example.org", []byte(raw), time.Now()); !errors.Is(err, localmail.ErrNoUser) {
		t.Errorf("Deliver = %v; want ErrNoUser", err)
	}
}

// echo answers every byte with itself until the connection ends.
func echo(t *testing.T) string {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ln.Close() })
	go func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			go func() { io.Copy(c, c); c.Close() }()
		}
	}()
	return ln.Addr().String()
}

func TestProxy(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		fault   localmail.Fault
		want    string
		stalled bool
	}{
		{"cut at once", localmail.Fault{}, "", false},
		{"cut after five", localmail.Fault{After: 5}, "hello", false},
		{"cut after the client's five", localmail.Fault{Side: localmail.FromClient, After: 5}, "hell", false},
		{"cut at a word", localmail.Fault{Match: "o"}, "hello", false},
		{"cut at the second such word", localmail.Fault{Match: "o", After: 2}, "hello wo", false},
		{"stall after five", localmail.Fault{After: 5, Do: localmail.Stall}, "hello", true},
		{"none", localmail.Fault{After: 1000}, "hello world", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p, err := localmail.NewProxy(echo(t), tt.fault)
			if err != nil {
				t.Fatal(err)
			}
			defer p.Close()
			c, err := net.Dial("tcp", p.Addr())
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			wait := 10 * time.Second
			if tt.stalled {
				wait = 200 * time.Millisecond
			}
			c.SetReadDeadline(time.Now().Add(wait))
			io.WriteString(c, "hello world")
			got, err := io.ReadAll(c)
			timeout := false
			if late := net.Error(nil); errors.As(err, &late) {
				timeout = late.Timeout()
			}
			if !strings.HasPrefix(tt.want, string(got)) || tt.fault.Side == localmail.FromServer && string(got) != tt.want || timeout != tt.stalled {
				t.Errorf("got %q, %v; want %q, stalled %t", got, err, tt.want, tt.stalled)
			}
			if p.Connections() != 1 {
				t.Errorf("%d connections", p.Connections())
			}
		})
	}
}
