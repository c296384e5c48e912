// Package game is one game between two people: who plays which side, the moves
// with the time each arrived, and how it ended. It is pure: every method takes
// the present time, and a changed game is a new value.
//
// The rules of shogi are package rules' business; this package keeps the
// order of things: whose turn it is, that a game that has ended stays ended,
// and what is due next.
package game

import (
	"errors"
	"fmt"
	"time"

	"pbem/clock"
	"pbem/player"
	"pbem/rules"
)

// ID numbers a game from 1, as players write it: #17. The zero value is none.
type ID uint64

// String returns the number with its sign, such as "#17".
func (id ID) String() string { return fmt.Sprintf("#%d", uint64(id)) }

// Causes of an end that come from the players, beside those of package rules.
const (
	Resignation rules.Cause = "resignation"
	Time        rules.Cause = "time"
	Agreement   rules.Cause = "agreement"
	IllegalMove rules.Cause = "illegal move" // in a strict game
)

// Ply is one move and the moment its mail arrived.
type Ply struct {
	Move rules.Move
	At   time.Time // UTC
}

// Terms are what two players agree on before a game.
type Terms struct {
	Variant  string // name of the variant
	Handicap string // name of the handicap White gives; empty for an even game
	Clock    clock.Control
	Strict   bool // an illegal move loses; else it is refused
}

// Start returns the position in which a game on these terms begins. The error
// is for terms this program does not know.
func (t Terms) Start() (rules.Position, error) {
	v, ok := rules.ByName(t.Variant)
	if !ok {
		return rules.Position{}, fmt.Errorf("no variant named %q", t.Variant)
	}
	if t.Handicap == "" {
		return v.Start(), nil
	}
	h, ok := v.Handicap(t.Handicap)
	if !ok {
		return rules.Position{}, fmt.Errorf("no handicap named %q in %s", t.Handicap, v.Title)
	}
	return rules.ParsePosition(v, h.Setup)
}

// Game is one game. The zero value is none. It is a value: the methods that
// change it return the changed copy and leave the receiver alone.
type Game struct {
	ID       ID
	Players  [2]player.ID // by rules.Color
	Terms    Terms
	Started  time.Time // UTC
	End      rules.End
	Foul     rules.Move  // the illegal move that ended it; no move if none did
	Ended    time.Time   // UTC; zero while it goes on
	Clock    clock.Clock // by rules.Color
	Fallen   time.Time   // when the flag of the one to move fell, while the opponent has not claimed it; UTC
	Patient  bool        // the opponent waits: what has fallen is not claimed by itself
	Paused   bool        // by agreement
	Offers   []Offer     // open ones
	Plans    [2][]Line   // conditional moves, by rules.Color
	Pending  Pending     // a move that is not played yet; zero: none
	Watchers []player.ID // who else is told of the moves
	Counted  bool        // its end is in the players' scores and ratings
	Gains    [2]float64  // points each side's rating has changed by
	Reminded int         // reminders sent since the last ply
	Due      time.Time   // when it next asks for attention, UTC; zero: never
	Threads  [2]Thread   // by rules.Color: the mails of this game each player got

	plies     []Ply
	positions []rules.Position // positions[i] is the one after i plies
}

// Thread is what one player's mail program knows of the game: the Message-IDs
// of the mails we sent him, never of those he has not received.
type Thread struct {
	Root string // the first one
	Last string // the latest one
}

// With returns t after one more mail.
func (t Thread) With(messageID string) Thread {
	if t.Root == "" {
		t.Root = messageID
	}
	t.Last = messageID
	return t
}

// New starts a game.
func New(id ID, black, white player.ID, t Terms, now time.Time) (Game, error) {
	p, err := t.Start()
	if err != nil {
		return Game{}, err
	}
	k := clock.New(t.Clock, [2]string{}, int(p.Turn()), now)
	return Resume(Game{ID: id, Players: [2]player.ID{black, white}, Terms: t, Started: now, Clock: k}, p, nil)
}

// Resume gives g its start and the plies played so far, as read from a record.
// The error names the first ply that the rules refuse.
func Resume(g Game, start rules.Position, plies []Ply) (Game, error) {
	g.positions = append(make([]rules.Position, 0, len(plies)+1), start)
	g.plies = plies
	p := start
	for i, ply := range plies {
		next, err := p.Play(ply.Move)
		if err != nil {
			return Game{}, fmt.Errorf("game %s, ply %d: %w", g.ID, i+1, err)
		}
		p = next
		g.positions = append(g.positions, p)
	}
	return g, nil
}

// Start returns the position the game began with.
func (g Game) Start() rules.Position { return g.positions[0] }

// Position returns the present position.
func (g Game) Position() rules.Position { return g.positions[len(g.positions)-1] }

// After returns the position after ply plies; ok is false where the game has
// not come so far.
func (g Game) After(ply int) (p rules.Position, ok bool) {
	if ply < 0 || ply >= len(g.positions) {
		return rules.Position{}, false
	}
	return g.positions[ply], true
}

// Ply returns how many plies have been played.
func (g Game) Ply() int { return len(g.plies) }

// Plies returns the moves so far. The caller must not change them.
func (g Game) Plies() []Ply { return g.plies[:len(g.plies):len(g.plies)] }

// Moves returns the moves so far, without their times.
func (g Game) Moves() []rules.Move {
	moves := make([]rules.Move, len(g.plies))
	for i, p := range g.plies {
		moves[i] = p.Move
	}
	return moves
}

