package config_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"pbem/config"
)

const password = "hunter2"

func TestPasswordMistakes(t *testing.T) {
	t.Setenv("PBEM_TEST_EMPTY", "")
	t.Setenv("PBEM_TEST_PASSWORD", password)
	tests := []struct {
		name, text string
		mode       fs.FileMode
		want       string
	}{
		{"none", "", 0o600,
			`line 3: imap.password_file: missing; put the password in a file that only you can read and write its path here, or name an environment variable in password_env`},
		{"no file", "password_file = \"nowhere\"", 0o600,
			`line 6: imap.password_file: there is no file nowhere; put the password in it, alone on one line, and run chmod 600 nowhere`},
		{"empty file", "password_file = \"empty\"", 0o600,
			`line 6: imap.password_file: empty is empty; put the password in it, alone on one line`},
		{"two lines", "password_file = \"long\"", 0o600,
			`line 6: imap.password_file: long has more than one line; put the password in it, alone on one line`},
		{"folder", "password_file = \".\"", 0o600,
			`line 6: imap.password_file: . is a folder; put the password in it, alone on one line`},
		{"no variable", "password_env = \"PBEM_TEST_EMPTY\"", 0o600,
			`line 6: imap.password_env: the environment has no such variable, or it is empty; set it, or write the password in a file and its path in password_file`},
		{"password for a variable", "password_env = \"hunter2\"", 0o600,
			`line 6: imap.password_env: the environment has no such variable, or it is empty; set it, or write the password in a file and its path in password_file`},
		{"two places", "password_file = \"pw\"\npassword_env = \"PBEM_TEST_PASSWORD\"", 0o600,
			`line 6: imap.password_file: there is imap.password_env too; keep one of them`},
		{"in an open file", "password = \"hunter2\"", 0o644,
			`line 6: imap.password: everyone on this machine can read it here; run chmod 600 config.toml, or write it in a file of its own and the path in password_file`},
		{"as a number", "password = 22222", 0o600,
			`line 6: imap.password: this is a number; write text in quotes, like password = "correct horse battery staple"`},
		{"without quotes", "password = hunter2", 0o600,
			`line 6: the password is not written as TOML; put it in "quotes", or in a file named by password_file`},
		{"under a misspelt key", "pasword = \"hunter2\"\npassword_file=\"pw\"", 0o600,
			`line 6: unknown key imap.pasword; did you mean imap.password?`},
		{"in a file", "password_file = \"pw\"", 0o600, ""},
		{"in the environment", "password_env = \"PBEM_TEST_PASSWORD\"", 0o644, ""},
		{"in the settings", "password = \"hunter2\"", 0o640, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if runtime.GOOS == "windows" && tt.mode != 0o600 {
				t.Skip("no file modes here")
			}
			path := write(t, service+imap+tt.text+"\n"+smtp, "pw", password+"\r\n", "empty", "\n", "long", "a\nb\n")
			if err := os.Chmod(path, tt.mode); err != nil {
				t.Fatal(err)
			}
			c, err := config.Load(path)
			got := strings.ReplaceAll(said(err, path), filepath.Dir(path), ".")
			if got != tt.want {
				t.Errorf("with %s\ngot  %s\nwant %s", tt.text, got, tt.want)
			}
			if tt.want == "" && c.IMAP.Password.Reveal() != password {
				t.Errorf("with %s: password %q, want %q", tt.text, c.IMAP.Password.Reveal(), password)
			}
			if strings.Contains(got, "hunter") {
				t.Errorf("the password is told: %s", got)
			}
		})
	}
}

func TestPasswordWithoutUser(t *testing.T) {
	t.Parallel()
	path := write(t, service+lmtp+smtp+"password_file = \"pw\"\n", "pw", password)
	_, err := config.Load(path)
	want := `line 5: smtp.user: missing, but there is a password; write the name you log in with, or drop the password`
	if got := said(err, path); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestWarnings(t *testing.T) {
	t.Parallel()
	path := write(t, service+imap+"password_file = \"pw\"\n[lmtp]\nlisten = \":24\"\n[smtp]\naddr = \"mail.lan:25\"\n"+
		"security = \"none\"\nallow_insecure = true\nuser = \"u\"\npassword = \"hunter2\"\n", "pw", password)
	if err := os.Chmod(filepath.Join(filepath.Dir(path), "pw"), 0o644); err != nil {
		t.Fatal(err)
	}
	c, err := config.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	got := strings.ReplaceAll(strings.Join(c.Warnings, "\n"), filepath.Dir(path)+string(filepath.Separator), "")
	want := `line 6: imap.password_file: everyone on this machine can read pw; run chmod 600 pw
line 14: smtp.password: the password stands in the settings; password_file keeps it apart from what you may show
line 8: lmtp.listen: whoever can reach :24 can hand in mail; LMTP knows no password
line 11: smtp.security: what goes to mail.lan:25, the password too, can be read on the way`
	if got != want {
		t.Errorf("warnings\n%s\nwant\n%s", got, want)
	}
}

func TestSecretIsNeverPrinted(t *testing.T) {
	t.Parallel()
	c := config.Default()
	c.IMAP.Password = config.NewSecret(password)
	var b strings.Builder
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
		fmt.Fprintf(&b, verb, c)
		fmt.Fprintf(&b, verb, c.IMAP.Password)
		fmt.Fprintf(&b, verb, &c.IMAP)
	}
	slog.New(slog.NewTextHandler(&b, nil)).Info("x", "config", c, "password", c.IMAP.Password)
	slog.New(slog.NewJSONHandler(&b, nil)).Info("x", "config", c, "password", c.IMAP.Password)
	json.NewEncoder(&b).Encode(c)
	for _, form := range []string{password, fmt.Sprintf("%x", password), "104 117"} {
		if strings.Contains(b.String(), form) {
			t.Errorf("%s is in %s", form, b.String())
		}
	}
}

func TestOpenKey(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "pbem.secret")
	if _, err := config.ReadKey(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("ReadKey of no file: %v", err)
	}
	first, err := config.OpenKey(path)
	if err != nil || len(first) != 32 {
		t.Fatalf("OpenKey: %d bytes, %v", len(first), err)
	}
	again, err := config.OpenKey(path)
	if err != nil || string(again) != string(first) {
		t.Errorf("OpenKey again: another key, or %v", err)
	}
	if err := config.CreateKey(path); !errors.Is(err, fs.ErrExist) {
		t.Errorf("CreateKey over a key: %v", err)
	}
	if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode() != 0o600 {
		t.Errorf("key file: %v, %v", info.Mode(), err)
	}
	for _, bad := range []string{"", "abc\n", strings.Repeat("zz", 32), strings.Repeat("ab", 31)} {
		os.WriteFile(path, []byte(bad), 0o600)
		if _, err := config.OpenKey(path); err == nil || bad != "" && strings.Contains(err.Error(), bad) {
			t.Errorf("OpenKey of %q: %v", bad, err)
		}
	}
	if runtime.GOOS != "windows" {
		os.Chmod(path, 0o644)
		if _, err := config.OpenKey(path); err == nil || !strings.Contains(err.Error(), "chmod 600") {
			t.Errorf("OpenKey of an open file: %v", err)
		}
	}
}
