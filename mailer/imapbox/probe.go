package imapbox

import (
	"context"
	"crypto/tls"
	"fmt"
	"slices"
	"time"

	"github.com/emersion/go-imap/v2"
)

// Report is what a server offers, and what follows of it for us.
type Report struct {
	TLS      string   // version, such as "TLS 1.3"; empty if there is none
	Caps     []string // as the server names them, sorted
	Idle     bool     // new mail is told at once; else found at the next Poll
	Move     bool
	UIDPlus  bool
	Keywords bool // Config.Flag is kept

	UIDValidity uint32 // 0: the server gives none
	Messages    uint32 // lying in the mailbox
	Settle      string // what will be done with mail that was taken
	// Notes tell, in sentences, what works less well than it could and what mends it.
	Notes []string
}

// Probe logs in, opens the mailbox and tells what the server can do. It changes nothing. The
// error is an [*Error] that says what to mend, or that of ctx.
func Probe(ctx context.Context, c Config) (Report, error) {
	c = c.withDefaults()
	if err := c.check(); err != nil {
		return Report{}, err
	}
	s := &session{c: c, kept: newProgress(), news: make(chan struct{}, 1)}
	defer s.close()
	if err := s.connect(ctx); err != nil {
		return Report{}, err
	}
	data, err := s.selectMailbox(ctx)
	if err != nil {
		return Report{}, err
	}
	r := s.report(data)
	if c.MoveTo != "" && s.settleFor(data).moves() {
		if err := s.noteTarget(ctx, &r); err != nil {
			return Report{}, err
		}
	}
	last, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	s.do(last, "LOGOUT", func(func()) error { return s.client.Logout().Wait() }) // Out of politeness.
	return r, nil
}

func (s *session) settleFor(data *imap.SelectData) settling {
	return s.c.chooseSettling(s.caps, data.PermanentFlags)
}

func (s *session) report(data *imap.SelectData) Report {
	settle := s.settleFor(data)
	r := Report{
		Idle: s.caps.Has(imap.CapIdle), Move: s.caps.Has(imap.CapMove), UIDPlus: s.caps.Has(imap.CapUIDPlus),
		Keywords:    settle.flag == imap.Flag(s.c.Flag),
		UIDValidity: data.UIDValidity, Messages: data.NumMessages,
		Settle: settle.String(),
	}
	if version := s.tls.Load(); version != 0 {
		r.TLS = tls.VersionName(uint16(version))
	}
	for name := range s.caps {
		r.Caps = append(r.Caps, string(name))
	}
	slices.Sort(r.Caps)
	note := func(format string, args ...any) { r.Notes = append(r.Notes, fmt.Sprintf(format, args...)) }
	if !r.Idle {
		note("The server does not tell of new mail (no IDLE): moves wait up to %v. Set poll to less if that is too long.", s.c.Poll)
	}
	if s.c.MoveTo != "" && !settle.moves() {
		note("The server can neither MOVE nor expunge by UID: mail is not moved to %q, but marked (%s).", s.c.MoveTo, settle)
	}
	if !r.Keywords {
		note("The server does not keep the flag %s: %s.", s.c.Flag, withoutKeyword(settle))
	}
	if r.UIDValidity == 0 {
		note("The server gives no UIDVALIDITY: the whole mailbox is read again after each broken connection. Keep it small.")
	}
	return r
}

func withoutKeyword(w settling) string {
	if w.flag == "" {
		return "mail that was handled looks like any other in the mailbox"
	}
	return "mail that was handled is marked " + string(w.flag) + ", as if somebody had read it"
}

// noteTarget tells if the mailbox mail is moved to is yet to be made.
func (s *session) noteTarget(ctx context.Context, r *Report) error {
	return s.do(ctx, "LIST", func(func()) error {
		found, err := s.client.List("", s.c.MoveTo, nil).Collect()
		if err == nil && len(found) == 0 {
			r.Notes = append(r.Notes, fmt.Sprintf("There is no mailbox %q yet: it is made when the first mail is moved.", s.c.MoveTo))
		}
		return err
	})
}
