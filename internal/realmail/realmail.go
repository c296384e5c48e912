// Package realmail starts a real mail system for a test: Postfix takes mail in
// by SMTP and hands it over LMTP to Dovecot, which shows it over IMAP. Both are
// Debian's packages, run on loopback in a temporary folder under configuration
// files written here; the machine's own /etc is not read. All accounts of the
// domain exist and share one password.
//
// No mail leaves the machine. What is addressed to another domain is accepted and
// then bounces with a delivery report (RFC 3464), but a recipient at refused.test
// is refused at once, with 550.
//
// Tests that use this package are named TestReal…; .ci/run finds them by that
// name, and fails if any was skipped. The configuration is for Dovecot 2.3 and
// Postfix 3.6 or later (as in Debian 12). It needs Linux and root, since both
// servers start as root and drop to users of their own. A test program that is
// killed leaves nothing behind.
package realmail

import (
	"bytes"
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// patience is how long a server may take to answer after it was started, and
// to end after it was told to. Two seconds are usual, the rest is for a machine
// busy with other tests.
const patience = 60 * time.Second

// Options says how the servers differ from the usual. The zero value is fine.
type Options struct {
	Domain   string // "example.test" if empty
	Password string // of every account; "sesame" if empty; letters and digits

	// Lines put at the end of dovecot.conf and of main.cf; the last setting of
	// a name is the one that holds.
	// Without plus addressing: "recipient_delimiter =" in both.
	// Without MOVE and IDLE: "imap_capability = IMAP4rev1 UIDPLUS".
	Dovecot, Postfix string
}

// Servers is a Dovecot and a Postfix that run until the test ends. Its methods
// may be called from any goroutine, but StopIMAP and StartIMAP not at once.
type Servers struct {
	Domain   string
	Password string // of every account, whose login is the address or its local part

	// All are host:port.
	IMAPAddr       string // plain, with STARTTLS
	IMAPSAddr      string // TLS from the first byte
	SMTPAddr       string // plain, with STARTTLS; takes mail from anyone
	SubmissionAddr string // STARTTLS and AUTH needed; does not answer during StopIMAP
	SMTPSAddr      string // TLS from the first byte, AUTH needed; likewise

	TLS    *tls.Config // trusts the servers' certificate, which names 127.0.0.1 and localhost
	CAFile string      // the authority that TLS trusts, as a PEM file

	dir     string
	dovecot *process
	postfix *process

	mu     sync.Mutex
	frozen map[int]string // processes stopped by Freeze, and whose session each serves
}

// Missing names what this machine lacks for Start: programs, root's rights.
// Empty if nothing.
func Missing() []string {
	if runtime.GOOS != "linux" {
		return []string{"linux"}
	}
	var lacks []string
	if os.Geteuid() != 0 {
		lacks = append(lacks, "root's rights")
	}
	for _, name := range []string{"dovecot", "doveadm", "postfix", "postconf"} {
		if _, err := program(name); err != nil {
			lacks = append(lacks, name)
		}
	}
	for _, path := range []string{"/usr/lib/dovecot/imap", "/usr/lib/dovecot/lmtp"} {
		if _, err := os.Stat(path); err != nil {
			lacks = append(lacks, "dovecot-"+filepath.Base(path)+"d")
		}
	}
	if v := dovecotVersion(); v != "" && !strings.HasPrefix(v, "2.3.") {
		lacks = append(lacks, "dovecot 2.3 (here is "+v+")")
	}
	return lacks
}

// Require skips the test if this machine cannot run the servers, or fails it
// where they are expected: in CI (CI=true) and with PBEM_REAL=1. PBEM_REAL=0
// skips it in any case.
func Require(t testing.TB) {
	t.Helper()
	want := os.Getenv("PBEM_REAL")
	if want == "0" {
		t.Skip("skipped: PBEM_REAL=0")
	}
	lacks := strings.Join(Missing(), ", ")
	switch {
	case lacks == "":
	case want == "1" || os.Getenv("CI") == "true":
		t.Fatalf("real mail servers: %s missing; .ci/run installs what it needs and runs as root", lacks)
	default:
		t.Skipf("skipped: %s missing; .ci/run installs what it needs and runs as root", lacks)
	}
}

// Start starts both servers and returns once both answer. They end, and their
// folder goes, with the test; if it failed, the end of their logs is shown.
// Where they cannot run, the test is skipped or fails as [Require] says.
func Start(t testing.TB, o Options) *Servers {
	t.Helper()
	Require(t)
	if o.Domain == "" {
		o.Domain = "example.test"
	}
	if o.Password == "" {
		o.Password = "sesame"
	}
	dir, err := publicFolder()
	if err != nil {
		t.Fatalf("folder for the mail servers: %v", err)
	}
	dismiss, err := guard(dir)
	if err != nil {
		os.RemoveAll(dir)
		t.Fatalf("guard of the mail servers: %v", err)
	}
	s := &Servers{Domain: o.Domain, Password: o.Password, dir: dir, frozen: map[int]string{}}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the mail servers' logs end so:\n%s", s.Log())
		}
		if err := s.close(); err != nil {
			t.Errorf("end the mail servers: %v", err)
		}
		dismiss()
	})
	if err := s.start(o); err != nil {
		t.Fatalf("start the mail servers: %v", err)
	}
	return s
}

