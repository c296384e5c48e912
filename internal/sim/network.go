package sim

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"pbem/mailer/smtpout"
)

// sentMail is a mail of the service that the server it was offered to has
// seen, however that ended.
type sentMail struct {
	id      string // Message-ID
	to      string
	data    []byte
	first   time.Time // of the tries
	taken   int       // copies that the server took
	refused bool      // it will never be taken
}

// offer offers a mail to the server and returns what becomes of it.
func (w *world) offer(e smtpout.Envelope) smtpout.Outcome {
	data := w.flaw.rewrite(e)
	m := w.seen(e.To, data)
	to := w.byAddr[e.To]
	later := func(text string) smtpout.Outcome {
		w.note(nameOf(to), 0, "mail to %s not taken: %s", e.To, text)
		return smtpout.Outcome{ID: e.ID, Status: smtpout.Temporary, Code: 451, Text: text}
	}
	switch {
	case !w.calm && w.now.Before(w.process.blockedUntil):
		return smtpout.Outcome{ID: e.ID, Status: smtpout.Blocked, Text: "closed"}
	case w.fault(w.faults.temporary):
		return later("greylisted")
	case w.fault(w.faults.permanent):
		m.refused = true
		w.note(nameOf(to), 0, "mail %s is refused for ever", m.id)
		return smtpout.Outcome{ID: e.ID, Status: smtpout.Permanent, Code: 550, Text: "no such user"}
	}
	if !w.flaw.lose() {
		m.taken++
		w.figures.MailCopies++
		w.carry(m, to)
	}
	if w.fault(w.faults.unknown) {
		return later("the connection broke after DATA")
	}
	return smtpout.Outcome{ID: e.ID, Status: smtpout.Accepted, Code: 250}
}

// seen returns the notes of a mail, and compares it with what was seen before
// under its Message-ID.
func (w *world) seen(to string, data []byte) *sentMail {
	id := headerField(data, "Message-Id")
	m := w.sent[id]
	if m == nil {
		m = &sentMail{id: id, to: to, data: bytes.Clone(data), first: w.now}
		w.sent[id] = m
		w.order = append(w.order, m)
		w.figures.Mails++
	}
	name := nameOf(w.byAddr[to])
	switch {
	case m.to != to:
		w.finding(name, 0, "mail %s goes to %s and to %s", id, m.to, to)
	case !bytes.Equal(m.data, data):
		w.finding(name, 0, "mail %s to %s goes out again with other bytes", id, to)
	}
	return m
}

// carry brings a mail to its reader, after a while and perhaps twice.
func (w *world) carry(m *sentMail, to *person) {
	if to == nil {
		w.finding("", 0, "mail %s to %q, who is nobody", m.id, m.to)
		return
	}
	w.note(to.name, gameOf(m.id), "mail %s is on its way", m.id)
	w.in(w.forNetwork.around(w.faults.delay), func() { to.receive(m) })
	if w.fault(w.faults.twice) {
		w.in(w.forNetwork.around(time.Hour), func() { to.receive(m) })
	}
}

// write sends a letter to the service: by one way or two, once or twice.
func (w *world) write(l *letter) {
	l.serial = len(w.letters) + 1
	w.letters = append(w.letters, l)
	w.figures.Letters++
	l.sent = w.now
	if l.honest() && w.fault(w.faults.poison) {
		l.poison = one(w.forFaults, []poison{panics, kills})
	}
	l.raw = l.compose()
	w.note(l.from.name, 0, "letter %d leaves: %s", l.serial, l.what)
	send := func(by func(*letter)) { w.in(w.forNetwork.around(w.faults.delay), func() { by(l) }) }
	byLMTP := w.forNetwork.is(w.faults.lmtp)
	if byLMTP {
		send(w.deliver)
	}
	if !byLMTP || w.fault(w.faults.both) {
		send(w.put)
	}
	if w.fault(w.faults.twice) {
		w.in(w.forNetwork.between(0, 2*24*time.Hour), func() { w.put(l) })
	}
}

// trace is l as it lies before the service: with the fields that its carriers
// add, which differ from copy to copy.
func (w *world) trace(l *letter, way string) []byte {
	var b bytes.Buffer
	if way != "lmtp" { // the daemon adds these itself
		fmt.Fprintf(&b, "Return-Path: <%s>\r\nDelivered-To: %s\r\n", l.envelopeFrom, l.to)
	}
	if l.dmarc != "" {
		_, domain, _ := strings.Cut(l.sender, "@")
		fmt.Fprintf(&b, "Authentication-Results: %s; dmarc=%s header.from=%s\r\n", authHost, l.dmarc, domain)
	}
	fmt.Fprintf(&b, "Received: by %s with %s id %s; %s\r\n", authHost, way, w.forNetwork.word(8), w.now.Format(time.RFC1123Z))
	b.Write(l.raw)
	return b.Bytes()
}

// headerField returns a field of a mail's header, unfolded, without angle
// brackets; empty if it has none.
func headerField(data []byte, name string) string {
	head, _, _ := bytes.Cut(data, []byte("\r\n\r\n"))
	text := strings.ReplaceAll(strings.ReplaceAll(string(head), "\r\n ", " "), "\r\n\t", " ")
	for line := range strings.SplitSeq(text, "\r\n") {
		field, value, ok := strings.Cut(line, ":")
		if ok && strings.EqualFold(field, name) {
			return strings.Trim(strings.TrimSpace(value), "<>")
		}
	}
	return ""
}

func nameOf(p *person) string {
	if p == nil {
		return ""
	}
	return p.name
}

// gameOf returns the number of the game that a token, or what begins with one,
// is about; 0 if it is about none.
func gameOf(token string) (n int) {
	if kind, num, _, ok := cutToken(token); ok && kind == 'g' {
		n = num
	}
	return n
}
