package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
)

// usage is what pbem help prints; the %s is the list of commands.
const usage = `Pbem lets people play shogi by e-mail.

Usage:

  pbem COMMAND [flags]

Commands:

%s
Run pbem help COMMAND for the flags of one. Settings are read from config.toml; --config PATH
or the variable PBEM_CONFIG name another file.
`

func usageText(table []command) string {
	var list strings.Builder
	for _, c := range table {
		fmt.Fprintf(&list, "  %-10s %s\n", c.name, c.summary)
	}
	return fmt.Sprintf(usage, list.String())
}

// flagSet returns the empty flags of e's command. The rest of its usage is about, one
// sentence or more.
func (e env) flagSet(synopsis, about string) *flag.FlagSet {
	flags := flag.NewFlagSet(e.name, flag.ContinueOnError)
	flags.SetOutput(io.Discard) // parse says it in our words
	flags.Usage = func() {
		fmt.Fprintf(e.stdout, "Usage: %s\n\n%s\n", strings.TrimSpace("pbem "+e.name+" "+synopsis), about)
		heading := "\nFlags:\n"
		flags.VisitAll(func(f *flag.Flag) {
			kind, text := flag.UnquoteUsage(f)
			if f.DefValue != "" && f.DefValue != "false" {
				text += " (default " + f.DefValue + ")"
			}
			fmt.Fprintf(e.stdout, "%s  --%s\n        %s\n", heading, strings.TrimSpace(f.Name+" "+kind), text)
			heading = ""
		})
	}
	return flags
}

// parse reads e's arguments into flags. If the command is not to go on (help was asked for,
// or the line makes no sense), ok is false and code is what to exit with. No more than
// operands may follow the flags.
func (e env) parse(flags *flag.FlagSet, operands int) (code int, ok bool) {
	help := "pbem help " + e.name
	show := flags.Usage
	flags.Usage = func() {} // Parse calls it for mistakes too
	switch err := flags.Parse(e.args); {
	case errors.Is(err, flag.ErrHelp):
		show()
		return done, false
	case err != nil:
		return e.misused(e.name+": "+err.Error(), help), false
	case flags.NArg() > operands:
		return e.misused(fmt.Sprintf("%s: what is %q for?", e.name, flags.Arg(operands)), help), false
	}
	return done, true
}
