package rules

import "fmt"

// Walk makes and unmakes every move below p to a depth and reports the first
// board that does not come back, or differs from one built afresh.
func Walk(p Position, depth int) error {
	var b board
	b.open(&p)
	return b.walk(depth)
}

func (b *board) walk(depth int) error {
	var w view
	b.look(&w)
	before := *b
	plies := b.list(&w, nil)
	if n := b.count(&w); n != len(plies) {
		return fmt.Errorf("%v: count %d, list %d", b.close(), n, len(plies))
	}
	for _, m := range plies {
		u := b.make(m)
		made := b.close()
		fresh, err := ParsePosition(b.t.v, made.String())
		if err != nil {
			return err
		}
		if fresh != made {
			return fmt.Errorf("%v: key %x, afresh %x", made, made.key, fresh.key)
		}
		var again board
		if again.open(&fresh); again != *b {
			return fmt.Errorf("%v: board after %v differs from one built afresh", made, b.t.move(m))
		}
		if depth > 1 {
			if err := b.walk(depth - 1); err != nil {
				return err
			}
		}
		if b.unmake(m, u); *b != before {
			return fmt.Errorf("%v: %v not taken back", before.close(), b.t.move(m))
		}
	}
	return nil
}
