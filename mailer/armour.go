package mailer

import (
	"slices"
	"strings"
)

// openArmour takes the frame off clear-signed text (RFC 9580, section 7):
// armour lines, their fields, dash escapes, signatures; encrypted text and keys
// go away whole.
func openArmour(lines []line) []line {
	const begin = "-----BEGIN PGP "
	if !slices.ContainsFunc(lines, func(l line) bool { return strings.HasPrefix(l.key, begin) }) {
		return lines
	}
	var out []line
	signed := false
	for i := 0; i < len(lines); i++ {
		key := lines[i].key
		switch {
		case strings.HasPrefix(key, begin+"SIGNED MESSAGE"):
			signed = true
			for i+1 < len(lines) && lines[i+1].key != "" { // Hash: and the like
				i++
			}
		case strings.HasPrefix(key, begin):
			signed = false
			for i+1 < len(lines) && !strings.HasPrefix(lines[i].key, "-----END PGP ") {
				i++
			}
		case signed && strings.HasPrefix(lines[i].text, "- "):
			out = append(out, newLine(lines[i].text[2:], lines[i].quoted))
		case signed && lines[i].text == "- --":
			out = append(out, newLine("--", false))
		default:
			out = append(out, lines[i])
		}
	}
	return out
}
