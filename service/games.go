package service

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"pbem/board"
	"pbem/game"
	"pbem/notation"
	"pbem/player"
	"pbem/rules"
	"pbem/templates"
)

// keep notes the changed game, so that what follows in this message sees it.
func (c *conversation) keep(g game.Game) error {
	if g.Over() && !g.Counted {
		var err error
		if g, err = c.count(g); err != nil {
			return err
		}
	}
	due, err := c.nextDue(g)
	if err != nil {
		return err
	}
	g.Due = due
	c.game = g
	c.changed[g.ID] = g
	if c.ply >= 0 {
		c.ply = g.Ply()
	}
	return nil
}

// keepPlayer notes the changed player likewise.
func (c *conversation) keepPlayer(p player.Player) {
	p.Due = c.nextPlayerDue(p)
	c.people[p.ID] = p
	if p.ID == c.who.ID {
		c.who = p
	}
}

// collect puts what has been changed into the result.
func (c *conversation) collect() {
	for _, id := range slices.Sorted(maps.Keys(c.changed)) {
		c.result.Games = append(c.result.Games, c.changed[id])
	}
	for _, id := range slices.Sorted(maps.Keys(c.people)) {
		c.result.Players = append(c.result.Players, c.people[id])
	}
}

// needGame makes sure that it is known which game is meant: the one of the
// mail replied to, or else the only one (toMove: in which the sender is to
// move). Where that does not decide, it asks, and ok is false.
func (c *conversation) needGame(text string, toMove bool) (ok bool, err error) {
	if c.game.ID != 0 {
		return true, nil
	}
	games, err := c.st.GamesOf(c.who.ID)
	if err != nil {
		return false, err
	}
	var turns []game.Game
	for _, g := range games {
		if g.Turn() == c.who.ID {
			turns = append(turns, g)
		}
	}
	switch {
	case len(games) == 0:
		c.say(templates.NoGame{Text: text})
		return false, nil
	case len(games) == 1:
		c.game = games[0]
		return true, nil
	case toMove && len(turns) == 1:
		c.game = turns[0]
		return true, nil
	}
	rows, err := c.gameRows(games)
	if err != nil {
		return false, err
	}
	c.say(templates.WhichGame{Text: text, Games: rows, First: games[0].ID.String()})
	return false, nil
}

// needGameOf is needGame for a command that may carry the number of a game.
func (c *conversation) needGameOf(args, command string) (bool, error) {
	m := gameNumber.FindStringSubmatch(args)
	if m == nil {
		return c.needGame(command, false)
	}
	n, _ := strconv.ParseUint(m[1], 10, 64)
	ok, err := c.useGame(game.ID(n))
	if err != nil || ok {
		return ok, err
	}
	return false, c.unknownGame(game.ID(n))
}

// unknownGame says that the sender has no game of that number.
func (c *conversation) unknownGame(id game.ID) error {
	games, err := c.st.GamesOf(c.who.ID)
	if err != nil {
		return err
	}
	rows, err := c.gameRows(games)
	c.say(templates.UnknownGame{Game: id.String(), Games: rows})
	return err
}

// showBoard shows the game as it stands.
func (c *conversation) showBoard(args, _ string) error {
	ok, err := c.needGameOf(args, "board")
	if err != nil || !ok {
		return err
	}
	c.sayOf(c.game.ID, templates.Shown{Game: c.game.ID.String()})
	return nil
}

// showGames lists the sender's games and open challenges.
func (c *conversation) showGames(_, _ string) error {
	games, err := c.st.GamesOf(c.who.ID)
	if err != nil {
		return err
	}
	var l templates.GameList
	if len(games) > 0 {
		l.First = games[0].ID.String()
	}
	if l.Games, err = c.gameRows(games); err != nil {
		return err
	}
	if l.Challenges, err = c.challengeRows(); err != nil {
		return err
	}
	c.say(l)
	return nil
}

// challengeRows describes the sender's open challenges in a row each.
func (c *conversation) challengeRows() (rows []string, err error) {
	challenges, err := c.st.ChallengesOf(c.who.ID)
	if err != nil {
		return nil, err
	}
	for _, ch := range challenges {
		who, how := ch.From, "from"
		if ch.From == c.who.ID {
			who, how = ch.To, "to"
		}
		p, err := c.st.Player(who)
		if err != nil {
			return nil, err
		}
		rows = append(rows, fmt.Sprintf("%s %s: %s", how, p.Name, c.termsText(ch, c.who.ID)))
	}
	return rows, nil
}

