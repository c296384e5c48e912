package notation

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"pbem/rules"
)

// csaSetup is the start position of a CSA record while it is read: PI with
// the pieces taken off, P1 to P9, and P+ and P- for pieces one by one.
type csaSetup struct {
	said  bool
	board map[rules.Square]rules.Piece
	hand  [2]map[rules.Kind]int
	white bool // White moves first
}

// read reads one statement of the start position.
func (s *csaSetup) read(v *rules.Variant, text string) error {
	if len(text) < 2 {
		return errors.New("no position statement")
	}
	if !s.said {
		s.said = true
		s.board = make(map[rules.Square]rules.Piece)
		s.hand = [2]map[rules.Kind]int{{}, {}}
	}
	switch c := text[1]; {
	case c == 'I':
		return s.initial(v, text[2:])
	case c >= '1' && c <= '9':
		return s.rank(v, int(c-'0'), text[2:])
	case c == '+':
		return s.pieces(v, rules.Black, text[2:])
	case c == '-':
		return s.pieces(v, rules.White, text[2:])
	}
	return errors.New("no position statement")
}

// initial reads "PI82HI22KA": the even start without some pieces.
func (s *csaSetup) initial(v *rules.Variant, off string) error {
	start := v.Start()
	for _, square := range squares(v) {
		if piece := start.At(square); piece.Kind != 0 {
			s.board[square] = piece
		}
	}
	for ; len(off) >= 4; off = off[4:] {
		square, piece := csaPlaced(v, off[:4])
		if square == 0 || piece.Kind == 0 || s.board[square].Kind != piece.Kind {
			return fmt.Errorf("no piece %s to take off", off[:4])
		}
		delete(s.board, square)
	}
	if off != "" {
		return errors.New("cut off")
	}
	return nil
}

// rank reads "P1-KY-KE * ...".
func (s *csaSetup) rank(v *rules.Variant, rank int, text string) error {
	for file := 9; file >= 1; file-- {
		if strings.TrimSpace(text) == "" {
			return nil // trailing blanks were cut off
		}
		cell := text[:min(3, len(text))]
		text = text[len(cell):]
		if strings.Trim(cell, " *") == "" {
			continue
		}
		piece := csaPiece(v, strings.TrimSpace(cell[1:]))
		if piece.Kind == 0 || cell[0] != '+' && cell[0] != '-' {
			return fmt.Errorf("no piece %s", cell)
		}
		if cell[0] == '-' {
			piece.Color = rules.White
		}
		s.board[rules.NewSquare(file, rank)] = piece
	}
	if strings.TrimSpace(text) != "" {
		return errors.New("more than nine squares")
	}
	return nil
}

// pieces reads "P+99KY00FU00AL": pieces on squares, 00 for in hand, AL for all
// that are left.
func (s *csaSetup) pieces(v *rules.Variant, c rules.Color, text string) error {
	for ; len(text) >= 4; text = text[4:] {
		if text[:4] == "00AL" {
			s.rest(v, c)
			continue
		}
		square, piece := csaPlaced(v, text[:4])
		piece.Color = c
		switch {
		case piece.Kind == 0:
			return fmt.Errorf("no piece %s", text[:4])
		case text[:2] == "00" && !piece.Promoted:
			s.hand[c][piece.Kind]++
		case square == 0:
			return fmt.Errorf("no square %s", text[:2])
		default:
			s.board[square] = piece
		}
	}
	if text != "" {
		return errors.New("cut off")
	}
	return nil
}

// rest gives a side all pieces that the even game has beyond those placed.
func (s *csaSetup) rest(v *rules.Variant, c rules.Color) {
	left := make(map[rules.Kind]int)
	start := v.Start()
	for _, square := range squares(v) {
		left[start.At(square).Kind]++
	}
	for _, piece := range s.board {
		left[piece.Kind]--
	}
	for i := range v.Pieces {
		k := rules.Kind(i + 1)
		n := left[k] - s.hand[rules.Black][k] - s.hand[rules.White][k]
		if n > 0 && v.Piece(k).Code != "K" {
			s.hand[c][k] += n
		}
	}
}

// csaPlaced reads "82HI".
func csaPlaced(v *rules.Variant, text string) (rules.Square, rules.Piece) {
	if !isDigit(text[0]) || !isDigit(text[1]) {
		return 0, rules.Piece{}
	}
	return rules.NewSquare(int(text[0]-'0'), int(text[1]-'0')), csaPiece(v, text[2:])
}

// position returns the position read; that of the even game if none was.
func (s *csaSetup) position(v *rules.Variant) (rules.Position, error) {
	turn := " b "
	if s.white {
		turn = " w "
	}
	if !s.said {
		board, _, _ := strings.Cut(v.Start().String(), " ")
		return rules.ParsePosition(v, board+turn+"-")
	}
	var b strings.Builder
	for rank := 1; rank <= v.Ranks; rank++ {
		var line strings.Builder
		for file := v.Files; file >= 1; file-- {
			piece := s.board[rules.NewSquare(file, rank)]
			if piece.Kind == 0 {
				line.WriteByte('1')
				continue
			}
			line.WriteString(sfenPiece(v, piece.Kind, piece.Color == rules.White, piece.Promoted))
		}
		if rank > 1 {
			b.WriteByte('/')
		}
		b.WriteString(mergeEmpty(line.String()))
	}
	b.WriteString(turn)
	n := b.Len()
	for _, c := range []rules.Color{rules.Black, rules.White} {
		for i := range v.Pieces {
			k := rules.Kind(i + 1)
			held := s.hand[c][k]
			if held > 1 {
				b.WriteString(strconv.Itoa(held))
			}
			if held > 0 {
				b.WriteString(sfenPiece(v, k, c == rules.White, false))
			}
		}
	}
	if b.Len() == n {
		b.WriteByte('-')
	}
	return rules.ParsePosition(v, b.String())
}

// csaPosition writes the start position: PI, or rank by rank.
func (w *recordWriter) csaPosition() error {
	v, p := w.record.variant(), w.positions[0]
	if p == v.Start() {
		w.out.WriteString("PI\n+\n")
		return nil
	}
	for rank := 1; rank <= v.Ranks; rank++ {
		fmt.Fprintf(&w.out, "P%d", rank)
		for file := v.Files; file >= 1; file-- {
			piece := p.At(rules.NewSquare(file, rank))
			if piece.Kind == 0 {
				w.out.WriteString(" * ")
				continue
			}
			name, err := csaName(v, piece)
			if err != nil {
				return err
			}
			w.out.WriteString(sideSign(piece.Color, "+", "-") + name)
		}
		w.out.WriteByte('\n')
	}
	for _, c := range []rules.Color{rules.Black, rules.White} {
		held := ""
		for i := range v.Pieces {
			k := rules.Kind(i + 1)
			for range p.Hand(c, k) {
				name, err := csaName(v, rules.Piece{Kind: k})
				if err != nil {
					return err
				}
				held += "00" + name
			}
		}
		if held != "" {
			w.out.WriteString("P" + sideSign(c, "+", "-") + held + "\n")
		}
	}
	w.out.WriteString(sideSign(p.Turn(), "+", "-") + "\n")
	return nil
}
