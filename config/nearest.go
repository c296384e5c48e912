package config

import "strings"

// Nearest returns the one of known that word most likely means, or nothing if none is like it.
func Nearest(word string, known []string) string {
	const alike = 0.78 // adress and addr are; server and user are not
	best, score := "", alike
	for _, k := range known {
		if s := likeness(strings.ToLower(word), k); s > score {
			best, score = k, s
		}
	}
	return best
}

// likeness is the measure of Jaro and Winkler, from 0 to 1: it counts the letters that two
// words share in about the same places, and favours words that begin alike. An edit
// distance would find imap.user as near to imap.adress as imap.addr is.
func likeness(a, b string) float64 {
	window := max(len(a), len(b))/2 - 1
	var fromA []byte
	used := make([]bool, len(b))
	for i := range len(a) {
		for j := max(0, i-window); j < min(len(b), i+window+1); j++ {
			if !used[j] && a[i] == b[j] {
				used[j] = true
				fromA = append(fromA, a[i])
				break
			}
		}
	}
	if len(fromA) == 0 {
		return 0
	}
	moved, next := 0.0, 0
	for j := range used {
		if used[j] {
			if b[j] != fromA[next] {
				moved += 0.5
			}
			next++
		}
	}
	m := float64(len(fromA))
	jaro := (m/float64(len(a)) + m/float64(len(b)) + (m-moved)/m) / 3
	prefix := 0
	for prefix < min(4, len(a), len(b)) && a[prefix] == b[prefix] {
		prefix++
	}
	return jaro + float64(prefix)*0.1*(1-jaro)
}