// gameRows describes games in a row each, for the sender.
func (c *conversation) gameRows(games []game.Game) ([]string, error) {
	var rows []string
	for _, g := range games {
		o, err := c.opponent(g)
		if err != nil {
			return nil, err
		}
		turn := o.Name + " to move"
		if g.Turn() == c.who.ID {
			turn = "your move"
		}
		if g.Clock.Control.Limited() {
			turn += ", " + leftText(g.Clock.Remaining(g.Clock.Turn, c.env.Now)) + " left"
		}
		rows = append(rows, fmt.Sprintf("%s against %s, move %d, %s", g.ID, o.Name, g.Ply()+1, turn))
	}
	return rows, nil
}

// opponent returns whom the sender plays in g.
func (c *conversation) opponent(g game.Game) (player.Player, error) {
	p, err := c.st.Player(g.Opponent(c.who.ID))
	if err != nil {
		return p, fmt.Errorf("opponent in game %s: %w", g.ID, err)
	}
	return p, nil
}

// boardFor draws g as reader sees it.
func (c *conversation) boardFor(g game.Game, reader player.Player) (templates.Board, error) {
	var names [2]string
	for side, id := range g.Players {
		p, err := c.player(id)
		if err != nil {
			return templates.Board{}, err
		}
		names[side] = p.Name
	}
	side, _ := g.Side(reader.ID)
	view := board.View{Side: side, Last: g.Last()}
	if reader.Settings.FixedBoard {
		view.Side = rules.Black
	}
	b := templates.Board{
		Game: g.ID.String(), Title: variantText(g.Terms), Black: names[rules.Black], White: names[rules.White],
		Drawn:  drawn(g.Position(), view.Side, view.Last),
		Legend: board.Legend(view), Count: g.Ply() + 1,
		Clock: c.clockLine(g, names, reader), Claim: claimLine(g, reader.ID),
	}
	if n := g.Ply(); n > 0 {
		before, _ := g.After(n - 1)
		b.Last, b.LastBy = notation.Hodges(before, g.Last()), names[before.Turn()]
	}
	if g.Over() {
		b.Result = "The game is over: " + resultText(g, names)
		if foul := foulText(g); foul != "" {
			b.Result += ", " + foul
		}
		return b, nil
	}
	b.Turn = names[g.Position().Turn()]
	b.You = g.Turn() == reader.ID
	b.Example = example(g.Position())
	return b, nil
}

// drawn is a board in text, indented so that its columns stay.
func drawn(p rules.Position, side rules.Color, last rules.Move) string {
	text := board.ASCII(p, board.View{Side: side, Last: last})
	return "  " + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n  ")
}

// resultText says who won and why; names are by side.
func resultText(g game.Game, names [2]string) string {
	switch g.End.Outcome {
	case rules.BlackWins:
		return names[rules.Black] + " wins " + causeText(g.End.Cause)
	case rules.WhiteWins:
		return names[rules.White] + " wins " + causeText(g.End.Cause)
	}
	return "drawn " + causeText(g.End.Cause)
}

// causeText says how a game has ended, behind "wins" or "drawn".
func causeText(cause rules.Cause) string {
	switch cause {
	case game.Time:
		return "on time"
	case game.IllegalMove:
		return "after an illegal move"
	case rules.ImpasseWin, rules.ImpasseDraw:
		return "by impasse"
	case rules.FalseClaim:
		return "after a false claim of impasse"
	case rules.PerpetualCheck:
		return "against perpetual check"
	case rules.NoMoves:
		return "since there is no legal move left"
	case rules.KingCapture:
		return "by taking the king"
	case rules.BareKing:
		return "by leaving a bare king"
	}
	return "by " + string(cause)
}

// player returns the player of that number, the sender as this message left
// him.
func (c *conversation) player(id player.ID) (player.Player, error) {
	if p, ok := c.people[id]; ok {
		return p, nil
	}
	if id == c.who.ID {
		return c.who, nil
	}
	p, err := c.st.Player(id)
	if err != nil {
		return p, fmt.Errorf("player %d: %w", id, err)
	}
	return p, nil
}
