package imapbox_test

import (
	"bufio"
	"fmt"
	"maps"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// badServer is an IMAP server that behaves, but for the commands a test takes over: it stands
// in for servers that no library would write.
type badServer struct {
	t     *testing.T
	ln    net.Listener
	conns sync.WaitGroup

	// on is asked before the server answers a command, by its name ("UID FETCH"); true means
	// that it was dealt with. "" is the greeting.
	on map[string]func(p *peer, tag, rest string) bool

	mu       sync.Mutex
	caps     string
	validity string // the response line of SELECT, without CRLF; empty: none
	flags    string // PERMANENTFLAGS
	mails    map[uint32]*badMail
	log      []string // commands, without tags
	peers    []*peer
}

type badMail struct {
	raw   string
	size  int // told; 0: the true one
	flags string
}

// peer is one connection to a badServer.
type peer struct {
	*badServer
	net.Conn
	r *bufio.Reader
	n int // which connection it is, from 1
}

func startBad(t *testing.T, mails ...string) *badServer {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &badServer{
		t: t, ln: ln, on: make(map[string]func(*peer, string, string) bool), mails: make(map[uint32]*badMail),
		caps: "IMAP4rev1 IDLE", validity: "* OK [UIDVALIDITY 7] ok", flags: `\Seen \Deleted \*`,
	}
	for i, raw := range mails {
		s.mails[uint32(i+1)] = &badMail{raw: raw}
	}
	t.Cleanup(func() {
		ln.Close()
		s.mu.Lock()
		for _, p := range s.peers {
			p.Close()
		}
		s.mu.Unlock()
		s.conns.Wait()
	})
	return s
}

// serve begins to take connections; on must not change any more.
func (s *badServer) serve() string {
	s.conns.Go(func() {
		for n := 1; ; n++ {
			conn, err := s.ln.Accept()
			if err != nil {
				return
			}
			p := &peer{badServer: s, Conn: conn, r: bufio.NewReader(conn), n: n}
			s.mu.Lock()
			s.peers = append(s.peers, p)
			s.mu.Unlock()
			s.conns.Go(p.serve)
		}
	})
	return s.ln.Addr().String()
}

func (s *badServer) put(uid uint32, raw string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mails[uid] = &badMail{raw: raw}
}

// said returns the commands that were given, joined by lines.
func (s *badServer) said() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.log, "\n")
}

func (s *badServer) connections() int { return len(s.all()) }

func (s *badServer) all() []*peer {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.peers)
}

func (p *peer) say(format string, args ...any) { fmt.Fprintf(p, format+"\r\n", args...) }

func (p *peer) serve() {
	defer p.Close()
	if on := p.on[""]; on == nil || !on(p, "", "") {
		p.say("* OK ready")
	}
	for {
		line, err := p.r.ReadString('\n')
		if err != nil {
			return
		}
		tag, command, _ := strings.Cut(strings.TrimRight(line, "\r\n"), " ")
		p.note(command)
		verb, rest, _ := strings.Cut(command, " ")
		if verb == "UID" {
			var second string
			second, rest, _ = strings.Cut(rest, " ")
			verb += " " + second
		}
		if on := p.on[verb]; on != nil && on(p, tag, rest) {
			continue
		}
		p.answer(tag, verb, rest)
	}
}

