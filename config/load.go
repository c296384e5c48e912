package config

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

// Load reads the settings of the file at path over the defaults, fetches the passwords they
// name, and validates all of it. Relative paths in the file start at its folder, and come
// back joined to it. What is wrong inside the file is a [*Problems]; if there is no file
// the error is a [fs.ErrNotExist].
func Load(path string) (Config, error) { return load(path, false) }

// LoadOffline is [Load] for work without a network: no server needs to be named and no
// password is read.
func LoadOffline(path string) (Config, error) { return load(path, true) }

func load(path string, offline bool) (Config, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return Config{}, fmt.Errorf("read settings: %w", err)
	}
	c := Default()
	c.File = path
	k := &checker{config: &c, offline: offline, told: map[string]bool{}}
	k.read(string(text))
	if !k.broken {
		c.resolvePaths()
		k.passwords()
		k.validate()
	}
	return c, k.err()
}

// Validate returns all that is wrong with settings made in code, as [*Problems], or nil.
// [Load] has done it already.
func (c Config) Validate() error {
	k := &checker{config: &c, told: map[string]bool{}}
	k.validate()
	return k.err()
}

// entry is a value as it stands in the file.
type entry struct {
	line  int
	value any
}

// probe takes a value from the decoder as it is, and gives an error, since only errors carry
// a position.
type probe struct{ value any }

var errProbed = errors.New("value taken")

func (p *probe) UnmarshalTOML(value any) error {
	p.value = value
	return errProbed
}

func look(meta *toml.MetaData, value toml.Primitive) entry {
	var p probe
	var position toml.ParseError
	errors.As(meta.PrimitiveDecode(value, &p), &position)
	return entry{line: position.Position.Line, value: p.value}
}

// read sets the values of a file's text.
func (k *checker) read(text string) {
	k.config.lines = map[string]int{}
	var sections map[string]toml.Primitive
	meta, err := toml.Decode(text, &sections)
	if err != nil {
		k.noTOML(text, err)
		return
	}
	all := k.config.settings()
	names := sectionNames(all)
	for _, name := range slices.Sorted(maps.Keys(sections)) {
		section := sections[name]
		e := look(&meta, section)
		k.config.lines[name] = e.line
		var values map[string]toml.Primitive
		_, isTable := e.value.(map[string]any)
		if !isTable || !slices.Contains(names, name) || meta.PrimitiveDecode(section, &values) != nil {
			k.noSection(name, e, names, all)
			continue
		}
		for _, key := range slices.Sorted(maps.Keys(values)) {
			k.set(name, key, look(&meta, values[key]), all)
		}
	}
}

// set gives the setting section.name its value.
func (k *checker) set(section, name string, e entry, all []setting) {
	key := section + "." + name
	k.config.lines[key] = e.line
	for _, s := range all {
		if s.key() == key {
			if err := assign(s.value, e.value); err != nil {
				k.told[key] = true
				k.list = append(k.list, Problem{Line: e.line, Key: key, Text: withExample(err, s)})
			}
			return
		}
	}
	hint, meant := suggest(section, name, all)
	k.list = append(k.list, Problem{Line: e.line, Text: "unknown key " + key + "; " + hint})
	k.told[meant] = true // do not also call it missing
}

// noSection says what is wrong with something at the top of the file that is no section of ours.
func (k *checker) noSection(name string, e entry, names []string, all []setting) {
	problem := Problem{Line: e.line}
	_, isTable := e.value.(map[string]any)
	_, isArray := e.value.([]map[string]any)
	known, near := slices.Contains(names, name), Nearest(name, names)
	switch {
	case known && isArray:
		problem.Text = fmt.Sprintf("[[%s]] is a list; write [%[1]s]", name)
	case known:
		problem.Text = fmt.Sprintf("%s is a section; write [%[1]s] and its keys below", name)
	case (isTable || isArray) && near != "":
		problem.Text = fmt.Sprintf("unknown section [%s]; did you mean [%s]?", name, near)
	case isTable || isArray:
		problem.Text = fmt.Sprintf("unknown section [%s]; there are [%s]", name, strings.Join(names, "], ["))
	default:
		problem.Text, near = "unknown key "+name+"; keys stand below the [section] they belong to", ""
		if hint, meant := suggest("", name, all); meant != "" {
			problem.Text = "unknown key " + name + " outside of a section; " + hint
			k.told[meant] = true
		}
	}
	k.list = append(k.list, problem)
	for _, s := range all {
		if s.section == near { // what stands there is not missing
			k.told[s.key()] = true
		}
	}
}

// noTOML says where a file stops being TOML. The parser quotes what it did not understand: a
// line that may hold a password is not repeated.
func (k *checker) noTOML(text string, err error) {
	problem := Problem{Text: err.Error()}
	var syntax toml.ParseError
	if errors.As(err, &syntax) {
		problem.Line, problem.Text = syntax.Position.Line, syntax.Message
		lines := strings.Split(text, "\n")
		line := ""
		if n := problem.Line; n >= 1 && n <= len(lines) {
			line = lines[n-1]
		}
		if strings.Contains(strings.ToLower(syntax.LastKey+line), "pass") {
			problem.Text = "the password is not written as TOML; put it in \"quotes\", or in a file named by password_file"
		}
	}
	k.broken = true
	k.list = append(k.list, problem)
}

// resolvePaths makes relative paths start at the folder of the file.
func (c *Config) resolvePaths() {
	folder := filepath.Dir(c.File)
	for _, path := range []*string{
		&c.Service.SecretFile, &c.Service.Database, &c.IMAP.PasswordFile, &c.SMTP.PasswordFile,
	} {
		if *path != "" && !filepath.IsAbs(*path) {
			*path = filepath.Join(folder, *path)
		}
	}
}
