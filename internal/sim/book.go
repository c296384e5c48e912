package sim

import (
	"strings"
	"time"

	"pbem/clock"
	"pbem/game"
	"pbem/notation"
	"pbem/rules"
)

// book is what the checker writes down as it replays a run: who plays, which
// games there are and how they stand, which mails are owed to whom. It follows
// what the service promises, in its own words: no line of it is the service's.
// What a move means and when a game ends by the rules it asks the libraries
// that have tests of their own.
type book struct {
	w      *world
	owners map[string]string // whom a token was mailed to, by token

	members []*member // by number, from 1
	games   []*match  // by number, from 1
	offers  map[int]*offer
	held    map[int]*held
	nOffers int
	nHeld   int

	received map[string][]time.Time // messages, by address
	answers  map[string][]time.Time // mails that answer, by address
	stopped  map[string]time.Time   // when a member was told that so much is not read
	greeted  map[string]time.Time   // strangers
	owed     map[debt]int

	lastReminder map[string]time.Time // by address

	// Of the letter that is replayed.
	entry   entry
	from    string
	who     *member  // nil: no player
	parts   int      // things the answer says
	told    []*match // the games it is about, in order
	subject *match
	ply     int // of the mail that is answered; -1: of none
	offer   *offer
}

// debt is a kind of mail to somebody: what its token is about.
type debt struct{ to, about string }

type member struct {
	id         int
	name, addr string
}

type match struct {
	id        int
	players   [2]*member // by color; both nil until the lot is known
	handicap  string
	positions []rules.Position
	moves     []rules.Move
	at        []time.Time
	history   *rules.History
	end       rules.End
	ended     time.Time
	started   time.Time
	watch     watch
}

type offer struct {
	id       int
	from, to *member
	side     string // "black", "white" or empty, for from
	handicap string
	control  clock.Control
	expires  time.Time
}

type held struct {
	addr    string
	lines   []string
	token   string
	expires time.Time
}

func newBook(w *world) *book {
	return &book{
		w: w, owners: map[string]string{}, offers: map[int]*offer{}, held: map[int]*held{},
		received: map[string][]time.Time{}, answers: map[string][]time.Time{}, stopped: map[string]time.Time{},
		greeted: map[string]time.Time{}, owed: map[debt]int{}, lastReminder: map[string]time.Time{},
	}
}

func (b *book) memberOf(addr string) *member {
	for _, m := range b.members {
		if strings.EqualFold(m.addr, addr) {
			return m
		}
	}
	return nil
}

func (b *book) named(name string) *member {
	for _, m := range b.members {
		if strings.EqualFold(m.name, name) {
			return m
		}
	}
	return nil
}

// running are the games of m that go on.
func (b *book) running(m *member) (list []*match) {
	for _, g := range b.games {
		if g.end.Outcome == rules.Ongoing && (g.players[0] == m || g.players[1] == m) {
			list = append(list, g)
		}
	}
	return list
}

func (b *book) full(m *member) bool { return len(b.running(m)) >= settings().GamesPerPlayer }

func (b *book) game(id int) *match {
	if id < 1 || id > len(b.games) {
		return nil
	}
	return b.games[id-1]
}

// owe notes that somebody is to get a mail, and answer one that answers: of
// those nobody gets more than so many an hour, requests to confirm apart.
func (b *book) owe(to, about string) { b.owed[debt{to, about}]++ }

func (b *book) answer(to, about string) bool { return b.answerAs(to, to, about) }

func (b *book) answerAs(key, to, about string) bool {
	if recent(b.answers[key], b.entry.now) >= settings().AnswersPerHour {
		return false
	}
	b.answers[key] = append(b.answers[key], b.entry.now)
	b.owe(to, about)
	return true
}

// recent counts the times of the last hour.
func recent(times []time.Time, now time.Time) (n int) {
	for i := len(times) - 1; i >= 0 && !times[i].Before(now.Add(-time.Hour)); i-- {
		n++
	}
	return n
}

func (g *match) about() string { return "g" + itoa(g.id) + "-" + itoa(len(g.moves)) }

func (g *match) position() rules.Position { return g.positions[len(g.positions)-1] }

func (g *match) over() bool { return g.end.Outcome != rules.Ongoing }

// turn is who is to move; nil when the game is over.
func (g *match) turn() *member {
	if g.over() {
		return nil
	}
	return g.players[g.position().Turn()]
}

func (g *match) plays(m *member) bool { return m != nil && (g.players[0] == m || g.players[1] == m) }

func (g *match) other(m *member) *member {
	if g.players[0] == m {
		return g.players[1]
	}
	return g.players[0]
}

// read reads a move as one that may be played now.
func (g *match) read(text string) (rules.Move, bool) {
	o := notation.Options{}
	if n := len(g.moves); n > 0 {
		o.Previous = g.moves[n-1].To
	}
	moves, err := notation.ReadLine(g.positions[0], g.moves, text, o)
	if err != nil || len(moves) != 1 {
		return rules.Move{}, false
	}
	return moves[0], true
}

// play plays m, legal or not; it reports whether it is. The move arrived at
// one time and was handled at another.
func (g *match) play(m rules.Move, at, now time.Time, outages []game.Outage) bool {
	side := g.position().Turn()
	next, err := g.position().Play(m)
	if err != nil {
		return false
	}
	g.watch.charge(side, at, now, outages)
	g.moves, g.at, g.positions = append(g.moves, m), append(g.at, at), append(g.positions, next)
	if end := g.history.Add(next); end.Outcome != rules.Ongoing {
		g.finish(end, at)
	}
	return true
}
