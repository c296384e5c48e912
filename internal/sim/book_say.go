package sim

import (
	"errors"
	"regexp"
	"strings"

	"pbem/notation"
	"pbem/rules"
)

var gameWord = regexp.MustCompile(`^#(\d+)\s*`)

// listen replays the lines of somebody who is proven to have written them.
func (b *book) listen(lines []string) {
	moved := false // Nobody here writes two moves in a letter.
	for _, line := range lines {
		if m := gameWord.FindStringSubmatch(line); m != nil {
			b.ply, b.subject = -1, nil
			line = line[len(m[0]):]
			if g := b.game(atoi(m[1])); g != nil && g.plays(b.who) {
				b.subject = g
			} else {
				b.parts++
				break // It is told that there is none, and which there are.
			}
		}
		word, rest, _ := strings.Cut(line, " ")
		word, rest = strings.ToLower(strings.Trim(word, ".,!:;")), strings.TrimSpace(rest)
		switch {
		case b.command(word, rest):
			b.parts++
		case !moved && b.movelike(line):
			moved = true
			b.parts++
			b.move(line)
		}
	}
	if b.parts == 0 && b.subject != nil { // Nothing was understood.
		b.tell(b.subject)
	}
	b.finish()
}

// finish is the one mail that answers: about the first game that was spoken
// of, or about nothing.
func (b *book) finish() {
	to, about := b.from, "p0-0"
	if b.who != nil {
		to, about = b.who.addr, "p"+itoa(b.who.id)+"-0"
	}
	if len(b.told) > 0 {
		about = b.told[0].about()
	}
	b.answer(to, about)
}

func (b *book) tell(g *match) { b.told = append(b.told, g) }

// needGame is the game that is meant, if that is clear.
func (b *book) needGame(toMove bool) *match {
	if b.subject != nil {
		return b.subject
	}
	all := b.running(b.who)
	var turns []*match
	for _, g := range all {
		if g.turn() == b.who {
			turns = append(turns, g)
		}
	}
	switch {
	case len(all) == 1:
		b.subject = all[0]
	case toMove && len(turns) == 1:
		b.subject = turns[0]
	}
	return b.subject
}

// movelike reports whether line has the form of a move.
func (b *book) movelike(line string) bool {
	p := rules.Shogi().Start()
	if b.subject != nil {
		p = b.subject.position()
	}
	_, err := notation.ReadLine(p, nil, line, notation.Options{})
	return !errors.Is(err, notation.ErrNotMove)
}

// move replays a move: it is played if it is that player's turn, legal, and
// not meant for an earlier position.
func (b *book) move(text string) {
	if b.who == nil {
		return
	}
	g := b.needGame(true)
	if g == nil {
		return
	}
	defer b.tell(g)
	if b.ply >= 0 && b.ply < len(g.moves) || g.turn() != b.who {
		return
	}
	m, ok := g.read(text)
	if !ok {
		return
	}
	if f := g.watch.fallen; !f.IsZero() && b.entry.arrived.Before(f) {
		b.w.finding(b.who.name, g.id, "the flag of game #%d fell at %v; a move had arrived at %v", g.id, f, b.entry.arrived)
	}
	b.checkCharge(g)
	if !g.play(m, b.entry.arrived, b.entry.now, b.entry.outages) {
		b.w.finding(b.who.name, g.id, "%q is read as a move that is not legal", text)
		return
	}
	if b.ply >= 0 {
		b.ply = len(g.moves)
	}
	b.owe(g.other(b.who).addr, g.about())
}

// command replays a command; it reports whether the word is one.
func (b *book) command(word, args string) bool {
	switch word {
	case "join":
		b.join(args)
		return true
	case "help":
		return true
	case "challenge", "accept", "decline", "board", "moves", "games", "resign", "say", "claim", "wait", "give":
	default:
		return false
	}
	if m := gameWord.FindStringSubmatch(args); m != nil && word != "say" {
		b.ply, b.subject = -1, nil
		if b.subject = b.game(atoi(m[1])); b.subject == nil || !b.subject.plays(b.who) {
			b.subject = nil
			return true
		}
	}
	switch {
	case b.who == nil:
	case word == "challenge":
		b.challenge(strings.Fields(args))
	case word == "accept", word == "decline":
		b.reply(word, args)
	case word == "games":
	default:
		b.speak(word, args)
	}
	return true
}

// speak replays what is said about a game.
func (b *book) speak(word, args string) {
	g := b.needGame(false)
	if g == nil {
		return
	}
	b.tell(g)
	switch {
	case word == "resign" && !g.over():
		side := rules.Black
		if g.players[rules.White] == b.who {
			side = rules.White
		}
		g.finish(rules.End{Outcome: rules.Win(side.Other()), Cause: notation.Resigned}, b.entry.arrived)
		b.owe(g.other(b.who).addr, g.about())
	case word == "claim", word == "wait", word == "give":
		b.decide(g, word, args)
	case word == "say":
		b.owe(g.other(b.who).addr, g.about())
	}
}

func (b *book) join(name string) {
	if b.who != nil || name == "" || b.named(name) != nil {
		return
	}
	b.who = &member{len(b.members) + 1, name, b.from}
	b.members = append(b.members, b.who)
}

// challenge replays "challenge NAME [as SIDE] [handicap KIND]".
func (b *book) challenge(words []string) {
	to := b.named(words[0])
	if to == nil || to == b.who {
		return
	}
	o := &offer{from: b.who, to: to, control: settings().Clock, expires: b.entry.now.Add(settings().ChallengeExpires)}
	for i := 1; i+1 < len(words); i += 2 {
		switch words[i] {
		case "as":
			o.side = words[i+1]
		case "clock":
			o.control = controls()[words[i+1]]
		case "handicap":
			h, ok := rules.Shogi().Handicap(words[i+1])
			if !ok {
				return
			}
			o.handicap = h.Name
		}
	}
	if b.full(b.who) {
		return
	}
	b.nOffers++
	o.id = b.nOffers
	b.offers[o.id] = o
	b.owe(to.addr, "c"+itoa(o.id)+"-0")
}

// reply replays accept and decline.
func (b *book) reply(word, name string) {
	o := b.offer
	if o == nil || o.to != b.who || name != "" {
		o = b.onlyOffer(name)
	}
	if o == nil {
		return
	}
	if word == "decline" {
		delete(b.offers, o.id)
		b.owe(o.from.addr, "p"+itoa(o.from.id)+"-0")
		return
	}
	if b.full(b.who) || b.full(o.from) {
		return
	}
	delete(b.offers, o.id)
	g := b.start(o)
	b.tell(g)
	b.owe(o.from.addr, g.about())
}

// onlyOffer is the challenge that b.who may answer, if there is one only.
func (b *book) onlyOffer(name string) (found *offer) {
	for _, o := range b.offers {
		if o.to != b.who || !o.expires.After(b.entry.now) || name != "" && !strings.EqualFold(name, o.from.name) {
			continue
		}
		if found != nil {
			return nil
		}
		found = o
	}
	return found
}
