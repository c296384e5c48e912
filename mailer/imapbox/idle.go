package imapbox

import (
	"context"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
)

// leaveIdle is how long a server may take to end IDLE. One that takes longer is frozen.
const leaveIdle = 15 * time.Second

// follow reads the mailbox, waits for news, and reads it again, until something breaks.
func (s *session) follow(ctx context.Context) error {
	for {
		select { // What is told from here on is a reason for another round.
		case <-s.news:
		default:
		}
		if err := s.round(ctx); err != nil {
			return err
		}
		if err := s.wait(ctx); err != nil {
			return err
		}
		if s.validity == 0 || time.Since(s.opened) < s.c.IdleFor {
			err := s.do(ctx, "NOOP", func(func()) error { return s.client.Noop().Wait() })
			if err != nil && !isRefusal(err) {
				return err
			}
			continue
		}
		// Selecting again is a NOOP that also tells whether the mailbox was made anew.
		if err := s.open(ctx); err != nil {
			return err
		}
	}
}

// wait returns when the server tells of new mail, and after Poll or IdleFor at the latest:
// a server may go silent within IDLE without closing the connection, or never tell (trap B7).
func (s *session) wait(ctx context.Context) error {
	var idle *imapclient.IdleCommand
	if s.caps.Has(imap.CapIdle) && !s.noIdle {
		err := s.do(ctx, "IDLE", func(func()) (err error) {
			idle, err = s.client.Idle()
			return err
		})
		if isRefusal(err) { // Trap B16: the connection is as good as before. Poll.
			s.noIdle = true
			s.c.Log.Info("IDLE refused; polling", "mailbox", s.c.Mailbox, "err", err)
		} else if err != nil {
			return err
		}
	}
	timer := time.NewTimer(min(s.c.Poll, s.c.IdleFor))
	defer timer.Stop()
	select {
	case <-s.news:
	case <-timer.C:
	case <-s.client.Closed():
	case <-ctx.Done():
	}
	if idle == nil {
		return ctx.Err()
	}
	return s.leave(ctx, idle)
}

// leave ends IDLE. The library's Close succeeds on a frozen server, and its Wait then never
// returns (trap B7).
func (s *session) leave(ctx context.Context, idle *imapclient.IdleCommand) error {
	normal := s.c.Timeout
	s.c.Timeout = min(normal, leaveIdle)
	defer func() { s.c.Timeout = normal }()
	return s.do(ctx, "DONE", func(func()) error {
		if err := idle.Close(); err != nil {
			return err
		}
		return idle.Wait()
	})
}
