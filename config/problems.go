package config

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Problems are all the mistakes found in the settings. Returned by [Load], [LoadOffline]
// and [Config.Validate].
type Problems struct {
	File string // as in [Config]
	List []Problem
}

// Problem is one mistake.
type Problem struct {
	Line int    // in the file, from 1; 0 if no line can be named
	Key  string // such as imap.addr; empty if the mistake is in no key
	Text string // what is wrong and what to write instead; no secret
}

// Error returns one line a problem.
func (p *Problems) Error() string {
	lines := make([]string, len(p.List))
	for i, problem := range p.List {
		lines[i] = problem.String()
		if p.File != "" {
			lines[i] = p.File + ": " + lines[i]
		}
	}
	return strings.Join(lines, "\n")
}

// String returns the problem with its line.
func (p Problem) String() string {
	text := p.Text
	if p.Key != "" {
		text = p.Key + ": " + text
	}
	if p.Line > 0 {
		text = fmt.Sprintf("line %d: %s", p.Line, text)
	}
	return text
}

// checker gathers the problems of one Config.
type checker struct {
	config  *Config
	offline bool // neither servers nor passwords are needed
	broken  bool // the file is no TOML; it says nothing else
	list    []Problem
	told    map[string]bool // keys a problem is known of: the first one is enough
}

// add notes a problem of key, in words.
func (k *checker) add(key, format string, args ...any) {
	if k.told[key] {
		return
	}
	k.told[key] = true
	k.list = append(k.list, Problem{Line: k.line(key), Key: key, Text: fmt.Sprintf(format, args...)})
}

// line returns the line of key, or of its section if it is not in the file.
func (k *checker) line(key string) int {
	if line := k.config.lines[key]; line > 0 {
		return line
	}
	section, _, _ := strings.Cut(key, ".")
	return k.config.lines[section]
}

func (k *checker) warn(key, format string, args ...any) {
	p := Problem{Line: k.line(key), Key: key, Text: fmt.Sprintf(format, args...)}
	k.config.Warnings = append(k.config.Warnings, p.String())
}

// err returns what was found, by line, those without one last.
func (k *checker) err() error {
	if len(k.list) == 0 {
		return nil
	}
	slices.SortStableFunc(k.list, func(a, b Problem) int {
		if (a.Line == 0) != (b.Line == 0) {
			return cmp.Compare(b.Line, a.Line)
		}
		return cmp.Compare(a.Line, b.Line)
	})
	return &Problems{File: k.config.File, List: k.list}
}
