package config

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

const keyBytes = 32

// OpenKey returns the secret behind the reply tokens, 32 random bytes that the file at path
// holds in hexadecimal. A file that is not there is made, with mode 0600: who loses it loses
// nothing but the tokens that are in players' mailboxes already.
func OpenKey(path string) ([]byte, error) {
	key, err := ReadKey(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return key, err
	}
	if err := CreateKey(path); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	return ReadKey(path)
}

// ReadKey is [OpenKey] for a file that must be there; else the error is a [fs.ErrNotExist].
func ReadKey(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("read token secret: %w", err)
	}
	if public(info.Mode()) {
		return nil, fmt.Errorf("read token secret: everyone may read %s; run chmod 600 %[1]s", path)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read token secret: %w", err)
	}
	key, err := hex.DecodeString(strings.TrimSpace(string(text)))
	if err != nil || len(key) != keyBytes { // hex errors quote the text: not passed on
		return nil, fmt.Errorf("read token secret: %s does not hold %d hexadecimal digits; restore it, "+
			"or remove it and a new one is made", path, 2*keyBytes)
	}
	return key, nil
}

// CreateKey makes a new key file. The error is a [fs.ErrExist] if there is one already.
func CreateKey(path string) error {
	key := make([]byte, keyBytes)
	rand.Read(key) // never fails
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("make token secret: %w", err)
	}
	_, err = f.WriteString(hex.EncodeToString(key) + "\n")
	if err == nil {
		err = f.Sync()
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		os.Remove(path)
		return fmt.Errorf("make token secret: %w", err)
	}
	return nil
}
