package notation

import (
	"fmt"
	"strings"
	"time"

	"pbem/rules"
)

// kifHandicaps are the handicaps that KIF readers know by name.
const kifHandicaps = " 香落ち 右香落ち 角落ち 飛車落ち 飛香落ち 二枚落ち 三枚落ち 四枚落ち 五枚落ち 左五枚落ち 六枚落ち 八枚落ち 十枚落ち "

// writeKifu writes KIF and KI2.
func (w *recordWriter) writeKifu() error {
	v, start := w.record.variant(), w.positions[0]
	if v.Files > 9 || v.Ranks > 9 {
		return &UnsupportedError{strings.ToUpper(w.format.String()), "boards of more than nine files or ranks"}
	}
	if err := hasKanji(v, InKIF); err != nil {
		return err
	}
	black, white := "先手", "後手"
	handicap := w.kifHandicap()
	switch {
	case handicap != "":
		if handicap != "平手" && handicap != "５五将棋" {
			black, white = "下手", "上手"
		}
	default:
		handicap = "その他"
		if v != rules.Shogi() {
			w.lose("the name of the variant")
		}
	}
	if w.format == KIF {
		w.out.WriteString("#KIF version=2.0 encoding=UTF-8\n")
	}
	w.kifHeader(black, white)
	w.out.WriteString("手合割：" + handicap + "\n")
	if handicap == "その他" {
		w.out.WriteString(drawDiagram(start, black, white))
	}
	if w.format == KIF {
		w.out.WriteString("手数----指手---------消費時間--\n")
	}
	w.kifComment(w.record.Note)
	if err := w.kifMoves(); err != nil {
		return err
	}
	w.kifEnd(black, white)
	return nil
}

// kifHandicap returns the name that KIF has for the start position; empty if
// it has none.
func (w *recordWriter) kifHandicap() string {
	v, start := w.record.variant(), w.positions[0]
	if start == v.Start() {
		switch {
		case v == rules.Shogi():
			return "平手"
		case v.Name == "minishogi":
			return "５五将棋"
		}
	}
	if v != rules.Shogi() {
		return ""
	}
	for _, h := range v.Handicaps() {
		if p, err := rules.ParsePosition(v, h.Setup); err != nil || p != start {
			continue
		}
		for i := len(h.Aliases) - 1; i >= 0; i-- {
			if strings.Contains(kifHandicaps, " "+h.Aliases[i]+" ") {
				return h.Aliases[i]
			}
		}
	}
	return ""
}

// kifHeader writes the tags.
func (w *recordWriter) kifHeader(black, white string) {
	for _, t := range w.record.Tags {
		key := t.Name
		switch key {
		case TagBlack:
			key = black
		case TagWhite:
			key = white
		default:
			for _, k := range kifTags {
				if k.name == t.Name {
					key = k.key
					break
				}
			}
		}
		key = strings.Map(func(r rune) rune {
			if r == '：' || r == ':' {
				return '-'
			}
			return r
		}, oneLine(key))
		if key == "" || strings.ContainsAny(key[:1], "#*&|+0123456789") || strings.HasPrefix(key, "まで") || strings.HasPrefix(key, "手") {
			w.lose("the tag " + t.Name)
			continue
		}
		w.out.WriteString(key + "：" + oneLine(t.Value) + "\n")
	}
}

// kifComment writes remarks, a star before each line.
func (w *recordWriter) kifComment(text string) {
	if text == "" {
		return
	}
	for line := range strings.SplitSeq(clean(text), "\n") {
		w.out.WriteString("*" + line + "\n")
	}
}

// kifMoves writes the moves: a line each in KIF, up to six on a line in KI2.
func (w *recordWriter) kifMoves() error {
	var total [2]time.Duration
	timed := w.timed()
	onLine := 0
	for i, ply := range w.record.Moves {
		p := w.positions[i]
		if w.format == KI2 {
			text, err := Write(InKI2, p, ply.Move, w.options(i))
			if err != nil {
				return err
			}
			if onLine > 0 {
				w.out.WriteByte(' ')
			}
			w.out.WriteString(text)
			if onLine++; onLine == 6 || ply.Comment != "" || i == len(w.record.Moves)-1 {
				w.out.WriteByte('\n')
				onLine = 0
			}
			w.kifComment(ply.Comment)
			continue
		}
		text, err := Write(InKIF, p, ply.Move, w.options(i))
		if err != nil {
			return err
		}
		fmt.Fprintf(&w.out, "%4d %s", i+1, text)
		if timed {
			total[p.Turn()] += ply.Spent
			fmt.Fprintf(&w.out, "   (%s)", kifTime(ply.Spent, total[p.Turn()]))
		}
		w.out.WriteByte('\n')
		w.kifComment(ply.Comment)
	}
	if timed && w.format == KI2 {
		w.lose("times")
	}
	return nil
}

// timed reports whether a thinking time is known.
func (w *recordWriter) timed() bool {
	for _, ply := range w.record.Moves {
		if ply.Spent > 0 {
			return true
		}
	}
	return false
}

// kifTime writes " 0:16/00:00:16": minutes and seconds, then the sum.
func kifTime(spent, total time.Duration) string {
	s, t := int(spent.Seconds()), int(total.Seconds())
	return fmt.Sprintf("%2d:%02d/%02d:%02d:%02d", s/60, s%60, t/3600, t/60%60, t%60)
}

// kifEnd writes the word for the end and the line that sums the game up.
func (w *recordWriter) kifEnd(black, white string) {
	e := w.record.End
	if e == (rules.End{}) {
		return
	}
	n := len(w.record.Moves)
	row, exact := named(e, w.last().Turn())
	if w.format == KIF {
		fmt.Fprintf(&w.out, "%4d %s\n", n+1, row.kif)
	}
	winner, loser := black, white
	if e.Outcome == rules.WhiteWins {
		winner, loser = white, black
	}
	summary := row.kif
	switch {
	case e.Outcome == rules.Ongoing || e.Outcome == rules.Draw:
	case exact && e.Cause == TimeUp:
		summary = "時間切れにより" + winner + "の勝ち"
	case exact && e.Cause == IllegalMove:
		summary = loser + "の反則負け"
	case exact && e.Cause == rules.ImpasseWin:
		summary = winner + "の入玉勝ち"
	case exact && e.Cause != Resigned: // 詰み
	default:
		summary = winner + "の勝ち"
	}
	if e.Outcome == rules.Draw && !exact {
		summary = "引き分け"
	}
	fmt.Fprintf(&w.out, "まで%d手で%s\n", n, summary)
	if !exact {
		w.lose("how the game ended: " + string(e.Cause))
	}
}
