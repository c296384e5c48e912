package service

import (
	"fmt"
	"strings"
	"time"

	"pbem/clock"
	"pbem/game"
	"pbem/player"
	"pbem/rules"
	"pbem/templates"
)

// makeChallenge offers somebody a game.
func (c *conversation) makeChallenge(args, note string) error {
	name, rest, _ := strings.Cut(args, " ")
	name = strings.Trim(name, ".,!\"'“”")
	to, err := c.st.PlayerByName(name)
	ok, err := found(err)
	if err != nil {
		return err
	}
	if !ok {
		return c.noPlayer(name)
	}
	if to.ID == c.who.ID {
		c.say(templates.Self{})
		return nil
	}
	if to.OutOfReach() {
		c.say(templates.NotReached{Opponent: to.Name})
		return nil
	}
	terms, side, wrong := parseTerms(to.Name, rest, c.env.Settings.Clock)
	if wrong != nil {
		c.say(wrong)
		return nil
	}
	if full, err := c.tooManyGames(c.who); err != nil || full {
		return err
	}
	id, err := c.st.NextChallenge()
	if err != nil {
		return err
	}
	ch := game.Challenge{ID: id, From: c.who.ID, To: to.ID, Side: side, Terms: terms,
		Made: c.env.Now, Expires: c.env.Now.Add(c.env.Settings.ChallengeExpires)}
	c.result.Challenges = append(c.result.Challenges, ch)
	c.note(false, "challenge made", "challenge", uint64(id), "player", uint64(c.who.ID))
	days := days(c.env.Settings.ChallengeExpires)
	c.say(templates.ChallengeSent{Opponent: to.Name, Terms: c.termsText(ch, c.who.ID), Days: days, Suggestion: c.suggestion(to, terms)})
	return c.post(letter{to: to, challenge: id, parts: []any{
		templates.Challenged{Opponent: c.who.Name, Terms: c.termsText(ch, to.ID), Days: days}}})
}

// parseTerms reads what stands behind the name in a challenge: "as black",
// "handicap 2p", "clock 10/30", "weekends off", "strict", in any order. What is
// wrong with it comes back as an answer.
func parseTerms(name, text string, usual clock.Control) (t game.Terms, side game.Side, wrong any) {
	t.Variant, t.Clock = rules.Shogi().Name, usual
	weekends := usual.Weekends
	words := strings.Fields(strings.ToLower(strings.TrimRight(text, ".!")))
	for i := 0; i < len(words); i++ {
		switch w := strings.Trim(words[i], ","); w {
		case "as", "with", "and", "a", "the", "even", "no", "playing", "to", "play":
		case "black", "sente":
			side = game.AsBlack
		case "white", "gote":
			side = game.AsWhite
		case "handicap", "clock", "time":
		case "strict":
			t.Strict = true
		case "unlimited":
			t.Clock = clock.Control{}
		case "weekends", "weekend":
			weekends = true
			if i+1 < len(words) && (words[i+1] == "off" || words[i+1] == "free") {
				i++
			}
		default:
			k, n, err := parseClock(words[i:])
			if err == nil {
				t.Clock = k
				i += n - 1
				continue
			}
			if i > 0 && (words[i-1] == "clock" || words[i-1] == "time") {
				return t, side, badClock(w, err)
			}
			var found []rules.Handicap
			found, n = handicaps(words[i:])
			switch len(found) {
			case 0:
				return t, side, templates.BadTerms{Word: w, Handicaps: handicapNames()}
			case 1:
				t.Handicap = found[0].Name
			default:
				return t, side, whichHandicap(name, side, found)
			}
			i += n - 1
		}
	}
	t.Clock.Weekends = weekends && t.Clock.Limited()
	if t.Handicap != "" && side == game.AnySide {
		return t, side, templates.WhoGives{Name: name, Handicap: t.Handicap}
	}
	return t, side, nil
}

