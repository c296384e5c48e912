// Club simulates a correspondence club on one ladder and says how well its
// order and its ratings show who is strong.
//
//	go run ./bench/club -players 500 -days 365
//
// Every player has a hidden strength and plays by it. He looks at the ladder
// as often as he likes to play and challenges somebody within reach; newcomers
// arrive through most of the year, some of them of dan strength, and some
// players fall silent. Nothing but package ladder decides who stands where.
package main

import (
	"flag"
	"fmt"
	"os"
	"sync"

	"pbem/ladder"
)

func main() {
	players := flag.Int("players", 500, "members at the end of the year")
	days := flag.Int("days", 365, "length of the simulation")
	seeds := flag.Int("seeds", 5, "clubs to simulate")
	flag.Parse()
	fmt.Printf("%d players, %d days, %d clubs. Strengths %.0f ± %.0f, dan from %.0f on; a game takes %d to %d days, a challenge 0 to 5.\n",
		*players, *days, *seeds, mean, spread, shodan, shortest, longest)
	fmt.Println("ρ: rank correlation with the hidden strengths, of all with five games. Idle: days in the top tenth without a game, the most of anybody.")
	fmt.Println("Dan newcomers: how many, days until they stood in the top tenth (median, most), how many needed more than", quarter)
	plain, rise := ladder.PlainRules(), ladder.DefaultRules()
	table("plain: the rules of correspondence ladders", plain, false, *players, *days, *seeds)
	table("who is rated higher rises past those above", rise, false, *players, *days, *seeds)
	if !table("default: so, and half of the newcomers, all of dan strength, say their grade on joining", rise, true, *players, *days, *seeds) {
		fmt.Println("\nNOT AS IT SHOULD BE by the default rules: ρ above 0.85 and 0.9, nobody idle for more than 75 days, no newcomer too late")
		os.Exit(1)
	}
}

// table simulates some clubs on the same rules, prints what came of each, and
// reports whether all of it is as it should be.
func table(title string, rules ladder.Rules, declare bool, players, days, seeds int) bool {
	results := make([]result, seeds)
	var wait sync.WaitGroup
	for i := range results {
		wait.Go(func() { results[i] = newClub(players, uint64(i+1), rules, declare).run(days) })
	}
	wait.Wait()
	fmt.Printf("\n%s\n", title)
	fmt.Println("club  games  ladder ρ  rating ρ  idle  dan newcomers  median   most  late")
	ok := true
	for i, r := range results {
		fmt.Printf("%4d  %5d  %8.3f  %8.3f  %4d  %13d  %6s  %5s  %4d\n",
			i+1, r.games, r.ladderRho, r.ratingRho, r.idle, r.newcomers, dayCount(r.median), dayCount(r.most), r.late)
		ok = ok && r.ladderRho > 0.85 && r.ratingRho > 0.9 && r.idle <= 75 && r.late == 0
	}
	return ok
}

func dayCount(n int) string {
	if n == never {
		return "never"
	}
	return fmt.Sprint(n)
}
