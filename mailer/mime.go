package mailer

import (
	"regexp"
	"strings"
)

// walk looks for the text of a message in its parts. The recursion is ours and
// bounded, since no library has a limit of depth and parts (trap M1).
type walk struct {
	limits Limits
	parts  int      // looked at so far
	plain  []string // the texts, decoded, in their order
	html   []entity // the HTML texts, which are decoded only if no plain one says anything
	left   int      // bytes of text that may still be decoded
	report Report
	sealed bool
	over   Limit
}

// part looks at e and the parts in it.
func (w *walk) part(e entity, depth int) {
	w.parts++
	switch {
	case w.parts > w.limits.Parts:
		w.over = OverParts
		return
	case depth > w.limits.Depth:
		w.over = OverDepth
		return
	}
	disposition, _, _ := strings.Cut(strings.ToLower(e.header.Get("Content-Disposition")), ";")
	attached := depth > 0 && (strings.TrimSpace(disposition) == "attachment" || e.params["name"] != "")
	switch {
	case e.kind == "multipart/encrypted":
		w.sealed = true
	case strings.HasPrefix(e.kind, "multipart/"):
		w.multipart(e, depth)
	case e.kind == "message/delivery-status", e.kind == "message/global-delivery-status":
		w.report.status(w.text(e))
	case e.kind == "message/feedback-report":
		w.report.feedback(w.text(e))
	case e.kind == "message/rfc822", e.kind == "text/rfc822-headers", e.kind == "message/global", e.kind == "message/global-headers":
		w.report.original(w.text(e))
	case e.kind == "application/pkcs7-mime", e.kind == "application/x-pkcs7-mime":
		w.sealed = true
	case attached:
	case e.kind == "text/plain":
		text := w.text(e)
		if strings.EqualFold(e.params["format"], "flowed") {
			text = unflow(text, strings.EqualFold(e.params["delsp"], "yes"))
		}
		w.plain = append(w.plain, text)
	case e.kind == "text/html":
		w.html = append(w.html, e)
	}
}

// multipart looks at the parts of e; of a signed one, only at what was signed.
func (w *walk) multipart(e entity, depth int) {
	for raw := range parts(e.body, e.params["boundary"]) {
		p, err := readPart(raw, w.limits.Header)
		if err != nil {
			continue
		}
		w.part(p, depth+1)
		if e.kind == "multipart/signed" || w.parts > w.limits.Parts {
			return
		}
	}
}

// text returns the decoded text of a part, cut at the limit.
func (w *walk) text(e entity) string {
	b := transferDecoded(e.body, e.header.Get("Content-Transfer-Encoding"), w.left)
	w.left -= len(b)
	label := e.params["charset"]
	if m := metaCharset.FindSubmatch(b[:min(len(b), 2048)]); label == "" && e.kind == "text/html" && m != nil {
		label = string(m[1])
	}
	return decodeText(b, label)
}

// metaCharset is where an HTML text names its charset itself.
var metaCharset = regexp.MustCompile(`(?i)<meta[^>]+charset=["']?([\w-]+)`)
