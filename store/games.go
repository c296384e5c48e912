package store

import (
	"bytes"
	"fmt"
	"slices"
	"time"

	"pbem/game"
	"pbem/notation"
	"pbem/player"
	"pbem/rules"
)

type gameRecord struct {
	Black    uint64          `json:"black"`
	White    uint64          `json:"white"`
	Variant  string          `json:"variant"`
	Handicap string          `json:"handicap,omitempty"`
	Strict   bool            `json:"strict,omitempty"`
	Start    string          `json:"start"` // SFEN
	Plies    []plyRecord     `json:"plies"`
	Started  time.Time       `json:"started"`
	Outcome  string          `json:"outcome,omitempty"`
	Cause    string          `json:"cause,omitempty"`
	Foul     string          `json:"foul,omitempty"` // USI
	Ended    time.Time       `json:"ended,omitzero"`
	Clock    *clockRecord    `json:"clock,omitempty"`
	Fallen   time.Time       `json:"fallen,omitzero"`
	Patient  bool            `json:"patient,omitempty"`
	Paused   bool            `json:"paused,omitempty"`
	Offers   []offerRecord   `json:"offers,omitempty"`
	Plans    [2][]lineRecord `json:"plans,omitzero"` // Black's, White's
	Pending  *pendingRecord  `json:"pending,omitempty"`
	Watchers []uint64        `json:"watchers,omitempty"`
	Counted  bool            `json:"counted,omitempty"`
	Gains    [2]float64      `json:"gains,omitzero"`
	Reminded int             `json:"reminded,omitempty"`
	Due      time.Time       `json:"due,omitzero"`
	Threads  [2]threadRecord `json:"threads"` // Black's, White's
}

type plyRecord struct {
	USI string    `json:"usi"`
	At  time.Time `json:"at"`
}

type threadRecord struct {
	Root string `json:"root,omitempty"`
	Last string `json:"last,omitempty"`
}

func (r gameRecord) index(id uint64) []entry {
	if r.Outcome != "" {
		at := append(appendTime(nil, r.Ended), idKey(id)...)
		return append([]entry{
			{indexEnded, append(idKey(r.Black), at...), nil},
			{indexEnded, append(idKey(r.White), at...), nil},
		}, dueEntry(r.Due, dueGame, id)...)
	}
	entries := []entry{
		{indexRunning, append(idKey(r.Black), idKey(id)...), nil},
		{indexRunning, append(idKey(r.White), idKey(id)...), nil},
	}
	return append(entries, dueEntry(r.Due, dueGame, id)...)
}

// outcomes are how an outcome is written, by rules.Outcome.
func outcomes() []string { return []string{"", "black wins", "white wins", "draw"} }

func outcomeText(o rules.Outcome) (string, error) {
	if texts := outcomes(); int(o) < len(texts) {
		return texts[o], nil
	}
	return "", fmt.Errorf("outcome %d is not known", o)
}

func parseOutcome(text string) (rules.Outcome, error) {
	for o, t := range outcomes() {
		if t == text {
			return rules.Outcome(o), nil
		}
	}
	return 0, fmt.Errorf("outcome %q is not known", text)
}

// Game returns the game with the number id.
func (tx *Tx) Game(id game.ID) (game.Game, error) {
	r, err := load[gameRecord](tx, bucketGames, idKey(uint64(id)))
	if err != nil {
		return game.Game{}, fmt.Errorf("game %s: %w", id, err)
	}
	g, err := r.game(id)
	if err != nil {
		return game.Game{}, fmt.Errorf("read game %s: %w", id, err)
	}
	return g, nil
}

