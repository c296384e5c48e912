package store

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"golang.org/x/text/unicode/norm"

	"pbem/game"
	"pbem/ladder"
	"pbem/player"
)

type playerRecord struct {
	Name      string                  `json:"name"`
	Addresses []string                `json:"addresses"`
	Joined    time.Time               `json:"joined"`
	Settings  settingsRecord          `json:"settings"`
	Ratings   map[string]ratingRecord `json:"ratings,omitempty"` // by variant
	Score     scoreRecord             `json:"score,omitzero"`
	Leave     leaveRecord             `json:"leave,omitzero"`
	Bounces   bouncesRecord           `json:"bounces,omitzero"`
	Reminded  time.Time               `json:"reminded,omitzero"`
	Due       time.Time               `json:"due,omitzero"`
}

type ratingRecord struct {
	Value      float64   `json:"value"`
	Deviation  float64   `json:"deviation"`
	Volatility float64   `json:"volatility"`
	At         time.Time `json:"at"`
	Games      int       `json:"games"`
}

type scoreRecord struct {
	Won        int `json:"won,omitempty"`
	Lost       int `json:"lost,omitempty"`
	Drawn      int `json:"drawn,omitempty"`
	TimeLosses int `json:"time_losses,omitempty"`
}

type leaveRecord struct {
	Balance span      `json:"balance,omitempty"`
	At      time.Time `json:"at,omitzero"`
	From    time.Time `json:"from,omitzero"`
	Until   time.Time `json:"until,omitzero"`
}

type bouncesRecord struct {
	Hard   []bounceRecord `json:"hard,omitempty"`
	Since  time.Time      `json:"since,omitzero"`
	Probes int            `json:"probes,omitempty"`
}

type bounceRecord struct {
	MessageID string    `json:"message_id"`
	At        time.Time `json:"at"`
}

func newBouncesRecord(b player.Bounces) bouncesRecord {
	r := bouncesRecord{Since: b.Since.UTC(), Probes: b.Probes}
	for _, h := range b.Hard {
		r.Hard = append(r.Hard, bounceRecord{h.MessageID, h.At.UTC()})
	}
	return r
}

func (r bouncesRecord) bounces() player.Bounces {
	b := player.Bounces{Since: r.Since, Probes: r.Probes}
	for _, h := range r.Hard {
		b.Hard = append(b.Hard, player.Bounce(h))
	}
	return b
}

type settingsRecord struct {
	FixedBoard    bool   `json:"fixed_board,omitempty"`
	Zone          string `json:"zone,omitempty"`
	Reminders     string `json:"reminders,omitempty"`
	Quiet         string `json:"quiet,omitempty"`
	Digest        string `json:"digest,omitempty"`
	MoveEndsLeave bool   `json:"move_ends_leave,omitempty"`
	Strict        bool   `json:"strict,omitempty"`
	Hold          string `json:"hold,omitempty"`
}

func (r playerRecord) index(id uint64) []entry {
	entries := []entry{{indexName, []byte(foldName(r.Name)), append(idKey(id), r.Name...)}}
	for _, a := range r.Addresses {
		entries = append(entries, entry{indexAddress, []byte(foldAddress(a)), idKey(id)})
	}
	return append(entries, dueEntry(r.Due, duePlayer, id)...)
}

// foldName makes names equal that differ only in case or in how an accent is
// written.
func foldName(name string) string {
	return norm.NFC.String(strings.ToLower(norm.NFC.String(name)))
}

// maxAddress is how much of an address fits in a key as it is: an address has
// at most 254 bytes (RFC 5321, section 4.5.3.1.3), but a From field may hold
// anything.
const maxAddress = 320

// foldAddress makes addresses equal that differ only in case. One that is too
// long or holds a zero byte is stood for by its hash.
func foldAddress(addr string) string {
	addr = strings.ToLower(strings.TrimSpace(addr))
	if len(addr) > maxAddress || strings.IndexByte(addr, 0) >= 0 {
		sum := sha256.Sum256([]byte(addr))
		return "hash " + hex.EncodeToString(sum[:])
	}
	return addr
}

