package main

import (
	"flag"
	"io"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pbem/internal/localmail"
	"pbem/store"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

// golden compares got with testdata/check/name.txt, after what differs from run to run is
// replaced.
func golden(t *testing.T, name, got string, replace ...string) {
	t.Helper()
	got = strings.NewReplacer(replace...).Replace(got)
	// Where lines are broken depends on the paths in them.
	got = regexp.MustCompile(`\n {10}`).ReplaceAllString(got, " ")
	got = regexp.MustCompile(` (- |Note: |To mend it: |It offers )`).ReplaceAllString(got, "\n          $1")
	got = regexp.MustCompile(`[0-9]+\.[0-9] s\b`).ReplaceAllString(got, "N s")
	got = regexp.MustCompile(`schema [0-9]+`).ReplaceAllString(got, "schema N")
	got = regexp.MustCompile(`check-[a-z0-9]{16}`).ReplaceAllString(got, "check-CODE")
	path := filepath.Join("testdata", "check", name+".txt")
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		write(t, path, got)
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("output differs from %s; got:\n%s", path, got)
	}
}

// closedPort returns an address at which nobody listens.
func closedPort(t *testing.T) string {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	return ln.Addr().String()
}

func TestCheck(t *testing.T) {
	t.Parallel()
	noPlus := func(from, to string) error {
		if strings.Contains(to, "+") {
			return localmail.Reply(550, "no such mailbox")
		}
		return nil
	}
	for name, tt := range map[string]struct {
		servers     localmail.Options
		security    string // default none
		extra       []string
		args        []string
		password    string // in the file; default the right one
		unreachable bool
		noIdle      bool
		code        int
	}{
		"well":            {},
		"basic":           {servers: localmail.Options{Caps: localmail.CapsBasic}, extra: []string{`imap: move_to = "Done"`}},
		"moves":           {extra: []string{`imap: move_to = "Done"`}},
		"no_idle":         {servers: localmail.Options{Caps: localmail.CapsUIDPlus}, noIdle: true},
		"wrong_password":  {password: "wrong", code: failed},
		"unreachable":     {unreachable: true, code: failed},
		"no_mailbox":      {extra: []string{`imap: mailbox = "Shogi"`}, code: failed},
		"certificate":     {servers: localmail.Options{TLS: localmail.TLSImplicit}, security: "tls", code: failed},
		"no_tls":          {security: "tls", code: failed},
		"no_starttls":     {security: "starttls", code: failed},
		"plus_refused":    {servers: localmail.Options{OnRcpt: noPlus}, code: failed},
		"plus_not_wanted": {servers: localmail.Options{OnRcpt: noPlus}, extra: []string{"service: plus_addressing = false"}},
		"sender_refused": {servers: localmail.Options{OnMail: func(string) error { return localmail.Reply(553, "not your address") }},
			code: failed},
		"not_delivered": {extra: []string{`imap: user = "hana@example.org"`}, args: []string{"--wait", "10ms"}, code: failed},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := startMail(t, tt.servers)
			imapAddr, smtpAddr := s.IMAPAddr(), s.SMTPAddr()
			if tt.unreachable {
				imapAddr, smtpAddr = closedPort(t), closedPort(t)
			}
			if tt.noIdle {
				imapAddr = withoutIdle(t, imapAddr)
			}
			if tt.security == "" {
				tt.security = "none"
			}
			path := writeSettings(t, imapAddr, smtpAddr, tt.security, tt.extra...)
			dir := filepath.Dir(path)
			if tt.password != "" {
				write(t, filepath.Join(dir, "mail-password"), tt.password+"\n")
			}
			got := pbem(within(t), "", append([]string{"check", "--config", path}, tt.args...)...)
			if got.code != tt.code || got.stderr != "" {
				t.Errorf("exit code %d, stderr %q; want %d and nothing\n%s", got.code, got.stderr, tt.code, got.stdout)
			}
			golden(t, name, got.stdout, dir+"/", "", imapAddr, "127.0.0.1:993", smtpAddr, "127.0.0.1:465")
		})
	}
}

