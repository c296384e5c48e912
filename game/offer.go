package game

import (
	"slices"
	"time"

	"pbem/player"
	"pbem/rules"
)

// OfferKind is what one player proposes to the other.
type OfferKind string

// The kinds of offers.
const (
	OfferDraw    OfferKind = "draw"
	OfferImpasse OfferKind = "impasse" // both kings have entered: the pieces are counted
	OfferUndo    OfferKind = "undo"    // the last move of the one who asks is taken back
	OfferPause   OfferKind = "pause"
	OfferRematch OfferKind = "rematch" // of a game that is over, colours swapped
)

// Offer is a proposal that waits for the other player.
type Offer struct {
	Kind    OfferKind
	By      player.ID
	At      time.Time // UTC
	Expires time.Time // UTC
}

// Offered returns the open offer of a kind.
func (g Game) Offered(kind OfferKind) (Offer, bool) {
	i := slices.IndexFunc(g.Offers, func(o Offer) bool { return o.Kind == kind })
	if i < 0 {
		return Offer{}, false
	}
	return g.Offers[i], true
}

// With returns g with o in the place of an earlier offer of its kind.
func (g Game) With(o Offer) Game {
	g = g.Without(o.Kind)
	g.Offers = append(g.Offers, o)
	return g
}

// Without returns g with no offer of that kind.
func (g Game) Without(kind OfferKind) Game {
	g.Offers = slices.DeleteFunc(slices.Clone(g.Offers), func(o Offer) bool { return o.Kind == kind })
	return g
}

// lasting returns the offers that a move does not answer: what concerns the
// position is over once it has changed.
func (g Game) lasting() []Offer {
	return slices.DeleteFunc(slices.Clone(g.Offers), func(o Offer) bool { return o.Kind != OfferPause })
}

// AgreeDraw returns the game drawn by agreement.
func (g Game) AgreeDraw(now time.Time) (Game, error) {
	if g.Over() {
		return g, ErrOver
	}
	return g.ended(rules.End{Outcome: rules.Draw, Cause: Agreement}, now), nil
}

// AgreeImpasse returns the game ended by the count of both sides' pieces, as
// [rules.Agree] has it.
func (g Game) AgreeImpasse(now time.Time) (Game, error) {
	if g.Over() {
		return g, ErrOver
	}
	return g.ended(rules.Agree(g.Position(), g.Start()), now), nil
}

// Declare returns the game ended by the declaration of the one to move under
// rule; a false claim loses. Errors: [ErrOver], [ErrNotPlayer], [ErrNotTurn].
func (g Game) Declare(who player.ID, rule rules.ImpasseRule, now time.Time) (Game, error) {
	switch _, ok := g.Side(who); {
	case !ok:
		return g, ErrNotPlayer
	case g.Over():
		return g, ErrOver
	case g.Turn() != who:
		return g, ErrNotTurn
	}
	return g.ended(rules.Declare(g.Position(), rule, g.Start()), now), nil
}

// UndoPlies returns how many plies have to be taken back until who is to move
// and his last move is undone; 0 if he has not moved.
func (g Game) UndoPlies(who player.ID) int {
	side, ok := g.Side(who)
	if !ok {
		return 0
	}
	for n := 1; n <= g.Ply(); n++ {
		if p, _ := g.After(g.Ply() - n); p.Turn() == side {
			return n
		}
	}
	return 0
}

// Undo returns the game with the last n plies taken back. The time they took
// is not given back; that of the one to move now begins anew at now. Errors:
// [ErrOver].
func (g Game) Undo(n int, now time.Time) (Game, error) {
	if g.Over() {
		return g, ErrOver
	}
	n = min(n, g.Ply())
	g.plies = slices.Clone(g.plies[:len(g.plies)-n])
	g.positions = slices.Clone(g.positions[:len(g.positions)-n])
	g.Clock = g.Clock.Back(int(g.Position().Turn()), now)
	g.Reminded, g.Fallen, g.Patient, g.Offers = 0, time.Time{}, false, nil
	g.Plans, g.Pending = [2][]Line{}, Pending{}
	return g, nil
}
