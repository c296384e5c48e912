package mailer

import (
	"bufio"
	"bytes"
	"errors"
	"iter"
	"regexp"
	"strings"

	"github.com/emersion/go-message"
	"github.com/emersion/go-message/textproto"
)

// errHeader says that a header is larger than [Limits] allow.
var errHeader = errors.New("header too large")

// entity is a message or a part of one: its header, and its body as it came.
// go-message's own entities are not used, since they hide the bytes behind
// decoders that trust every label, and their walk is quadratic (trap M1).
type entity struct {
	header message.Header
	body   []byte // a piece of the message, not a copy
	kind   string // media type in lower case, "text/plain" if there is none
	params map[string]string
	mended bool // the header was broken
}

// readEntity reads a header of at most limit bytes and what follows it. Lines
// that are neither a field nor the continuation of one, such as an mbox "From "
// line, are dropped: go-message refuses the whole message for one of them
// (trap M2).
func readEntity(raw []byte, limit int) (entity, error) {
	var e entity
	var head bytes.Buffer
	rest, inField := raw, false
	for len(rest) > 0 {
		line, next := cutLine(rest)
		if len(line) == 0 {
			rest = next
			break
		}
		if len(raw)-len(next) > limit {
			return e, errHeader
		}
		rest = next
		folded := line[0] == ' ' || line[0] == '\t'
		if folded && !inField || !folded && !beginsField(line) {
			e.mended, inField = true, folded && inField
			continue
		}
		inField = true
		head.Write(bytes.ReplaceAll(line, []byte{0}, nil))
		head.WriteString("\r\n")
	}
	head.WriteString("\r\n")
	h, err := textproto.ReadHeader(bufio.NewReader(&head))
	if err != nil {
		e.mended = true // what was read before the error is kept
	}
	e.header.Header, e.body = h, rest
	e.kind, e.params = contentType(e.header)
	return e, nil
}

// beginsField reports whether line begins a field: a name of printable ASCII
// and a colon, with blanks between them at most.
func beginsField(line []byte) bool {
	name, _, ok := bytes.Cut(line, []byte(":"))
	name = bytes.TrimRight(name, " \t")
	return ok && len(name) > 0 && !bytes.ContainsFunc(name, func(r rune) bool { return r <= ' ' || r > '~' })
}

// readPart is readEntity for a part of a message: one that does not begin with
// a header has none.
func readPart(raw []byte, limit int) (entity, error) {
	if first, _ := cutLine(raw); len(first) > 0 && !beginsField(first) {
		return entity{body: raw, kind: "text/plain", mended: true}, nil
	}
	return readEntity(raw, limit)
}

// contentType returns the media type and its parameters, as far as they can be
// read: seen in practice are parameters twice, without quotes, or with a
// comment behind, for which the library refuses the field.
func contentType(h message.Header) (kind string, params map[string]string) {
	field := h.Get("Content-Type")
	if strings.TrimSpace(field) == "" {
		return "text/plain", nil
	}
	kind, params, err := h.ContentType()
	if err != nil || !strings.Contains(kind, "/") {
		kind, _, _ = strings.Cut(field, ";")
		kind = strings.ToLower(strings.TrimSpace(kind))
		params = map[string]string{}
		for _, p := range looseParam.FindAllStringSubmatch(field, 50) {
			if name := strings.ToLower(p[1]); params[name] == "" {
				params[name] = p[2] + p[3]
			}
		}
	}
	if kind == "text" || !strings.Contains(kind, "/") {
		kind = "text/plain"
	}
	return kind, params
}

var looseParam = regexp.MustCompile(`(?i);\s*([a-z-]+)\s*=\s*(?:"([^"]*)"|([^;\s"]+))`)

// parts yields the parts of a multipart body (RFC 2046, section 5.1.1) in one
// pass. The last one may lack its end.
func parts(body []byte, boundary string) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		if boundary == "" {
			return
		}
		mark := []byte("\n--" + boundary)
		start := -1 // of the part in hand; -1 in the preamble
		for at := 0; at < len(body); {
			i := 0 // of the next mark
			if at > 0 || !bytes.HasPrefix(body, mark[1:]) {
				if i = bytes.Index(body[at:], mark); i < 0 {
					break
				}
				i += at + 1
			}
			line, rest := cutLine(body[i:])
			at = max(len(body)-len(rest)-1, i+1) // the line end may be that of the next mark
			end := bytes.TrimRight(line[len(mark)-1:], " \t")
			if len(end) > 0 && string(end) != "--" {
				continue
			}
			if start >= 0 && !yield(bytes.TrimSuffix(body[start:max(start, i-1)], []byte("\r"))) {
				return
			}
			if len(end) > 0 {
				return
			}
			start = len(body) - len(rest)
		}
		if start >= 0 {
			yield(body[start:])
		}
	}
}
