package mailer_test

import (
	"testing"

	"pbem/mailer"
)

// TestTrusted: only the topmost field counts, only under the right name, and
// only if all of it can be read (trap A1).
func TestTrusted(t *testing.T) {
	t.Parallel()
	const good = "Authentication-Results: mx.example.com; dmarc=pass header.from=example.org\n"
	tests := []struct{ name, fields, want string }{
		{"pass", good, "pass"},
		{"fail", "Authentication-Results: mx.example.com; dmarc=fail header.from=example.org\n", "fail"},
		{"capitals", "Authentication-Results: MX.Example.com; DMARC=Pass header.from=Example.ORG\n", "pass"},
		{"quoted id", "Authentication-Results: \"mx.example.com\"; dmarc=pass header.from=example.org\n", "pass"},
		{"folded", "Authentication-Results: mx.example.com;\n\tspf=pass smtp.mailfrom=x.example;\n\tdmarc=pass header.from=example.org\n", "pass"},
		{"none", "", ""},
		{"of another host", "Authentication-Results: mx.example.net; dmarc=pass header.from=example.org\n", ""},
		{"below that of another host", "Authentication-Results: mx.example.net; dmarc=pass header.from=example.org\n" + good, ""},
		{"forged below ours", "Authentication-Results: mx.example.com; dmarc=fail header.from=example.org\n" + good, "fail"},
		{"name with more behind", "Authentication-Results: mx.example.com.evil.example; dmarc=pass header.from=example.org\n", ""},
		{"for another domain", "Authentication-Results: mx.example.com; dmarc=pass header.from=example.net\n", ""},
		{"trap A1: pass in a comment", "Authentication-Results: mx.example.com; spf=fail (; dmarc=pass header.from=example.org ;) smtp.mailfrom=x\n", ""},
		{"twice in one field", "Authentication-Results: mx.example.com; dmarc=fail header.from=example.org; dmarc=pass header.from=example.org\n", ""},
		{"pass in a reason", "Authentication-Results: mx.example.com; dmarc=fail reason=\"dmarc=pass\" header.from=example.org\n", "fail"},
		{"no host", "Authentication-Results: dmarc=pass header.from=example.org\n", ""},
		{"nonsense", "Authentication-Results: ;;;=\n", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m, err := mailer.Parse([]byte(tt.fields+"From: helen@example.org\n\nP-7f\n"), mailer.ParseOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if got := mailer.Trusted(m, "mx.example.com"); got.DMARC != tt.want {
				t.Errorf("Trusted = %+v, want %q", got, tt.want)
			}
			if mailer.Trusted(m, "") != (mailer.AuthResult{}) {
				t.Error("a host without a name is trusted")
			}
		})
	}
}

// TestAuthor: exactly one address in exactly one field, or nobody.
func TestAuthor(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, fields, want string }{
		{"plain", "From: helen@example.org", "helen@example.org"},
		{"name", "From: Helen <Helen@Example.ORG>", "Helen@example.org"},
		{"address as name, in quotes", `From: "marco@example.com" <helen@example.org>`, "helen@example.org"},
		{"address as name, bare", "From: marco@example.com <helen@example.org>", "helen@example.org"},
		{"comment", "From: helen@example.org (Helen)", "helen@example.org"},
		{"name of ISO-2022-JP", "From: =?iso-2022-jp?B?GyRCNVdKXUVEGyhC?= <helen@example.org>", "helen@example.org"},
		{"name of an unknown charset", "From: =?x-none?Q?H=E9l?= <helen@example.org>", "helen@example.org"},
		{"name with a comma, bare", "From: Marsh, Helen <helen@example.org>", "helen@example.org"},
		{"raw 8-bit name", "From: H\xe9l\xe8ne <helen@example.org>", "helen@example.org"},
		{"two addresses", "From: helen@example.org, marco@example.com", ""},
		{"two fields", "From: helen@example.org\nFrom: marco@example.com", ""},
		{"two angles", "From: <marco@example.com> <helen@example.org>", ""},
		{"an address behind", "From: <helen@example.org> marco@example.com", ""},
		{"a group", "From: friends: helen@example.org, marco@example.com;", ""},
		{"no address", "From: Helen", ""},
		{"none", "Subject: x", ""},
	}
	for _, tt := range tests {
		m, err := mailer.Parse([]byte(tt.fields+"\n\nP-7f\n"), mailer.ParseOptions{})
		if err != nil || m.From.Addr != tt.want {
			t.Errorf("%s: From %q, %v; want %q", tt.name, m.From.Addr, err, tt.want)
		}
	}
}
