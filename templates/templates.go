// Package templates holds the texts that people read, apart from the code
// that decides what to say: one struct a kind of thing to say, and one file of
// the same name a language. The data are plain values; boards come already
// drawn.
package templates

import (
	"embed"
	"fmt"
	"html"
	"reflect"
	"strings"
	"sync"
	"text/template"
	"unicode/utf8"
)

// Width is how many columns a line of a mail takes at most.
const Width = 72

//go:embed en/*.txt
var files embed.FS

var english = sync.OnceValues(func() (*template.Template, error) {
	return template.New("en").Option("missingkey=error").
		Funcs(template.FuncMap{"join": func(s []string) string { return strings.Join(s, ", ") }}).
		ParseFS(files, "en/*.txt")
})

// Render returns what part, one of the structs of this package, says in
// English: the subject it would give a mail, empty if it has none, and its
// text, wrapped at [Width] columns, without a line end.
func Render(part any) (subject, text string, err error) {
	t, err := english()
	if err != nil {
		return "", "", err
	}
	name := reflect.TypeOf(part).Name()
	var b strings.Builder
	if err := t.ExecuteTemplate(&b, name+".txt", part); err != nil {
		return "", "", fmt.Errorf("say %s: %w", name, err)
	}
	text = strings.TrimRight(strings.TrimLeft(b.String(), "\n"), " \n")
	if first, rest, _ := strings.Cut(text, "\n"); strings.HasPrefix(first, "Subject: ") {
		subject, text = strings.TrimPrefix(first, "Subject: "), rest
	}
	return subject, wrap(strings.Trim(text, "\n")), nil
}

// wrap breaks the lines that are too long, except indented ones: those are
// boards and lists whose columns mean something. Of blank lines on end, which
// an empty list leaves, one stays.
func wrap(text string) string {
	var out []string
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimRight(line, " ")
		if line == "" && len(out) > 0 && out[len(out)-1] == "" {
			continue
		}
		if strings.HasPrefix(line, " ") || utf8.RuneCountInString(line) <= Width {
			out = append(out, line)
			continue
		}
		out = append(out, fold(line)...)
	}
	return strings.Join(out, "\n")
}

func fold(line string) []string {
	var out []string
	row := ""
	for word := range strings.FieldsSeq(line) {
		switch {
		case row == "":
			row = word
		case utf8.RuneCountInString(row)+1+utf8.RuneCountInString(word) > Width:
			out, row = append(out, row), word
		default:
			row += " " + word
		}
	}
	return append(out, row)
}

// HTML returns text, as [Render] makes it, as a small HTML document: indented
// blocks keep their columns in a fixed-width font, which the fonts of phones
// would otherwise break, and the rest flows.
func HTML(text string) string {
	var b strings.Builder
	b.WriteString("<!DOCTYPE html>\n<html><body>\n")
	for block := range strings.SplitSeq(text, "\n\n") {
		safe := html.EscapeString(block)
		if strings.HasPrefix(block, " ") {
			fmt.Fprintf(&b, "<pre style=\"font-family:monospace\">%s</pre>\n", safe)
			continue
		}
		fmt.Fprintf(&b, "<p>%s</p>\n", strings.ReplaceAll(safe, "\n", "<br>\n"))
	}
	b.WriteString("</body></html>\n")
	return b.String()
}
