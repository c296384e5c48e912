package service_test

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// responder is a program that answers mail for somebody who is away.
type responder struct {
	name string
	// fields are what it adds to the header; they end in LF.
	fields  string
	subject string // before that of the mail answered
	body    func(got letterIn) string
	toFrom  bool          // it answers to From, not to Reply-To
	bare    bool          // it names no mail that it answers
	every   time.Duration // not more than one answer in so long; 0: each mail is answered
	most    int           // mails that the service may write to it in the week, beside the daily ones
	asked   int           // likewise, while it is a stranger's
	lost    bool          // mail to it comes back, so that it gets no more than three
}

func away(letterIn) string { return "I am away until the 10th and will read your mail then.\n\nHana" }

func awayQuoting(got letterIn) string {
	return away(got) + "\n\nOn Sunday the service wrote:\n" + quoted(got.text)
}

// TestResponders sets each kind of vacation responder, as a player and as a
// stranger, against the service for a week in which a game mail comes each day.
// No game may move, the other player is answered as ever, and the mails to the
// responder are those of the game and at most as many more as the table says.
func TestResponders(t *testing.T) {
	t.Parallel()
	const perDay = 3 // answers that a mail was not understood
	responders := []responder{
		{name: "RFC 3834", fields: "Auto-Submitted: auto-replied\n", subject: "Auto: ", body: awayQuoting},
		{name: "RFC 3834, to each mail, to From", fields: "Auto-Submitted: auto-replied (vacation)\n", body: away, toFrom: true},
		{name: "null return path", fields: "Return-Path: <>\n", body: away},
		{name: "old bulk", fields: "Precedence: bulk\n", body: awayQuoting},
		{name: "old junk", fields: "Precedence: junk\n", body: away},
		{name: "X-Autoreply", fields: "X-Autoreply: yes\n", body: awayQuoting},
		{name: "Exchange without any field", subject: "Automatic reply: ", body: away},
		{name: "Exchange in Spanish", subject: "Respuesta automática: ", body: away},
		{name: "Exchange in Japanese", subject: "自動返信: ", body: away},
		{name: "nothing tells, once a day", subject: "Re: ", body: away, every: 24 * time.Hour, most: 7},
		{name: "nothing tells, each mail", subject: "Re: ", body: away, most: 7 * perDay},
		{name: "nothing tells, quoting with a move", subject: "Re: ", most: 7 * perDay, body: func(got letterIn) string {
			return awayQuoting(got) + "\n> P-7f\n> resign\n"
		}},
		{name: "nothing tells, quoting the whole without a mark", subject: "Re: ", most: 7 * perDay, asked: 7 * (1 + perDay), body: func(got letterIn) string {
			return away(got) + "\n\n" + got.text
		}},
		{name: "ticket system", subject: "[Ticket 4711] ", bare: true, most: 7 * perDay, body: func(got letterIn) string {
			return "Your request has been received and was given the number 4711.\n\n-----Original Message-----\nFrom: " + got.from + "\nSubject: " + got.subject + "\n\n" + got.text
		}},
		{name: "ticket system, to From", subject: "[Ticket 4711] ", bare: true, toFrom: true, most: 7 * 10, body: func(got letterIn) string {
			return "Your request has been received and was given the number 4711.\n\n" + quoted(got.text)
		}},
		{name: "bounces to From", fields: "From: postmaster@away.example\n", subject: "Undeliverable: ", toFrom: true, lost: true, body: func(got letterIn) string {
			return "Your message could not be delivered.\n\n" + got.raw
		}},
	}
	for _, r := range responders {
		t.Run(r.name+", a player", func(t *testing.T) { t.Parallel(); r.asPlayer(t) })
		t.Run(r.name+", a stranger", func(t *testing.T) { t.Parallel(); r.asStranger(t) })
	}
}

const absent = "hana@away.example"

