package sim

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"time"

	bolt "go.etcd.io/bbolt"

	"pbem/game"
	"pbem/mailer"
	"pbem/mailer/smtpout"
	"pbem/service"
)

// Flaws returns the names of the bugs that can be planted, one or more for
// each invariant, to see that the checker finds them. They sit between the
// daemon and the world, as a bug of the one or the other would.
func Flaws() []string {
	return []string{
		"handled twice",         // the ledger does not know a copy again
		"flag before commit",    // a mail is flagged though its commit failed
		"gap skipped",           // the cursor passes a mail that was not handed over
		"commits lost",          // what was committed is gone after a crash
		"never set aside",       // attempts at a message are not counted
		"move doubled",          // a move brings another one with it
		"stale move played",     // a move for an earlier position is played
		"wrong time",            // a move counts from when it was read
		"token alone",           // a token moves for its player, whoever sends it
		"answers machines",      // an automatic mail is answered
		"mail lost",             // a mail is noted as sent and was not
		"sent before commit",    // a mail leaves inside the transaction
		"new id on retry",       // a mail that is tried again gets another Message-ID
		"other bytes on retry",  // or other bytes
		"temporary is for ever", // a mail is given up at the first 4xx
		"wrong reader",          // a mail goes to the wrong player
		"address leaked",        // a mail shows the other player's address
		"wrong thread",          // a mail refers to one that its reader never got
		"wrong board",           // a mail shows another position
		"reminded early",        // a reminder comes before its time
		"outage charged",        // a clock runs while the service is away
		"flag falls unread",     // a flag falls while the move lies in the mailbox
		"index damaged",         // an index disagrees with the records
	}
}

func known(name string) bool {
	for _, f := range Flaws() {
		if f == name {
			return true
		}
	}
	return false
}

// flaw is a bug that is planted in a run; the zero value is none.
type flaw struct {
	name string
	chance
	tries  map[uint64]int // of mails out, by number
	backup []byte         // of the database
}

func (f *flaw) is(name string) bool { return f.name == name }

// handle is the service, with the flaw.
func (f *flaw) handle(w *world, l *letter, m mailer.Message, st service.State, env service.Env) (service.Result, error) {
	switch kind, num, _, ok := cutToken(m.Token()); {
	case f.is("wrong time"):
		m.Received = env.Now
	case f.is("answers machines") && m.Kind == mailer.AutoReply:
		m.Kind = mailer.Personal
	case f.is("stale move played") && ok && kind == 'g' && len(m.Lines) > 0:
		m.Lines = append([]string{fmt.Sprintf("#%d %s", num, m.Lines[0])}, m.Lines[1:]...)
	case f.is("token alone") && ok:
		for _, s := range w.order {
			if strings.HasPrefix(s.id, m.Token()) {
				m.From.Addr = s.to
			}
		}
	}
	r, err := service.Handle(m, f.state(st), env)
	if err != nil || f.name == "" {
		return r, err
	}
	switch {
	case f.is("move doubled"):
		for i, g := range r.Games {
			if g.Ply() > 2 && !g.Over() {
				r.Games[i], _ = g.Play(g.Turn(), g.Position().LegalMoves()[0], env.Now)
			}
		}
	case f.is("sent before commit"):
		for _, s := range r.Mails {
			if data, err := mailer.Compose(s.Draft); err == nil {
				w.seen(s.Draft.To.Addr, data).taken++
			}
		}
		r.Mails = nil
	case len(r.Mails) > 0:
		f.spoil(w, l, &r.Mails[0])
	}
	return r, nil
}

// spoil does to a mail what the flaw does.
func (f *flaw) spoil(w *world, l *letter, m *service.Mail) {
	switch {
	case f.is("wrong reader") && m.Draft.To.Addr != l.from.addr:
		m.Draft.To = mailer.Address{Name: l.from.name, Addr: l.from.addr}
	case f.is("address leaked"):
		m.Draft.Text = "from " + l.from.addr + "\n" + m.Draft.Text
	case f.is("wrong thread") && len(w.order) > 0:
		m.Draft.InReplyTo = w.order[len(w.order)-1].id
	case f.is("wrong board"):
		m.Draft.Text = strings.Replace(m.Draft.Text, "^L ", "^P ", 1)
	}
}

// tick is the service's tick, with the flaw.
func (f *flaw) tick(_ *world, st service.State, env service.Env) (service.Result, error) {
	if f.is("reminded early") {
		env.Now = env.Now.Add(48 * time.Hour)
	}
	if f.is("flag falls unread") {
		env.ReadTo = env.Now
	}
	return service.Tick(f.state(st), env)
}

// state is what the service reads, with the flaw.
func (f *flaw) state(st service.State) service.State {
	if f.is("outage charged") {
		return restless{st}
	}
	return st
}

// restless is a state that knows of no outage.
type restless struct{ service.State }

func (restless) Outages() ([]game.Outage, error) { return nil, nil }

// rewrite returns the bytes that go out for e.
func (f *flaw) rewrite(e smtpout.Envelope) []byte {
	if f.tries == nil {
		f.tries = map[uint64]int{}
	}
	f.tries[e.ID]++
	switch again := f.tries[e.ID] > 1; {
	case again && f.is("new id on retry"):
		return bytes.Replace(e.Data, []byte("@"+serviceHost+">"), fmt.Appendf(nil, ".%d@%s>", f.tries[e.ID], serviceHost), -1)
	case again && f.is("other bytes on retry"):
		return append(bytes.Clone(e.Data), "\r\n"...)
	}
	return e.Data
}

// outcome is what the server says, with the flaw.
func (f *flaw) outcome(o smtpout.Outcome) smtpout.Outcome {
	if f.is("temporary is for ever") && o.Status == smtpout.Temporary {
		o.Status = smtpout.Permanent
	}
	return o
}

// lose reports whether a mail is lost though the server said 250.
func (f *flaw) lose() bool { return f.is("mail lost") && f.chance.is(0.05) }

// disguise makes a copy of l that nobody knows again.
func (f *flaw) disguise(l *letter, raw []byte) []byte {
	if f.is("handled twice") || f.is("never set aside") && l.poison != 0 {
		return append([]byte("X-Copy: "+f.word(10)+"\r\n"), raw...)
	}
	return raw
}

// overlook returns the gap that the cursor has to stay below.
func (f *flaw) overlook(uid uint32) uint32 {
	if f.is("gap skipped") {
		return 0
	}
	return uid
}

// back keeps a copy of the database, and loseCommits puts it back.
func (f *flaw) back(p *process) {
	if f.is("commits lost") && f.chance.is(0.1) {
		f.backup, _ = os.ReadFile(p.path)
	}
}

func (f *flaw) loseCommits(p *process) {
	if f.backup != nil {
		os.WriteFile(p.path, f.backup, 0o600)
	}
}

// damage takes an entry out of an index.
func (f *flaw) damage(p *process) error {
	if !f.is("index damaged") {
		return nil
	}
	db, err := bolt.Open(p.path, 0o600, nil)
	if err != nil {
		return err
	}
	defer db.Close()
	return db.Update(func(tx *bolt.Tx) error {
		b := tx.Bucket([]byte("players.name"))
		k, _ := b.Cursor().First()
		return b.Delete(k)
	})
}
