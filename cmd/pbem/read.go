package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"pbem/mailer"
	"pbem/notation"
	"pbem/rules"
	"pbem/service"
)

// readMail is what pbem read prints of one message. The names of the fields are
// those of the mail cases that the reading is measured by.
type readMail struct {
	File     string       `json:"file"`
	Error    string       `json:"error,omitempty"` // why nothing could be read
	Kind     string       `json:"kind"`            // reply, new, autoreply, bounce, list; hostile if nothing could be read
	Why      string       `json:"why,omitempty"`   // what says so, if no person wrote
	From     string       `json:"from"`
	Subject  string       `json:"subject"`
	Token    string       `json:"token"`
	Lines    []string     `json:"lines"`
	Moves    []string     `json:"moves"`
	Problem  string       `json:"problem,omitempty"` // why there is no move, though one is written
	Commands []string     `json:"commands"`
	Note     string       `json:"note"`
	Answer   bool         `json:"answer"`
	Bounced  *readBounce  `json:"bounced"`
	Auth     []readResult `json:"auth"`
}

// readBounce is what a report tells of a mail of ours.
type readBounce struct {
	Address string `json:"address"`
	Action  string `json:"action"`
	Status  string `json:"status,omitempty"`
}

// readResult is the topmost Authentication-Results field of a host.
type readResult struct {
	Host  string `json:"host"`
	DMARC string `json:"dmarc"`
	From  string `json:"from"`
}

func runRead(ctx context.Context, e env) int {
	e.args = flagsFirst(e.args)
	flags := e.flagSet("[flags] FILE.eml...", "Prints what the service reads in messages, one JSON object a file.")
	sfen := flags.String("sfen", "", "the position that the moves are read in, an `SFEN` (default the start)")
	name := flags.String("variant", "shogi", "the `NAME` of the variant")
	if code, ok := e.parse(flags, len(e.args)); !ok {
		return code
	}
	if flags.NArg() == 0 {
		return e.misused("read: no file is named", "pbem help read")
	}
	view, err := viewFrom(*name, *sfen)
	if err != nil {
		return e.misused("read: "+err.Error(), "pbem help read")
	}
	out := json.NewEncoder(e.stdout)
	out.SetEscapeHTML(false)
	code := done
	for _, file := range flags.Args() {
		if ctx.Err() != nil {
			return e.fail(ctx.Err())
		}
		r, err := readFile(file, view, *sfen != "")
		if err != nil {
			code = e.fail(err)
		}
		if err := out.Encode(r); err != nil {
			return e.fail(err)
		}
	}
	return code
}

// flagsFirst puts the flags and their values before the files, since they are
// often typed behind them.
func flagsFirst(args []string) []string {
	var flags, files []string
	for i := 0; i < len(args); i++ {
		switch arg := args[i]; {
		case arg == "--":
			return append(append(flags, arg), append(files, args[i+1:]...)...)
		case !strings.HasPrefix(arg, "-") || arg == "-":
			files = append(files, arg)
		case strings.Contains(arg, "=") || strings.HasSuffix(arg, "-h") || strings.HasSuffix(arg, "-help") || i+1 == len(args):
			flags = append(flags, arg)
		default:
			flags = append(flags, arg, args[i+1])
			i++
		}
	}
	return append(flags, files...)
}

// viewFrom returns the view of a game of that variant in the position that sfen
// describes, or at its start.
func viewFrom(variant, sfen string) (service.View, error) {
	v, ok := rules.ByName(variant)
	if !ok {
		return service.View{}, fmt.Errorf("there is no variant %q", variant)
	}
	if sfen == "" {
		return service.NewView(v.Start(), 1), nil
	}
	p, number, err := notation.ParseSFEN(v, sfen)
	if err != nil {
		return service.View{}, err
	}
	return service.NewView(p, number), nil
}

// readFile reads the message in a file. A mail that carries no token, read
// without a position, is about no game.
func readFile(file string, view service.View, given bool) (readMail, error) {
	r := readMail{File: file, Kind: "hostile", Lines: []string{}, Moves: []string{}, Commands: []string{}, Auth: []readResult{}}
	raw, err := os.ReadFile(file)
	if err != nil {
		return r, err
	}
	m, err := mailer.Parse(raw, mailer.ParseOptions{})
	if err != nil { // the service would set it aside
		r.Error = err.Error()
		return r, nil
	}
	if !given && m.Token() == "" {
		view = service.View{}
	}
	r = describe(m, service.Read(m, view))
	r.File = file
	return r, nil
}

// describe gathers what was read.
func describe(m mailer.Message, read service.Reading) readMail {
	r := readMail{
		Kind: kindName(m), Why: m.Why, From: m.From.Addr, Subject: m.Subject, Token: m.Token(),
		Lines: append([]string{}, m.Lines...), Commands: append([]string{}, read.Commands...),
		Note: read.Note, Answer: service.Answers(m), Moves: []string{}, Auth: []readResult{},
	}
	if read.Move != "" {
		r.Moves = append(r.Moves, read.Move)
	}
	if read.Problem != nil {
		r.Problem = read.Problem.Error()
	}
	if m.Kind == mailer.Bounce {
		r.Bounced = &readBounce{m.Bounce.Failed, m.Bounce.Action, m.Bounce.Status}
	}
	seen := map[string]bool{}
	for _, a := range m.Auth {
		if !seen[a.Host] {
			seen[a.Host] = true
			r.Auth = append(r.Auth, readResult{a.Host, a.DMARC, a.From})
		}
	}
	return r
}

func kindName(m mailer.Message) string {
	switch m.Kind {
	case mailer.Bounce:
		return "bounce"
	case mailer.List:
		return "list"
	case mailer.AutoReply, mailer.Own:
		return "autoreply"
	}
	if m.Token() == "" && len(m.InReplyTo)+len(m.References) == 0 && !strings.Contains(m.Subject, "[Shogi") {
		return "new"
	}
	return "reply"
}
