package notation

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"pbem/rules"
)

// The parts of JSON Kifu Format, version 1.3.
type (
	jkfFile struct {
		Header  map[string]string `json:"header"`
		Initial *jkfInitial       `json:"initial,omitempty"`
		Moves   []jkfMove         `json:"moves"`
	}
	jkfInitial struct {
		Preset string    `json:"preset"`
		Data   *jkfState `json:"data,omitempty"`
	}
	jkfState struct {
		Color int               `json:"color"`
		Board [9][9]jkfPiece    `json:"board"` // [file-1][rank-1]
		Hands [2]map[string]int `json:"hands"`
	}
	jkfPiece struct {
		Color *int   `json:"color,omitempty"`
		Kind  string `json:"kind,omitempty"`
	}
	jkfMove struct {
		Comments []string `json:"comments,omitempty"`
		Move     *jkfStep `json:"move,omitempty"`
		Time     *jkfTime `json:"time,omitempty"`
		Special  string   `json:"special,omitempty"`

		Forks []json.RawMessage `json:"forks,omitempty"` // read only to be noted
	}
	jkfStep struct {
		Color   *int      `json:"color,omitempty"`
		From    *jkfPlace `json:"from,omitempty"`
		To      *jkfPlace `json:"to,omitempty"`
		Piece   string    `json:"piece"`
		Same    bool      `json:"same,omitempty"`
		Promote *bool     `json:"promote,omitempty"`
		Capture string    `json:"capture,omitempty"`
	}
	jkfPlace struct {
		X int `json:"x"`
		Y int `json:"y"`
	}
	jkfTime struct {
		Now   jkfClock  `json:"now"`
		Total *jkfClock `json:"total,omitempty"`
	}
	jkfClock struct {
		H int `json:"h,omitempty"`
		M int `json:"m"`
		S int `json:"s"`
	}
)

// jkfPresets are the named start positions, by the handicap's SFEN board.
var jkfPresets = []struct{ name, handicap string }{
	{"HIRATE", ""}, {"KY", "lance"}, {"KY_R", "right-lance"}, {"KA", "bishop"}, {"HI", "rook"}, {"HIKY", "rook-lance"},
	{"2", "2p"}, {"3", "3p"}, {"4", "4p"}, {"5", "5p-right"}, {"5_L", "5p-left"}, {"6", "6p"}, {"8", "8p"}, {"10", "10p"},
}

// readJKF reads the file piece by piece, so that all before a fault is kept
// and its place is known. Forks are left out, and noted with the move that they
// take the place of.
func (b *builder) readJKF(text string) error {
	if b.record.Variant != rules.Shogi() {
		return &UnsupportedError{"JKF", "games other than standard shogi"}
	}
	d := json.NewDecoder(strings.NewReader(text))
	err := b.jkfObject(d)
	if err == nil {
		return nil
	}
	at := int(d.InputOffset())
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		at = int(syntax.Offset)
	}
	var fault *jkfFault
	if errors.As(err, &fault) {
		at = len(text) - len(strings.TrimLeft(text[fault.after:], ", \t\n"))
		err = fault.err
	}
	at = min(at, len(text))
	start := strings.LastIndexByte(text[:at], '\n') + 1
	line, _, _ := strings.Cut(text[start:], "\n")
	return b.fail(strings.Count(text[:at], "\n")+1, line, at-start, text[at:min(len(text), at+40)], err)
}

// jkfObject reads the outer object. Its keys may come in any order, but the
// moves are read where they stand, so they must come last, as all programs
// write them.
func (b *builder) jkfObject(d *json.Decoder) error {
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return errors.Join(errors.New("no JSON object"), err)
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return err
		}
		switch key {
		case "header":
			err = b.jkfHeader(d)
		case "initial":
			err = b.jkfStart(d)
		case "moves":
			err = b.jkfMoves(d)
		default:
			var skipped json.RawMessage
			err = d.Decode(&skipped)
		}
		if err != nil {
			return err
		}
	}
	_, err := d.Token()
	return err
}

