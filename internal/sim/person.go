package sim

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"pbem/notation"
	"pbem/rules"
)

// person is somebody with a mailbox. All that a person knows of a game stands
// in the mails that have come.
type person struct {
	w        *world
	name     string
	addr     string
	stranger bool // writes to the service and never joins

	pace     time.Duration // mean time before a mail is answered
	auth     bool          // mail of this domain passes DMARC
	strips   bool          // the mail program writes to the plain address
	nameless bool          // its mails have no Message-ID
	reuses   bool          // its mails all have the same one
	dialect  notation.Dialect
	sharp    bool // looks for mate
	shuffles bool // goes to and fro
	away     time.Time

	joined   bool
	seen     map[string]bool    // mails read, by Message-ID
	kept     []reading          // the latest of them
	answered map[string]int     // moves sent, by game and ply
	last     map[int]rules.Move // own last move, by game
	waiting  []string           // lines sent that may have to be confirmed
}

// keptMails is how many mails a person keeps.
const keptMails = 30

func newPerson(w *world, n int) *person {
	c := w.forPeople
	name := fmt.Sprintf("%s%d", one(c, []string{"hana", "marco", "eva", "jun", "rosa", "kenji"}), n)
	p := &person{
		w: w, name: name,
		addr:   name + "@" + one(c, []string{"mail.example", "post.example", "home.example"}),
		pace:   one(c, []time.Duration{2 * time.Hour, 4 * time.Hour, 8 * time.Hour}),
		strips: c.is(0.1), nameless: c.is(0.05), reuses: c.is(0.05), sharp: c.is(0.3), shuffles: c.is(0.2),
		dialect: one(c, []notation.Dialect{notation.InHodges, notation.InHodges, notation.InHodges, notation.InNumbers,
			notation.InUSI, notation.InKIF, notation.InKI2, notation.InKitao}),
		stranger: n > 0 && n%8 == 7,
		seen:     map[string]bool{}, answered: map[string]int{}, last: map[int]rules.Move{},
	}
	p.auth = strings.HasSuffix(p.addr, "post.example")
	return p
}

// join asks to become a player, in one of the ways people do.
func (p *person) join() {
	if p.w.calm || p.joined {
		return
	}
	p.w.in(p.w.forPeople.around(3*24*time.Hour), p.join) // should nothing come of it
	if p.stranger {
		p.write("stranger", one(p.w.forPeople, []string{"hello", "is this chess?", "games", "P-7f"}))
		return
	}
	line := "join " + p.name
	p.waiting = append(p.waiting, line)
	l := p.letter("join", line)
	if p.w.forPeople.is(0.5) {
		l.subject, l.body = line, ""
	}
	p.w.write(l)
}

// receive puts a copy of a mail into the person's mailbox.
func (p *person) receive(m *sentMail) {
	if m.to != p.addr {
		p.w.finding(p.name, 0, "mail %s to %s has reached %s", m.id, m.to, p.addr)
		return
	}
	r, err := readMail(m.data, p.name)
	if err != nil {
		p.w.finding(p.name, gameOf(m.id), "mail %s to %s cannot be read: %v", m.id, p.addr, err)
		return
	}
	p.w.note(p.name, r.game, "gets %q", r.subject)
	if p.w.now.Before(p.away) {
		p.absent(r)
	}
	again := p.seen[r.id]
	p.seen[r.id] = true
	if again && !p.w.forPeople.is(0.2) {
		return
	}
	p.kept = append(p.kept, r)
	if len(p.kept) > keptMails {
		p.kept = p.kept[1:]
	}
	if strings.Contains(r.subject, "welcome, ") && !p.joined {
		p.joined = true
		p.w.in(p.w.forPeople.around(p.pace), p.stir)
	}
	wait := p.w.forPeople.around(p.pace)
	if p.w.now.Before(p.away) {
		wait += p.away.Sub(p.w.now)
	}
	p.w.in(wait, func() { p.react(r) })
}

// react answers a mail, or does not.
func (p *person) react(r reading) {
	c := p.w.forPeople
	if p.w.calm {
		return
	}
	switch {
	case confirms.MatchString(r.subject):
		p.confirm(r)
	case strings.HasPrefix(r.id, "c"):
		p.answerChallenge(r)
	case r.game != 0 && r.yours:
		p.move(r)
	case flagFell.MatchString(r.subject) && !r.yours && c.is(0.7):
		p.reply(r, "flag", one(c, []string{"claim", "wait", "give 1 day"}))
	case r.over && c.is(0.5):
		p.reply(r, "again", "challenge "+r.opponent+one(c, []string{"", " as black", " as white"}))
	}
	if c.is(0.06) {
		p.fidget(r)
	}
}

// confirm says yes to what is the person's own, and rarely to what is not.
func (p *person) confirm(r reading) {
	c := p.w.forPeople
	for _, line := range p.waiting {
		if strings.Contains(r.text, "\n  "+line+"\n") {
			p.reply(r, "yes", one(c, []string{"yes", "Yes!", "", "ok", line}))
			return
		}
	}
	switch {
	case c.is(0.05):
		p.reply(r, "a careless yes", "yes")
	case c.is(0.2):
		p.reply(r, "no", "no")
	case c.is(0.1):
		p.reply(r, "puzzled", "what is this about?")
	}
}

func (p *person) answerChallenge(r reading) {
	c := p.w.forPeople
	switch {
	case c.is(0.8):
		p.reply(r, "accept", "accept")
	case c.is(0.1):
		p.reply(r, "accept by name", "accept "+r.opponent)
	case c.is(0.5):
		p.reply(r, "decline", "decline")
	}
}

// stir is what a person does unasked: challenge somebody, go on holiday, write
// to an address nobody gave.
func (p *person) stir() {
	c := p.w.forPeople
	if p.w.calm {
		return
	}
	p.w.in(c.around(2*24*time.Hour), p.stir)
	if c.is(0.1) {
		p.away = p.w.now.Add(c.between(time.Hour, 3*24*time.Hour))
	}
	if c.is(0.02) {
		p.replyToLatest("give", "give "+one(c, []string{"1 day", "6 hours"}))
	}
	other := one(c, p.w.people)
	line := "challenge " + other.name
	switch {
	case c.is(0.3):
		line += one(c, []string{" as black", " as white"})
	case c.is(0.3):
		line += one(c, []string{" as black", " as white"}) + " handicap " + one(c, []string{"lance", "2p", "6p", "10p", "queens"})
	}
	if c.is(0.6) {
		line += " clock " + one(c, slices.Sorted(maps.Keys(controls())))
	}
	p.replyToLatest("challenge", line)
	if c.is(0.1) {
		p.spoof()
	}
	if c.is(0.01) {
		p.flood()
	}
}

// replyToLatest writes under the latest mail, as people do who keep no
// addresses.
func (p *person) replyToLatest(what, line string) {
	if len(p.kept) > 0 {
		p.reply(p.kept[len(p.kept)-1], what, line)
	}
}
