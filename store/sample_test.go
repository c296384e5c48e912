package store_test

import (
	"errors"
	"reflect"
	"slices"
	"testing"
	"time"

	"pbem/clock"
	"pbem/game"
	"pbem/player"
	"pbem/rules"
	"pbem/store"
)

// The sample is the state that testdata/schema1.db.gz and schema1.jsonl hold: at least one
// record of every kind there was in schema 1. It must never change.

const sampleMail = "To: hana@example.org\r\nSubject: =?utf-8?q?hello?=\r\n\r\n▲７六歩 <b>&\r\n"

// sampleBytes are no text.
var sampleBytes = []byte("From: a\r\n\r\n\x00\xff\xfe bytes")

func sampleMinute(m int) time.Time { return noon.Add(time.Duration(m) * time.Minute) }

func samplePlayers() []player.Player {
	return []player.Player{
		{ID: 1, Name: "Hana", Addresses: []string{"Hana@Example.org", "hana@home.example"}, Joined: noon, Settings: player.Settings{FixedBoard: true}},
		{ID: 2, Name: "Zoé", Addresses: []string{"zoe@example.net"}, Joined: noon.Add(time.Nanosecond)},
	}
}

func sampleGames(t testing.TB) []game.Game {
	ended := newGame(t, 1, 1, 2, game.Terms{Variant: "shogi", Handicap: "lance"}, "3c3d", "7g7f", "2b8h+")
	ended.End = rules.End{Outcome: rules.BlackWins, Cause: game.Resignation}
	ended.Ended = sampleMinute(60)
	ended.Threads = [2]game.Thread{{Root: "a@x", Last: "b@x"}, {Root: "c@x", Last: "d@x"}}
	running := newGame(t, 2, 2, 1, game.Terms{Variant: "shogi"}, "7g7f", "3c3d", "8h2b+", "3a2b", "B*5e")
	running.Due, running.Reminded = sampleMinute(90), 1
	running.Threads = [2]game.Thread{{Root: "e@x", Last: "f@x"}, {}}
	ended.Clock, running.Clock = clock.Clock{}, clock.Clock{} // schema 1 was older than the clocks
	return []game.Game{ended, running}
}

func sampleChallenge() game.Challenge {
	return game.Challenge{
		ID: 1, From: 1, To: 2, Side: game.AsWhite, Terms: game.Terms{Variant: "shogi", Handicap: "rook"},
		Made: noon, Expires: sampleMinute(70), Threads: [2]game.Thread{{Root: "g@x", Last: "h@x"}, {Root: "i@x", Last: "i@x"}},
	}
}

func sampleHeld() player.Held {
	return player.Held{
		ID: 1, Address: "hana@example.org", Subject: "Re: #2", Lines: []string{"P-7f", "say <hello>"},
		Token: "g2-5-abc", Arrived: noon, Expires: sampleMinute(80),
	}
}

func sampleKey(n int) store.MessageKey {
	return store.MessageKey{
		Mailbox: "INBOX", UIDValidity: 7, UID: uint32(n), Hash: [32]byte{byte(n)},
		Sender: "hana@example.org", MessageID: string(rune('a'+n)) + "@example.org", Arrived: sampleMinute(n),
	}
}

func sampleAside() store.SetAside {
	return store.SetAside{
		Mailbox: "INBOX", UIDValidity: 7, UID: 3, Arrived: noon, At: sampleMinute(5), Attempts: 3, Cause: "panic: nil map\nstack",
	}
}

func sampleOutgoing() store.Outgoing {
	return store.Outgoing{
		From: "shogi@example.org", To: "hana@example.org", MessageID: "g2-5-x@example.org", Data: []byte(sampleMail),
		Player: 1, Game: 2, Ply: 5, Queued: noon,
	}
}

// saveSample writes the sample into an empty database.
func saveSample(t testing.TB, tx *store.Tx) error {
	games, players := sampleGames(t), samplePlayers()
	for range games {
		tx.NextPlayer()
		tx.NextGame()
	}
	_, err1 := tx.NextChallenge()
	_, err2 := tx.NextHeld()
	_, err3 := tx.SetAside(sampleAside(), sampleBytes)
	_, err4 := tx.SetAside(store.SetAside{Arrived: noon, At: noon, Attempts: 1, Cause: "too deep"}, []byte(sampleMail))
	for range 3 {
		if _, err := tx.Queue(sampleOutgoing()); err != nil {
			return err
		}
	}
	err := errors.Join(
		err1, err2, err3, err4,
		tx.SavePlayer(players[0]), tx.SavePlayer(players[1]), tx.SaveGame(games[0]), tx.SaveGame(games[1]),
		tx.SaveChallenge(sampleChallenge()), tx.SaveHeld(sampleHeld()),
		tx.Sent(1), tx.Retry(2, sampleMinute(30), "450 later"), tx.Fail(3, "550 nobody", sampleMinute(9)),
		tx.MarkSeen(sampleKey(1), sampleMinute(1)), tx.MarkSeen(sampleKey(2), sampleMinute(2)),
		tx.MarkSeen(sampleKey(3), sampleMinute(3)), tx.MoveCursor("INBOX", store.Cursor{UIDValidity: 7, UID: 3}),
		tx.Received("hana@example.org", noon), tx.Answer("hana@example.org", "help", sampleMinute(2)),
	)
	if err != nil {
		return err
	}
	if _, err = tx.Forget(sampleMinute(2), 100); err != nil { // message 1, and the horizon
		return err
	}
	if _, err = tx.Begin([][32]byte{{1}, {2}}, noon); err != nil {
		return err
	}
	_, err = tx.FailAttempt([32]byte{1}, "panic: nil map", noon)
	return err
}

