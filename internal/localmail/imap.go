package localmail

import (
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapserver"
)

// Caps is a choice of what the IMAP server offers.
type Caps uint8

// The sets of capabilities. All of them have IDLE.
const (
	CapsFull    Caps = iota // IMAP4rev2: MOVE, UIDPLUS, ESEARCH
	CapsBasic               // IMAP4rev1 alone: neither MOVE nor UIDPLUS
	CapsUIDPlus             // IMAP4rev1 with UIDPLUS, no MOVE
)

func (c Caps) set() imap.CapSet {
	switch c {
	case CapsBasic:
		return imap.CapSet{imap.CapIMAP4rev1: {}}
	case CapsUIDPlus:
		return imap.CapSet{imap.CapIMAP4rev1: {}, imap.CapUIDPlus: {}}
	default:
		return imap.CapSet{imap.CapIMAP4rev1: {}, imap.CapIMAP4rev2: {}}
	}
}

func (s *Server) newIMAP() {
	o := &imapserver.Options{
		NewSession: func(*imapserver.Conn) (imapserver.Session, *imapserver.GreetingData, error) {
			return &mailbox{s.mem.NewSession().(imapserver.SessionIMAP4rev2), s}, nil, nil
		},
		Caps:         s.options.Caps.set(),
		InsecureAuth: s.options.TLS == TLSNone || s.options.TLS == TLSStart,
		Logger:       logger{s.options.Log},
	}
	if s.options.TLS == TLSStart || s.options.TLS == TLSRequired {
		o.TLSConfig = s.cert.server
	}
	s.imap = imapserver.New(o)
}

// mailbox is a session of the library with an IDLE that tells everything.
type mailbox struct {
	imapserver.SessionIMAP4rev2
	server *Server
}

// Idle tells of mail at once, also of mail that came just before IDLE: the library's own stays
// silent about that until the next one comes. Other changes are told soon.
func (m *mailbox) Idle(w *imapserver.UpdateWriter, stop <-chan struct{}) error {
	others := time.NewTicker(200 * time.Millisecond)
	defer others.Stop()
	for {
		next := m.server.nextArrival()
		if err := m.Poll(w, true); err != nil {
			return err
		}
		select {
		case <-next:
		case <-others.C:
		case <-stop:
			return nil
		}
	}
}
