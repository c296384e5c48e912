package service_test

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-message/mail"

	"pbem/mailer/imapbox"
)

const week = 7 * 24 * time.Hour

// office carries mail between services and programs that answer mail, a hop a
// minute while any is under way, and counts what the services write to each address.
type office struct {
	t        *testing.T
	services map[string]*world
	robots   map[string]robot
	way      func(raw string) string // what becomes of a mail between services
	now      time.Time
	bags     []bag // under way
	written  map[string]int
	answers  int // by robots
}

type bag struct{ to, raw string }

// robot answers a mail that it got, or does not.
type robot func(got letterIn, now time.Time) (raw string, ok bool)

// letterIn is a mail as a robot sees it.
type letterIn struct {
	from, replyTo, id, subject, text string
	raw                              string
}

func newOffice(t *testing.T, services ...*world) *office {
	o := &office{t: t, services: map[string]*world{}, robots: map[string]robot{}, written: map[string]int{},
		way: func(raw string) string { return raw }}
	for _, w := range services {
		o.services[w.set.Address] = w
		o.now = w.now
		for _, other := range services {
			other.now = o.now
		}
	}
	return o
}

// week lets seven days go by. Each day at noon, daily is done.
func (o *office) week(daily func(day int)) {
	o.t.Helper()
	begin := o.now
	noon := begin.Truncate(24 * time.Hour).Add(12 * time.Hour)
	for o.now.Before(begin.Add(week)) {
		// A longer step would look like an outage, in which no clock runs.
		if step := 5 * time.Minute; len(o.bags) == 0 {
			o.now = o.now.Truncate(step).Add(step)
		} else {
			o.now = o.now.Add(time.Minute)
		}
		if o.now.After(noon) {
			daily(noon.Day())
			noon = noon.Add(24 * time.Hour)
		}
		o.hop()
	}
}

// hop carries what is under way, and takes what was written meanwhile.
func (o *office) hop() {
	o.t.Helper()
	bags := o.bags
	o.bags = nil
	for _, b := range bags {
		local, host, _ := strings.Cut(b.to, "@")
		local, _, _ = strings.Cut(local, "+")
		if w := o.services[local+"@"+host]; w != nil {
			o.handIn(w, b.raw)
		} else if answer := o.robots[b.to]; answer != nil {
			if raw, ok := answer(o.open(b.raw), o.now); ok {
				o.answers++
				o.bags = append(o.bags, bag{to: o.recipient(raw), raw: raw})
			}
		}
	}
	for _, address := range slices.Sorted(maps.Keys(o.services)) {
		w := o.services[address]
		w.now = o.now
		if err := w.daemon.Tick(context.Background()); err != nil {
			o.t.Fatal(err)
		}
		for _, m := range w.collect() {
			o.written[m.to]++
			o.bags = append(o.bags, bag{m.to, o.way(strings.ReplaceAll(string(m.raw), "\r\n", "\n"))})
		}
	}
}

// handIn brings a mail to a service, as it is.
func (o *office) handIn(w *world, raw string) {
	o.t.Helper()
	w.uid++
	data := []byte(strings.ReplaceAll(raw, "\n", "\r\n"))
	f := imapbox.Fetched{Mailbox: "INBOX", UIDValidity: 1, UID: w.uid, Through: w.uid, Arrived: o.now, Raw: data, Size: int64(len(data))}
	w.now = o.now
	if err := w.daemon.Receive(context.Background(), []imapbox.Fetched{f}); err != nil {
		o.t.Fatal(err)
	}
}

// join makes an address a player of w, in whatever name its mail comes.
func (o *office) join(w *world, name, addr string) {
	o.t.Helper()
	w.deliver(fmt.Sprintf("From: %s\nTo: %s\nSubject: join %s\nMessage-ID: <join.%s@x>\n\n", addr, w.set.Address, name, name))
	confirm := w.collect()
	w.deliver(fmt.Sprintf("From: %s\nTo: %s\nMessage-ID: <yes.%s@x>\n\nyes\n", addr, confirm[0].replyTo, name))
	if got := w.collect(); len(got) != 1 || !strings.Contains(got[0].shown, "elcome") {
		o.t.Fatalf("%s has not joined: %v", name, got)
	}
	o.now = w.now
}

// begin lets two players of w begin a game, in which the first is Black.
func (o *office) begin(w *world, one, oneAddr, two, twoAddr string) {
	o.t.Helper()
	say := func(addr, text string) {
		w.deliver(fmt.Sprintf("From: %s\nTo: %s\nAuthentication-Results: mx.example.org; dmarc=pass header.from=%s\nMessage-ID: <%s.%s@x>\n\n%s\n",
			addr, w.set.Address, strings.Split(addr, "@")[1], strings.Fields(text)[0], addr, text))
		w.collect()
	}
	say(oneAddr, "challenge "+two+" as black")
	say(twoAddr, "accept")
	if g := w.game(1); g.Over() {
		o.t.Fatal("no game")
	}
	o.now = w.now
}

// open takes a mail apart as programs do that answer it.
func (o *office) open(raw string) letterIn {
	o.t.Helper()
	r, err := mail.CreateReader(bytes.NewReader([]byte(strings.ReplaceAll(raw, "\n", "\r\n"))))
	if err != nil {
		o.t.Fatal(err)
	}
	l := letterIn{raw: raw}
	if from, _ := r.Header.AddressList("From"); len(from) > 0 {
		l.from, l.replyTo = from[0].Address, from[0].Address
	}
	if reply, _ := r.Header.AddressList("Reply-To"); len(reply) > 0 {
		l.replyTo = reply[0].Address
	}
	l.id, _ = r.Header.MessageID()
	l.subject, _ = r.Header.Subject()
	p, err := r.NextPart()
	if err != nil {
		o.t.Fatal(err)
	}
	text := new(bytes.Buffer)
	text.ReadFrom(p.Body)
	l.text = strings.ReplaceAll(text.String(), "\r\n", "\n")
	return l
}

func (o *office) recipient(raw string) string { return toField.FindStringSubmatch(raw)[1] }

var toField = regexp.MustCompile(`(?m)^To: <?([^<>\n]+)>?$`)

// quoted is a text as mail programs quote it.
func quoted(text string) string {
	return "> " + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n> ")
}

// total is what the services wrote.
func (o *office) total() (n int) {
	for _, k := range o.written {
		n += k
	}
	return n
}
