package service

import (
	"time"

	"pbem/game"
	"pbem/mailer"
	"pbem/player"
)

// State is what the service reads of the world: the records as they stand
// inside the transaction that the message is handled in. It is never written
// through; what changes comes back in a [Result]. A record that is not there
// is [game.ErrNotFound].
type State interface {
	Players
	Games
	Traffic
	Due(now time.Time, limit int) ([]game.Due, error) // what is due at now, earliest first
	Outages() ([]game.Outage, error)                  // the latest ones, earliest first
}

// Players finds players and the messages that wait for their confirmation.
type Players interface {
	Player(player.ID) (player.Player, error)
	PlayerByAddress(addr string) (player.Player, error) // case ignored
	PlayerByName(name string) (player.Player, error)    // case ignored
	Names() ([]string, error)                           // of all players, by name
	Held(player.HeldID) (player.Held, error)
	NextPlayer() (player.ID, error) // never given twice
	NextHeld() (player.HeldID, error)
}

// Games finds games and challenges.
type Games interface {
	Game(game.ID) (game.Game, error)
	GamesOf(player.ID) ([]game.Game, error)                    // running ones, by number
	EndedGamesOf(id player.ID, limit int) ([]game.Game, error) // over, the latest first
	Challenge(game.ChallengeID) (game.Challenge, error)
	ChallengesOf(player.ID) ([]game.Challenge, error) // made or received, by number
	NextGame() (game.ID, error)                       // never given twice
	NextChallenge() (game.ChallengeID, error)
}

// Traffic tells what lately came from an address and went to it, for the
// limits that keep loops from forming.
type Traffic interface {
	Answered(addr, kind string) (time.Time, error)            // when an answer of this kind last went to addr; zero if never
	AnswersSince(addr, kind string, t time.Time) (int, error) // answers of that kind to addr at or after t; of every kind if it is empty
	ReceivedSince(addr string, t time.Time) (int, error)
}

// Result is what handling one message, or one tick, comes to: whole records
// to save, records to remove, mails to send, all in one transaction.
type Result struct {
	Players    []player.Player
	Games      []game.Game
	Challenges []game.Challenge
	Held       []player.Held

	DropChallenges []game.ChallengeID
	DropHeld       []player.HeldID

	Mails    []Mail
	Notes    []Note
	Excesses []Excess
	Sender   string // what the message is counted under; empty for its author
}

// Mail is a mail to be composed and queued.
type Mail struct {
	mailer.Draft
	Player player.ID // whom it goes to; 0 for an address that is no player's
	Game   game.ID   // 0 where it is about none
	Ply    int
	Answer string // kind of answer, for the limits on answers; empty for a mail that is no answer
}

// Note is a line for the operator's log: a constant message and facts, no
// whole address and no word of a mail.
type Note struct {
	Warn  bool
	Text  string
	Attrs []any // as slog takes them
}
