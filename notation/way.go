package notation

import (
	"strings"

	"pbem/rules"
)

// way is a set of the words that tell like pieces apart.
type way uint8

const (
	right    way = 1 << iota // 右: the rightmost, as its player sees the board
	left                     // 左
	straight                 // 直: straight up from below
	up                       // 上, 行, 入: forward
	side                     // 寄: sideways
	down                     // 引, 下: backward
)

var wayWords = []struct {
	word string
	way  way
}{
	{"右", right}, {"左", left}, {"直", straight}, {"上がる", up}, {"上る", up}, {"上", up}, {"行", up}, {"入", up},
	{"寄る", side}, {"寄", side}, {"引く", down}, {"引", down}, {"下", down},
}

// parseWay reads words of direction and nothing else.
func parseWay(s string) (way, bool) {
	var w way
next:
	for s != "" {
		for _, word := range wayWords {
			if rest, ok := strings.CutPrefix(s, word.word); ok {
				w |= word.way
				s = rest
				continue next
			}
		}
		return 0, false
	}
	return w, true
}

// holds reports whether the words describe m among the moves of like pieces
// to the same square. Pinned pieces count as likes, as they do for those who
// write such words.
func (w way) holds(p rules.Position, m rules.Move) bool {
	if !w.direction(p, m.From, m.To) {
		return false
	}
	if w&(left|right) == 0 {
		return true
	}
	piece := p.At(m.From)
	for _, s := range squares(p.Variant()) {
		if s == m.From || p.At(s) != piece || !p.Reaches(s, m.To) || !w.direction(p, s, m.To) {
			continue
		}
		further := s.File() < m.From.File() // further right than m.From, for Black
		if p.Turn() == rules.White {
			further = s.File() > m.From.File()
		}
		if s.File() == m.From.File() || further == (w&right != 0) {
			return false
		}
	}
	return true
}

// direction reports whether a move goes the way that the words other than
// right and left say.
func (w way) direction(p rules.Position, from, to rules.Square) bool {
	ahead := from.Rank() - to.Rank()
	if p.Turn() == rules.White {
		ahead = -ahead
	}
	switch {
	case w&straight != 0 && (ahead != 1 || from.File() != to.File()),
		w&up != 0 && ahead <= 0,
		w&side != 0 && ahead != 0,
		w&down != 0 && ahead >= 0:
		return false
	}
	return true
}

// tell returns the words that tell m from the moves of like pieces to the same
// square, the ones that a Japanese record would use: where the piece goes
// before where it comes from. It returns false if no words do.
func tell(p rules.Position, m rules.Move) (string, bool) {
	if !rivals(p, m) {
		return "", true
	}
	ahead := m.From.Rank() - m.To.Rank()
	if p.Turn() == rules.White {
		ahead = -ahead
	}
	goes := side
	switch {
	case ahead > 0:
		goes = up
	case ahead < 0:
		goes = down
	}
	for _, w := range []way{goes, straight, right, left, right | goes, left | goes} {
		if w.alone(p, m) {
			return w.String(), true
		}
	}
	return "", false
}

// alone reports whether the words hold of m and of no move of a like piece to
// the same square.
func (w way) alone(p rules.Position, m rules.Move) bool {
	piece := p.At(m.From)
	for _, s := range squares(p.Variant()) {
		if p.At(s) != piece || !p.Reaches(s, m.To) {
			continue
		}
		if w.holds(p, rules.Move{From: s, To: m.To}) != (s == m.From) {
			return false
		}
	}
	return true
}

// String writes the words, side before direction: "右上".
func (w way) String() string {
	var b strings.Builder
	for _, word := range []struct {
		way  way
		text string
	}{{right, "右"}, {left, "左"}, {straight, "直"}, {up, "上"}, {side, "寄"}, {down, "引"}} {
		if w&word.way != 0 {
			b.WriteString(word.text)
		}
	}
	return b.String()
}