func (s *Servers) start(o Options) error {
	for _, a := range []*string{&s.IMAPAddr, &s.IMAPSAddr, &s.SMTPAddr, &s.SubmissionAddr, &s.SMTPSAddr} {
		port, err := freePort()
		if err != nil {
			return err
		}
		*a = net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
	}
	for _, sub := range []string{"log", "tls"} {
		if err := os.Mkdir(filepath.Join(s.dir, sub), 0o755); err != nil {
			return err
		}
	}
	if err := s.writeCertificates(); err != nil {
		return fmt.Errorf("make certificates: %w", err)
	}
	if err := s.configureDovecot(o); err != nil {
		return fmt.Errorf("configure dovecot: %w", err)
	}
	if err := s.configurePostfix(o); err != nil {
		return fmt.Errorf("configure postfix: %w", err)
	}
	// Both take their time, so they start side by side.
	begun := make(chan error, 1)
	go func() { begun <- s.startPostfix() }()
	return errors.Join(s.StartIMAP(), <-begun)
}

// close ends both servers and removes the folder.
func (s *Servers) close() error {
	err := s.StopIMAP()
	if s.postfix != nil {
		err = errors.Join(err, s.postfix.stop())
	}
	// A child that outlives its master for a moment may still be writing.
	for deadline := time.Now().Add(patience); ; pause() {
		rmErr := os.RemoveAll(s.dir)
		if rmErr == nil || time.Now().After(deadline) {
			return errors.Join(err, rmErr)
		}
	}
}

// Log returns the ends of both servers' logs, for a failure's message.
func (s *Servers) Log() string {
	const most = 4000 // bytes of a file
	var b strings.Builder
	files, _ := filepath.Glob(s.path("log", "*"))
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			fmt.Fprintf(&b, "== %v\n", err)
			continue
		}
		if len(text) > most {
			text = text[len(text)-most:]
			text = text[bytes.IndexByte(text, '\n')+1:]
		}
		if len(text) > 0 {
			fmt.Fprintf(&b, "== %s\n%s", filepath.Base(name), text)
		}
	}
	return b.String()
}

func (s *Servers) path(elem ...string) string {
	return filepath.Join(append([]string{s.dir}, elem...)...)
}

// publicFolder makes a folder that the servers' own users can reach: open to
// all, and so are its parents. Its name is short, because a Unix socket's path
// ends at 108 bytes.
func publicFolder() (string, error) {
	var problems []error
	for _, parent := range []string{os.TempDir(), "/tmp", "/var/tmp"} {
		if err := traversable(parent); err != nil {
			problems = append(problems, err)
			continue
		}
		dir, err := os.MkdirTemp(parent, "pbem-mail-")
		if err != nil {
			problems = append(problems, err)
			continue
		}
		return dir, os.Chmod(dir, 0o755)
	}
	return "", errors.Join(problems...)
}

func traversable(dir string) error {
	if len(dir) > 40 || !filepath.IsAbs(dir) {
		return fmt.Errorf("%s: too long for a socket's path, or not absolute", dir)
	}
	for {
		info, err := os.Stat(dir)
		if err != nil {
			return err
		}
		if info.Mode()&0o001 == 0 {
			return &fs.PathError{Op: "traverse as another user", Path: dir, Err: fs.ErrPermission}
		}
		if parent := filepath.Dir(dir); parent != dir {
			dir = parent
			continue
		}
		return nil
	}
}

// freePort finds a port on loopback that nobody listens on. It looks below
// those that the kernel gives to outgoing connections (32768 and up), so that
// none is taken while a server is down for a while.
func freePort() (int, error) {
	var err error
	for range 100 {
		port := 20000 + rand.IntN(12000)
		var ln net.Listener
		if ln, err = net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port))); err == nil {
			return port, ln.Close()
		}
	}
	return 0, err
}

// program finds a server's program, also where PATH lacks the sbin folders.
func program(name string) (string, error) {
	path, err := exec.LookPath(name)
	if err == nil {
		return path, nil
	}
	for _, dir := range []string{"/usr/sbin", "/usr/local/sbin", "/sbin"} {
		if path, sbinErr := exec.LookPath(filepath.Join(dir, name)); sbinErr == nil {
			return path, nil
		}
	}
	return "", err
}

// run runs a program to its end and returns its standard output.
func run(name string, args ...string) (string, error) {
	path, err := program(name)
	if err != nil {
		return "", err
	}
	cmd := exec.Command(path, args...)
	var warnings strings.Builder
	cmd.Stderr = &warnings
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w: %s%s", name, strings.Join(args, " "), err, out, &warnings)
	}
	return strings.TrimSpace(string(out)), nil
}
