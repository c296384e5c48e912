package ladder

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// bounds are the ratings at which the grades from 20 kyu on begin, weakest
// first; 2 dan and 4 kyu lie where the European federation has them, 1800 to
// 1920 and 1280 to 1360 (facts of shogi-berlin.de), the others in steps of
// about 100 points between weak players and 120 between strong ones.
func bounds() []float64 {
	var b []float64
	for kyu := 20; kyu >= 4; kyu-- {
		b = append(b, 1280-80*float64(kyu-4))
	}
	return append(b, 1360, 1460, 1560, 1680, 1800, 1920, 2040, 2160, 2300) // 3 kyu to 6 dan
}

const (
	firstDan = 20 // index of 1 dan in bounds
	topDan   = 6
)

// Grade is a rating in kyu and dan, as people read it: "4 kyu", "2 dan".
func Grade(value float64) string {
	i := int(math.Floor(fraction(value)))
	switch {
	case i < 0:
		return "20 kyu"
	case i < firstDan:
		return fmt.Sprintf("%d kyu", firstDan-i)
	}
	return fmt.Sprintf("%d dan", min(topDan, i-firstDan+1))
}

// gradeForms are how people write a grade: "2 dan", "2-dan", "3k", "二段", "３級".
var gradeForms = regexp.MustCompile(`^(\d{1,2}|sho|[初一二三四五六七八九十])[ -]?(dan|d|段|kyu|k|級)$`)

// ParseGrade returns a rating in the middle of the grade that text names; ok
// is false for a text that names none from 20 kyu to 6 dan.
func ParseGrade(text string) (value float64, ok bool) {
	m := gradeForms.FindStringSubmatch(strings.ToLower(strings.TrimSpace(text)))
	if m == nil {
		return 0, false
	}
	n, err := strconv.Atoi(m[1])
	if i := slices.Index([]string{"一", "二", "三", "四", "五", "六", "七", "八", "九", "十"}, m[1]); i >= 0 {
		n, err = i+1, nil
	} else if m[1] == "sho" || m[1] == "初" {
		n, err = 1, nil
	}
	dan := m[2] == "dan" || m[2] == "d" || m[2] == "段"
	if err != nil || n < 1 || dan && n > topDan || !dan && n > firstDan {
		return 0, false
	}
	b := append(bounds(), 2440)
	i := firstDan - n
	if dan {
		i = firstDan + n - 1
	}
	return (b[i] + b[i+1]) / 2, true
}

// fraction is the grade as a number that grows by one a grade, with its
// fraction: 20 kyu begins at 0, 1 dan at 20.
func fraction(value float64) float64 {
	b := bounds()
	if value < b[0] {
		return (value - b[0]) / 80
	}
	for i := range len(b) - 1 {
		if value < b[i+1] {
			return float64(i) + (value-b[i])/(b[i+1]-b[i])
		}
	}
	return float64(len(b)-1) + (value-b[len(b)-1])/140
}

// Suggest returns the handicap that the stronger of two should give, by the
// difference of their grades (the table of shogi-berlin.de); empty for an even
// game.
func Suggest(stronger, weaker float64) string {
	d := fraction(stronger) - fraction(weaker)
	for _, row := range []struct {
		from float64
		name string
	}{
		{7.95, "6p"}, {6.45, "5p-left"}, {4.95, "4p"}, {3.55, "2p"}, {2.65, "rook-lance"}, {2.05, "rook"}, {1.45, "bishop"}, {0.55, "lance"},
	} {
		if d >= row.from {
			return row.name
		}
	}
	return ""
}

// Offset returns how many points a handicap is worth to who takes it when the
// game is rated; ok is false for one that no number is known for, whose games
// are not rated.
func Offset(handicap string) (points float64, ok bool) {
	points, ok = map[string]float64{
		"": 0, "lance": 50, "right-lance": 50, "bishop": 250, "rook": 300, "rook-lance": 400, "2p": 600, "3p": 700,
		"4p": 800, "5p-right": 1000, "5p-left": 1100, "6p": 1200,
	}[handicap]
	return points, ok
}
