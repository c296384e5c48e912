package smtpout

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strings"

	"github.com/emersion/go-smtp"
)

// Problem is a kind of trouble with a mail server, by what mends it.
type Problem uint8

// The kinds of trouble.
const (
	Broken        Problem = iota // the connection ended, or the server spoke nonsense
	Misconfigured                // the Config asks for what cannot be
	Unreachable                  // nobody answers at the address
	BadTLS                       // no TLS, or a certificate not to be trusted
	TurnedAway                   // the server takes nobody now: too busy, or we are blocked
	WrongPassword                // user or password refused
	Refused                      // logged in, but it takes no mail from us
	Silent                       // no answer within Config.Timeout
)

// Error says what is wrong with a server, in words for the operator.
type Error struct {
	Addr    string // of the server
	Problem Problem
	Text    string // what is wrong
	Err     error  // its cause; nil if Text says all
}

// Error returns address, text and cause.
func (e *Error) Error() string {
	s := e.Addr + ": " + e.Text
	if answer := (*smtp.SMTPError)(nil); errors.As(e.Err, &answer) {
		return s + ": " + fmt.Sprintf("it said %q", fmt.Sprintf("%d %s", answer.Code, oneLine(answer.Message)))
	}
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	return s
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

func (c Config) problem(p Problem, err error, format string, args ...any) *Error {
	return &Error{Addr: c.Addr, Problem: p, Text: fmt.Sprintf(format, args...), Err: err}
}

// check reports what no server could make work.
func (c Config) check() error {
	host, _, err := net.SplitHostPort(c.Addr)
	if err != nil {
		return c.problem(Misconfigured, nil, "the address of the SMTP server must be host:port")
	}
	switch c.Security {
	case SecurityTLS, SecurityStartTLS:
		return nil
	case SecurityNone:
		if c.AllowInsecure || isLoopback(host) {
			return nil
		}
		return c.problem(Misconfigured, nil,
			`security "none" would send mail and password in plain text to another machine; use "tls" or "starttls"`)
	default:
		return c.problem(Misconfigured, nil, "security is %q; it must be \"tls\", \"starttls\" or \"none\"", c.Security)
	}
}

func isLoopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

// startProblem words an error on the way to a protected, greeted connection.
func (c Config) startProblem(err error) error {
	var (
		notTLS  tls.RecordHeaderError
		unknown *tls.CertificateVerificationError
		name    x509.HostnameError
		answer  *smtp.SMTPError
		ours    *Error
		late    net.Error
	)
	switch {
	case errors.As(err, &ours):
		return err
	case errors.As(err, &notTLS):
		return c.problem(BadTLS, nil, `the server does not speak TLS on this port; is security = "starttls" meant?`)
	case errors.As(err, &name):
		return c.problem(BadTLS, err, "the server's certificate is for another name")
	case errors.As(err, &unknown):
		return c.problem(BadTLS, err, "the server's certificate is not to be trusted")
	case errors.As(err, &answer):
		return c.problem(TurnedAway, err, "the server turned us away")
	case errors.As(err, &late) && late.Timeout():
		return c.problem(Silent, nil, "no answer within %v", c.Timeout)
	case strings.Contains(err.Error(), "doesn't support STARTTLS"): // The library has no type for it.
		return c.problem(BadTLS, nil, `the server does not offer STARTTLS; is security = "tls" (port 465) meant?`)
	default:
		return c.problem(Broken, err, "the connection broke before the server was ready")
	}
}

// codeOf returns the server's code that err goes back to, or 0.
func codeOf(err error) int {
	if answer := (*smtp.SMTPError)(nil); errors.As(err, &answer) {
		return answer.Code
	}
	return 0
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
