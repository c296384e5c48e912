package sim

import (
	"fmt"
	"regexp"

	"pbem/notation"
	"pbem/rules"
)

// turnedDown matches the subjects of mails after which one writes again.
var turnedDown = regexp.MustCompile(`cannot be played|which move do you mean|earlier position|not understood|more than one move`)

// move answers a mail that asks for a move.
func (p *person) move(r reading) {
	c := p.w.forPeople
	key := fmt.Sprintf("%d-%d", r.game, r.ply)
	again := turnedDown.MatchString(r.subject)
	switch n := p.answered[key]; {
	case n >= 4 || n > 0 && !again && !c.is(0.1):
		return
	}
	p.answered[key]++
	if c.is(0.005 + 0.0004*float64(r.ply)) {
		p.reply(r, "resign", one(c, []string{"resign", "resign\nThank you for the game."}))
		return
	}
	m, ok := p.choose(r)
	if !ok {
		return
	}
	text := p.inWords(r.position, m, again)
	if !again && c.is(0.04) {
		text = one(c, []string{"K-5e", "R-1a", "P*5e", "B-9i", "N-5e", "Gx1a+"})
	}
	what := fmt.Sprintf("%s in #%d, ply %d", text, r.game, r.ply)
	lines := text
	if c.is(0.1) {
		lines += "\n" + one(c, []string{"Good luck!", "Sorry for the delay.", "Write to me at " + p.addr + " if you like."})
	}
	switch {
	case c.is(0.03): // a new mail, without the token
		line := fmt.Sprintf("#%d %s", r.game, text)
		p.waiting = append(p.waiting, line)
		p.write(what, line)
	case c.is(0.03): // under another mail, with the number
		p.reply(one(c, p.kept), what, fmt.Sprintf("#%d %s", r.game, text))
	default:
		p.reply(r, what, lines)
	}
	p.last[r.game] = m
	if c.is(0.03) { // sent twice by hand
		p.reply(r, what+" again", lines)
	}
	if c.is(0.02) { // and changed one's mind
		if m, ok := p.choose(r); ok {
			p.reply(r, what+" changed", p.inWords(r.position, m, true))
		}
	}
}

// inWords writes m as the person does; exactly: in the language of the house.
func (p *person) inWords(pos rules.Position, m rules.Move, exactly bool) string {
	if !exactly {
		if text, err := notation.Write(p.dialect, pos, m, notation.Options{}); err == nil {
			return text
		}
	}
	return notation.Hodges(pos, m)
}

// choose picks a legal move.
func (p *person) choose(r reading) (rules.Move, bool) {
	c := p.w.forPeople
	legal := r.position.LegalMoves()
	if len(legal) == 0 {
		return rules.Move{}, false
	}
	if last := p.last[r.game]; p.shuffles && last.From != 0 {
		for _, m := range legal {
			if m.From == last.To && m.To == last.From && !m.Promote {
				return m, true
			}
		}
	}
	if p.sharp {
		for range min(10, len(legal)) {
			m := one(c, legal)
			if next, err := r.position.Play(m); err == nil && next.InCheck() && !next.HasLegalMove() {
				return m, true
			}
		}
	}
	return one(c, legal), true
}
