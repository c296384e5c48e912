package service_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"

	"pbem/mailer"
	"pbem/notation"
	"pbem/rules"
	"pbem/service"
)

// meant is what a careful human understands by a message of the mail cases.
type meant struct {
	Kind, Note      string
	Position        *string
	Moves, Commands []string
	Answer          bool
	Also            []json.RawMessage
}

// TestReadCases reads the mail cases of package mailer and compares the moves,
// the commands and the note.
func TestReadCases(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../mailer/testdata/mail/*.json")
	if err != nil || len(files) < 97 {
		t.Fatalf("%d cases, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".json"), func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var want meant
			if err := json.Unmarshal(data, &want); err != nil {
				t.Fatal(err)
			}
			raw, err := os.ReadFile(strings.TrimSuffix(file, ".json") + ".eml")
			if err != nil {
				t.Fatal(err)
			}
			m, err := mailer.Parse(raw, mailer.ParseOptions{Own: []string{"shogi@shogi.example.org"}})
			if err != nil {
				t.Fatal(err)
			}
			got := service.Read(m, want.view(t, m))
			wrong := want.differs(m, got)
			for _, also := range want.Also {
				other := want
				other.Moves, other.Commands = slices.Clone(want.Moves), slices.Clone(want.Commands) // json writes into the arrays that are there
				if err := json.Unmarshal(also, &other); err != nil {
					t.Fatal(err)
				}
				if wrong != "" && other.differs(m, got) == "" {
					wrong = ""
				}
			}
			if wrong != "" {
				t.Error(wrong, "\nproblem:", got.Problem)
			}
		})
	}
}

// view is the position of the case; a mail that has none and carries no token
// is about no game.
func (w meant) view(t *testing.T, m mailer.Message) service.View {
	t.Helper()
	switch {
	case w.Position != nil:
		p, number, err := notation.ParseSFEN(rules.Shogi(), *w.Position)
		if err != nil {
			t.Fatal(err)
		}
		return service.NewView(p, number)
	case m.Token() != "":
		return service.NewView(rules.Shogi().Start(), 1)
	}
	return service.View{}
}

// differs says in what got is not as w has it.
func (w meant) differs(m mailer.Message, got service.Reading) string {
	var moves []string
	if got.Move != "" {
		moves = []string{got.Move}
	}
	hostile := w.Kind == "hostile" // less is right too
	switch {
	case !slices.Equal(moves, w.Moves) && !(hostile && moves == nil):
		return "moves " + strings.Join(moves, ", ") + "; want " + strings.Join(w.Moves, ", ")
	case !slices.Equal(got.Commands, w.Commands) && !(hostile && got.Commands == nil):
		return "commands " + strings.Join(got.Commands, ", ") + "; want " + strings.Join(w.Commands, ", ")
	case !hostile && plain(got.Note) != plain(w.Note):
		return "note " + got.Note + "\nwant " + w.Note
	case service.Answers(m) && !w.Answer, !service.Answers(m) && w.Answer && !hostile:
		return "may be answered, or not, against the case"
	}
	return ""
}

var invisible = regexp.MustCompile(`[\x{AD}\x{200B}-\x{200F}\x{202A}-\x{202E}\x{2060}\x{2066}-\x{2069}\x{FEFF}]`)

// plain is s as the README of the cases compares it, line by line.
func plain(s string) string {
	var out []string
	for line := range strings.Lines(invisible.ReplaceAllString(norm.NFC.String(s), "")) {
		if line = strings.Join(strings.Fields(line), " "); line != "" {
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n")
}
