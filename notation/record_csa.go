package notation

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"pbem/rules"
)

// csaTags are the facts that a CSA record names.
var csaTags = []struct{ key, name string }{
	{"$EVENT:", TagEvent}, {"$SITE:", TagSite}, {"$START_TIME:", TagDate}, {"$END_TIME:", TagEndDate},
	{"$TIME_LIMIT:", TagTime}, {"$TIME:", TagTime}, {"$OPENING:", TagOpening}, {"N+", TagBlack}, {"N-", TagWhite},
}

// csaReader is what reading a CSA file keeps beside the record.
type csaReader struct {
	*builder
	setup csaSetup
}

// readCSA reads the CSA standard format, versions 2.2 and 3.0. Of several
// games in a file it reads the first.
func (b *builder) readCSA(text string) error {
	if b.record.Variant != rules.Shogi() {
		return &UnsupportedError{"CSA", "games other than standard shogi"}
	}
	r := csaReader{builder: b}
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimRight(line, "\n \t")
		if line == "/" {
			break
		}
		statements := []string{line}
		if line != "" && !strings.ContainsRune("'$N", rune(line[0])) {
			statements = strings.Split(line, ",")
		}
		at := 0
		for _, s := range statements {
			if err := r.statement(strings.TrimSpace(s)); err != nil {
				return b.fail(number, line, at, s, err)
			}
			at += len(s) + 1
		}
	}
	if err := r.settle(); err != nil {
		return b.fail(number, "", 0, "", err)
	}
	return nil
}

// statement reads one statement.
func (r *csaReader) statement(s string) error {
	switch {
	case s == "", strings.HasPrefix(s, "V"):
		return nil
	case s[0] == '\'':
		if text, ok := strings.CutPrefix(s, "'*"); ok {
			r.comment(strings.TrimPrefix(text, "*"))
		}
		return nil
	case s == "+", s == "-":
		r.setup.white = s == "-"
		return r.settle()
	case s[0] == 'P':
		if r.began {
			return errors.New("a position after the moves")
		}
		return r.setup.read(r.record.Variant, s)
	case s[0] == 'T':
		seconds, err := strconv.ParseFloat(s[1:], 64) // version 3.0 has fractions
		if err != nil || seconds < 0 || seconds > 1e9 {
			return errors.New("no time in seconds")
		}
		r.spent(time.Duration(seconds) * time.Second)
		return nil
	case s[0] == '%':
		if err := r.settle(); err != nil {
			return err
		}
		return r.special(s[1:])
	case s[0] == '+', s[0] == '-':
		if err := r.settle(); err != nil {
			return err
		}
		if sideSign(r.now.Turn(), "+", "-") != s[:1] {
			return fmt.Errorf("%v is to move", r.now.Turn())
		}
		return r.read(s)
	}
	for _, t := range csaTags {
		if value, ok := strings.CutPrefix(s, t.key); ok {
			r.tag(t.name, value)
			return nil
		}
	}
	if key, value, ok := strings.Cut(s, ":"); ok && s[0] == '$' {
		r.tag(key[1:], value)
		return nil
	}
	return errors.New("no statement of the format")
}

// special reads the end of the game: "TORYO", "+ILLEGAL_ACTION".
func (r *csaReader) special(word string) error {
	if sign, ok := strings.CutSuffix(word, "ILLEGAL_ACTION"); ok && len(sign) == 1 {
		e := rules.End{Outcome: rules.WhiteWins, Cause: IllegalMove}
		if sign == "-" {
			e.Outcome = rules.BlackWins
		}
		r.record.End, r.began = e, true
		return nil
	}
	if !r.endByWord(word, func(e ending) string { return e.csa }) {
		return errors.New("no end that the format names")
	}
	return nil
}

// settle makes the position read so far the start.
func (r *csaReader) settle() error {
	if r.began {
		return nil
	}
	r.began = true
	p, err := r.setup.position(r.record.Variant)
	if err == nil {
		r.start(p)
	}
	return err
}

// csaSeconds is a time control as version 3.0 wants it: seconds at the start,
// of byoyomi, and added a move.
var csaSeconds = regexp.MustCompile(`^\d+(\.\d+)?(\+\d+(\.\d+)?){2}$`)

// writeCSA writes version 2.2, or 3.0, which names its charset and wants the
// time control in seconds (CSA standard record format, 7th edition, 2024).
func (w *recordWriter) writeCSA() error {
	v := w.record.variant()
	if v != rules.Shogi() {
		return &UnsupportedError{"CSA", "games other than standard shogi"}
	}
	if w.format == CSA3 {
		w.out.WriteString("'CSA encoding=UTF-8\nV3.0\n")
	} else {
		w.out.WriteString("V2.2\n")
	}
	// The format wants the names first, then the other facts.
	for _, names := range []bool{true, false} {
		for _, t := range w.record.Tags {
			key := ""
			for _, c := range csaTags {
				if c.name == t.Name {
					key = c.key
					break
				}
			}
			if w.format == CSA3 && t.Name == TagTime {
				key = "$TIME:"
				if !csaSeconds.MatchString(t.Value) {
					key = ""
				}
			}
			switch {
			case key == "" && names:
				w.lose("the tag " + t.Name)
			case key != "" && names == strings.HasPrefix(key, "N"):
				w.out.WriteString(key + oneLine(t.Value) + "\n")
			}
		}
	}
	if err := w.csaPosition(); err != nil {
		return err
	}
	w.csaComment(w.record.Note)
	timed := w.timed()
	for i, ply := range w.record.Moves {
		text, err := Write(InCSA, w.positions[i], ply.Move, Options{})
		if err != nil {
			return err
		}
		w.out.WriteString(text + "\n")
		if timed {
			fmt.Fprintf(&w.out, "T%d\n", int(ply.Spent.Seconds()))
		}
		w.csaComment(ply.Comment)
	}
	w.csaEnd()
	return nil
}

// csaComment writes remarks.
func (w *recordWriter) csaComment(text string) {
	if text == "" {
		return
	}
	for line := range strings.SplitSeq(clean(text), "\n") {
		w.out.WriteString("'*" + line + "\n")
	}
}

// csaEnd writes the end.
func (w *recordWriter) csaEnd() {
	e := w.record.End
	if e == (rules.End{}) {
		return
	}
	turn := w.last().Turn()
	row, exact := named(e, turn)
	switch {
	case !exact:
		w.lose("how the game ended: " + outcomeText(e))
		w.out.WriteString("%CHUDAN\n")
	case row.csa == "ILLEGAL_ACTION":
		w.out.WriteString("%" + sideSign(turn.Other(), "+", "-") + row.csa + "\n")
	default:
		w.out.WriteString("%" + row.csa + "\n")
	}
}
