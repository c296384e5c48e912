package realmail

import (
	"context"
	"fmt"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
)

// Login opens a plain IMAP connection of the account. The caller closes it.
func (s *Servers) Login(account string, o *imapclient.Options) (*imapclient.Client, error) {
	c, err := imapclient.DialInsecure(s.IMAPAddr, o)
	if err != nil {
		return nil, err
	}
	if err := c.Login(account, s.Password).Wait(); err != nil {
		c.Close()
		return nil, fmt.Errorf("log in as %s: %w", account, err)
	}
	return c, nil
}

// Inbox returns the messages in the account's INBOX, oldest first, with CRLF
// line ends. It changes no flag, and not even \Recent.
func (s *Servers) Inbox(account string) ([]string, error) {
	c, err := s.Login(account, nil)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	return read(c)
}

// AwaitInbox returns the messages in the account's INBOX once there are n of
// them or more.
func (s *Servers) AwaitInbox(ctx context.Context, account string, n int) ([]string, error) {
	c, err := s.Login(account, nil)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	for {
		messages, err := read(c)
		if err != nil || len(messages) >= n {
			return messages, err
		}
		if ctx.Err() != nil {
			return messages, fmt.Errorf("INBOX of %s: %d of %d messages: %w", account, len(messages), n, ctx.Err())
		}
		pause()
	}
}

func read(c *imapclient.Client) ([]string, error) {
	box, err := c.Select("INBOX", &imap.SelectOptions{ReadOnly: true}).Wait()
	if err != nil || box.NumMessages == 0 {
		return nil, err
	}
	body := &imap.FetchItemBodySection{Peek: true}
	all := imap.SeqSet{{Start: 1, Stop: box.NumMessages}}
	fetched, err := c.Fetch(all, &imap.FetchOptions{UID: true, BodySection: []*imap.FetchItemBodySection{body}}).Collect()
	if err != nil {
		return nil, err
	}
	var messages []string
	for _, m := range fetched {
		messages = append(messages, string(m.FindBodySection(body)))
	}
	return messages, nil
}
