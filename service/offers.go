package service

import (
	"fmt"
	"strings"

	"pbem/game"
	"pbem/notation"
	"pbem/player"
	"pbem/rules"
	"pbem/templates"
)

// offer makes a command that proposes something to the opponent, or accepts
// what the opponent has proposed in the same words.
func offer(kind game.OfferKind) func(*conversation, string, string) error {
	return func(c *conversation, args, note string) error {
		ok, err := c.needGameOf(args, string(kind))
		if err != nil || !ok {
			return err
		}
		g := c.game
		if o, ok := g.Offered(kind); ok && o.By != c.who.ID {
			return c.acceptOffer(g, o, note)
		}
		if why := c.cannotOffer(g, kind); why != "" {
			c.sayOf(g.ID, templates.CannotOffer{Game: g.ID.String(), Kind: string(kind), Why: why})
			return nil
		}
		opponent, err := c.opponent(g)
		if err != nil {
			return err
		}
		if opponent.OutOfReach() {
			c.sayOf(g.ID, templates.NotReached{Opponent: opponent.Name})
			return nil
		}
		until := c.env.Now.Add(c.env.Settings.ChallengeExpires)
		g = g.With(game.Offer{Kind: kind, By: c.who.ID, At: c.env.Now, Expires: until})
		if err := c.keep(g); err != nil {
			return err
		}
		o := templates.Offered{Game: g.ID.String(), Opponent: opponent.Name, Kind: string(kind), Count: c.pointsText(g, kind),
			Until: moment(until, c.who), Note: indent(note)}
		c.sayOf(g.ID, templates.OfferSent(o))
		o.Opponent, o.Until = c.who.Name, moment(until, opponent)
		c.note(false, "offer made", "game", uint64(g.ID), "player", uint64(c.who.ID), "kind", string(kind))
		return c.post(letter{to: opponent, game: g.ID, parts: []any{o}})
	}
}

// cannotOffer says why the sender cannot offer something now, or "".
func (c *conversation) cannotOffer(g game.Game, kind game.OfferKind) string {
	if kind == game.OfferRematch {
		if !g.Over() {
			return "the game is not over yet"
		}
		return ""
	}
	switch {
	case g.Over():
		return "the game is over"
	case kind == game.OfferPause && g.Paused:
		return "the game is paused already; the word resume lets it go on"
	case kind == game.OfferUndo && g.UndoPlies(c.who.ID) == 0:
		return "you have not moved yet"
	case kind == game.OfferImpasse && !g.Position().Variant().Points:
		return "this kind of shogi knows no impasse"
	}
	return ""
}

// pointsText says the points of both sides, for an offer of impasse.
func (c *conversation) pointsText(g game.Game, kind game.OfferKind) string {
	if kind != game.OfferImpasse {
		return ""
	}
	p, start := g.Position(), g.Start()
	return fmt.Sprintf("Black has %d points, White %d; below 24 loses", rules.Points(p, rules.Black, start), rules.Points(p, rules.White, start))
}

// acceptOffer does what the opponent has proposed.
func (c *conversation) acceptOffer(g game.Game, o game.Offer, note string) error {
	opponent, err := c.opponent(g)
	if err != nil {
		return err
	}
	now := c.arrived()
	c.note(false, "offer accepted", "game", uint64(g.ID), "player", uint64(c.who.ID), "kind", string(o.Kind))
	switch o.Kind {
	case game.OfferDraw:
		g, err = g.AgreeDraw(now)
	case game.OfferImpasse:
		g, err = g.AgreeImpasse(now)
	case game.OfferUndo:
		g, err = g.Undo(g.UndoPlies(o.By), c.env.Now)
	case game.OfferPause:
		g = g.Without(o.Kind)
		g.Paused = true
		g = stopClock(g, now)
	case game.OfferRematch:
		return c.rematch(g.Without(o.Kind), opponent, note)
	}
	if err != nil {
		return err
	}
	if err := c.keep(g); err != nil {
		return err
	}
	if g.Over() {
		return c.tell(g, note)
	}
	return c.tellBoth(g, opponent, note, func(other string) any {
		return templates.OfferAccepted{Game: g.ID.String(), Opponent: other, Kind: string(o.Kind)}
	})
}

