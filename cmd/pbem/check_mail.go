package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"pbem/mailer"
	"pbem/mailer/imapbox"
	"pbem/mailer/lmtp"
	"pbem/mailer/smtpout"
)

// testMail is a mail that check sends to the service itself.
type testMail struct {
	to      string
	mark    string // in its subject, and nowhere else in the world
	outcome smtpout.Outcome
	took    time.Duration // until it came; 0: it did not
}

// mail sends a mail to the service's own address and, if the settings count on it, one to a plus
// address, and waits for both.
func (k *checkup) mail(ctx context.Context) {
	switch {
	case ctx.Err() != nil:
		return
	case k.offline:
		k.well("mail", "Not tried, since it cannot come through; see above.")
		return
	case k.locked:
		k.well("mail", "Not tried, since pbem serve would take it; see above.")
		return
	}
	mails := []*testMail{{to: k.c.Service.Address, mark: newID()}}
	if k.c.Service.PlusAddressing {
		mails = append(mails, &testMail{to: k.plusAddress(), mark: newID()})
	}
	if err := k.roundTrip(ctx, mails); err != nil {
		k.ill("mail", err.Error(), mendWay(err))
		return
	}
	if !k.arrived(mails[0]) || len(mails) == 1 {
		return
	}
	plus := mails[1]
	if plus.took > 0 {
		k.well("plus", "A mail to %s came too: a reply needs nothing but its address to be told apart.", plus.to)
		return
	}
	what := fmt.Sprintf("a mail to %s did not come within %v", plus.to, k.wait)
	if plus.outcome.Status != smtpout.Accepted {
		what = fmt.Sprintf("the SMTP server does not take mail to %s: it said %q", plus.to, said(plus.outcome))
	}
	k.ill("plus", what, "write plus_addressing = false in [service]; replies are then told apart by other fields "+
		"of the mail, which nearly all mail programs keep. Or have your mail server deliver such addresses "+
		"(Postfix: recipient_delimiter = +).")
}

// plusAddress is an address such as replies go to.
func (k *checkup) plusAddress() string {
	local, host, _ := strings.Cut(k.c.Service.Address, "@")
	return local + "+check-" + newID() + "@" + host
}

// arrived reports on the mail to the plain address.
func (k *checkup) arrived(m *testMail) bool {
	switch {
	case m.took > 0:
		k.well("mail", "A mail from %s to itself came after %.1f s.", m.to, m.took.Seconds())
		return true
	case m.outcome.Status != smtpout.Accepted:
		k.ill("mail", fmt.Sprintf("the SMTP server does not take a mail from %s to itself: it said %q", m.to, said(m.outcome)),
			"see that service.address is right and that smtp.user may send as this address.")
	default:
		where := "the mail server hands mail to this address to " + k.c.LMTP.Listen
		if k.c.IMAP.Enabled() {
			where = "mail to this address comes to the folder " + k.c.IMAP.Mailbox + " of this account, and is not in the folder for spam"
		}
		k.ill("mail", fmt.Sprintf("the SMTP server took a mail from %s to itself, but it did not come within %v", m.to, k.wait),
			"see that "+where+"; if mail is just slow, give it longer with --wait 5m.")
	}
	return false
}

func said(o smtpout.Outcome) string {
	text := strings.Join(strings.Fields(o.Text), " ")
	if o.Code == 0 || strings.HasPrefix(text, fmt.Sprint(o.Code)) {
		return text
	}
	return fmt.Sprintf("%d %s", o.Code, text)
}

