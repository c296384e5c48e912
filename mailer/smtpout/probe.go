package smtpout

import (
	"context"
	"crypto/tls"
	"slices"
	"strings"
)

// Report is what a server offers, and what follows of it for us.
type Report struct {
	TLS      string   // version, such as "TLS 1.3"; empty if there is none
	Auth     []string // ways to log in that it offers, sorted
	MaxSize  int      // bytes a mail may have; 0: not told
	SMTPUTF8 bool     // addresses may have letters other than a-z
	// Notes tell, in sentences, what works less well than it could and what mends it.
	Notes []string
}

// Probe connects, logs in and tells what the server can do. It sends no mail; whether the
// server takes mail from our address, only a mail can tell. The error is an [*Error] that says
// what to mend, or that of ctx.
func Probe(ctx context.Context, c Config) (Report, error) {
	c = c.withDefaults()
	if err := c.check(); err != nil {
		return Report{}, err
	}
	n, err := connect(ctx, c)
	if ctx.Err() != nil {
		return Report{}, ctx.Err()
	} else if err != nil {
		return Report{}, err
	}
	defer n.quit()
	r := Report{MaxSize: n.limit, SMTPUTF8: n.utf8}
	if state, ok := n.client.TLSConnectionState(); ok {
		r.TLS = tls.VersionName(state.Version)
	}
	if _, offered := n.client.Extension("AUTH"); offered != "" {
		r.Auth = strings.Fields(offered)
		slices.Sort(r.Auth)
	}
	if c.User == "" && len(r.Auth) > 0 {
		r.Notes = append(r.Notes, "The server knows passwords, but no user is set: it may take mail for its own addresses only.")
	}
	if r.MaxSize > 0 && r.MaxSize < 256<<10 {
		r.Notes = append(r.Notes, "The server takes only small mails: boards with a picture may be refused.")
	}
	return r, nil
}
