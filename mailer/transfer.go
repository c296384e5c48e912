package mailer

import (
	"bytes"
	"regexp"
	"strings"
)

// transferDecoded undoes the Content-Transfer-Encoding of body (RFC 2045,
// section 6) and returns at most limit bytes. It never fails: what is damaged
// in the usual ways is mended or left as it is.
func transferDecoded(body []byte, encoding string, limit int) []byte {
	switch encoding = strings.ToLower(encoding); {
	case strings.Contains(encoding, "quoted"):
		return unquote(body, limit)
	case strings.Contains(encoding, "base64"):
		return unbase64(body, limit)
	case encoding == "" && unlabelled.Match(body[:min(len(body), limit)]):
		return unquote(body, limit)
	}
	return body[:min(len(body), limit)]
}

// unlabelled is quoted-printable text whose label a relay has lost: more than
// one code for a sign that people write. "Nx3c=" at the end of a line is a move.
var unlabelled = regexp.MustCompile(`(?s)(=(20\r?\n|3D|C[23]=[89AB]|E[23]=[89AB])).*(=(20\r?\n|3D|C[23]=[89AB]|E[23]=[89AB]))`)

// unquote decodes quoted-printable text. An "=" that begins no code stands for
// itself.
func unquote(body []byte, limit int) []byte {
	out := make([]byte, 0, min(len(body), limit))
	for len(body) > 0 && len(out) < limit {
		line, rest := cutLine(body)
		whole := len(rest) > 0 || body[len(body)-1] == '\n'
		body = rest
		line = bytes.TrimRight(line, " \t") // added by carriers (RFC 2045, section 6.7, rule 3)
		soft := false
		if n := len(line) - 1; n >= 0 && line[n] == '=' {
			line, soft = line[:n], true
		}
		for i := 0; i < len(line); i++ {
			if line[i] == '=' && i+2 < len(line) && hexDigit(line[i+1]) >= 0 && hexDigit(line[i+2]) >= 0 {
				out = append(out, byte(hexDigit(line[i+1])<<4|hexDigit(line[i+2])))
				i += 2
				continue
			}
			out = append(out, line[i])
		}
		if !soft && whole {
			out = append(out, '\r', '\n')
		}
	}
	return out[:min(len(out), limit)]
}

func hexDigit(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	}
	return -1
}

// unbase64 decodes base64. Seen in practice: lines of any length, foreign
// bytes, several encodings one after the other, an end that is cut off, and
// the plain footer of a list below, whose lines are told by their blanks.
func unbase64(body []byte, limit int) []byte {
	out := make([]byte, 0, min(len(body)/4*3+3, limit))
	var bits uint32
	n := 0 // sextets in bits
	for len(body) > 0 && len(out) < limit {
		var line []byte
		line, body = cutLine(body)
		line = bytes.TrimSpace(line)
		if bytes.ContainsAny(line, " _\t") {
			continue
		}
		for _, c := range line {
			v := sextet(c)
			switch {
			case c == '=':
				out = flush(out, bits, n)
				bits, n = 0, 0
			case v >= 0:
				bits, n = bits<<6|uint32(v), n+1
				if n == 4 {
					out = append(out, byte(bits>>16), byte(bits>>8), byte(bits))
					bits, n = 0, 0
				}
			}
		}
	}
	out = flush(out, bits, n)
	return out[:min(len(out), limit)]
}

// flush writes the whole bytes of n sextets that are not four.
func flush(out []byte, bits uint32, n int) []byte {
	switch n {
	case 2:
		return append(out, byte(bits>>4))
	case 3:
		return append(out, byte(bits>>10), byte(bits>>2))
	}
	return out
}

func sextet(c byte) int {
	switch {
	case c >= 'A' && c <= 'Z':
		return int(c - 'A')
	case c >= 'a' && c <= 'z':
		return int(c-'a') + 26
	case c >= '0' && c <= '9':
		return int(c-'0') + 52
	case c == '+':
		return 62
	case c == '/':
		return 63
	}
	return -1
}