// tellBoth tells both players the same about a game, each with the name of the
// other, and the opponent the sender's note.
func (c *conversation) tellBoth(g game.Game, opponent player.Player, note string, say func(other string) any) error {
	c.sayOf(g.ID, say(opponent.Name))
	parts := []any{say(c.who.Name)}
	if note != "" {
		parts = append(parts, templates.Said{Game: g.ID.String(), Opponent: c.who.Name, Note: indent(note)})
	}
	return c.post(letter{to: opponent, game: g.ID, parts: parts})
}

// rematch begins the next game with colours swapped.
func (c *conversation) rematch(old game.Game, opponent player.Player, note string) error {
	if err := c.keep(old); err != nil {
		return err
	}
	mine, _ := old.Side(c.who.ID)
	side := game.AsWhite // of the sender: the other one than before
	if mine == rules.White {
		side = game.AsBlack
	}
	return c.begin(game.Challenge{From: c.who.ID, To: opponent.ID, Side: side, Terms: old.Terms}, opponent, note)
}

// declineOffer turns down what the opponent has proposed in a game.
func (c *conversation) declineOffer(g game.Game, o game.Offer, note string) error {
	opponent, err := c.opponent(g)
	if err != nil {
		return err
	}
	g = g.Without(o.Kind)
	if err := c.keep(g); err != nil {
		return err
	}
	c.sayOf(g.ID, templates.OfferDeclined{Game: g.ID.String(), Kind: string(o.Kind), Opponent: opponent.Name, ByYou: true})
	return c.post(letter{to: opponent, game: g.ID, parts: []any{templates.OfferDeclined{
		Game: g.ID.String(), Kind: string(o.Kind), Opponent: c.who.Name, Note: indent(note)}}})
}

// openOffer finds the offer that accept or decline means: of the kind named,
// or the only one in the game that was replied to.
func (c *conversation) openOffer(args string) (game.Offer, bool) {
	if c.game.ID == 0 {
		return game.Offer{}, false
	}
	kind, _, _ := strings.Cut(strings.ToLower(strings.Trim(args, " .!")), " ")
	var open []game.Offer
	for _, o := range c.game.Offers {
		if o.By != c.who.ID && (kind == "" || kind == string(o.Kind)) {
			open = append(open, o)
		}
	}
	if len(open) == 0 {
		return game.Offer{}, false
	}
	return open[len(open)-1], true // the latest one
}

// expireOffers drops the offers that nobody answered, and tells who made them.
func (c *conversation) expireOffers(g game.Game) (game.Game, error) {
	for _, o := range g.Offers {
		if o.Expires.After(c.env.Now) {
			continue
		}
		g = g.Without(o.Kind)
		p, err := c.player(o.By)
		if err != nil {
			return g, err
		}
		opponent, err := c.player(g.Opponent(o.By))
		if err != nil {
			return g, err
		}
		c.changed[g.ID] = g
		if err := c.post(letter{to: p, game: g.ID, parts: []any{templates.OfferExpired{
			Game: g.ID.String(), Kind: string(o.Kind), Opponent: opponent.Name}}}); err != nil {
			return g, err
		}
		g = c.changed[g.ID] // with its thread
	}
	return g, nil
}

// resume ends a pause. Either player may.
func (c *conversation) resume(args, note string) error {
	ok, err := c.needGameOf(args, "resume")
	if err != nil || !ok {
		return err
	}
	g := c.game
	opponent, err := c.opponent(g)
	if err != nil {
		return err
	}
	if !g.Paused {
		c.sayOf(g.ID, templates.CannotOffer{Game: g.ID.String(), Kind: "resume", Why: "the game is not paused"})
		return nil
	}
	g.Paused = false
	g, runs, err := c.startClock(g, c.env.Now)
	if err != nil {
		return err
	}
	if err := c.keep(g); err != nil {
		return err
	}
	return c.tellBoth(g, opponent, note, func(other string) any {
		return templates.Resumed{Game: g.ID.String(), Opponent: other, Runs: runs}
	})
}