func (r gameRecord) game(id game.ID) (game.Game, error) {
	variant, ok := rules.ByName(r.Variant)
	if !ok {
		return game.Game{}, fmt.Errorf("no variant named %q", r.Variant)
	}
	start, _, err := notation.ParseSFEN(variant, r.Start)
	if err != nil {
		return game.Game{}, err
	}
	plies := slices.Grow([]game.Ply(nil), len(r.Plies))
	for i, p := range r.Plies {
		m, err := notation.ParseUSI(variant, p.USI)
		if err != nil {
			return game.Game{}, fmt.Errorf("ply %d: %w", i+1, err)
		}
		plies = append(plies, game.Ply{Move: m, At: p.At})
	}
	outcome, err := parseOutcome(r.Outcome)
	if err != nil {
		return game.Game{}, err
	}
	k, err := r.Clock.clock()
	if err != nil {
		return game.Game{}, err
	}
	plans, err := lines(variant, r.Plans)
	if err != nil {
		return game.Game{}, err
	}
	pending, err := r.Pending.pending(variant)
	if err != nil {
		return game.Game{}, err
	}
	var foul rules.Move
	if r.Foul != "" {
		if foul, err = notation.ParseUSI(variant, r.Foul); err != nil {
			return game.Game{}, fmt.Errorf("illegal move: %w", err)
		}
	}
	var watchers []player.ID
	for _, id := range r.Watchers {
		watchers = append(watchers, player.ID(id))
	}
	return game.Resume(game.Game{
		ID:       id,
		Players:  [2]player.ID{rules.Black: player.ID(r.Black), rules.White: player.ID(r.White)},
		Terms:    game.Terms{Variant: r.Variant, Handicap: r.Handicap, Clock: k.Control, Strict: r.Strict},
		Clock:    k,
		Foul:     foul,
		Fallen:   r.Fallen,
		Patient:  r.Patient,
		Paused:   r.Paused,
		Offers:   offers(r.Offers),
		Plans:    plans,
		Pending:  pending,
		Watchers: watchers,
		Counted:  r.Counted,
		Gains:    r.Gains,
		Started:  r.Started,
		End:      rules.End{Outcome: outcome, Cause: rules.Cause(r.Cause)},
		Ended:    r.Ended,
		Reminded: r.Reminded,
		Due:      r.Due,
		Threads:  [2]game.Thread{game.Thread(r.Threads[0]), game.Thread(r.Threads[1])},
	}, start, plies)
}

// GamesOf returns the running games of a player, by number.
func (tx *Tx) GamesOf(id player.ID) ([]game.Game, error) {
	ids, err := tx.idsUnder(indexRunning, idKey(uint64(id)))
	if err != nil {
		return nil, err
	}
	games := make([]game.Game, len(ids))
	for i, n := range ids {
		if games[i], err = tx.Game(game.ID(n)); err != nil {
			return nil, err
		}
	}
	return games, nil
}

// EndedGamesOf returns the games of a player that are over, the latest first,
// and no more than limit.
func (tx *Tx) EndedGamesOf(id player.ID, limit int) ([]game.Game, error) {
	prefix := idKey(uint64(id))
	c := tx.bucket(indexEnded).Cursor()
	k, _ := c.Seek(idKey(uint64(id) + 1))
	if k == nil {
		k, _ = c.Last()
	} else {
		k, _ = c.Prev()
	}
	var games []game.Game
	for ; bytes.HasPrefix(k, prefix) && len(games) < limit; k, _ = c.Prev() {
		_, rest, err := cutTime(k[len(prefix):])
		if err != nil {
			return nil, fmt.Errorf("index %s: %w", indexEnded, err)
		}
		n, _, err := cutID(rest)
		if err != nil {
			return nil, fmt.Errorf("index %s: %w", indexEnded, err)
		}
		g, err := tx.Game(game.ID(n))
		if err != nil {
			return nil, err
		}
		games = append(games, g)
	}
	return games, nil
}

// SaveGame writes g.
func (tx *Tx) SaveGame(g game.Game) error {
	if g.ID == 0 {
		return fmt.Errorf("save game: it has no number")
	}
	outcome, err := outcomeText(g.End.Outcome)
	if err != nil {
		return fmt.Errorf("save game %s: %w", g.ID, err)
	}
	start := g.Start()
	r := gameRecord{
		Black: uint64(g.Players[rules.Black]), White: uint64(g.Players[rules.White]),
		Variant: g.Terms.Variant, Handicap: g.Terms.Handicap, Strict: g.Terms.Strict,
		Start:   notation.SFEN(start, 1),
		Plies:   make([]plyRecord, g.Ply()),
		Started: g.Started.UTC(),
		Outcome: outcome, Cause: string(g.End.Cause), Ended: g.Ended.UTC(),
		Clock:    newClockRecord(g.Clock),
		Fallen:   g.Fallen.UTC(),
		Patient:  g.Patient,
		Paused:   g.Paused,
		Offers:   offerRecords(g.Offers),
		Plans:    lineRecords(start.Variant(), g.Plans),
		Pending:  newPendingRecord(start.Variant(), g.Pending),
		Counted:  g.Counted,
		Gains:    g.Gains,
		Reminded: g.Reminded,
		Due:      g.Due.UTC(),
		Threads:  [2]threadRecord{threadRecord(g.Threads[0]), threadRecord(g.Threads[1])},
	}
	if g.Foul != (rules.Move{}) {
		r.Foul = notation.USI(start.Variant(), g.Foul)
	}
	for _, id := range g.Watchers {
		r.Watchers = append(r.Watchers, uint64(id))
	}
	for i, p := range g.Plies() {
		r.Plies[i] = plyRecord{USI: notation.USI(start.Variant(), p.Move), At: p.At.UTC()}
	}
	return save(tx, bucketGames, uint64(g.ID), r)
}

// NextGame returns a number for a new game.
func (tx *Tx) NextGame() (game.ID, error) {
	id, err := tx.next(bucketGames)
	return game.ID(id), err
}
