package main

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"log/slog"

	"pbem/config"
)

// defaultConfig is where the settings are, if nobody says otherwise.
const defaultConfig = "config.toml"

// configFlag adds --config to flags. Its default is PBEM_CONFIG, else config.toml.
func (e env) configFlag(flags *flag.FlagSet) *string {
	path := e.getenv("PBEM_CONFIG")
	if path == "" {
		path = defaultConfig
	}
	return flags.String("config", path, "the settings, a `PATH`")
}

// loadConfig reads the settings at path with load, [config.Load] or [config.LoadOffline], and
// tells the operator of what is odd in them.
func (e env) loadConfig(path string, load func(string) (config.Config, error)) (config.Config, error) {
	c, err := load(path)
	if errors.Is(err, fs.ErrNotExist) {
		return c, fmt.Errorf("there are no settings at %s; write them with pbem init, or name others with --config", path)
	}
	if err != nil {
		return c, err
	}
	for _, warning := range c.Warnings {
		fmt.Fprintf(e.stderr, "pbem: %s: warning: %s\n", path, warning)
	}
	return c, nil
}

// logger returns a log to stderr of what is at least as grave as the settings say.
func (e env) logger(c config.Config) *slog.Logger {
	return slog.New(slog.NewTextHandler(e.stderr, &slog.HandlerOptions{Level: c.Service.LogLevel}))
}
