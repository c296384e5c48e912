package realmail

import (
	"fmt"
	"net"
	"os"
	"os/user"
	"strconv"
	"strings"

	"github.com/emersion/go-smtp"
)

// dovecotConf is for Dovecot 2.3. @WORD@ is replaced by configureDovecot.
const dovecotConf = `
base_dir = @DIR@/run
state_dir = @DIR@/state
log_path = @DIR@/log/dovecot.log
log_timestamp = "%Y-%m-%d %H:%M:%S.%{usecs} "
hostname = mail.@DOMAIN@
postmaster_address = postmaster@@DOMAIN@
protocols = imap lmtp
listen = 127.0.0.1

ssl = yes
ssl_cert = <@DIR@/tls/cert.pem
ssl_key = <@DIR@/tls/key.pem
disable_plaintext_auth = no
auth_mechanisms = plain login
auth_failure_delay = 0
# shogi@example.test and shogi are one account; so doveadm finds it by either.
auth_username_format = %Ln
# Any character; + is not among the default.
auth_username_chars =
passdb {
  driver = static
  args = password=@PASSWORD@
}
userdb {
  driver = static
  args = uid=mail gid=mail home=@DIR@/mail/%n allow_all_users=yes
}

mail_location = maildir:~/Maildir
# The user mail is number 8 on Debian; the default refuses those below 500.
first_valid_uid = 1
# Nothing here has to outlive the machine.
mail_fsync = never
mail_max_userip_connections = 200
namespace inbox {
  inbox = yes
  separator = /
}

recipient_delimiter = +
lmtp_save_to_detail_mailbox = no

service anvil {
  chroot =
  # Else each wrong password makes the next answer wait longer.
  unix_listener anvil-auth-penalty {
    mode = 0
  }
}
service auth {
  unix_listener smtp-auth {
    mode = 0666
  }
}
service imap-login {
  chroot =
  service_count = 0
  process_min_avail = 1
  inet_listener imap {
    port = @IMAP@
  }
  inet_listener imaps {
    port = @IMAPS@
    ssl = yes
  }
}
service lmtp {
  process_min_avail = 1
  unix_listener lmtp {
    mode = 0666
  }
}
`

func dovecotVersion() string {
	out, err := run("dovecot", "--version")
	if err != nil {
		return ""
	}
	version, _, _ := strings.Cut(out, " ")
	return version
}

func (s *Servers) configureDovecot(o Options) error {
	_, imapPort, _ := net.SplitHostPort(s.IMAPAddr)
	_, imapsPort, _ := net.SplitHostPort(s.IMAPSAddr)
	conf := strings.NewReplacer("@DIR@", s.dir, "@DOMAIN@", s.Domain, "@PASSWORD@", s.Password,
		"@IMAP@", imapPort, "@IMAPS@", imapsPort).Replace(dovecotConf)
	if err := os.WriteFile(s.path("dovecot.conf"), []byte(conf+o.Dovecot+"\n"), 0o644); err != nil {
		return err
	}
	return ownedFolder(s.path("mail"), "mail")
}

// ownedFolder makes a folder that belongs to a user of the machine.
func ownedFolder(dir, owner string) error {
	u, err := user.Lookup(owner)
	if err != nil {
		return err
	}
	uid, err := strconv.Atoi(u.Uid)
	if err != nil {
		return err
	}
	gid, err := strconv.Atoi(u.Gid)
	if err != nil {
		return err
	}
	if err := os.Mkdir(dir, 0o755); err != nil {
		return err
	}
	return os.Chown(dir, uid, gid)
}

// StartIMAP starts Dovecot again after StopIMAP, at the same addresses, and
// returns once it answers.
func (s *Servers) StartIMAP() error {
	path, err := program("dovecot")
	if err != nil {
		return err
	}
	s.dovecot, err = launch(s.path("log", "dovecot.out"), path, "-F", "-c", s.path("dovecot.conf"))
	if err != nil {
		return err
	}
	if err := s.dovecot.awaitGreeting("tcp", s.IMAPAddr, "* OK"); err != nil {
		return err
	}
	return s.dovecot.awaitGreeting("unix", s.lmtpSocket(), "220")
}

// StopIMAP is an outage of Dovecot: all connections break and no new one is
// accepted, while Postfix keeps what it is given in its queue.
func (s *Servers) StopIMAP() error {
	if s.dovecot == nil {
		return nil
	}
	// A process that is frozen does not hear that it is to end.
	if err := s.Thaw(""); err != nil {
		return err
	}
	err := s.dovecot.stop()
	s.dovecot = nil
	return err
}

// Deliver hands a message straight to Dovecot by LMTP, not through Postfix:
// when it returns, the message is in the INBOX of each recipient.
func (s *Servers) Deliver(from string, to []string, message []byte) error {
	conn, err := net.DialTimeout("unix", s.lmtpSocket(), patience)
	if err != nil {
		return err
	}
	return hand(smtp.NewClientLMTP(conn), from, to, message)
}

func (s *Servers) lmtpSocket() string { return s.path("run", "lmtp") }

// Kick breaks all IMAP connections of an account, as a server does for its own
// upkeep. That there is none is no error.
func (s *Servers) Kick(account string) error {
	_, err := s.doveadm("kick", localPart(account))
	if err != nil && strings.Contains(err.Error(), "no users kicked") {
		return nil
	}
	return err
}

// SetUIDValidity gives the account's INBOX another UIDVALIDITY, lower ones
// included. Sessions that have it selected are best broken with Kick.
func (s *Servers) SetUIDValidity(account string, n uint32) error {
	_, err := s.doveadm("mailbox", "update", "--uid-validity", strconv.FormatUint(uint64(n), 10),
		"-u", localPart(account), "INBOX")
	return err
}

// Freeze stops the processes that serve the account's IMAP sessions: the
// connections stand, and say nothing any more. Sessions opened later work.
// It is an error if there is none.
func (s *Servers) Freeze(account string) error {
	out, err := s.doveadm("-f", "tab", "who", "-1", localPart(account))
	if err != nil {
		return err
	}
	var pids []int
	for _, line := range strings.Split(out, "\n") {
		fields := strings.Split(line, "\t") // username, proto, pid, ip
		if len(fields) < 3 || fields[1] != "imap" {
			continue
		}
		pid, err := strconv.Atoi(fields[2])
		if err != nil {
			return fmt.Errorf("doveadm who: %q: %w", line, err)
		}
		pids = append(pids, pid)
	}
	if len(pids) == 0 {
		return fmt.Errorf("no IMAP session of %s to freeze", account)
	}
	for _, pid := range pids {
		if err := suspend(pid); err != nil {
			return fmt.Errorf("freeze process %d of %s: %w", pid, account, err)
		}
		s.mu.Lock()
		s.frozen[pid] = localPart(account)
		s.mu.Unlock()
	}
	return nil
}

// Thaw undoes Freeze; for all accounts if it is given the empty one.
func (s *Servers) Thaw(account string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for pid, whose := range s.frozen {
		if account != "" && localPart(account) != whose {
			continue
		}
		if err := resume(pid); err != nil {
			return fmt.Errorf("thaw process %d of %s: %w", pid, whose, err)
		}
		delete(s.frozen, pid)
	}
	return nil
}

func (s *Servers) doveadm(args ...string) (string, error) {
	return run("doveadm", append([]string{"-c", s.path("dovecot.conf")}, args...)...)
}

func localPart(account string) string {
	name, _, _ := strings.Cut(account, "@")
	return name
}
