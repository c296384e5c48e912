package rules_test

import (
	"slices"
	"strings"

	"pbem/rules"
)

// The reference generator: slow, and so simple that it can be checked by
// reading. It shares nothing with the package but its vocabulary. The
// movements are written from the descriptions of the pieces, not from their
// Betza strings: a compass direction with a range, or a jump (x,y) to the
// right and forward.

const (
	refKing  = "n1 ne1 e1 se1 s1 sw1 w1 nw1"
	refGold  = "n1 ne1 e1 s1 w1 nw1"
	refSteps = "n1 ne1 se1 sw1 nw1" // silver
	refRook  = "n99 e99 s99 w99"
	refBish  = "ne99 se99 sw99 nw99"
	refFox   = "n1 ne1 se1 s1 sw1 nw1 (0,2) (0,-2) (2,2) (2,-2) (-2,2) (-2,-2)"
	refEagle = "n99 s99 ne3 nw3 e1 w1 se1 sw1"
	refSwall = "e99 w99 n1 s1"
)

var refMoves = map[string]string{
	"K": refKing, "G": refGold, "S": refSteps, "+S": refGold,
	"N": "(1,2) (-1,2)", "+N": refGold, "L": "n99", "+L": refGold, "P": "n1", "+P": refGold,
	"R": refRook, "+R": refRook + " ne1 se1 sw1 nw1", "B": refBish, "+B": refBish + " n1 e1 s1 w1",

	"CK": refKing, "CE": refEagle, "TF": refFox,
	"FF": refBish + " n1", "+FF": refBish + " n99 s99 e1 w1",
	"SW": refSwall, "+SW": refRook,
	"RR": "n99 ne1 nw1 s1 se1 sw1", "+RR": refFox,
	"VW": refGold, "+VW": refKing,
	"VS": refSteps, "+VS": refSteps + " e1 w1",
	"FG": "n1 s1 ne1 nw1", "+FG": refSwall,
	"FC": "e1 w1 ne1 nw1", "+FC": "n99 s99 e1 w1 ne1 nw1",
	"SC": "n1 se1 sw1", "+SC": refBish + " n1",
	"SO": "n1 se1 sw1", "+SO": refEagle,
	"BD": "ne1 nw1 e1 w1 s1", "+BD": refGold,
	"CM": "n1 s1 ne1 nw1", "+CM": refSteps,
	"LH": "n99 s2", "+LH": "(1,2) (-1,2) (1,-2) (-1,-2)",
	"OC": "n99", "+OC": refKing,
	"SP": "n1", "+SP": refGold,
}

type refVector struct{ x, y, far int }

func refVectors(code string) []refVector {
	compass := map[string]refVector{
		"n": {0, 1, 0}, "s": {0, -1, 0}, "e": {1, 0, 0}, "w": {-1, 0, 0},
		"ne": {1, 1, 0}, "nw": {-1, 1, 0}, "se": {1, -1, 0}, "sw": {-1, -1, 0},
	}
	number := func(s string) (n int) {
		s, minus := strings.CutPrefix(s, "-")
		for _, d := range s {
			n = n*10 + int(d-'0')
		}
		if minus {
			return -n
		}
		return n
	}
	text, ok := refMoves[code]
	if !ok {
		panic("no reference movement of " + code)
	}
	var list []refVector
	for word := range strings.FieldsSeq(text) {
		if jump, ok := strings.CutPrefix(word, "("); ok {
			x, y, _ := strings.Cut(strings.TrimSuffix(jump, ")"), ",")
			list = append(list, refVector{number(x), number(y), 1})
			continue
		}
		cut := strings.IndexAny(word, "123456789")
		v := compass[word[:cut]]
		v.far = number(word[cut:])
		list = append(list, v)
	}
	return list
}

// refGame is a position as the reference sees it.
type refGame struct {
	v     *rules.Variant
	board map[rules.Square]rules.Piece
	hand  map[rules.Color]map[rules.Kind]int
	turn  rules.Color
}

func newRefGame(p rules.Position) refGame {
	v := p.Variant()
	g := refGame{v: v, board: map[rules.Square]rules.Piece{}, turn: p.Turn(), hand: map[rules.Color]map[rules.Kind]int{}}
	for f := 1; f <= v.Files; f++ {
		for r := 1; r <= v.Ranks; r++ {
			s := rules.NewSquare(f, r)
			if pc := p.At(s); pc != (rules.Piece{}) {
				g.board[s] = pc
			}
		}
	}
	for _, c := range []rules.Color{rules.Black, rules.White} {
		g.hand[c] = map[rules.Kind]int{}
		for i := range v.Pieces {
			g.hand[c][rules.Kind(i+1)] = p.Hand(c, rules.Kind(i+1))
		}
	}
	return g
}

