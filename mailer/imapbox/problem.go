package imapbox

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strings"

	"github.com/emersion/go-imap/v2"
)

// Problem is a kind of trouble with a mail server, by what mends it.
type Problem uint8

// The kinds of trouble.
const (
	Broken        Problem = iota // the connection ended, or the server spoke nonsense
	Misconfigured                // the Config asks for what cannot be
	Unreachable                  // nobody answers at the address
	BadTLS                       // no TLS, or a certificate not to be trusted
	TurnedAway                   // the server closes the door: too busy, blocked
	WrongPassword                // user or password refused
	NoMailbox                    // the mailbox does not exist or may not be opened
	Silent                       // no answer within Config.Timeout
)

// Error says what is wrong with a server, in words for the operator. All errors of this
// package that are not those of a context or a [Handler] are of this type.
type Error struct {
	Addr    string // of the server
	Problem Problem
	Text    string // what is wrong
	Err     error  // its cause; nil if Text says all
}

// Error returns address, text and cause.
func (e *Error) Error() string {
	s := e.Addr + ": " + e.Text
	if e.Err != nil {
		s += ": " + cause(e.Err)
	}
	return s
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// cause words err; of a refusal, only what the server said.
func cause(err error) string {
	if refusal := (*imap.Error)(nil); errors.As(err, &refusal) {
		text := refusal.Text
		if refusal.Code != "" {
			text = strings.TrimSpace("[" + string(refusal.Code) + "] " + text)
		}
		return fmt.Sprintf("it said %q", text)
	}
	return err.Error()
}

func (c Config) problem(p Problem, err error, format string, args ...any) *Error {
	return &Error{Addr: c.Addr, Problem: p, Text: fmt.Sprintf(format, args...), Err: err}
}

// check reports what no server could make work.
func (c Config) check() error {
	host, _, err := net.SplitHostPort(c.Addr)
	switch {
	case err != nil:
		return c.problem(Misconfigured, nil, "the address of the IMAP server must be host:port")
	case c.User == "":
		return c.problem(Misconfigured, nil, "no user name is given")
	}
	switch c.Security {
	case SecurityTLS, SecurityStartTLS:
		return nil
	case SecurityNone:
		if c.AllowInsecure || isLoopback(host) {
			return nil
		}
		return c.problem(Misconfigured, nil,
			`security "none" would send the password in plain text to another machine; use "tls" or "starttls"`)
	default:
		return c.problem(Misconfigured, nil, "security is %q; it must be \"tls\", \"starttls\" or \"none\"", c.Security)
	}
}

func isLoopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

// tlsProblem words an error of the TLS handshake.
func (c Config) tlsProblem(err error) *Error {
	var (
		notTLS  tls.RecordHeaderError
		unknown *tls.CertificateVerificationError
		name    x509.HostnameError
	)
	switch {
	case errors.As(err, &notTLS):
		return c.problem(BadTLS, nil, `the server does not speak TLS on this port; is security = "starttls" meant?`)
	case errors.As(err, &name):
		return c.problem(BadTLS, err, "the server's certificate is for another name")
	case errors.As(err, &unknown):
		return c.problem(BadTLS, err, "the server's certificate is not to be trusted")
	default:
		return c.problem(BadTLS, err, "no TLS connection comes about")
	}
}

// loginProblem words a refused login.
func (c Config) loginProblem(err error) error {
	refusal := (*imap.Error)(nil)
	if !errors.As(err, &refusal) {
		return err
	}
	switch refusal.Code {
	case imap.ResponseCodeUnavailable, imap.ResponseCodeInUse, imap.ResponseCodeLimit,
		imap.ResponseCodeServerBug, imap.ResponseCodeContactAdmin:
		return c.problem(TurnedAway, err, "the server cannot log in user %q now", c.User)
	case imap.ResponseCodePrivacyRequired:
		return c.problem(Misconfigured, err, `the server takes no password in plain text; use security "starttls" or "tls"`)
	default:
		return c.problem(WrongPassword, err, "the server refused user %q: wrong user name or password?", c.User)
	}
}

// isRefusal reports whether the server answered a command with NO or BAD: the connection is
// as good as before.
func isRefusal(err error) bool {
	refusal := (*imap.Error)(nil)
	return errors.As(err, &refusal) && refusal.Type != imap.StatusResponseTypeBye
}
