// Pbem is a service through which people play shogi by e-mail.
//
// Run pbem help for its commands. Each stands in a file of its own and is one line in the
// table of [commands].
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"pbem/config"
)

// Exit codes.
const (
	done   = 0
	failed = 1
	misuse = 2 // the command line makes no sense
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal kills
	code := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// command is one subcommand of pbem.
type command struct {
	name    string
	summary string // one line, for the list of commands
	run     func(context.Context, env) int
}

// commands returns the table of subcommands, in the order they are listed.
func commands() []command {
	return []command{
		{"demo", "play a whole game by mail on servers inside this process", runDemo},
		{"init", "write the settings", runInit},
		{"check", "try out the settings: servers, mail there and back", runCheck},
		{"serve", "run the service", runServe},
		{"status", "count players, games and mails, list limits reached", runStatus},
		{"deliver", "handle one message from stdin, without a network", runDeliver},
		{"outbox", "list, write out or send the mails that wait", runOutbox},
		{"read", "print what the service reads in messages", runRead},
		{"quarantine", "list, show, retry or drop messages that were set aside", runQuarantine},
		{"backup", "write a backup of the database, while it is in use or not", runBackup},
		{"restore", "put a backup in the place of the database", runRestore},
		{"fsck", "check the database, or a backup", runFsck},
		{"export", "write the whole database as lines of JSON", runExport},
		{"import", "make the database of an export", runImport},
		{"version", "say which pbem this is", runVersion},
	}
}

// env is what a command may touch of the world outside, and its own arguments.
type env struct {
	name           string   // of the command
	args           []string // after the name
	stdin          io.Reader
	stdout, stderr io.Writer
	getenv         func(string) string
}

// run does what args ask for and returns the exit code.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	e := env{stdin: stdin, stdout: stdout, stderr: stderr, getenv: os.Getenv}
	if len(args) == 0 {
		io.WriteString(stderr, usageText(commands()))
		return misuse
	}
	name, rest := args[0], args[1:]
	switch name {
	case "help", "-h", "-help", "--help":
		if len(rest) == 0 {
			io.WriteString(stdout, usageText(commands()))
			return done
		}
		name, rest = rest[0], []string{"-h"}
	case "-version", "--version":
		name = "version"
	}
	var names []string
	for _, c := range commands() {
		if c.name == name {
			e.name, e.args = name, rest
			return c.run(ctx, e)
		}
		names = append(names, c.name)
	}
	hint := ""
	if near := config.Nearest(name, names); near != "" {
		hint = "; did you mean pbem " + near + "?"
	}
	return e.misused(fmt.Sprintf("unknown command %s%s", name, hint), "pbem help")
}

// fail tells the operator of err, each of its lines behind the name of the program, and
// returns the exit code.
func (e env) fail(err error) int {
	for line := range strings.Lines(err.Error()) {
		fmt.Fprintf(e.stderr, "pbem: %s\n", strings.TrimSuffix(line, "\n"))
	}
	return failed
}

// misused says what is wrong with the command line and where to read on, and returns the
// exit code.
func (e env) misused(text, help string) int {
	fmt.Fprintf(e.stderr, "pbem: %s\npbem: run %s\n", text, help)
	return misuse
}
