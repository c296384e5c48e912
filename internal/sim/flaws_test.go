package sim_test

import (
	"errors"
	"strings"
	"testing"

	"pbem/internal/sim"
)

// TestFlaws plants each bug and sees that it is found, soon.
func TestFlaws(t *testing.T) {
	for _, name := range sim.Flaws() {
		t.Run(strings.ReplaceAll(name, " ", "-"), func(t *testing.T) {
			t.Parallel()
			for seed := uint64(1); seed <= 50; seed++ {
				_, err := sim.Run(sim.Config{Seed: seed, Dir: dir(), Flaw: name})
				var found *sim.Finding
				if errors.As(err, &found) {
					t.Logf("%v", found)
					return
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			t.Errorf("not found in 50 seeds")
		})
	}
}
