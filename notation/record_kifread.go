package notation

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"pbem/rules"
)

// kifTags are the header keys of KIF, KI2 and their English names. 上手 gives
// the handicap and is White; 下手 takes it.
var kifTags = []struct{ key, name string }{
	{"先手", TagBlack}, {"後手", TagWhite}, {"下手", TagBlack}, {"上手", TagWhite},
	{"棋戦", TagEvent}, {"場所", TagSite}, {"開始日時", TagDate}, {"終了日時", TagEndDate}, {"持ち時間", TagTime}, {"戦型", TagOpening},
	{"対局日", TagDate}, {"表題", TagEvent}, {"持時間", TagTime},
}

var errNeither = errors.New("neither a move nor a header nor a remark")

// kifReader is what reading a KIF or KI2 file keeps beside the record.
type kifReader struct {
	*builder
	rows  []string // of the diagram
	hands [2]string
	white bool // the diagram says White is to move
}

// readKifu reads KIF and KI2, by the description of the format that comes with
// Kifu for Windows. Seen in practice: half-width colons, tabs, missing times,
// KI2 moves in KIF files.
func (b *builder) readKifu(text string) error {
	r := kifReader{builder: b}
	number, at, ended := 0, 0, false
	for line := range strings.Lines(text) {
		number++
		begin := at
		at += len(line)
		line = strings.TrimRight(line, "\n \t　")
		if strings.HasPrefix(line, "変化") { // All that follows is variations.
			r.skip(begin)
			ended = true
		}
		if ended {
			continue
		}
		if at, err := r.line(line); err != nil {
			return b.fail(number, line, at, strings.TrimSpace(line[min(at, len(line)):]), err)
		}
	}
	if at, err := r.settle(); err != nil {
		return b.fail(number, "", at, "", err)
	}
	return nil
}

// line reads one line. With an error comes the byte where it is.
func (r *kifReader) line(line string) (int, error) {
	trimmed := strings.TrimLeft(line, " \t　")
	indent := len(line) - len(trimmed)
	switch {
	case trimmed == "", line[0] == '#', line[0] == '&', strings.HasPrefix(trimmed, "手数"), strings.HasPrefix(trimmed, "+--"), strings.Trim(trimmed, "１２３４５６７８９ ") == "":
		return 0, nil
	case line[0] == '*':
		r.comment(line[1:])
		return 0, nil
	case trimmed[0] == '|':
		r.rows = append(r.rows, trimmed)
		return 0, nil
	case trimmed == "後手番", trimmed == "上手番":
		r.white = true
		return 0, nil
	case trimmed == "先手番", trimmed == "下手番":
		return 0, nil
	case strings.HasPrefix(trimmed, "まで"):
		return r.summary(trimmed)
	case isDigit(trimmed[0]) && r.format == KIF:
		at, err := r.numbered(trimmed)
		return indent + at, err
	case strings.ContainsRune("▲△▼▽☗☖", []rune(trimmed)[0]):
		at, err := r.marked(trimmed)
		return indent + at, err
	}
	for _, colon := range []string{"：", ":"} {
		if key, value, ok := strings.Cut(trimmed, colon); ok {
			return indent + len(key) + len(colon), r.header(key, strings.Trim(value, " \t　"))
		}
	}
	return indent, errNeither
}

// header reads "先手：Hana".
func (r *kifReader) header(key, value string) error {
	switch key {
	case "手合割":
		return r.handicap(value)
	case "先手の持駒", "下手の持駒", "先手の持ち駒", "下手の持ち駒":
		r.hands[rules.Black] = value
		return nil
	case "後手の持駒", "上手の持駒", "後手の持ち駒", "上手の持ち駒":
		r.hands[rules.White] = value
		return nil
	}
	for _, t := range kifTags {
		if t.key == key {
			r.tag(t.name, value)
			return nil
		}
	}
	r.tag(key, value)
	return nil
}

// handicap sets the start position by the name of the handicap.
func (r *kifReader) handicap(name string) error {
	name = strings.Join(strings.Fields(name), "")
	switch name {
	case "平手", "その他", "":
		return nil
	case "５五将棋", "5五将棋":
		if v, ok := rules.ByName("minishogi"); ok {
			r.use(v)
			return nil
		}
	case "五枚落ち":
		name = "右五枚落ち" // the usual one
	}
	v := r.record.Variant
	for _, h := range v.Handicaps() {
		for _, alias := range h.Aliases {
			if alias == name {
				p, err := rules.ParsePosition(v, h.Setup)
				if err == nil {
					r.start(p)
				}
				return err
			}
		}
	}
	return fmt.Errorf("no handicap %s known", name)
}

