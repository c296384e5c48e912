package game_test

import (
	"errors"
	"testing"
	"time"

	"pbem/game"
	"pbem/notation"
	"pbem/player"
	"pbem/rules"
)

const (
	hana  player.ID = 1
	marco player.ID = 2
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func begin(t *testing.T, terms game.Terms) game.Game {
	t.Helper()
	if terms.Variant == "" {
		terms.Variant = rules.Shogi().Name
	}
	g, err := game.New(17, hana, marco, terms, noon)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// play plays moves in Hodges notation, a minute apart.
func play(t *testing.T, g game.Game, moves ...string) game.Game {
	t.Helper()
	for _, text := range moves {
		m, err := notation.Read(g.Position(), text, notation.Options{})
		if err != nil {
			t.Fatalf("read %s: %v", text, err)
		}
		if g, err = g.Play(g.Turn(), m, noon.Add(time.Duration(g.Ply()+1)*time.Minute)); err != nil {
			t.Fatalf("play %s: %v", text, err)
		}
	}
	return g
}

func read(t *testing.T, g game.Game, text string) rules.Move {
	t.Helper()
	m, err := notation.Read(g.Position(), text, notation.Options{})
	if err != nil {
		t.Fatalf("read %s: %v", text, err)
	}
	return m
}

func TestPlay(t *testing.T) {
	even := game.Terms{}
	tests := []struct {
		name  string
		terms game.Terms
		moves []string
		who   player.ID
		move  string
		want  error
	}{
		{"Black begins an even game", even, nil, hana, "P-7f", nil},
		{"White waits in an even game", even, nil, marco, "P-7f", game.ErrNotTurn},
		{"White answers", even, []string{"P-7f"}, marco, "P-3d", nil},
		{"the giver of a handicap begins", game.Terms{Handicap: "2p"}, nil, marco, "P-3d", nil},
		{"the taker of a handicap waits", game.Terms{Handicap: "2p"}, nil, hana, "P-3d", game.ErrNotTurn},
		{"a stranger plays nothing", even, nil, 3, "P-7f", game.ErrNotPlayer},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := play(t, begin(t, tt.terms), tt.moves...)
			next, err := g.Play(tt.who, read(t, g, tt.move), noon)
			if !errors.Is(err, tt.want) {
				t.Fatalf("Play = %v, want %v", err, tt.want)
			}
			want := g.Ply()
			if err == nil {
				want++
			}
			if next.Ply() != want || g.Ply() != len(tt.moves) {
				t.Errorf("%d plies, %d before; want %d and %d", next.Ply(), g.Ply(), want, len(tt.moves))
			}
		})
	}
}

// TestPlayIllegal: what the rules refuse leaves the game as it was.
func TestPlayIllegal(t *testing.T) {
	g := begin(t, game.Terms{})
	other := play(t, begin(t, game.Terms{}), "P-7f", "P-3d")
	m := read(t, other, "Bx2b+") // a pawn of its own stands in the way at the start
	next, err := g.Play(hana, m, noon)
	var illegal *rules.IllegalMoveError
	if !errors.As(err, &illegal) || next.Ply() != 0 {
		t.Errorf("Play = %d plies, %v; want 0 and an illegal move", next.Ply(), err)
	}
}

// TestGameIsValue: two continuations of one game do not see each other.
func TestGameIsValue(t *testing.T) {
	g := play(t, begin(t, game.Terms{}), "P-7f", "P-3d", "P-2f")
	a, b := play(t, g, "P-4d"), play(t, g, "P-8d")
	if a.Last() == b.Last() || a.Ply() != 4 || b.Ply() != 4 || g.Ply() != 3 {
		t.Errorf("a ends with %v, b with %v, g has %d plies", a.Last(), b.Last(), g.Ply())
	}
	if a.Position() == b.Position() {
		t.Error("both continuations came to the same position")
	}
}

func TestResign(t *testing.T) {
	g := play(t, begin(t, game.Terms{}), "P-7f")
	tests := []struct {
		name    string
		who     player.ID
		outcome rules.Outcome
		want    error
	}{
		{"the one to move", marco, rules.BlackWins, nil},
		{"the one who waits", hana, rules.WhiteWins, nil},
		{"somebody else", 3, rules.Ongoing, game.ErrNotPlayer},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			over, err := g.Resign(tt.who, noon)
			if !errors.Is(err, tt.want) || over.End.Outcome != tt.outcome || over.Over() != (err == nil) {
				t.Fatalf("Resign = %v, %v; want %v, %v", over.End, err, tt.outcome, tt.want)
			}
			if err != nil {
				return
			}
			if over.Turn() != 0 || !over.Ended.Equal(noon) || over.End.Cause != game.Resignation {
				t.Errorf("turn %d, ended %v by %s", over.Turn(), over.Ended, over.End.Cause)
			}
			if _, err := over.Resign(tt.who, noon); !errors.Is(err, game.ErrOver) {
				t.Errorf("Resign again = %v, want %v", err, game.ErrOver)
			}
			if _, err := over.Play(marco, read(t, g, "P-3d"), noon); !errors.Is(err, game.ErrOver) {
				t.Errorf("Play after the end = %v, want %v", err, game.ErrOver)
			}
		})
	}
}

