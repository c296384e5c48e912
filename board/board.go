// Package board draws positions for people: as letters in plain text.
//
// A drawing is made to survive mail: no line is longer than 72 characters, has
// blanks at its end, begins with a sign that mail programs act on (">", "+",
// "--", "From "), or can be taken for a move by package notation when it comes
// back in a reply.
package board

import (
	"fmt"
	"strings"

	"pbem/rules"
)

// View is how a position is shown. The zero value is Black's side, no move
// marked, English words.
type View struct {
	Side  rules.Color // whose side is at the bottom
	Last  rules.Move  // the move that led here, marked; zero: none
	Words Words
}

// Words are the words on a drawing. Empty ones are English.
type Words struct {
	BlackHand string // "Black in hand"
	WhiteHand string // "White in hand"
}

// or returns w with the empty words replaced by English ones.
func (w Words) or() Words {
	if w.BlackHand == "" {
		w.BlackHand = "Black in hand"
	}
	if w.WhiteHand == "" {
		w.WhiteHand = "White in hand"
	}
	return w
}

// ASCII draws p in letters, a rank a line, files on top, ranks at the left,
// the hand of each side on its side of the board. Each piece wears a sign that
// points the way it moves, ^ up or v down; White's letters are small. [Legend]
// says so to the reader.
//
// The empty square that the last move left is ":", the square it went to has
// "*" behind it.
func ASCII(p rules.Position, v View) string {
	words := v.Words.or()
	hands := [2]string{
		rules.Black: hand(p, rules.Black, words.BlackHand),
		rules.White: hand(p, rules.White, words.WhiteHand),
	}
	var b strings.Builder
	if hasHands(p) {
		b.WriteString(hands[v.Side.Other()] + "\n")
	}
	drawSquares(&b, p, v)
	if hasHands(p) {
		b.WriteString(hands[v.Side] + "\n")
	}
	return b.String()
}

// Legend explains the signs of [ASCII] in one line of at most 72 characters.
func Legend(v View) string {
	if v.Side == rules.White {
		return "Capital vP: Black, moves down. Small ^p: White, moves up. + promoted."
	}
	return "Capital ^P: Black, moves up. Small vp: White, moves down. + promoted."
}

// drawSquares draws the files and the ranks.
func drawSquares(b *strings.Builder, p rules.Position, v View) {
	variant := p.Variant()
	width := 0 // of the longest code
	for _, kind := range variant.Pieces {
		width = max(width, len(kind.Code))
	}
	line := "  "
	for i := range variant.Files {
		line += fmt.Sprintf("%*d ", width+2, file(variant, v, i))
	}
	writeLine(b, line)
	for j := range variant.Ranks {
		rank := j + 1
		if v.Side == rules.White {
			rank = variant.Ranks - j
		}
		line = string(rune('a'+rank-1)) + " "
		for i := range variant.Files {
			line += cell(p, v, rules.NewSquare(file(variant, v, i), rank), width)
		}
		writeLine(b, line)
	}
}

// file returns the file of the column i, counted from the left.
func file(variant *rules.Variant, v View, i int) int {
	if v.Side == rules.White {
		return i + 1
	}
	return variant.Files - i
}

// cell draws a square, three characters wider than the longest code.
func cell(p rules.Position, v View, s rules.Square, width int) string {
	mark := " "
	if s == v.Last.To && s != 0 {
		mark = "*"
	}
	piece := p.At(s)
	if piece.Kind == 0 {
		sign := "."
		if s == v.Last.From && s != 0 {
			sign = ":"
		}
		return fmt.Sprintf("%*s%s", width+2, sign, mark)
	}
	sign, code := "v", p.Variant().Piece(piece.Kind).Code
	if piece.Color == v.Side {
		sign = "^"
	}
	if piece.Promoted {
		sign += "+"
	}
	if piece.Color == rules.White {
		code = strings.ToLower(code)
	}
	return fmt.Sprintf("%*s%s", width+2, sign+code, mark)
}

// hand writes what a side has in hand: "Black in hand: R, 2P".
func hand(p rules.Position, c rules.Color, name string) string {
	var held []string
	for i, kind := range p.Variant().Pieces {
		switch n := p.Hand(c, rules.Kind(i+1)); {
		case n == 1:
			held = append(held, kind.Code)
		case n > 1:
			held = append(held, fmt.Sprintf("%d%s", n, kind.Code))
		}
	}
	if held == nil {
		held = []string{"-"}
	}
	return name + ": " + strings.Join(held, ", ")
}

// hasHands reports whether hands are worth showing: the variant has drops, or
// the position has pieces in hand all the same.
func hasHands(p rules.Position) bool {
	for i := range p.Variant().Pieces {
		if p.Hand(rules.Black, rules.Kind(i+1)) > 0 || p.Hand(rules.White, rules.Kind(i+1)) > 0 {
			return true
		}
	}
	return p.Variant().Drops
}

func writeLine(b *strings.Builder, line string) {
	b.WriteString(strings.TrimRight(line, " ") + "\n")
}
