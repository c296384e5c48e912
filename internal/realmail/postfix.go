package realmail

import (
	"bytes"
	"net"
	"os"
	"path/filepath"
	"strings"

	"github.com/emersion/go-smtp"
)

// mainCF and masterCF are for Postfix 3.6 and later; @WORD@ is replaced by
// configurePostfix. Waits that are minutes by default are a second here.
const mainCF = `
compatibility_level = 3.6
queue_directory = @DIR@/spool
data_directory = @DIR@/data
mail_owner = postfix
setgid_group = postdrop
maillog_file = @DIR@/log/postfix.log
maillog_file_prefixes = @DIR@
myhostname = mail.@DOMAIN@
mydomain = @DOMAIN@
myorigin = @DOMAIN@
mydestination =
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mynetworks = 127.0.0.0/8
smtp_host_lookup = native
biff = no
notify_classes =
message_size_limit = 67108864
mailbox_size_limit = 0

# All of the domain goes to Dovecot, and nothing anywhere else.
alias_maps =
alias_database =
local_recipient_maps =
virtual_mailbox_domains = @DOMAIN@
virtual_mailbox_maps = static:ok
virtual_transport = lmtp:unix:@DIR@/run/lmtp
recipient_delimiter = +
default_transport = nowhere
transport_maps = inline:{ { refused.test = error:5.1.1 no such user } }
relay_transport = $default_transport
local_transport = $default_transport

smtpd_relay_restrictions = permit_mynetworks, reject
smtpd_error_sleep_time = 0
smtpd_tls_security_level = may
smtpd_tls_cert_file = @DIR@/tls/cert.pem
smtpd_tls_key_file = @DIR@/tls/key.pem
# AUTH on the submission ports alone: a port that offers it does not answer while
# Dovecot is down.
smtpd_sasl_type = dovecot
smtpd_sasl_path = @DIR@/run/smtp-auth

in_flow_delay = 0
queue_run_delay = 1s
minimal_backoff_time = 1s
maximal_backoff_time = 2s
transport_retry_time = 1s
`

// The queue manager is woken every second. Now and then it meets a mail that it
// holds itself and puts it back into the incoming queue, "skipped, still being
// delivered", which it then reads only when woken: by default each five minutes.
const masterCF = `
@SMTP@ inet n - n - - smtpd
@SUBMISSION@ inet n - n - - smtpd
  -o syslog_name=postfix/submission
  -o smtpd_tls_security_level=encrypt
  -o smtpd_sasl_auth_enable=yes
  -o smtpd_relay_restrictions=permit_sasl_authenticated,reject
@SMTPS@ inet n - n - - smtpd
  -o syslog_name=postfix/smtps
  -o smtpd_tls_wrappermode=yes
  -o smtpd_sasl_auth_enable=yes
  -o smtpd_relay_restrictions=permit_sasl_authenticated,reject
pickup     unix n - n 60 1 pickup
cleanup    unix n - n - 0 cleanup
qmgr       unix n - n 1 1 qmgr
tlsmgr     unix - - n 1000? 1 tlsmgr
rewrite    unix - - n - - trivial-rewrite
bounce     unix - - n - 0 bounce
defer      unix - - n - 0 bounce
trace      unix - - n - 0 bounce
verify     unix - - n - 1 verify
flush      unix n - n 1000? 0 flush
proxymap   unix - - n - - proxymap
proxywrite unix - - n - 1 proxymap
smtp       unix - - n - - smtp
relay      unix - - n - - smtp
showq      unix n - n - - showq
error      unix - - n - - error
retry      unix - - n - - error
discard    unix - - n - - discard
lmtp       unix - - n - - lmtp
anvil      unix - - n - 1 anvil
scache     unix - - n - 1 scache
postlog    unix-dgram n - n - 1 postlogd
# Exit code 67 is EX_NOUSER. The transport error would be refused at RCPT already.
nowhere    unix - n n - - pipe
  user=nobody argv=/bin/sh -c {exit 67}
`

func (s *Servers) configurePostfix(o Options) error {
	put := strings.NewReplacer("@DIR@", s.dir, "@DOMAIN@", s.Domain,
		"@SMTP@", s.SMTPAddr, "@SUBMISSION@", s.SubmissionAddr, "@SMTPS@", s.SMTPSAddr)
	for _, dir := range []string{"postfix", "spool"} {
		if err := os.Mkdir(s.path(dir), 0o755); err != nil {
			return err
		}
	}
	for name, text := range map[string]string{"main.cf": without(mainCF, o.Postfix) + o.Postfix + "\n", "master.cf": masterCF} {
		if err := os.WriteFile(s.path("postfix", name), []byte(put.Replace(text)), 0o644); err != nil {
			return err
		}
	}
	return ownedFolder(s.path("data"), "postfix")
}

// without drops the settings that the others name too. Postfix takes the last of
// two, but every one of its processes warns of it in the log.
func without(settings, others string) string {
	name := func(line string) string {
		name, _, _ := strings.Cut(line, "=")
		return strings.TrimSpace(name)
	}
	named := map[string]bool{}
	for line := range strings.Lines(others) {
		named[name(line)] = true
	}
	var b strings.Builder
	for line := range strings.Lines(settings) {
		if n := name(line); n == "" || !named[n] {
			b.WriteString(line)
		}
	}
	return b.String()
}

func (s *Servers) startPostfix() error {
	// The path must be absolute: with a relative one Postfix starts, and then
	// its own tools do not find it.
	conf := s.path("postfix")
	if _, err := run("postfix", "-c", conf, "check"); err != nil { // makes the queue's folders too
		return err
	}
	libexec, err := run("postconf", "-c", conf, "-h", "daemon_directory")
	if err != nil {
		return err
	}
	s.postfix, err = launch(s.path("log", "postfix.out"), filepath.Join(libexec, "master"), "-s", "-c", conf)
	if err != nil {
		return err
	}
	return s.postfix.awaitGreeting("tcp", s.SMTPAddr, "220 ")
}

// Send hands a message to Postfix by SMTP. When it returns, Postfix has taken
// it, and it reaches the INBOXes a moment later. From may be empty, the null
// sender.
func (s *Servers) Send(from string, to []string, message []byte) error {
	conn, err := net.DialTimeout("tcp", s.SMTPAddr, patience)
	if err != nil {
		return err
	}
	return hand(smtp.NewClient(conn), from, to, message)
}

// hand gives one message to a server and takes leave.
func hand(c *smtp.Client, from string, to []string, message []byte) error {
	defer c.Close()
	c.CommandTimeout, c.SubmissionTimeout = patience, patience
	if err := c.SendMail(from, to, bytes.NewReader(message)); err != nil {
		return err
	}
	return c.Quit()
}

// Queue tells, in Postfix's words, what waits for delivery; empty if nothing.
func (s *Servers) Queue() (string, error) {
	return run("postqueue", "-c", s.path("postfix"), "-j")
}
