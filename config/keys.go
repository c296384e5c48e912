package config

import (
	"reflect"
	"slices"
	"strings"
)

// setting is one key and the place of its value in a Config.
type setting struct {
	section, name string
	value         any // pointer to the field
}

func (s setting) key() string { return s.section + "." + s.name }

// settings returns every key of c, in order of declaration.
func (c *Config) settings() []setting {
	var all []setting
	sections := reflect.ValueOf(c).Elem()
	for i := range sections.NumField() {
		section := sections.Type().Field(i).Tag.Get("toml")
		if section == "" {
			continue
		}
		fields := sections.Field(i)
		for j := range fields.NumField() {
			all = append(all, setting{
				section: section,
				name:    fields.Type().Field(j).Tag.Get("toml"),
				value:   fields.Field(j).Addr().Interface(),
			})
		}
	}
	return all
}

// sectionNames returns the sections of all, in order.
func sectionNames(all []setting) []string {
	var names []string
	for _, s := range all {
		if !slices.Contains(names, s.section) {
			names = append(names, s.section)
		}
	}
	return names
}

// suggest returns what to write instead of the unknown key section.name, and the key it most
// likely stands for.
func suggest(section, name string, all []setting) (text, key string) {
	var inSection []string
	for _, s := range all {
		if s.section == section {
			inSection = append(inSection, s.name)
		}
	}
	if n := Nearest(name, inSection); n != "" {
		key = section + "." + n
		return "did you mean " + key + "?", key
	}
	for _, s := range all {
		if s.name == strings.ToLower(name) {
			return "did you mean " + s.key() + "?", s.key()
		}
	}
	return "[" + section + "] has " + strings.Join(inSection, ", "), ""
}
