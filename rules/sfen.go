package rules

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

const maxHand = 99 // of one kind, far above what any set of pieces holds

// ParsePosition reads an SFEN: board, side to move, hands; a move number may
// follow and is dropped. Hands may be left out if empty. Codes of two letters
// stand in brackets, as in "+[sp]"; a run of digits is one number. Boards
// without a king, or with one, are positions too; two kings of one side, or
// pieces in hand where the variant has no drops, are an error.
func ParsePosition(v *Variant, sfen string) (Position, error) {
	if v == nil || v.compiled == nil {
		return Position{}, errors.New("parse position: no variant")
	}
	return parsePosition(v.compiled(), sfen)
}

func parsePosition(t *tables, sfen string) (Position, error) {
	f := strings.Fields(sfen)
	if len(f) > 0 && f[0] == "sfen" {
		f = f[1:]
	}
	if len(f) < 2 || len(f) > 4 {
		return Position{}, fmt.Errorf("parse position %.60q: want board, side to move, hands", sfen)
	}
	p := Position{v: t.v}
	if err := p.parseBoard(t, f[0]); err != nil {
		return Position{}, fmt.Errorf("parse position %.60q: %w", sfen, err)
	}
	switch f[1] {
	case "b":
	case "w":
		p.turn = White
		p.key += turnKey
	default:
		return Position{}, fmt.Errorf("parse position %.60q: side to move %.10q, want b or w", sfen, f[1])
	}
	if len(f) > 2 {
		if err := p.parseHands(t, f[2]); err != nil {
			return Position{}, fmt.Errorf("parse position %.60q: %w", sfen, err)
		}
	}
	if len(f) > 3 {
		if n, err := strconv.Atoi(f[3]); err != nil || n < 0 {
			return Position{}, fmt.Errorf("parse position %.60q: move number %.10q", sfen, f[3])
		}
	}
	return p, nil
}

func (p *Position) parseBoard(t *tables, text string) error {
	rows := strings.Split(text, "/")
	if len(rows) != t.ranks {
		return fmt.Errorf("%d ranks, want %d", len(rows), t.ranks)
	}
	var kings [2]int
	for r, row := range rows {
		file := t.files
		for row != "" {
			if digits := prefixOf(row, "0123456789"); digits != "" {
				n, err := strconv.Atoi(digits)
				if err != nil || n == 0 || n > file {
					return fmt.Errorf("rank %c: %.10q empty squares", 'a'+r, digits)
				}
				file, row = file-n, row[len(digits):]
				continue
			}
			pc, size, err := t.parsePiece(row)
			if err != nil {
				return fmt.Errorf("rank %c: %w", 'a'+r, err)
			}
			if file == 0 {
				return fmt.Errorf("rank %c: more than %d squares", 'a'+r, t.files)
			}
			if Kind(pc&typeBits) == t.king {
				kings[pc>>6]++
			}
			i := uint8((file-1)*t.ranks + r)
			p.at[i] = pc
			p.key += squareKey(pc, i)
			file, row = file-1, row[size:]
		}
		if file != 0 {
			return fmt.Errorf("rank %c: %d squares, want %d", 'a'+r, t.files-file, t.files)
		}
	}
	if kings[Black] > 1 || kings[White] > 1 {
		return errors.New("two kings of one side")
	}
	return nil
}

// parsePiece reads one piece from the beginning of text.
func (t *tables) parsePiece(text string) (pc uint8, size int, err error) {
	rest := strings.TrimPrefix(text, "+")
	code := rest
	if len(rest) > 0 {
		code = rest[:1]
	}
	size = len(text) - len(rest) + len(code)
	if strings.HasPrefix(rest, "[") {
		end := strings.IndexByte(rest, ']')
		if end < 0 || end > 3 {
			return 0, 0, fmt.Errorf("no piece %.6q", text)
		}
		code = rest[1:end]
		size += end
	}
	kind := uint8(t.v.Kind(code))
	if kind == 0 || code != strings.ToUpper(code) && code != strings.ToLower(code) {
		return 0, 0, fmt.Errorf("no piece %.6q", text)
	}
	pc = kind
	if code == strings.ToLower(code) {
		pc |= whiteBit
	}
	if rest != text {
		pc |= promotedBit
		if !t.types[pc&typeBits].used {
			return 0, 0, fmt.Errorf("%q does not promote", code)
		}
	}
	return pc, size, nil
}

func (p *Position) parseHands(t *tables, text string) error {
	if text == "-" {
		return nil
	}
	if !t.v.Drops {
		return fmt.Errorf("hands %.20q in a game without drops", text)
	}
	for text != "" {
		n := 1
		if digits := prefixOf(text, "0123456789"); digits != "" {
			var err error
			if n, err = strconv.Atoi(digits); err != nil || n == 0 || n > maxHand {
				return fmt.Errorf("hands: %.10q pieces", digits)
			}
			text = text[len(digits):]
		}
		pc, size, err := t.parsePiece(text)
		if err != nil {
			return fmt.Errorf("hands: %w", err)
		}
		if pc&promotedBit != 0 || Kind(pc&typeBits) == t.king {
			return fmt.Errorf("hands: %.6q cannot be in hand", text)
		}
		h := &p.hand[pc>>6][pc&kindBits]
		if int(*h)+n > maxHand {
			return fmt.Errorf("hands: more than %d of %.6q", maxHand, text)
		}
		*h += uint8(n)
		p.key += uint64(n) * handKey(Color(pc>>6), pc&kindBits)
		text = text[size:]
	}
	return nil
}

// String returns the SFEN of p without a move number: board, side to move,
// hands ("-" if both are empty). It is the same for equal positions.
func (p Position) String() string {
	if p.v == nil {
		return ""
	}
	t := p.v.compiled()
	var s []byte
	for r := range t.ranks {
		if r > 0 {
			s = append(s, '/')
		}
		empty := 0
		for f := t.files - 1; f >= 0; f-- {
			pc := p.at[f*t.ranks+r]
			if pc == 0 {
				empty++
				continue
			}
			s = appendCount(s, empty, 0)
			empty = 0
			s = t.appendPiece(s, pc)
		}
		s = appendCount(s, empty, 0)
	}
	s = append(s, " b "...)
	if p.turn == White {
		s[len(s)-2] = 'w'
	}
	before := len(s)
	for c := range p.hand {
		for k := range t.v.Pieces {
			if n := int(p.hand[c][k+1]); n > 0 {
				s = appendCount(s, n, 1)
				s = t.appendPiece(s, uint8(k+1)|uint8(c)<<6)
			}
		}
	}
	if len(s) == before {
		s = append(s, '-')
	}
	return string(s)
}

func appendCount(s []byte, n, unless int) []byte {
	if n == unless {
		return s
	}
	return strconv.AppendInt(s, int64(n), 10)
}

func (t *tables) appendPiece(s []byte, pc uint8) []byte {
	if pc&promotedBit != 0 {
		s = append(s, '+')
	}
	code := t.v.Pieces[pc&kindBits-1].Code
	if pc&whiteBit != 0 {
		code = strings.ToLower(code)
	}
	if len(code) > 1 {
		code = "[" + code + "]"
	}
	return append(s, code...)
}
