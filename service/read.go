package service

import (
	"errors"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"pbem/game"
	"pbem/notation"
	"pbem/rules"
	"pbem/templates"
)

// text returns the lines that count: the sender's own ones, or the subject if
// there are none and it is not ours come back.
func (c *conversation) text(lines []string) []string {
	if len(lines) > 0 {
		return lines
	}
	s := strings.TrimSpace(c.msg.Subject)
	if s == "" || strings.Contains(s, "[Shogi") || replyPrefix.MatchString(s) {
		return nil
	}
	return []string{s}
}

// replyPrefix is what mail programs put before the subject of a reply or a
// forward, in the languages of our players and their neighbours.
var replyPrefix = regexp.MustCompile(`(?i)^(re|r|rif|aw|sv|fw|fwd|i|tr|rv|wg|antw|odp|vs)(\[\d+\])?\s*[:：]|^(回复|答复|返信|転送)\s*[:：]`)

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
	if len(c.parts) == 0 {
		if err := c.notUnderstood(lines); err != nil {
			return err
		}
	}
	return c.finish()
}

// utterance is a line whose meaning is known: a command or a move, with the
// lines behind it that are neither, which are for the opponent.
type utterance struct {
	cmd   *command
	args  string
	moves []string
	note  []string
}

// listenBlock does what the lines about one game say.
func (c *conversation) listenBlock(b block) error {
	var said []utterance
	moved := -1 // index of the utterance that moves
	for _, line := range b.lines {
		cmd, args := findCommand(line)
		switch {
		case cmd != nil:
			said = append(said, utterance{cmd: cmd, args: args})
		case c.movelike(line) && moved < 0:
			moved = len(said)
			said = append(said, utterance{moves: []string{line}})
		case c.movelike(line):
			if moves := &said[moved].moves; (*moves)[len(*moves)-1] != line {
				*moves = append(*moves, line)
			}
		case len(said) > 0:
			last := &said[len(said)-1]
			last.note = append(last.note, line)
		}
	}
	if b.game != 0 && len(b.lines) == 0 { // a bare number asks for the board
		said = append(said, utterance{cmd: commandNamed("board")})
	}
	for _, u := range said {
		var err error
		if u.cmd == nil {
			err = c.play(u.moves, strings.Join(u.note, "\n"))
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
	return u.cmd.run(c, u.args, strings.Join(u.note, "\n"))
}

// movelike reports whether line has the form of a move, possible or not.
func (c *conversation) movelike(line string) bool {
	p := rules.Shogi().Start()
	if c.game.ID != 0 {
		p = c.game.Position()
	}
	_, err := notation.ReadLine(p, nil, line, notation.Options{})
	return !errors.Is(err, notation.ErrNotMove)
}

// findCommand returns the command that line gives and its arguments, or nil.
func findCommand(line string) (*command, string) {
	word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	word = strings.ToLower(strings.TrimRight(word, ".,!:;。！"))
	rest = strings.TrimSpace(rest)
	for _, cmd := range commands() {
		for _, name := range append([]string{cmd.name}, cmd.aliases...) {
			if word == name && (cmd.fits == nil || cmd.fits(rest)) {
				return &cmd, rest
			}
		}
	}
	return nil, ""
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
