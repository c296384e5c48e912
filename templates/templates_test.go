package templates

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// kinds are the structs of parts.go, by name.
func kinds(t *testing.T) []string {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), "parts.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, d := range f.Decls {
		gen, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, s := range gen.Specs {
			if ts, ok := s.(*ast.TypeSpec); ok {
				names = append(names, ts.Name.Name)
			}
		}
	}
	return names
}

// inside are structs that are fields of others and no text of their own.
var inside = []string{"HelpTopic", "SettingRow"}

// TestEveryKindHasText: each kind of thing to say has its file, and each file
// its kind.
func TestEveryKindHasText(t *testing.T) {
	want := kinds(t)
	var got []string
	err := fs.WalkDir(files, "en", func(path string, d fs.DirEntry, err error) error {
		if name, ok := strings.CutSuffix(d.Name(), ".txt"); ok {
			got = append(got, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range want {
		if !slices.Contains(got, name) && !slices.Contains(inside, name) {
			t.Errorf("no text for %s", name)
		}
	}
	for _, name := range got {
		if !slices.Contains(want, name) {
			t.Errorf("text %s.txt belongs to no kind", name)
		}
	}
}

// samples are one value of every kind, with every field filled.
func samples() []any {
	return []any{
		Board{}, Played{}, YourMove{}, Ended{}, Said{}, Passed{}, Refused{}, Which{}, TwoMoves{}, Waiting{}, Stale{},
		Repeat{}, Over{}, Legal{}, Shown{}, GameList{}, WhichGame{}, NoGame{}, UnknownGame{}, Welcome{}, Already{},
		BadName{}, Confirm{}, ConfirmAgain{}, Unconfirmed{}, NothingHeld{}, Stranger{}, Challenged{}, ChallengeSent{},
		NoPlayer{}, Self{}, BadTerms{}, WhichHandicap{}, WhoGives{}, TooManyGames{}, Started{}, Declined{}, DeclinedByYou{},
		NoChallenge{}, WhichChallenge{}, ChallengeExpired{}, Help{}, HelpWord{}, HelpAll{}, NotUnderstood{}, TooLarge{}, Reminder{},
		BadClock{}, FlagFell{}, FlagFellOpponent{}, NoFlag{}, Patient{}, PatientOpponent{}, Gave{}, Given{}, BadSpan{},
		ExplainClock{}, ExplainStrict{}, Offered{}, OfferSent{}, OfferAccepted{}, OfferDeclined{}, OfferExpired{}, CannotOffer{}, Resumed{},
		ClaimFails{}, Preview{}, BadLeave{}, LittleLeave{}, LeaveTaken{}, LeaveState{}, OpponentAway{}, OpponentBack{},
		OpponentLost{}, OverLimit{}, Operator{}, OpponentFound{}, NotReached{}, Found{}, Probe{},
		LeaveUsed{}, LeaveUsedOpponent{}, SettingsList{}, SettingSaved{}, BadSetting{}, Digest{},
		Sequence{}, PlanState{}, PlanRefused{}, PlanDropped{}, PlanCancelled{}, HeldBack{}, Strict{}, Watching{}, Unwatched{},
		CannotWatch{}, WatchWhich{}, Watched{}, Rating{}, History{}, Record{}, BadRecord{},
	}
}

// fill returns part with every field set to text (numbers to 7, flags to on).
func fill(part any, text string, on bool) any {
	v := reflect.New(reflect.TypeOf(part)).Elem()
	for i := range v.NumField() {
		switch f := v.Field(i); f.Kind() {
		case reflect.String:
			f.SetString(text)
		case reflect.Int:
			f.SetInt(7)
		case reflect.Bool:
			f.SetBool(on)
		case reflect.Slice:
			item := reflect.New(f.Type().Elem()).Elem()
			if item.Kind() == reflect.Struct {
				item.Set(reflect.ValueOf(fill(item.Interface(), text, on)))
			} else {
				item.SetString(text)
			}
			f.Set(reflect.Append(f, item))
		}
	}
	return v.Interface()
}

// TestRender: every kind, bare and filled, says something in 72 columns, and
// each one but the board can open a mail.
func TestRender(t *testing.T) {
	names := kinds(t)
	for _, part := range samples() {
		name := reflect.TypeOf(part).Name()
		names = slices.DeleteFunc(names, func(n string) bool { return n == name })
		for what, value := range map[string]any{
			"bare": part, "filled": fill(part, "wort", true), "unset flags": fill(part, "wort", false),
		} {
			subject, text, err := Render(value)
			if err != nil {
				t.Errorf("%s, %s: %v", name, what, err)
				continue
			}
			if subject == "" && name != "Board" || text == "" {
				t.Errorf("%s, %s: subject %q, text %q", name, what, subject, text)
			}
			if strings.Contains(text, "\n\n\n") || strings.Contains(text, "<no value>") || strings.Contains(text, "{{") {
				t.Errorf("%s, %s: untidy text\n%s", name, what, text)
			}
			for line := range strings.SplitSeq(text, "\n") {
				if n := utf8.RuneCountInString(line); n > Width && !strings.HasPrefix(line, " ") {
					t.Errorf("%s, %s: a line of %d columns: %s", name, what, n, line)
				}
			}
		}
	}
	for _, n := range names {
		if !slices.Contains(inside, n) {
			t.Errorf("%s is not among the samples", n)
		}
	}
}

func TestWrap(t *testing.T) {
	long := strings.TrimSpace(strings.Repeat("wort ", 40))
	for _, tt := range []struct{ name, in, want string }{
		{"short", "one line", "one line"},
		{"indented lines keep their columns", "  " + long, "  " + long},
		{"trailing blanks go", "one  \ntwo ", "one\ntwo"},
		{"a word longer than a line stays whole", strings.Repeat("x", 100), strings.Repeat("x", 100)},
		{"no text", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := wrap(tt.in); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
	folded := wrap(long)
	if strings.Join(strings.Fields(folded), " ") != long {
		t.Errorf("words lost: %s", folded)
	}
	for line := range strings.SplitSeq(folded, "\n") {
		if len(line) > Width {
			t.Errorf("%d columns: %s", len(line), line)
		}
	}
}

// TestHTML: what a player wrote is text, never markup; boards keep columns.
func TestHTML(t *testing.T) {
	got := HTML("Hello <b>you</b> & me\nsecond\n\n  9 8 7\n  l n s\n")
	for _, want := range []string{
		"<p>Hello &lt;b&gt;you&lt;/b&gt; &amp; me<br>\nsecond</p>",
		"<pre style=\"font-family:monospace\">  9 8 7\n  l n s\n</pre>",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("got\n%s\nwant %s in it", got, want)
		}
	}
}
