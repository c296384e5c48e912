package main

import (
	"strings"
	"testing"
	"time"

	"pbem/store"
)

func TestStatus(t *testing.T) {
	t.Parallel()
	d := newDatabase(t)
	d.run(misuse, "pbem: status: ", "status", "all")
	d.run(done, "No limit was reached in the last day.", "status")
	d.aside(goodMail)
	st, err := store.Open(d.path, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	err = st.Update(func(tx *store.Tx) error {
		for range 3 {
			if err := tx.OverLimit("hana@mail.example.org", "messages_per_hour", time.Now()); err != nil {
				return err
			}
		}
		return tx.OverLimit("zoe@example.net", "parts", time.Now().Add(-25*time.Hour))
	})
	if err != nil {
		t.Fatal(err)
	}
	st.Close()
	check := func(more string) {
		t.Helper()
		out := d.run(done, "\n      1  messages set aside\n", "status").stdout
		for _, part := range []string{"      0  players\n", "Limits reached in the last day:\n", "      3  messages_per_hour       h…@m…org  last ", more} {
			if !strings.Contains(out, part) {
				t.Errorf("status lacks %q:\n%s", part, out)
			}
		}
		if strings.Contains(out, "hana") || strings.Contains(out, "mail.example") || strings.Contains(out, "z…") {
			t.Errorf("status shows too much:\n%s", out)
		}
	}
	check("pbem serve is not running.")
	_, stop := d.serve()
	check("")
	stop()
}

func TestMasked(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"hana@example.org": "h…@e…org", "h@localhost": "h…@l…localhost", "": "…@…", "花@例え.jp": "花…@例…jp", "hash 0a1b": "h…@…",
	} {
		if got := masked(address); got != want {
			t.Errorf("masked(%q) = %q; want %q", address, got, want)
		}
	}
}
