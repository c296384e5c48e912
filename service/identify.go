package service

import (
	"slices"
	"strings"

	"pbem/game"
	"pbem/mailer"
	"pbem/player"
	"pbem/templates"
)

// hear finds out who wrote and lets the right thing come of it. A message
// moves a piece only if its From address is a player's and a second thing
// proves it: a token that this player was given, or mail authentication that
// a trusted host vouches for. Anything else is held until the owner of the
// address confirms it, so nothing is lost and nobody moves for another.
func (c *conversation) hear() error {
	from := c.msg.From.Addr
	writer, err := c.st.PlayerByAddress(from)
	known, err := found(err)
	if err != nil {
		return err
	}
	c.who = writer
	for _, text := range c.msg.Tokens {
		t, ok := parseToken(text)
		if !ok {
			continue
		}
		if t.about == aboutHeld {
			if t.belongs(c.env.Settings.Secrets, tokenAddress(from)) {
				return c.confirm(player.HeldID(t.num))
			}
			continue
		}
		owner, err := c.owner(t)
		if err != nil {
			return err
		}
		switch {
		case owner == 0:
			c.note(true, "token is nobody's", "msgid", c.msg.MessageID)
		case known && owner == writer.ID:
			c.proven = true
			if err := c.about(t); err != nil {
				return err
			}
			return c.listen(c.msg.Lines)
		default:
			return c.holdFor(owner, text)
		}
	}
	if c.authenticated() {
		c.proven = true
	}
	return c.unproven(known)
}

// unproven goes on where no token of the writer's was found.
func (c *conversation) unproven(known bool) error {
	switch {
	case c.proven:
		return c.listen(c.msg.Lines)
	case known:
		return c.hold(c.who, c.msg.From.Addr, "")
	case c.asksToJoin():
		return c.hold(player.Player{}, c.msg.From.Addr, "")
	}
	return c.stranger()
}

// owner returns the player that t was given to, 0 if to nobody.
func (c *conversation) owner(t token) (player.ID, error) {
	var candidates []player.ID
	switch t.about {
	case aboutGame:
		g, err := c.st.Game(game.ID(t.num))
		if ok, err := found(err); !ok {
			return 0, err
		}
		candidates = append(g.Players[:], c.who.ID) // the writer may watch it, or have watched it
	case aboutChallenge:
		ch, err := c.st.Challenge(game.ChallengeID(t.num))
		if ok, err := found(err); err != nil {
			return 0, err
		} else if !ok { // answered or expired: its token still proves who writes
			if c.who.ID != 0 {
				candidates = []player.ID{c.who.ID}
			}
			break
		}
		candidates = []player.ID{ch.From, ch.To}
	case aboutPlayer:
		candidates = []player.ID{player.ID(t.num)}
	}
	for _, id := range candidates {
		if id != 0 && t.belongs(c.env.Settings.Secrets, tokenOwner(id)) {
			return id, nil
		}
	}
	return 0, nil
}

// about takes from t what the message is about.
func (c *conversation) about(t token) error {
	switch t.about {
	case aboutGame:
		c.ply = t.ply
		_, err := c.useGame(game.ID(t.num))
		return err
	case aboutChallenge:
		ch, err := c.st.Challenge(game.ChallengeID(t.num))
		if ok, err := found(err); !ok {
			return err
		}
		c.challenge = ch
	}
	return nil
}

// useGame makes the game of that number the one meant, if it is the writer's.
func (c *conversation) useGame(id game.ID) (bool, error) {
	g, ok := c.changed[id]
	if !ok {
		var err error
		g, err = c.st.Game(id)
		if ok, err := found(err); !ok {
			return false, err
		}
	}
	if _, plays := g.Side(c.who.ID); !plays {
		return false, nil
	}
	c.game = g
	return true, nil
}

// authenticated reports whether a host we trust says that the From domain
// itself sent the message (RFC 8601, section 5; RFC 7489, section 3.1).
func (c *conversation) authenticated() bool {
	for _, id := range c.env.Settings.AuthservIDs {
		if mailer.Trusted(c.msg, id).DMARC == "pass" {
			return true
		}
	}
	return false
}

