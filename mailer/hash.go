package mailer

import (
	"bytes"
	"crypto/sha256"
	"strings"
)

// trace are the fields that differ between two copies of one message.
var trace = map[string]bool{
	"received": true, "return-path": true, "delivered-to": true, "x-original-to": true,
	"envelope-to": true, "x-forwarded-to": true, "authentication-results": true, "dkim-signature": true,
	"arc-seal": true, "arc-message-signature": true, "arc-authentication-results": true,
	"received-spf": true, "delivery-date": true, "status": true, "x-status": true,
}

// Hash returns the hash of the content of a message: of all but the fields
// that carriers add, so that a copy delivered by another way is the same.
func Hash(raw []byte) [32]byte {
	h := sha256.New()
	skip := false
	rest := raw
	for len(rest) > 0 {
		var line []byte
		line, rest = cutLine(rest)
		if len(line) == 0 {
			break
		}
		if line[0] != ' ' && line[0] != '\t' {
			name, _, _ := strings.Cut(string(line[:min(len(line), 80)]), ":")
			name = strings.ToLower(strings.TrimSpace(name))
			skip = trace[name] || strings.HasPrefix(name, "x-spam")
		}
		if !skip {
			h.Write(line)
			h.Write([]byte{'\n'})
		}
	}
	h.Write([]byte{'\n'})
	h.Write(rest)
	return [32]byte(h.Sum(nil))
}

// cutLine returns the first line without its end, CRLF or LF, and the rest.
func cutLine(b []byte) (line, rest []byte) {
	i := bytes.IndexByte(b, '\n')
	if i < 0 {
		return bytes.TrimSuffix(b, []byte{'\r'}), nil
	}
	return bytes.TrimSuffix(b[:i], []byte{'\r'}), b[i+1:]
}
