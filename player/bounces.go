package player

import (
	"slices"
	"time"
)

// While a player is out of reach, one mail a week tries the address, and no
// more than so many.
const (
	probeEvery = 7 * 24 * time.Hour
	maxProbes  = 4
)

// Bounces is how mail to a player's address has fared since the player last
// wrote. The zero value: all of it has arrived, as far as is known.
type Bounces struct {
	Hard   []Bounce  // mails that came back for good
	Since  time.Time // out of reach since, UTC; zero: in reach
	Probes int       // mails that tried the address since
}

// Bounce is a mail to a player that came back for good.
type Bounce struct {
	MessageID string
	At        time.Time // UTC
}

// OutOfReach reports whether mail to p comes back, so that p's games stand and
// p is sent nothing.
func (p Player) OutOfReach() bool { return !p.Bounces.Since.IsZero() }

// Bounced returns p after the mail with that Message-ID came back for good at
// now. Once most different mails have, within a length of time, p is out of
// reach; a most below 1 is never. A mail that comes back twice counts once.
func (p Player) Bounced(messageID string, now time.Time, most int, within time.Duration) Player {
	hard := slices.DeleteFunc(slices.Clone(p.Bounces.Hard), func(b Bounce) bool { return now.Sub(b.At) > within })
	known := slices.ContainsFunc(hard, func(b Bounce) bool { return b.MessageID == messageID })
	if p.OutOfReach() || most < 1 || known {
		return p
	}
	p.Bounces.Hard = append(hard, Bounce{messageID, now})
	if len(p.Bounces.Hard) >= most {
		p.Bounces = Bounces{Since: now}
	}
	return p
}

// Reached returns p after a sign of life.
func (p Player) Reached() Player {
	p.Bounces = Bounces{}
	return p
}

// NextProbe returns when p's address is to be tried next; zero if it is not.
func (p Player) NextProbe() time.Time {
	if !p.OutOfReach() || p.Bounces.Probes >= maxProbes {
		return time.Time{}
	}
	return p.Bounces.Since.Add(time.Duration(p.Bounces.Probes+1) * probeEvery)
}

// Probed returns p after the address was tried.
func (p Player) Probed() Player {
	p.Bounces.Probes++
	return p
}
