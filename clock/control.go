// Package clock counts the time that players of correspondence games have.
// All of it is arithmetic on values: whoever calls says what time it is.
//
// A [Control] is what two players agree on; a [Clock] is how their time
// stands. Time runs from the moment a mail with a move arrives to the moment
// the answer does, to the second, less what was paused and, if both chose so,
// less the weekends of the one who thinks.
package clock

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Day is 24 hours, whatever the calendar does.
const Day = 24 * time.Hour

// Control says how much time players have. The zero value is no limit.
type Control struct {
	Bank      time.Duration // at the start
	Increment time.Duration // added to the bank after each move
	Cap       time.Duration // nothing that is added lifts the bank above it; 0: no cap
	Each      bool          // the bank is for one move and full again for the next
	Moves     int           // after each so many moves the bank is added again; 0: never
	Periods   int           // of byoyomi, when the bank is empty
	Period    time.Duration // length of each; a move within it costs nothing
	Double    time.Duration // what one move takes beyond this counts twice; 0: never
	Weekends  bool          // Saturdays and Sundays of the one to move are free
}

// Limited reports whether a flag can fall.
func (c Control) Limited() bool { return c.Bank > 0 || c.Periods > 0 }

// doubling is how long one move may take until the days count twice, by the
// rules of ICCF correspondence chess.
const doubling = 20 * Day

// Bounds of what players may choose.
const (
	longest  = 2 * 365 * Day
	shortest = time.Hour
)

// Error says why a text is no time control.
type Error struct{ Text, Why string }

func (e *Error) Error() string { return fmt.Sprintf("time control %q: %s", e.Text, e.Why) }

const span = `(\d{1,4})\s*([dhw])`

var (
	eachForm    = regexp.MustCompile(`^` + span + `$`)
	bankForm    = regexp.MustCompile(`^` + span + `\+` + span + `(?:/` + span + `)?$`)
	byoyomiForm = regexp.MustCompile(`^(?:` + span + `\+)?(\d{1,3})x` + span + `$`)
	movesForm   = regexp.MustCompile(`^(\d{1,3})/(\d{1,4})d?(?:/(\d{1,4})d?)?$`)
)

// Parse reads a time control: "3d" a move, "10d+36h/10d" a bank, what each
// move adds and the cap, "10/30" moves in days with a cap of 40 ("10/30/45"
// with another), "30d+5x3d" a bank and byoyomi periods, "none". The word iccf
// beside it makes days past 20 on one move count twice. d is a day, h an hour,
// w a week. The error is an [*Error].
func Parse(text string) (Control, error) {
	s := strings.ToLower(strings.TrimSpace(text))
	rest, iccf := cutWord(s, "iccf")
	rest = strings.ReplaceAll(rest, " ", "")
	if rest == "" && iccf {
		rest = "10/50" // the usual one
	}
	c, ok := parse(rest)
	if !ok {
		return Control{}, &Error{text, "it reads like 10d+36h/10d, 3d, 10/30, 30d+5x3d or none"}
	}
	if iccf {
		c.Double = doubling
	}
	if why := c.wrong(); why != "" {
		return Control{}, &Error{text, why}
	}
	return c, nil
}

// cutWord takes word out of s.
func cutWord(s, word string) (rest string, found bool) {
	before, after, found := strings.Cut(s, word)
	return before + after, found
}

func parse(s string) (c Control, ok bool) {
	if s == "none" || s == "unlimited" {
		return Control{}, true
	}
	if m := eachForm.FindStringSubmatch(s); m != nil {
		return Control{Bank: length(m[1], m[2]), Each: true}, true
	}
	if m := bankForm.FindStringSubmatch(s); m != nil {
		return Control{Bank: length(m[1], m[2]), Increment: length(m[3], m[4]), Cap: length(m[5], m[6])}, true
	}
	if m := byoyomiForm.FindStringSubmatch(s); m != nil {
		return Control{Bank: length(m[1], m[2]), Periods: number(m[3]), Period: length(m[4], m[5])}, true
	}
	if m := movesForm.FindStringSubmatch(s); m != nil {
		c := Control{Moves: number(m[1]), Bank: length(m[2], "d"), Cap: length(m[3], "d")}
		if c.Cap == 0 {
			c.Cap = (c.Bank + c.Bank/3).Truncate(Day) // 40 days for 30
		}
		return c, c.Moves > 0
	}
	return Control{}, false
}

func number(s string) int {
	n, _ := strconv.Atoi(s) // digits, few enough
	return n
}

func length(n, unit string) time.Duration {
	return time.Duration(number(n)) * map[string]time.Duration{"": 0, "h": time.Hour, "d": Day, "w": 7 * Day}[unit]
}

// wrong returns what is wrong with c, or "".
func (c Control) wrong() string {
	for _, d := range []time.Duration{c.Bank, c.Increment, c.Cap, c.Period} {
		if d > longest {
			return fmt.Sprintf("%s is longer than %s", Span(d), Span(longest))
		}
	}
	switch {
	case c == Control{}:
	case c.Bank > 0 && c.Bank < shortest, c.Periods > 0 && c.Period < shortest, c.Bank == 0 && c.Periods == 0:
		return "there must be at least an hour"
	case c.Cap > 0 && c.Cap < c.Bank:
		return fmt.Sprintf("the cap of %s is less than the %s to begin with", Span(c.Cap), Span(c.Bank))
	}
	return ""
}

// String returns c as [Parse] reads it, without the weekends.
func (c Control) String() string {
	s := c.form()
	if c.Double > 0 {
		s += " iccf"
	}
	return s
}

func (c Control) form() string {
	switch {
	case !c.Limited():
		return "none"
	case c.Each:
		return Span(c.Bank)
	case c.Moves > 0:
		return fmt.Sprintf("%d/%d/%d", c.Moves, c.Bank/Day, c.Cap/Day)
	case c.Periods > 0 && c.Bank == 0:
		return fmt.Sprintf("%dx%s", c.Periods, Span(c.Period))
	case c.Periods > 0:
		return fmt.Sprintf("%s+%dx%s", Span(c.Bank), c.Periods, Span(c.Period))
	case c.Cap > 0:
		return fmt.Sprintf("%s+%s/%s", Span(c.Bank), Span(c.Increment), Span(c.Cap))
	}
	return fmt.Sprintf("%s+%s", Span(c.Bank), Span(c.Increment))
}

// Span writes a length of time in the units of [Parse]: 3d, or 36h where it is
// no whole number of days.
func Span(d time.Duration) string {
	if d%Day == 0 {
		return fmt.Sprintf("%dd", d/Day)
	}
	return fmt.Sprintf("%dh", d/time.Hour)
}