// handicaps finds the handicaps that the first words name, the longest name
// first, and how many words it takes; two fit "5p", left and right.
func handicaps(words []string) ([]rules.Handicap, int) {
	for n := min(4, len(words)); n > 0; n-- {
		name := strings.Trim(strings.Join(words[:n], " "), ",")
		if found := rules.Shogi().HandicapsNamed(name); len(found) > 0 {
			return found, n
		}
	}
	return nil, 0
}

// whichHandicap asks which of several is meant, each as a challenge that can
// be sent as it stands.
func whichHandicap(name string, side game.Side, found []rules.Handicap) templates.WhichHandicap {
	as := " as white"
	if side == game.AsBlack {
		as = " as black"
	}
	var w templates.WhichHandicap
	for _, h := range found {
		w.Challenges = append(w.Challenges, "challenge "+name+as+" handicap "+h.Name)
	}
	return w
}

func handicapNames() []string {
	var names []string
	for _, h := range rules.Shogi().Handicaps() {
		names = append(names, h.Name)
	}
	return names
}

// termsText says in words what is offered, as reader sees it.
func (c *conversation) termsText(ch game.Challenge, reader player.ID) string {
	text := variantText(ch.Terms)
	if ch.Terms.Clock.Limited() {
		text += ", " + controlText(ch.Terms.Clock)
	}
	side := ch.Side
	if side == game.AnySide {
		return text + ", sides by lot"
	}
	if reader != ch.From {
		side = game.AsBlack + game.AsWhite - side
	}
	if side == game.AsBlack {
		return text + ", you play Black"
	}
	return text + ", you play White"
}

// variantText names the game, its handicap, and what else is special about it.
func variantText(t game.Terms) string {
	v, ok := rules.ByName(t.Variant)
	if !ok {
		return t.Variant
	}
	text := v.Title
	if t.Handicap != "" {
		title := t.Handicap
		if h, ok := v.Handicap(t.Handicap); ok {
			title = h.Title
		}
		text += fmt.Sprintf(", White gives a handicap (%s) and moves first", title)
	}
	if t.Strict {
		text += ", strict (an illegal move loses)"
	}
	return text
}

// accept takes what is offered: in a game whose opponent has proposed
// something that, else a challenge.
func (c *conversation) accept(args, note string) error {
	if o, ok := c.openOffer(args); ok {
		return c.acceptOffer(c.game, o, note)
	}
	ch, ok, err := c.openChallenge(args)
	if err != nil || !ok {
		return err
	}
	from, err := c.player(ch.From)
	if err != nil {
		return fmt.Errorf("accept challenge %d: %w", ch.ID, err)
	}
	return c.begin(ch, from, note)
}

// begin starts the game of a challenge between the sender and another player,
// if both have room for it.
func (c *conversation) begin(ch game.Challenge, other player.Player, note string) error {
	for _, p := range []player.Player{c.who, other} {
		if full, err := c.tooManyGames(p); err != nil || full {
			return err
		}
	}
	id, err := c.st.NextGame()
	if err != nil {
		return err
	}
	g, err := ch.Accept(id, c.env.draw(), c.env.Now)
	if err != nil {
		return fmt.Errorf("begin game of challenge %d: %w", ch.ID, err)
	}
	for _, p := range []player.Player{c.who, other} {
		side, _ := g.Side(p.ID)
		g.Clock = g.Clock.Rezone(int(side), p.Settings.Zone, c.env.Now)
	}
	stands, err := c.stands(g)
	if err != nil {
		return err
	}
	if stands {
		g = stopClock(g, c.env.Now)
	}
	if ch.ID != 0 {
		c.answered[ch.ID] = true
		c.result.DropChallenges = append(c.result.DropChallenges, ch.ID)
	}
	c.ply = -1
	if err := c.keep(g); err != nil {
		return err
	}
	c.note(false, "game started", "game", uint64(g.ID), "challenge", uint64(ch.ID))
	mine, _ := g.Side(c.who.ID)
	name, terms := g.ID.String(), variantText(g.Terms)
	if g.Terms.Clock.Limited() {
		terms += ", " + controlText(g.Terms.Clock)
	}
	c.sayOf(g.ID, templates.Started{Game: name, Opponent: other.Name, Side: mine.String(), Terms: terms})
	return c.post(letter{to: other, game: g.ID, parts: []any{templates.Started{
		Game: name, Opponent: c.who.Name, Side: mine.Other().String(), Terms: terms, Note: indent(note)}}})
}

