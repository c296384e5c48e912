package rules_test

import (
	"testing"

	"pbem/rules"
)

func TestDeclare(t *testing.T) {
	type row struct {
		Name, SFEN, Rule27, Rule24, Why string
		Points                          int
	}
	for _, tt := range load[row](t, "impasse.json") {
		t.Run(tt.Name, func(t *testing.T) {
			p := position(t, rules.Shogi(), tt.SFEN)
			start := rules.Shogi().Start()
			for _, r := range []struct {
				rule rules.ImpasseRule
				want string
			}{{rules.Rule27, tt.Rule27}, {rules.Rule24, tt.Rule24}} {
				want := rules.End{Outcome: rules.Win(p.Turn().Other()), Cause: rules.FalseClaim}
				switch r.want {
				case "win":
					want = rules.End{Outcome: rules.Win(p.Turn()), Cause: rules.ImpasseWin}
				case "draw":
					want = rules.End{Outcome: rules.Draw, Cause: rules.ImpasseDraw}
				}
				if got := rules.Declare(p, r.rule, start); got != want {
					t.Errorf("Declare rule %d = %v; want %v (%s)", r.rule, got, want, tt.Why)
				}
			}
			if got := rules.CountClaim(p, rules.Rule27, start).Points; got != tt.Points {
				t.Errorf("points = %d; want %d", got, tt.Points)
			}
		})
	}
}

// 26 points of White's own are one too few; the lance she gave makes 27.
func TestHandicapCountsForTheGiver(t *testing.T) {
	const sfen = "5+B+P2/K+P+L+P+R+P3/+P+P+N1P4/9/9/9/2p+p+pgsg1/1+p1+n+b+n1kg/9 w G2SNL4Prs2l3p"
	p := position(t, rules.Shogi(), sfen)
	even := rules.Shogi().Start()
	lost := rules.End{Outcome: rules.BlackWins, Cause: rules.FalseClaim}
	if got := rules.Declare(p, rules.Rule27, even); got != lost {
		t.Errorf("even game: %v", got)
	}
	lance, _ := rules.Shogi().Handicap("lance")
	start := position(t, rules.Shogi(), lance.Setup)
	won := rules.End{Outcome: rules.WhiteWins, Cause: rules.ImpasseWin}
	if got := rules.Declare(p, rules.Rule27, start); got != won {
		t.Errorf("lance handicap: %v", got)
	}
	c := rules.CountClaim(p, rules.Rule27, start)
	if c.Credit != 1 || c.Points != 27 || !c.KingInZone || c.InCheck || c.Pieces < rules.ImpassePieces {
		t.Errorf("claim = %+v", c)
	}
}

func TestCredit(t *testing.T) {
	want := map[string]int{
		"lance": 1, "right-lance": 1, "bishop": 5, "rook": 5, "rook-lance": 6, "2p": 10, "3p": 11, "4p": 12,
		"5p-left": 13, "5p-right": 13, "6p": 14, "8p": 16, "10p": 18, "3-pawns": 24, "naked-king": 27,
	}
	for _, h := range rules.Shogi().Handicaps() {
		if got := rules.Credit(position(t, rules.Shogi(), h.Setup)); got != want[h.Name] {
			t.Errorf("%s: credit %d; want %d", h.Name, got, want[h.Name])
		}
	}
	if got := rules.Credit(position(t, rules.Shogi(), "8k/9/7+R1/9/9/9/9/9/9 b P")); got != 0 {
		t.Errorf("a problem: credit %d", got)
	}
}

func TestAgree(t *testing.T) {
	shogi := rules.Shogi()
	lance, _ := shogi.Handicap("lance")
	tests := []struct {
		name, sfen, start string
		want              rules.End
	}{
		{"27 each", shogi.Setup, shogi.Setup, rules.End{Outcome: rules.Draw, Cause: rules.ImpasseDraw}},
		{"Black 31, White 23", "lnsgkgsnl/9/2ppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b B2Pr", shogi.Setup,
			rules.End{Outcome: rules.BlackWins, Cause: rules.ImpasseWin}},
		{"White 23 with a lance given", "lnsgkgsn1/1r5b1/4ppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b 4P", lance.Setup,
			rules.End{Outcome: rules.BlackWins, Cause: rules.ImpasseWin}},
		{"White 24 with a lance given", "lnsgkgsn1/1r5b1/3pppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b 3P", lance.Setup,
			rules.End{Outcome: rules.Draw, Cause: rules.ImpasseDraw}},
		{"Black short", "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/9/LNSGKGSNL b rb", shogi.Setup,
			rules.End{Outcome: rules.WhiteWins, Cause: rules.ImpasseWin}},
	}
	for _, tt := range tests {
		p, start := position(t, shogi, tt.sfen), position(t, shogi, tt.start)
		if got := rules.Agree(p, start); got != tt.want {
			t.Errorf("%s: Agree = %v; want %v (Black %d, White %d)", tt.name, got, tt.want,
				rules.Points(p, rules.Black, start), rules.Points(p, rules.White, start))
		}
	}
	wa := variant(t, "wa").Start()
	if got := rules.Agree(wa, wa); got != (rules.End{Outcome: rules.Draw, Cause: rules.ImpasseDraw}) {
		t.Errorf("wa: Agree = %v", got)
	}
	if got := rules.Declare(wa, rules.Rule27, wa); got != (rules.End{}) {
		t.Errorf("wa: Declare = %v", got)
	}
}