// Player returns the player with the number id.
func (tx *Tx) Player(id player.ID) (player.Player, error) {
	r, err := load[playerRecord](tx, bucketPlayers, idKey(uint64(id)))
	if err != nil {
		return player.Player{}, fmt.Errorf("player %d: %w", id, err)
	}
	var ratings map[string]ladder.Rating
	for variant, rating := range r.Ratings {
		if ratings == nil {
			ratings = map[string]ladder.Rating{}
		}
		ratings[variant] = ladder.Rating(rating)
	}
	return player.Player{
		ID: id, Name: r.Name, Addresses: r.Addresses, Joined: r.Joined,
		Settings: player.Settings(r.Settings),
		Ratings:  ratings, Score: player.Score(r.Score),
		Leave: player.Leave{
			Balance: time.Duration(r.Leave.Balance), At: r.Leave.At, From: r.Leave.From, Until: r.Leave.Until,
		},
		Bounces:  r.Bounces.bounces(),
		Reminded: r.Reminded, Due: r.Due,
	}, nil
}

// PlayerByAddress returns the player whose address addr is, case ignored.
func (tx *Tx) PlayerByAddress(addr string) (player.Player, error) {
	return tx.playerUnder(indexAddress, foldAddress(addr))
}

// PlayerByName returns the player named name, case ignored.
func (tx *Tx) PlayerByName(name string) (player.Player, error) {
	return tx.playerUnder(indexName, foldName(name))
}

func (tx *Tx) playerUnder(index, key string) (player.Player, error) {
	v := tx.bucket(index).Get([]byte(key))
	if v == nil {
		return player.Player{}, game.ErrNotFound
	}
	id, _, err := cutID(v)
	if err != nil {
		return player.Player{}, fmt.Errorf("index %s: %w", index, err)
	}
	return tx.Player(player.ID(id))
}

// Names returns the names of all players, by name.
func (tx *Tx) Names() (names []string, err error) {
	err = tx.bucket(indexName).ForEach(func(_, v []byte) error {
		_, name, err := cutID(v)
		names = append(names, string(name))
		return err
	})
	return names, err
}

// SavePlayer writes p. A name or address that belongs to another player is an
// error.
func (tx *Tx) SavePlayer(p player.Player) error {
	r := playerRecord{
		Name: p.Name, Addresses: p.Addresses, Joined: p.Joined.UTC(),
		Settings: settingsRecord(p.Settings),
		Score:    scoreRecord(p.Score),
		Leave: leaveRecord{
			Balance: span(p.Leave.Balance), At: p.Leave.At.UTC(), From: p.Leave.From.UTC(), Until: p.Leave.Until.UTC(),
		},
		Bounces:  newBouncesRecord(p.Bounces),
		Reminded: p.Reminded.UTC(), Due: p.Due.UTC(),
	}
	for variant, rating := range p.Ratings {
		if r.Ratings == nil {
			r.Ratings = map[string]ratingRecord{}
		}
		rating.At = rating.At.UTC()
		r.Ratings[variant] = ratingRecord(rating)
	}
	for _, e := range r.index(uint64(p.ID)) {
		if e.bucket == indexDue {
			continue
		}
		v := tx.bucket(e.bucket).Get(e.key)
		if v == nil {
			continue
		}
		owner, _, err := cutID(v)
		if err != nil {
			return fmt.Errorf("index %s: %w", e.bucket, err)
		}
		if player.ID(owner) != p.ID {
			return fmt.Errorf("save player %d: the name or an address belongs to player %d", p.ID, owner)
		}
	}
	return save(tx, bucketPlayers, uint64(p.ID), r)
}

// NextPlayer returns a number for a new player.
func (tx *Tx) NextPlayer() (player.ID, error) {
	id, err := tx.next(bucketPlayers)
	return player.ID(id), err
}
