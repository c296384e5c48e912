package notation_test

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"testing"

	"pbem/notation"
	"pbem/rules"
)

// position reads an SFEN and plays USI moves on it.
func position(t testing.TB, sfen string, moves ...string) rules.Position {
	t.Helper()
	return positionOf(t, rules.Shogi(), sfen, moves...)
}

func positionOf(t testing.TB, v *rules.Variant, sfen string, moves ...string) rules.Position {
	t.Helper()
	p, _, err := notation.ParseSFEN(v, sfen)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range moves {
		if p, err = p.Play(usi(t, v, m)); err != nil {
			t.Fatalf("play %s: %v", m, err)
		}
	}
	return p
}

func usi(t testing.TB, v *rules.Variant, s string) rules.Move {
	t.Helper()
	m, err := notation.ParseUSI(v, s)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// load reads a JSON file of testdata.
func load[T any](t testing.TB, name string) T {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var v T
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return v
}

// plies is how long the random games are of which every move is tried.
func plies() int {
	if testing.Short() {
		return 20
	}
	return 100
}

// walk plays a random game and calls visit in every position with the moves
// so far. The same seed plays the same game.
func walk(t testing.TB, v *rules.Variant, seed uint64, plies int, visit func(p rules.Position, last rules.Move, legal []rules.Move)) {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 17))
	p, last := v.Start(), rules.Move{}
	for range plies {
		legal := p.LegalMoves()
		if len(legal) == 0 {
			return
		}
		visit(p, last, legal)
		last = legal[random.IntN(len(legal))]
		var err error
		if p, err = p.Play(last); err != nil {
			t.Fatalf("%s: play %s: %v", p, notation.USI(v, last), err)
		}
	}
}

const startSFEN = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"
