package localmail

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/emersion/go-imap/v2"
)

// ErrNoUser is returned for an address that belongs to no user.
var ErrNoUser = errors.New("no such user")

// Deliver lays raw as it is into the INBOX of the user addr belongs to, as arrived at the
// given time, and returns its UID. The error is [ErrNoUser] or that of a deleted INBOX.
func (s *Server) Deliver(addr string, raw []byte, arrived time.Time) (uid uint32, err error) {
	u := s.lookup(addr)
	if u == nil {
		return 0, fmt.Errorf("%s: %w", addr, ErrNoUser)
	}
	data, err := u.mail.Append("INBOX", bytes.NewReader(raw), &imap.AppendOptions{Time: arrived})
	if err != nil {
		return 0, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	u.delivered = append(u.delivered, bytes.Clone(raw))
	close(s.arrival)
	s.arrival = make(chan struct{})
	return uint32(data.UID), nil
}

// Delivered returns every mail ever delivered to addr, oldest first, also those since moved
// or deleted.
func (s *Server) Delivered(addr string) [][]byte {
	mails, _ := s.delivered(addr)
	return mails
}

func (s *Server) delivered(addr string) (mails [][]byte, next <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if u := s.users[bare(addr)]; u != nil {
		mails = slices.Clone(u.delivered)
	}
	return mails, s.arrival
}

// nextArrival returns a channel that is closed when the next mail is delivered to anybody.
func (s *Server) nextArrival() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.arrival
}

// AwaitDelivered waits until n mails were delivered to addr and returns all that were. If ctx
// ends first, the error is that of ctx.
func (s *Server) AwaitDelivered(ctx context.Context, addr string, n int) ([][]byte, error) {
	for {
		mails, next := s.delivered(addr)
		if len(mails) >= n {
			return mails, nil
		}
		select {
		case <-next:
		case <-ctx.Done():
			return mails, fmt.Errorf("%d of %d mails delivered to %s: %w", len(mails), n, addr, ctx.Err())
		}
	}
}

// Recreate deletes the INBOX of addr with all that lies in it and makes it anew: it gets
// another UIDVALIDITY, and its UIDs begin at 1 again. A session that has it open goes on in
// the old one.
func (s *Server) Recreate(addr string) error {
	u := s.lookup(addr)
	if u == nil {
		return fmt.Errorf("%s: %w", addr, ErrNoUser)
	}
	if err := u.mail.Delete("INBOX"); err != nil {
		return err
	}
	return u.mail.Create("INBOX", nil)
}