// jkfHeader reads the tags in the order of the file.
func (b *builder) jkfHeader(d *json.Decoder) error {
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return errors.Join(errors.New("the header is no object"), err)
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return err
		}
		var value string
		if err := d.Decode(&value); err != nil {
			return err
		}
		name := fmt.Sprint(key)
		for _, t := range kifTags {
			if t.key == name {
				name = t.name
			}
		}
		b.tag(name, value)
	}
	_, err := d.Token()
	return err
}

func (b *builder) jkfStart(d *json.Decoder) error {
	var initial jkfInitial
	if err := d.Decode(&initial); err != nil {
		return err
	}
	if b.began {
		return errors.New("the start position stands after the moves")
	}
	if initial.Preset == "OTHER" && initial.Data != nil {
		p, err := initial.Data.position(b.record.Variant)
		if err == nil {
			b.start(p)
		}
		return err
	}
	for _, preset := range jkfPresets {
		if preset.name == initial.Preset {
			p, err := b.preset(preset.handicap)
			if err == nil {
				b.start(p)
			}
			return err
		}
	}
	return fmt.Errorf("no start position %q", initial.Preset)
}

// preset returns the start position of a handicap.
func (b *builder) preset(name string) (rules.Position, error) {
	v := b.record.Variant
	if name == "" {
		return v.Start(), nil
	}
	h, ok := v.Handicap(name)
	if !ok {
		return rules.Position{}, fmt.Errorf("no handicap %s", name)
	}
	return rules.ParsePosition(v, h.Setup)
}

func (b *builder) jkfMoves(d *json.Decoder) error {
	if t, err := d.Token(); err != nil || t != json.Delim('[') {
		return errors.Join(errors.New("the moves are no array"), err)
	}
	for d.More() {
		before := int(d.InputOffset())
		var m jkfMove
		if err := d.Decode(&m); err != nil {
			return err
		}
		if err := b.jkfMove(m); err != nil {
			return &jkfFault{before, err}
		}
		for range m.Forks {
			b.skip(len(b.text) - len(strings.TrimLeft(b.text[before:], ", \t\n")))
		}
	}
	_, err := d.Token()
	return err
}

// jkfFault is a fault in the element that begins after a place in the text.
type jkfFault struct {
	after int
	err   error
}

func (f *jkfFault) Error() string { return f.err.Error() }

// jkfMove adds one entry of the moves.
func (b *builder) jkfMove(m jkfMove) error {
	if m.Move != nil {
		move, err := m.Move.move(b.record.Variant, b.previous())
		if err != nil {
			return err
		}
		if err := b.play(move); err != nil {
			return err
		}
		if m.Time != nil {
			b.spent(m.Time.Now.duration())
		}
	}
	for _, c := range m.Comments {
		b.comment(c)
	}
	if m.Special == "" {
		return nil
	}
	special := csaReader{builder: b}
	return special.special(m.Special)
}

// duration returns the time; 0 for one beyond belief.
func (c jkfClock) duration() time.Duration {
	const most = 1 << 20
	if c.H < 0 || c.M < 0 || c.S < 0 || c.H > most || c.M > most || c.S > most {
		return 0
	}
	return time.Duration(c.H)*time.Hour + time.Duration(c.M)*time.Minute + time.Duration(c.S)*time.Second
}

// move turns a step into a move.
func (s *jkfStep) move(v *rules.Variant, previous rules.Square) (rules.Move, error) {
	piece := csaPiece(v, s.Piece)
	m := rules.Move{To: previous}
	if s.To != nil {
		m.To = rules.NewSquare(s.To.X, s.To.Y)
	}
	if m.To == 0 || piece.Kind == 0 {
		return m, errors.New("a move without target or piece")
	}
	if s.From == nil {
		m.Drop = piece.Kind
		return m, nil
	}
	m.From = rules.NewSquare(s.From.X, s.From.Y)
	m.Promote = s.Promote != nil && *s.Promote
	return m, nil
}