// asksToJoin reports whether the message of a stranger begins with join.
func (c *conversation) asksToJoin() bool {
	for _, line := range c.text(c.msg.Lines) {
		if cmd, _ := findCommand(line); cmd != nil {
			return cmd.name == "join"
		}
	}
	return false
}

// stranger answers somebody unknown, once a day.
func (c *conversation) stranger() error {
	last, err := c.st.Answered(c.msg.From.Addr, answerStranger)
	if err != nil || c.env.Now.Sub(last) < day {
		return err
	}
	return c.post(letter{
		addr: c.msg.From.Addr, reply: true, answer: answerStranger,
		parts: []any{templates.Stranger{Service: c.env.Settings.Name}},
	})
}

// holdFor holds the message for the player whose token it carries, though it
// comes from an address that is not that player's.
func (c *conversation) holdFor(owner player.ID, token string) error {
	p, err := c.st.Player(owner)
	if ok, err := found(err); !ok {
		return err
	}
	c.note(true, "token from an address that is not its player's", "player", owner, "msgid", c.msg.MessageID)
	return c.hold(p, p.Address(), token)
}

// hold keeps the message until a reply from addr confirms it.
func (c *conversation) hold(p player.Player, addr, token string) error {
	lines := c.text(c.msg.Lines)
	if len(lines) == 0 { // nothing to confirm
		if p.ID == 0 || p.ID != c.who.ID {
			c.note(false, "empty message not held", "player", uint64(p.ID), "msgid", c.msg.MessageID)
			return nil
		}
		if err := c.notUnderstood(nil); err != nil {
			return err
		}
		return c.finish()
	}
	id, err := c.st.NextHeld()
	if err != nil {
		return err
	}
	h := player.Held{
		ID: id, Address: addr, Subject: c.msg.Subject, Lines: lines, Token: token,
		Arrived: c.arrived(), Expires: c.env.Now.Add(c.env.Settings.ConfirmExpires),
	}
	if token == "" && len(c.msg.Tokens) > 0 {
		h.Token = c.msg.Tokens[0]
	}
	c.result.Held = append(c.result.Held, h)
	c.note(false, "message held for confirmation", "player", p.ID, "msgid", c.msg.MessageID)
	return c.post(letter{
		addr: addr, held: id, answer: answerConfirm,
		reply: strings.EqualFold(addr, c.msg.From.Addr),
		parts: []any{templates.Confirm{Lines: lines}},
	})
}

// confirm goes on with a held message once its owner has said yes.
func (c *conversation) confirm(id player.HeldID) error {
	h, err := c.st.Held(id)
	ok, err := found(err)
	if err != nil {
		return err
	}
	c.proven = true
	if !ok {
		c.say(templates.NothingHeld{})
		return c.finish()
	}
	yes, no := c.yesOrNo(h)
	if !yes && !no {
		c.proven = false
		return c.post(letter{addr: h.Address, held: id, reply: true, answer: answerPuzzled,
			parts: []any{templates.ConfirmAgain{Lines: h.Lines}}})
	}
	c.result.DropHeld = append(c.result.DropHeld, id)
	if no {
		c.say(templates.Unconfirmed{})
		return c.finish()
	}
	if t, ok := parseToken(h.Token); ok && c.who.ID != 0 && t.belongs(c.env.Settings.Secrets, tokenOwner(c.who.ID)) {
		if err := c.about(t); err != nil {
			return err
		}
	}
	return c.listen(h.Lines)
}

// yesOrNo reads the answer to a confirmation. An empty reply is a yes, since
// the mail asks for no more than a reply; so is what was held, said again, and
// nothing but that: a program that answers mail may quote it.
func (c *conversation) yesOrNo(h player.Held) (yes, no bool) {
	if len(c.msg.Lines) == 0 {
		return true, false
	}
	if slices.EqualFunc(c.msg.Lines, h.Lines, strings.EqualFold) {
		return true, false
	}
	first := c.msg.Lines[0]
	return yesWords[firstWord(first)], noWords[firstWord(first)]
}

var (
	yesWords = map[string]bool{"yes": true, "y": true, "ok": true, "okay": true, "confirm": true, "sure": true,
		"sí": true, "si": true, "sì": true, "vale": true, "はい": true, "了解": true}
	noWords = map[string]bool{"no": true, "n": true, "cancel": true, "stop": true, "いいえ": true}
)
