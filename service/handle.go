package service

import (
	"errors"
	"fmt"

	"pbem/game"
	"pbem/mailer"
	"pbem/player"
)

// Handle says what comes of one mail that has arrived. A player's mistake is a
// reply, not an error; an error means that st could not be read and that the
// same message should be handled again later.
func Handle(m mailer.Message, st State, env Env) (Result, error) {
	st, err := newWorking(st)
	if err != nil {
		return Result{}, err
	}
	c := newConversation(m, st, env)
	if m.Kind == mailer.Bounce {
		if err := c.bounced(); err != nil {
			return Result{}, fmt.Errorf("handle delivery report %q: %w", m.MessageID, err)
		}
		c.collect()
		return c.result, nil
	}
	if why := silent(m); why != "" {
		c.note(false, "message not answered", "why", why, "msgid", m.MessageID)
		return c.result, nil
	}
	refused, err := c.tooMuch()
	if err == nil && !refused {
		err = c.hear()
	}
	if err != nil {
		return Result{}, fmt.Errorf("handle message %q: %w", m.MessageID, err)
	}
	c.collect()
	return c.result, nil
}

// silent returns why m gets no answer and moves nothing, or "" for a mail that
// a person wrote (RFC 3834, section 2).
func silent(m mailer.Message) string {
	switch {
	case m.Kind != mailer.Personal:
		return m.Why
	case m.From.Addr == "":
		return "no single author"
	}
	return ""
}

// conversation is one message being handled: who writes, what is meant, and
// the result as far as it has come. Records changed on the way are kept here,
// so that the second command of a mail sees what the first one did.
type conversation struct {
	st     State
	env    Env
	msg    mailer.Message
	who    player.Player // proven sender; zero for a stranger
	proven bool          // msg.From is proven to be the sender's

	game      game.Game      // the one meant, if known; zero none
	challenge game.Challenge // the one meant, if known; zero none
	ply       int            // of the mail of ours that is answered; -1 if that is not known
	changed   map[game.ID]game.Game
	people    map[player.ID]player.Player // changed ones
	answered  map[game.ChallengeID]bool   // challenges that this message has answered

	lost   string // an opponent who was not told of this, being out of reach
	parts  []part
	result Result
}

func newConversation(m mailer.Message, st State, env Env) *conversation {
	return &conversation{
		st: st, env: env, msg: m, ply: -1,
		changed:  map[game.ID]game.Game{},
		people:   map[player.ID]player.Player{},
		answered: map[game.ChallengeID]bool{},
	}
}

// note leaves a line for the log.
func (c *conversation) note(warn bool, text string, attrs ...any) {
	c.result.Notes = append(c.result.Notes, Note{Warn: warn, Text: text, Attrs: attrs})
}

// found turns "no such record" into false, and hands on every other error.
func found(err error) (bool, error) {
	if errors.Is(err, game.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}
