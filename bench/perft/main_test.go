package main

import (
	"slices"
	"testing"

	"pbem/rules"
)

// Every variant is measured from its start.
func TestAllVariants(t *testing.T) {
	for _, v := range rules.Variants() {
		if !slices.ContainsFunc(all(), func(m measure) bool { return m.variant == v.Name && m.sfen == "" }) {
			t.Errorf("%s is not measured", v.Name)
		}
	}
}