func (g refGame) code(pc rules.Piece) string {
	if pc.Promoted {
		return "+" + g.v.Piece(pc.Kind).Code
	}
	return g.v.Piece(pc.Kind).Code
}

// targets returns where a piece on s may go by its movement, own pieces not
// captured.
func (g refGame) targets(s rules.Square, pc rules.Piece) []rules.Square {
	var list []rules.Square
	for _, v := range refVectors(g.code(pc)) {
		if pc.Color == rules.White {
			v.x, v.y = -v.x, -v.y
		}
		f, r := s.File(), s.Rank()
		for range v.far {
			f, r = f-v.x, r-v.y
			to := rules.NewSquare(f, r)
			if !g.v.Contains(to) {
				break
			}
			other, taken := g.board[to]
			if !taken || other.Color != pc.Color {
				list = append(list, to)
			}
			if taken {
				break
			}
		}
	}
	return list
}

func (g refGame) inCheck(c rules.Color) bool {
	for s, pc := range g.board {
		if pc.Color != c && g.attacksKing(s) {
			return true
		}
	}
	return false
}

func (g refGame) attacksKing(s rules.Square) bool {
	for _, to := range g.targets(s, g.board[s]) {
		if at, ok := g.board[to]; ok && g.v.Piece(at.Kind).Royal {
			return true
		}
	}
	return false
}

func (g refGame) play(m rules.Move) refGame {
	next := newRefGame(rules.Shogi().Start())
	next.v, next.turn = g.v, g.turn.Other()
	clear(next.board)
	for s, pc := range g.board {
		next.board[s] = pc
	}
	for c := range g.hand {
		clear(next.hand[c])
		for k, n := range g.hand[c] {
			next.hand[c][k] = n
		}
	}
	if m.Drop != 0 {
		next.hand[g.turn][m.Drop]--
		next.board[m.To] = rules.Piece{Kind: m.Drop, Color: g.turn}
		return next
	}
	if taken, ok := g.board[m.To]; ok && g.v.Drops && !g.v.Piece(taken.Kind).Royal {
		next.hand[g.turn][taken.Kind]++
	}
	pc := g.board[m.From]
	pc.Promoted = pc.Promoted || m.Promote
	delete(next.board, m.From)
	next.board[m.To] = pc
	return next
}

func (g refGame) inZone(s rules.Square) bool {
	if g.turn == rules.Black {
		return s.Rank() <= g.v.Zone
	}
	return s.Rank() > g.v.Ranks-g.v.Zone
}

// stuck reports whether a piece could never move from s.
func (g refGame) stuck(s rules.Square, pc rules.Piece) bool {
	empty := g
	empty.board = nil
	return len(empty.targets(s, pc)) == 0
}

func (g refGame) legal() []rules.Move {
	var list []rules.Move
	for s, pc := range g.board {
		if pc.Color != g.turn {
			continue
		}
		may := !pc.Promoted && g.v.Piece(pc.Kind).Promoted != rules.Promoted{}
		for _, to := range g.targets(s, pc) {
			if may && (g.inZone(s) || g.inZone(to)) {
				list = append(list, rules.Move{From: s, To: to, Promote: true})
			}
			if !may || !g.stuck(to, pc) {
				list = append(list, rules.Move{From: s, To: to})
			}
		}
	}
	list = append(list, g.drops()...)
	return slices.DeleteFunc(list, func(m rules.Move) bool {
		next := g.play(m)
		if next.inCheck(g.turn) {
			return true
		}
		return m.Drop != 0 && g.v.Piece(m.Drop).NoDropMate &&
			next.attacksKing(m.To) && len(next.legal()) == 0
	})
}

func (g refGame) drops() []rules.Move {
	var list []rules.Move
	for k, n := range g.hand[g.turn] {
		if n == 0 {
			continue
		}
		pc := rules.Piece{Kind: k, Color: g.turn}
		for f := 1; f <= g.v.Files; f++ {
			pawns := 0
			for r := 1; r <= g.v.Ranks; r++ {
				if g.board[rules.NewSquare(f, r)] == pc {
					pawns++
				}
			}
			if pawns > 0 && g.v.Piece(k).OnePerFile {
				continue
			}
			for r := 1; r <= g.v.Ranks; r++ {
				s := rules.NewSquare(f, r)
				if _, taken := g.board[s]; !taken && !g.stuck(s, pc) {
					list = append(list, rules.Move{Drop: k, To: s})
				}
			}
		}
	}
	return list
}
