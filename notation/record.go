package notation

import (
	"fmt"
	"strings"
	"time"

	"pbem/rules"
)

// Record is a whole game as files hold it. The zero value of every field is
// "not said"; a Record without Variant is one of standard shogi.
type Record struct {
	Variant *rules.Variant
	Tags    []Tag          // in the order of the file, "Black" and "White" among them
	Start   rules.Position // where the moves begin
	Note    string         // remarks before the first move, lines parted by "\n"
	Moves   []Ply
	End     rules.End

	// Skipped are the variations that a file holds beside the game: a Record
	// has one line of play. Writing never uses it.
	Skipped []Variation
}

// Variation is where a file tells how a game could have gone otherwise.
type Variation struct {
	Line int // of the file, from 1, where it begins
	Ply  int // moves of the game that were read before it
}

// String returns "line 12: a variation after ply 7".
func (v Variation) String() string {
	return fmt.Sprintf("line %d: a variation after ply %d", v.Line, v.Ply)
}

// Tag is a fact about a game: who played, when, where. Files name them in
// their own ways; here the names are those of the constants, or as the file
// has them.
type Tag struct{ Name, Value string }

// The tags that the formats have names of their own for.
const (
	TagBlack   = "Black"   // name of the player
	TagWhite   = "White"   // name of the player
	TagEvent   = "Event"   // match or tournament
	TagSite    = "Site"    // place
	TagDate    = "Date"    // when the game began, as written
	TagEndDate = "EndDate" // when it ended, as written
	TagTime    = "TimeControl"
	TagOpening = "Opening"
)

// Ply is a move of a Record with what belongs to it.
type Ply struct {
	Move    rules.Move
	Spent   time.Duration // thinking time, whole seconds; 0: not said
	Comment string        // remarks after it, lines parted by "\n"
}

// Causes of an end that records name, beside those of package rules.
const (
	Resigned    rules.Cause = "resignation"
	TimeUp      rules.Cause = "time"
	IllegalMove rules.Cause = "illegal move"
	Agreement   rules.Cause = "agreement"
	Interrupted rules.Cause = "interrupted" // the record stops, the game is open
)

// Tag returns the value of the first tag of a name, empty if there is none.
func (r *Record) Tag(name string) string {
	for _, t := range r.Tags {
		if t.Name == name {
			return t.Value
		}
	}
	return ""
}

// variant returns the variant, standard shogi if none is said.
func (r *Record) variant() *rules.Variant {
	if r.Variant == nil {
		return rules.Shogi()
	}
	return r.Variant
}

// start returns the start position, that of the even game if none is said.
func (r *Record) start() rules.Position {
	if r.Start == (rules.Position{}) {
		return r.variant().Start()
	}
	return r.Start
}

// Positions returns the start position and those after each move. The error
// names the first ply that is not legal; the positions before it come too.
func (r *Record) Positions() ([]rules.Position, error) {
	all := []rules.Position{r.start()}
	for i, ply := range r.Moves {
		p, err := all[i].Play(ply.Move)
		if err != nil {
			return all, fmt.Errorf("record, ply %d: %w", i+1, err)
		}
		all = append(all, p)
	}
	return all, nil
}

// Format is a file format of game records. The zero value is none.
type Format uint8

// The formats of records.
const (
	KIF        Format = iota + 1 // Kifu for Windows
	KI2                          // the same without origins and times, as books print games
	CSA                          // Computer Shogi Association, version 2.2; reads 3.0 as well
	USILine                      // what engines exchange: "position sfen ... moves ..."
	HodgesText                   // Hodges notation with tags in square brackets, as PSN
	JKF                          // JSON Kifu Format
	CSA3                         // Computer Shogi Association, version 3.0; reads 2.2 as well
)

var formatNames = []string{"", "kif", "ki2", "csa", "usi", "hodges", "jkf", "csa3"}

// String returns the name that players type: "kif", "usi", "hodges" ...
func (f Format) String() string {
	if int(f) < len(formatNames) {
		return formatNames[f]
	}
	return fmt.Sprintf("Format(%d)", uint8(f))
}

// FormatByName returns the format of a name, in any case: one of
// [Format.String], "sfen" for usi, "psn" for hodges, "json" for jkf.
func FormatByName(name string) (Format, bool) {
	name = strings.ToLower(strings.TrimSpace(name))
	switch name {
	case "sfen":
		return USILine, true
	case "psn":
		return HodgesText, true
	case "json":
		return JKF, true
	}
	for i, n := range formatNames {
		if i > 0 && n == name {
			return Format(i), true
		}
	}
	return 0, false
}

// RecordError is returned by [ReadRecord] for the first thing in a file that
// cannot be read.
type RecordError struct {
	Format Format
	Line   int    // from 1
	Column int    // in characters, from 1
	Text   string // what stands there, cut if long
	Err    error  // what is wrong with it
}

// Error says where and what.
func (e *RecordError) Error() string {
	return fmt.Sprintf("%s, line %d, column %d: %q: %v", e.Format, e.Line, e.Column, e.Text, e.Err)
}

// Unwrap returns what is wrong.
func (e *RecordError) Unwrap() error { return e.Err }

// ReadRecord reads a game in UTF-8 or, where it is no UTF-8, in Shift_JIS. If
// something in it cannot be read, the error is a [*RecordError] for the first
// such place, and the Record holds all that stands before. Variations are
// left out and noted in Skipped. The variant is v unless the file says another;
// nil means standard shogi.
func ReadRecord(f Format, v *rules.Variant, data []byte) (Record, error) {
	if v == nil {
		v = rules.Shogi()
	}
	text := decode(data)
	b := newBuilder(f, v, text)
	var err error
	switch f {
	case KIF, KI2:
		err = b.readKifu(text)
	case CSA, CSA3:
		err = b.readCSA(text)
	case USILine:
		err = b.readUSI(text)
	case HodgesText:
		err = b.readText(text)
	case JKF:
		err = b.readJKF(text)
	default:
		return Record{}, &UnsupportedError{f.String(), "a record"}
	}
	b.remark()
	return b.record, err
}

// WriteRecord writes a game as UTF-8 text with LF line ends; [ShiftJIS] turns
// that into what older programs want. What the format has no place for is left
// out and named in lost. The error is an [*UnsupportedError] for a game that
// the format cannot hold at all, or tells of a move that is not legal.
func WriteRecord(f Format, r Record) (text string, lost []string, err error) {
	positions, err := r.Positions()
	if err != nil {
		return "", nil, err
	}
	w := recordWriter{format: f, record: &r, positions: positions}
	switch f {
	case KIF, KI2:
		err = w.writeKifu()
	case CSA, CSA3:
		err = w.writeCSA()
	case USILine:
		err = w.writeUSI()
	case HodgesText:
		err = w.writeText()
	case JKF:
		err = w.writeJKF()
	default:
		err = &UnsupportedError{f.String(), "a record"}
	}
	if err != nil {
		return "", nil, err
	}
	return w.out.String(), w.lost, nil
}
