// Package config holds the operator's settings: their defaults, how they are read from a
// TOML file, and what is wrong with them.
//
// [Load] reports every mistake of a file at once, each with its line and with what to write
// instead. Unknown keys are mistakes. Passwords come from a file or from the environment, or
// stand in the settings themselves if the file is closed to others; they are never printed.
// The package opens no connection and starts nothing.
package config

import (
	"log/slog"
	"net"
	"strings"
	"time"

	"pbem/clock"
)

// Config is the whole of the settings. [Default] and [Load] make one.
type Config struct {
	Service Service `toml:"service"`
	IMAP    IMAP    `toml:"imap"`
	SMTP    SMTP    `toml:"smtp"`
	LMTP    LMTP    `toml:"lmtp"`
	Auth    Auth    `toml:"auth"`
	Limits  Limits  `toml:"limits"`
	Play    Play    `toml:"play"`
	Outbox  Outbox  `toml:"outbox"`

	// File is the path the settings were loaded from; empty if they were made in code.
	File string
	// Warnings are things that work, but that the operator should know of.
	Warnings []string

	lines map[string]int // line of each key and section that the file holds
}

// Service says who we are and where our own files lie.
type Service struct {
	Address        string     `toml:"address"`         // bare address players write to
	Name           string     `toml:"name"`            // display name in From
	PlusAddressing bool       `toml:"plus_addressing"` // tokens may ride in the address
	SecretFile     string     `toml:"secret_file"`     // see [OpenKey]
	Database       string     `toml:"database"`
	Operator       string     `toml:"operator"` // told of trouble; empty: nobody
	LogLevel       slog.Level `toml:"log_level"`

	KeepRaw time.Duration `toml:"keep_raw"` // how long mails are kept as they came; 0: not at all
}

// IMAP is the mailbox that mail is fetched from.
type IMAP struct {
	Addr          string        `toml:"addr"` // host:port; empty: IMAP is not used
	Security      Security      `toml:"security"`
	User          string        `toml:"user"`
	Password      Secret        `toml:"password"` // after Load, from whichever place was named
	PasswordFile  string        `toml:"password_file"`
	PasswordEnv   string        `toml:"password_env"`
	Mailbox       string        `toml:"mailbox"`
	MoveTo        string        `toml:"move_to"` // folder for handled mail; empty: it is flagged and stays
	Poll          time.Duration `toml:"poll"`
	Idle          time.Duration `toml:"idle"`
	AllowInsecure bool          `toml:"allow_insecure"`
}

// Enabled reports whether mail is fetched by IMAP.
func (c IMAP) Enabled() bool { return c.Addr != "" }

// SMTP is the server that takes our mail.
type SMTP struct {
	Addr          string   `toml:"addr"` // host:port
	Security      Security `toml:"security"`
	User          string   `toml:"user"`     // empty: no AUTH
	Password      Secret   `toml:"password"` // after Load, from whichever place was named
	PasswordFile  string   `toml:"password_file"`
	PasswordEnv   string   `toml:"password_env"`
	Hello         string   `toml:"hello"` // name in EHLO; empty: this machine's
	AllowInsecure bool     `toml:"allow_insecure"`
}

// LMTP is the socket on which a mail server hands us mail (RFC 2033).
type LMTP struct {
	Listen string `toml:"listen"` // host:port or unix:/path; empty: LMTP is not used
}

// Enabled reports whether mail is taken by LMTP.
func (c LMTP) Enabled() bool { return c.Listen != "" }

// Network returns what [net.Listen] wants to know.
func (c LMTP) Network() (network, address string) {
	if path, ok := strings.CutPrefix(c.Listen, "unix:"); ok {
		return "unix", path
	}
	return "tcp", c.Listen
}

// Auth says what proves that a mail is from the player it claims to be from.
type Auth struct {
	Policy     Policy   `toml:"policy"`
	AuthservID []string `toml:"authserv_id"` // hosts whose Authentication-Results are believed (RFC 8601)
	DKIM       bool     `toml:"dkim"`        // verify signatures ourselves
}

// Limits bound what one person can cost us.
type Limits struct {
	MaxMessage      Size `toml:"max_message"`
	MessagesPerHour int  `toml:"messages_per_hour"` // read, from one sender
	AnswersPerHour  int  `toml:"answers_per_hour"`  // sent, to one address
	Games           int  `toml:"games"`             // at a time, for one player

	NotUnderstoodPerDay int `toml:"not_understood_per_day"` // answers that say no more, to one address
	ConfirmationsPerDay int `toml:"confirmations_per_day"`  // requests to confirm, to one address

	Parts        int `toml:"parts"` // of one message
	Depth        int `toml:"depth"` // of parts within parts
	HeaderFields int `toml:"header_fields"`
	Addresses    int `toml:"addresses"` // that one message was sent to
}

// Play holds how long offers stand and when players are reminded.
type Play struct {
	ChallengeExpires time.Duration `toml:"challenge_expires"`
	ConfirmExpires   time.Duration `toml:"confirm_expires"`
	RemindAfter      time.Duration `toml:"remind_after"`

	Clock      clock.Control `toml:"clock"`       // of a challenge that names none
	ClaimAfter time.Duration `toml:"claim_after"` // a fallen flag is claimed for the opponent
}

// Outbox says how long mail that cannot be delivered is tried, and what comes of it.
type Outbox struct {
	GiveUpAfter time.Duration `toml:"give_up_after"`
	RetryFirst  time.Duration `toml:"retry_first"` // wait after the first failure; it grows
	RetryMax    time.Duration `toml:"retry_max"`   // until it is this long

	Bounces       int           `toml:"bounces"`        // mails to a player that come back for good
	BouncesWithin time.Duration `toml:"bounces_within"` // in so long, until the games are stopped
}

// Default returns the settings of an empty file. They are not complete: the address and
// the servers have no default.
func Default() Config {
	return Config{
		Service: Service{
			Name:           "Shogi by mail",
			PlusAddressing: true,
			SecretFile:     "pbem.secret",
			Database:       "pbem.db",
			LogLevel:       slog.LevelInfo,
			KeepRaw:        30 * 24 * time.Hour,
		},
		IMAP: IMAP{Security: TLS, Mailbox: "INBOX", Poll: time.Minute, Idle: 5 * time.Minute},
		SMTP: SMTP{Security: TLS},
		Auth: Auth{Policy: PolicySafe},
		Limits: Limits{
			MaxMessage:      1 << 20,
			MessagesPerHour: 60,
			AnswersPerHour:  30,
			Games:           16,

			NotUnderstoodPerDay: 3,
			ConfirmationsPerDay: 10,

			Parts: 200, Depth: 20, HeaderFields: 500, Addresses: 100,
		},
		Play: Play{
			ChallengeExpires: 14 * 24 * time.Hour,
			ConfirmExpires:   72 * time.Hour,
			RemindAfter:      72 * time.Hour,
			Clock:            clock.Control{Bank: 10 * clock.Day, Increment: 36 * time.Hour, Cap: 10 * clock.Day},
			ClaimAfter:       72 * time.Hour,
		},
		Outbox: Outbox{GiveUpAfter: 120 * time.Hour, RetryFirst: time.Minute, RetryMax: 4 * time.Hour,
			Bounces: 3, BouncesWithin: 14 * 24 * time.Hour},
	}
}

// Loopback reports whether a host:port names this machine.
func Loopback(addr string) bool {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		host = addr
	}
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
