package sim

import (
	"fmt"
	"strings"
	"time"
)

// letter begins a mail of the person's own to the service.
func (p *person) letter(what, body string) *letter {
	l := &letter{
		from: p, what: what, sender: p.addr, envelopeFrom: p.addr, to: serviceAddress,
		subject: "shogi [Shogi]", body: body + "\n",
		fields: []string{"MIME-Version: 1.0", "Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: 8bit"},
	}
	switch {
	case p.nameless:
	case p.reuses:
		l.messageID = "same@" + p.name + ".example"
	default:
		l.messageID = p.w.forPeople.word(12) + "@" + p.name + ".example"
	}
	if p.auth {
		l.dmarc = "pass"
	}
	return l
}

// write sends a new mail, which no mail of the service's is the reason of.
func (p *person) write(what, body string) { p.w.write(p.letter(what, body)) }

// answer begins a reply to r, with what is quoted.
func (p *person) answer(r reading, what, body string) *letter {
	l := p.letter(what, body)
	l.subject = "Re: " + oneLine(r.subject)
	if !p.strips {
		l.to = r.replyTo
	}
	l.inReplyTo, l.references = r.id, []string{r.id}
	switch p.w.forPeople.IntN(4) {
	case 0:
		l.body += "\n-- \n" + p.name + "\n"
	case 1, 2:
		lines := strings.Split(strings.TrimSpace(r.text), "\n")
		l.body += "\nOn 2 Mar 2026, Shogi by mail wrote:\n> " + strings.Join(lines[:min(12, len(lines))], "\n> ") + "\n"
	}
	return l
}

func (p *person) reply(r reading, what, body string) { p.w.write(p.answer(r, what, body)) }

// oneLine keeps a subject ASCII and short, as some programs do.
func oneLine(s string) string {
	s = strings.Map(func(r rune) rune {
		if r > 126 {
			return '?'
		}
		return r
	}, s)
	return s[:min(len(s), 70)]
}

// fidget does one of the things people do besides playing.
func (p *person) fidget(r reading) {
	c := p.w.forPeople
	old := one(c, p.kept)
	switch c.IntN(14) {
	case 0:
		p.reply(r, "games", "games")
	case 1:
		p.reply(old, "board", "board")
	case 2:
		p.reply(r, "moves", "moves")
	case 3:
		p.reply(r, "say", "say what a fine day\nsecond line")
	case 4:
		p.reply(old, "help", "help")
	case 5:
		p.reply(r, "prose", "What lovely weather we have here.")
	case 6:
		p.reply(r, "nothing", "")
	case 7:
		p.reply(old, "resign elsewhere", fmt.Sprintf("resign #%d", 1+c.IntN(10)))
	case 8:
		p.reply(r, "join again", "join "+p.name)
	case 9, 10: // a move under an old mail
		if m, ok := p.chooseIn(old); ok {
			p.reply(old, "late move", m)
		}
	case 11:
		p.reply(r, "accept nothing", one(c, []string{"accept", "decline"}))
	case 12:
		p.bounce(old)
	case 13:
		p.reply(old, "two commands", fmt.Sprintf("#%d board\ngames", 1+c.IntN(6)))
	}
}

func (p *person) chooseIn(r reading) (string, bool) {
	if !r.yours {
		return "", false
	}
	m, ok := p.choose(r)
	if !ok {
		return "", false
	}
	return p.inWords(r.position, m, true), true
}

// absent answers for somebody who is away (RFC 3834).
func (p *person) absent(r reading) {
	if p.w.calm {
		return
	}
	l := p.answer(r, "away", one(p.w.forPeople, []string{"I am away.", "resign", "yes"}))
	l.envelopeFrom = one(p.w.forPeople, []string{"", p.addr})
	l.fields = append(l.fields, "Auto-Submitted: auto-replied")
	p.w.write(l)
}

// bounce is a delivery report about a mail of ours (RFC 3464).
func (p *person) bounce(r reading) {
	l := p.answer(r, "bounce", "resign")
	l.envelopeFrom, l.sender, l.dmarc = "", "mailer-daemon@"+p.name+".example", ""
	l.fields = []string{"MIME-Version: 1.0", `Content-Type: multipart/report; report-type=delivery-status; boundary="b"`}
	l.body = "--b\nContent-Type: text/plain\n\nresign\n--b\nContent-Type: message/delivery-status\n\nFinal-Recipient: rfc822;" + p.addr + "\nAction: failed\nStatus: 5.1.1\n\n--b--\n"
	p.w.write(l)
}

// spoof tries to act for somebody else.
func (p *person) spoof() {
	c := p.w.forPeople
	victim := one(c, p.w.people)
	if victim == p || len(victim.kept) == 0 || len(p.kept) == 0 {
		return
	}
	p.w.figures.Spoofs++
	r := one(c, victim.kept) // it has leaked
	line := one(c, []string{"resign", "games", "accept", "say I am a fool", "P-7f"})
	l := p.answer(r, "spoof of "+victim.name, line)
	forge := func() {
		l.sender, l.envelopeFrom, l.dmarc = victim.addr, victim.addr, ""
		if victim.auth {
			l.dmarc = "fail"
		}
	}
	switch c.IntN(5) {
	case 0: // somebody else's token, from one's own address
		l.what += " by token"
		l.to = r.replyTo
	case 1: // somebody else's address, no token
		l.what += " by address"
		forge()
		l.to, l.inReplyTo, l.references = serviceAddress, "", nil
		if r.game != 0 {
			l.body = fmt.Sprintf("#%d %s\n", r.game, line)
		}
		l.fields = append(l.fields, "Authentication-Results: mx.evil.example; dmarc=pass header.from="+hostOf(victim.addr))
	case 2: // somebody else's address, one's own token
		l.what += " by address and own token"
		own := one(c, p.kept)
		forge()
		l.to, l.inReplyTo, l.references = own.replyTo, own.id, nil
	case 3: // a token made up
		l.what += " by a made-up token"
		forge()
		l.to = fmt.Sprintf("shogi+%s-%s@%s", aboutOf(r.id), c.word(20), serviceHost)
		l.inReplyTo, l.references = "", nil
	case 4: // two authors
		l.what += " with two authors"
		l.to = r.replyTo
		l.sender = victim.addr + ", " + p.addr
	}
	p.w.write(l)
}

func hostOf(addr string) string {
	_, host, _ := strings.Cut(addr, "@")
	return host
}

// flood writes more in an hour than anybody may.
func (p *person) flood() {
	for range 70 {
		p.w.in(p.w.forPeople.between(0, 30*time.Minute), func() {
			if !p.w.calm {
				p.replyToLatest("flood", "help")
			}
		})
	}
}
