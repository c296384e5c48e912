package smtpout_test

import (
	"bufio"
	"fmt"
	"net"
	"strings"
	"sync"
	"testing"
)

// badServer is an SMTP server that takes every mail, but for what a test makes it answer.
type badServer struct {
	ln    net.Listener
	conns sync.WaitGroup

	ext []string // told after EHLO
	// on returns the answer to a line, by connection (from 1) and the line; empty: the usual
	// one. The greeting is the answer to "", the last dot's to ".". "cut" closes, "stall" says
	// nothing any more, "freeze" behind an answer reads nothing any more.
	on func(n int, line string) string

	mu    sync.Mutex
	lines []string // all that was said outside of mails
	open  []net.Conn
	over  chan struct{}
}

func startBad(t *testing.T, on func(n int, line string) string, ext ...string) *badServer {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &badServer{ln: ln, on: on, ext: ext, over: make(chan struct{})}
	s.conns.Go(func() {
		for n := 1; ; n++ {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			s.mu.Lock()
			s.open = append(s.open, c)
			s.mu.Unlock()
			s.conns.Go(func() { s.serve(c, n) })
		}
	})
	t.Cleanup(func() {
		ln.Close()
		close(s.over)
		s.mu.Lock()
		for _, c := range s.open {
			c.Close()
		}
		s.mu.Unlock()
		s.conns.Wait()
	})
	return s
}

func (s *badServer) addr() string { return s.ln.Addr().String() }

func (s *badServer) said() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.lines, "\n")
}

func (s *badServer) connections() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.open)
}

func (s *badServer) serve(c net.Conn, n int) {
	defer c.Close()
	r := bufio.NewReader(c)
	line, inMail := "", false
	for {
		answer := s.on(n, line)
		switch verb, _, _ := strings.Cut(line, " "); {
		case answer == "cut":
			return
		case answer == "stall":
			r.WriteTo(discard{})
			return
		case strings.HasSuffix(answer, "freeze"):
			fmt.Fprintf(c, "%s", strings.TrimSuffix(answer, "freeze"))
			<-s.over
			return
		case answer != "":
		case line == "":
			answer = "220 ready"
		case verb == "EHLO":
			answer = "250-hello"
			for _, e := range s.ext {
				answer += "\r\n250-" + e
			}
			answer += "\r\n250 8BITMIME"
		case verb == "DATA":
			answer = "354 go on"
		case verb == "QUIT":
			answer = "221 bye"
		case line == ".":
			answer = "250 2.0.0 queued as A1B2"
		default:
			answer = "250 ok"
		}
		inMail = strings.HasPrefix(answer, "354")
		fmt.Fprintf(c, "%s\r\n", answer)
		for {
			raw, err := r.ReadString('\n')
			if err != nil {
				return
			}
			line = strings.TrimRight(raw, "\r\n")
			if !inMail || line == "." {
				break
			}
		}
		s.mu.Lock()
		s.lines = append(s.lines, line)
		s.mu.Unlock()
	}
}

type discard struct{}

func (discard) Write(b []byte) (int, error) { return len(b), nil }

// at answers lines that begin with prefix on the first connections.
func at(connections int, prefix, answer string) func(int, string) string {
	return func(n int, line string) string {
		if n <= connections && strings.HasPrefix(line, prefix) && (prefix != "" || line == "") {
			return answer
		}
		return ""
	}
}
