package config

import (
	"fmt"
	"log/slog"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Security is how a connection to a mail server is protected.
type Security string

// The kinds of [Security].
const (
	TLS      Security = "tls"      // from the first byte (RFC 8314)
	STARTTLS Security = "starttls" // after a command; without it we hang up
	None     Security = "none"     // not at all
)

// Policy is the rule that decides whose mail may move a piece.
type Policy string

// PolicySafe wants a reply token and the player's own address, or mail that a trusted
// host, or we ourselves, found to be authentic.
const PolicySafe Policy = "safe"

// Size is a number of bytes.
type Size int64

var sizeUnits = []struct {
	name  string
	bytes Size
}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"GB", 1e9}, {"MB", 1e6}, {"KB", 1e3}, {"B", 1}}

// String returns s with the largest unit that divides it, such as 1MiB.
func (s Size) String() string {
	for _, u := range sizeUnits {
		if s != 0 && s%u.bytes == 0 {
			return fmt.Sprintf("%d%s", s/u.bytes, u.name)
		}
	}
	return fmt.Sprintf("%dB", s)
}

// ParseSize reads a size such as 1MiB, 500 kB or 65536.
func ParseSize(text string) (Size, error) {
	number, unit := strings.TrimSpace(text), Size(1)
	for _, u := range sizeUnits {
		if n := len(number) - len(u.name); n > 0 && strings.EqualFold(number[n:], u.name) {
			number, unit = strings.TrimSpace(number[:n]), u.bytes
			break
		}
	}
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil || n < 0 || n > math.MaxInt64/int64(unit) {
		return 0, fmt.Errorf("%q is no size; write a number and KiB or MiB, like \"1MiB\"", text)
	}
	return Size(n) * unit, nil
}

var dayCount = regexp.MustCompile(`^([0-9]{1,4})\s*(d|days?|w|weeks?)$`)

// parseDuration reads what [time.ParseDuration] reads, and for days says how many hours
// they are: a day is no unit there.
func parseDuration(text string) (time.Duration, error) {
	if d, err := time.ParseDuration(text); err == nil {
		return d, nil
	}
	if m := dayCount.FindStringSubmatch(text); m != nil {
		hours, _ := strconv.Atoi(m[1]) // four digits at most
		if hours *= 24; m[2][0] == 'w' {
			hours *= 7
		}
		return 0, fmt.Errorf("%q is no duration; count in hours and write \"%dh\"", text, hours)
	}
	return 0, fmt.Errorf("%q is no duration; write hours, minutes or seconds, like \"72h\"", text)
}

// short is how people write d: 4h, not 4h0m0s.
func short(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

// parseChoice returns the one of choices that text names.
func parseChoice[T ~string](text string, choices ...T) (T, error) {
	if slices.Contains(choices, T(text)) {
		return T(text), nil
	}
	quoted := make([]string, len(choices))
	for i, c := range choices {
		quoted[i] = strconv.Quote(string(c))
	}
	return "", fmt.Errorf("%q is not known; write %s", text, strings.Join(quoted, " or "))
}

func parseLevel(text string) (slog.Level, error) {
	name, err := parseChoice(text, "debug", "info", "warn", "error")
	if err != nil {
		return 0, err
	}
	var level slog.Level
	err = level.UnmarshalText([]byte(name))
	return level, err
}
