package notation_test

import (
	"errors"
	"slices"
	"testing"

	"pbem/notation"
	"pbem/rules"
)

// Every legal move of a random game of every variant is read back from what is
// written, in the letters of every language.
func TestWriteReadBack(t *testing.T) {
	for _, v := range rules.Variants() {
		t.Run(v.Name, func(t *testing.T) {
			t.Parallel()
			walk(t, v, 1, plies(), func(p rules.Position, last rules.Move, legal []rules.Move) {
				o := notation.Options{Previous: last.To}
				for _, m := range legal {
					for _, l := range []notation.Letters{notation.English, notation.Spanish, notation.Italian} {
						o.Letters = l
						text := notation.HodgesIn(p, m, l)
						if got, err := notation.Read(p, text, o); err != nil || got != m {
							t.Fatalf("%s: Read(%q) = %v, %v; want %v", p, text, got, err, m)
						}
					}
					checkUSI(t, p, m)
				}
			})
		})
	}
}

// checkUSI reads m back from USI. Read asks where a machine says by silence
// that the piece does not promote.
func checkUSI(t *testing.T, p rules.Position, m rules.Move) {
	t.Helper()
	v := p.Variant()
	text := notation.USI(v, m)
	if got, err := notation.ParseUSI(v, text); err != nil || got != m {
		t.Fatalf("ParseUSI(%q) = %v, %v; want %v", text, got, err, m)
	}
	got, err := notation.Read(p, text, notation.Options{})
	var ambiguous *notation.AmbiguousError
	if errors.As(err, &ambiguous) {
		if len(ambiguous.Moves) != 2 || !slices.Contains(ambiguous.Moves, m) {
			t.Fatalf("%s: Read(%q): %v", p, text, err)
		}
		got, err = notation.Read(p, text, notation.Options{PlainStays: true})
	}
	if err != nil || got != m {
		t.Fatalf("%s: Read(%q) = %v, %v; want %v", p, text, got, err, m)
	}
}

func TestHodgesLetters(t *testing.T) {
	p := position(t, startSFEN)
	m := usi(t, p.Variant(), "4i5h")
	for l, want := range map[notation.Letters]string{notation.English: "G4i-5h", notation.Spanish: "O4i-5h", notation.Italian: "O4i-5h"} {
		if got := notation.HodgesIn(p, m, l); got != want {
			t.Errorf("HodgesIn(%v) = %s; want %s", l, got, want)
		}
	}
}
