package notation

import (
	"errors"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding/japanese"

	"pbem/rules"
)

// builder puts a Record together while a file is read.
type builder struct {
	format Format
	record Record
	words  grammar
	now    rules.Position // after the moves so far
	began  bool           // a move or an end has been read: the start position stands

	remarks []string // on the last move, or before the first, that are not in the record yet

	text           string // of the file
	counted, lines int    // so many lines end in the first bytes of it
}

func newBuilder(f Format, v *rules.Variant, text string) *builder {
	b := &builder{format: f, text: text}
	b.use(v)
	return b
}

// use makes v the variant and its initial position the start.
func (b *builder) use(v *rules.Variant) {
	b.record.Variant = v
	b.words = newGrammar(v, Options{})
	b.start(v.Start())
}

// start sets the start position.
func (b *builder) start(p rules.Position) {
	b.record.Start, b.now = p, p
}

// previous returns the target of the last move.
func (b *builder) previous() rules.Square {
	if n := len(b.record.Moves); n > 0 {
		return b.record.Moves[n-1].Move.To
	}
	return 0
}

// read reads a move in any dialect; silence means no promotion.
func (b *builder) read(text string) error {
	s, ok := prepare(text)
	if !ok {
		return ErrNotMove
	}
	o := Options{Previous: b.previous(), PlainStays: true}
	m, err := resolve(b.now, s, b.words.parse(s), o)
	if err != nil {
		return err
	}
	return b.play(m)
}

// play adds a move.
func (b *builder) play(m rules.Move) error {
	p, err := b.now.Play(m)
	if err != nil {
		return err
	}
	b.remark()
	b.now, b.began = p, true
	b.record.Moves = append(b.record.Moves, Ply{Move: m})
	return nil
}

// skip notes a variation that begins at a byte of the text, behind the one noted
// before.
func (b *builder) skip(at int) {
	b.lines += strings.Count(b.text[b.counted:at], "\n")
	b.counted = at
	b.record.Skipped = append(b.record.Skipped, Variation{Line: b.lines + 1, Ply: len(b.record.Moves)})
}

// comment adds a line to the remarks on the last move.
func (b *builder) comment(line string) { b.remarks = append(b.remarks, clean(line)) }

// remark puts the remarks read so far into the record, all at once: one by one
// would take time by the square of their number.
func (b *builder) remark() {
	text := strings.TrimLeft(strings.Join(b.remarks, "\n"), "\n")
	b.remarks = nil
	if n := len(b.record.Moves); n > 0 {
		b.record.Moves[n-1].Comment = text
	} else {
		b.record.Note = text
	}
}

// longestThought is the longest time of a move that is believed.
const longestThought = 10 * 365 * 24 * time.Hour

// spent notes the time of the last move.
func (b *builder) spent(d time.Duration) {
	if n := len(b.record.Moves); n > 0 && d >= 0 && d <= longestThought {
		b.record.Moves[n-1].Spent = d
	}
}

// tag notes a fact. An empty value says nothing.
func (b *builder) tag(name, value string) {
	if name, value = oneLine(name), oneLine(value); value != "" {
		b.record.Tags = append(b.record.Tags, Tag{name, value})
	}
}

// fail makes a RecordError for text, which starts at the byte at of line.
func (b *builder) fail(number int, line string, at int, text string, err error) error {
	var illegal *ImpossibleError
	if errors.As(err, &illegal) && illegal.Err != nil {
		err = illegal.Err
	}
	return &RecordError{
		Format: b.format,
		Line:   number,
		Column: utf8.RuneCountInString(line[:min(max(at, 0), len(line))]) + 1,
		Text:   cut(text),
		Err:    err,
	}
}

// recordWriter puts the text of a Record together.
type recordWriter struct {
	format    Format
	record    *Record
	positions []rules.Position // one more than moves
	out       strings.Builder
	lost      []string
}

// lose notes, once, something that the format has no place for.
func (w *recordWriter) lose(what string) {
	if !slices.Contains(w.lost, what) {
		w.lost = append(w.lost, what)
	}
}

// options returns the options for the position before ply i, from 0.
func (w *recordWriter) options(i int) Options {
	if i == 0 {
		return Options{}
	}
	return Options{Previous: w.record.Moves[i-1].Move.To}
}

// last returns the final position.
func (w *recordWriter) last() rules.Position { return w.positions[len(w.positions)-1] }

// oneLine writes a text that must not break the line it stands on.
func oneLine(s string) string { return strings.Join(strings.Fields(clean(s)), " ") }

// decode returns the text of a file: UTF-8 with or without byte order mark,
// else Shift_JIS, with LF line ends and no other control characters but tabs.
func decode(data []byte) string {
	text := strings.TrimPrefix(string(data), "\ufeff")
	if !utf8.ValidString(text) {
		if s, err := japanese.ShiftJIS.NewDecoder().String(text); err == nil {
			text = s
		}
	}
	return clean(text)
}

// clean makes a text safe to stand in a record: valid UTF-8, LF line ends, no
// other control characters but tabs.
func clean(text string) string {
	text = strings.ToValidUTF8(text, "\ufffd")
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && unicode.IsControl(r) {
			return -1
		}
		return r
	}, text)
}

// ShiftJIS encodes a record for programs that do not read UTF-8. Characters
// that Shift_JIS lacks become "?"; how many is the second value.
func ShiftJIS(text string) (data []byte, replaced int) {
	encoder := japanese.ShiftJIS.NewEncoder()
	for _, r := range text {
		b, err := encoder.Bytes([]byte(string(r)))
		if err != nil {
			b = []byte{'?'}
			replaced++
		}
		data = append(data, b...)
	}
	return data, replaced
}

// Detect guesses the format of a record from its text; no format if it looks
// like none.
func Detect(data []byte) Format {
	text := decode(data)
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case line == "":
			continue
		case strings.HasPrefix(line, "{"):
			return JKF
		case strings.HasPrefix(line, "position "), strings.HasPrefix(line, "sfen "), strings.HasPrefix(line, "startpos"):
			return USILine
		case strings.HasPrefix(line, "["):
			return HodgesText
		case strings.HasPrefix(line, "V3"), strings.HasPrefix(line, "'CSA encoding="):
			return CSA3
		case strings.HasPrefix(line, "V2"), strings.HasPrefix(line, "'CSA"), strings.HasPrefix(line, "N+"), strings.HasPrefix(line, "PI"), strings.HasPrefix(line, "P1"):
			return CSA
		case strings.HasPrefix(line, "▲"), strings.HasPrefix(line, "△"), strings.HasPrefix(line, "☗"), strings.HasPrefix(line, "☖"):
			return KI2
		case strings.HasPrefix(line, "手数"), strings.HasPrefix(line, "1 "):
			return KIF
		}
	}
	switch {
	case strings.Contains(text, "▲"), strings.Contains(text, "△"):
		return KI2
	case strings.Contains(text, "："):
		return KIF
	case strings.Contains(text, "1."):
		return HodgesText
	}
	return 0
}
