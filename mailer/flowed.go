package mailer

import "strings"

// unflow joins the soft-broken lines of format=flowed text (RFC 3676, section
// 4.1), which no mail library does (trap M4); delsp removes the blank at the
// break.
func unflow(text string, delsp bool) string {
	var out strings.Builder
	open := false // the line before ended in a soft break
	depth := 0
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		body := strings.TrimLeft(line, ">")
		d := len(line) - len(body)
		body = strings.TrimPrefix(body, " ") // space-stuffing
		signature := body == "-- "
		if !open || d != depth || signature {
			if out.Len() > 0 {
				out.WriteByte('\n')
			}
			if out.WriteString(strings.Repeat(">", d)); d > 0 {
				out.WriteByte(' ')
			}
		}
		open, depth = strings.HasSuffix(body, " ") && !signature, d
		if open && delsp {
			body = body[:len(body)-1]
		}
		out.WriteString(body)
	}
	return out.String()
}
