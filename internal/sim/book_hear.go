package sim

import (
	"bufio"
	"bytes"
	"net/textproto"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

func itoa(n int) string { return strconv.Itoa(n) }

// heard is what the checker takes from the raw bytes of a letter.
type heard struct {
	from   string // empty: not exactly one author
	auto   bool
	tokens []string
	lines  []string
}

var (
	plusToken = regexp.MustCompile(`\+([gcph][0-9]+-[0-9]+-[0-9a-z]{20})@`)
	idToken   = regexp.MustCompile(`<([gcph][0-9]+-[0-9]+-[0-9a-z]{20})\.`)
)

// hearRaw reads a letter as it left its author.
func hearRaw(raw []byte) (h heard) {
	head, body, _ := bytes.Cut(raw, []byte("\r\n\r\n"))
	fields, _ := textproto.NewReader(bufio.NewReader(bytes.NewReader(append(bytes.Clone(head), "\r\n\r\n"...)))).ReadMIMEHeader()
	if from := fields.Values("From"); len(from) == 1 && !strings.Contains(from[0], ",") {
		h.from = strings.Trim(from[0], " <>")
	}
	h.auto = fields.Get("Auto-Submitted") != "" || strings.HasPrefix(fields.Get("Content-Type"), "multipart/report") || fields.Get("X-Pbem-Loop") != ""
	add := func(form *regexp.Regexp, text string, backward bool) {
		found := form.FindAllStringSubmatch(text, -1)
		if backward {
			slices.Reverse(found)
		}
		for _, m := range found {
			if !slices.Contains(h.tokens, m[1]) {
				h.tokens = append(h.tokens, m[1])
			}
		}
	}
	add(plusToken, fields.Get("To"), false)
	add(idToken, fields.Get("In-Reply-To"), false)
	add(idToken, fields.Get("References"), true)
	for line := range strings.SplitSeq(string(body), "\r\n") {
		line = strings.TrimSpace(line)
		if line == "--" || strings.HasPrefix(line, "On ") && strings.HasSuffix(line, "wrote:") {
			break
		}
		if line != "" {
			h.lines = append(h.lines, line)
		}
	}
	if subject := fields.Get("Subject"); len(h.lines) == 0 && !strings.Contains(subject, "[Shogi") && !strings.HasPrefix(subject, "Re:") {
		h.lines = []string{subject}
	}
	return h
}

// hear replays a letter that was handled.
func (b *book) hear(e entry) {
	h := hearRaw(e.letter.raw)
	b.entry, b.from, b.parts, b.told = e, h.from, 0, nil
	b.subject, b.ply, b.offer = nil, -1, nil
	sender := h.from
	if !h.auto && b.proven(h, e.letter.dmarc) {
		sender = "proven " + sender
	}
	earlier := recent(b.received[sender], e.now)
	if sender != "" {
		b.received[sender] = append(b.received[sender], e.now)
	}
	if h.auto || e.letter.envelopeFrom == "" || h.from == "" {
		return
	}
	b.who = b.memberOf(h.from)
	if earlier >= settings().MessagesPerHour {
		b.tooMany()
		return
	}
	for _, token := range h.tokens {
		kind, num, _, _ := cutToken(token)
		addr := b.owners[token] // "": nobody was ever sent it
		if kind == 'h' {
			if addr == h.from {
				b.confirm(num, h.lines)
				return
			}
			continue
		}
		owner := b.memberOf(addr)
		if owner == nil || kind == 'p' && num == 0 || kind == 'c' && b.offers[num] == nil && owner != b.who {
			continue
		}
		if owner != b.who {
			b.hold(owner.addr, h.lines, token)
			return
		}
		b.about(token)
		b.listen(h.lines)
		return
	}
	switch {
	case e.letter.dmarc == "pass":
		b.listen(h.lines)
	case b.who != nil || len(h.lines) > 0 && strings.HasPrefix(h.lines[0], "join "):
		token := ""
		if len(h.tokens) > 0 {
			token = h.tokens[0]
		}
		b.hold(h.from, h.lines, token)
	case e.now.Sub(b.greeted[h.from]) >= 24*time.Hour:
		if b.answer(h.from, "p0-0") {
			b.greeted[h.from] = e.now
		}
	}
}

// proven reports whether a letter is a member's without being asked about.
func (b *book) proven(h heard, dmarc string) bool {
	if b.memberOf(h.from) == nil {
		return false
	}
	return dmarc == "pass" || slices.ContainsFunc(h.tokens, func(token string) bool {
		return token[0] != 'h' && b.owners[token] == h.from
	})
}

// tooMany tells a member, once a day, that so much is not read.
func (b *book) tooMany() {
	if b.who == nil || b.entry.now.Sub(b.stopped[b.who.addr]) < 24*time.Hour {
		return
	}
	if b.answer(b.who.addr, "p"+itoa(b.who.id)+"-0") {
		b.stopped[b.who.addr] = b.entry.now
	}
}

// about takes from a token what the letter is about.
func (b *book) about(token string) {
	switch kind, num, ply, _ := cutToken(token); kind {
	case 'g':
		b.ply = ply
		if g := b.game(num); g != nil && g.plays(b.who) {
			b.subject = g
		}
	case 'c':
		b.offer = b.offers[num]
	}
}

// hold keeps a letter until addr confirms it.
func (b *book) hold(addr string, lines []string, token string) {
	if len(lines) == 0 {
		if b.who != nil && b.who.addr == addr {
			b.finish()
		}
		return
	}
	b.nHeld++
	b.held[b.nHeld] = &held{addr, lines, token, b.entry.now.Add(settings().ConfirmExpires)}
	b.answerAs("confirm "+addr, addr, "h"+itoa(b.nHeld)+"-0")
}

// confirm replays an answer to "is this from you?".
func (b *book) confirm(num int, lines []string) {
	h := b.held[num]
	if h == nil {
		b.finish()
		return
	}
	yes := len(lines) == 0
	no := false
	if !yes {
		yes = slices.EqualFunc(lines, h.lines, strings.EqualFold)
		first := strings.ToLower(strings.Trim(lines[0], "!."))
		yes, no = yes || first == "yes" || first == "ok", first == "no"
	}
	switch {
	case yes:
		delete(b.held, num)
		if b.who != nil && b.owners[h.token] == b.who.addr {
			b.about(h.token)
		}
		b.listen(h.lines)
	case no:
		delete(b.held, num)
		b.finish()
	default:
		b.answer(h.addr, "h"+itoa(num)+"-0")
	}
}

// tick replays a tick: what it ended had to end, and whom it told had to be
// told.
func (b *book) tick(e entry) {
	b.entry = e
	for _, id := range e.expired {
		o := b.offers[id]
		if o == nil || o.expires.After(e.now) {
			b.w.finding("", 0, "challenge %d expires at %v: it does not", id, e.now)
			continue
		}
		delete(b.offers, id)
	}
	for _, id := range e.unheld {
		h := b.held[id]
		if h == nil || h.expires.After(e.now) {
			b.w.finding("", 0, "held message %d expires at %v: it does not", id, e.now)
		}
		delete(b.held, id)
	}
	for _, m := range e.mails {
		g := b.game(gameOf(m.about + "-"))
		if g != nil && m.reminder {
			b.reminded(g, m.to)
		}
		b.owe(m.to, m.about)
	}
	for _, kept := range e.games {
		g := b.game(int(kept.ID))
		switch {
		case g == nil:
			b.w.finding("", int(kept.ID), "a tick changes game %s, which is none", kept.ID)
		case kept.Over() && !g.over():
			b.timedOut(g)
		case !kept.Fallen.IsZero() && g.watch.fallen.IsZero():
			b.flagFell(g, kept.Fallen)
		}
	}
}
