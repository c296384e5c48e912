package notation

import (
	"strings"

	"pbem/rules"
)

// writeCSA writes a move as a CSA record does: sign of the side, origin (00
// for a drop), target, the piece that arrives.
func writeCSA(p rules.Position, m rules.Move) (string, error) {
	piece, from := rules.Piece{Kind: m.Drop}, "00"
	if m.Drop == 0 {
		piece, from = p.At(m.From), digits(m.From)
		piece.Promoted = piece.Promoted || m.Promote
	}
	name, err := csaName(p.Variant(), piece)
	if err != nil {
		return "", err
	}
	return sideSign(p.Turn(), "+", "-") + from + digits(m.To) + name, nil
}

// sideSign returns one of two signs.
func sideSign(c rules.Color, black, white string) string {
	if c == rules.White {
		return white
	}
	return black
}

// csaName returns CSA's name of a piece.
func csaName(v *rules.Variant, piece rules.Piece) (string, error) {
	row := v.Piece(piece.Kind)
	names, known := csaKinds[row.Code]
	if !known || piece.Promoted && names[1] == "" {
		return "", &UnsupportedError{"CSA", "the piece " + row.Name}
	}
	if piece.Promoted {
		return names[1], nil
	}
	return names[0], nil
}

// kifSquare writes a square as "７六".
func kifSquare(s rules.Square) string {
	return string([]rune("１２３４５６７８９")[s.File()-1]) + kanjiNumber(s.Rank())
}

// kanjiNumber writes a number from 1 to 99 in kanji.
func kanjiNumber(n int) string {
	numerals := []rune("一二三四五六七八九")
	var b strings.Builder
	if n >= 20 {
		b.WriteRune(numerals[n/10-1])
	}
	if n >= 10 {
		b.WriteString("十")
	}
	if n%10 > 0 {
		b.WriteRune(numerals[n%10-1])
	}
	return b.String()
}

// kanjiName writes a piece as records do: "歩", "と", "成銀".
func kanjiName(v *rules.Variant, piece rules.Piece) string {
	return nameIn(kanji, v.Piece(piece.Kind).Code, piece.Promoted)
}

// oneKanji writes a piece in one character, as in diagrams: "全" for 成銀.
func oneKanji(v *rules.Variant, piece rules.Piece) string {
	name := kanjiName(v, piece)
	switch name {
	case "成銀":
		return "全"
	case "成桂":
		return "圭"
	case "成香":
		return "杏"
	}
	return name
}

// kifTarget writes the target, 同 for that of the last move.
func kifTarget(m rules.Move, previous rules.Square) string {
	if m.To == previous {
		return "同　"
	}
	return kifSquare(m.To)
}

// writeKIF writes a move as the files of Kifu for Windows do.
func writeKIF(p rules.Position, m rules.Move, previous rules.Square) string {
	v := p.Variant()
	if m.Drop != 0 {
		return kifSquare(m.To) + kanjiName(v, rules.Piece{Kind: m.Drop}) + "打"
	}
	s := kifTarget(m, previous) + kanjiName(v, p.At(m.From))
	if m.Promote {
		s += "成"
	}
	return s + "(" + digits(m.From) + ")"
}

// writeKI2 writes a move as books do: words instead of the origin, 打 only
// where a like piece on the board could go to the square, 不成 for a declined
// promotion.
func writeKI2(p rules.Position, m rules.Move, previous rules.Square) string {
	v := p.Variant()
	mark := sideSign(p.Turn(), "▲", "△")
	if m.Drop != 0 {
		s := mark + kifSquare(m.To) + kanjiName(v, rules.Piece{Kind: m.Drop})
		if (reading{kind: m.Drop, promoted: no, to: m.To}).reachable(p) {
			s += "打"
		}
		return s
	}
	s := mark + kifTarget(m, previous) + kanjiName(v, p.At(m.From))
	words, ok := tell(p, m)
	s += words + promotionSign(p, m, "成", "不成")
	if !ok {
		s += "(" + digits(m.From) + ")" // more like pieces than Japanese has words for
	}
	return s
}
