package service

import (
	"regexp"
	"slices"
	"strings"
)

// longestNote is how much of a sender's text an opponent is sent, in
// characters.
const longestNote = 4000

// utterance is what a line or several say: a command or a move, and the lines
// behind it that are neither, for the opponent.
type utterance struct {
	cmd   *command // nil for a move
	word  *word
	line  string // of a command
	args  string
	moves []string // lines that say the move
	note  []string
}

// text returns the note, cut to a length that people read.
func (u utterance) text() string {
	if u.cmd != nil && (u.word == nil || !u.word.talks) {
		return ""
	}
	return shorten(strings.Join(u.note, "\n"), longestNote)
}

func shorten(s string, runes int) string {
	if len(s) <= runes {
		return s
	}
	r := []rune(s)
	if len(r) <= runes {
		return s
	}
	return string(r[:runes]) + "…"
}

// understand tells what lines say, in order. All that says a move is one
// utterance, since a list of moves may go over several lines.
func (v View) understand(lines []string) []utterance {
	var said []utterance
	moved, talks := -1, -1 // indices of the one that moves, and of the last one whose text is the opponent's
	for _, line := range lines {
		cmd, word, args := findWord(line)
		switch {
		case cmd != nil && (v.known() || !word.ofGame):
			if word.talks {
				talks = len(said)
			}
			said = append(said, utterance{cmd: cmd, word: word, line: line, args: args})
		case v.movelike(line) && moved < 0:
			moved, talks = len(said), len(said)
			said = append(said, utterance{moves: []string{line}})
		case v.movelike(line):
			if moves := &said[moved].moves; !slices.Contains(*moves, line) {
				*moves = append(*moves, line)
			}
		case talks >= 0:
			said[talks].note = append(said[talks].note, line)
		}
	}
	return said
}

// replyPrefix is what mail programs put before the subject of a reply or a
// forward, in the languages of our players and their neighbours.
var replyPrefix = regexp.MustCompile(`(?i)^((re|r|rif|res|aw|sv|fw|fwd|i|tr|rv|wg|antw|odp|vs|enc|vl|ynt|vá|回复|答复|回覆|转发|轉寄|返信|転送|답장|전달|re\^\d+)(\[\d+\]|\(\d+\))?\s*[:：]\s*)+`)

// heard returns the lines of a mail that count: the sender's own ones; the
// subject before them if they say nothing, or if both say a move, so that two
// different ones are asked about. A subject of ours says nothing.
func (v View) heard(subject string, lines []string) []string {
	s := strings.TrimSpace(replyPrefix.ReplaceAllString(strings.TrimSpace(subject), ""))
	if s == "" || strings.Contains(s, "[Shogi") {
		return lines
	}
	if len(lines) == 0 {
		return []string{s}
	}
	bare := gameNumber.ReplaceAllString(s, "")
	cmd, _ := findCommand(bare)
	moves := cmd == nil && v.movelike(bare)
	if cmd == nil && !moves {
		return lines
	}
	said := v.understand(unnumbered(lines))
	also := slices.ContainsFunc(said, func(u utterance) bool { return u.cmd == nil })
	if len(said) == 0 || moves && also {
		return append([]string{s}, lines...)
	}
	return lines
}

// unnumbered takes the numbers of games off lines.
func unnumbered(lines []string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = gameNumber.ReplaceAllString(l, "")
	}
	return out
}
