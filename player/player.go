// Package player holds who plays: a name, the addresses that are theirs, and
// how they like their mail. It is pure data; finding players is the store's
// business, proving that a mail is theirs the service's.
package player

import (
	"fmt"
	"maps"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"pbem/ladder"
)

// ID numbers a player from 1, for ever. The zero value is nobody.
type ID uint64

// Player is one person. The zero value is nobody.
type Player struct {
	ID        ID
	Name      string   // unique without regard to case; see [CheckName]
	Addresses []string // confirmed; the first one gets the mail
	Joined    time.Time
	Settings  Settings

	Ratings  map[string]ladder.Rating // by name of the variant; absent until a rated game has ended
	Score    Score
	Leave    Leave
	Bounces  Bounces
	Reminded time.Time // when a reminder last went out, UTC
	Due      time.Time // when the player next asks for attention, UTC; zero: never
}

// Score counts a player's games that have ended.
type Score struct {
	Won, Lost, Drawn int
	TimeLosses       int // of Lost, those on time
}

// Games returns how many games have ended.
func (s Score) Games() int { return s.Won + s.Lost + s.Drawn }

// Reliability is the share of games, of 0 to 1, that did not end by losing on
// time; 1 for who has not played yet.
func (s Score) Reliability() float64 {
	if s.Games() == 0 {
		return 1
	}
	return 1 - float64(s.TimeLosses)/float64(s.Games())
}

// Rating returns p's rating in a variant, that of a beginner if there is none.
func (p Player) Rating(variant string, now time.Time) ladder.Rating {
	if r, ok := p.Ratings[variant]; ok {
		return r.Aged(now)
	}
	return ladder.NewRating(now)
}

// WithRating returns p with that rating.
func (p Player) WithRating(variant string, r ladder.Rating) Player {
	ratings := maps.Clone(p.Ratings)
	if ratings == nil {
		ratings = map[string]ladder.Rating{}
	}
	ratings[variant] = r
	p.Ratings = ratings
	return p
}

// Address returns where mail for p goes.
func (p Player) Address() string {
	if len(p.Addresses) == 0 {
		return ""
	}
	return p.Addresses[0]
}

// Owns reports whether address is one of p's. Addresses are compared as
// written, the letters' case ignored: nobody's mailboxes differ by case alone.
func (p Player) Owns(address string) bool {
	for _, a := range p.Addresses {
		if strings.EqualFold(a, address) {
			return true
		}
	}
	return false
}

// MaxName is the longest name, in characters: it must fit in a subject.
const MaxName = 20

// NameError says why a name cannot be had.
type NameError struct {
	Name, Why string
}

func (e *NameError) Error() string { return fmt.Sprintf("name %q: %s", e.Name, e.Why) }

// CheckName returns nil for a name of 2 to [MaxName] letters, digits, '-', '_'
// or '.', that begins with a letter, in any script; else a [*NameError].
func CheckName(name string) error {
	bad := func(why string) error { return &NameError{Name: name, Why: why} }
	n := utf8.RuneCountInString(name)
	if n < 2 || n > MaxName {
		return bad(fmt.Sprintf("it must have 2 to %d characters", MaxName))
	}
	for i, r := range name {
		switch {
		case unicode.IsLetter(r), unicode.Is(unicode.Mn, r) && i > 0:
		case i == 0:
			return bad("it must begin with a letter")
		case unicode.IsDigit(r), strings.ContainsRune("-_.", r):
		default:
			return bad(fmt.Sprintf("it must not contain %q", r))
		}
	}
	return nil
}