// declare ends the game by the count of the sender's pieces in the enemy camp.
// Since a false claim loses, it is played only if it is said twice: first the
// count is shown.
func (c *conversation) declare(args, note string) error {
	ok, err := c.needGameOf(args, "declare")
	if err != nil || !ok {
		return err
	}
	g := c.game
	opponent, err := c.opponent(g)
	if err != nil {
		return err
	}
	name := g.ID.String()
	switch {
	case g.Over():
		c.sayOf(g.ID, templates.Over{Game: name})
		return nil
	case g.Turn() != c.who.ID:
		c.sayOf(g.ID, templates.Waiting{Game: name, Opponent: opponent.Name, Typed: "declare"})
		return nil
	case !g.Position().Variant().Points:
		c.sayOf(g.ID, templates.CannotOffer{Game: name, Kind: "declare", Why: "this kind of shogi knows no impasse"})
		return nil
	}
	if claim := rules.CountClaim(g.Position(), rules.Rule27, g.Start()); !strings.Contains(strings.ToLower(args), "now") && !claimHolds(claim) {
		c.sayOf(g.ID, templates.ClaimFails{Game: name, Count: claimText(claim)})
		return nil
	}
	if g, err = g.Declare(c.who.ID, rules.Rule27, c.arrived()); err != nil {
		return err
	}
	if err := c.keep(g); err != nil {
		return err
	}
	c.note(false, "impasse declared", "game", uint64(g.ID), "player", uint64(c.who.ID))
	return c.tell(g, note)
}

func claimHolds(k rules.Claim) bool {
	return k.KingInZone && !k.InCheck && k.Pieces >= rules.ImpassePieces && k.Points >= k.ToDraw
}

// claimText says what counts in a declaration, as the rule wants it.
func claimText(k rules.Claim) string {
	king := "your king is in the enemy camp"
	if !k.KingInZone {
		king = "your king is not in the enemy camp"
	}
	if k.InCheck {
		king += " and in check"
	}
	text := fmt.Sprintf("%s, with %d of %d other pieces, and %d of %d points", king, k.Pieces, rules.ImpassePieces, k.Points, k.ToWin)
	if k.Credit > 0 {
		text += fmt.Sprintf(" (%d of them for the handicap)", k.Credit)
	}
	return text
}

// claimLine is the count below the board of a player whose king has entered.
func claimLine(g game.Game, reader player.ID) string {
	if g.Over() || g.Turn() != reader || !g.Position().Variant().Points {
		return ""
	}
	k := rules.CountClaim(g.Position(), rules.Rule27, g.Start())
	if !k.KingInZone {
		return ""
	}
	return claimText(k)
}

// preview shows what a line of moves would lead to, without playing it.
func (c *conversation) preview(args, _ string) error {
	ok, err := c.needGame("preview "+args, false)
	if err != nil || !ok {
		return err
	}
	g, p := c.game, c.game.Position()
	moves, misfit := notation.ReadMoves(p, args, options(g))
	var typed []string
	for _, m := range moves {
		typed = append(typed, notation.Hodges(p, m))
		if p, err = p.Play(m); err != nil {
			return fmt.Errorf("preview in game %s: %w", g.ID, err)
		}
	}
	if misfit != nil {
		c.sayOf(g.ID, misreadAt(p, g.ID.String(), args, misfit))
		return nil
	}
	side, _ := g.Side(c.who.ID)
	if c.who.Settings.FixedBoard {
		side = rules.Black
	}
	c.say(templates.Preview{Game: g.ID.String(), Moves: strings.Join(typed, " "), Drawn: drawn(p, side, moves[len(moves)-1]), Check: p.InCheck()})
	return nil
}
