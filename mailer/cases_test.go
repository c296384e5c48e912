package mailer_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pbem/mailer"

	"golang.org/x/text/unicode/norm"
)

// mailCase is what a careful human reads in a message of testdata/mail, as far
// as this package reads it. Its README tells the fields.
type mailCase struct {
	Kind, From, Subject, Token string
	Lines                      []string
	Bounced                    *struct{ Address, Action, Status string }
	Also                       []json.RawMessage
}

// TestCases reads every message of testdata/mail and compares the values.
func TestCases(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/mail/*.json")
	if err != nil || len(files) < 97 {
		t.Fatalf("%d cases, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".json"), func(t *testing.T) {
			t.Parallel()
			want := loadCases(t, file)
			m := parseFile(t, strings.TrimSuffix(file, ".json")+".eml")
			var first []string
			for _, w := range want {
				wrong := w.differs(m)
				if wrong == nil {
					return
				}
				if first == nil {
					first = wrong
				}
			}
			t.Error(strings.Join(first, "\n"))
		})
	}
}

// loadCases returns the readings of a case that are right: the main one, then
// the others.
func loadCases(t *testing.T, file string) []mailCase {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var main mailCase
	if err := json.Unmarshal(data, &main); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	all := []mailCase{main}
	for _, also := range main.Also {
		other := main
		other.Lines = slices.Clone(main.Lines) // json writes into the array that is there
		if err := json.Unmarshal(also, &other); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		all = append(all, other)
	}
	return all
}

func parseFile(t testing.TB, file string) mailer.Message {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	m, err := mailer.Parse(raw, mailer.ParseOptions{Own: []string{"shogi@shogi.example.org"}})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// differs says in what m is not as c has it.
func (c mailCase) differs(m mailer.Message) (wrong []string) {
	check := func(what, got, want string) {
		if got != want {
			wrong = append(wrong, what+":\n got  "+got+"\n want "+want)
		}
	}
	kinds := map[mailer.Kind]string{mailer.AutoReply: "autoreply", mailer.Own: "autoreply", mailer.Bounce: "bounce", mailer.List: "list"}
	personal := c.Kind == "reply" || c.Kind == "new"
	if c.Kind != "hostile" {
		want := c.Kind
		if personal {
			want = ""
		}
		check("kind", kinds[m.Kind], want)
	}
	check("from", m.From.Addr, c.From)
	check("subject", plain(m.Subject), plain(c.Subject))
	check("token", m.Token(), c.Token)
	if personal && c.Lines != nil {
		check("lines", plainLines(m.Lines), plainLines(c.Lines))
	}
	if c.Bounced != nil {
		check("bounced", m.Bounce.Failed+" "+m.Bounce.Action+" "+m.Bounce.Status, c.Bounced.Address+" "+c.Bounced.Action+" "+c.Bounced.Status)
	}
	return wrong
}

var invisible = regexp.MustCompile(`[\x{AD}\x{200B}-\x{200F}\x{202A}-\x{202E}\x{2060}\x{2066}-\x{2069}\x{FEFF}]`)

// plain is s as the README of the cases compares it.
func plain(s string) string {
	return strings.Join(strings.Fields(invisible.ReplaceAllString(norm.NFC.String(s), "")), " ")
}

func plainLines(lines []string) string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = plain(l)
	}
	return strings.Join(slices.DeleteFunc(out, func(s string) bool { return s == "" }), "\n      ")
}
