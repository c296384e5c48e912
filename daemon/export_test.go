package daemon

// Brought is how many messages wait to be taken in hand.
func (d *Daemon) Brought() int {
	d.bringing.Lock()
	defer d.bringing.Unlock()
	return len(d.brought)
}
