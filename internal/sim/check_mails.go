package sim

import (
	"bytes"
	"fmt"
	"regexp"
	"sort"
	"strings"
	"time"

	"pbem/store"
)

// checkTokens notes whom each token was mailed to: one person.
func (w *world) checkTokens(b *book) {
	for _, m := range w.order {
		token := tokenForm.FindString(headerField(m.data, "Reply-To"))
		if token == "" || !strings.HasPrefix(m.id, token+".") {
			w.finding(nameOf(w.byAddr[m.to]), gameOf(m.id), "mail %s has the token %q in Reply-To", m.id, token)
			continue
		}
		if to := b.owners[token]; to != "" && to != m.to {
			w.finding(nameOf(w.byAddr[m.to]), gameOf(m.id), "token %s went to %s and to %s", token, to, m.to)
		}
		b.owners[token] = m.to
	}
}

// checkMails reads every mail that went out: it shows nothing of others, refers
// to nothing its reader does not have, and draws the board as it was.
func (w *world) checkMails(b *book) {
	known := map[string]map[string]bool{} // Message-IDs, by who has them
	add := func(addr, id string) {
		if known[addr] == nil {
			known[addr] = map[string]bool{}
		}
		known[addr][id] = true
	}
	for _, m := range w.order {
		add(m.to, m.id)
	}
	for _, l := range w.letters {
		add(l.sender, l.messageID)
	}
	for _, m := range w.order {
		if w.trouble != nil {
			return
		}
		w.checkMail(b, m, known[m.to])
	}
}

var (
	someAddress = regexp.MustCompile(`[a-z0-9.]+@(?:mail|post|home)\.example`)
	someID      = regexp.MustCompile(`<([^<>\s]+)>`)
)

func (w *world) checkMail(b *book, m *sentMail, known map[string]bool) {
	to := w.byAddr[m.to]
	wrong := func(format string, args ...any) {
		w.finding(nameOf(to), gameOf(m.id), "mail %s to %s "+format, append([]any{m.id, m.to}, args...)...)
	}
	for _, field := range []string{"In-Reply-To", "References"} {
		for _, id := range someID.FindAllStringSubmatch("<"+headerField(m.data, field)+">", -1) {
			if !known[id[1]] {
				wrong("refers to %s, which its reader does not have", id[1])
			}
		}
	}
	flat := bytes.ReplaceAll(m.data, []byte("=\r\n"), nil)
	for _, token := range tokenForm.FindAll(flat, -1) {
		if owner := b.owners[string(token)]; owner != m.to {
			wrong("shows the token %s of %s", token, owner)
		}
	}
	for _, addr := range someAddress.FindAll(flat, -1) {
		if string(addr) != m.to {
			wrong("shows the address %s", addr)
		}
	}
	r, err := readMail(m.data, nameOf(to))
	if err != nil {
		wrong("cannot be read: %v", err)
		return
	}
	g := b.game(r.game)
	if r.game == 0 || g == nil {
		return
	}
	if r.ply >= len(g.positions) {
		wrong("is about ply %d of %d", r.ply, len(g.moves))
		return
	}
	at := g.positions[r.ply]
	if drawn, err := r.drawn.position(at.Turn()); err != nil || drawn != at {
		wrong("draws %v, want %v (%v)", drawn, at, err)
	}
	if mine := !r.over && r.ply == len(g.moves) && g.turn() != nil && g.turn().addr == m.to; r.yours && g.players[at.Turn()].addr != m.to || mine && !r.yours {
		wrong("says it is the reader's turn: %v", r.yours)
	}
}

// checkDebts compares the mails that went out with those that were owed.
func (w *world) checkDebts(b *book) {
	got := map[debt]int{}
	for _, m := range w.order {
		got[debt{m.to, aboutOf(m.id)}]++
	}
	var debts []debt
	for d := range b.owed {
		debts = append(debts, d)
	}
	for d := range got {
		if b.owed[d] == 0 {
			debts = append(debts, d)
		}
	}
	sort.Slice(debts, func(i, j int) bool {
		return debts[i].to+debts[i].about < debts[j].to+debts[j].about
	})
	for _, d := range debts {
		if got[d] != b.owed[d] {
			w.finding(nameOf(w.byAddr[d.to]), gameOf(d.about+"-"), "%d mails about %s went to %s, %d were owed", got[d], d.about, d.to, b.owed[d])
		}
	}
}

// checkOutbox: nothing waits when the network is whole, and only what was
// refused, or not taken for five days, was given up.
func (w *world) checkOutbox(tx *store.Tx) error {
	waiting, err := tx.Waiting()
	if err != nil {
		return err
	}
	for _, m := range waiting {
		w.finding(nameOf(w.byAddr[m.To]), int(m.Game), "mail %s to %s still waits: %s", m.MessageID, m.To, m.LastError)
	}
	failed, err := tx.Failed()
	if err != nil {
		return err
	}
	gone := map[string]bool{}
	for _, m := range failed {
		gone[m.MessageID] = true
		if s := w.sent[m.MessageID]; (s == nil || !s.refused) && m.Failed.Sub(m.Queued) < 5*24*time.Hour {
			w.finding(nameOf(w.byAddr[m.To]), int(m.Game), "mail %s to %s was given up after %v: %s", m.MessageID, m.To, m.Failed.Sub(m.Queued), m.LastError)
		}
	}
	for _, m := range w.order {
		if m.taken == 0 && !gone[m.id] {
			w.finding(nameOf(w.byAddr[m.to]), gameOf(m.id), "mail %s to %s was never taken by a server", m.id, m.to)
		}
	}
	return nil
}

// checkQuarantine: what was set aside are the poisoned letters.
func (w *world) checkQuarantine(tx *store.Tx) error {
	aside, err := tx.Quarantine()
	if err != nil {
		return err
	}
	got := map[string]bool{}
	for _, q := range aside {
		raw, err := tx.SetAsideRaw(q.ID)
		if err != nil {
			return err
		}
		for _, l := range w.letters {
			if !bytes.Contains(raw, fmt.Appendf(nil, "<%s%d@", serialPrefix, l.serial)) {
				continue
			}
			got[l.from.name+itoa(l.serial)] = true
			if l.poison == 0 {
				w.finding(l.from.name, 0, "letter %d (%s) was set aside without fault: %s", l.serial, l.what, q.Cause)
			}
		}
	}
	w.figures.SetAside = len(aside)
	for _, l := range w.letters {
		if l.poison != 0 && !got[l.from.name+itoa(l.serial)] {
			w.finding(l.from.name, 0, "letter %d (%s), which is poisoned, was not set aside", l.serial, l.what)
		}
	}
	return nil
}
