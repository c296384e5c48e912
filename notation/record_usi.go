package notation

import (
	"errors"
	"strings"

	"pbem/rules"
)

// token is a word of a text and where it stands.
type token struct {
	text string
	line int    // from 1
	full string // the whole line
	at   int    // byte in the line
}

// tokens cuts a text at blanks.
func tokens(text string) []token {
	var all []token
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimRight(line, "\n")
		for at := 0; at < len(line); {
			rest := strings.TrimLeft(line[at:], " \t　")
			at = len(line) - len(rest)
			if rest == "" {
				break
			}
			end := strings.IndexAny(rest, " \t　")
			if end < 0 {
				end = len(rest)
			}
			all = append(all, token{rest[:end], number, line, at})
			at += end
		}
	}
	return all
}

// failAt makes a RecordError for a token.
func (b *builder) failAt(t token, err error) error { return b.fail(t.line, t.full, t.at, t.text, err) }

// readUSI reads "position startpos moves 7g7f", "sfen BOARD b - 1 moves 7g7f"
// and the moves alone. "resign" may end it.
func (b *builder) readUSI(text string) error {
	words := tokens(text)
	if len(words) > 0 && words[0].text == "position" {
		words = words[1:]
	}
	if len(words) > 0 {
		switch words[0].text {
		case "startpos":
			words = words[1:]
		case "sfen":
			n := 1
			for n < len(words) && words[n].text != "moves" {
				n++
			}
			fields := make([]string, 0, 4)
			for _, w := range words[1:n] {
				fields = append(fields, w.text)
			}
			p, _, err := ParseSFEN(b.record.Variant, strings.Join(fields, " "))
			if err != nil {
				return b.failAt(words[min(1, len(words)-1)], err)
			}
			b.start(p)
			words = words[n:]
		}
	}
	if len(words) > 0 && words[0].text == "moves" {
		words = words[1:]
	}
	for i, w := range words {
		if w.text == "resign" && i == len(words)-1 {
			b.ended(endings[0])
			return nil
		}
		m, err := ParseUSI(b.record.Variant, w.text)
		if err == nil {
			err = b.play(m)
		}
		if err != nil {
			return b.failAt(w, err)
		}
	}
	return nil
}

// writeUSI writes the line of the USI protocol.
func (w *recordWriter) writeUSI() error {
	v, start := w.record.variant(), w.positions[0]
	if v == rules.Shogi() && start == v.Start() {
		w.out.WriteString("position startpos")
	} else {
		w.out.WriteString("position sfen " + SFEN(start, 1))
	}
	if len(w.record.Moves) > 0 {
		w.out.WriteString(" moves")
	}
	for _, ply := range w.record.Moves {
		w.out.WriteString(" " + USI(v, ply.Move))
		if ply.Comment != "" {
			w.lose("remarks")
		}
	}
	w.out.WriteByte('\n')
	if v != rules.Shogi() {
		w.lose("the name of the variant")
	}
	if w.record.Note != "" {
		w.lose("remarks")
	}
	if len(w.record.Tags) > 0 {
		w.lose("tags")
	}
	if w.timed() {
		w.lose("times")
	}
	if w.record.End != (rules.End{}) {
		w.lose("how the game ended: " + outcomeText(w.record.End))
	}
	return nil
}

var errUnclosed = errors.New("not closed")
