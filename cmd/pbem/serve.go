package main

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"runtime/debug"

	"pbem/config"
	"pbem/mailer/imapbox"
	"pbem/mailer/lmtp"
)

const serveAbout = `Runs the service: takes mail in by IMAP, by LMTP or by both, and answers it by SMTP, until it
is told to stop (Ctrl-C, or SIGTERM from systemd). The mail in hand is finished first. What
happens is logged to stderr. Try pbem check before the first time.

Exit code: 0 it was told to stop, 1 it could not start or go on, 2 this command line makes no
sense.`

// runServe runs the service until ctx ends.
func runServe(ctx context.Context, e env) int {
	flags := e.flagSet("[--config PATH]", serveAbout)
	path := e.configFlag(flags)
	if code, ok := e.parse(flags, 0); !ok {
		return code
	}
	c, err := e.loadConfig(*path, config.Load)
	if err != nil {
		return e.fail(err)
	}
	if err := serve(ctx, c, e.logger(c)); err != nil {
		return e.fail(err)
	}
	return done
}

// part is something serve keeps running: it ends before its context only if it fails.
type part struct {
	name string
	run  func(context.Context) error
}

// serve runs the daemon and the ways in until ctx ends, then returns nil. The error says why it
// could not start, or which part ended by itself.
func serve(ctx context.Context, c config.Config, log *slog.Logger) (err error) {
	h, err := openHouse(c, 0, log)
	if err != nil {
		return err
	}
	defer func() {
		if cerr := h.close(); err == nil {
			err = cerr
		}
	}()
	parts := []part{
		{"daemon", h.daemon.Run},
		{"control", func(ctx context.Context) error { return serveControl(ctx, h, log) }},
	}
	if c.LMTP.Enabled() {
		ln, err := listenLMTP(c)
		if err != nil {
			return err
		}
		parts = append(parts, part{"LMTP", func(ctx context.Context) error {
			return lmtp.Serve(ctx, ln, lmtpConfig(c, log), h.daemon.Deliver)
		}})
		log.Info("mail is taken", "lmtp", c.LMTP.Listen)
	}
	if c.IMAP.Enabled() {
		parts = append(parts, part{"IMAP", func(ctx context.Context) error {
			return imapbox.Watch(ctx, imapConfig(c, log), h.daemon)
		}})
		log.Info("mail is fetched", "imap", c.IMAP.Addr, "mailbox", c.IMAP.Mailbox)
	}
	info, _ := debug.ReadBuildInfo()
	log.Info("serving", "version", version(info), "database", c.Service.Database, "smtp", c.SMTP.Addr)
	if err := runAll(ctx, parts); err != nil {
		return err
	}
	log.Info("stopped")
	return nil
}

func listenLMTP(c config.Config) (net.Listener, error) {
	ln, err := lmtp.Listen(c.LMTP.Listen)
	if err != nil {
		return nil, fmt.Errorf("take mail by LMTP: %w; is lmtp.listen in %s right?", err, c.File)
	}
	return ln, nil
}

// runAll runs parts until ctx ends and all of them have. If one ends before that, so do the
// others, and the error says which it was.
func runAll(ctx context.Context, parts []part) error {
	all, stop := context.WithCancel(ctx)
	defer stop()
	ended := make(chan error, len(parts))
	for _, p := range parts {
		go func() { ended <- p.end(all, p.run(all)) }()
	}
	var first error
	for range parts {
		if err := <-ended; first == nil {
			first = err
		}
		stop()
	}
	return first
}

// end words how p has ended: nil if it was told to.
func (p part) end(ctx context.Context, err error) error {
	switch {
	case ctx.Err() != nil:
		return nil
	case err == nil:
		return fmt.Errorf("%s ended by itself", p.name)
	}
	return fmt.Errorf("%s ended by itself: %w", p.name, err)
}
