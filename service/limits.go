package service

import (
	"slices"
	"time"

	"pbem/mailer"
	"pbem/player"
	"pbem/templates"
)

// Limits by the names they have in the operator's settings, beside those of
// package mailer.
const (
	limitSize        = "max_message"
	limitMessages    = "messages_per_hour"
	limitAnswers     = "answers_per_hour"
	limitPuzzled     = "not_understood_per_day"
	limitUnconfirmed = "confirmations_per_day"
)

// Excess says that a mail from or to an address was over a limit.
type Excess struct{ Limit, Address string }

// over notes that a mail from or to addr is over a limit, for the log and for
// whoever asks the service how it fares.
func (c *conversation) over(limit, addr string) {
	c.note(true, "over a limit", "limit", limit, "msgid", c.msg.MessageID)
	c.result.Excesses = append(c.result.Excesses, Excess{limit, addr})
}

// tooMuch reports whether the message is over a limit and thus not heard. Its
// sender is told kindly, once a day, if that is a player: to anybody else an
// answer could go to somebody who never wrote.
func (c *conversation) tooMuch() (bool, error) {
	from := c.msg.From.Addr
	writer, err := c.st.PlayerByAddress(from)
	if _, err := found(err); err != nil {
		return false, err
	}
	c.who = writer
	c.result.Sender = c.countedAs()
	n, err := c.st.ReceivedSince(c.result.Sender, c.env.Now.Add(-time.Hour))
	if err != nil {
		return false, err
	}
	if max := c.env.Settings.MessagesPerHour; full(n, max) {
		c.over(limitMessages, from)
		return true, c.sayOver(limitMessages, templates.OverLimit{Messages: max})
	}
	if c.msg.Truncated {
		c.over(limitSize, from)
		return true, c.sayOver(limitSize, templates.TooLarge{
			Size: sizeText(c.msg.Size), Max: sizeText(c.env.Settings.MaxMessage)})
	}
	if c.msg.Over == "" {
		return false, nil
	}
	c.over(string(c.msg.Over), from)
	if len(c.msg.Lines) > 0 { // what was meant stands before what is too much
		return false, nil
	}
	return true, c.sayOver(string(c.msg.Over), templates.OverLimit{Addresses: c.msg.Over == mailer.OverAddresses})
}

// sayOver tells a player that a mail was over a limit and not read.
func (c *conversation) sayOver(limit string, part any) error {
	if c.who.ID == 0 {
		return nil
	}
	last, err := c.st.Answered(c.who.Address(), limit)
	if err != nil || c.env.Now.Sub(last) < day {
		return err
	}
	return c.post(letter{to: c.who, reply: true, answer: limit, parts: []any{part}})
}

// countedAs returns what the message is counted under for its sender's limit.
// Proven mail is counted apart, so that nobody can keep a player from playing
// by writing in his name.
func (c *conversation) countedAs() string {
	from := c.msg.From.Addr
	if c.who.ID != 0 && (c.authenticated() || c.tokenOf(c.who, c.msg.Tokens)) {
		return "proven " + from
	}
	return from
}

// tokenOf reports whether one of the tokens was given to p.
func (c *conversation) tokenOf(p player.Player, tokens []string) bool {
	return slices.ContainsFunc(tokens, func(text string) bool {
		t, ok := parseToken(text)
		return ok && t.belongs(c.env.Settings.Secrets, tokenOwner(p.ID))
	})
}

// mayAnswer reports whether an answer of that kind may go to addr. Requests to
// confirm are counted apart: mail in somebody's name must not use up the
// answers to his own.
func (c *conversation) mayAnswer(kind, addr string) (bool, error) {
	now, set := c.env.Now, c.env.Settings
	hour, err := c.st.AnswersSince(addr, "", now.Add(-time.Hour))
	if err != nil {
		return false, err
	}
	asked, err := c.st.AnswersSince(addr, answerConfirm, now.Add(-time.Hour))
	if err != nil {
		return false, err
	}
	hour -= asked
	if kind == answerConfirm {
		hour = asked
	}
	if full(hour, set.AnswersPerHour) {
		c.over(limitAnswers, addr)
		return false, nil
	}
	limit, max := "", 0
	switch kind {
	case answerPuzzled:
		limit, max = limitPuzzled, set.NotUnderstoodPerDay
	case answerConfirm:
		limit, max = limitUnconfirmed, set.ConfirmationsPerDay
	default:
		return true, nil
	}
	n, err := c.st.AnswersSince(addr, kind, now.Add(-day))
	if err != nil {
		return false, err
	}
	if full(n, max) {
		c.over(limit, addr)
		return false, nil
	}
	return true, nil
}

// full reports whether n has come to a limit; one below 1 is none.
func full(n, max int) bool { return max > 0 && n >= max }

// lastPuzzled reports whether p is told for the last time today that a mail
// was not understood.
func (c *conversation) lastPuzzled(p player.Player) (bool, error) {
	max := c.env.Settings.NotUnderstoodPerDay
	n, err := c.st.AnswersSince(p.Address(), answerPuzzled, c.env.Now.Add(-day))
	return max > 0 && n == max-1, err
}
