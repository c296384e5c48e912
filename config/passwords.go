package config

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
)

// passwords fetches both passwords from where the file says they are.
func (k *checker) passwords() {
	imap, smtp := &k.config.IMAP, &k.config.SMTP
	k.password("imap", &imap.Password, imap.PasswordFile, imap.PasswordEnv, imap.Enabled())
	k.password("smtp", &smtp.Password, smtp.PasswordFile, smtp.PasswordEnv, smtp.User != "")
}

func (k *checker) password(section string, password *Secret, file, variable string, used bool) {
	key := section + ".password"
	if !password.IsZero() {
		k.writtenPassword(key)
	}
	var given []string
	for name, is := range map[string]bool{key: !password.IsZero(), key + "_file": file != "", key + "_env": variable != ""} {
		if is {
			given = append(given, name)
		}
	}
	switch {
	case len(given) > 1:
		slices.Sort(given)
		k.add(given[len(given)-1], "there is %s too; keep one of them", given[0])
	case !used || k.offline:
	case file != "":
		*password = k.filedPassword(key+"_file", file)
	case variable != "":
		if *password = NewSecret(os.Getenv(variable)); password.IsZero() {
			// The name is not repeated: it may be a password in the wrong place.
			k.add(key+"_env", "the environment has no such variable, or it is empty; set it, "+
				"or write the password in a file and its path in password_file")
		}
	}
}

// writtenPassword refuses a password in a settings file that everyone can read.
func (k *checker) writtenPassword(key string) {
	info, err := os.Stat(k.config.File)
	if err != nil || public(info.Mode()) {
		k.add(key, "everyone on this machine can read it here; run chmod 600 %s, "+
			"or write it in a file of its own and the path in password_file", k.config.File)
		return
	}
	k.warn(key, "the password stands in the settings; password_file keeps it apart from what you may show")
}

func (k *checker) filedPassword(key, path string) Secret {
	text, everyone, err := readPassword(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		k.add(key, "there is no file %s; put the password in it, alone on one line, and run chmod 600 %[1]s", path)
	case err != nil:
		k.add(key, "%v; put the password in it, alone on one line", strings.TrimPrefix(err.Error(), "open "))
	case everyone:
		k.warn(key, "everyone on this machine can read %s; run chmod 600 %[1]s", path)
	}
	return NewSecret(text)
}
