package rules_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pbem/rules"
)

// load reads a JSON table from testdata.
func load[T any](t testing.TB, name string) []T {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	var rows []T
	if err := json.Unmarshal(text, &rows); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return rows
}

func variant(t testing.TB, name string) *rules.Variant {
	t.Helper()
	v, ok := rules.ByName(name)
	if !ok {
		t.Fatalf("no variant %q", name)
	}
	return v
}

func position(t testing.TB, v *rules.Variant, sfen string) rules.Position {
	t.Helper()
	p, err := rules.ParsePosition(v, sfen)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// usi reads a move such as "7g7f", "8h2b+", "P*5e" or "10a11b".
func usi(t testing.TB, v *rules.Variant, text string) rules.Move {
	t.Helper()
	square := func(s string) rules.Square {
		file := 0
		for s != "" && s[0] >= '0' && s[0] <= '9' {
			file, s = file*10+int(s[0]-'0'), s[1:]
		}
		if len(s) != 1 {
			t.Fatalf("move %q", text)
		}
		return rules.NewSquare(file, int(s[0]-'a')+1)
	}
	rest, promote := strings.CutSuffix(text, "+")
	if code, to, ok := strings.Cut(rest, "*"); ok {
		return rules.Move{Drop: v.Kind(code), To: square(to), Promote: promote}
	}
	cut := strings.IndexFunc(rest, func(r rune) bool { return r >= 'a' }) + 1
	return rules.Move{From: square(rest[:cut]), To: square(rest[cut:]), Promote: promote}
}

// play plays moves in USI, separated by spaces, and returns all positions.
func play(t testing.TB, p rules.Position, moves string) []rules.Position {
	t.Helper()
	list := []rules.Position{p}
	for _, m := range strings.Fields(moves) {
		next, err := p.Play(usi(t, p.Variant(), m))
		if err != nil {
			t.Fatalf("%v: %v", p, err)
		}
		p = next
		list = append(list, p)
	}
	return list
}
