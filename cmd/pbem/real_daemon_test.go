package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"pbem/internal/realmail"
)

// realDaemon is pbem serve as a process of its own, which may be killed and
// started again.
type realDaemon struct {
	program, settings string
	database          string
	env               []string
	log               *daemonLog

	mu  sync.Mutex // held while the process changes
	cmd *exec.Cmd
}

// daemonLog is what all the processes of a daemon have written.
type daemonLog struct {
	mu      sync.Mutex
	text    bytes.Buffer
	handled int         // messages, as the log says
	notice  func(n int) // called when message n was handled; may be nil
}

func (l *daemonLog) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text.Write(b)
	for range bytes.Count(b, []byte(`msg="message handled"`)) { // slog writes whole lines
		l.handled++
		if l.notice != nil {
			l.notice(l.handled)
		}
	}
	return len(b), nil
}

func (l *daemonLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// end is the last part of the log, for a failure.
func (l *daemonLog) end() string {
	text := l.String()
	const most = 6000
	return text[max(0, len(text)-most):]
}

// buildDaemon builds pbem and writes settings for the servers, with TLS from
// the first byte or STARTTLS, and more lines of section imap. Nothing is
// started yet.
func buildDaemon(t *testing.T, s *realmail.Servers, security string, imap ...string) *realDaemon {
	t.Helper()
	dir := t.TempDir()
	d := &realDaemon{
		program: filepath.Join(dir, "pbem"), settings: filepath.Join(dir, "config.toml"),
		database: filepath.Join(dir, "pbem.db"), log: &daemonLog{},
		// The settings name no authority; the system's list is where Go looks.
		env: append(os.Environ(), "SSL_CERT_FILE="+s.CAFile, "PBEM_TEST_PASSWORD="+s.Password),
	}
	if out, err := exec.Command("go", "build", "-o", d.program, ".").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	imapAddr, smtpAddr := s.IMAPSAddr, s.SMTPSAddr
	if security == "starttls" {
		imapAddr, smtpAddr = s.IMAPAddr, s.SubmissionAddr
	}
	write(t, d.settings, fmt.Sprintf(`[service]
address = "shogi@%[1]s"
[imap]
addr = %[2]q
security = %[4]q
user = "shogi@%[1]s"
password_env = "PBEM_TEST_PASSWORD"
%[5]s
[smtp]
addr = %[3]q
security = %[4]q
user = "shogi@%[1]s"
password_env = "PBEM_TEST_PASSWORD"
[limits] # a game of weeks is played in a minute
messages_per_hour = 1000
answers_per_hour = 1000
[outbox]
retry_first = "1s"
`, s.Domain, imapAddr, smtpAddr, security, strings.Join(imap, "\n")))
	t.Cleanup(d.kill)
	return d
}

func (d *realDaemon) start() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.startLocked()
}

func (d *realDaemon) startLocked() error {
	d.cmd = exec.Command(d.program, "serve", "--config", d.settings)
	d.cmd.Env, d.cmd.Stderr = d.env, d.log
	return d.cmd.Start()
}

// kill ends the process with SIGKILL, if there is one.
func (d *realDaemon) kill() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.killLocked()
}

func (d *realDaemon) killLocked() {
	if d.cmd == nil {
		return
	}
	d.cmd.Process.Kill()
	d.cmd.Wait()
	d.cmd = nil
}

// restart kills the process and starts another one at once.
func (d *realDaemon) restart() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.killLocked()
	return d.startLocked()
}

// stop asks the process to end, as systemd does, and expects it to obey.
func (d *realDaemon) stop() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	late := time.AfterFunc(realPatience, func() { d.cmd.Process.Kill() })
	defer late.Stop()
	err := d.cmd.Wait()
	d.cmd = nil
	return err
}

// checkLog expects no line graver than Info, but for those that contain one of
// the words allowed.
func (d *realDaemon) checkLog(t *testing.T, allowed ...string) {
	t.Helper()
lines:
	for line := range strings.Lines(d.log.String()) {
		if strings.Contains(line, "level=INFO") {
			continue
		}
		for _, words := range allowed {
			if strings.Contains(line, words) {
				continue lines
			}
		}
		t.Errorf("in the log: %s", line)
	}
}
