package sim

import (
	"fmt"
	"strings"
	"time"
)

// letter is a mail to the service, before any carrier has touched it.
type letter struct {
	serial int
	from   *person // who really wrote it
	what   string  // in a word, for the trail

	sender       string // address in From
	envelopeFrom string // empty: the null sender
	to           string // the envelope's
	subject      string
	messageID    string // without angle brackets; empty: it has none
	inReplyTo    string
	references   []string
	fields       []string // further ones, whole lines
	body         string   // lines end in LF
	dmarc        string   // what the service's own host finds

	raw    []byte
	sent   time.Time
	poison poison
	failed bool // it has failed once, by chance
	tries  int  // of a poisoned one
	copies int  // that came in
}

// poison says how a letter keeps itself from being handled.
type poison uint8

const (
	_      poison = iota
	panics        // the service panics at it
	kills         // it takes the process with it
)

// serialPrefix begins the reference by which the simulation knows a letter
// again. It looks like any other to the service.
const serialPrefix = "serial-"

// honest reports whether l is a plain mail of its author's own.
func (l *letter) honest() bool { return l.sender == l.from.addr && l.envelopeFrom != "" }

// compose writes l as a mail program does.
func (l *letter) compose() []byte {
	var b strings.Builder
	field := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&b, "%s: %s\r\n", name, value)
		}
	}
	field("From", l.sender)
	field("To", l.to)
	field("Subject", l.subject)
	field("Date", l.sent.Format(time.RFC1123Z))
	if l.messageID != "" {
		field("Message-ID", "<"+l.messageID+">")
	}
	if l.inReplyTo != "" {
		field("In-Reply-To", "<"+l.inReplyTo+">")
	}
	refs := append([]string{fmt.Sprintf("%s%d@sim.example", serialPrefix, l.serial)}, l.references...)
	field("References", "<"+strings.Join(refs, ">\r\n <")+">")
	for _, f := range l.fields {
		b.WriteString(f + "\r\n")
	}
	b.WriteString("\r\n" + strings.ReplaceAll(l.body, "\n", "\r\n"))
	return []byte(b.String())
}
