package rules

import "math/bits"

// set is a set of squares, two machine words of them. Square number i is bit
// i of lo, or bit i-64 of hi; geometry says which square has which number.
type set struct{ lo, hi uint64 }

// single returns the set of one square number.
func single(i int) set {
	if i < 64 {
		return set{lo: 1 << uint(i)}
	}
	return set{hi: 1 << uint(i&63)}
}

func (a set) and(b set) set { return set{a.lo & b.lo, a.hi & b.hi} }
func (a set) or(b set) set  { return set{a.lo | b.lo, a.hi | b.hi} }
func (a set) xor(b set) set { return set{a.lo ^ b.lo, a.hi ^ b.hi} }

// without returns the squares of a that are not in b.
func (a set) without(b set) set { return set{a.lo &^ b.lo, a.hi &^ b.hi} }

func (a set) empty() bool      { return a.lo|a.hi == 0 }
func (a set) meets(b set) bool { return a.lo&b.lo|a.hi&b.hi != 0 }
func (a set) count() int       { return bits.OnesCount64(a.lo) + bits.OnesCount64(a.hi) }

func (a set) has(i int) bool {
	if i < 64 {
		return a.lo>>uint(i)&1 != 0
	}
	return a.hi>>uint(i&63)&1 != 0
}

// first returns the lowest number in a, which must not be empty.
func (a set) first() int {
	if a.lo != 0 {
		return bits.TrailingZeros64(a.lo)
	}
	return 64 + bits.TrailingZeros64(a.hi)
}

// rest returns a, which must not be empty, without its first number.
func (a set) rest() set {
	if a.lo != 0 {
		return set{a.lo & (a.lo - 1), a.hi}
	}
	return set{0, a.hi & (a.hi - 1)}
}

// shift moves every number of the set by n, of either sign, below 64.
func (a set) shift(n int) set {
	if n >= 0 {
		u := uint(n) & 63
		return set{a.lo << u, a.hi<<u | a.lo>>1>>(63-u)}
	}
	u := uint(-n) & 63
	return set{a.lo>>u | a.hi<<1<<(63-u), a.hi >> u}
}

// plus and minus take the sets for numbers of 128 bits.
func (a set) plus(b set) set {
	lo, c := bits.Add64(a.lo, b.lo, 0)
	hi, _ := bits.Add64(a.hi, b.hi, c)
	return set{lo, hi}
}

func (a set) minus(b set) set {
	lo, c := bits.Sub64(a.lo, b.lo, 0)
	hi, _ := bits.Sub64(a.hi, b.hi, c)
	return set{lo, hi}
}

// highest returns the set of the highest number in a, or of 0 if a is empty.
func (a set) highest() set {
	if a.hi != 0 {
		return set{hi: 1 << (63 - uint(bits.LeadingZeros64(a.hi)))}
	}
	return set{lo: 1 << (63 - uint(bits.LeadingZeros64(a.lo|1)))}
}
