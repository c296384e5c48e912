package ladder

import "time"

// Idle returns the ladder after a look for those who have not played for long:
// noticed are told that they will lose their place, out have lost it. Who is
// away is not looked at; [Ladder.Rested] takes the time off afterwards.
func (l Ladder) Idle(away func(ID) bool, now time.Time) (next Ladder, noticed, out []ID) {
	l = l.clone()
	for i := range l.Rungs {
		r := &l.Rungs[i]
		if l.Playing(r.Player) || away(r.Player) {
			continue
		}
		left := r.Active.Add(l.Rules.Idle).Sub(now)
		switch {
		case r.Notices > 0 && now.Sub(r.Noticed) < l.Rules.NoticeTime: // was told just now
		case r.Notices >= l.Rules.Notices && left <= 0:
			out = append(out, r.Player)
		case r.Notices < l.Rules.Notices && left <= time.Duration(l.Rules.Notices-r.Notices)*l.Rules.NoticeTime:
			r.Notices++
			r.Noticed = now
			noticed = append(noticed, r.Player)
		}
	}
	for _, id := range out {
		l = l.Leave(id, now)
	}
	return l, noticed, out
}

// OffAt is when a player who does not play loses the place.
func (l Ladder) OffAt(r Rung) time.Time {
	at := r.Active.Add(l.Rules.Idle)
	if r.Notices == 0 {
		return at
	}
	told := r.Noticed.Add(time.Duration(l.Rules.Notices-r.Notices+1) * l.Rules.NoticeTime)
	if told.After(at) {
		return told
	}
	return at
}

// Rested returns the ladder after a vacation of a player, which does not count
// as time without a game.
func (l Ladder) Rested(id ID, from, until time.Time) Ladder {
	l = l.clone()
	if r := l.rung(id); r != nil {
		if from.Before(r.Active) {
			from = r.Active
		}
		if d := until.Sub(from); d > 0 {
			r.Active, r.Notices = r.Active.Add(d), 0
		}
	}
	return l
}
