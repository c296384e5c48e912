package smtpout_test

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"pbem/internal/localmail"
	"pbem/mailer/smtpout"
)

const (
	bot      = "shogi@example.org"
	password = "tokin"
	hana     = "hana@example.org"
	taro     = "taro@example.org"
)

func start(t *testing.T, o localmail.Options) *localmail.Server {
	t.Helper()
	s, err := localmail.Start(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	for _, address := range []string{bot, hana, taro} {
		s.AddUser(address, password)
	}
	return s
}

func config(t *testing.T, addr string) smtpout.Config {
	return smtpout.Config{
		Addr: addr, Security: smtpout.SecurityNone, User: bot, Password: password,
		Hello: "pbem.example.org", Timeout: 10 * time.Second,
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

func envelope(id uint64, to string) smtpout.Envelope {
	return smtpout.Envelope{
		ID: id, From: "shogi+b1@example.org", To: to,
		Data: fmt.Appendf(nil, "From: %s\r\nTo: %s\r\nMessage-ID: <m%d@example.org>\r\n\r\n.P-7f\r\n", bot, to, id),
	}
}

// send returns the outcomes as lines "ID status code" beside the error.
func send(t *testing.T, c smtpout.Config, batch ...smtpout.Envelope) (outs []smtpout.Outcome, err error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	err = smtpout.Send(ctx, c, batch, func(o smtpout.Outcome) error {
		outs = append(outs, o)
		return nil
	})
	return outs, err
}

func TestSend(t *testing.T) {
	t.Parallel()
	s := start(t, localmail.Options{})
	outs, err := send(t, config(t, s.SMTPAddr()), envelope(1, hana), envelope(2, taro), envelope(3, "hana+x@example.org"))
	if err != nil {
		t.Fatal(err)
	}
	for i, o := range outs {
		if o.ID != uint64(i+1) || o.Status != smtpout.Accepted || o.Code != 250 || o.Text == "" {
			t.Errorf("outcome %+v; want mail %d accepted with the server's words", o, i+1)
		}
	}
	got := s.Delivered(hana)
	if len(got) != 2 || len(s.Delivered(taro)) != 1 {
		t.Fatalf("%d mails for hana, %d for taro; want 2 and 1", len(got), len(s.Delivered(taro)))
	}
	if want := string(envelope(1, hana).Data); !strings.HasSuffix(string(got[0]), want) {
		t.Errorf("delivered %q; want it to end with %q", got[0], want)
	}
	if want := "Return-Path: <shogi+b1@example.org>\r\nDelivered-To: hana+x@example.org\r\nReceived: from pbem.example.org"; !strings.HasPrefix(string(got[1]), want) {
		t.Errorf("delivered %q; want it to begin with %q", got[1], want)
	}
}
