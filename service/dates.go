package service

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// months are the names of months and how they begin, in the languages of our
// players.
func months() [12][]string {
	return [12][]string{
		{"jan", "ene", "gen"}, {"feb"}, {"mar"}, {"apr", "abr"}, {"may", "mag"}, {"jun", "giu"},
		{"jul", "lug"}, {"aug", "ago"}, {"sep", "set"}, {"oct", "ott"}, {"nov"}, {"dec", "dic"},
	}
}

// lengths are the words for days and weeks.
func lengths() map[string]int {
	return map[string]int{
		"day": 1, "days": 1, "d": 1, "dia": 1, "dias": 1, "día": 1, "días": 1, "giorno": 1, "giorni": 1, "日": 1, "日間": 1,
		"week": 7, "weeks": 7, "w": 7, "semana": 7, "semanas": 7, "settimana": 7, "settimane": 7, "週間": 7, "週": 7,
	}
}

var (
	lengthForm   = regexp.MustCompile(`^(\d{1,2})\s*(\pL+)$`)
	isoForm      = regexp.MustCompile(`^(\d{4})-(\d{1,2})-(\d{1,2})$`)
	japaneseForm = regexp.MustCompile(`^(?:(\d{4})年)?(\d{1,2})月(\d{1,2})日$`)
	dayForm      = regexp.MustCompile(`^(\d{1,2})(?:st|nd|rd|th|\.|º)?\s+(?:de |of |di )?(\pL{3,})\.?(?:\s+(?:de |del )?(\d{4}))?$`)
	monthForm    = regexp.MustCompile(`^(\pL{3,})\.?\s+(\d{1,2})(?:st|nd|rd|th)?(?:,?\s+(\d{4}))?$`)
	rangeWords   = regexp.MustCompile(`\s+(?:to|until|till|through|al|hasta|hasta el|a|fino al|-|–)\s+|\s*(?:から|〜|～)\s*`)
	leadWords    = regexp.MustCompile(`^(?:from|until|till|to|for|desde el|desde|del|hasta el|hasta|dal|fino al|al|por|per)\s+`)
	tailWords    = regexp.MustCompile(`\s*(?:まで|間)$`)
)

// parseLeave reads when a vacation is to be: "10 days", "until 20 august",
// "3 aug to 20 aug", as people write dates in English, Spanish, Italian and
// Japanese. The last day named belongs to it. Now gives the zone, and the year
// where none is said.
func parseLeave(text string, now time.Time) (from, until time.Time, ok bool) {
	text = strings.ToLower(strings.Trim(strings.Join(strings.Fields(text), " "), " .!"))
	text = leadWords.ReplaceAllString(text, "")
	if n, ok := parseDays(text); ok {
		return now.UTC(), now.Add(time.Duration(n) * day).UTC(), true
	}
	parts := rangeWords.Split(text, 2)
	last := parts[len(parts)-1]
	from = now
	if len(parts) == 2 {
		first := parts[0]
		if onlyDigits(first) { // "3 to 20 august"
			first += " " + strings.TrimLeft(last, "0123456789 ")
		}
		if from, ok = parseDate(first, now); !ok {
			return from, until, false
		}
	}
	until, ok = parseDate(last, from)
	if !ok {
		return from, until, false
	}
	y, m, d := until.Date()
	until = time.Date(y, m, d+1, 0, 0, 0, 0, now.Location())
	if from.Before(now) { // today
		from = now
	}
	return from.UTC(), until.UTC(), until.After(from)
}

func onlyDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

func parseDays(text string) (int, bool) {
	m := lengthForm.FindStringSubmatch(text)
	if m == nil {
		return 0, false
	}
	n, _ := strconv.Atoi(m[1]) // two digits
	unit, ok := lengths()[m[2]]
	return n * unit, ok && n > 0
}

// parseDate reads one date: the first such day that is not before after's.
func parseDate(text string, after time.Time) (time.Time, bool) {
	text = strings.TrimSpace(tailWords.ReplaceAllString(leadWords.ReplaceAllString(strings.TrimSpace(text), ""), ""))
	var y, m, d int
	switch {
	case isoForm.MatchString(text):
		p := isoForm.FindStringSubmatch(text)
		y, m, d = number(p[1]), number(p[2]), number(p[3])
	case japaneseForm.MatchString(text):
		p := japaneseForm.FindStringSubmatch(text)
		y, m, d = number(p[1]), number(p[2]), number(p[3])
	case dayForm.MatchString(text):
		p := dayForm.FindStringSubmatch(text)
		y, m, d = number(p[3]), month(p[2]), number(p[1])
	case monthForm.MatchString(text):
		p := monthForm.FindStringSubmatch(text)
		y, m, d = number(p[3]), month(p[1]), number(p[2])
	}
	if m < 1 || m > 12 || d < 1 {
		return time.Time{}, false
	}
	year := y
	if y == 0 {
		year = after.Year()
	}
	date := time.Date(year, time.Month(m), d, 0, 0, 0, 0, after.Location())
	if date.Day() != d { // 31 June
		return time.Time{}, false
	}
	ay, am, ad := after.Date()
	if y == 0 && date.Before(time.Date(ay, am, ad, 0, 0, 0, 0, after.Location())) {
		date = time.Date(year+1, time.Month(m), d, 0, 0, 0, 0, after.Location())
	}
	return date, true
}

func number(s string) int {
	n, _ := strconv.Atoi(s) // digits, few enough; or nothing
	return n
}

// month returns the number of the month that a word begins like; 0 if none.
func month(word string) int {
	for i, begins := range months() {
		for _, b := range begins {
			if strings.HasPrefix(word, b) {
				return i + 1
			}
		}
	}
	return 0
}