// roundTrip opens the ways in, sends mails, and waits until all that the server took have come,
// at most k.wait. The error is that of a way in or of the way out.
func (k *checkup) roundTrip(ctx context.Context, mails []*testMail) error {
	var marks []string
	for _, m := range mails {
		marks = append(marks, m.mark)
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	ways := k.waysIn(marks)
	ready, came, ended := make(chan struct{}, len(ways)), make(chan string, 16), make(chan error, len(ways))
	running := len(ways)
	defer func() {
		stop()
		for range running {
			<-ended
		}
	}()
	for _, way := range ways {
		go func() {
			ended <- way(ctx, func() { ready <- struct{}{} }, func(mark string) {
				select {
				case came <- mark:
				case <-ctx.Done():
				}
			})
		}()
	}
	for range ways {
		select {
		case <-ready:
		case err := <-ended:
			running--
			return err
		}
	}
	sent := time.Now()
	missing, err := k.sendTests(ctx, mails)
	if err != nil {
		return err
	}
	deadline := time.NewTimer(k.wait)
	defer deadline.Stop()
	for missing > 0 {
		select {
		case mark := <-came:
			for _, m := range mails {
				if m.mark == mark && m.took == 0 {
					m.took = max(time.Since(sent), 1)
					missing--
				}
			}
		case err := <-ended:
			running--
			return err
		case <-deadline.C:
			return nil
		}
	}
	return nil
}

// way watches one way in: it calls ready when it is open and came for each mail that has one of
// its marks, until ctx ends.
type way func(ctx context.Context, ready func(), came func(mark string)) error

func (k *checkup) waysIn(marks []string) (ways []way) {
	if k.c.IMAP.Enabled() {
		ways = append(ways, func(ctx context.Context, ready func(), came func(string)) error {
			return imapbox.Await(ctx, imapConfig(k.c, k.log), marks, ready, came)
		})
	}
	if k.c.LMTP.Enabled() {
		ways = append(ways, func(ctx context.Context, ready func(), came func(string)) error {
			return k.awaitLMTP(ctx, marks, ready, came)
		})
	}
	return ways
}

// awaitLMTP takes mail with one of marks; any other is left to the mail server, which brings it
// again to pbem serve.
func (k *checkup) awaitLMTP(ctx context.Context, marks []string, ready func(), came func(string)) error {
	ln, err := listenLMTP(k.c)
	if err != nil {
		return err
	}
	ready()
	return lmtp.Serve(ctx, ln, lmtpConfig(k.c, k.log), func(_ context.Context, _ string, _ []string, raw []byte) error {
		header, _, _ := strings.Cut(string(raw), "\r\n\r\n")
		for _, mark := range marks {
			if strings.Contains(header, mark) {
				came(mark)
				return nil
			}
		}
		return errors.New("pbem check is running; try again later")
	})
}

// sendTests sends the mails and returns how many of them the server took.
func (k *checkup) sendTests(ctx context.Context, mails []*testMail) (taken int, err error) {
	batch := make([]smtpout.Envelope, len(mails))
	for i, m := range mails {
		// pbem serve knows the mail as its own, should it ever see it, and leaves it alone.
		data, err := mailer.Compose(mailer.Draft{
			From:      mailer.Address{Name: k.c.Service.Name, Addr: k.c.Service.Address},
			To:        mailer.Address{Addr: m.to},
			MessageID: newID() + "@" + k.c.Service.Address[strings.LastIndex(k.c.Service.Address, "@")+1:],
			Subject:   "pbem check " + m.mark,
			Text:      "This mail was sent by pbem check, to see whether it arrives. It may be deleted.\n",
			Date:      time.Now(),
			Auto:      "auto-generated",
		})
		if err != nil {
			return 0, err
		}
		batch[i] = smtpout.Envelope{ID: uint64(i), From: k.c.Service.Address, To: m.to, Data: data}
	}
	err = smtpout.Send(ctx, smtpConfig(k.c, k.log), batch, func(o smtpout.Outcome) error {
		mails[o.ID].outcome = o
		if o.Status == smtpout.Accepted {
			taken++
		}
		return nil
	})
	if mails[len(mails)-1].outcome.Status != 0 { // the server has had its say on each
		err = nil
	}
	return taken, err
}

// mendWay says what to do about an error of a way in or out.
func mendWay(err error) string {
	if in := (*imapbox.Error)(nil); errors.As(err, &in) {
		return mendIMAP(err)
	}
	if out := (*smtpout.Error)(nil); errors.As(err, &out) {
		return mendSMTP(err)
	}
	return "do what it says, and try again."
}
