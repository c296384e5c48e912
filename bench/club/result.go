package main

import (
	"math"
	"slices"
)

// never stands for the days of a newcomer who did not get there.
const never = math.MaxInt

// quarter is how many days a newcomer of dan strength may need.
const quarter = 92

// result is what came of a club's year.
type result struct {
	games                int
	ladderRho, ratingRho float64
	idle                 int // days
	newcomers            int // of dan strength who came early enough and stayed
	median, most, late   int
}

func (c *club) result() result {
	r := result{games: c.games, idle: c.idle}
	var place, rating, strength []float64
	for i, rung := range c.ladder.Rungs {
		if m := c.member(rung.Player); m.games >= 5 {
			place, rating, strength = append(place, -float64(i)), append(rating, m.rating.Value), append(strength, m.strength)
		}
	}
	r.ladderRho, r.ratingRho = spearman(place, strength), spearman(rating, strength)
	var took []int
	for _, m := range c.members {
		if !m.newcomer || m.joins+quarter > c.day || m.falls < never {
			continue
		}
		days := never
		if m.topDay >= 0 {
			days = m.topDay - m.joins
		}
		if days > quarter {
			r.late++
		}
		took = append(took, days)
	}
	if slices.Sort(took); len(took) > 0 {
		r.newcomers, r.median, r.most = len(took), took[len(took)/2], took[len(took)-1]
	}
	return r
}

// spearman is the rank correlation of two rows without equal values.
func spearman(a, b []float64) float64 {
	x, y := ranks(a), ranks(b)
	var d float64
	for i := range x {
		d += (x[i] - y[i]) * (x[i] - y[i])
	}
	n := float64(len(x))
	return 1 - 6*d/(n*(n*n-1))
}

func ranks(v []float64) []float64 {
	order := make([]int, len(v))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		if v[i] < v[j] {
			return -1
		}
		return 1
	})
	out := make([]float64, len(v))
	for rank, i := range order {
		out[i] = float64(rank)
	}
	return out
}
