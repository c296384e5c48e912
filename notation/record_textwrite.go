package notation

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"pbem/rules"
)

// writeText writes Hodges game text, a pair of moves a line.
func (w *recordWriter) writeText() error {
	v, start := w.record.variant(), w.positions[0]
	w.textTags(v, start)
	if w.record.Note != "" {
		w.out.WriteString("{" + w.remark(w.record.Note) + "}\n")
	}
	timed := w.timed()
	first := 0 // plies by which the numbering is shifted: White's first move is "1..."
	if start.Turn() == rules.White {
		first = 1
	}
	broken := true // the line begins anew
	for i, ply := range w.record.Moves {
		number, black := (i+first)/2+1, (i+first)%2 == 0
		switch {
		case black:
			fmt.Fprintf(&w.out, "%d. ", number)
		case broken:
			fmt.Fprintf(&w.out, "%d... ", number)
		default:
			w.out.WriteByte(' ')
		}
		w.out.WriteString(HodgesIn(w.positions[i], ply.Move, English))
		if timed && ply.Spent > 0 {
			fmt.Fprintf(&w.out, " (%s)", hours(ply.Spent))
		}
		broken = !black
		if ply.Comment != "" {
			w.out.WriteString(" {" + w.remark(ply.Comment) + "}")
			broken = true
		}
		if broken || i == len(w.record.Moves)-1 {
			w.out.WriteByte('\n')
		}
	}
	w.textEnd()
	return nil
}

// remark makes a text safe between braces.
func (w *recordWriter) remark(s string) string {
	if strings.ContainsAny(s, "{}") {
		w.lose("braces in remarks")
	}
	return tidy(clean(strings.NewReplacer("{", "(", "}", ")").Replace(s)))
}

// hours writes "0:01:30".
func hours(d time.Duration) string {
	s := int(d.Seconds())
	return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
}

// textTagNames are the tags that this package fills in itself.
var textTagNames = []string{"result", "termination", "variant", "handicap", "sfen", "fen", "black", "white"}

// textTags writes the tags and the start position.
func (w *recordWriter) textTags(v *rules.Variant, start rules.Position) {
	tag := func(name, value string) {
		value = strings.NewReplacer(`"`, "''", "[", "(", "]", ")").Replace(oneLine(value))
		fmt.Fprintf(&w.out, "[%s \"%s\"]\n", name, value)
	}
	for _, t := range w.record.Tags {
		name := oneLine(t.Name)
		switch name {
		case TagBlack:
			name = "Sente"
		case TagWhite:
			name = "Gote"
		}
		if name == "" || strings.ContainsAny(name, " \t\n[]\"") || slices.Contains(textTagNames, strings.ToLower(name)) {
			w.lose("the tag " + t.Name)
			continue
		}
		tag(name, t.Value)
	}
	if v != rules.Shogi() {
		tag("Variant", v.Name)
	}
	if start != v.Start() {
		named := false
		for _, h := range v.Handicaps() {
			if p, err := rules.ParsePosition(v, h.Setup); err == nil && p == start {
				tag("Handicap", h.Name)
				named = true
				break
			}
		}
		if !named {
			fmt.Fprintf(&w.out, "[SFEN \"%s\"]\n", SFEN(start, 1))
		}
	}
	if e := w.record.End; e != (rules.End{}) {
		tag("Result", score[e.Outcome])
		if e.Cause != "" {
			tag("Termination", string(e.Cause))
		}
	}
	if w.out.Len() > 0 {
		w.out.WriteByte('\n')
	}
}

var score = [...]string{rules.Ongoing: "*", rules.BlackWins: "1-0", rules.WhiteWins: "0-1", rules.Draw: "1/2-1/2"}

// textEnd writes the end as players do.
func (w *recordWriter) textEnd() {
	e := w.record.End
	if e == (rules.End{}) {
		return
	}
	row, exact := named(e, w.last().Turn())
	if exact && row.text != "" {
		w.out.WriteString(row.text + "\n")
		return
	}
	w.out.WriteString(score[e.Outcome] + "\n")
}
