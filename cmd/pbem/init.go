package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"pbem/config"
)

const initAbout = `Writes the settings, with every key and a line on what it is for, and beside them the secret
behind the reply addresses and a file for the password. On a terminal it asks for what it needs;
with --address it asks nothing. Paths that do not begin with / start at the folder of the
settings. A secret or a password that is there already is kept.

Exit code: 0 written, 1 not written, 2 this command line makes no sense.`

// setup is what the operator decides; the rest of the settings are defaults.
type setup struct {
	path         string // of the settings
	force        bool
	address      string
	imap, smtp   server
	user         string
	passwordFile string
	password     string // empty: the operator writes it into the file himself
	lmtp         string
	plus         bool
	noLogin      bool // the SMTP server takes mail without
}

// runInit writes the settings.
func runInit(_ context.Context, e env) int {
	s := setup{plus: true}
	flags := e.flagSet("[--address ADDRESS [--imap HOST[:PORT]] [--lmtp LISTEN] [--smtp HOST[:PORT]] ...]", initAbout)
	path := e.configFlag(flags)
	flags.StringVar(&s.address, "address", "", "the `ADDRESS` players write to; no questions are asked")
	flags.Var(&s.imap, "imap", "fetch mail from this server, `HOST[:PORT]`; guessed from the address unless there is --lmtp")
	flags.Var(&s.imap.security, "imap-security", "protect that connection by `tls|starttls|none`; guessed from the port")
	flags.Var(&s.smtp, "smtp", "send mail through this server, `HOST[:PORT]`; guessed from the address")
	flags.Var(&s.smtp.security, "smtp-security", "protect that connection by `tls|starttls|none`; guessed from the port")
	flags.StringVar(&s.lmtp, "lmtp", "", "take mail from a mail server on this machine at `LISTEN`, like unix:/run/pbem/lmtp.sock or 127.0.0.1:24")
	flags.StringVar(&s.user, "user", "", "the `NAME` to log in with; the address if left out")
	flags.BoolVar(&s.noLogin, "no-login", false, "the SMTP server takes mail without a login, as on port 25")
	flags.StringVar(&s.passwordFile, "password-file", "mail-password", "where the password is, or will be, a `PATH`")
	noPlus := flags.Bool("no-plus", false, "the mail server does not deliver address+token@ to address@")
	flags.BoolVar(&s.force, "force", false, "write over settings that are there")
	if code, ok := e.parse(flags, 0); !ok {
		return code
	}
	s.path, s.plus = *path, !*noPlus
	if _, err := os.Stat(s.path); err == nil && !s.force {
		return e.fail(fmt.Errorf("%s is there already; --force writes over it, --config PATH writes another", s.path))
	}
	if s.address == "" {
		ask, ok := e.asker()
		if !ok {
			return e.misused("init: stdin is no terminal, so nothing can be asked; write pbem init --address shogi@example.org", "pbem help init")
		}
		if err := s.ask(ask); err != nil {
			return e.fail(err)
		}
	}
	s.guess()
	return e.writeSetup(s)
}

// writeSetup checks s, writes what it makes and tells the operator what to do next.
func (e env) writeSetup(s setup) int {
	if err := s.config().Validate(); err != nil {
		return e.fail(err)
	}
	wrote, err := s.write()
	for _, path := range wrote {
		fmt.Fprintf(e.stdout, "Wrote %s\n", path)
	}
	if err != nil {
		return e.fail(err)
	}
	next := "Next: " + nextCommand("check", s.path)
	if empty(s.beside(s.passwordFile)) && s.needsPassword() {
		next = fmt.Sprintf("Now put the password into %s, alone on one line.\nThen: %s", s.beside(s.passwordFile), nextCommand("check", s.path))
	}
	fmt.Fprintf(e.stdout, "\n%s\n", next)
	return done
}

