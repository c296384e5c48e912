package main

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-smtp"

	"pbem/internal/localmail"
)

const testAddress, testPassword = "shogi@example.org", "sesame"

// outcome is what a command has left behind.
type outcome struct {
	code           int
	stdout, stderr string
}

// pbem runs a command in this process.
func pbem(ctx context.Context, stdin string, args ...string) outcome {
	var stdout, stderr syncBuffer
	code := run(ctx, args, strings.NewReader(stdin), &stdout, &stderr)
	return outcome{code, stdout.String(), stderr.String()}
}

// syncBuffer is a buffer that several goroutines may use.
type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// within is a context for tests that wait for mail.
func within(t *testing.T) context.Context {
	ctx, stop := context.WithTimeout(t.Context(), 30*time.Second)
	t.Cleanup(stop)
	return ctx
}

// startMail starts mail servers with a mailbox for the service and one for hana.
func startMail(t *testing.T, o localmail.Options) *localmail.Server {
	t.Helper()
	s, err := localmail.Start(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	s.AddUser(testAddress, testPassword)
	s.AddUser("hana@example.org", testPassword)
	return s
}

// writeSettings writes settings for the servers into a folder of their own and returns their
// path; extra lines are put below the section they
// name, in place of the one with the same key, such as "imap: mailbox = \"Mail\"".
func writeSettings(t *testing.T, imapAddr, smtpAddr, security string, extra ...string) string {
	t.Helper()
	dir := t.TempDir()
	sections := map[string][]string{
		"service": {fmt.Sprintf("address = %q", testAddress)},
		"smtp": {fmt.Sprintf("addr = %q", smtpAddr), fmt.Sprintf("user = %q", testAddress),
			`password_file = "mail-password"`, fmt.Sprintf("security = %q", security)},
	}
	if imapAddr != "" {
		sections["imap"] = []string{fmt.Sprintf("addr = %q", imapAddr), fmt.Sprintf("user = %q", testAddress),
			`password_file = "mail-password"`, fmt.Sprintf("security = %q", security)}
	}
	for _, line := range extra {
		section, rest, _ := strings.Cut(line, ": ")
		key, _, _ := strings.Cut(rest, " ")
		sections[section] = append(slices.DeleteFunc(sections[section], func(l string) bool {
			return strings.HasPrefix(l, key+" ")
		}), rest)
	}
	var text strings.Builder
	for name, lines := range sections {
		fmt.Fprintf(&text, "[%s]\n%s\n", name, strings.Join(lines, "\n"))
	}
	write(t, filepath.Join(dir, "mail-password"), testPassword+"\n")
	path := filepath.Join(dir, "config.toml")
	write(t, path, text.String())
	return path
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// deliverLMTP hands a mail over as a mail server does.
func deliverLMTP(socket, from string, to []string, raw []byte) error {
	conn, err := net.Dial("unix", socket)
	if err != nil {
		return err
	}
	c := smtp.NewClientLMTP(conn)
	defer c.Close()
	return c.SendMail(from, to, bytes.NewReader(raw))
}
