package store_test

import (
	"errors"
	"reflect"
	"slices"
	"testing"
	"time"

	"pbem/game"
	"pbem/store"
)

func ids(list []store.Outgoing) (ids []uint64) {
	for _, m := range list {
		ids = append(ids, m.ID)
	}
	return ids
}

func TestOutbox(t *testing.T) {
	s := open(t)
	at := func(m int) time.Time { return noon.Add(time.Duration(m) * time.Minute) }
	ready := func(now time.Time, limit int, want ...uint64) []store.Outgoing {
		t.Helper()
		var list []store.Outgoing
		view(t, s, func(tx *store.Tx) (err error) {
			list, err = tx.Ready(now, limit)
			if !slices.Equal(ids(list), want) {
				t.Errorf("Ready(%v, %d) = %v, want %v", now, limit, ids(list), want)
			}
			return err
		})
		return list
	}
	mail := store.Outgoing{
		From: "shogi@example.org", To: "hana@example.org", MessageID: "g17-2-x@example.org", Data: []byte("To: hana\r\n\r\nhello\r\n"),
		Player: 1, Game: 17, Ply: 2, Queued: at(0),
	}
	update(t, s, func(tx *store.Tx) error {
		for i := range 3 {
			m := mail
			m.Queued = at(i)
			if id, err := tx.Queue(m); err != nil || id != uint64(i+1) {
				t.Errorf("Queue = %d, %v; want %d", id, err, i+1)
			}
		}
		return nil
	})
	ready(at(-1), 10)
	ready(at(0), 10, 1)
	ready(at(9), 2, 1, 2)
	got := ready(at(9), 10, 1, 2, 3)[0]
	want := mail
	want.ID, want.Next = 1, at(0)
	if !reflect.DeepEqual(got, want) {
		t.Errorf("Ready = %+v, want %+v", got, want)
	}

	update(t, s, func(tx *store.Tx) error {
		return errors.Join(tx.Retry(1, at(30), "450 later"), tx.Sent(2), tx.Sent(2), tx.Fail(3, "550 nobody", at(9)))
	})
	ready(at(29), 10)
	got = ready(at(30), 10, 1)[0]
	want.Next, want.Attempts, want.LastError = at(30), 1, "450 later"
	if !reflect.DeepEqual(got, want) {
		t.Errorf("after Retry: %+v, want %+v", got, want)
	}
	view(t, s, func(tx *store.Tx) error {
		waiting, err := tx.Waiting()
		if !slices.Equal(ids(waiting), []uint64{1}) {
			t.Errorf("Waiting = %v, want 1", ids(waiting))
		}
		next, err2 := tx.NextReady()
		if !next.Equal(at(30)) {
			t.Errorf("NextReady = %v, want %v", next, at(30))
		}
		failed, err3 := tx.Failed()
		if len(failed) != 1 || failed[0].ID != 3 || failed[0].LastError != "550 nobody" || !failed[0].Failed.Equal(at(9)) {
			t.Errorf("Failed = %+v", failed)
		}
		data, err4 := tx.OutgoingData(3)
		if string(data) != string(mail.Data) {
			t.Errorf("bytes of a failed mail = %q, want %q", data, mail.Data)
		}
		if _, err := tx.Outgoing(2); !errors.Is(err, game.ErrNotFound) {
			t.Errorf("Outgoing of a mail that is sent = %v, want %v", err, game.ErrNotFound)
		}
		return errors.Join(err, err2, err3, err4)
	})

	// The operator tries again what failed, and all that waits.
	update(t, s, func(tx *store.Tx) error { return errors.Join(tx.Requeue(3, at(20)), tx.Hasten(at(21))) })
	ready(at(21), 10, 3, 1)
	update(t, s, func(tx *store.Tx) error { return errors.Join(tx.Sent(1), tx.Fail(3, "550", at(22)), tx.DropFailed(3)) })
	view(t, s, func(tx *store.Tx) error {
		next, err := tx.NextReady()
		failed, err2 := tx.Failed()
		if !next.IsZero() || len(failed) != 0 {
			t.Errorf("at the end: NextReady %v, Failed %v", next, failed)
		}
		return errors.Join(err, err2)
	})
	if err := s.Update(func(tx *store.Tx) error { return tx.Retry(1, noon, "") }); !errors.Is(err, game.ErrNotFound) {
		t.Errorf("Retry of a mail that is sent = %v, want %v", err, game.ErrNotFound)
	}
}
