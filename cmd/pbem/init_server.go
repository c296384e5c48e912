package main

import (
	"fmt"
	"net"
	"strings"

	"pbem/config"
)

// server is a mail server as the operator names it: a host, perhaps with a port.
type server struct {
	host, port string
	security   security
}

// security is a [config.Security] that a flag may set; empty: guessed.
type security config.Security

func (s *security) String() string { return string(*s) }
func (s *security) Set(text string) error {
	switch config.Security(text) {
	case config.TLS, config.STARTTLS, config.None:
		*s = security(text)
		return nil
	}
	return fmt.Errorf("write tls, starttls or none")
}

func (s *server) String() string { return s.addr() }

// Set reads HOST or HOST:PORT.
func (s *server) Set(text string) error {
	host, port, err := net.SplitHostPort(text)
	if err != nil {
		host, port = strings.Trim(text, "[]"), ""
	}
	if host == "" || strings.ContainsAny(host, " /@") {
		return fmt.Errorf("write a host and perhaps a port, like mail.example.org or mail.example.org:993")
	}
	s.host, s.port = host, port
	return nil
}

// addr returns host:port, empty if there is none.
func (s server) addr() string {
	if s.host == "" {
		return ""
	}
	return net.JoinHostPort(s.host, s.port)
}

// fill takes host and port of other, and its security unless there is one.
func (s *server) fill(other server) {
	s.host, s.port = other.host, other.port
	if s.security == "" {
		s.security = other.security
	}
}

// complete adds the usual port, and the security that fits the port.
func (s *server) complete(port string) {
	if s.host == "" {
		return
	}
	if s.port == "" {
		s.port = port
		switch {
		case s.security == security(config.STARTTLS) && port == "993":
			s.port = "143"
		case s.security == security(config.STARTTLS):
			s.port = "587"
		}
	}
	if s.security != "" {
		return
	}
	switch {
	case s.port == "993" || s.port == "465":
		s.security = security(config.TLS)
	case config.Loopback(s.addr()):
		s.security = security(config.None)
	default:
		s.security = security(config.STARTTLS)
	}
}

// provider is where the mail of a domain is.
type provider struct{ imap, smtp server }

// guessProvider returns the servers of an address: those of a large provider, or what most
// others call theirs.
func guessProvider(address string) provider {
	domain := strings.ToLower(address[strings.LastIndex(address, "@")+1:])
	p := provider{server{host: "imap." + domain}, server{host: "smtp." + domain}}
	switch domain {
	case "gmail.com", "googlemail.com":
		p.imap.host, p.smtp.host = "imap.gmail.com", "smtp.gmail.com"
	case "icloud.com", "me.com", "mac.com":
		p.imap.host, p.smtp.host, p.smtp.port = "imap.mail.me.com", "smtp.mail.me.com", "587"
	case "yahoo.com", "ymail.com":
		p.imap.host, p.smtp.host = "imap.mail.yahoo.com", "smtp.mail.yahoo.com"
	case "gmx.net", "gmx.de", "gmx.at", "gmx.ch":
		p.imap.host, p.smtp.host = "imap.gmx.net", "mail.gmx.net"
	case "fastmail.com", "fastmail.fm":
		p.imap.host, p.smtp.host = "imap.fastmail.com", "smtp.fastmail.com"
	case "posteo.de", "posteo.net":
		p.imap.host, p.smtp.host = "posteo.de", "posteo.de"
	}
	return p
}
