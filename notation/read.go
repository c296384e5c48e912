package notation

import (
	"slices"
	"strings"

	"pbem/rules"
)

// Options is what reading takes from the player and the game. The zero value
// is English letters, no former move, and a question where a promotion is
// left open.
type Options struct {
	Previous   rules.Square // target of the last move, for "same", 同, "Px"; zero: none
	Letters    Letters      // piece letters of the player's language, beside kanji
	PlainStays bool         // a missing "+" or "=" means: not promoted
}

// Read finds the one legal move of p that text means. The error is
// [ErrNotMove] for text that does not look like a move, an [*AmbiguousError]
// for text that fits several, and an [*ImpossibleError] for a move that
// cannot be played here.
//
// A move of a piece on the board wins over a drop where no drop sign is
// written. A promotion that the rules force is taken without its sign; where
// there is a choice and the text leaves it open, both moves are listed.
func Read(p rules.Position, text string, o Options) (rules.Move, error) {
	s, ok := prepare(text)
	if !ok {
		return rules.Move{}, ErrNotMove
	}
	return resolve(p, s, newGrammar(p.Variant(), o).parse(s), o)
}

// grammar is what the dialects need to know: the board and the names of the
// pieces.
type grammar struct {
	v     *rules.Variant
	words []word
}

func newGrammar(v *rules.Variant, o Options) grammar {
	return grammar{v, pieceWords(v, o.Letters)}
}

// parse asks every dialect for its readings of a prepared text, with and
// without a move number in front.
func (g grammar) parse(s string) []reading {
	var all []reading
	for _, t := range withoutNumber(s) {
		text := []rune(t)
		for _, dialect := range []func(grammar, []rune) []reading{readWestern, readCoordinates, readJapanese} {
			for _, r := range dialect(g, text) {
				if !slices.Contains(all, r) {
					all = append(all, r)
				}
			}
		}
	}
	return all
}

// resolve lays the readings beside the legal moves.
func resolve(p rules.Position, s string, readings []reading, o Options) (rules.Move, error) {
	if len(readings) == 0 {
		return rules.Move{}, ErrNotMove
	}
	legal := p.LegalMoves()
	var found []rules.Move
	for _, r := range readings {
		for _, m := range r.narrow(p, legal, o) {
			if !slices.Contains(found, m) {
				found = append(found, m)
			}
		}
	}
	switch len(found) {
	case 0:
		return rules.Move{}, explain(p, s, readings, legal, o)
	case 1:
		return found[0], nil
	}
	sortMoves(found)
	return rules.Move{}, &AmbiguousError{Text: s, Moves: found, Position: p}
}

// sortMoves orders by target, drops last, then by origin, the promotion
// before the refusal of it.
func sortMoves(moves []rules.Move) {
	key := func(m rules.Move) int {
		k := int(m.To)<<17 | int(m.Drop)<<9 | int(m.From)<<1
		if !m.Promote {
			k |= 1
		}
		return k
	}
	slices.SortFunc(moves, func(a, b rules.Move) int { return key(a) - key(b) })
}

// withoutNumber returns s and, if it starts with a move number or a mark of
// side, what follows that: "12.", "12...", "3...", "1)", "▲", "先手".
func withoutNumber(s string) []string {
	texts := []string{s}
	i := 0
	for i < len(s) && (isDigit(s[i]) || s[i] == '#') {
		i++
	}
	if i > 0 && i < len(s) && i <= 4 {
		j := i
		for j < len(s) && (s[j] == '.' || s[j] == ')' || s[j] == ':' || s[j] == '-' || s[j] == ' ' || s[j] == ']') {
			j++
		}
		if j > i && j < len(s) && !(isDigit(s[j]) && strings.Contains(s[i:j], "-")) { // 26-34-76 is no move
			texts = append(texts, s[j:])
		}
	}
	for k, t := range texts {
		texts[k] = withoutSide(t)
	}
	return texts
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
