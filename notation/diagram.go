package notation

import (
	"fmt"
	"strconv"
	"strings"

	"pbem/rules"
)

// readDiagram reads the board that KIF and KI2 files draw where a game does
// not start from a position with a name: "|v香v桂 ・ ... |一", and the hands,
// "飛　金二".
func readDiagram(v *rules.Variant, rows []string, hands [2]string, white bool) (rules.Position, error) {
	if len(rows) != v.Ranks {
		return rules.Position{}, fmt.Errorf("diagram of %d ranks, want %d", len(rows), v.Ranks)
	}
	var board []string
	for i, row := range rows {
		rank, err := diagramRank(v, row)
		if err != nil {
			return rules.Position{}, fmt.Errorf("diagram, rank %d: %w", i+1, err)
		}
		board = append(board, rank)
	}
	var held strings.Builder
	for _, c := range []rules.Color{rules.Black, rules.White} {
		s, err := diagramHand(v, hands[c], c)
		if err != nil {
			return rules.Position{}, err
		}
		held.WriteString(s)
	}
	if held.Len() == 0 {
		held.WriteByte('-')
	}
	turn := "b"
	if white {
		turn = "w"
	}
	return rules.ParsePosition(v, strings.Join(board, "/")+" "+turn+" "+held.String())
}

// diagramRank turns "|v香 ・ 歩|一" into SFEN.
func diagramRank(v *rules.Variant, row string) (string, error) {
	row = strings.TrimPrefix(row, "|")
	row, _, ok := strings.Cut(row, "|")
	if !ok {
		return "", fmt.Errorf("no closing |")
	}
	var b strings.Builder
	white, promoted := false, false
	for _, r := range row {
		switch r {
		case ' ', '　', '^', '\t':
			continue
		case 'v', 'V':
			white = true
			continue
		case '成':
			promoted = true
			continue
		case '・', '.', '･':
			b.WriteByte('1')
			continue
		}
		piece := byKanji(v, string(r))
		if piece.Kind == 0 {
			return "", fmt.Errorf("no piece %c", r)
		}
		b.WriteString(sfenPiece(v, piece.Kind, white, piece.Promoted || promoted))
		white, promoted = false, false
	}
	return mergeEmpty(b.String()), nil
}

// mergeEmpty turns runs of "1" into one number, as SFEN wants.
func mergeEmpty(s string) string {
	var b strings.Builder
	for s != "" {
		n := len(s) - len(strings.TrimLeft(s, "1"))
		if n > 0 {
			b.WriteString(strconv.Itoa(n))
			s = s[n:]
			continue
		}
		b.WriteByte(s[0])
		s = s[1:]
	}
	return b.String()
}

// sfenPiece writes a piece for SFEN.
func sfenPiece(v *rules.Variant, k rules.Kind, white, promoted bool) string {
	code := v.Piece(k).Code
	if white {
		code = strings.ToLower(code)
	}
	if len(code) > 1 {
		code = "[" + code + "]"
	}
	if promoted {
		code = "+" + code
	}
	return code
}

// byKanji returns the piece of a kanji name; no kind if there is none.
func byKanji(v *rules.Variant, name string) rules.Piece {
	for _, n := range kanji {
		for _, plain := range n.plain {
			if plain == name {
				return rules.Piece{Kind: v.Kind(n.code)}
			}
		}
		for _, promoted := range n.promoted {
			if promoted == name {
				return rules.Piece{Kind: v.Kind(n.code), Promoted: true}
			}
		}
	}
	return rules.Piece{}
}

// diagramHand turns "飛　金二　歩十八" into SFEN.
func diagramHand(v *rules.Variant, text string, c rules.Color) (string, error) {
	var b strings.Builder
	text = strings.TrimSpace(text)
	if text == "なし" || text == "" {
		return "", nil
	}
	for _, part := range strings.Fields(text) {
		runes := []rune(part)
		piece := byKanji(v, string(runes[0]))
		n := 1
		if len(runes) > 1 {
			n = fromKanji(runes[1:])
		}
		if piece.Kind == 0 || n == 0 {
			return "", fmt.Errorf("no piece in hand %s", part)
		}
		if n > 1 {
			b.WriteString(strconv.Itoa(n))
		}
		b.WriteString(sfenPiece(v, piece.Kind, c == rules.White, false))
	}
	return b.String(), nil
}

// fromKanji reads a number from 1 to 99; 0 if it is none.
func fromKanji(text []rune) int {
	n, digits := 0, 0
	for i, r := range text {
		d, ok := kanjiDigit(text, i)
		switch {
		case r == '十':
			n, digits = max(digits, 1)*10, 0
		case ok:
			digits = d
		default:
			return 0
		}
	}
	return n + digits
}

// drawDiagram writes what readDiagram reads.
func drawDiagram(p rules.Position, black, white string) string {
	v := p.Variant()
	var b strings.Builder
	b.WriteString(white + "の持駒：" + handText(p, rules.White) + "\n ")
	for file := v.Files; file >= 1; file-- {
		b.WriteString(" " + string([]rune("１２３４５６７８９")[file-1]))
	}
	edge := "+" + strings.Repeat("---", v.Files) + "+\n"
	b.WriteString("\n" + edge)
	for rank := 1; rank <= v.Ranks; rank++ {
		b.WriteByte('|')
		for file := v.Files; file >= 1; file-- {
			piece := p.At(rules.NewSquare(file, rank))
			switch {
			case piece.Kind == 0:
				b.WriteString(" ・")
			case piece.Color == rules.White:
				b.WriteString("v" + oneKanji(v, piece))
			default:
				b.WriteString(" " + oneKanji(v, piece))
			}
		}
		b.WriteString("|" + kanjiNumber(rank) + "\n")
	}
	b.WriteString(edge + black + "の持駒：" + handText(p, rules.Black) + "\n")
	if p.Turn() == rules.White {
		b.WriteString(white + "番\n")
	}
	return b.String()
}

// handText writes what a side holds: "飛　金二", "なし".
func handText(p rules.Position, c rules.Color) string {
	var held []string
	for i := range p.Variant().Pieces {
		k := rules.Kind(i + 1)
		switch n := p.Hand(c, k); {
		case n == 1:
			held = append(held, kanjiName(p.Variant(), rules.Piece{Kind: k}))
		case n > 1:
			held = append(held, kanjiName(p.Variant(), rules.Piece{Kind: k})+kanjiNumber(n))
		}
	}
	if held == nil {
		return "なし"
	}
	return strings.Join(held, "　")
}
