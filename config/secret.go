package config

import (
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"runtime"
	"strings"
)

// Secret is a password. It prints, logs and marshals as [secret]; only Reveal tells it.
// The zero value is no password.
type Secret struct{ text string }

// NewSecret returns text as a secret.
func NewSecret(text string) Secret { return Secret{text} }

// Reveal returns the password itself.
func (s Secret) Reveal() string { return s.text }

// IsZero reports whether there is no password.
func (s Secret) IsZero() bool { return s.text == "" }

// String returns a stand-in for the password, or nothing if there is none.
func (s Secret) String() string {
	if s.IsZero() {
		return ""
	}
	return "[secret]"
}

// Format prints the stand-in under every verb.
func (s Secret) Format(f fmt.State, _ rune) { io.WriteString(f, s.String()) }

// LogValue is what [slog] writes.
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.String()) }

// MarshalText is what encoders write.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// public reports whether everyone on the machine may read or change a file of this mode. The
// group is the operator's affair: root:pbem 0640 is common.
func public(mode fs.FileMode) bool {
	return runtime.GOOS != "windows" && mode.Perm()&0o007 != 0
}

// readPassword returns the one line of a password file, and whether everyone may read it.
func readPassword(path string) (password string, everyone bool, err error) {
	f, err := os.Open(path)
	if err != nil {
		return "", false, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", false, err
	}
	if info.IsDir() {
		return "", false, fmt.Errorf("%s is a folder", path)
	}
	text, err := io.ReadAll(io.LimitReader(f, 64<<10))
	if err != nil {
		return "", false, err
	}
	password = strings.TrimRight(string(text), "\r\n")
	switch {
	case password == "":
		return "", false, fmt.Errorf("%s is empty", path)
	case strings.ContainsAny(password, "\r\n"):
		return "", false, fmt.Errorf("%s has more than one line", path)
	}
	return password, public(info.Mode()), nil
}
