package store_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"pbem/store"
)

func TestTraffic(t *testing.T) {
	s := open(t)
	at := func(m int) time.Time { return noon.Add(time.Duration(m) * time.Minute) }
	const hana = "hana@example.org"
	update(t, s, func(tx *store.Tx) error {
		return errors.Join(
			tx.Received(hana, at(0)),
			tx.Received("HANA@example.org", at(1)),
			tx.Received(hana, at(1)), // in the same moment
			tx.Received("hana@example.or", at(1)),
			tx.Answer(hana, "help", at(2)),
			tx.Answer(hana, "unknown", at(3)),
			tx.Answer(hana, "help", at(4)),
		)
	})
	view(t, s, func(tx *store.Tx) error {
		answers := func(kind string) func(string, time.Time) (int, error) {
			return func(addr string, t time.Time) (int, error) { return tx.AnswersSince(addr, kind, t) }
		}
		counts := []struct {
			name string
			f    func(string, time.Time) (int, error)
			addr string
			t    time.Time
			want int
		}{
			{"received", tx.ReceivedSince, hana, at(-60), 3},
			{"received since, inclusive", tx.ReceivedSince, "Hana@Example.org", at(1), 2},
			{"received since then", tx.ReceivedSince, hana, at(2), 0},
			{"received from a stranger", tx.ReceivedSince, "hana@example.org.evil.example", at(0), 0},
			{"answers", answers(""), hana, at(-60), 3},
			{"answers since", answers(""), hana, at(3), 2},
			{"answers of a kind", answers("help"), hana, at(-60), 2},
			{"answers of a kind since", answers("help"), hana, at(3), 1},
			{"answers of a kind that never went", answers("never"), hana, at(-60), 0},
		}
		for _, c := range counts {
			if got, err := c.f(c.addr, c.t); got != c.want || err != nil {
				t.Errorf("%s: %d, %v; want %d", c.name, got, err, c.want)
			}
		}
		for kind, want := range map[string]time.Time{"help": at(4), "unknown": at(3), "never": {}} {
			if got, err := tx.Answered(hana, kind); !got.Equal(want) || err != nil {
				t.Errorf("Answered(%q) = %v, %v; want %v", kind, got, err, want)
			}
		}
		return nil
	})
}

func TestExcesses(t *testing.T) {
	s := open(t)
	at := func(m int) time.Time { return noon.Add(time.Duration(m) * time.Minute) }
	update(t, s, func(tx *store.Tx) error {
		return errors.Join(
			tx.OverLimit("zoe@example.net", "parts", at(0)),
			tx.OverLimit("Hana@Example.org", "messages_per_hour", at(1)),
			tx.OverLimit("hana@example.org", "max_message", at(2)),
			tx.OverLimit("hana@example.org", "messages_per_hour", at(3)),
			tx.Received("hana@example.org", at(3)),
		)
	})
	view(t, s, func(tx *store.Tx) error {
		got, err := tx.Excesses(at(1))
		want := []store.Excess{
			{Limit: "messages_per_hour", Address: "hana@example.org", Count: 2, Last: at(3)},
			{Limit: "max_message", Address: "hana@example.org", Count: 1, Last: at(2)},
		}
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("Excesses = %+v, %v; want %+v", got, err, want)
		}
		return nil
	})
}

func TestTrafficIsForgotten(t *testing.T) {
	s := open(t)
	// Many that write once, then one that goes on.
	update(t, s, func(tx *store.Tx) error {
		for i := range 50 {
			if err := tx.Received(strings.Repeat("x", i+1)+"@example.org", noon); err != nil {
				return err
			}
		}
		return nil
	})
	_, before, _ := s.Sizes()
	later := noon.Add(store.TrafficWindow + time.Minute)
	update(t, s, func(tx *store.Tx) error {
		for range 20 {
			if err := tx.Received("hana@example.org", later); err != nil {
				return err
			}
		}
		return nil
	})
	view(t, s, func(tx *store.Tx) error {
		for i := range 50 {
			addr := strings.Repeat("x", i+1) + "@example.org"
			if n, err := tx.ReceivedSince(addr, time.Time{}); n != 0 || err != nil {
				t.Errorf("ReceivedSince(%s) = %d, %v; want it forgotten", addr, n, err)
			}
		}
		if n, err := tx.ReceivedSince("hana@example.org", noon); n != 20 || err != nil {
			t.Errorf("ReceivedSince = %d, %v; want 20", n, err)
		}
		return nil
	})
	if _, after, _ := s.Sizes(); after > before+64<<10 {
		t.Errorf("the database grew from %d to %d bytes", before, after)
	}
}

func TestOddAddresses(t *testing.T) {
	s := open(t)
	for _, addr := range []string{"", "\x00", "a\x00b@example.org", strings.Repeat("a", 100_000) + "@example.org"} {
		update(t, s, func(tx *store.Tx) error {
			if err := tx.Received(addr, noon); err != nil {
				return err
			}
			n, err := tx.ReceivedSince(addr, noon)
			if n != 1 {
				t.Errorf("ReceivedSince(%.20q) = %d, want 1", addr, n)
			}
			_, err2 := tx.PlayerByAddress(addr)
			if err2 == nil {
				t.Errorf("PlayerByAddress(%.20q) found somebody", addr)
			}
			return errors.Join(err, tx.MarkSeen(store.MessageKey{Hash: [32]byte{1}, Sender: addr, MessageID: addr}, noon))
		})
	}
}
