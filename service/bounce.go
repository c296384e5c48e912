package service

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"pbem/game"
	"pbem/mailer"
	"pbem/player"
	"pbem/templates"
)

// Returned is a mail of ours that did not reach its recipient.
type Returned struct {
	Address   string // where it was sent
	MessageID string
	Status    string // such as "5.1.1" (RFC 3463), or a server's code
}

// Undelivered says what comes of a mail that the next server refused for good,
// or that was tried in vain until it was given up.
func Undelivered(r Returned, st State, env Env) (Result, error) {
	w, err := newWorking(st)
	if err != nil {
		return Result{}, err
	}
	c := newConversation(mailer.Message{}, w, env)
	p, err := st.PlayerByAddress(r.Address)
	if ok, err := found(err); !ok || !strings.EqualFold(p.Address(), r.Address) {
		return Result{}, err
	}
	if err := c.cameBack(p, r); err != nil {
		return Result{}, fmt.Errorf("mail %q came back: %w", r.MessageID, err)
	}
	c.collect()
	return c.result, nil
}

// bounced reads a delivery report. It counts only if it names a mail of ours
// to the player whose address failed, which the token in that mail's
// Message-ID proves: whoever could forge it could as well write for the player.
func (c *conversation) bounced() error {
	b, msgid := c.msg.Bounce, c.msg.MessageID
	p, err := c.st.PlayerByAddress(b.Failed)
	known, err := found(err)
	if err != nil {
		return err
	}
	switch {
	case b.Action == "complaint":
		c.note(true, "somebody has reported a mail of ours as spam", "player", uint64(p.ID), "msgid", msgid)
		return nil
	case !known || !strings.EqualFold(p.Address(), b.Failed):
		c.note(false, "delivery report on an address that no mail goes to", "msgid", msgid)
		return nil
	}
	switch {
	case !c.isOurs(p):
		c.note(true, "delivery report without a token of its player", "player", uint64(p.ID), "msgid", msgid)
		return nil
	case b.Action != "failed" || b.Status != "" && !strings.HasPrefix(b.Status, "5"):
		c.note(false, "delivery report that decides nothing", "player", uint64(p.ID), "action", b.Action, "status", b.Status, "msgid", msgid)
		return nil
	}
	r := Returned{Address: b.Failed, MessageID: b.MessageID, Status: b.Status}
	if r.MessageID == "" && len(c.msg.InReplyTo) > 0 {
		r.MessageID = c.msg.InReplyTo[0]
	}
	return c.cameBack(p, r)
}

// isOurs reports whether the delivery report is about a mail of ours to p: the
// one that it holds carries a token of p's, or of a message that was to be
// confirmed from that address, or the report answers such a mail.
func (c *conversation) isOurs(p player.Player) bool {
	local, _, _ := strings.Cut(c.msg.Bounce.MessageID, ".")
	tokens := append([]string{local}, c.msg.Tokens...)
	return c.tokenOf(p, tokens) || slices.ContainsFunc(tokens, func(text string) bool {
		t, ok := parseToken(text)
		return ok && t.belongs(c.env.Settings.Secrets, tokenAddress(p.Address()))
	})
}

// cameBack counts a mail to p that came back for good. Once too many have, p's
// games stand and the opponents are told.
func (c *conversation) cameBack(p player.Player, r Returned) error {
	set, before := c.env.Settings, p.OutOfReach()
	p = p.Bounced(r.MessageID, c.env.Now, set.Bounces, set.BouncesWithin)
	c.note(true, "mail came back", "player", uint64(p.ID), "status", r.Status, "msgid", r.MessageID)
	if before || !p.OutOfReach() {
		if !before {
			c.keepPlayer(p)
		}
		return nil
	}
	c.keepPlayer(p)
	c.note(true, "player out of reach", "player", uint64(p.ID))
	return c.eachGame(p, func(g game.Game, opponent player.Player) error {
		if err := c.keep(stopClock(g, c.env.Now)); err != nil {
			return err
		}
		return c.post(letter{to: opponent, game: g.ID, parts: []any{templates.OpponentLost{
			Game: g.ID.String(), Opponent: p.Name, Turn: g.Turn() == opponent.ID}}})
	})
}

// unreached is post for a reader who is out of reach. The sender is told if it
// is the opponent.
func (c *conversation) unreached(l letter) error {
	c.note(false, "mail not written: its reader is out of reach", "player", uint64(l.to.ID), "game", uint64(l.game))
	if l.game == 0 {
		return nil
	}
	g, err := c.gameNow(l.game)
	if _, plays := g.Side(l.to.ID); plays {
		c.lost = l.to.Name
	}
	return err
}

// reached takes a proven mail of the sender's for the sign of life that it is:
// what stood because mail came back goes on.
func (c *conversation) reached() error {
	p := c.who
	if len(p.Bounces.Hard) == 0 && !p.OutOfReach() {
		return nil
	}
	c.keepPlayer(p.Reached())
	if !p.OutOfReach() {
		return nil
	}
	c.note(false, "player in reach again", "player", uint64(p.ID))
	f, err := c.missed(p)
	if err != nil {
		return err
	}
	var turns []game.ID
	err = c.eachGame(p, func(g game.Game, opponent player.Player) error {
		g, runs, err := c.startClock(g, c.env.Now)
		if err != nil {
			return err
		}
		if err := c.keep(g); err != nil {
			return err
		}
		f.Games = f.Games || runs
		if g.Turn() == p.ID && len(turns) < maxBoards {
			turns = append(turns, g.ID)
		}
		return c.post(letter{to: opponent, game: g.ID, parts: []any{templates.OpponentFound{
			Game: g.ID.String(), Opponent: p.Name, Runs: runs}}})
	})
	if err != nil {
		return err
	}
	c.sayOf(c.game.ID, f)
	for _, id := range turns {
		c.sayOf(id, nil)
	}
	return nil
}

// missed is what p was not told while out of reach, but for the boards.
func (c *conversation) missed(p player.Player) (templates.Found, error) {
	f := templates.Found{Since: moment(p.Bounces.Since, p)}
	ended, err := c.st.EndedGamesOf(p.ID, maxBoards)
	if err != nil {
		return f, err
	}
	for _, g := range ended {
		if g.Ended.Before(p.Bounces.Since) {
			continue
		}
		opponent, err := c.opponent(g)
		if err != nil {
			return f, err
		}
		f.Ended = append(f.Ended, fmt.Sprintf("%s against %s: %s", g.ID, opponent.Name, resultText(g, c.names(g, p, opponent))))
	}
	f.Challenges, err = c.challengeRows()
	return f, err
}

// probe tries the address of p, who is out of reach.
func (c *conversation) probe(p player.Player) error {
	p = p.Probed()
	c.keepPlayer(p)
	c.note(false, "address tried again", "player", uint64(p.ID))
	return c.post(letter{to: p, probe: true, parts: []any{templates.Probe{
		Name: p.Name, Since: moment(p.Bounces.Since, p)}}})
}

// probeDue reports whether the address of p is to be tried at now.
func probeDue(p player.Player, now time.Time) bool {
	at := p.NextProbe()
	return !at.IsZero() && !now.Before(at)
}
