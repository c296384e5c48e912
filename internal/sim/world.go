package sim

import (
	"fmt"
	"path/filepath"
	"time"

	"pbem/service"
)

// The service that is simulated.
const (
	serviceHost    = "club.example"
	serviceAddress = "shogi@" + serviceHost
	authHost       = "mx.club.example" // whose Authentication-Results count
	inbox          = "INBOX"
)

// begin is when every run begins.
var begin = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

func settings() service.Settings {
	return service.Settings{
		Address: serviceAddress, Name: "Shogi by mail", PlusAddressing: true,
		Secrets: [][]byte{[]byte("a secret of the simulation")}, AuthservIDs: []string{authHost},
		MaxMessage: 1 << 20, MessagesPerHour: 60, AnswersPerHour: 30, GamesPerPlayer: 5,
		ChallengeExpires: 3 * 24 * time.Hour, ConfirmExpires: 2 * 24 * time.Hour, RemindAfter: 2 * 24 * time.Hour,
		Clock: controls()["1d+6h/2d"], ClaimAfter: 24 * time.Hour,
	}
}

// world is one run: all that happens, and what is noted of it for the checker.
type world struct {
	config Config
	schedule
	faults faults
	calm   bool // the network is whole and people rest: the end of a run

	people  []*person
	byAddr  map[string]*person
	process *process
	mailbox mailbox

	letters []*letter            // written to the service, by serial from 1
	sent    map[string]*sentMail // mails of the service that a server has seen, by Message-ID
	order   []*sentMail          // the same in order of their first try
	history []entry              // what the service did, in order

	happened  []happening
	replaying time.Time // what the checker replays happened then
	trouble   error
	figures   Figures
	flaw      flaw

	forNetwork, forFaults, forPeople, forIDs chance
}

func newWorld(c Config, dir string) *world {
	w := &world{
		config: c, schedule: schedule{now: begin},
		byAddr: map[string]*person{}, sent: map[string]*sentMail{},
		forNetwork: newChance(c.Seed, 1), forFaults: newChance(c.Seed, 2),
		forPeople: newChance(c.Seed, 3), forIDs: newChance(c.Seed, 4),
	}
	w.flaw = flaw{name: c.Flaw, chance: newChance(c.Seed, 5)}
	w.faults = drawFaults(w.forFaults)
	w.mailbox = mailbox{validity: 1 + uint32(w.forFaults.IntN(1000)), handed: map[int][]time.Time{}}
	if w.faults.noUIDs {
		w.mailbox.validity = 0
	}
	w.process = &process{w: w, path: filepath.Join(dir, "pbem.db"), owing: map[*letter]bool{}}
	for i := range c.Players {
		w.people = append(w.people, newPerson(w, i))
	}
	for _, p := range w.people {
		w.byAddr[p.addr] = p
	}
	return w
}

// play lets the run happen: so long of play, then rest until all is quiet.
func (w *world) play(long time.Duration) {
	w.process.start()
	w.every(tickEvery, func() { w.process.tick() })
	w.every(pollEvery, w.read)
	w.sometimes(w.faults.outage, func() { w.process.stop(w.forFaults.around(12 * time.Hour)) })
	w.sometimes(w.faults.renumber, func() { w.renumber() })
	w.sometimes(w.faults.blocked, func() { w.process.block(w.forFaults.around(6 * time.Hour)) })
	w.sometimes(w.faults.shut, func() { w.shut(w.forFaults.around(12 * time.Hour)) })
	for _, p := range w.people {
		w.in(w.forPeople.around(12*time.Hour), p.join)
	}
	w.until(begin.Add(long))
	w.calm = true
	// Whatever is under way has arrived by then, and every mail was tried again.
	w.until(begin.Add(long + 4*24*time.Hour))
}

// pollEvery is how often the mailbox is read though nothing seems to have come.
const pollEvery = 20 * time.Minute

func (w *world) until(end time.Time) {
	for w.trouble == nil && w.next(end) {
	}
}

// every lets f happen at equal distances.
func (w *world) every(d time.Duration, f func()) {
	w.in(d, func() {
		f()
		w.every(d, f)
	})
}

// sometimes lets f happen after random times of that mean, as long as the
// world is not calm; 0: never.
func (w *world) sometimes(mean time.Duration, f func()) {
	if mean <= 0 {
		return
	}
	w.in(w.forFaults.around(mean), func() {
		if !w.calm {
			f()
			w.sometimes(mean, f)
		}
	})
}

// fault is true with probability p, and never in a calm world.
func (w *world) fault(p float64) bool { return !w.calm && w.forFaults.is(p) }

// newID is the service's source of identifiers.
func (w *world) newID() string { return w.forIDs.word(16) }

// machine notes that this machine, not the program, gave up.
func (w *world) machine(err error) {
	if w.trouble == nil {
		w.trouble = fmt.Errorf("seed %d: %w", w.config.Seed, err)
	}
}
