package config

import (
	"net"
	"net/mail"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

const (
	maxIdle    = 29 * time.Minute // RFC 2177: servers hang up after 30
	minMessage = Size(16 << 10)
	maxMessage = Size(64 << 20)
	maxLocal   = 31 // octets before the @, so that a token fits in 64 (RFC 5321, section 4.5.3.1.1)
)

func (k *checker) validate() {
	k.notYet()
	k.positive()
	k.service()
	k.incoming()
	k.outgoing()
	k.waits()
	for _, id := range k.config.Auth.AuthservID {
		if strings.TrimSpace(id) == "" || strings.ContainsAny(id, " ;") {
			k.add("auth.authserv_id", "%q is no name of a server; copy the word that follows "+
				"Authentication-Results: in your mail, or write []", id)
		}
	}
}

// notYet warns of settings that have no effect so far.
func (k *checker) notYet() {
	if k.config.Auth.DKIM {
		k.warn("auth.dkim", "signatures are not verified yet; mail without a token is confirmed by its sender, as without this line")
	}
}

// positive wants every number and duration to be more than nothing.
func (k *checker) positive() {
	for _, s := range k.config.settings() {
		switch v := s.value.(type) {
		case *int:
			if *v < 1 {
				k.add(s.key(), "%d is too small; write 1 or more, like %s = %s", *v, s.name, shownInExample(s))
			}
		case *time.Duration:
			if *v <= 0 && (*v != 0 || s.key() != "service.keep_raw") {
				k.add(s.key(), "must be longer than nothing, like %s = %s", s.name, shownInExample(s))
			}
		}
	}
	if n := k.config.Limits.MaxMessage; n < minMessage || n > maxMessage {
		k.add("limits.max_message", "%v is out of bounds; write %v to %v", n, minMessage, maxMessage)
	}
}

func (k *checker) service() {
	c := k.config.Service
	const key = "service.address"
	switch local, _, _ := strings.Cut(c.Address, "@"); {
	case c.Address == "":
		k.add(key, "missing; write the address that players send their moves to, like \"shogi@example.org\"")
	case !bareAddress(c.Address):
		k.add(key, "%q is no address; write it bare, like \"shogi@example.org\"", c.Address)
	case c.PlusAddressing && strings.Contains(local, "+"):
		k.add(key, "there is a + in it already; write an address without, or plus_addressing = false")
	case c.PlusAddressing && len(local) > maxLocal:
		k.add(key, "too long for a token behind it; use %d letters before the @, or plus_addressing = false", maxLocal)
	}
	switch {
	case c.Operator == "":
	case !bareAddress(c.Operator):
		k.add("service.operator", "%q is no address; write it bare, like \"you@example.org\"", c.Operator)
	case strings.EqualFold(c.Operator, c.Address):
		k.add("service.operator", "this is the service's own address; write yours")
	}
	if strings.ContainsFunc(c.Name, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		k.add("service.name", "it has line breaks or control characters; write it in one line")
	}
	if c.SecretFile == "" {
		k.add("service.secret_file", "missing; write a path, like \"pbem.secret\"")
	}
	if c.Database == "" {
		k.add("service.database", "missing; write a path, like \"pbem.db\"")
	}
}

// incoming checks the ways in.
func (k *checker) incoming() {
	c := k.config
	if !c.IMAP.Enabled() && !c.LMTP.Enabled() && !k.offline && !k.told["lmtp.listen"] {
		k.add("imap.addr", "missing, and no lmtp.listen either: no mail can come in; "+
			"write your server, like \"imap.example.org:993\"")
	}
	if c.IMAP.Enabled() {
		k.server("imap", c.IMAP.Addr, c.IMAP.Security, c.IMAP.AllowInsecure, "imap.example.org:993")
		if c.IMAP.User == "" {
			k.add("imap.user", "missing; write the name you log in with, often %q", c.Service.Address)
		}
		k.needPassword("imap", c.IMAP.Password, c.IMAP.PasswordFile, c.IMAP.PasswordEnv)
		if c.IMAP.Mailbox == "" {
			k.add("imap.mailbox", "missing; write \"INBOX\"")
		} else if c.IMAP.MoveTo == c.IMAP.Mailbox {
			k.add("imap.move_to", "this is the mailbox that is read; write another, or leave the line out")
		}
		if c.IMAP.Idle > maxIdle {
			k.add("imap.idle", "%v is too long; write \"29m\" or less, since servers hang up after 30 minutes", short(c.IMAP.Idle))
		}
	}
	network, address := c.LMTP.Network()
	switch {
	case !c.LMTP.Enabled():
	case network == "unix" && !filepath.IsAbs(address):
		k.add("lmtp.listen", "%q is no full path; write one, like \"unix:/run/pbem/lmtp.sock\"", c.LMTP.Listen)
	case network == "unix":
	case !hostPort(address, true):
		k.add("lmtp.listen", "%q is no place to listen; write \"127.0.0.1:24\" or \"unix:/run/pbem/lmtp.sock\"", c.LMTP.Listen)
	case !Loopback(address):
		k.warn("lmtp.listen", "whoever can reach %s can hand in mail; LMTP knows no password", address)
	}
}

// outgoing checks the way out.
func (k *checker) outgoing() {
	c := k.config.SMTP
	if c.Addr == "" {
		if !k.offline {
			k.add("smtp.addr", "missing: no mail can go out; write your server, like \"smtp.example.org:465\"")
		}
		return
	}
	k.server("smtp", c.Addr, c.Security, c.AllowInsecure, "smtp.example.org:465")
	if c.User != "" {
		k.needPassword("smtp", c.Password, c.PasswordFile, c.PasswordEnv)
	} else if !c.Password.IsZero() || c.PasswordFile != "" || c.PasswordEnv != "" {
		k.add("smtp.user", "missing, but there is a password; write the name you log in with, or drop the password")
	}
	if strings.ContainsAny(c.Hello, " \t\r\n") {
		k.add("smtp.hello", "%q is no host name; write one, like \"pbem.example.org\"", c.Hello)
	}
}

func (k *checker) server(section, addr string, security Security, allowed bool, like string) {
	if !hostPort(addr, false) {
		k.add(section+".addr", "%q is no server; write host:port, like %q", addr, like)
		return
	}
	switch security {
	case TLS, STARTTLS:
	case None:
		switch {
		case Loopback(addr):
		case allowed:
			k.warn(section+".security", "what goes to %s, the password too, can be read on the way", addr)
		default:
			k.add(section+".security", "\"none\" sends the password in the clear to %s; write \"tls\" or "+
				"\"starttls\", or allow_insecure = true if the way there is safe", addr)
		}
	default:
		k.add(section+".security", "%q is not known; write \"tls\" or \"starttls\" or \"none\"", string(security))
	}
}

func (k *checker) needPassword(section string, password Secret, file, variable string) {
	if password.IsZero() && file == "" && variable == "" && !k.offline && !k.told[section+".password"] {
		k.add(section+".password_file", "missing; put the password in a file that only you can read and write "+
			"its path here, or name an environment variable in password_env")
	}
}

// waits checks that the shorter duration is the shorter one.
func (k *checker) waits() {
	c := k.config.Outbox
	if c.RetryFirst > c.RetryMax {
		k.add("outbox.retry_first", "%v is longer than retry_max, %v; write less", short(c.RetryFirst), short(c.RetryMax))
	}
	if c.RetryMax > c.GiveUpAfter {
		k.add("outbox.retry_max", "%v is longer than give_up_after, %v; write less", short(c.RetryMax), short(c.GiveUpAfter))
	}
}

// bareAddress reports whether text is an address and nothing else. It must be ASCII: not every
// server carries others (RFC 6531), and a player whose server does not could not answer.
func bareAddress(text string) bool {
	for _, r := range text {
		if r <= ' ' || r >= 0x7f {
			return false
		}
	}
	a, err := mail.ParseAddress(text)
	return err == nil && a.Name == "" && a.Address == text
}

// hostPort reports whether text is host:port with a port from 1 to 65535.
func hostPort(text string, anyHost bool) bool {
	host, port, err := net.SplitHostPort(text)
	if err != nil || strings.ContainsAny(host, " /@") {
		return false
	}
	n, err := strconv.ParseUint(port, 10, 16)
	return err == nil && n > 0 && (host != "" || anyHost)
}
