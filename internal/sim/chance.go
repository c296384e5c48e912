package sim

import (
	"math/rand/v2"
	"time"
)

// chance is a source of random numbers that depends on the seed alone. Each
// part of the world has its own, so that a change in one part leaves what the
// others do as it was as far as it can.
type chance struct{ *rand.Rand }

func newChance(seed, part uint64) chance { return chance{rand.New(rand.NewPCG(seed, part))} }

// is is true with probability p.
func (c chance) is(p float64) bool { return c.Float64() < p }

// around returns a time of that mean: mostly less, now and then far more. Whole
// seconds.
func (c chance) around(mean time.Duration) time.Duration {
	return time.Duration(c.ExpFloat64() * float64(mean)).Truncate(time.Second)
}

// between returns a time from least to most, in whole seconds.
func (c chance) between(least, most time.Duration) time.Duration {
	return (least + time.Duration(c.Float64()*float64(most-least))).Truncate(time.Second)
}

// word returns n lower-case letters and digits.
func (c chance) word(n int) string {
	const letters = "abcdefghijkmnpqrstuvwxyz23456789"
	b := make([]byte, n)
	for i := range b {
		b[i] = letters[c.IntN(len(letters))]
	}
	return string(b)
}

// one returns one of list.
func one[T any](c chance, list []T) T { return list[c.IntN(len(list))] }

// faults are how often what goes wrong, drawn once for a run: some runs are
// calm, some are not.
type faults struct {
	crash     float64       // a process dies in the run of this many boundaries, as 1/n; 0 never
	outage    time.Duration // mean time between outages of the process; 0 none
	disk      float64       // the disk goes away while a mail is being sent
	blocked   time.Duration // mean time between outages of the way out; 0 none
	shut      time.Duration // mean time between outages of the mailbox; 0 none
	temporary float64       // a server says try later
	unknown   float64       // the connection breaks after the server took the mail
	permanent float64       // a server refuses for ever
	cancel    float64       // the process is asked to end during a call
	twice     float64       // a mail comes in a second time
	lmtp      float64       // a mail comes by LMTP
	both      float64       // and by IMAP too
	delay     time.Duration // mean time a mail is under way
	gap       float64       // the mailbox does not hand a mail over
	renumber  time.Duration // mean time between changes of UIDVALIDITY; 0 never
	fails     float64       // a message cannot be handled at the first try
	poison    float64       // a message can never be handled
	tick      float64       // a tick fails
	ahead     float64       // the mailbox's clock is ahead of ours
	noUIDs    bool          // the mailbox has no UIDVALIDITY
	moves     bool          // handled mail is moved out of the mailbox
}

func drawFaults(c chance) faults {
	const day = 24 * time.Hour
	storm := one(c, []float64{0, 0.3, 1, 1, 3})
	often := func(mean time.Duration) time.Duration {
		if storm == 0 {
			return 0
		}
		return time.Duration(float64(mean) / storm)
	}
	return faults{
		crash:  storm * 0.004,
		outage: often(6 * day), disk: storm * 0.001, blocked: often(4 * day), shut: often(4 * day),
		temporary: storm * 0.04, unknown: storm * 0.01, permanent: storm * 0.001,
		cancel: storm * 0.01, twice: storm * 0.05, lmtp: c.Float64() * 0.3, both: storm * 0.05,
		delay: one(c, []time.Duration{time.Second, time.Minute, 20 * time.Minute, 2 * time.Hour}),
		gap:   storm * 0.02, renumber: often(5 * day), fails: storm * 0.01, poison: storm * 0.002,
		tick: storm * 0.01, ahead: storm * 0.02, noUIDs: c.is(0.1), moves: c.is(0.5),
	}
}
