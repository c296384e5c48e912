// Package mailer turns mails into values and values into mails: parsing,
// charsets, the sender's own lines, automatic mail, who really sent it, and
// composing. It knows no connection; imapbox, smtpout and lmtp beside it do.
//
// It follows RFC 5322 and RFC 2045 to 2049 and is lenient wherever mail seen
// in practice is worse than they allow. Parsing is bounded in depth, parts and
// text, whatever the message, and costs no more than in proportion to it.
//
// The way from bytes to the sender's own lines: header and parts (entity.go,
// mime.go), transfer encoding and charset (transfer.go, charset.go), lines of a
// text, quoted or not (line.go, html.go), and what is cut off them (reply.go,
// quoteheader.go). The words by which quotes, signatures and automatic mail are
// known in each language stand in tables of their own (words.go, footers.go,
// autowords.go).
package mailer

import (
	"strings"
	"time"
)

// Kind says what sort of sender wrote a message.
type Kind uint8

const (
	Personal  Kind = iota // a person, as far as can be told
	AutoReply             // a machine's answer, receipt or notice (RFC 3834)
	Bounce                // a delivery or abuse report (RFC 3464)
	List                  // a mailing list
	Own                   // a mail of ours that came back
)

// Address is a mailbox: a display name, which may be empty, and the address
// with its domain in lower case.
type Address struct{ Name, Addr string }

// Message is one inbound mail as values.
type Message struct {
	MessageID  string // without angle brackets (RFC 5322, section 3.6.4); empty if absent
	InReplyTo  []string
	References []string

	From       Address // the one author; zero if there is none or more than one
	ReplyTo    []Address
	Recipients []string // addresses of To, Cc, Delivered-To and the like

	Subject  string    // decoded, NFC
	Date     time.Time // as the sender claims; zero if unusable
	Received time.Time // arrival in the mailbox, set by who fetched it

	Lines   []string // the sender's own lines, blank ones dropped
	HasText bool     // some part was text
	Sealed  bool     // its text is encrypted, or signed in a form that hides it (S/MIME)
	Tokens  []string // the tokens its header carries, the best first

	Kind   Kind
	Why    string // the header field that made it no personal mail
	Bounce Report
	Auth   []AuthResult // Authentication-Results, topmost first

	Size      int64 // bytes of the whole message
	Truncated bool  // only its header was read, for its size
	Over      Limit // the limit it was over, of those that cut it short; empty: none
	Salvaged  bool  // its header was broken and had to be mended
}

// Report is what a bounce tells. The zero value tells nothing.
type Report struct {
	Failed    string // whose mail failed
	Action    string // "failed", "delayed", "complaint"
	Status    string // such as "5.1.1" (RFC 3463)
	MessageID string // of the mail that failed
}

// Token returns the best token, empty if there is none.
func (m Message) Token() string {
	if len(m.Tokens) == 0 {
		return ""
	}
	return m.Tokens[0]
}

// Limits bound what parsing may cost.
type Limits struct {
	Depth     int // of nested parts
	Parts     int
	Text      int // bytes of decoded text
	Header    int // bytes of one header
	Fields    int // of the header of the message
	Addresses int // it was sent to
}

// Limit names one of [Limits].
type Limit string

// The limits that a message can be over and still be one. Of a message with
// too many fields or addresses only the header counts; of one with too many
// parts, or too deep ones, what comes before.
const (
	OverDepth     Limit = "depth"
	OverParts     Limit = "parts"
	OverFields    Limit = "header_fields"
	OverAddresses Limit = "addresses"
)

// DefaultLimits are far above what a person's reply needs.
func DefaultLimits() Limits {
	return Limits{Depth: 20, Parts: 200, Text: 256 << 10, Header: 256 << 10, Fields: 500, Addresses: 100}
}

// ParseOptions are what parsing needs to know of the service.
type ParseOptions struct {
	Own    []string // the service's own addresses
	Limits Limits   // zero: [DefaultLimits]
}

// normal returns addr with its domain in lower case.
func normal(addr string) string {
	at := strings.LastIndexByte(addr, '@')
	if at < 0 {
		return addr
	}
	return addr[:at] + strings.ToLower(addr[at:])
}
