// Command pbem lets people play shogi with nothing but e-mail.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], stdio{os.Stdin, os.Stdout, os.Stderr})
	stop()
	os.Exit(code)
}

// stdio is where a command reads and writes.
type stdio struct {
	in       io.Reader
	out, err io.Writer
}

// fail says what went wrong and returns the exit code for it.
func (s stdio) fail(err error) int {
	fmt.Fprintf(s.err, "pbem: %v\n", err)
	return 1
}

// usageExit is the exit code of a command whose flags could not be read.
func usageExit(err error) int {
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	return 2
}

// subcommand is one word behind pbem.
type subcommand struct {
	name, summary string
	run           func(ctx context.Context, args []string, std stdio) int
}

func subcommands() []subcommand {
	return []subcommand{
		{"demo", "play a whole game by mail on servers inside this process", runDemo},
	}
}

// run does what args say and returns the exit code: 0 done, 1 failed, 2 wrong
// usage.
func run(ctx context.Context, args []string, std stdio) int {
	if len(args) > 0 {
		for _, c := range subcommands() {
			if c.name == args[0] {
				return c.run(ctx, args[1:], std)
			}
		}
	}
	fmt.Fprintln(std.err, "pbem: shogi by e-mail\n\nUsage: pbem COMMAND [flags]")
	for _, c := range subcommands() {
		fmt.Fprintf(std.err, "  %-8s %s\n", c.name, c.summary)
	}
	return 2
}