func (p *peer) note(command string) {
	for _, bad := range []string{"ENVELOPE", "BODYSTRUCTURE", "QRESYNC", "BODY[]", " ()"} { // Traps B13, B14, B9.
		if strings.Contains(command, bad) {
			p.t.Errorf("the client said %q", command)
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if strings.HasPrefix(command, "LOGIN") {
		command = "LOGIN"
	}
	p.log = append(p.log, command)
}

func (p *peer) answer(tag, verb, rest string) {
	switch verb {
	case "CAPABILITY":
		p.say("* CAPABILITY %s", p.caps)
	case "SELECT":
		p.say("* %d EXISTS\r\n* FLAGS (\\Seen \\Deleted)\r\n* OK [PERMANENTFLAGS (%s)] ok", len(p.uids()), p.flags)
		if p.validity != "" {
			p.say("%s", p.validity)
		}
	case "UID SEARCH", "SEARCH":
		p.search(verb, rest)
	case "UID FETCH", "FETCH":
		p.fetch(verb, rest, false)
	case "UID STORE":
		p.store(rest)
	case "IDLE":
		p.say("+ idling")
		p.r.ReadString('\n')
	}
	p.say("%s OK done", tag)
}

func (p *peer) uids() []uint32 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Sorted(maps.Keys(p.mails))
}

// in parses a set and returns the numbers of all that it holds.
func in(set string, all []uint32) (found []uint32) {
	last := uint32(0)
	if len(all) > 0 {
		last = all[len(all)-1]
	}
	number := func(s string) uint32 {
		if s == "*" {
			return last
		}
		n, _ := strconv.ParseUint(s, 10, 32)
		return uint32(n)
	}
	for part := range strings.SplitSeq(set, ",") {
		first, second, isRange := strings.Cut(part, ":")
		if !isRange {
			second = first
		}
		low, high := number(first), number(second)
		low, high = min(low, high), max(low, high)
		for _, n := range all {
			if low <= n && n <= high {
				found = append(found, n)
			}
		}
	}
	return found
}

func (p *peer) search(verb, rest string) {
	words := strings.Fields(rest)
	all := p.uids()
	var found []string
	for _, uid := range in(words[1], all) {
		p.mu.Lock()
		flags := p.mails[uid].flags
		p.mu.Unlock()
		if len(words) == 4 && words[2] == "UNKEYWORD" && strings.Contains(flags, words[3]) ||
			len(words) == 3 && words[2] == "UNSEEN" && strings.Contains(flags, `\Seen`) {
			continue
		}
		n := int(uid)
		if verb == "SEARCH" {
			n = slices.Index(all, uid) + 1
		}
		found = append(found, strconv.Itoa(n))
	}
	p.say("* %s", strings.Join(append([]string{"SEARCH"}, found...), " "))
}

// fetch answers a FETCH; uidLast puts the UID behind the body.
func (p *peer) fetch(verb, rest string, uidLast bool) {
	set, items, _ := strings.Cut(rest, " ")
	all := p.uids()
	uids := in(set, all)
	if verb == "FETCH" {
		uids = nil
		numbers := make([]uint32, len(all))
		for i := range all {
			numbers[i] = uint32(i + 1)
		}
		for _, seq := range in(set, numbers) {
			uids = append(uids, all[seq-1])
		}
	}
	for _, uid := range uids {
		p.tell(uid, items, uidLast)
	}
}

func (p *peer) tell(uid uint32, items string, uidLast bool) {
	p.mu.Lock()
	m := *p.mails[uid]
	p.mu.Unlock()
	seq := slices.Index(p.uids(), uid) + 1
	if m.size == 0 {
		m.size = len(m.raw)
	}
	var body string
	switch {
	case strings.Contains(items, "BODY.PEEK[]"):
		body = fmt.Sprintf("BODY[] {%d}\r\n%s", len(m.raw), m.raw)
	case strings.Contains(items, "BODY.PEEK[HEADER]<0"):
		header, _, _ := strings.Cut(m.raw, "\r\n\r\n")
		header += "\r\n\r\n"
		body = fmt.Sprintf("BODY[HEADER]<0> {%d}\r\n%s", len(header), header)
	default:
		p.say(`* %d FETCH (UID %d INTERNALDATE "02-Jan-2026 03:04:05 +0000" RFC822.SIZE %d)`, seq, uid, m.size)
		return
	}
	if uidLast {
		p.say("* %d FETCH (%s UID %d)", seq, body, uid)
	} else {
		p.say("* %d FETCH (UID %d %s)", seq, uid, body)
	}
}

func (p *peer) store(rest string) {
	set, change, _ := strings.Cut(rest, " ")
	uids := in(set, p.uids())
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, uid := range uids {
		p.mails[uid].flags += change
	}
}

// isBody reports whether a FETCH asks for bodies, not only for what is known without them.
func isBody(rest string) bool { return strings.Contains(rest, "BODY.PEEK") }

// once makes on apply to the first connection only.
func once(on func(p *peer, tag, rest string) bool) func(*peer, string, string) bool {
	return func(p *peer, tag, rest string) bool { return p.n == 1 && on(p, tag, rest) }
}

// silent says nothing any more, but leaves the connection open.
func silent(p *peer, _, _ string) bool {
	for {
		if _, err := p.r.ReadByte(); err != nil {
			return true
		}
	}
}
