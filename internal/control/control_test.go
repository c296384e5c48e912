package control_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pbem/internal/control"
)

// serve serves h and returns the socket, and what Serve returns when stopped.
func serve(t *testing.T, h http.HandlerFunc) (path string, stop func() error) {
	t.Helper()
	path = control.Path(filepath.Join(t.TempDir(), "pbem.db"))
	return path, serveAt(t, path, h)
}

func serveAt(t *testing.T, path string, h http.HandlerFunc) (stop func() error) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- control.Serve(ctx, path, h) }()
	for {
		resp, err := control.Ask(t.Context(), path, "GET", "/ready")
		if err == nil {
			resp.Body.Close()
		}
		if !errors.Is(err, control.ErrNobody) {
			break
		}
		select {
		case err := <-done:
			t.Fatalf("Serve: %v", err)
		case <-time.After(time.Millisecond):
		}
	}
	return func() error { cancel(); return <-done }
}

func TestAsk(t *testing.T) {
	path, stop := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/no" {
			http.Error(w, "no message 7", http.StatusNotFound)
			return
		}
		fmt.Fprint(control.Patient(w), r.Method, " ", r.URL)
	})
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v; want 0600", info.Mode(), err)
	}
	resp, err := control.Ask(t.Context(), path, "POST", "/a?b=c")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if text, err := io.ReadAll(resp.Body); string(text) != "POST /a?b=c" || err != nil {
		t.Errorf("answer %q, %v", text, err)
	}
	if _, err := control.Ask(t.Context(), path, "GET", "/no"); err == nil || err.Error() != "no message 7" {
		t.Errorf("Ask = %v", err)
	}
	if err := stop(); !errors.Is(err, context.Canceled) {
		t.Errorf("Serve = %v", err)
	}
	if _, err := control.Ask(t.Context(), path, "GET", "/"); !errors.Is(err, control.ErrNobody) {
		t.Errorf("Ask afterwards = %v, want %v", err, control.ErrNobody)
	}
	if files, _ := os.ReadDir(filepath.Dir(path)); len(files) != 0 {
		t.Errorf("files left: %v", files)
	}
}

// A process that was killed leaves its socket behind.
func TestStaleSocket(t *testing.T) {
	path, stop := serve(t, func(http.ResponseWriter, *http.Request) {})
	stale := filepath.Join(t.TempDir(), "stale")
	if err := os.Rename(path, stale); err != nil {
		t.Fatal(err)
	}
	stop()
	if err := os.Rename(stale, path); err != nil {
		t.Fatal(err)
	}
	if _, err := control.Ask(t.Context(), path, "GET", "/"); !errors.Is(err, control.ErrNobody) {
		t.Errorf("Ask at a stale socket = %v, want %v", err, control.ErrNobody)
	}
	stop = serveAt(t, path, func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "new") })
	if resp, err := control.Ask(t.Context(), path, "GET", "/"); err != nil {
		t.Errorf("Ask = %v", err)
	} else {
		resp.Body.Close()
	}
	stop()
}

// An answer that is cut short must not be taken for a whole one.
func TestCutShort(t *testing.T) {
	path, stop := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/ready" {
			return
		}
		w.Header().Set("Content-Length", "100")
		io.WriteString(w, strings.Repeat("x", 50))
		panic(http.ErrAbortHandler)
	})
	defer stop()
	resp, err := control.Ask(t.Context(), path, "GET", "/")
	if err == nil {
		defer resp.Body.Close()
		_, err = io.ReadAll(resp.Body)
	}
	if err == nil {
		t.Error("half an answer was taken for a whole one")
	}
}
