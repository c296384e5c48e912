package main

import (
	"context"
	"crypto/rand"
	"encoding/base32"
	"log/slog"
	"strings"
	"time"

	"pbem/daemon"
	"pbem/mailer"
	"pbem/mailer/smtpout"
	"pbem/service"
	"pbem/store"
)

// newID returns a random identifier of 16 lower-case letters and digits.
func newID() string {
	var b [10]byte
	rand.Read(b[:]) // never fails: crypto/rand
	return strings.ToLower(base32.StdEncoding.EncodeToString(b[:]))
}

// newDaemon joins the store, the service and the way out.
func newDaemon(st *store.Store, set service.Settings, out smtpout.Config, log *slog.Logger) *daemon.Daemon {
	return daemon.New(daemon.Parts{
		Store: st,
		Env: func(now time.Time) service.Env {
			return service.Env{Now: now, NewID: newID, Settings: set}
		},
		Send: func(ctx context.Context, batch []smtpout.Envelope, done func(smtpout.Outcome) error) error {
			return smtpout.Send(ctx, out, batch, done)
		},
		EnvelopeFrom: set.Address,
		Parse:        mailer.ParseOptions{Own: []string{set.Address}},
		Log:          log,
	})
}
