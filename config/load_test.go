package config_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pbem/config"
)

// write puts a settings file, and others beside it, into a new folder and returns its path.
func write(t *testing.T, text string, others ...string) string {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "config.toml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(others); i += 2 {
		if err := os.WriteFile(filepath.Join(dir, others[i]), []byte(others[i+1]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

// Parts of settings without fault.
const (
	service = "[service]\naddress = \"shogi@example.org\"\n"
	imap    = "[imap]\naddr = \"imap.example.org:993\"\nuser = \"shogi\"\n"
	smtp    = "[smtp]\naddr = \"127.0.0.1:25\"\nsecurity = \"none\"\n"
	lmtp    = "[lmtp]\nlisten = \"127.0.0.1:24\"\n"
)

func TestLoad(t *testing.T) {
	t.Parallel()
	path := write(t, service+imap+"password_file = \"pw\"\npoll = \"30s\"\n"+
		smtp+"[limits]\nmax_message = 65536\n[auth]\nauthserv_id = [\"mx.example.org\"]\n", "pw", "hunter2\n")
	c, err := config.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Dir(path)
	for _, tt := range []struct {
		name      string
		got, want any
	}{
		{"password", c.IMAP.Password.Reveal(), "hunter2"},
		{"poll", c.IMAP.Poll.String(), "30s"},
		{"default", c.IMAP.Mailbox, "INBOX"},
		{"bytes", c.Limits.MaxMessage, config.Size(65536)},
		{"list", strings.Join(c.Auth.AuthservID, ","), "mx.example.org"},
		{"database beside the settings", c.Service.Database, filepath.Join(dir, "pbem.db")},
		{"imap", c.IMAP.Enabled(), true},
		{"lmtp", c.LMTP.Enabled(), false},
		{"warnings", len(c.Warnings), 0},
	} {
		if tt.got != tt.want {
			t.Errorf("%s = %v, want %v", tt.name, tt.got, tt.want)
		}
	}
	if _, err := config.Load(filepath.Join(dir, "none.toml")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Load of no file: %v, want fs.ErrNotExist", err)
	}
}

func TestLoadOffline(t *testing.T) {
	t.Parallel()
	if _, err := config.LoadOffline(write(t, service)); err != nil {
		t.Errorf("LoadOffline without servers: %v", err)
	}
	c, err := config.LoadOffline(write(t, service+imap+"password_file = \"nowhere\"\n"))
	if err != nil || !c.IMAP.Password.IsZero() {
		t.Errorf("LoadOffline with a missing password file: password %v, error %v", c.IMAP.Password, err)
	}
	if _, err := config.LoadOffline(write(t, "[service]\naddress = \"x\"\n")); err == nil {
		t.Error("LoadOffline took a bad address")
	}
}

func TestLoadMistakes(t *testing.T) {
	t.Parallel()
	const unix = "unix:/run/pbem/lmtp.sock"
	tests := []struct{ name, text, want string }{
		{"misspelt key", service + "[imap]\nadress = \"imap.example.org:993\"\nuser = \"shogi\"\n" + smtp,
			`line 4: unknown key imap.adress; did you mean imap.addr?`},
		{"key of another section", service + "poll = \"1m\"\n" + lmtp + smtp,
			`line 3: unknown key service.poll; did you mean imap.poll?`},
		{"key like none", service + lmtp + "foo = 1\n" + smtp,
			`line 5: unknown key lmtp.foo; [lmtp] has listen`},
		{"key in capitals", service + lmtp + smtp + "Hello = \"x\"\n",
			`line 8: unknown key smtp.Hello; did you mean smtp.hello?`},
		{"key outside of a section", "address = \"shogi@example.org\"\n" + lmtp + smtp,
			`line 1: unknown key address outside of a section; did you mean service.address?`},
		{"foreign key outside of a section", "foo = 1\n" + service + lmtp + smtp,
			`line 1: unknown key foo; keys stand below the [section] they belong to`},
		{"misspelt section", service + lmtp + smtp + "[limit]\ngames = 3\n",
			`line 8: unknown section [limit]; did you mean [limits]?`},
		{"section like none", service + lmtp + smtp + "[x]\n",
			`line 8: unknown section [x]; there are [service], [imap], [smtp], [lmtp], [auth], [limits], [play], [outbox]`},
		{"section twice", service + lmtp + smtp + "[smtp]\n",
			`line 8: Key 'smtp' has already been defined.`},
		{"list of sections", service + "[[lmtp]]\nlisten = \"127.0.0.1:24\"\n" + smtp,
			`line 3: [[lmtp]] is a list; write [lmtp]`},
		{"section as a key", "auth = true\n" + service + lmtp + smtp,
			`line 1: auth is a section; write [auth] and its keys below`},
		{"no TOML", service + "name = Shogi\n",
			`line 3: expected value but found "Shogi" instead`},
		{"empty", "", `service.address: missing; write the address that players send their moves to, like "shogi@example.org"
imap.addr: missing, and no lmtp.listen either: no mail can come in; write your server, like "imap.example.org:993"
smtp.addr: missing: no mail can go out; write your server, like "smtp.example.org:465"`},

		{"text for a truth", service + "plus_addressing = \"yes\"\n" + lmtp + smtp,
			`line 3: service.plus_addressing: this is text; write true or false, like plus_addressing = true`},
		{"number for text", service + "name = 5\n" + lmtp + smtp,
			`line 3: service.name: this is a number; write text in quotes, like name = "Shogi by mail"`},
		{"number for a duration", service + lmtp + smtp + "[imap]\npoll = 60\n",
			`line 9: imap.poll: this is a number; write a duration in quotes, like poll = "1m"`},
		{"text for a number", service + lmtp + smtp + "[limits]\ngames = \"16\"\n",
			`line 9: limits.games: this is text; write a whole number, like games = 16`},
		{"text for a list", service + lmtp + smtp + "[auth]\nauthserv_id = \"mx\"\n",
			`line 9: auth.authserv_id: this is text; write a list of texts in quotes, like authserv_id = []`},
		{"numbers in a list", service + lmtp + smtp + "[auth]\nauthserv_id = [1]\n",
			`line 9: auth.authserv_id: this is a list; write a list of texts in quotes, like authserv_id = []`},
		{"fraction", service + lmtp + smtp + "[limits]\ngames = 1.5\nmax_message = 1.5\n",
			`line 9: limits.games: this is a fraction; write a whole number, like games = 16
line 10: limits.max_message: this is a fraction; write a size in quotes, like max_message = "1MiB"`},
		{"days", service + lmtp + smtp + "[play]\nchallenge_expires = \"14 days\"\nremind_after = \"soon\"\n",
			`line 9: play.challenge_expires: "14 days" is no duration; count in hours and write "336h"
line 10: play.remind_after: "soon" is no duration; write hours, minutes or seconds, like "72h"`},
		{"time control", service + lmtp + smtp + "[play]\nclock = \"3 moons\"\n",
			`line 9: play.clock: time control "3 moons": it reads like 10d+36h/10d, 3d, 10/30, 30d+5x3d or none`},
		{"size", service + lmtp + smtp + "[limits]\nmax_message = \"big\"\n",
			`line 9: limits.max_message: "big" is no size; write a number and KiB or MiB, like "1MiB"`},
		{"size out of bounds", service + lmtp + smtp + "[limits]\nmax_message = \"1GiB\"\n",
			`line 9: limits.max_message: 1GiB is out of bounds; write 16KiB to 64MiB`},
		{"choices", service + "log_level = \"loud\"\n" + lmtp + "[smtp]\naddr = \"127.0.0.1:25\"\nsecurity = \"ssl\"\n[auth]\npolicy = \"lax\"\n",
			`line 3: service.log_level: "loud" is not known; write "debug" or "info" or "warn" or "error"
line 8: smtp.security: "ssl" is not known; write "tls" or "starttls" or "none"
line 10: auth.policy: "lax" is not known; write "safe"`},

		{"address", "[service]\naddress = \"Shogi <shogi@example.org>\"\noperator = \"me\"\n" + lmtp + smtp,
			`line 2: service.address: "Shogi <shogi@example.org>" is no address; write it bare, like "shogi@example.org"
line 3: service.operator: "me" is no address; write it bare, like "you@example.org"`},
		{"plus in the address", "[service]\naddress = \"me+shogi@example.org\"\n" + lmtp + smtp,
			`line 2: service.address: there is a + in it already; write an address without, or plus_addressing = false`},
		{"long address", "[service]\naddress = \"" + strings.Repeat("a", 40) + "@example.org\"\n" + lmtp + smtp,
			`line 2: service.address: too long for a token behind it; use 31 letters before the @, or plus_addressing = false`},
		{"operator is the service", service + "operator = \"Shogi@example.org\"\n" + lmtp + smtp,
			`line 3: service.operator: this is the service's own address; write yours`},
		{"name of two lines", service + "name = \"a\\nb\"\nsecret_file = \"\"\ndatabase = \"\"\n" + lmtp + smtp,
			`line 3: service.name: it has line breaks or control characters; write it in one line
line 4: service.secret_file: missing; write a path, like "pbem.secret"
line 5: service.database: missing; write a path, like "pbem.db"`},
		{"no port", service + "[lmtp]\nlisten = \"24\"\n[smtp]\naddr = \"smtp.example.org\"\n",
			`line 4: lmtp.listen: "24" is no place to listen; write "127.0.0.1:24" or "unix:/run/pbem/lmtp.sock"
line 6: smtp.addr: "smtp.example.org" is no server; write host:port, like "smtp.example.org:465"`},
		{"port out of range", service + lmtp + "[smtp]\naddr = \"smtp.example.org:70000\"\n",
			`line 6: smtp.addr: "smtp.example.org:70000" is no server; write host:port, like "smtp.example.org:465"`},
		{"relative socket", service + "[lmtp]\nlisten = \"unix:pbem.sock\"\n" + smtp,
			`line 4: lmtp.listen: "unix:pbem.sock" is no full path; write one, like "` + unix + `"`},
		{"in the clear", service + lmtp + "[smtp]\naddr = \"smtp.example.org:25\"\nsecurity = \"none\"\n",
			`line 7: smtp.security: "none" sends the password in the clear to smtp.example.org:25; write "tls" or "starttls", or allow_insecure = true if the way there is safe`},
		{"greeting", service + lmtp + smtp + "hello = \"two words\"\n",
			`line 8: smtp.hello: "two words" is no host name; write one, like "pbem.example.org"`},
		{"mailbox", service + lmtp + imap + "password_env = \"PATH\"\nmailbox = \"A\"\nmove_to = \"A\"\nidle = \"1h\"\n" + smtp,
			`line 10: imap.move_to: this is the mailbox that is read; write another, or leave the line out
line 11: imap.idle: 1h is too long; write "29m" or less, since servers hang up after 30 minutes`},
		{"nothing and less", service + lmtp + smtp + "[limits]\ngames = 0\n[play]\nremind_after = \"-1h\"\n",
			`line 9: limits.games: 0 is too small; write 1 or more, like games = 16
line 11: play.remind_after: must be longer than nothing, like remind_after = "72h"`},
		{"waits", service + lmtp + smtp + "[outbox]\nretry_first = \"5h\"\ngive_up_after = \"3h\"\n",
			`line 8: outbox.retry_max: 4h is longer than give_up_after, 3h; write less
line 9: outbox.retry_first: 5h is longer than retry_max, 4h; write less`},
		{"authserv_id", service + lmtp + smtp + "[auth]\nauthserv_id = [\"\"]\n",
			`line 9: auth.authserv_id: "" is no name of a server; copy the word that follows Authentication-Results: in your mail, or write []`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			path := write(t, tt.text)
			_, err := config.Load(path)
			if got := said(err, path); got != tt.want {
				t.Errorf("Load of\n%s\ngot  %s\nwant %s", tt.text, got, tt.want)
			}
		})
	}
}

// said returns the error's lines without the name of the file.
func said(err error, path string) string {
	if err == nil {
		return ""
	}
	text := strings.ReplaceAll("\n"+err.Error(), "\n"+path+": ", "\n")[1:]
	return strings.ReplaceAll(text, filepath.Dir(path)+string(filepath.Separator), "")
}

// One run of Load names mistakes of each kind together, by line.
func TestLoadAllAtOnce(t *testing.T) {
	t.Parallel()
	path := write(t, "[service]\nadress = \"a\"\nplus_addressing = 1\n[imap]\naddr = \"x\"\npoll = \"1d\"\n[smtp]\nuser = \"u\"\n")
	_, err := config.Load(path)
	var problems *config.Problems
	if !errors.As(err, &problems) {
		t.Fatalf("Load: %v, want *config.Problems", err)
	}
	want := "2 3 4 4 5 6 7"
	var lines []string
	for _, p := range problems.List {
		lines = append(lines, string(rune('0'+p.Line)))
	}
	if got := strings.Join(lines, " "); got != want {
		t.Errorf("lines %s, want %s:\n%v", got, want, err)
	}
}