// checkSample fails the test unless the database holds the sample.
func checkSample(t *testing.T, tx *store.Tx) {
	t.Helper()
	same := func(what string, got, want any, err error) {
		t.Helper()
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s = %+v, %v; want %+v", what, got, err, want)
		}
	}
	for _, want := range samplePlayers() {
		got, err := tx.Player(want.ID)
		same("Player", got, want, err)
		got, err = tx.PlayerByAddress(want.Address())
		same("PlayerByAddress", got, want, err)
	}
	for _, want := range sampleGames(t) {
		got, err := tx.Game(want.ID)
		same("Game", got, want, err)
	}
	games, err := tx.GamesOf(1)
	same("GamesOf", games, sampleGames(t)[1:], err)
	challenges, err := tx.ChallengesOf(2)
	same("ChallengesOf", challenges, []game.Challenge{sampleChallenge()}, err)
	held, err := tx.Held(1)
	same("Held", held, sampleHeld(), err)
	due, err := tx.Due(sampleMinute(100), 0)
	same("Due", due, []game.Due{
		{At: sampleMinute(70), Challenge: 1}, {At: sampleMinute(80), Held: 1}, {At: sampleMinute(90), Game: 2},
	}, err)
	checkSampleMail(t, tx, same)
}

func checkSampleMail(t *testing.T, tx *store.Tx, same func(what string, got, want any, err error)) {
	t.Helper()
	waiting := sampleOutgoing()
	waiting.ID, waiting.Next, waiting.Attempts, waiting.LastError = 2, sampleMinute(30), 1, "450 later"
	got, err := tx.Ready(sampleMinute(30), 10)
	same("Ready", got, []store.Outgoing{waiting}, err)
	failed := sampleOutgoing()
	failed.ID, failed.Attempts, failed.LastError, failed.Failed, failed.Data = 3, 1, "550 nobody", sampleMinute(9), nil
	got, err = tx.Failed()
	same("Failed", got, []store.Outgoing{failed}, err)
	data, err := tx.OutgoingData(3)
	same("OutgoingData", string(data), sampleMail, err)

	first, second := sampleAside(), store.SetAside{ID: 2, Arrived: noon, At: noon, Attempts: 1, Cause: "too deep", Size: int64(len(sampleMail))}
	first.ID, first.Size = 1, int64(len(sampleBytes))
	aside, err := tx.Quarantine()
	same("Quarantine", aside, []store.SetAside{first, second}, err)
	raw, err := tx.SetAsideRaw(1)
	same("SetAsideRaw", raw, sampleBytes, err)

	for n, want := range []store.SeenBy{1: store.BeforeTime, 2: store.ByPlace, 3: store.ByPlace, 4: store.NotSeen} {
		if n > 0 {
			seen, err := tx.Seen(sampleKey(n))
			same("Seen", seen, want, err)
		}
	}
	cursor, err := tx.Cursor("INBOX")
	same("Cursor", cursor, store.Cursor{UIDValidity: 7, UID: 3}, err)
	n, err := tx.ReceivedSince("hana@example.org", noon)
	same("ReceivedSince", n, 1, err)
	at, err := tx.Answered("hana@example.org", "help")
	same("Answered", at, sampleMinute(2), err)
}

// checkSampleGoesOn writes: the numbers and the attempts go on where they were.
func checkSampleGoesOn(t *testing.T, tx *store.Tx) error {
	p, err1 := tx.NextPlayer()
	g, err2 := tx.NextGame()
	c, err3 := tx.NextChallenge()
	h, err4 := tx.NextHeld()
	m, err5 := tx.Queue(sampleOutgoing())
	if got := []uint64{uint64(p), uint64(g), uint64(c), uint64(h), m}; !slices.Equal(got, []uint64{3, 3, 2, 2, 4}) {
		t.Errorf("next numbers %v", got)
	}
	crashed, err6 := tx.Crashed("killed", noon) // the second message was in hand
	attempts, err7 := tx.Begin([][32]byte{{1}, {2}, {3}}, noon)
	for i := range attempts {
		attempts[i].Turn = 0
	}
	want := []store.Attempt{{Failures: 1, Why: "panic: nil map"}, {Failures: 1, Why: "killed"}, {}}
	if !crashed || !slices.Equal(attempts, want) {
		t.Errorf("Begin = %+v, want %+v", attempts, want)
	}
	return errors.Join(err1, err2, err3, err4, err5, err6, err7)
}
