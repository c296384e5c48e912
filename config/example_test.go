package config_test

import (
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"

	"pbem/config"
)

var update = flag.Bool("update", false, "rewrite config.example.toml from config/example.toml")

const published = "../config.example.toml"

func TestExampleIsPublished(t *testing.T) {
	if *update {
		if err := os.WriteFile(published, []byte(config.Example()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(published)
	if err != nil {
		t.Fatal(err)
	}
	if string(text) != config.Example() {
		t.Errorf("%s differs from config/example.toml; run go test ./config -update", published)
	}
}

func TestExampleLoads(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(published)
	if err != nil {
		t.Fatal(err)
	}
	path := write(t, string(text), "mail-password", password+"\n")
	c, err := config.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Warnings) > 0 {
		t.Errorf("warnings: %q", c.Warnings)
	}
}

// shown is a key as the example shows it.
type shown struct {
	on      bool   // not behind a #
	comment string // the lines above
}

// readExample returns the keys of the example, and its text with all of them switched on.
func readExample() (map[string]shown, string) {
	line := regexp.MustCompile(`^(#?)([a-z_]+) = `)
	keys := map[string]shown{}
	section, comment, all := "", "", ""
	for l := range strings.Lines(config.Example()) {
		if m := line.FindStringSubmatch(l); m != nil {
			keys[section+m[2]] = shown{on: m[1] == "", comment: comment}
			l, comment = strings.TrimPrefix(l, "#"), ""
		} else if strings.HasPrefix(l, "#") {
			comment += l
		} else {
			comment = ""
			section = strings.Trim(l, "[]\n") + "."
		}
		all += l
	}
	return keys, all
}

// Every key of the struct is in the example with a line of why, and the values of lines that
// are on are the defaults.
func TestExampleShowsDefaults(t *testing.T) {
	t.Parallel()
	keys, text := readExample()
	if _, err := toml.Decode(text, &map[string]any{}); err != nil {
		t.Errorf("with every line on: %v", err)
	}
	path := write(t, config.Example(), "mail-password", password+"\n")
	c, err := config.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	c.Service.Database, c.Service.SecretFile = filepath.Base(c.Service.Database), filepath.Base(c.Service.SecretFile)
	got, want := reflect.ValueOf(c), reflect.ValueOf(config.Default())
	for i := range got.NumField() {
		section := got.Type().Field(i).Tag.Get("toml")
		if section == "" {
			continue
		}
		for j := range got.Field(i).NumField() {
			key := section + "." + got.Field(i).Type().Field(j).Tag.Get("toml")
			s, ok := keys[key]
			delete(keys, key)
			given, inCode := got.Field(i).Field(j), want.Field(i).Field(j)
			switch {
			case !ok:
				t.Errorf("%s is not in the example", key)
			case s.comment == "":
				t.Errorf("%s: no line of why", key)
			case strings.HasSuffix(key, ".password"), strings.Contains(s.comment, "No default"):
			case s.on && given.Kind() == reflect.Slice && given.Len() == inCode.Len():
			case !reflect.DeepEqual(given.Interface(), inCode.Interface()):
				t.Errorf("%s: the example says %v, the default is %v", key, given, inCode)
			case !s.on && !inCode.IsZero():
				t.Errorf("%s has a default, %v, but is switched off", key, inCode)
			}
		}
	}
	for key := range keys {
		t.Errorf("%s is in the example only", key)
	}
}

func TestFill(t *testing.T) {
	t.Parallel()
	text, err := config.Fill(map[string]any{
		"service.address": `"quoted \ "@example.org`, "service.plus_addressing": false,
		"imap.addr": nil, "lmtp.listen": "127.0.0.1:24", "smtp.security": "none",
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		`address = "\"quoted \\ \"@example.org"`, "plus_addressing = false",
		`#addr = "imap.example.org:993"`, `addr = "smtp.example.org:465"`, `listen = "127.0.0.1:24"`,
	} {
		if !strings.Contains(text, "\n"+line+"\n") {
			t.Errorf("no line %s in\n%s", line, text)
		}
	}
	if n := strings.Count(text, `security = "none"`+"\n"); n != 1 {
		t.Errorf("security = none %d times", n)
	}
	if _, err := config.Fill(map[string]any{"imap.adress": "x"}); err == nil {
		t.Error("Fill took an unknown key")
	}
}
