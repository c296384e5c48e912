// Package service is what pbem does: it takes a mail, finds out who wrote it,
// which game is meant and what is asked, plays it, and says what each player
// is to read. It is pure: [Handle] and [Tick] read the world through a [State]
// and an [Env] and return a [Result]; they know no network, file or clock.
//
// The way of a message: who wrote it (identify.go), what it says (read.go),
// what comes of each command (commands.go and the files beside it), and the
// mails that tell it (post.go).
package service

import (
	"strings"
	"time"

	"pbem/clock"
)

// Env is all that the core may ask of the world.
type Env struct {
	Now      time.Time
	ReadTo   time.Time     // every mail that arrived before it has been handled
	NewID    func() string // a new random identifier, lower-case letters and digits, at least 16
	Settings Settings
}

// draw tosses a coin for the sides.
func (e Env) draw() bool { return e.NewID()[0]&1 == 0 }

// Settings are the operator's choices as far as the service needs them.
type Settings struct {
	Address        string // the service's own, such as "shogi@example.org"
	Name           string // display name of that address
	PlusAddressing bool   // the host delivers shogi+token@ to shogi@
	Operator       string // address that is told of trouble; empty: nobody

	// Secrets sign the tokens: the first one new tokens, all of them are
	// believed, so that a secret can be changed while mails are under way.
	Secrets [][]byte

	AuthservIDs []string // hosts whose Authentication-Results are believed (RFC 8601)

	MaxMessage      int64 // bytes; larger mails are not read
	MessagesPerHour int   // from one sender
	AnswersPerHour  int   // to one address
	GamesPerPlayer  int   // running at once

	NotUnderstoodPerDay int // answers that say no more than this, to one address
	ConfirmationsPerDay int // requests to confirm, to one address

	Bounces          int // mails that come back until a player is out of reach; below 1: never
	BouncesWithin    time.Duration
	ChallengeExpires time.Duration
	ConfirmExpires   time.Duration
	Clock            clock.Control // of a challenge that names none
	ClaimAfter       time.Duration // a fallen flag is claimed for the opponent
	RemindAfter      time.Duration // of waiting for a move; then at twice and four times that
}

// host returns the domain of the service's address.
func (s Settings) host() string {
	_, host, _ := strings.Cut(s.Address, "@")
	return host
}
