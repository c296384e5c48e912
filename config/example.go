package config

import (
	_ "embed"
	"fmt"
	"regexp"
	"strings"
)

//go:embed example.toml
var example string

// Example returns the settings with every key, its default and why, as in config.example.toml.
func Example() string { return example }

var (
	sectionLine = regexp.MustCompile(`^\[([a-z]+)\]$`)
	keyLine     = regexp.MustCompile(`^#?([a-z_]+) = (.*)$`)
)

// Fill returns the example with the given values in place of its own: a string or a bool
// under keys such as imap.addr, or nil to switch the line off. A key that the example does
// not show is an error.
func Fill(values map[string]any) (string, error) {
	lines := strings.Split(example, "\n")
	section, filled := "", 0
	for i, line := range lines {
		if m := sectionLine.FindStringSubmatch(line); m != nil {
			section = m[1]
		}
		m := keyLine.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		value, ok := values[section+"."+m[1]]
		if !ok {
			continue
		}
		filled++
		switch v := value.(type) {
		case nil:
			lines[i] = "#" + strings.TrimPrefix(line, "#")
		case string:
			lines[i] = m[1] + " = " + quote(v)
		case bool:
			lines[i] = fmt.Sprintf("%s = %v", m[1], v)
		default:
			return "", fmt.Errorf("fill %s.%s: a %T is no setting", section, m[1], value)
		}
	}
	if filled != len(values) {
		return "", fmt.Errorf("fill the example: %d of %d keys are in it", filled, len(values))
	}
	return strings.Join(lines, "\n"), nil
}

// quote returns text as a basic string of TOML.
func quote(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
	}
	return `"` + b.String() + `"`
}

// shownInExample returns the value that the example writes for a setting.
func shownInExample(s setting) string {
	_, after, _ := strings.Cut(example, "\n["+s.section+"]\n")
	for line := range strings.Lines(after) {
		line = strings.TrimSuffix(line, "\n")
		if sectionLine.MatchString(line) {
			break
		}
		if m := keyLine.FindStringSubmatch(line); m != nil && m[1] == s.name {
			return m[2]
		}
	}
	return ""
}
