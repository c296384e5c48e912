package game_test

import (
	"slices"
	"testing"

	"pbem/game"
	"pbem/notation"
	"pbem/player"
	"pbem/rules"
)

// line reads moves in Hodges notation that follow g.
func line(t *testing.T, g game.Game, text string) game.Line {
	t.Helper()
	moves, err := notation.ReadMoves(g.Position(), text, notation.Options{})
	if err != nil {
		t.Fatalf("read %q: %v", text, err)
	}
	return game.Line{From: g.Ply(), Moves: moves}
}

func TestPlans(t *testing.T) {
	begun := play(t, begin(t, game.Terms{}), "P-7f") // marco is to move, hana plans
	tests := []struct {
		name    string
		lines   []string
		kept    int // of the lines
		move    string
		answer  string // "" none
		dropped bool
		rest    int // lines that go on
	}{
		{"fits", []string{"P-3d P-2f"}, 1, "P-3d", "P-2f", false, 0},
		{"does not fit", []string{"P-3d P-2f"}, 1, "P-8d", "", true, 0},
		{"nothing planned", nil, 0, "P-8d", "", false, 0},
		{"goes on", []string{"P-3d P-2f P-4d P-2e"}, 1, "P-3d", "P-2f", false, 1},
		{"branches", []string{"P-3d P-2f P-4d P-2e", "P-3d P-2f P-8d P-2e", "P-8d P-2f"}, 3, "P-3d", "P-2f", false, 2},
		{"the same again", []string{"P-3d P-2f", "P-3d P-2f"}, 1, "P-3d", "P-2f", false, 0},
		{"a longer one takes the place of its beginning", []string{"P-3d P-2f", "P-3d P-2f P-4d P-2e"}, 1, "P-3d", "P-2f", false, 1},
		{"the beginning of one adds nothing", []string{"P-3d P-2f P-4d P-2e", "P-3d P-2f"}, 1, "P-3d", "P-2f", false, 1},
		{"another answer replaces", []string{"P-3d P-2f P-4d P-2e", "P-3d P-6f"}, 1, "P-3d", "P-6f", false, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := begun
			for _, text := range tt.lines {
				g, _ = g.WithLine(hana, line(t, begun, text))
			}
			if n := len(g.Plan(hana)); n != tt.kept || len(g.Plan(marco)) != 0 {
				t.Fatalf("%d lines kept; want %d", n, tt.kept)
			}
			moved := play(t, g, tt.move)
			answer, next, dropped := moved.Planned()
			text := ""
			if answer != (rules.Move{}) {
				text = notation.Hodges(moved.Position(), answer)
			}
			if text != tt.answer || dropped != tt.dropped || len(next.Plan(hana)) != tt.rest {
				t.Errorf("answer %q, dropped %v, %d lines go on; want %q, %v, %d", text, dropped, len(next.Plan(hana)), tt.answer, tt.dropped, tt.rest)
			}
			if n := len(g.Plan(hana)); n != tt.kept {
				t.Errorf("the game before has %d lines now; want %d", n, tt.kept)
			}
		})
	}
}

// TestPlanIllegal: an answer that the rules refuse when its time comes is not
// played.
func TestPlanIllegal(t *testing.T) {
	g := play(t, begin(t, game.Terms{}), "P-7f")
	l := line(t, g, "P-3d Bx2b+")
	l.Moves = slices.Clone(l.Moves)
	l.Moves[0] = line(t, g, "P-8d P-2f").Moves[0] // after that the bishop's way is closed
	g, _ = g.WithLine(hana, l)
	answer, next, dropped := play(t, g, "P-8d").Planned()
	if answer != (rules.Move{}) || !dropped || len(next.Plan(hana)) != 0 {
		t.Errorf("answer %v, dropped %v", answer, dropped)
	}
}

func TestUndo(t *testing.T) {
	g := play(t, begin(t, game.Terms{}), "P-7f", "P-3d", "P-2f")
	for who, want := range map[player.ID]int{hana: 1, marco: 2, 7: 0} {
		if n := g.UndoPlies(who); n != want {
			t.Errorf("player %d: %d plies; want %d", who, n, want)
		}
	}
	back, err := g.Undo(2, noon)
	if err != nil || back.Ply() != 1 || back.Turn() != marco || back.Position() != play(t, begin(t, game.Terms{}), "P-7f").Position() {
		t.Errorf("after an undo of 2: ply %d, player %d to move, %v", back.Ply(), back.Turn(), err)
	}
	if again := play(t, back, "P-8d"); again.Ply() != 2 || g.Ply() != 3 {
		t.Errorf("%d plies after another move, %d in the game as it was", again.Ply(), g.Ply())
	}
}
