// Package localmail is a mail server in memory: IMAP and SMTP on loopback, for `pbem demo`
// and for tests.
//
// It is built on the test servers of our mail libraries (imapmemserver and go-smtp). Mail
// handed in by SMTP lies at once in the INBOX of the user it is addressed to, whatever stands
// behind a plus sign in the address. Nothing is kept when it ends, and no mail ever leaves it:
// a recipient it does not know is refused. It is no server for real mail.
package localmail

import (
	"crypto/tls"
	"fmt"
	"log/slog"
	"net"
	"strings"
	"sync"

	"github.com/emersion/go-imap/v2/imapserver"
	"github.com/emersion/go-imap/v2/imapserver/imapmemserver"
	"github.com/emersion/go-smtp"
)

// TLS is a choice of how connections are protected. The certificate is made at the start,
// see [Server.ClientTLS].
type TLS uint8

// The ways to protect connections.
const (
	TLSNone     TLS = iota // plain text only
	TLSStart               // plain text, STARTTLS offered
	TLSRequired            // STARTTLS offered, no password taken without it
	TLSImplicit            // TLS from the first byte
)

// Options say how a server behaves. The zero value is a server for example.org on free ports
// of 127.0.0.1, without TLS.
type Options struct {
	Domain   string // of its greeting; default "example.org"
	IMAPAddr string // default "127.0.0.1:0"
	SMTPAddr string // default "127.0.0.1:0"
	Caps     Caps
	TLS      TLS

	SMTPUTF8 bool  // SMTP offers SMTPUTF8
	MaxSize  int64 // of a mail handed in by SMTP, in bytes; 0: any
	NoAuth   bool  // SMTP asks for no password

	// The hooks are for tests; each may be nil. One may block, to delay mail. An error
	// refuses: one made by [Reply] with its code, any other with 451. They run at the same
	// time for different connections.
	OnMail func(from string) error
	OnRcpt func(from, to string) error
	OnData func(from string, to []string, raw []byte) error

	Log *slog.Logger // what the servers have to say; nil: nobody listens
}

// Server is a running pair of servers. All methods may be called at any time, from any
// goroutine, until Close.
type Server struct {
	options Options
	cert    certificate
	mem     *imapmemserver.Server
	imap    *imapserver.Server
	smtp    *smtp.Server
	imapLn  net.Listener
	smtpLn  net.Listener
	serving sync.WaitGroup

	mu      sync.Mutex
	users   map[string]*user // by address, lower case, without the plus part
	arrival chan struct{}    // closed and replaced at each delivery
}

type user struct {
	address, password string
	mail              *imapmemserver.User
	delivered         [][]byte
}

// Start starts both servers. The error is that of a port that cannot be had, or of making the
// certificate.
func Start(o Options) (*Server, error) {
	o.Domain = orElse(o.Domain, "example.org")
	o.IMAPAddr = orElse(o.IMAPAddr, "127.0.0.1:0")
	o.SMTPAddr = orElse(o.SMTPAddr, "127.0.0.1:0")
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	s := &Server{options: o, mem: imapmemserver.New(),
		users: make(map[string]*user), arrival: make(chan struct{})}
	if o.TLS != TLSNone {
		cert, err := newCertificate(o.Domain)
		if err != nil {
			return nil, fmt.Errorf("make a certificate: %w", err)
		}
		s.cert = cert
	}
	s.newIMAP()
	s.newSMTP()
	if err := s.listen(); err != nil {
		return nil, err
	}
	s.serving.Go(func() { s.imap.Serve(s.imapLn) })
	s.serving.Go(func() { s.smtp.Serve(s.smtpLn) })
	return s, nil
}

func (s *Server) listen() error {
	var err error
	if s.imapLn, err = s.listenOn(s.options.IMAPAddr); err != nil {
		return err
	}
	if s.smtpLn, err = s.listenOn(s.options.SMTPAddr); err != nil {
		s.imapLn.Close()
		return err
	}
	return nil
}

func (s *Server) listenOn(addr string) (net.Listener, error) {
	if s.options.TLS == TLSImplicit {
		return tls.Listen("tcp", addr, s.cert.server)
	}
	return net.Listen("tcp", addr)
}

// IMAPAddr returns host and port of the IMAP server.
func (s *Server) IMAPAddr() string { return s.imapLn.Addr().String() }

// SMTPAddr returns host and port of the SMTP server.
func (s *Server) SMTPAddr() string { return s.smtpLn.Addr().String() }

// ClientTLS returns settings under which a client believes the certificate of this server;
// nil if it has none.
func (s *Server) ClientTLS() *tls.Config { return s.cert.client.Clone() }

// AddUser makes a mailbox for addr with an empty INBOX. The user logs in to both servers with
// the whole address. A user of the same address is replaced, his mail with him.
func (s *Server) AddUser(addr, password string) {
	addr = bare(addr)
	u := &user{address: addr, password: password, mail: imapmemserver.NewUser(addr, password)}
	u.mail.Create("INBOX", nil) // Cannot exist yet.
	s.mem.AddUser(u.mail)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.users[addr] = u
}

// lookup returns the user whom mail to addr belongs to, nil if there is none.
func (s *Server) lookup(addr string) *user {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.users[bare(addr)]
}

// Close ends both servers and every connection to them, and waits for that.
func (s *Server) Close() {
	s.imapLn.Close() // The libraries do not know of a listener before they serve it.
	s.smtpLn.Close()
	s.imap.Close()
	s.smtp.Close()
	s.serving.Wait()
}

// bare is addr in lower case without what stands behind a plus sign.
func bare(addr string) string {
	local, domain, ok := strings.Cut(strings.ToLower(addr), "@")
	if !ok {
		return local
	}
	local, _, _ = strings.Cut(local, "+")
	return local + "@" + domain
}

func orElse(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

// logger hands on what the libraries log.
type logger struct{ log *slog.Logger }

func (l logger) Printf(format string, args ...any) {
	l.log.Debug("mail server", "text", fmt.Sprintf(format, args...))
}

func (l logger) Println(args ...any) { l.log.Debug("mail server", "text", fmt.Sprint(args...)) }
