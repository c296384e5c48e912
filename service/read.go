package service

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"pbem/game"
	"pbem/templates"
)

// text returns the lines of the message that count.
func (c *conversation) text(lines []string) []string { return c.view().heard(c.msg.Subject, lines) }

// gameNumber is the number of a game before a line, such as "#17 P-7f".
var gameNumber = regexp.MustCompile(`^[#＃]\s?(\d{1,9})\b[:.,]?\s*`)

// block is a run of lines about one game.
type block struct {
	game  game.ID // 0: the one the mail is about
	lines []string
}

// blocks cuts lines where a number names another game.
func blocks(lines []string) []block {
	var out []block
	for _, line := range lines {
		line = strings.TrimSpace(line)
		if m := gameNumber.FindStringSubmatch(line); m != nil {
			n, _ := strconv.ParseUint(m[1], 10, 64) // digits only, few enough
			out = append(out, block{game: game.ID(n)})
			line = line[len(m[0]):]
		} else if len(out) == 0 {
			out = append(out, block{})
		}
		if line != "" {
			b := &out[len(out)-1]
			b.lines = append(b.lines, line)
		}
	}
	return out
}

// listen reads the sender's lines and does what they say, in order, then
// answers with one mail.
func (c *conversation) listen(lines []string) error {
	if c.proven {
		if err := c.reached(); err != nil {
			return err
		}
	}
	before := len(c.parts)
	lines = c.text(lines)
	for _, b := range blocks(lines) {
		if b.game != 0 {
			c.ply = -1
			ok, err := c.useGame(b.game)
			if err != nil {
				return err
			}
			if !ok {
				if err := c.unknownGame(b.game); err != nil {
					return err
				}
				continue
			}
		}
		if err := c.listenBlock(b); err != nil {
			return err
		}
	}
	if len(c.parts) == before && (before == 0 || len(lines) > 0) {
		if err := c.notUnderstood(lines); err != nil {
			return err
		}
	}
	return c.finish()
}

// listenBlock does what the lines about one game say.
func (c *conversation) listenBlock(b block) error {
	said := c.view().understand(b.lines)
	if b.game != 0 && len(b.lines) == 0 { // a bare number asks for the board
		said = append(said, utterance{cmd: commandNamed("board"), line: "board"})
	}
	for _, u := range said {
		var err error
		if u.cmd == nil {
			err = c.play(u.moves, u.text())
		} else {
			err = c.obey(u)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// obey does what a command says, if its sender may.
func (c *conversation) obey(u utterance) error {
	if u.cmd.players && c.who.ID == 0 {
		c.say(templates.Stranger{Service: c.env.Settings.Name})
		return nil
	}
	if u.cmd.run == nil { // planned
		return c.notUnderstood([]string{u.line})
	}
	return u.cmd.run(c, u.args, u.text())
}

// firstWord returns the first word of line in lower case, without signs.
func firstWord(line string) string {
	word, _, _ := strings.Cut(strings.TrimSpace(line), " ")
	return strings.ToLower(strings.TrimFunc(word, func(r rune) bool { return !unicode.IsLetter(r) }))
}

// notUnderstood answers a mail in which nothing was found.
func (c *conversation) notUnderstood(lines []string) error {
	n := templates.NotUnderstood{Lines: lines[:min(3, len(lines))], InGame: c.game.ID != 0}
	for i, l := range n.Lines {
		if r := []rune(l); len(r) > 60 {
			n.Lines[i] = string(r[:60]) + "…"
		}
	}
	var err error
	if n.Last, err = c.lastPuzzled(c.who); err != nil {
		return err
	}
	if len(lines) > 0 {
		n.Nearest = nearestCommand(firstWord(lines[0]))
	}
	if c.game.ID == 0 {
		c.say(n)
		return nil
	}
	if c.game.Turn() == c.who.ID {
		n.Example = example(c.game.Position())
	}
	c.sayOf(c.game.ID, n)
	return nil
}
