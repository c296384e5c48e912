package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"pbem/config"
)

// asker asks questions on a terminal.
type asker struct {
	in     io.Reader
	out    io.Writer
	hidden func() (string, error) // reads a line that is not shown
}

// asker returns one if stdin is a terminal.
func (e env) asker() (asker, bool) {
	f, ok := e.stdin.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return asker{}, false
	}
	return asker{in: f, out: e.stdout, hidden: func() (string, error) {
		b, err := term.ReadPassword(int(f.Fd()))
		return string(b), err
	}}, true
}

// errNoAnswer means that the terminal was closed in the middle of the questions.
var errNoAnswer = errors.New("init: stopped; nothing was written")

// ask asks until check finds nothing wrong with the answer; an empty one means what stands in
// the brackets.
func (a asker) ask(question, usual string, check func(answer string) error) error {
	if usual != "" {
		question += " [" + usual + "]"
	}
	for {
		fmt.Fprintf(a.out, "%s: ", question)
		answer, err := a.line()
		if err != nil {
			return err
		}
		if answer == "" {
			answer = usual
		}
		if err := check(answer); err != nil {
			fmt.Fprintf(a.out, "  %v\n", err)
			continue
		}
		return nil
	}
}

// line reads a line, byte by byte: what follows may be the password, which is read otherwise.
func (a asker) line() (string, error) {
	var line []byte
	for b := make([]byte, 1); ; {
		n, err := a.in.Read(b)
		if n == 1 && b[0] == '\n' {
			return strings.TrimSpace(string(line)), nil
		}
		line = append(line, b[:n]...)
		if err != nil {
			fmt.Fprintln(a.out)
			return "", errNoAnswer
		}
	}
}

// ask asks for what is needed; what flags have said already is what Enter stands for.
func (s *setup) ask(a asker) error {
	fmt.Fprint(a.out, "pbem plays shogi by mail from a mail account of its own. A few questions on it;\n"+
		"Enter alone takes what stands in [brackets].\n\n")
	if err := a.ask("Address that players write to", s.address, s.setAddress); err != nil {
		return err
	}
	usual := "imap"
	if s.lmtp != "" {
		usual = "lmtp"
	}
	err := a.ask("How does mail come in? imap: pbem fetches it from a mailbox;\n"+
		"lmtp: a mail server on this machine hands it over", usual, s.setWayIn)
	if err != nil {
		return err
	}
	if s.lmtp != "" {
		if err := a.ask("Where should pbem listen for it", s.lmtp, s.setLMTP); err != nil {
			return err
		}
	}
	s.guess()
	if s.lmtp == "" {
		if err := a.ask("IMAP server", s.imap.addr(), s.imap.answer("993")); err != nil {
			return err
		}
	}
	if err := a.ask("SMTP server, through which mail goes out", s.smtp.addr(), s.smtp.answer("465")); err != nil {
		return err
	}
	if !s.needsPassword() {
		return nil
	}
	if err := a.ask("Name to log in with", s.user, func(answer string) error { s.user = answer; return nil }); err != nil {
		return err
	}
	return s.askPassword(a)
}

func (s *setup) askPassword(a asker) error {
	path := s.beside(s.passwordFile)
	enter := "Enter alone: you write it into " + path + " later"
	if !empty(path) {
		enter = "Enter alone: that of " + path + " is kept"
	}
	fmt.Fprintf(a.out, "Password, which is not shown (%s): ", enter)
	password, err := a.hidden()
	fmt.Fprint(a.out, "\n\n")
	if err != nil {
		return errNoAnswer
	}
	s.password = password
	return nil
}

func (s *setup) setAddress(answer string) error {
	s.address = answer
	return mistake(config.Config{Service: config.Service{Address: answer, PlusAddressing: s.plus}}, "service.address")
}

func (s *setup) setWayIn(answer string) error {
	switch strings.ToLower(answer) {
	case "imap":
		s.lmtp = ""
	case "lmtp":
		if s.lmtp == "" {
			s.lmtp = "unix:/run/pbem/lmtp.sock"
		}
		s.imap = server{}
	default:
		return fmt.Errorf("write imap or lmtp")
	}
	return nil
}

func (s *setup) setLMTP(answer string) error {
	s.lmtp = answer
	return mistake(config.Config{LMTP: config.LMTP{Listen: answer}}, "lmtp.listen")
}

// answer takes a server that was typed; one that is as it was keeps its security.
func (s *server) answer(port string) func(string) error {
	return func(text string) error {
		if text == s.addr() {
			return nil
		}
		typed := server{}
		if err := typed.Set(text); err != nil {
			return err
		}
		typed.complete(port)
		*s = typed
		return nil
	}
}

// mistake returns what is wrong with one setting of c.
func mistake(c config.Config, key string) error {
	var problems *config.Problems
	if errors.As(c.Validate(), &problems) {
		for _, p := range problems.List {
			if p.Key == key {
				return errors.New(p.Text)
			}
		}
	}
	return nil
}
