package service

import (
	"testing"
	"time"
)

func TestParseLeave(t *testing.T) {
	rome, err := time.LoadLocation("Europe/Rome")
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 7, 30, 15, 0, 0, 0, rome)
	date := func(month time.Month, d int) time.Time { return time.Date(2026, month, d, 0, 0, 0, 0, rome) }
	tests := []struct {
		text        string
		from, until time.Time // zero: not understood
	}{
		{"10 days", now, now.Add(10 * day)},
		{"for 2 weeks", now, now.Add(14 * day)},
		{"1d", now, now.Add(day)},
		{"10 dias", now, now.Add(10 * day)},
		{"3 giorni", now, now.Add(3 * day)},
		{"10日間", now, now.Add(10 * day)},
		{"3 aug to 20 aug", date(8, 3), date(8, 21)},
		{"3 to 20 august", date(8, 3), date(8, 21)},
		{"from 3rd August until 20th August.", date(8, 3), date(8, 21)},
		{"aug 3 - aug 20", date(8, 3), date(8, 21)},
		{"2026-08-03 to 2026-08-20", date(8, 3), date(8, 21)},
		{"del 3 de agosto al 20 de agosto", date(8, 3), date(8, 21)},
		{"dal 3 agosto al 20 agosto", date(8, 3), date(8, 21)},
		{"8月3日から8月20日まで", date(8, 3), date(8, 21)},
		{"until 20 august", now, date(8, 21)},
		{"hasta el 20 de agosto", now, date(8, 21)},
		{"fino al 20 agosto", now, date(8, 21)},
		{"to 2 february 2027", now, time.Date(2027, 2, 3, 0, 0, 0, 0, rome)},
		{"30 dec to 2 jan", time.Date(2026, 12, 30, 0, 0, 0, 0, rome), time.Date(2027, 1, 3, 0, 0, 0, 0, rome)},
		{"30 july to 31 july", now, date(8, 1)},
		{"3/8 to 20/8", time.Time{}, time.Time{}}, // day or month first? nobody knows
		{"31 june to 3 july", time.Time{}, time.Time{}},
		{"20 aug to 3 foo", time.Time{}, time.Time{}},
		{"2026-08-20 to 2026-08-03", time.Time{}, time.Time{}},
		{"soon", time.Time{}, time.Time{}},
		{"", time.Time{}, time.Time{}},
		{"0 days", time.Time{}, time.Time{}},
	}
	for _, tt := range tests {
		from, until, ok := parseLeave(tt.text, now)
		if ok != !tt.from.IsZero() || ok && (!from.Equal(tt.from) || !until.Equal(tt.until)) {
			t.Errorf("parseLeave(%q) = %v, %v, %v; want %v, %v", tt.text, from.In(rome), until.In(rome), ok, tt.from, tt.until)
		}
	}
}

func FuzzParseLeave(f *testing.F) {
	for _, s := range []string{"10 days", "3 aug to 20 aug", "8月3日から8月20日まで", "until 20 december", "30 to 2 jan"} {
		f.Add(s)
	}
	now := time.Date(2026, 7, 30, 15, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, s string) {
		if from, until, ok := parseLeave(s, now); ok && (from.Before(now) || !until.After(from)) {
			t.Errorf("parseLeave(%q) = %v, %v", s, from, until)
		}
	})
}

func TestFindZone(t *testing.T) {
	for text, want := range map[string]string{
		"Rome": "Europe/Rome", "tokyo": "Asia/Tokyo", "new york": "America/New_York", "Europe/Madrid": "Europe/Madrid",
		"buenos aires": "America/Buenos_Aires", "UTC": "UTC", "utc+9": "Etc/GMT-9", "-03:00": "Etc/GMT+3", "GMT-5": "Etc/GMT+5",
		"atlantis": "", "../etc/passwd": "", "": "", "utc+99": "", "+0": "",
	} {
		got, ok := findZone(text)
		if ok != (want != "") || ok && got != want {
			t.Errorf("findZone(%q) = %q, %v; want %q", text, got, ok, want)
		}
	}
}
