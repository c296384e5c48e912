package service

import (
	"fmt"
	"slices"
	"strings"

	"pbem/game"
	"pbem/mailer"
	"pbem/player"
	"pbem/templates"
)

// Kinds of answer that have a limit of their own.
const (
	answerAny      = "answer"
	answerStranger = "stranger"
	answerConfirm  = "confirm"
	answerPuzzled  = "not understood"
)

// part is a thing to say to the sender.
type part struct {
	data any
	game game.ID // whose board is to be shown below; 0 none
}

// say adds something to the answer.
func (c *conversation) say(data any) { c.parts = append(c.parts, part{data: data}) }

// sayOf adds something about a game, whose board the answer then shows; nil is
// the board alone.
func (c *conversation) sayOf(id game.ID, data any) {
	c.parts = append(c.parts, part{data: data, game: id})
}

// letter is one mail to be written.
type letter struct {
	to        player.Player // or, for an address that is no player's:
	addr      string
	game      game.ID          // about this game, with its board
	challenge game.ChallengeID // or this challenge
	held      player.HeldID    // or this held message
	more      []game.ID        // further boards
	parts     []any
	reply     bool   // answers the message in hand
	probe     bool   // tries an address that mail came back from
	answer    string // kind of answer
}

// finish writes the one mail to the sender.
func (c *conversation) finish() error {
	l := letter{to: c.who}
	if c.msg.From.Addr != "" { // there is a message to answer
		l.reply, l.answer = true, answerAny
	}
	if c.who.ID == 0 {
		l.addr = c.msg.From.Addr
	}
	if len(c.parts) == 1 && l.reply {
		if _, puzzled := c.parts[0].data.(templates.NotUnderstood); puzzled {
			l.answer = answerPuzzled
		}
	}
	if c.lost != "" {
		c.say(templates.NotReached{Opponent: c.lost})
	}
	for _, p := range c.parts {
		if p.data != nil {
			l.parts = append(l.parts, p.data)
		}
		switch {
		case p.game == 0 || p.game == l.game || slices.Contains(l.more, p.game):
		case l.game == 0:
			l.game = p.game
		default:
			l.more = append(l.more, p.game)
		}
	}
	return c.post(l)
}

// post composes l and puts it among the mails of the result. Who is out of
// reach is written to only in answer.
func (c *conversation) post(l letter) error {
	if l.to.ID != 0 && !l.reply && !l.probe && l.held == 0 {
		p, err := c.player(l.to.ID)
		if err != nil {
			return err
		}
		if p.OutOfReach() {
			return c.unreached(l)
		}
	}
	if l.addr == "" {
		l.addr = l.to.Address()
	}
	if l.answer != "" {
		if ok, err := c.mayAnswer(l.answer, l.addr); err != nil || !ok {
			return err
		}
	}
	subject, text, err := c.body(l)
	if err != nil {
		return err
	}
	set := c.env.Settings
	tok, ply := c.tokenFor(l)
	m := Mail{Player: l.to.ID, Game: l.game, Ply: ply, Answer: l.answer, Draft: mailer.Draft{
		From:      mailer.Address{Name: set.Name, Addr: set.Address},
		To:        mailer.Address{Name: l.to.Name, Addr: l.addr},
		ReplyTo:   replyTo(set, tok),
		MessageID: tok + "." + c.env.NewID() + "@" + set.host(),
		Subject:   subject, Text: text, HTML: templates.HTML(text),
		Date: c.env.Now, Auto: "auto-generated",
	}}
	if l.reply {
		m.Auto = "auto-replied"
	}
	if err := c.thread(&m, l); err != nil {
		return err
	}
	c.result.Mails = append(c.result.Mails, m)
	return nil
}

// body renders the parts of l and the boards below them. The first part that
// has a subject gives it to the mail.
func (c *conversation) body(l letter) (subject, text string, err error) {
	parts := slices.Clone(l.parts)
	for _, id := range append([]game.ID{l.game}, l.more...) {
		if id == 0 {
			continue
		}
		g, err := c.gameNow(id)
		if err != nil {
			return "", "", err
		}
		b, err := c.boardFor(g, l.to)
		if err != nil {
			return "", "", err
		}
		parts = append(parts, b)
	}
	var texts []string
	for _, p := range parts {
		s, t, err := templates.Render(p)
		if err != nil {
			return "", "", err
		}
		if subject == "" {
			subject = s
		}
		texts = append(texts, t)
	}
	return oneLine(subject), strings.Join(texts, "\n\n") + "\n", nil
}

// oneLine keeps what a player typed from breaking a subject.
func oneLine(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > 100 {
		s = string(r[:99]) + "…"
	}
	return s
}

// gameNow returns the game as this message has left it.
func (c *conversation) gameNow(id game.ID) (game.Game, error) {
	if g, ok := c.changed[id]; ok {
		return g, nil
	}
	g, err := c.st.Game(id)
	if err != nil {
		return g, fmt.Errorf("game %s: %w", id, err)
	}
	return g, nil
}

// tokenFor mints the token that a reply to l will carry.
func (c *conversation) tokenFor(l letter) (tok string, ply int) {
	secret := c.env.Settings.Secrets[0]
	owner := tokenOwner(l.to.ID)
	switch {
	case l.held != 0:
		return newToken(secret, aboutHeld, uint64(l.held), 0, tokenAddress(l.addr)), 0
	case l.game != 0:
		g, err := c.gameNow(l.game)
		if err == nil {
			ply = g.Ply()
		}
		return newToken(secret, aboutGame, uint64(l.game), ply, owner), ply
	case l.challenge != 0:
		return newToken(secret, aboutChallenge, uint64(l.challenge), 0, owner), 0
	case l.to.ID == 0: // somebody who is no player has nothing to prove
		return newToken(secret, aboutPlayer, 0, 0, tokenAddress(l.addr)), 0
	}
	return newToken(secret, aboutPlayer, uint64(l.to.ID), 0, owner), 0
}

// replyTo returns the address that a reply goes to.
func replyTo(s Settings, tok string) string {
	if !s.PlusAddressing {
		return s.Address
	}
	local, host, _ := strings.Cut(s.Address, "@")
	return local + "+" + tok + "@" + host
}

// thread ties m to the mails that its reader already has: the one just
// answered, and those of the game. A mail the reader never got is never named.
func (c *conversation) thread(m *Mail, l letter) error {
	var known game.Thread
	if l.game != 0 {
		g, err := c.gameNow(l.game)
		if err != nil {
			return err
		}
		if side, ok := g.Side(l.to.ID); ok {
			known = g.Threads[side]
			g.Threads[side] = known.With(m.MessageID)
			c.changed[g.ID] = g
		}
	}
	refs := []string{known.Root, known.Last}
	m.InReplyTo = known.Last
	if l.reply && c.msg.MessageID != "" {
		m.InReplyTo = c.msg.MessageID
		refs = append(refs, c.msg.MessageID)
	}
	for _, r := range refs {
		if r != "" && !slices.Contains(m.References, r) {
			m.References = append(m.References, r)
		}
	}
	return nil
}
