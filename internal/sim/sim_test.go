package sim_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"pbem/internal/sim"
)

// TestSeeds runs some dozens of seeds, in which nothing may be found.
func TestSeeds(t *testing.T) {
	seeds := uint64(30)
	if testing.Short() {
		seeds = 5
	}
	for seed := uint64(1); seed <= seeds; seed++ {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			_, err := sim.Run(sim.Config{Seed: seed, Dir: dir()})
			report(t, err)
		})
	}
}

// TestSame runs a seed twice: both runs must be the same, event by event.
func TestSame(t *testing.T) {
	t.Parallel()
	var runs [2]strings.Builder
	for i := range runs {
		_, err := sim.Run(sim.Config{Seed: 7, Dir: dir(), Trace: func(line string) { runs[i].WriteString(line + "\n") }})
		report(t, err)
	}
	a, b := strings.Split(runs[0].String(), "\n"), strings.Split(runs[1].String(), "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			t.Fatalf("event %d is %q in one run and %q in the other", i+1, a[i], b[i])
		}
	}
	if len(a) != len(b) || len(a) < 100 {
		t.Errorf("%d and %d events", len(a), len(b))
	}
}

// dir is a disk of memory, where there is one.
func dir() string {
	if info, err := os.Stat("/dev/shm"); err == nil && info.IsDir() {
		return "/dev/shm"
	}
	return ""
}

func report(t *testing.T, err error) {
	t.Helper()
	var found *sim.Finding
	if errors.As(err, &found) {
		t.Errorf("%v\n%s", err, strings.Join(found.Trail, "\n"))
	} else if err != nil {
		t.Fatal(err)
	}
}
