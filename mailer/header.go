package mailer

import (
	"io"
	"mime"
	"net/mail"
	"regexp"
	"strings"

	"github.com/emersion/go-message"
)

var idForm = regexp.MustCompile(`<([^<>\s]+)>`)

// ids scans a field for Message-IDs. It takes what real clients write: ids
// with folding inside, comments around, or no brackets at all.
func ids(values ...string) []string {
	var out []string
	for _, v := range values {
		found := idForm.FindAllStringSubmatch(v, 100)
		for _, m := range found {
			out = append(out, strings.ToValidUTF8(m[1], "\uFFFD"))
		}
		if found == nil {
			for f := range strings.FieldsSeq(v) {
				if strings.Contains(f, "@") {
					out = append(out, strings.ToValidUTF8(strings.Trim(f, "<>,"), "\uFFFD"))
				}
			}
		}
	}
	return out
}

// addresses reads an address field, as far as it can be read. Where it breaks
// the rules, an address in angle brackets counts, and else whatever looks like
// one.
func addresses(h message.Header, field string) []Address {
	return addressesIn(h.Get(field))
}

func addressesIn(value string) []Address {
	if len(value) > longestField {
		return nil
	}
	list, err := addressParser.ParseList(value)
	if err == nil {
		out := make([]Address, len(list))
		for i, a := range list {
			out[i] = Address{Name: decode(a.Name), Addr: normal(a.Address)}
		}
		return out
	}
	var out []Address
	if angle := angleAddress.FindAllStringSubmatchIndex(value, 50); len(angle) > 0 {
		for _, m := range angle {
			out = append(out, Address{Addr: normal(decode(value[m[2]:m[3]]))})
		}
		out[0].Name = strings.Trim(decode(value[:angle[0][0]]), ` "'`)
		value = value[angle[len(angle)-1][1]:] // an address behind makes it unclear which one counts
	}
	for _, m := range looseAddress.FindAllString(value, 50) {
		out = append(out, Address{Addr: normal(decode(m))})
	}
	return out
}

// longestField is how many bytes of an address field are worth reading.
const longestField = 16 << 10

// addressParser decodes names in every charset that [decodeText] knows.
var addressParser = mail.AddressParser{WordDecoder: &mime.WordDecoder{
	CharsetReader: func(label string, r io.Reader) (io.Reader, error) {
		b, err := io.ReadAll(r)
		return strings.NewReader(decodeText(b, label)), err
	},
}}

var (
	angleAddress = regexp.MustCompile(`<\s*([^<>\s]+@[^<>\s]+)\s*>`)
	looseAddress = regexp.MustCompile(`[^\s<>"(),:;]+@[^\s<>"(),:;]+`)
)

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

// recipients collects every address the message was sent or delivered to, as
// far as the limits go, and says which one it is over.
func recipients(h message.Header, l Limits) (out []string, over Limit) {
	if h.Len() > l.Fields {
		over = OverFields
	}
	for _, f := range []string{"To", "Cc", "Delivered-To", "X-Original-To", "X-Forwarded-To", "Envelope-To"} {
		fields := h.FieldsByKey(f)
		for fields.Next() {
			value := fields.Value()
			for _, a := range addressesIn(value) {
				out = append(out, a.Addr)
			}
			if len(value) > longestField || len(out) > l.Addresses {
				return out[:min(len(out), l.Addresses)], OverAddresses
			}
		}
	}
	return out, over
}
