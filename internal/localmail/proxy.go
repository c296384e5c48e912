package localmail

import (
	"bytes"
	"io"
	"net"
	"sync"
	"sync/atomic"
)

// Side is one end of a connection.
type Side uint8

// The sides.
const (
	FromServer Side = iota
	FromClient
)

// Action is what a fault does.
type Action uint8

// The actions.
const (
	Cut   Action = iota // both ends see the connection closed
	Stall               // nothing passes any more, either way; nobody is told
)

// Fault is one thing that goes wrong on a connection. It strikes when After bytes from one
// side have passed or, if Match is set, when Match has passed After times; what is counted
// still reaches the other side, nothing behind it does. The zero value cuts the connection
// before the server has said a word.
type Fault struct {
	Side  Side
	After int64
	Match string
	Do    Action
}

// Proxy stands between clients and one server and breaks connections on demand.
type Proxy struct {
	ln     net.Listener
	target string
	wg     sync.WaitGroup
	taken  atomic.Int64

	mu     sync.Mutex
	plan   []Fault
	open   map[net.Conn]struct{}
	closed bool
}

// NewProxy starts a proxy on a free port before target, a host and port. The n-th connection
// meets the n-th fault of plan; when the plan is used up, connections are sound.
func NewProxy(target string, plan ...Fault) (*Proxy, error) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &Proxy{ln: ln, target: target, plan: plan, open: make(map[net.Conn]struct{})}
	p.wg.Go(p.accept)
	return p, nil
}

// Addr returns host and port to connect to.
func (p *Proxy) Addr() string { return p.ln.Addr().String() }

// Connections returns how many connections were taken so far.
func (p *Proxy) Connections() int { return int(p.taken.Load()) }

// CutAll closes every open connection. New ones are taken as before.
func (p *Proxy) CutAll() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range p.open {
		c.Close()
	}
}

// Close closes everything and waits for it.
func (p *Proxy) Close() {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	p.ln.Close()
	p.CutAll()
	p.wg.Wait()
}

func (p *Proxy) accept() {
	for {
		client, err := p.ln.Accept()
		if err != nil {
			return
		}
		p.taken.Add(1)
		p.wg.Go(func() { p.carry(client) })
	}
}

// carry passes bytes both ways until one side is closed.
func (p *Proxy) carry(client net.Conn) {
	defer client.Close()
	server, err := net.Dial("tcp", p.target)
	if err != nil {
		return
	}
	defer server.Close()
	fault, faulty, ok := p.begin(client, server)
	defer p.end(client, server)
	if !ok {
		return
	}
	stalled := make(chan struct{})
	var both sync.WaitGroup
	pass := func(to, from net.Conn, side Side) {
		defer to.Close()
		defer from.Close()
		if !faulty || fault.Side != side {
			io.Copy(gate{to, stalled}, from)
			return
		}
		strike := func() { close(stalled) }
		if !fault.pass(to, from, strike) || fault.Do == Cut {
			return
		}
		io.Copy(io.Discard, from) // Until somebody gives up.
	}
	both.Go(func() { pass(server, client, FromClient) })
	both.Go(func() { pass(client, server, FromServer) })
	both.Wait()
}

func (p *Proxy) begin(client, server net.Conn) (f Fault, faulty, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.plan) > 0 {
		f, p.plan, faulty = p.plan[0], p.plan[1:], true
	}
	p.open[client], p.open[server] = struct{}{}, struct{}{}
	return f, faulty, !p.closed
}

func (p *Proxy) end(client, server net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.open, client)
	delete(p.open, server)
}

// pass copies until the fault strikes and reports whether it did. It calls strike before it
// hands over the last byte, so that no answer to that byte slips through.
func (f Fault) pass(to io.Writer, from io.Reader, strike func()) bool {
	if f.Match != "" {
		return f.passMatches(to, from, strike)
	}
	if f.After > 1 {
		if _, err := io.CopyN(to, from, f.After-1); err != nil {
			return false
		}
	}
	one := make([]byte, min(f.After, 1))
	if _, err := io.ReadFull(from, one); err != nil {
		return false
	}
	strike()
	to.Write(one)
	return true
}

func (f Fault) passMatches(to io.Writer, from io.Reader, strike func()) bool {
	left := max(f.After, 1)
	tail, one := []byte(nil), make([]byte, 1)
	for {
		if _, err := from.Read(one); err != nil {
			return false
		}
		tail = append(tail, one[0])
		tail = tail[max(0, len(tail)-len(f.Match)):]
		if bytes.Equal(tail, []byte(f.Match)) {
			left--
		}
		if left == 0 {
			strike()
		}
		if _, err := to.Write(one); err != nil || left == 0 {
			return left == 0
		}
	}
}

// gate swallows what is written once stalled is closed.
type gate struct {
	to      io.Writer
	stalled <-chan struct{}
}

func (g gate) Write(b []byte) (int, error) {
	select {
	case <-g.stalled:
		return len(b), nil
	default:
		return g.to.Write(b)
	}
}
