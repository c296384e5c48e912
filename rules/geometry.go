package rules

// geometry is the board of a size: which bit stands for which square, and the
// four lines through each. Bits run up the ranks file by file, from 1a.
type geometry struct {
	files, ranks int
	squares      int
	board        set
	last         set          // the last rank of Black's side: each file's highest bit
	square       [128]Square  // of a number
	number       [256]uint8   // of a Square; noNumber outside the board
	file         [128]set     // all squares on the file of a number
	lines        [4][128]line // file, rank and both diagonals
	lineOf       [128][128]uint8
}

const noNumber = 255

// line is what a slider on a square sees on an empty board, towards higher
// numbers and towards lower ones.
type line struct{ up, down set }

func newGeometry(files, ranks int) *geometry {
	g := &geometry{files: files, ranks: ranks, squares: files * ranks}
	for i := range g.number {
		g.number[i] = noNumber
	}
	for i := range g.squares {
		s := NewSquare(i/ranks+1, i%ranks+1)
		g.square[i], g.number[s] = s, uint8(i)
		g.board = g.board.or(single(i))
		if s.Rank() == ranks {
			g.last = g.last.or(single(i))
		}
	}
	for i := range g.squares {
		for l, d := range [4][2]int{{0, 1}, {1, 0}, {1, 1}, {1, -1}} {
			up := g.walk(i, d[0], d[1])
			down := g.walk(i, -d[0], -d[1])
			g.lines[l][i] = line{up, down}
			for t := up.or(down); !t.empty(); t = t.rest() {
				g.lineOf[i][t.first()] = uint8(l + 1)
			}
		}
		g.file[i] = g.lines[0][i].up.or(g.lines[0][i].down).or(single(i))
	}
	return g
}

// offset returns the number of the square df files and dr ranks from i.
func (g *geometry) offset(i, df, dr int) (int, bool) {
	f, r := i/g.ranks+df, i%g.ranks+dr
	if f < 0 || f >= g.files || r < 0 || r >= g.ranks {
		return 0, false
	}
	return f*g.ranks + r, true
}

func (g *geometry) walk(i, df, dr int) (s set) {
	for {
		next, ok := g.offset(i, df, dr)
		if !ok {
			return s
		}
		s, i = s.or(single(next)), next
	}
}

// between returns the squares strictly between a and b on the line they
// share; none if they share no line.
func (g *geometry) between(a, b int) set {
	l := g.lineOf[a&127][b&127]
	if l == 0 {
		return set{}
	}
	at := &g.lines[(l-1)&3]
	if a > b {
		a, b = b, a
	}
	return at[a&127].up.and(at[b&127].down)
}

// slide returns what a slider on line l of square i sees in both directions,
// the first piece included. In the number up-2^m, where m is the last blocker
// below i, the bits from m to the first blocker above are those that change:
// subtraction finds both blockers at once.
func (g *geometry) slide(l uint8, i int, occupied set) set {
	at := &g.lines[l&3][i&127]
	up := at.up.and(occupied)
	below := at.down.and(occupied).highest()
	return up.minus(below).xor(up).and(at.up.or(at.down))
}

// fill returns all squares of the files on which a has a square.
func (g *geometry) fill(a set) set {
	low := g.board.without(g.last)
	tops := a.and(low).plus(low).or(a).and(g.last) // a carry reaches the top of each such file
	return tops.minus(tops.shift(1 - g.ranks)).or(tops)
}
