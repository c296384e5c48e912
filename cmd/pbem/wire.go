package main

import (
	"context"
	"crypto/rand"
	"encoding/base32"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"pbem/config"
	"pbem/daemon"
	"pbem/mailer"
	"pbem/mailer/imapbox"
	"pbem/mailer/lmtp"
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

// newDaemon joins the database, the service and the way out, as c says.
func newDaemon(st *store.Store, c config.Config, key []byte, log *slog.Logger) *daemon.Daemon {
	set, out := serviceSettings(c, key), smtpConfig(c, log)
	return daemon.New(daemon.Parts{
		Store: st,
		Env: func(now time.Time) service.Env {
			return service.Env{Now: now, NewID: newID, Settings: set}
		},
		Send: func(ctx context.Context, batch []smtpout.Envelope, done func(smtpout.Outcome) error) error {
			return smtpout.Send(ctx, out, batch, done)
		},
		EnvelopeFrom: set.Address,
		Fetches:      c.IMAP.Enabled(),
		Parse:        mailer.ParseOptions{Own: []string{set.Address}, Limits: parseLimits(c)},
		KeepRaw:      c.Service.KeepRaw,
		RetryFirst:   c.Outbox.RetryFirst,
		RetryMax:     c.Outbox.RetryMax,
		GiveUp:       c.Outbox.GiveUpAfter,
		Log:          log,
	})
}

// house is the database of the settings, opened, and the daemon in it.
type house struct {
	store  *store.Store
	daemon *daemon.Daemon
}

// openHouse opens the database and the secret that c names, and makes what is not there yet. It
// waits for its turn at the database as long as wait, 0 for the usual.
func openHouse(c config.Config, wait time.Duration, log *slog.Logger) (house, error) {
	key, err := config.OpenKey(c.Service.SecretFile)
	if err != nil {
		return house{}, err
	}
	st, err := store.Open(c.Service.Database, store.Options{LockWait: wait, Log: log})
	if errors.Is(err, store.ErrLocked) {
		return house{}, fmt.Errorf("%w: is pbem serve running?", err)
	} else if err != nil {
		return house{}, err
	}
	return house{st, newDaemon(st, c, key, log)}, nil
}

func (h house) close() error { return h.store.Close() }

// serviceSettings returns what the service needs to know of c.
func serviceSettings(c config.Config, key []byte) service.Settings {
	return service.Settings{
		Address:         c.Service.Address,
		Name:            c.Service.Name,
		PlusAddressing:  c.Service.PlusAddressing,
		Operator:        c.Service.Operator,
		Secrets:         [][]byte{key},
		AuthservIDs:     c.Auth.AuthservID,
		MaxMessage:      int64(c.Limits.MaxMessage),
		MessagesPerHour: c.Limits.MessagesPerHour,
		AnswersPerHour:  c.Limits.AnswersPerHour,
		GamesPerPlayer:  c.Limits.Games,

		NotUnderstoodPerDay: c.Limits.NotUnderstoodPerDay,
		ConfirmationsPerDay: c.Limits.ConfirmationsPerDay,

		ChallengeExpires: c.Play.ChallengeExpires,
		ConfirmExpires:   c.Play.ConfirmExpires,
		Clock:            c.Play.Clock,
		ClaimAfter:       c.Play.ClaimAfter,
		RemindAfter:      c.Play.RemindAfter,
		Bounces:          c.Outbox.Bounces,
		BouncesWithin:    c.Outbox.BouncesWithin,
	}
}

// parseLimits returns what reading a message may cost.
func parseLimits(c config.Config) mailer.Limits {
	l := mailer.DefaultLimits()
	l.Parts, l.Depth = c.Limits.Parts, c.Limits.Depth
	l.Fields, l.Addresses = c.Limits.HeaderFields, c.Limits.Addresses
	return l
}

func imapConfig(c config.Config, log *slog.Logger) imapbox.Config {
	return imapbox.Config{
		Addr: c.IMAP.Addr, Security: imapbox.Security(c.IMAP.Security), AllowInsecure: c.IMAP.AllowInsecure,
		User: c.IMAP.User, Password: c.IMAP.Password.Reveal(),
		Mailbox: c.IMAP.Mailbox, MoveTo: c.IMAP.MoveTo,
		Poll: c.IMAP.Poll, IdleFor: c.IMAP.Idle, MaxSize: int64(c.Limits.MaxMessage),
		Log: log,
	}
}

func smtpConfig(c config.Config, log *slog.Logger) smtpout.Config {
	return smtpout.Config{
		Addr: c.SMTP.Addr, Security: smtpout.Security(c.SMTP.Security), AllowInsecure: c.SMTP.AllowInsecure,
		User: c.SMTP.User, Password: c.SMTP.Password.Reveal(), Hello: c.SMTP.Hello,
		Log: log,
	}
}

func lmtpConfig(c config.Config, log *slog.Logger) lmtp.Config {
	return lmtp.Config{Hello: c.SMTP.Hello, MaxSize: int64(c.Limits.MaxMessage), Log: log}
}
