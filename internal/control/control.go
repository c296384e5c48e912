// Package control is how a command of pbem asks the running service for
// something: only one process can hold the database. The service listens on
// a socket beside it that only its own user can reach, and speaks HTTP there,
// so that answers may be long, and one that was cut short is not taken for
// whole.
//
// It knows nothing of what is asked for.
package control

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// ErrNobody is returned by Ask where no service listens.
var ErrNobody = errors.New("nobody listens on the socket")

const (
	grace    = 5 * time.Second  // for answers under way when the service stops
	progress = 30 * time.Second // in which a part of an answer must be taken
)

// Path returns where the service on a database listens.
func Path(database string) string { return database + ".sock" }

// Serve answers requests on the socket at path until ctx ends. What a process
// that died has left at path is replaced: the caller holds the database, so
// nobody else can be listening.
func Serve(ctx context.Context, path string, h http.Handler) error {
	ln, err := listen(path)
	if err != nil {
		return fmt.Errorf("listen on %s: %w", path, err)
	}
	defer os.Remove(path)
	srv := &http.Server{
		Handler:           h,
		ReadHeaderTimeout: progress,
		BaseContext:       func(net.Listener) context.Context { return ctx },
	}
	stopped := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(stopped)
		late, cancel := context.WithTimeout(context.Background(), grace)
		defer cancel()
		if srv.Shutdown(late) != nil {
			srv.Close()
		}
	})
	err = srv.Serve(ln)
	if stop() { // It ended by itself.
		return err
	}
	<-stopped
	return ctx.Err()
}

// listen opens the socket in a folder that is closed to others and then moves
// it to its place: it is at no time open to them, and takes the place of an
// old one.
func listen(path string) (net.Listener, error) {
	dir, err := os.MkdirTemp(filepath.Dir(path), ".sock-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	tmp := filepath.Join(dir, "s")
	ln, err := net.Listen("unix", tmp)
	if err != nil {
		return nil, err
	}
	ln.(*net.UnixListener).SetUnlinkOnClose(false)
	if err = os.Chmod(tmp, 0o600); err == nil {
		err = os.Rename(tmp, path)
	}
	if err != nil {
		ln.Close()
		return nil, err
	}
	return ln, nil
}

// Ask sends a request to the service at path and returns its answer, which
// the caller closes; it may be long. The error is [ErrNobody] if there is no
// service, or what the service says.
func Ask(ctx context.Context, path, method, target string) (*http.Response, error) {
	transport := &http.Transport{
		DisableKeepAlives: true,
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, "unix", path)
		},
	}
	req, err := http.NewRequestWithContext(ctx, method, "http://pbem"+target, nil)
	if err != nil {
		return nil, err
	}
	resp, err := transport.RoundTrip(req)
	switch {
	case errors.Is(err, os.ErrNotExist), errors.Is(err, syscall.ECONNREFUSED):
		return nil, fmt.Errorf("%w: %s", ErrNobody, path)
	case err != nil:
		return nil, fmt.Errorf("ask the service at %s: %w", path, err)
	case resp.StatusCode != http.StatusOK:
		defer resp.Body.Close()
		text, _ := io.ReadAll(io.LimitReader(resp.Body, 1<<16))
		return nil, errors.New(strings.TrimSpace(string(text)))
	}
	return resp, nil
}

// Patient returns a writer to w that gives up where nobody takes what is
// written: whoever reads a snapshot keeps the database from using its free
// pages.
func Patient(w http.ResponseWriter) io.Writer {
	return patient{w, http.NewResponseController(w)}
}

type patient struct {
	w http.ResponseWriter
	c *http.ResponseController
}

func (p patient) Write(b []byte) (int, error) {
	if err := p.c.SetWriteDeadline(time.Now().Add(progress)); err != nil {
		return 0, err
	}
	return p.w.Write(b)
}
