package mailer

import (
	"bytes"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/emersion/go-message"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
)

// walk finds the text of a message. go-message's own walk takes quadratic time
// in nested parts and has no limits, so the recursion is ours.
type walk struct {
	limits Limits
	parts  int
	text   string // of the first plain part that has any
	html   string // of the first HTML part
	report Report
}

// part looks at e and the parts in it.
func (w *walk) part(e *message.Entity, depth int) {
	w.parts++
	if depth > w.limits.Depth || w.parts > w.limits.Parts {
		return
	}
	kind, params, err := e.Header.ContentType()
	if err != nil {
		kind, params = "text/plain", nil
	}
	disposition, _, _ := e.Header.ContentDisposition()
	switch {
	case strings.HasPrefix(kind, "multipart/"):
		r := e.MultipartReader()
		for r != nil {
			p, err := r.NextPart()
			if p == nil || err != nil && !message.IsUnknownCharset(err) && !message.IsUnknownEncoding(err) {
				return
			}
			w.part(p, depth+1)
			if w.parts > w.limits.Parts {
				return
			}
		}
	case disposition == "attachment":
	case kind == "text/plain" && strings.TrimSpace(w.text) == "":
		w.text = w.body(e)
		if strings.EqualFold(params["format"], "flowed") {
			w.text = unflow(w.text, strings.EqualFold(params["delsp"], "yes"))
		}
	case kind == "text/html" && w.html == "":
		w.html = w.body(e)
	case kind == "message/delivery-status":
		w.report = deliveryStatus(w.body(e))
	}
}

// body returns the decoded text of a part, cut at the limit. Where the charset
// was unknown, the bytes are tried as UTF-8, ISO-2022-JP, Shift_JIS and
// windows-1252, in the order of how surely each can be told.
func (w *walk) body(e *message.Entity) string {
	b, _ := io.ReadAll(io.LimitReader(e.Body, int64(w.limits.Text))) // what was read before an error is kept
	b = bytes.ReplaceAll(b, []byte{0}, nil)
	if utf8.Valid(b) && !bytes.Contains(b, []byte("\x1b$")) {
		return string(b)
	}
	if bytes.Contains(b, []byte("\x1b$")) {
		if d, err := japanese.ISO2022JP.NewDecoder().Bytes(b); err == nil {
			return string(d)
		}
	}
	if d, err := japanese.ShiftJIS.NewDecoder().Bytes(b); err == nil && !bytes.ContainsRune(d, utf8.RuneError) {
		return string(d)
	}
	d, err := charmap.Windows1252.NewDecoder().Bytes(b)
	if err != nil {
		return strings.ToValidUTF8(string(b), "\uFFFD")
	}
	return string(d)
}

// unflow joins the soft-broken lines of format=flowed text (RFC 3676, section
// 4.1); delsp removes the blank at the break.
func unflow(text string, delsp bool) string {
	var out []string
	var open bool // the line before ended in a soft break
	var depth int
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		d := 0
		for d < len(line) && line[d] == '>' {
			d++
		}
		body := strings.TrimPrefix(line[d:], " ") // space-stuffing
		soft := strings.HasSuffix(body, " ") && body != "-- "
		if delsp && soft {
			body = strings.TrimSuffix(body, " ")
		}
		if open && d == depth && body != "-- " {
			out[len(out)-1] += body
		} else {
			quote := strings.Repeat(">", d)
			if d > 0 {
				quote += " "
			}
			out = append(out, quote+body)
		}
		open, depth = soft, d
	}
	return strings.Join(out, "\n")
}
