package rules

// ImpasseRule is a rule by which a player declares an impasse (jishogi, 持将棋)
// and has it counted.
type ImpasseRule uint8

const (
	// Rule27 is the rule of amateur and computer play: 28 points win for
	// Black, 27 for White; fewer lose.
	Rule27 ImpasseRule = iota
	// Rule24 is the rule of professional play: 31 points win, 24 to 30 are a
	// draw, fewer lose.
	Rule24
)

// ImpassePieces is how many pieces besides the king a declarer needs in the
// zone.
const ImpassePieces = 10

// Claim is what counts when the side to move declares: the pieces in its
// promotion zone and in hand, rook and bishop 5 points each, others 1.
type Claim struct {
	KingInZone bool
	InCheck    bool
	Pieces     int // in the zone, the king not counted; needed: ImpassePieces
	Points     int // of the pieces in the zone and in hand, and the credit
	Credit     int // of Points, those for the handicap given
	ToWin      int // points that win
	ToDraw     int // points that draw; ToWin if none do
}

// CountClaim returns what the side to move could declare in p. Start is the
// position the game began with: pieces White did not begin with, the
// handicap, count for White.
func CountClaim(p Position, rule ImpasseRule, start Position) Claim {
	if p.v == nil {
		return Claim{}
	}
	c := Claim{ToWin: 28, ToDraw: 28}
	switch {
	case rule == Rule24:
		c.ToWin, c.ToDraw = 31, 24
	case p.turn == White:
		c.ToWin, c.ToDraw = 27, 27
	}
	t := p.v.compiled()
	var b board
	var w view
	b.open(&p)
	b.look(&w)
	zone := t.zone[p.turn]
	c.InCheck = !w.checkers.empty()
	c.Points = p.handPoints(p.turn)
	for s := b.all[p.turn].and(zone); !s.empty(); s = s.rest() {
		if i := s.first(); i == int(b.king[p.turn]) {
			c.KingInZone = true
		} else {
			c.Pieces++
			c.Points += t.types[b.at[i]&typeBits].points
		}
	}
	if p.turn == White {
		c.Credit = Credit(start)
		c.Points += c.Credit
	}
	return c
}

// Declare returns the end of the game when the side to move declares an
// impasse: it wins, draws or, with a condition missing or too few points,
// loses. In a variant without the rule ([Variant.Points]) nothing can be
// declared, and the zero End is returned.
func Declare(p Position, rule ImpasseRule, start Position) End {
	if p.v == nil || !p.v.Points {
		return End{}
	}
	c := CountClaim(p, rule, start)
	switch {
	case !c.KingInZone || c.InCheck || c.Pieces < ImpassePieces || c.Points < c.ToDraw:
		return End{Win(p.turn.Other()), FalseClaim}
	case c.Points >= c.ToWin:
		return End{Win(p.turn), ImpasseWin}
	}
	return End{Draw, ImpasseDraw}
}

// Agree returns the end of the game when both players agree on an impasse:
// all pieces on the board and in hand count ([Points]), under 24 loses, and 24
// or more on both sides are a draw. Without a count in the variant's rules it
// is a draw.
func Agree(p, start Position) End {
	if p.v != nil && p.v.Points {
		black, white := Points(p, Black, start), Points(p, White, start)
		switch {
		case black < 24 && white >= 24:
			return End{WhiteWins, ImpasseWin}
		case white < 24 && black >= 24:
			return End{BlackWins, ImpasseWin}
		}
	}
	return End{Draw, ImpasseDraw}
}

// Points returns the points of all pieces of c on the board and in hand, rook
// and bishop 5, others 1, kings 0. Start is the position the game began with:
// the handicap counts for White.
func Points(p Position, c Color, start Position) int {
	if p.v == nil {
		return 0
	}
	n := p.handPoints(c)
	t := p.v.compiled()
	for i := range t.squares {
		if pc := p.at[i]; pc != 0 && Color(pc>>6) == c {
			n += t.types[pc&typeBits].points
		}
	}
	if c == White {
		n += Credit(start)
	}
	return n
}

// Credit returns the points of the pieces White gave: those missing in start
// from the variant's even start. It is 0 for a start that is no handicap, one
// in which Black has not all of the pieces of the even game.
func Credit(start Position) int {
	if start.v == nil {
		return 0
	}
	even := start.v.Start()
	missing := func(c Color) int {
		return Points(even, c, Position{}) - Points(start, c, Position{})
	}
	if missing(Black) != 0 {
		return 0
	}
	return max(0, missing(White))
}

func (p *Position) handPoints(c Color) int {
	n := 0
	for k, have := range p.hand[c&1] {
		n += int(have) * p.v.compiled().types[k].points
	}
	return n
}
