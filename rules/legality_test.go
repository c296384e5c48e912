package rules_test

import (
	"errors"
	"slices"
	"testing"

	"pbem/rules"
)

var reasons = map[string]rules.Reason{
	"NoPiece": rules.NoPiece, "NotInHand": rules.NotInHand, "NoDrops": rules.NoDrops,
	"Occupied": rules.Occupied, "OwnPiece": rules.OwnPiece, "CannotReach": rules.CannotReach,
	"CannotPromote": rules.CannotPromote, "MustPromote": rules.MustPromote, "DeadEnd": rules.DeadEnd,
	"TwoPawns": rules.TwoPawns, "PawnDropMate": rules.PawnDropMate, "LeavesCheck": rules.LeavesCheck,
	"ExposesKing": rules.ExposesKing, "OffBoard": rules.OffBoard,
}

// reasonOf returns the reason of an illegal move's error; 0 for nil.
func reasonOf(t *testing.T, err error) rules.Reason {
	t.Helper()
	if err == nil {
		return 0
	}
	var illegal *rules.IllegalMoveError
	if !errors.As(err, &illegal) {
		t.Fatalf("error %v is no IllegalMoveError", err)
	}
	return illegal.Reason
}

// Positions on which other programs have been wrong, with the verdict that
// several agree on.
func TestLegality(t *testing.T) {
	type row struct {
		Name, SFEN, Move, Reason, Why string
		Moves                         *int
	}
	for _, tt := range load[row](t, "legality.json") {
		t.Run(tt.Name, func(t *testing.T) {
			p := position(t, rules.Shogi(), tt.SFEN)
			m := usi(t, p.Variant(), tt.Move)
			want, ok := reasons[tt.Reason]
			if !ok && tt.Reason != "" {
				t.Fatalf("no reason %q", tt.Reason)
			}
			next, err := p.Play(m)
			if got := reasonOf(t, err); got != want {
				t.Errorf("Play(%s) in %v: %v; want %v (%s)", tt.Move, p, got, want, tt.Why)
			}
			if (next == p) != (want != 0) {
				t.Errorf("Play(%s) in %v: position %v", tt.Move, p, next)
			}
			moves := p.LegalMoves()
			if slices.Contains(moves, m) != (want == 0) {
				t.Errorf("LegalMoves of %v: %s is listed: %v", p, tt.Move, want != 0)
			}
			if tt.Moves != nil && len(moves) != *tt.Moves {
				t.Errorf("LegalMoves of %v: %d moves; want %d", p, len(moves), *tt.Moves)
			}
		})
	}
}