// guess fills in what was not said.
func (s *setup) guess() {
	p := guessProvider(s.address)
	if s.imap.host == "" && s.lmtp == "" {
		s.imap.fill(p.imap)
	}
	if s.smtp.host == "" {
		if s.lmtp != "" && s.imap.host == "" { // a mail server on this machine
			p.smtp = server{host: "127.0.0.1", port: "25"}
		}
		s.smtp.fill(p.smtp)
	}
	s.imap.complete("993")
	s.smtp.complete("465")
	// Port 25 is for mail servers, which do not log in (RFC 6409, section 3.1).
	s.noLogin = s.noLogin || s.smtp.port == "25"
	if s.user == "" {
		s.user = s.address
	}
}

func (s setup) needsPassword() bool { return s.imap.host != "" || !s.noLogin }

// config returns the settings that [setup.write] writes, for the check of them.
func (s setup) config() config.Config {
	c := config.Default()
	c.Service.Address, c.Service.PlusAddressing = s.address, s.plus
	if s.imap.host != "" {
		c.IMAP.Addr, c.IMAP.Security, c.IMAP.User, c.IMAP.PasswordFile = s.imap.addr(), config.Security(s.imap.security), s.user, s.passwordFile
	}
	c.SMTP.Addr, c.SMTP.Security = s.smtp.addr(), config.Security(s.smtp.security)
	if !s.noLogin {
		c.SMTP.User, c.SMTP.PasswordFile = s.user, s.passwordFile
	}
	c.LMTP.Listen = s.lmtp
	return c
}

// values are those of [config.Fill].
func (s setup) values() map[string]any {
	v := map[string]any{
		"service.address": s.address, "service.plus_addressing": s.plus,
		"imap.addr": s.imap.addr(), "imap.security": string(s.imap.security), "imap.user": s.user, "imap.password_file": s.passwordFile,
		"smtp.addr": s.smtp.addr(), "smtp.security": string(s.smtp.security), "smtp.user": s.user, "smtp.password_file": s.passwordFile,
	}
	if s.imap.host == "" {
		for _, key := range []string{"imap.addr", "imap.security", "imap.user", "imap.password_file"} {
			v[key] = nil
		}
	}
	if s.noLogin {
		v["smtp.user"], v["smtp.password_file"] = nil, nil
	}
	if s.lmtp != "" {
		v["lmtp.listen"] = s.lmtp
	}
	return v
}

// beside returns path, seen from the folder of the settings.
func (s setup) beside(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(filepath.Dir(s.path), path)
}

// write writes the secret, the password and, when these are there, the settings. It returns the
// paths of what it has written.
func (s setup) write() (wrote []string, err error) {
	text, err := config.Fill(s.values())
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(s.path), 0o750); err != nil {
		return nil, err
	}
	secret := s.beside(config.Default().Service.SecretFile)
	switch err := config.CreateKey(secret); {
	case err == nil:
		wrote = append(wrote, secret)
	case !errors.Is(err, fs.ErrExist):
		return wrote, err
	}
	if s.needsPassword() {
		path := s.beside(s.passwordFile)
		if made, err := writePassword(path, s.password); err != nil {
			return wrote, err
		} else if made {
			wrote = append(wrote, path)
		}
	}
	if err := os.WriteFile(s.path, []byte(text), 0o600); err != nil {
		return wrote, err
	}
	return append(wrote, s.path), nil
}

// writePassword writes a password that was typed, or an empty file if there is none.
func writePassword(path, password string) (made bool, err error) {
	how := os.O_WRONLY | os.O_CREATE | os.O_EXCL
	if password != "" {
		password += "\n"
		how = os.O_WRONLY | os.O_CREATE | os.O_TRUNC
	}
	f, err := os.OpenFile(path, how, 0o600)
	if password == "" && (errors.Is(err, fs.ErrExist) || errors.Is(err, fs.ErrNotExist)) {
		return false, nil // It is kept; or it will lie in a folder that the operator makes.
	} else if err != nil {
		return false, err
	}
	_, err = f.WriteString(password)
	return true, errors.Join(err, f.Chmod(0o600), f.Close())
}

// empty reports whether there is nothing at path, or an empty file.
func empty(path string) bool {
	info, err := os.Stat(path)
	return errors.Is(err, fs.ErrNotExist) || err == nil && info.Size() == 0
}