// TestRulesEndGame: the fourth time of a position ends it, counted over the
// whole game.
func TestRulesEndGame(t *testing.T) {
	g := begin(t, game.Terms{})
	for range 3 {
		g = play(t, g, "R-5h", "R-5b", "R-2h", "R-8b")
	}
	if want := noon.Add(12 * time.Minute); g.End.Cause != rules.Repetition || !g.Ended.Equal(want) {
		t.Errorf("ended by %q at %v; want %q at %v", g.End.Cause, g.Ended, rules.Repetition, want)
	}
}

// TestResume: a game read from a record is the game that was written, and a
// record that breaks the rules says where.
func TestResume(t *testing.T) {
	g := play(t, begin(t, game.Terms{Handicap: "bishop"}), "P-3d", "P-7f", "P-4d")
	again, err := game.Resume(game.Game{ID: g.ID, Players: g.Players, Terms: g.Terms, Started: g.Started}, g.Start(), g.Plies())
	if err != nil || again.Position() != g.Position() || again.Turn() != g.Turn() || !again.LastAt().Equal(g.LastAt()) {
		t.Errorf("Resume = %v to move, %v; want %v", again.Turn(), err, g.Turn())
	}
	plies := g.Plies()
	plies = append(plies[:1:1], plies[0]) // White's move, played by Black
	_, err = game.Resume(game.Game{ID: 17}, g.Start(), plies)
	if err == nil || err.Error()[:len("game #17, ply 2: ")] != "game #17, ply 2: " {
		t.Errorf("Resume of a broken record: %v; want the ply named", err)
	}
}

func TestTermsUnknown(t *testing.T) {
	for _, terms := range []game.Terms{{Variant: "chess"}, {Variant: "shogi", Handicap: "queen"}} {
		if _, err := game.New(1, hana, marco, terms, noon); err == nil {
			t.Errorf("New on %+v: no error", terms)
		}
	}
}

func TestAfter(t *testing.T) {
	g := play(t, begin(t, game.Terms{}), "P-7f", "P-3d")
	for ply, want := range map[int]bool{-1: false, 0: true, 2: true, 3: false} {
		p, ok := g.After(ply)
		if ok != want || ok && ply == 2 && p != g.Position() {
			t.Errorf("After(%d) = %v", ply, ok)
		}
	}
}

// TestAccept: sides fall as the challenge says, by the coin where it says
// nothing.
func TestAccept(t *testing.T) {
	tests := []struct {
		side  game.Side
		coin  bool
		black player.ID
	}{
		{game.AsBlack, false, hana}, {game.AsBlack, true, hana},
		{game.AsWhite, false, marco}, {game.AsWhite, true, marco},
		{game.AnySide, true, hana}, {game.AnySide, false, marco},
	}
	for _, tt := range tests {
		ch := game.Challenge{ID: 5, From: hana, To: marco, Side: tt.side, Terms: game.Terms{Variant: "shogi"}}
		g, err := ch.Accept(9, tt.coin, noon)
		if err != nil || g.Players[rules.Black] != tt.black || g.ID != 9 || !g.Started.Equal(noon) {
			t.Errorf("%v, coin %v: Black is %d, %v; want %d", tt.side, tt.coin, g.Players[rules.Black], err, tt.black)
		}
	}
}

// An illegal move loses a strict game and no other, and only on its turn.
func TestLose(t *testing.T) {
	strict := play(t, begin(t, game.Terms{Strict: true}), "P-7f", "P-3d")
	leap := rules.Move{From: rules.NewSquare(7, 6), To: rules.NewSquare(7, 4)}
	g, err := strict.Lose(hana, leap, noon)
	if err != nil || g.End != (rules.End{Outcome: rules.WhiteWins, Cause: game.IllegalMove}) || g.Foul != leap || g.Broken() != rules.CannotReach {
		t.Errorf("Lose = %v by %v, %v; want White to win", g.End, g.Foul, err)
	}
	if strict.Over() || strict.Broken() != 0 {
		t.Error("Lose changed its receiver")
	}
	legal := read(t, strict, "P-2f")
	tests := []struct {
		name string
		g    game.Game
		who  player.ID
		m    rules.Move
		want error
	}{
		{"legal", strict, hana, legal, game.ErrNotFoul},
		{"not strict", play(t, begin(t, game.Terms{}), "P-7f", "P-3d"), hana, leap, game.ErrNotFoul},
		{"not the turn", strict, marco, leap, game.ErrNotTurn},
		{"a stranger", strict, 9, leap, game.ErrNotPlayer},
		{"over", g, hana, leap, game.ErrOver},
	}
	for _, tt := range tests {
		if _, err := tt.g.Lose(tt.who, tt.m, noon); !errors.Is(err, tt.want) {
			t.Errorf("%s: Lose: %v; want %v", tt.name, err, tt.want)
		}
	}
}