func TestReasons(t *testing.T) {
	const start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b -"
	tests := []struct {
		name, variant, sfen, move string
		want                      rules.Reason
	}{
		{"legal", "shogi", start, "7g7f", 0},
		{"empty square", "shogi", start, "5e5d", rules.NoPiece},
		{"opponent's piece", "shogi", start, "7c7d", rules.NoPiece},
		{"own piece at the end of a slide", "shogi", start, "2h2g", rules.OwnPiece},
		{"own piece in the way", "shogi", start, "2h2f", rules.CannotReach},
		{"own piece where it never moves", "shogi", start, "9i8h", rules.CannotReach},
		{"the square it stands on", "shogi", start, "7g7g", rules.CannotReach},
		{"nothing in hand", "shogi", start, "P*5e", rules.NotInHand},
		{"king in hand", "shogi", start, "K*5e", rules.NotInHand},
		{"file 10", "shogi", start, "7g10f", rules.OffBoard},
		{"rank j", "shogi", start, "7j7i", rules.OffBoard},
		{"promoted drop", "shogi", "4k4/9/9/9/9/9/9/9/4K4 b S", "S*2b+", rules.CannotPromote},
		{"drop on own piece", "shogi", "4k4/9/9/9/9/9/9/9/4K4 b S", "S*5i", rules.Occupied},
		{"drop on another piece", "shogi", "4k4/9/9/9/9/9/9/9/4K4 b S", "S*5a", rules.Occupied},
		{"a tokin is no second pawn", "shogi", "4k4/9/9/4+P4/9/9/9/9/4K4 b P", "P*5f", 0},
		{"two pawns before leaving check", "shogi", "4k4/9/9/9/9/9/P8/9/r3K4 b P", "P*9b", rules.TwoPawns},
		{"drop that does not parry", "shogi", "4k4/9/9/9/9/9/9/9/r3K4 b P", "P*5e", rules.LeavesCheck},
		{"other piece moves while in check", "shogi", "4k4/9/9/9/9/9/P8/9/r3K4 b -", "9g9f", rules.LeavesCheck},
		{"king stays on the line of check", "shogi", "4k4/9/9/9/9/9/9/9/r3K4 b -", "5i4i", rules.LeavesCheck},
		{"king out of one check into another", "shogi", "3rk4/9/9/9/9/9/9/9/r3K4 b -", "5i6h", rules.ExposesKing},
		{"king walks into an attack", "shogi", "3rk4/9/9/9/9/9/9/9/4K4 b -", "5i6i", rules.ExposesKing},
		{"king next to king", "shogi", "9/9/9/9/9/9/4k4/9/4K4 b -", "5i5h", rules.ExposesKing},
		{"pin along a diagonal", "shogi", "4k4/9/9/9/1b7/9/9/4G4/5K3 b -", "5h5g", rules.ExposesKing},
		{"pinned piece along its pin", "shogi", "4k4/9/9/4r4/9/9/4R4/9/4K4 b -", "5g5d", 0},
		{"taking the pinning piece too far", "shogi", "4k4/9/4p4/4r4/9/9/4R4/9/4K4 b -", "5g5c", rules.CannotReach},
		{"promotion asked of a king", "shogi", "4k4/9/9/9/9/9/9/9/4K4 b -", "5i5h+", rules.CannotPromote},
		{"promotion on leaving the zone", "shogi", "4k4/9/R8/9/9/9/9/9/4K4 b -", "9c9i+", 0},
		{"no drops in Heian", "heian", "4k4/9/9/9/9/9/9/4K4 b -", "P*5e", rules.NoDrops},
		{"lance to the eighth rank", "heian", "4k4/9/9/9/9/8l/9/4K4 w -", "1f1h", rules.MustPromote},
		{"lance to the seventh rank", "heian", "4k4/9/9/9/9/8l/9/4K4 w -", "1f1g", 0},
		{"zone of one rank", "minishogi", "k4/5/R4/5/4K b -", "5c5b+", rules.CannotPromote},
		{"far rank of the small board", "minishogi", "4k/5/R4/5/4K b -", "5c5a+", 0},
		{"oxcart to the last rank", "wa", "5[ck]5/[OC]10/11/11/11/11/11/11/11/11/5[CK]5 b -", "11b11a", rules.MustPromote},
		{"crow on the last rank", "wa", "5[ck]5/[SC]10/11/11/11/11/11/11/11/11/5[CK]5 b -", "11b11a", 0},
		{"fox jumps", "wa", "5[ck]5/11/11/11/[SP]10/[TF]10/11/11/11/11/5[CK]5 b -", "11f11d", 0},
		{"fox does not jump sideways", "wa", "5[ck]5/11/11/11/11/[TF]10/11/11/11/11/5[CK]5 b -", "11f9f", rules.CannotReach},
		{"eagle's three squares", "wa", "5[ck]5/11/11/11/11/11/11/11/11/[CE]10/5[CK]5 b -", "11j8g", 0},
		{"eagle's fourth square", "wa", "5[ck]5/11/11/11/11/11/11/11/11/[CE]10/5[CK]5 b -", "11j7f", rules.CannotReach},
		{"eagle is blocked", "wa", "5[ck]5/11/11/11/11/11/11/11/1[sp]9/[CE]10/5[CK]5 b -", "11j9h", rules.CannotReach},
		{"second sparrow pawn", "wa-drops", "5[ck]5/11/11/11/11/11/[SP]10/11/11/11/5[CK]5 b [SP]", "SP*11e", rules.TwoPawns},
		{"oxcart dropped on the last rank", "wa-drops", "5[ck]5/11/11/11/11/11/11/11/11/11/5[CK]5 b [OC]", "OC*11a", rules.DeadEnd},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := position(t, variant(t, tt.variant), tt.sfen)
			err := p.Check(usi(t, p.Variant(), tt.move))
			if got := reasonOf(t, err); got != tt.want {
				t.Errorf("Check(%s) in %v: %v; want %v", tt.move, p, got, tt.want)
			}
		})
	}
}