// Last returns the last move, or no move.
func (g Game) Last() rules.Move {
	if len(g.plies) == 0 {
		return rules.Move{}
	}
	return g.plies[len(g.plies)-1].Move
}

// Over reports whether the game has ended.
func (g Game) Over() bool { return g.End.Outcome != rules.Ongoing }

// Turn returns the player who is to move; nobody once the game is over.
func (g Game) Turn() player.ID {
	if g.Over() {
		return 0
	}
	return g.Players[g.Position().Turn()]
}

// Side returns the side id plays; ok is false for somebody who does not play.
func (g Game) Side(id player.ID) (c rules.Color, ok bool) {
	switch id {
	case g.Players[rules.Black]:
		return rules.Black, true
	case g.Players[rules.White]:
		return rules.White, true
	}
	return rules.Black, false
}

// Opponent returns who plays against id.
func (g Game) Opponent(id player.ID) player.ID {
	if id == g.Players[rules.Black] {
		return g.Players[rules.White]
	}
	return g.Players[rules.Black]
}

// Errors of a game that cannot do what is asked.
var (
	ErrOver      = errors.New("the game is over")         // Returned by Play and Resign after the end.
	ErrNotPlayer = errors.New("not a player of the game") // Returned for a player who is not in it.
	ErrNotTurn   = errors.New("not the player's turn")    // Returned by Play to the one who waits.
	ErrNotFoul   = errors.New("the move does not lose")   // Returned by Lose for a legal move, and in a game that is not strict.
)

// playing returns the side of who in a game that goes on. Errors:
// [ErrNotPlayer], [ErrOver].
func (g Game) playing(who player.ID) (rules.Color, error) {
	side, ok := g.Side(who)
	switch {
	case !ok:
		return side, ErrNotPlayer
	case g.Over():
		return side, ErrOver
	}
	return side, nil
}

// mover returns the side of who, whose turn it is. Errors: those of playing,
// and [ErrNotTurn].
func (g Game) mover(who player.ID) (rules.Color, error) {
	side, err := g.playing(who)
	if err == nil && side != g.Position().Turn() {
		err = ErrNotTurn
	}
	return side, err
}

// Play returns the game with m played by who, and ended if the rules end it.
// Errors: [ErrOver], [ErrNotPlayer], [ErrNotTurn], *rules.IllegalMoveError.
func (g Game) Play(who player.ID, m rules.Move, now time.Time) (Game, error) {
	if _, err := g.mover(who); err != nil {
		return g, err
	}
	next, err := g.Position().Play(m)
	if err != nil {
		return g, err
	}
	// Full slice expressions: the copy must not write into the receiver's arrays.
	g.plies = append(g.plies[:len(g.plies):len(g.plies)], Ply{Move: m, At: now})
	g.positions = append(g.positions[:len(g.positions):len(g.positions)], next)
	g.Clock = g.Clock.Move(now)
	g.Reminded, g.Fallen, g.Patient = 0, time.Time{}, false
	g.Offers, g.Pending = g.lasting(), Pending{}
	if end := rules.Judge(g.positions); end.Outcome != rules.Ongoing {
		return g.ended(end, now), nil
	}
	return g, nil
}

// ended returns g with its end.
func (g Game) ended(end rules.End, now time.Time) Game {
	g.End, g.Ended = end, now
	g.Clock = g.Clock.Stop(now)
	g.Fallen, g.Patient, g.Paused, g.Offers = time.Time{}, false, false, nil
	g.Plans, g.Pending = [2][]Line{}, Pending{}
	return g
}

// Resign returns the game lost by who. It may be done out of turn.
func (g Game) Resign(who player.ID, now time.Time) (Game, error) {
	side, err := g.playing(who)
	if err != nil {
		return g, err
	}
	return g.ended(rules.End{Outcome: rules.Win(side.Other()), Cause: Resignation}, now), nil
}

// Lose returns the game lost by who, whose move m is illegal and so loses a
// strict game. Errors: [ErrOver], [ErrNotPlayer], [ErrNotTurn], [ErrNotFoul].
func (g Game) Lose(who player.ID, m rules.Move, now time.Time) (Game, error) {
	side, err := g.mover(who)
	if err != nil {
		return g, err
	}
	if !g.Terms.Strict || g.Position().Check(m) == nil {
		return g, ErrNotFoul
	}
	g.Foul = m
	return g.ended(rules.End{Outcome: rules.Win(side.Other()), Cause: IllegalMove}, now), nil
}

// Broken returns the rule that [Game.Foul] breaks; none if no move ended the
// game so.
func (g Game) Broken() rules.Reason {
	var illegal *rules.IllegalMoveError
	if g.Foul == (rules.Move{}) || !errors.As(g.Position().Check(g.Foul), &illegal) {
		return 0
	}
	return illegal.Reason
}

// TimeOut returns the game lost on time by the one to move. Errors: [ErrOver].
func (g Game) TimeOut(now time.Time) (Game, error) {
	if g.Over() {
		return g, ErrOver
	}
	winner := g.Position().Turn().Other()
	return g.ended(rules.End{Outcome: rules.Win(winner), Cause: Time}, now), nil
}

// LastAt returns when the last ply arrived, or when the game began.
func (g Game) LastAt() time.Time {
	if len(g.plies) == 0 {
		return g.Started
	}
	return g.plies[len(g.plies)-1].At
}
