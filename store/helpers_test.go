package store_test

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"pbem/game"
	"pbem/ladder"
	"pbem/notation"
	"pbem/player"
	"pbem/rules"
	"pbem/store"
)

var (
	hana = player.Player{ID: 1, Name: "Hana", Addresses: []string{"Hana@Example.org", "hana@home.example"}, Joined: noon,
		Settings: player.Settings{FixedBoard: true, Zone: "Asia/Tokyo", Reminders: "6h", Quiet: "off", Digest: "8", MoveEndsLeave: true, Strict: true, Hold: "20m"},
		Ratings:  map[string]ladder.Rating{"shogi": {Value: 1600.5, Deviation: 80, Volatility: 0.06, At: noon, Games: 12}},
		Score:    player.Score{Won: 7, Lost: 4, Drawn: 1, TimeLosses: 2},
		Leave:    player.Leave{Balance: time.Hour, At: noon, From: noon.Add(time.Hour), Until: noon.Add(2 * time.Hour)},
		Bounces:  player.Bounces{Hard: []player.Bounce{{MessageID: "a@x", At: noon}}, Since: noon.Add(time.Hour), Probes: 1},
		Reminded: noon, Due: noon.Add(time.Hour)}
	zoe = player.Player{ID: 2, Name: "Zoé", Addresses: []string{"zoe@example.net"}, Joined: noon.Add(time.Nanosecond)}
)

// usi reads moves of shogi.
func usi(t testing.TB, moves ...string) (list []rules.Move) {
	t.Helper()
	for _, text := range moves {
		m, err := notation.ParseUSI(rules.Shogi(), text)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, m)
	}
	return list
}

// newGame makes a game with some moves played, a minute apart.
func newGame(t testing.TB, id game.ID, black, white player.ID, terms game.Terms, moves ...string) game.Game {
	t.Helper()
	g, err := game.New(id, black, white, terms, noon)
	if err != nil {
		t.Fatal(err)
	}
	for i, m := range usi(t, moves...) {
		if g, err = g.Play(g.Turn(), m, noon.Add(time.Duration(i+1)*time.Minute)); err != nil {
			t.Fatalf("ply %d: %v", i+1, err)
		}
	}
	return g
}

// complete fails the test if a field of v is zero: a field that was added to
// a type must be added to the record, and to the test that proves it.
func complete(t *testing.T, v any) {
	t.Helper()
	r := reflect.ValueOf(v)
	for i := range r.NumField() {
		if r.Field(i).IsZero() {
			t.Errorf("%s.%s is zero in the test's example: is it saved?", r.Type(), r.Type().Field(i).Name)
		}
	}
}

// fillSteps are writes of every kind.
func fillSteps(t testing.TB) []func(*store.Tx) error {
	g := newGame(t, 1, 1, 2, game.Terms{Variant: "shogi"}, "7g7f")
	g.Due = noon.Add(time.Hour)
	key := store.MessageKey{Mailbox: "INBOX", UIDValidity: 7, UID: 9, Hash: [32]byte{1}, Sender: "hana@example.org", MessageID: "m1@example.org"}
	return []func(*store.Tx) error{
		func(tx *store.Tx) error { _, err := tx.NextPlayer(); return err },
		func(tx *store.Tx) error { return tx.SavePlayer(hana) },
		func(tx *store.Tx) error { return tx.SavePlayer(zoe) },
		func(tx *store.Tx) error { _, err := tx.NextGame(); return err },
		func(tx *store.Tx) error { return tx.SaveGame(g) },
		func(tx *store.Tx) error {
			return tx.SaveChallenge(game.Challenge{ID: 1, From: 1, To: 2, Terms: g.Terms, Made: noon, Expires: noon.Add(time.Hour)})
		},
		func(tx *store.Tx) error {
			return tx.SaveHeld(player.Held{ID: 1, Address: "a@b.example", Expires: noon.Add(time.Hour)})
		},
		func(tx *store.Tx) error { return tx.MarkSeen(key, noon) },
		func(tx *store.Tx) error { return tx.MoveCursor("INBOX", store.Cursor{UIDValidity: 7, UID: 9}) },
		func(tx *store.Tx) error { _, err := tx.Begin([][32]byte{{1}}, noon); return err },
		func(tx *store.Tx) error { _, err := tx.SetAside(store.SetAside{At: noon}, []byte("raw")); return err },
		func(tx *store.Tx) error { return tx.Received("hana@example.org", noon) },
		func(tx *store.Tx) error { return tx.Answer("hana@example.org", "help", noon) },
		func(tx *store.Tx) error {
			_, err := tx.Queue(store.Outgoing{To: "hana@example.org", Data: []byte("x"), Queued: noon})
			return err
		},
	}
}

// everything says what a reader can see of the database that fillSteps fill.
func everything(t testing.TB, tx *store.Tx) string {
	t.Helper()
	text := ""
	add := func(what string, v any, err error) { text += fmt.Sprintf("%s: %+v, %v\n", what, v, err) }
	names, err := tx.Names()
	add("names", names, err)
	_, err = tx.PlayerByAddress("hana@example.org")
	add("address", nil, err)
	games, err := tx.GamesOf(1)
	add("games", len(games), err)
	challenges, err := tx.ChallengesOf(1)
	add("challenges", len(challenges), err)
	held, err := tx.Held(1)
	add("held", held, err)
	due, err := tx.Due(noon.Add(24*time.Hour), 0)
	add("due", due, err)
	seen, err := tx.Seen(store.MessageKey{Hash: [32]byte{1}})
	add("seen", seen, err)
	seen, err = tx.Seen(store.MessageKey{Mailbox: "INBOX", UIDValidity: 7, UID: 9})
	add("seen", seen, err)
	cursor, err := tx.Cursor("INBOX")
	add("cursor", cursor, err)
	aside, err := tx.Quarantine()
	add("quarantine", aside, err)
	n, err := tx.ReceivedSince("hana@example.org", noon)
	add("received", n, err)
	n, err = tx.AnswersSince("hana@example.org", "", noon)
	add("answers", n, err)
	out, err := tx.Ready(noon, 10)
	add("outbox", out, err)
	return text
}
