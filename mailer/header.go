package mailer

import (
	"bytes"
	"mime"
	"regexp"
	"strings"

	"github.com/emersion/go-message"
	"github.com/emersion/go-message/charset"
	"github.com/emersion/go-message/mail"
	"golang.org/x/text/unicode/norm"
)

// words decodes encoded-words (RFC 2047) in all charsets that can be loaded.
var words = &mime.WordDecoder{CharsetReader: charset.Reader}

// decode returns a header value as text in one line.
func decode(s string) string {
	if d, err := words.DecodeHeader(s); err == nil {
		s = d
	}
	s = strings.ToValidUTF8(s, "\uFFFD")
	return norm.NFC.String(strings.Join(strings.Fields(strings.ReplaceAll(s, "\x00", "")), " "))
}

// mend drops the lines of the header that are neither a field nor the
// continuation of one, such as an mbox "From " line; go-message refuses the
// whole message for one of them.
func mend(raw []byte) (mended []byte, changed bool) {
	var head bytes.Buffer
	rest, inField := raw, false
	for len(rest) > 0 {
		line, next := cutLine(rest)
		if len(line) == 0 {
			break
		}
		rest = next
		folded := line[0] == ' ' || line[0] == '\t'
		if folded && !inField || !folded && !fieldLine.Match(line) {
			changed, inField = true, folded && inField
			continue
		}
		inField = true
		head.Write(bytes.ReplaceAll(line, []byte{0}, nil))
		head.WriteString("\r\n")
	}
	return append(head.Bytes(), rest...), changed
}

var fieldLine = regexp.MustCompile(`^[!-9;-~]+[ \t]*:`)

var idForm = regexp.MustCompile(`<([^<>\s]+)>`)

// ids scans a field for Message-IDs. It takes what real clients write: ids
// with folding inside, comments around, or no brackets at all.
func ids(values ...string) []string {
	var out []string
	for _, v := range values {
		found := idForm.FindAllStringSubmatch(v, 100)
		for _, m := range found {
			out = append(out, m[1])
		}
		if found == nil {
			for f := range strings.FieldsSeq(v) {
				if strings.Contains(f, "@") {
					out = append(out, strings.Trim(f, "<>,"))
				}
			}
		}
	}
	return out
}

// addresses reads an address field, as far as it can be read.
func addresses(h message.Header, field string) []Address {
	var out []Address
	mh := mail.Header{Header: h}
	list, err := mh.AddressList(field)
	if err != nil {
		for _, m := range looseAddress.FindAllString(h.Get(field), 50) {
			out = append(out, Address{Addr: normal(m)})
		}
		return out
	}
	for _, a := range list {
		out = append(out, Address{Name: decode(a.Name), Addr: normal(a.Address)})
	}
	return out
}

var looseAddress = regexp.MustCompile(`[^\s<>"(),:;]+@[^\s<>"(),:;]+`)

// author returns the one author of the message: exactly one From field with
// exactly one address; else nobody, since a reader could see another one than
// the checks do.
func author(h message.Header) Address {
	fields := h.FieldsByKey("From")
	if fields.Len() != 1 {
		return Address{}
	}
	list := addresses(h, "From")
	if len(list) != 1 || !strings.Contains(list[0].Addr, "@") {
		return Address{}
	}
	return list[0]
}

// recipients collects every address the message was sent or delivered to.
func recipients(h message.Header) []string {
	var out []string
	for _, f := range []string{"To", "Cc", "Delivered-To", "X-Original-To", "X-Forwarded-To", "Envelope-To"} {
		fields := h.FieldsByKey(f)
		for fields.Next() && len(out) < 100 {
			for _, m := range looseAddress.FindAllString(fields.Value(), 50) {
				out = append(out, normal(m))
			}
		}
	}
	return out
}