func TestNonsenseMovesAreRefused(t *testing.T) {
	p := rules.Shogi().Start()
	for _, m := range []rules.Move{
		{}, {To: 255}, {From: 255, To: 0x55}, {Drop: 255, To: 0x55}, {From: 0x77, To: 0x76, Drop: 8},
		{Drop: 32, To: 0x55}, {From: 0x77}, {From: 1, To: 1},
	} {
		if _, err := p.Play(m); reasonOf(t, err) == 0 {
			t.Errorf("Play(%+v) is legal", m)
		}
		if _, err := (rules.Position{}).Play(m); reasonOf(t, err) == 0 {
			t.Errorf("Play(%+v) is legal in no position", m)
		}
	}
}

func TestEveryReasonHasWords(t *testing.T) {
	seen := map[string]bool{}
	for name, r := range reasons {
		if s := r.String(); s == rules.Reason(0).String() || seen[s] {
			t.Errorf("%s: %q", name, s)
		} else {
			seen[s] = true
		}
	}
}

func TestReaches(t *testing.T) {
	tests := []struct {
		name, sfen, from, to string
		want                 bool
	}{
		{"plain", "4r3k/9/9/9/9/9/9/4G1G2/4K4 b -", "3h", "4h", true},
		{"pinned", "4r3k/9/9/9/9/9/9/4G1G2/4K4 b -", "5h", "4h", true},
		{"not its turn", "4r3k/9/9/9/9/9/9/4G1G2/4K4 b -", "5a", "5d", true},
		{"capture", "4r3k/9/9/9/9/9/9/4G1G2/4K4 b -", "5a", "5h", true},
		{"behind a piece", "4r3k/9/9/9/9/9/9/4G1G2/4K4 b -", "5a", "5i", false},
		{"own piece", "4r3k/9/9/9/9/9/9/4G1G2/4K4 b -", "5i", "5h", false},
		{"king into check", "4r3k/9/9/9/9/9/9/6G2/4K4 b -", "5i", "5h", true},
		{"empty square", "4r3k/9/9/9/9/9/9/4G1G2/4K4 b -", "9e", "9d", false},
	}
	for _, tt := range tests {
		m := usi(t, rules.Shogi(), tt.from+tt.to)
		if got := position(t, rules.Shogi(), tt.sfen).Reaches(m.From, m.To); got != tt.want {
			t.Errorf("%s: Reaches(%s, %s) = %v", tt.name, tt.from, tt.to, got)
		}
	}
}

func TestIllegalMoveErrorText(t *testing.T) {
	p := rules.Shogi().Start()
	for move, want := range map[string]string{
		"7g7f+": "illegal move 7g-7f+: the piece cannot promote with this move",
		"7g7e":  "illegal move 7g-7e: the piece cannot go there",
		"G*5e":  "illegal drop on 5e: no such piece in hand",
	} {
		if err := p.Check(usi(t, p.Variant(), move)); err == nil || err.Error() != want {
			t.Errorf("Check(%s) = %v; want %s", move, err, want)
		}
	}
}

func TestPromotion(t *testing.T) {
	tests := []struct {
		sfen, from, to string
		may, must      bool
	}{
		{"k8/9/4P4/9/9/9/9/9/4K4 b -", "5c", "5b", true, false},
		{"k8/4P4/9/9/9/9/9/9/4K4 b -", "5b", "5a", true, true},
		{"k8/9/9/9/9/4P4/9/9/4K4 b -", "5f", "5e", false, false},
		{"k8/9/9/9/9/4p4/9/9/4K4 b -", "5f", "5g", true, false},
		{"k8/9/4G4/9/9/9/9/9/4K4 b -", "5c", "5b", false, false},
		{"k8/9/4+P4/9/9/9/9/9/4K4 b -", "5c", "5b", false, false},
		{"k8/9/9/4N4/9/9/9/9/4K4 b -", "5d", "4b", true, true},
		{"k8/9/9/4N4/9/9/9/9/4K4 b -", "9e", "9d", false, false},
	}
	for _, tt := range tests {
		m := usi(t, rules.Shogi(), tt.from+tt.to)
		may, must := position(t, rules.Shogi(), tt.sfen).Promotion(m.From, m.To)
		if may != tt.may || must != tt.must {
			t.Errorf("Promotion(%s, %s) in %s = %v, %v; want %v, %v", tt.from, tt.to, tt.sfen, may, must, tt.may, tt.must)
		}
	}
}
