package notation

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"pbem/rules"
)

// position returns the position that an "initial" object draws.
func (s *jkfState) position(v *rules.Variant) (rules.Position, error) {
	setup := csaSetup{said: true, board: map[rules.Square]rules.Piece{}, hand: [2]map[rules.Kind]int{{}, {}}, white: s.Color == 1}
	for x := range s.Board {
		for y, cell := range s.Board[x] {
			if cell.Kind == "" {
				continue
			}
			piece := csaPiece(v, cell.Kind)
			if piece.Kind == 0 || cell.Color == nil {
				return rules.Position{}, fmt.Errorf("no piece %q", cell.Kind)
			}
			if *cell.Color == 1 {
				piece.Color = rules.White
			}
			setup.board[rules.NewSquare(x+1, y+1)] = piece
		}
	}
	for c, hand := range s.Hands {
		for name, n := range hand {
			piece := csaPiece(v, name)
			if piece.Kind == 0 || piece.Promoted || n < 0 || n > 99 {
				return rules.Position{}, fmt.Errorf("no piece in hand %q", name)
			}
			setup.hand[c][piece.Kind] = n
		}
	}
	return setup.position(v)
}

// jkfStateOf draws a position.
func jkfStateOf(p rules.Position) (*jkfState, error) {
	v := p.Variant()
	s := &jkfState{Color: int(p.Turn()), Hands: [2]map[string]int{{}, {}}}
	for _, square := range squares(v) {
		piece := p.At(square)
		if piece.Kind == 0 {
			continue
		}
		name, err := csaName(v, piece)
		if err != nil {
			return nil, err
		}
		color := int(piece.Color)
		s.Board[square.File()-1][square.Rank()-1] = jkfPiece{&color, name}
	}
	for i := range v.Pieces {
		k := rules.Kind(i + 1)
		name, err := csaName(v, rules.Piece{Kind: k})
		if err != nil {
			return nil, err
		}
		for c := range s.Hands {
			if n := p.Hand(rules.Color(c), k); n > 0 {
				s.Hands[c][name] = n
			}
		}
	}
	return s, nil
}

// writeJKF writes JSON, indented by two blanks.
func (w *recordWriter) writeJKF() error {
	if w.record.variant() != rules.Shogi() {
		return &UnsupportedError{"JKF", "games other than standard shogi"}
	}
	file := jkfFile{Header: w.jkfHeader()}
	var err error
	if file.Initial, err = w.jkfInitial(); err != nil {
		return err
	}
	first := jkfMove{}
	if w.record.Note != "" {
		first.Comments = strings.Split(w.record.Note, "\n")
	}
	file.Moves = append(file.Moves, first)
	var total [2]time.Duration
	timed := w.timed()
	for i, ply := range w.record.Moves {
		m := jkfMove{Move: w.jkfStep(i)}
		if ply.Comment != "" {
			m.Comments = strings.Split(ply.Comment, "\n")
		}
		if timed {
			turn := w.positions[i].Turn()
			total[turn] += ply.Spent
			sum := jkfClockOf(total[turn])
			m.Time = &jkfTime{Now: jkfClockOf(ply.Spent), Total: &sum}
		}
		file.Moves = append(file.Moves, m)
	}
	if special := w.jkfSpecial(); special != "" {
		file.Moves = append(file.Moves, jkfMove{Special: special})
	}
	data, err := json.MarshalIndent(file, "", "  ")
	if err != nil {
		return errors.Join(errors.New("write JKF"), err)
	}
	w.out.Write(data)
	w.out.WriteByte('\n')
	return nil
}

// jkfHeader names the tags as KIF does. The order of tags is not kept: the
// members of a JSON object have none.
func (w *recordWriter) jkfHeader() map[string]string {
	header := make(map[string]string)
	for _, t := range w.record.Tags {
		key := t.Name
		for _, k := range kifTags {
			if k.name == t.Name {
				key = k.key
				break
			}
		}
		if _, twice := header[key]; twice {
			w.lose("a second tag " + t.Name)
			continue
		}
		header[key] = t.Value
	}
	return header
}

// jkfInitial names the start position or draws it.
func (w *recordWriter) jkfInitial() (*jkfInitial, error) {
	v, start := w.record.variant(), w.positions[0]
	for _, preset := range jkfPresets {
		p := v.Start()
		if preset.handicap != "" {
			h, ok := v.Handicap(preset.handicap)
			if !ok {
				continue
			}
			var err error
			if p, err = rules.ParsePosition(v, h.Setup); err != nil {
				return nil, err
			}
		}
		if p == start {
			return &jkfInitial{Preset: preset.name}, nil
		}
	}
	state, err := jkfStateOf(start)
	return &jkfInitial{Preset: "OTHER", Data: state}, err
}

// jkfStep describes the ply i, from 0.
func (w *recordWriter) jkfStep(i int) *jkfStep {
	p, m := w.positions[i], w.record.Moves[i].Move
	v := p.Variant()
	color := int(p.Turn())
	s := &jkfStep{Color: &color, To: &jkfPlace{m.To.File(), m.To.Rank()}}
	if m.Drop != 0 {
		s.Piece, _ = csaName(v, rules.Piece{Kind: m.Drop}) // known: writeJKF takes standard shogi only
		return s
	}
	s.From = &jkfPlace{m.From.File(), m.From.Rank()}
	s.Piece, _ = csaName(v, p.At(m.From))
	if taken := p.At(m.To); taken.Kind != 0 {
		s.Capture, _ = csaName(v, taken)
	}
	s.Same = m.To == w.options(i).Previous
	if m.Promote || promotionSign(p, m, "", "=") != "" {
		s.Promote = &m.Promote
	}
	return s
}

func jkfClockOf(d time.Duration) jkfClock {
	s := int(d.Seconds())
	return jkfClock{H: s / 3600, M: s / 60 % 60, S: s % 60}
}

// jkfSpecial names the end as CSA does.
func (w *recordWriter) jkfSpecial() string {
	e := w.record.End
	if e == (rules.End{}) {
		return ""
	}
	turn := w.last().Turn()
	row, exact := named(e, turn)
	switch {
	case !exact:
		w.lose("how the game ended: " + outcomeText(e))
		return "CHUDAN"
	case row.csa == "ILLEGAL_ACTION":
		return sideSign(turn.Other(), "+", "-") + row.csa
	}
	return row.csa
}