// decline turns the offer down.
func (c *conversation) decline(args, note string) error {
	if o, ok := c.openOffer(args); ok {
		return c.declineOffer(c.game, o, note)
	}
	ch, ok, err := c.openChallenge(args)
	if err != nil || !ok {
		return err
	}
	from, err := c.st.Player(ch.From)
	if err != nil {
		return fmt.Errorf("decline challenge %d: %w", ch.ID, err)
	}
	c.answered[ch.ID] = true
	c.result.DropChallenges = append(c.result.DropChallenges, ch.ID)
	c.note(false, "challenge declined", "challenge", uint64(ch.ID))
	c.say(templates.DeclinedByYou{Opponent: from.Name})
	return c.post(letter{to: from, parts: []any{templates.Declined{Opponent: c.who.Name, Note: indent(note)}}})
}

// openChallenge finds the challenge that is answered: the one whose mail was
// replied to, the one of the named challenger, or the only one.
func (c *conversation) openChallenge(args string) (game.Challenge, bool, error) {
	if ch := c.challenge; ch.ID != 0 && ch.To == c.who.ID && !c.answered[ch.ID] && args == "" {
		return ch, true, nil
	}
	all, err := c.st.ChallengesOf(c.who.ID)
	if err != nil {
		return game.Challenge{}, false, err
	}
	var open []game.Challenge
	var rows []string
	for _, ch := range all {
		if ch.To != c.who.ID || c.answered[ch.ID] || !ch.Expires.After(c.env.Now) {
			continue
		}
		from, err := c.st.Player(ch.From)
		if err != nil {
			return game.Challenge{}, false, err
		}
		if args != "" && !strings.EqualFold(strings.Trim(args, ".!"), from.Name) {
			continue
		}
		open = append(open, ch)
		rows = append(rows, fmt.Sprintf("%s: %s", from.Name, c.termsText(ch, c.who.ID)))
	}
	switch len(open) {
	case 0:
		c.say(templates.NoChallenge{})
		return game.Challenge{}, false, nil
	case 1:
		return open[0], true, nil
	}
	c.say(templates.WhichChallenge{Challenges: rows})
	return game.Challenge{}, false, nil
}

// noPlayer answers a challenge to a name that nobody has.
func (c *conversation) noPlayer(name string) error {
	names, err := c.st.Names()
	if err != nil {
		return err
	}
	n := templates.NoPlayer{Name: name}
	best := 3
	for _, other := range names {
		if strings.EqualFold(other, c.who.Name) {
			continue
		}
		if d := distance(strings.ToLower(name), strings.ToLower(other)); d < best {
			best, n.Nearest = d, other
		}
		if len(n.Others) < 10 {
			n.Others = append(n.Others, other)
		}
	}
	c.say(n)
	return nil
}

// tooManyGames says so if p can have no further game.
func (c *conversation) tooManyGames(p player.Player) (bool, error) {
	max := c.env.Settings.GamesPerPlayer
	games, err := c.st.GamesOf(p.ID)
	if err != nil || max <= 0 || len(games) < max {
		return false, err
	}
	c.say(templates.TooManyGames{Name: p.Name, Max: max})
	return true, nil
}

// days says a duration in whole days, or hours if it is shorter.
func days(d time.Duration) string {
	switch n := int(d.Hours()); {
	case n < 48:
		return fmt.Sprintf("%d hours", n)
	default:
		return fmt.Sprintf("%d days", n/24)
	}
}
