package service

import (
	"errors"
	"time"

	"pbem/game"
	"pbem/mailer"
	"pbem/player"
)

// State is what the service reads of the world: the records as they stand
// inside the transaction that the message is handled in. It is never written
// through; what changes comes back in a [Result].
type State interface {
	Player(player.ID) (player.Player, error)            // ErrNotFound
	PlayerByAddress(addr string) (player.Player, error) // ErrNotFound
	PlayerByName(name string) (player.Player, error)    // ErrNotFound; case ignored
	Game(game.ID) (game.Game, error)                    // ErrNotFound
	GamesOf(player.ID) ([]game.Game, error)             // running ones, by number
	Challenge(game.ChallengeID) (game.Challenge, error) // ErrNotFound once answered or expired
	ChallengesOf(player.ID) ([]game.Challenge, error)   // made or received, open, by number
	Held(HeldID) (Held, error)                          // ErrNotFound once confirmed or expired
	Answered(addr, kind string) (time.Time, error)      // when an answer of this kind last went to addr; zero if never
	AnswersSince(addr string, t time.Time) (int, error) // answers of every kind to addr at or after t
	ReceivedSince(addr string, t time.Time) (int, error)
	Due(now time.Time, limit int) ([]Due, error) // what is due at now, earliest first
	Next(Sequence) (uint64, error)               // the next free number: never given twice
}

// ErrNotFound is returned by a State for a record it does not have.
var ErrNotFound = errors.New("no such record")

// Sequence names a row of numbers that records are counted by.
type Sequence string

const (
	Players    Sequence = "players"
	Games      Sequence = "games"
	Challenges Sequence = "challenges"
	Helds      Sequence = "held"
)

// HeldID numbers a held message from 1. The zero value is none.
type HeldID uint64

// Held is a message that was understood but not proven to come from the
// address it names. It waits for a reply from there, and is then handled as
// if it had come just then.
type Held struct {
	ID      HeldID
	Address string // whose confirmation it waits for
	Subject string
	Lines   []string // the sender's own lines
	Token   string   // the token it carried
	Arrived time.Time
	Expires time.Time
}

// Due is a record that asks for attention at a moment. The store derives it
// from the records, see [DueOfGame] and the Expires fields, so it cannot
// disagree with them. One of the IDs is set.
type Due struct {
	At        time.Time
	Game      game.ID
	Challenge game.ChallengeID
	Held      HeldID
}

// Result is what handling one message, or one tick, comes to: whole records
// to save, records to remove, mails to send, all in one transaction.
type Result struct {
	Players    []player.Player
	Games      []game.Game
	Challenges []game.Challenge
	Held       []Held

	DropChallenges []game.ChallengeID
	DropHeld       []HeldID

	Mails []Mail
	Notes []Note // for the log
}

// Mail is a mail to be composed and queued.
type Mail struct {
	mailer.Draft
	To     player.ID // 0 for an address that belongs to no player
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

// add appends what o says to r.
func (r *Result) add(o Result) {
	r.Players = append(r.Players, o.Players...)
	r.Games = append(r.Games, o.Games...)
	r.Challenges = append(r.Challenges, o.Challenges...)
	r.Held = append(r.Held, o.Held...)
	r.DropChallenges = append(r.DropChallenges, o.DropChallenges...)
	r.DropHeld = append(r.DropHeld, o.DropHeld...)
	r.Mails = append(r.Mails, o.Mails...)
	r.Notes = append(r.Notes, o.Notes...)
}
