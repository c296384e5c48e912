package rules_test

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pbem/rules"
)

func sorted(moves []rules.Move) []rules.Move {
	slices.SortFunc(moves, func(a, b rules.Move) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To), cmp.Compare(a.Drop, b.Drop), boolCompare(a.Promote, b.Promote))
	})
	return moves
}

func boolCompare(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// compare holds the generator against the reference in one position and
// returns its legal moves.
func compare(t *testing.T, r *rand.Rand, p rules.Position) []rules.Move {
	t.Helper()
	g := newRefGame(p)
	got, want := sorted(p.LegalMoves()), sorted(g.legal())
	if !slices.Equal(got, want) {
		t.Errorf("%s: legal moves of %v: too many %v, missing %v", p.Variant().Name, p, without(got, want), without(want, got))
	}
	if n := p.Perft(1); n != uint64(len(want)) {
		t.Errorf("%v: counted %d moves, want %d", p, n, len(want))
	}
	if p.InCheck() != g.inCheck(p.Turn()) {
		t.Errorf("%v: InCheck = %v", p, p.InCheck())
	}
	v := p.Variant()
	square := func() rules.Square { return rules.NewSquare(1+r.IntN(v.Files), 1+r.IntN(v.Ranks)) }
	tries := slices.Clone(want)
	for range 200 {
		m := rules.Move{From: square(), To: square(), Promote: r.IntN(2) == 0}
		if r.IntN(4) == 0 {
			m = rules.Move{To: square(), Drop: rules.Kind(1 + r.IntN(len(v.Pieces)))}
		}
		tries = append(tries, m)
	}
	for _, m := range tries {
		err := p.Check(m)
		if (err == nil) != slices.Contains(want, m) {
			t.Errorf("%v: Check(%v) = %v", p, m, err)
		}
	}
	if again, err := rules.ParsePosition(v, p.String()); err != nil || again != p || again.Key() != p.Key() {
		t.Errorf("%v comes back as %v, %v", p, again, err)
	}
	return want
}

func without(a, b []rules.Move) []rules.Move {
	return slices.DeleteFunc(slices.Clone(a), func(m rules.Move) bool { return slices.Contains(b, m) })
}

// Random games of every variant: the same legal moves as the reference's at
// every ply, and Play leads to what the reference leads to.
func TestRandomGamesAgainstReference(t *testing.T) {
	for i, v := range rules.Variants() {
		t.Run(v.Name, func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(1, uint64(i)))
			games, plies := 3, 60
			switch {
			case *slow:
				games, plies = 30, 300
			case testing.Short():
				plies = 20
			}
			for range games {
				p := v.Start()
				for range plies {
					moves := compare(t, r, p)
					if len(moves) == 0 || t.Failed() {
						break
					}
					m := moves[r.IntN(len(moves))]
					next, err := p.Play(m)
					if err != nil {
						t.Fatalf("%v: %v", p, err)
					}
					if got, want := newRefGame(next), newRefGame(p).play(m); !sameGame(got, want) {
						t.Fatalf("%v: %v leads to %v", p, m, next)
					}
					p = next
				}
			}
		})
	}
}

// Scattered pieces with full hands: pins, double checks, kings that can be
// taken, boards without a king.
func TestRandomPositionsAgainstReference(t *testing.T) {
	for i, v := range rules.Variants() {
		t.Run(v.Name, func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(2, uint64(i)))
			n := 60
			switch {
			case *slow:
				n = 3000
			case testing.Short():
				n = 15
			}
			for range n {
				compare(t, r, scatter(t, r, v))
			}
		})
	}
}

// The reference counts mini shogi itself: the known numbers come from a
// program that lists pawn-drop mates, and are the true ones all the same.
func TestMiniShogiPerftByReference(t *testing.T) {
	known := []uint64{14, 181, 2512, 35401, 533203, 8276188}
	depth := 3
	if *slow {
		depth = 6
	}
	for d := 1; d <= depth; d++ {
		if got := newRefGame(variant(t, "minishogi").Start()).perft(d); got != known[d-1] {
			t.Errorf("depth %d: %d; want %d", d, got, known[d-1])
		}
	}
}

func (g refGame) perft(depth int) (n uint64) {
	moves := g.legal()
	if depth == 1 {
		return uint64(len(moves))
	}
	for _, m := range moves {
		n += g.play(m).perft(depth - 1)
	}
	return n
}

func sameGame(a, b refGame) bool {
	if a.turn != b.turn || len(a.board) != len(b.board) {
		return false
	}
	for s, pc := range a.board {
		if b.board[s] != pc {
			return false
		}
	}
	for c := range a.hand {
		for k, n := range a.hand[c] {
			if b.hand[c][k] != n {
				return false
			}
		}
	}
	return true
}

// scatter returns a random position, as an SFEN would give it.
func scatter(t *testing.T, r *rand.Rand, v *rules.Variant) rules.Position {
	t.Helper()
	squares := map[rules.Square]string{}
	put := func(text string) {
		squares[rules.NewSquare(1+r.IntN(v.Files), 1+r.IntN(v.Ranks))] = text
	}
	for range 4 + r.IntN(v.Files*2) {
		k := rules.Kind(1 + r.IntN(len(v.Pieces)))
		if v.Piece(k).Royal {
			continue
		}
		put(pieceText(v, k, r.IntN(2) == 0, r.IntN(3) == 0))
	}
	kings := map[rules.Square]string{}
	for i := range 2 {
		if r.IntN(8) > 0 {
			kings[rules.NewSquare(1+r.IntN(v.Files), 1+r.IntN(v.Ranks))] = pieceText(v, kingOf(v), i == 0, false)
		}
	}
	for s, text := range kings {
		squares[s] = text
	}
	sfen := ""
	for rank := 1; rank <= v.Ranks; rank++ {
		if rank > 1 {
			sfen += "/"
		}
		empty := 0
		for file := v.Files; file >= 0; file-- {
			text, ok := squares[rules.NewSquare(file, rank)]
			if (ok || file == 0) && empty > 0 {
				sfen += strconv.Itoa(empty)
				empty = 0
			}
			sfen += text
			if !ok {
				empty++
			}
		}
	}
	sfen += []string{" b ", " w "}[r.IntN(2)]
	if !v.Drops {
		return position(t, v, sfen+"-")
	}
	hands := ""
	for i, k := range v.Pieces {
		for _, black := range []bool{true, false} {
			if !k.Royal && r.IntN(3) == 0 {
				hands += pieceText(v, rules.Kind(i+1), black, false)
			}
		}
	}
	if hands == "" {
		hands = "-"
	}
	return position(t, v, sfen+hands)
}

func kingOf(v *rules.Variant) rules.Kind {
	return rules.Kind(slices.IndexFunc(v.Pieces, func(k rules.PieceKind) bool { return k.Royal }) + 1)
}

func pieceText(v *rules.Variant, k rules.Kind, black, promoted bool) string {
	row := v.Piece(k)
	text := row.Code
	if !black {
		text = strings.ToLower(text)
	}
	if len(text) > 1 {
		text = "[" + text + "]"
	}
	if promoted && row.Promoted != (rules.Promoted{}) {
		text = "+" + text
	}
	return text
}
