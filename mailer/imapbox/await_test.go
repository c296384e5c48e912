package imapbox_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"pbem/internal/localmail"
	"pbem/mailer/imapbox"
)

// Await takes the mail it waits for, and leaves the others as they are.
func TestAwait(t *testing.T) {
	t.Parallel()
	for name, caps := range map[string]localmail.Caps{"full": localmail.CapsFull, "basic": localmail.CapsBasic} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, err := localmail.Start(localmail.Options{Caps: caps})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			const addr = "shogi@example.org"
			s.AddUser(addr, "tokin")
			deliver := func(subject string) {
				if _, err := s.Deliver(addr, []byte("Subject: "+subject+"\r\n\r\nx mark-body\r\n"), time.Now()); err != nil {
					t.Error(err)
				}
			}
			deliver("mark-1, from before")
			ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
			defer stop()
			c := imapbox.Config{Addr: s.IMAPAddr(), Security: imapbox.SecurityNone, User: addr, Password: "tokin"}
			var came []string
			err = imapbox.Await(ctx, c, []string{"mark-1", "mark-2", "mark-body"}, func() {
				deliver("mark-2")
				deliver("a move")
				deliver("mark-1, the new one")
			}, func(mark string) {
				if came = append(came, mark); len(came) == 2 {
					stop()
				}
			})
			if !errors.Is(err, context.Canceled) || len(came) != 2 || came[0] != "mark-2" || came[1] != "mark-1" {
				t.Fatalf("Await: %v; came %q, want mark-2 and mark-1", err, came)
			}
			r, err := imapbox.Probe(t.Context(), c)
			want := uint32(2) // from before, and the move
			if caps == localmail.CapsBasic {
				want = 4 // nothing can be removed
			}
			if err != nil || r.Messages != want {
				t.Errorf("%d mails are left, %v; want %d", r.Messages, err, want)
			}
		})
	}
}

func TestAwaitBadPassword(t *testing.T) {
	t.Parallel()
	s, err := localmail.Start(localmail.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	err = imapbox.Await(t.Context(), imapbox.Config{Addr: s.IMAPAddr(), Security: imapbox.SecurityNone, User: "nobody@example.org"},
		[]string{"mark"}, func() { t.Error("ready") }, nil)
	var problem *imapbox.Error
	if !errors.As(err, &problem) || problem.Problem != imapbox.WrongPassword {
		t.Errorf("Await = %v, want a wrong password", err)
	}
}