// withoutIdle is a server that does not offer IDLE: a proxy that changes the word on its way.
func withoutIdle(t *testing.T, target string) string {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ln.Close() })
	go func() {
		for {
			client, err := ln.Accept()
			if err != nil {
				return
			}
			server, err := net.Dial("tcp", target)
			if err != nil {
				client.Close()
				return
			}
			go func() { io.Copy(server, client); server.Close() }()
			go func() {
				defer client.Close()
				b := make([]byte, 64<<10)
				for {
					n, err := server.Read(b)
					io.WriteString(client, strings.ReplaceAll(string(b[:n]), " IDLE", " XIDL"))
					if err != nil {
						return
					}
				}
			}()
		}
	}()
	return ln.Addr().String()
}

// While the service runs, its database cannot be opened, and it would take the test mails.
func TestCheckWhileServing(t *testing.T) {
	t.Parallel()
	s := startMail(t, localmail.Options{})
	path := writeSettings(t, s.IMAPAddr(), s.SMTPAddr(), "none")
	dir := filepath.Dir(path)
	st, err := store.Open(filepath.Join(dir, "pbem.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	got := pbem(within(t), "", "check", "--config", path)
	if got.code != failed || len(s.Delivered(testAddress)) > 0 {
		t.Errorf("exit code %d and %d mails sent; want 1 and none", got.code, len(s.Delivered(testAddress)))
	}
	golden(t, "locked", got.stdout, dir+"/", "", s.IMAPAddr(), "127.0.0.1:993", s.SMTPAddr(), "127.0.0.1:465")
}

// A sound database, and a secret that everyone may read.
func TestCheckFiles(t *testing.T) {
	t.Parallel()
	s := startMail(t, localmail.Options{})
	path := writeSettings(t, s.IMAPAddr(), s.SMTPAddr(), "none")
	dir := filepath.Dir(path)
	st, err := store.Open(filepath.Join(dir, "pbem.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := st.Close(); err != nil {
		t.Fatal(err)
	}
	secret := filepath.Join(dir, "pbem.secret")
	write(t, secret, strings.Repeat("0", 64)+"\n")
	if err := os.Chmod(secret, 0o644); err != nil {
		t.Fatal(err)
	}
	got := pbem(within(t), "", "check", "--config", path)
	if got.code != failed {
		t.Errorf("exit code %d, want 1", got.code)
	}
	golden(t, "open_secret", got.stdout, dir+"/", "", s.IMAPAddr(), "127.0.0.1:993", s.SMTPAddr(), "127.0.0.1:465")
	if left := len(s.Delivered(testAddress)); left != 2 {
		t.Errorf("%d test mails were sent, want 2", left)
	}
}

// Mail that comes by LMTP: the mail server hands the test mails to check itself.
func TestCheckLMTP(t *testing.T) {
	t.Parallel()
	socket := filepath.Join(t.TempDir(), "lmtp.sock")
	handOver := make(chan error, 10)
	s := startMail(t, localmail.Options{OnData: func(from string, to []string, raw []byte) error {
		handOver <- deliverLMTP(socket, from, to, []byte("Subject: of a player\r\n\r\nP-7f\r\n"))
		return deliverLMTP(socket, from, to, raw)
	}})
	path := writeSettings(t, "", s.SMTPAddr(), "none", `lmtp: listen = "unix:`+socket+`"`)
	dir := filepath.Dir(path)
	got := pbem(within(t), "", "check", "--config", path)
	if got.code != done {
		t.Errorf("exit code %d, want 0", got.code)
	}
	golden(t, "lmtp", got.stdout, dir+"/", "", s.SMTPAddr(), "127.0.0.1:465", socket, "/run/pbem/lmtp.sock")
	if err := <-handOver; err == nil || !strings.Contains(err.Error(), "451") {
		t.Errorf("a player's mail: %v; want it to be left to the mail server", err)
	}
}

func TestWrap(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                           "",
		"gold silver knight":         "gold\nsilver\nknight",
		"a gold  b":                  "a gold b",
		"dragons-and-horses and all": "dragons-and-horses\nand all",
		"金将 銀将 桂馬 香車":                "金将 銀将 桂馬\n香車",
	} {
		if got := wrap(text, 8); got != want {
			t.Errorf("wrap(%q) = %q, want %q", text, got, want)
		}
	}
}
