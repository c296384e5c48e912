package game

import (
	"errors"
	"time"

	"pbem/player"
)

// ErrNotFound is returned by a store for a record it does not have.
var ErrNotFound = errors.New("no such record")

// Due is a record that asks for attention at a moment: a game or a
// player at their Due time, a challenge or a held message when it expires. A store derives it from the
// record itself, so the two cannot disagree. One of the IDs is set.
type Due struct {
	At        time.Time
	Game      ID
	Challenge ChallengeID
	Held      player.HeldID
	Player    player.ID
}
