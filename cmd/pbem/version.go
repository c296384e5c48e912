package main

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
)

func runVersion(_ context.Context, e env) int {
	flags := e.flagSet("", "Says which pbem this is and what it was built with.")
	if code, ok := e.parse(flags, 0); !ok {
		return code
	}
	info, _ := debug.ReadBuildInfo()
	fmt.Fprintf(e.stdout, "pbem %s\n%s %s/%s\n", version(info), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return done
}

// version returns the module's version and the commit it was built from, as far as they are
// known; info may be nil.
func version(info *debug.BuildInfo) string {
	if info == nil {
		return "of unknown version"
	}
	text := info.Main.Version
	if text == "" {
		text = "(devel)"
	}
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	revision := settings["vcs.revision"]
	if revision == "" {
		return text
	}
	if settings["vcs.modified"] == "true" {
		revision += ", modified"
	}
	return fmt.Sprintf("%s (commit %s)", text, revision)
}
