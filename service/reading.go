package service

import (
	"fmt"
	"strings"

	"pbem/mailer"
	"pbem/notation"
	"pbem/rules"
)

// Reading is what a message says, before anybody asks whether its sender may
// say it.
type Reading struct {
	Commands []string // English names with the arguments as typed; without say
	Move     string   // the legal move, in Hodges notation; empty if there is none, or not just one
	Note     string   // for the opponent
	Problem  error    // why Move is empty, though the lines hold one
}

// Read returns what m says in the game that v shows, as [Handle] reads it. A
// mail that is not answered says nothing, and neither does one that the host
// which took it in found to be forged.
func Read(m mailer.Message, v View) Reading {
	var r Reading
	if !Answers(m) || mailer.Forged(m) {
		return r
	}
	var notes []string
	for _, b := range blocks(v.heard(m.Subject, m.Lines)) {
		for _, u := range v.understand(b.lines) {
			note := u.text()
			switch {
			case u.cmd == nil:
				var moves []rules.Move
				moves, r.Problem = v.move(u.moves)
				if r.Problem == nil && len(moves) == 1 {
					r.Move = notation.Hodges(v.now, moves[0])
				} else {
					note = ""
				}
			case u.cmd.name == "say":
				note = strings.Trim(fmt.Sprintf("%s\n%s", u.args, note), "\n")
			default:
				r.Commands = append(r.Commands, strings.TrimSpace(u.cmd.name+" "+u.args))
			}
			if note != "" {
				notes = append(notes, note)
			}
		}
	}
	r.Note = strings.Join(notes, "\n")
	return r
}

// Answers reports whether the service may answer m at all.
func Answers(m mailer.Message) bool { return m.Kind == mailer.Personal && silent(m) == "" }