// robot is r as the office knows it.
func (r responder) robot() robot {
	n := 0
	var last time.Time
	return func(got letterIn, now time.Time) (string, bool) {
		if r.every > 0 && now.Sub(last) < r.every {
			return "", false
		}
		last = now
		n++
		to := got.replyTo
		if r.toFrom {
			to = got.from
		}
		head := r.fields
		if !strings.Contains(head, "From: ") {
			head = "From: Hana <" + absent + ">\n" + head
		}
		if !r.bare {
			head += "In-Reply-To: <" + got.id + ">\nReferences: <" + got.id + ">\n"
		}
		return fmt.Sprintf("%sTo: %s\nSubject: %s%s\nMessage-ID: <robot%d@away.example>\nDate: %s\nContent-Type: text/plain; charset=utf-8\n\n%s\n",
			head, to, r.subject, got.subject, n, now.Format(time.RFC1123Z), r.body(got)), true
	}
}

func (r responder) asPlayer(t *testing.T) {
	w := newWorld(t)
	o := newOffice(t, w)
	o.join(w, "hana", absent)
	o.join(w, "marco", "marco@example.org")
	o.begin(w, "hana", absent, "marco", "marco@example.org")
	o.robots[absent] = r.robot()
	before := o.total()
	o.week(func(day int) {
		o.bags = append(o.bags, bag{w.set.Address, fmt.Sprintf("From: marco@example.org\nTo: %s\nMessage-ID: <day%d@x>\n"+
			"Authentication-Results: mx.example.org; dmarc=pass header.from=example.org\n\nsay Good morning, Hana! Day %d.\n", w.set.Address, day, day)})
	})
	if before != 0 {
		t.Fatal("counted too early")
	}
	if g := w.game(1); g.Ply() != 0 || g.Over() || len(g.Offers) > 0 || g.Paused {
		t.Errorf("the game has changed: %d plies, over %v, offers %v", g.Ply(), g.Over(), g.Offers)
	}
	game, marco := 7+1, 7 // of each day, and the reminder at half the time; an answer a day
	if r.lost {
		game, marco = 3, 7+1 // told that mail comes back
	}
	if n := o.written["marco@example.org"]; n != marco {
		t.Errorf("%d mails to the other player; want %d", n, marco)
	}
	t.Logf("%d mails to the responder, of them %d of the game; it wrote %d", o.written[absent], game, o.answers)
	if n := o.written[absent] - game; n < 0 || n > r.most {
		t.Errorf("%d mails more than the game's went to the responder; the rules allow %d", n, r.most)
	}
	if n := o.total() - o.written[absent] - marco; n != 0 {
		t.Errorf("%d mails to somebody else: %v", n, o.written)
	}
	r.stillAnswered(o, w)
}

func (r responder) asStranger(t *testing.T) {
	w := newWorld(t)
	o := newOffice(t, w)
	o.join(w, "marco", "marco@example.org")
	o.robots[absent] = r.robot()
	o.week(func(day int) { // somebody who is away writes each day, or somebody in his name
		o.bags = append(o.bags, bag{w.set.Address, fmt.Sprintf("From: %s\nTo: %s\nMessage-ID: <hello%d@x>\nSubject: hello\n\nWhat is this?\n", absent, w.set.Address, day)})
	})
	t.Logf("%d mails to the responder; it wrote %d", o.written[absent], o.answers)
	if n := o.written[absent]; n < 7 || n > 7+r.asked {
		t.Errorf("%d mails to a stranger; the rules allow one a day and %d more", n, r.asked)
	}
	if o.total() != o.written[absent] {
		t.Errorf("mails went to others: %v", o.written)
	}
	r.stillAnswered(o, w)
}

// stillAnswered looks that a person gets an answer as ever.
func (r responder) stillAnswered(o *office, w *world) {
	o.t.Helper()
	before := o.written["marco@example.org"]
	o.handIn(w, fmt.Sprintf("From: marco@example.org\nTo: %s\nMessage-ID: <last@x>\nAuthentication-Results: mx.example.org; dmarc=pass header.from=example.org\n\ngames\n", w.set.Address))
	o.hop()
	if n := o.written["marco@example.org"] - before; n != 1 {
		o.t.Errorf("a person is answered with %d mails; want 1", n)
	}
}
