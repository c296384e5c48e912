package rules

import "fmt"

// A piece's movement is written in Betza notation, seen from its owner, who
// sits at the bottom and moves up:
//
//	W (0,1)  F (1,1)  D (0,2)  A (2,2)  N (1,2)     one step or jump
//	R  B  Q                                         slides: W, F or both, unlimited
//	K                                               W and F
//	W2  F3  K2                                      slides of at most so many squares
//	f b l r v s                                     before an atom: only forward, back,
//	                                                left, right, vertical, sideways
//
// For W, D and R several letters add up (fs: forward and sideways). For F, A
// and B a vertical and a sideways letter narrow each other (fl: forward
// left). For N a letter names a half (f: the four forward jumps), doubled it
// names the narrow pair (ff: the two most forward); v and s are the narrow
// fours. Other atoms and letters are an error.

// step is one way to move: by dx files to the owner's left and dy ranks
// forward, up to far times, where squares between are empty. far 0 is a jump.
type step struct{ dx, dy, far int }

const anyFar = 15

// parseBetza returns the ways to move that text describes.
func parseBetza(text string) ([]step, error) {
	var steps []step
	for rest := text; rest != ""; {
		mods := prefixOf(rest, "fblrvs")
		rest = rest[len(mods):]
		if rest == "" {
			return nil, fmt.Errorf("movement %q: no atom after %q", text, mods)
		}
		atom := rest[0]
		digits := prefixOf(rest[1:], "0123456789")
		rest = rest[1+len(digits):]
		far := 0
		for _, d := range digits {
			far = min(far*10+int(d-'0'), anyFar)
		}
		if digits != "" && far == 0 {
			return nil, fmt.Errorf("movement %q: range %q", text, digits)
		}
		more, err := atomSteps(atom, far, mods)
		if err != nil {
			return nil, fmt.Errorf("movement %q: %w", text, err)
		}
		steps = append(steps, more...)
	}
	if len(steps) == 0 {
		return nil, fmt.Errorf("movement %q: nothing moves", text)
	}
	return steps, nil
}

func prefixOf(s, letters string) string {
	for i, r := range s {
		found := false
		for _, l := range letters {
			found = found || l == r
		}
		if !found {
			return s[:i]
		}
	}
	return s
}

func atomSteps(atom byte, far int, mods string) ([]step, error) {
	type leap struct{ x, y int }
	var leaps []leap
	switch atom {
	case 'W', 'R':
		leaps = []leap{{0, 1}}
	case 'F', 'B':
		leaps = []leap{{1, 1}}
	case 'K', 'Q':
		leaps = []leap{{0, 1}, {1, 1}}
	case 'D':
		leaps = []leap{{0, 2}}
	case 'A':
		leaps = []leap{{2, 2}}
	case 'N':
		leaps = []leap{{1, 2}}
	default:
		return nil, fmt.Errorf("atom %q is not known", atom)
	}
	switch atom {
	case 'R', 'B', 'Q':
		if far == 0 {
			far = anyFar
		}
	case 'D', 'A', 'N':
		if far > 1 {
			return nil, fmt.Errorf("atom %q cannot repeat", atom)
		}
	}
	if far == 1 {
		far = 0
	}
	var steps []step
	for _, l := range leaps {
		seen := map[step]bool{}
		for i := range 8 {
			x, y := l.x, l.y
			if i&4 != 0 {
				x, y = y, x
			}
			if i&1 != 0 {
				x = -x
			}
			if i&2 != 0 {
				y = -y
			}
			s := step{x, y, far}
			if !seen[s] && allowed(mods, x, y) {
				steps = append(steps, s)
			}
			seen[s] = true
		}
	}
	if len(steps) == 0 {
		return nil, fmt.Errorf("%s%c never moves", mods, atom)
	}
	return steps, nil
}

// allowed reports whether the direction letters admit a step of x to the left
// and y forward.
func allowed(mods string, x, y int) bool {
	if mods == "" {
		return true
	}
	steep, flat := abs(y) > abs(x), abs(x) > abs(y)
	diagonal := abs(x) == abs(y)
	oblique := !diagonal && x != 0 && y != 0
	var vertical, sideways, fits, fitsVertical, fitsSideways bool
	for i := 0; i < len(mods); i++ {
		m := mods[i]
		double := i+1 < len(mods) && mods[i+1] == m
		if double {
			i++
		}
		ok, upright := false, true
		switch m {
		case 'f':
			ok = y > 0 && (!double || steep)
		case 'b':
			ok = y < 0 && (!double || steep)
		case 'v':
			ok = y != 0 && (!oblique || steep)
		case 'l':
			ok, upright = x > 0 && (!double || flat), false
		case 'r':
			ok, upright = x < 0 && (!double || flat), false
		case 's':
			ok, upright = x != 0 && (!oblique || flat), false
		}
		fits = fits || ok
		if upright {
			vertical, fitsVertical = true, fitsVertical || ok
		} else {
			sideways, fitsSideways = true, fitsSideways || ok
		}
	}
	if diagonal && vertical && sideways {
		return fitsVertical && fitsSideways
	}
	return fits
}

func abs(n int) int { return max(n, -n) }
