package notation

import (
	"strconv"
	"strings"

	"pbem/rules"
)

// ParseSFEN reads a position in SFEN: board, side to move, hands and, if it
// is there, the number of the next ply, which is 1 otherwise. The error names
// what is wrong and where.
func ParseSFEN(v *rules.Variant, s string) (p rules.Position, ply int, err error) {
	fields := strings.Fields(s)
	if len(fields) > 0 && fields[0] == "sfen" {
		fields = fields[1:]
	}
	ply = 1
	switch len(fields) {
	case 3:
	case 4:
		ply, err = strconv.Atoi(fields[3])
		if err != nil || ply < 1 || fields[3][0] == '+' {
			return p, 0, &SyntaxError{What: "SFEN", Text: cut(s), Offset: strings.LastIndex(s, fields[3]), Reason: "the number of the ply is not a whole number from 1"}
		}
	default:
		return p, 0, &SyntaxError{What: "SFEN", Text: cut(s), Offset: len(s), Reason: "want board, side to move, hands and perhaps a number"}
	}
	p, err = rules.ParsePosition(v, strings.Join(fields[:3], " "))
	if err != nil {
		return rules.Position{}, 0, err
	}
	return p, ply, nil
}

// SFEN writes a position with the number of the next ply.
func SFEN(p rules.Position, ply int) string {
	return p.String() + " " + strconv.Itoa(ply)
}
