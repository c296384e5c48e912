package lmtp

import (
	"net"
	"sync"
	"time"
)

// connections are those open now. The library can wait for them to end, but mail servers keep
// idle ones open; so each is told to end once it has no mail in hand.
type connections struct {
	slots chan struct{} // one taken by each connection

	mu      sync.Mutex
	all     map[*conn]struct{}
	closing bool
}

// finish lets connections end as soon as they are idle.
func (o *connections) finish() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closing = true
	for c := range o.all {
		c.endIfIdle()
	}
}

// cut closes all connections.
func (o *connections) cut() {
	o.mu.Lock()
	defer o.mu.Unlock()
	for c := range o.all {
		c.Conn.Close()
	}
}

// listener hands out connections, as many at a time as there are slots.
type listener struct {
	net.Listener
	open *connections
}

func (l listener) Accept() (net.Conn, error) {
	raw, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	l.open.slots <- struct{}{}
	c := &conn{Conn: raw, open: l.open}
	l.open.mu.Lock()
	defer l.open.mu.Unlock()
	l.open.all[c] = struct{}{}
	if l.open.closing {
		c.endIfIdle()
	}
	return c, nil
}

// conn is a connection that knows whether a mail is in hand.
type conn struct {
	net.Conn
	open   *connections
	closed sync.Once

	mu   sync.Mutex
	busy bool // between MAIL and the answer to the whole mail
	last bool // ends when not busy
}

var longAgo = time.Unix(1, 0)

func (c *conn) endIfIdle() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last = true
	if !c.busy {
		c.Conn.SetReadDeadline(longAgo) // The library says 421 and closes.
	}
}

// begin says that a mail is in hand.
func (c *conn) begin() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.busy = true
}

// end says that it is no more. The next read ends the connection if it is to end.
func (c *conn) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.busy = false
}

// SetReadDeadline is called by the library before each command.
func (c *conn) SetReadDeadline(t time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.last && !c.busy {
		t = longAgo
	}
	return c.Conn.SetReadDeadline(t)
}

func (c *conn) Close() error {
	c.closed.Do(func() {
		c.open.mu.Lock()
		delete(c.open.all, c)
		c.open.mu.Unlock()
		<-c.open.slots
	})
	return c.Conn.Close()
}
