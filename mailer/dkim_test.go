package mailer_test

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"net"
	"strings"
	"testing"

	"github.com/emersion/go-msgauth/dkim"

	"pbem/mailer"
)

// signer is a domain that signs its mail with a key of its own.
type signer struct {
	domain string
	key    ed25519.PrivateKey
}

func newSigner(t *testing.T, domain string) signer {
	t.Helper()
	_, key, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	return signer{domain, key}
}

// sign returns raw, signed.
func (s signer) sign(t *testing.T, raw string) string {
	t.Helper()
	var out bytes.Buffer
	err := dkim.Sign(&out, strings.NewReader(crlf(raw)), &dkim.SignOptions{
		Domain: s.domain, Selector: "s1", Signer: s.key, HeaderKeys: []string{"From", "To", "Subject"},
	})
	if err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// lookup finds the keys of signers, as DNS would.
func lookup(signers ...signer) func(string) ([]string, error) {
	return func(name string) ([]string, error) {
		for _, s := range signers {
			if name == "s1._domainkey."+s.domain {
				public := s.key.Public().(ed25519.PublicKey)
				return []string{"v=DKIM1; k=ed25519; p=" + base64.StdEncoding.EncodeToString(public)}, nil
			}
		}
		return nil, &net.DNSError{Err: "no such host", Name: name, IsNotFound: true}
	}
}

func crlf(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }

const signedMail = "From: Helen <helen@example.org>\nTo: shogi@example.com\nSubject: hello\n\nP-7f\n"

func TestVerifyDKIM(t *testing.T) {
	t.Parallel()
	org, mail, evil := newSigner(t, "example.org"), newSigner(t, "mail.example.org"), newSigner(t, "example.net")
	good := org.sign(t, signedMail)
	tests := []struct{ name, raw, want string }{
		{"signed by the domain of From", good, "pass"},
		{"signed by a part of it", mail.sign(t, signedMail), "pass"},
		{"signed by From's domain and by another", org.sign(t, strings.ReplaceAll(evil.sign(t, signedMail), "\r\n", "\n")), "pass"},
		{"line ends lost on the way", strings.ReplaceAll(good, "\r\n", "\n"), "pass"},
		{"capitals in From", org.sign(t, strings.Replace(signedMail, "example.org", "EXAMPLE.org", 1)), "pass"},
		{"trap A2: not signed", crlf(signedMail), "none"},
		{"signed by somebody else", evil.sign(t, signedMail), "fail"},
		{"body changed", strings.Replace(good, "P-7f", "P-2f", 1), "fail"},
		{"subject changed", strings.Replace(good, "hello", "resign", 1), "fail"},
		{"From changed", strings.Replace(good, "helen@", "marco@", 1), "fail"},
		{"trap A2: a second From on top", "From: marco@example.org\r\n" + good, "fail"},
		{"trap A2: two authors", org.sign(t, strings.Replace(signedMail, "<helen@example.org>", "<helen@example.org>, marco@example.org", 1)), "fail"},
		{"a signature that is none", "DKIM-Signature: v=1; a=b\r\n" + crlf(signedMail), "fail"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := mailer.VerifyDKIM([]byte(tt.raw), lookup(org, mail, evil))
			if err != nil || got.DMARC != tt.want {
				t.Errorf("VerifyDKIM = %+v, %v; want %s", got, err, tt.want)
			}
		})
	}
}

// A key that cannot be looked up now may be found later: that is no verdict.
func TestVerifyDKIMLater(t *testing.T) {
	t.Parallel()
	org := newSigner(t, "example.org")
	down := func(string) ([]string, error) {
		return nil, &net.DNSError{Err: "timeout", IsTemporary: true, IsTimeout: true}
	}
	got, err := mailer.VerifyDKIM([]byte(org.sign(t, signedMail)), down)
	if err == nil || got.DMARC == "pass" {
		t.Errorf("VerifyDKIM = %+v, %v; want an error", got, err)
	}
}

// Domains under a public suffix are strangers to each other.
func TestVerifyDKIMSuffix(t *testing.T) {
	t.Parallel()
	other := newSigner(t, "other.co.uk")
	raw := other.sign(t, strings.Replace(signedMail, "example.org", "helen.co.uk", 1))
	if got, err := mailer.VerifyDKIM([]byte(raw), lookup(other)); err != nil || got.DMARC != "fail" {
		t.Errorf("VerifyDKIM = %+v, %v; want fail", got, err)
	}
}