// settle makes the diagram, if there is one, the start position.
func (r *kifReader) settle() (int, error) {
	if r.rows == nil || r.began {
		return 0, nil
	}
	p, err := readDiagram(r.record.Variant, r.rows, r.hands, r.white)
	r.rows = nil
	if err != nil {
		return 0, err
	}
	r.start(p)
	return 0, nil
}

// numbered reads "   1 ７六歩(77)   ( 0:16/00:00:16)".
func (r *kifReader) numbered(line string) (int, error) {
	if at, err := r.settle(); err != nil {
		return at, err
	}
	at := 0
	for at < len(line) && isDigit(line[at]) {
		at++
	}
	rest := strings.TrimLeft(line[at:], " \t　")
	at = len(line) - len(rest)
	move, spent := cutTime(rest)
	move = strings.TrimSpace(strings.TrimRight(move, "+ "))
	if r.endByWord(move, func(e ending) string { return e.kif }) {
		return 0, nil
	}
	if move == "不戦敗" || move == "封じ手" || move == "" {
		return at, errNeither
	}
	if err := r.read(move); err != nil {
		return at, err
	}
	r.spent(spent)
	return 0, nil
}

// cutTime cuts the time off a move: "( 0:16/00:00:16)".
func cutTime(s string) (string, time.Duration) {
	open := strings.LastIndexByte(s, '(')
	if open < 0 || !strings.Contains(s[open:], ":") {
		return s, 0
	}
	first, _, _ := strings.Cut(strings.Trim(s[open:], "() "), "/")
	return s[:open], clock(first)
}

// clock reads "1:02:03" or "0:16" as hours, minutes, seconds; 0 if it is none.
func clock(s string) time.Duration {
	var total time.Duration
	for part := range strings.SplitSeq(s, ":") {
		n, err := strconv.Atoi(strings.TrimSpace(part))
		if err != nil || n < 0 || n > 1e7 || total > 1e6*time.Hour {
			return 0
		}
		total = total*60 + time.Duration(n)*time.Second
	}
	return total
}

// marked reads moves that begin with a mark of side: "▲７六歩 △３四歩".
func (r *kifReader) marked(line string) (int, error) {
	if at, err := r.settle(); err != nil {
		return at, err
	}
	const marks = "▲△▼▽☗☖"
	for at := 0; at < len(line); {
		size := len("▲")
		end := strings.IndexAny(line[at+size:], marks)
		if end < 0 {
			end = len(line)
		} else {
			end += at + size
		}
		move, spent := cutTime(line[at+size : end])
		if move = strings.TrimSpace(move); !r.endByWord(move, func(e ending) string { return e.kif }) {
			if err := r.read(move); err != nil {
				return at, err
			}
			r.spent(spent)
		}
		at = end
	}
	return 0, nil
}

// summary reads "まで84手で後手の勝ち". A word for the end that came before it
// knows better.
func (r *kifReader) summary(line string) (int, error) {
	if at, err := r.settle(); err != nil {
		return at, err
	}
	if e := r.record.End; e.Outcome != rules.Ongoing {
		return 0, nil
	}
	for _, row := range endings {
		if row.who != moverWins && row.cause != Resigned && strings.HasSuffix(line, "手で"+row.kif) {
			r.ended(row)
			return 0, nil
		}
	}
	e := rules.End{Outcome: rules.WhiteWins}
	switch {
	case strings.Contains(line, "先手の"), strings.Contains(line, "下手の"):
		e.Outcome = rules.BlackWins
	case strings.Contains(line, "後手の"), strings.Contains(line, "上手の"):
	default:
		return 0, nil // a remark
	}
	if strings.HasSuffix(line, "負け") {
		e.Outcome = rules.BlackWins + rules.WhiteWins - e.Outcome
	}
	switch {
	case strings.Contains(line, "時間切れ"):
		e.Cause = TimeUp
	case strings.Contains(line, "反則"):
		e.Cause = IllegalMove
	case strings.Contains(line, "入玉"):
		e.Cause = rules.ImpasseWin
	case strings.Contains(line, "詰み"):
		e.Cause = rules.Checkmate
	case r.format == KI2 && e.Outcome == rules.Win(r.now.Turn().Other()):
		e.Cause = Resigned // KI2 has no other way to say so
	}
	r.record.End = e
	return 0, nil
}
