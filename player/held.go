package player

import "time"

// HeldID numbers a held message from 1. The zero value is none.
type HeldID uint64

// Held is a message that was understood but not proven to come from the
// address it names. It waits for a reply from there, and is then handled as
// if it had come just then.
type Held struct {
	ID      HeldID
	Address string // whose confirmation it waits for
	Subject string
	Lines   []string // the sender's own lines
	Token   string   // the token it carried
	Arrived time.Time
	Expires time.Time // UTC
}
