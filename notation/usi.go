package notation

import (
	"strings"

	"pbem/rules"
)

// USI writes a move as engines exchange it: "7g7f", "8h2b+", "P*5e". Files
// above 9 take two digits, kinds keep their code.
func USI(v *rules.Variant, m rules.Move) string {
	if m.Drop != 0 {
		return v.Piece(m.Drop).Code + "*" + m.To.String()
	}
	if m.Promote {
		return m.From.String() + m.To.String() + "+"
	}
	return m.From.String() + m.To.String()
}

// ParseUSI reads what [USI] writes, and nothing else: upper-case codes,
// lower-case ranks, squares of the board. Whether the move is legal anywhere
// is not its business. The error is a [*SyntaxError].
func ParseUSI(v *rules.Variant, s string) (rules.Move, error) {
	fail := func(at int, reason string) (rules.Move, error) {
		return rules.Move{}, &SyntaxError{What: "USI move", Text: cut(s), Offset: at, Reason: reason}
	}
	if star := strings.IndexByte(s, '*'); star >= 0 {
		kind := v.Kind(s[:star])
		if kind == 0 || v.Piece(kind).Code != s[:star] {
			return fail(0, "no such piece")
		}
		to, n := usiSquare(v, s[star+1:])
		switch {
		case to == 0:
			return fail(star+1, "no such square")
		case star+1+n != len(s):
			return fail(star+1+n, "text after the move")
		}
		return rules.Move{Drop: kind, To: to}, nil
	}
	from, n := usiSquare(v, s)
	if from == 0 {
		return fail(0, "no such square")
	}
	to, k := usiSquare(v, s[n:])
	if to == 0 {
		return fail(n, "no such square")
	}
	switch rest := s[n+k:]; rest {
	case "", "+":
		return rules.Move{From: from, To: to, Promote: rest == "+"}, nil
	}
	return fail(n+k, "text after the move")
}

// usiSquare reads a square of the board at the start of s and returns how
// many bytes it takes; no square if there is none.
func usiSquare(v *rules.Variant, s string) (rules.Square, int) {
	n := 0
	file := 0
	for n < len(s) && n < 2 && isDigit(s[n]) {
		file = 10*file + int(s[n]-'0')
		n++
	}
	if n == 0 || s[0] == '0' || n == len(s) || s[n] < 'a' || s[n] > 'o' {
		return 0, 0
	}
	square := rules.NewSquare(file, int(s[n]-'a')+1)
	if square == 0 || !v.Contains(square) {
		return 0, 0
	}
	return square, n + 1
}

// cut shortens a text for an error.
func cut(s string) string {
	if len(s) > 80 {
		return strings.ToValidUTF8(s[:77], "") + "..."
	}
	return s
}
