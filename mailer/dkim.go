package mailer

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/emersion/go-msgauth/dkim"
	"golang.org/x/net/publicsuffix"
)

// signaturesTried is how many DKIM signatures of a message are looked at: each
// may cost a DNS query.
const signaturesTried = 5

// VerifyDKIM checks the DKIM signatures of a message as it was received (RFC
// 6376), for operators whose server writes no Authentication-Results. The
// result has the DMARC value "pass" if a good signature is by the domain of
// From, or by another one of the same organisation (RFC 7489, section 3.1.1;
// the policy of the domain is not asked for), "fail" if there are signatures
// and none is both, and "none" if there are none. A message with more or less
// than one author fails (trap A2).
//
// The error is for what may be better later: a key that could not be looked up.
func VerifyDKIM(raw []byte, lookupTXT func(domain string) ([]string, error)) (AuthResult, error) {
	e, err := readEntity(raw, DefaultLimits().Header)
	if err != nil {
		return AuthResult{DMARC: "fail"}, nil
	}
	_, domain, _ := strings.Cut(author(e.header).Addr, "@")
	r := AuthResult{DMARC: "fail", From: domain}
	switch {
	case !e.header.Has("Dkim-Signature"):
		r.DMARC = "none"
		return r, nil
	case domain == "":
		return r, nil
	}
	found, err := dkim.VerifyWithOptions(bytes.NewReader(withCRLF(raw)), &dkim.VerifyOptions{
		LookupTXT: lookupTXT, MaxVerifications: signaturesTried,
	})
	if err != nil && !errors.Is(err, dkim.ErrTooManySignatures) {
		return r, nil // a header that the library cannot read
	}
	var later error
	for _, v := range found {
		switch {
		case !aligned(strings.ToLower(v.Domain), domain):
		case v.Err == nil:
			r.DMARC = "pass"
			return r, nil
		case dkim.IsTempFail(v.Err):
			later = fmt.Errorf("verify signature of %s: %w", v.Domain, v.Err)
		}
	}
	return r, later
}

// aligned reports whether two domains are one, or of one organisation.
func aligned(a, b string) bool {
	if a == b {
		return true
	}
	x, err := publicsuffix.EffectiveTLDPlusOne(a)
	if err != nil {
		return false
	}
	y, err := publicsuffix.EffectiveTLDPlusOne(b)
	return err == nil && x == y
}

// withCRLF returns raw with the line ends it had on the wire, which a delivery
// by pipe takes away. A message that has any CRLF is left alone.
func withCRLF(raw []byte) []byte {
	if bytes.Contains(raw, []byte("\r\n")) {
		return raw
	}
	return bytes.ReplaceAll(raw, []byte("\n"), []byte("\r\n"))
}
