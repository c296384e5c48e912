package notation

import (
	"strings"

	"pbem/rules"
)

// who says whom an end favours, as records say it: by the side to move.
type who uint8

const (
	open       who = iota // nobody: the record stops
	moverLoses            // the side to move loses
	moverWins             // the side to move wins
	nobody                // a draw
)

// ending is how the formats name an end.
type ending struct {
	cause rules.Cause
	who   who
	kif   string
	csa   string
	text  string
}

// endings lists what can be named; the first row that fits is written. KIF and
// CSA name no agreed draw of their own beside 引き分け and HIKIWAKE.
var endings = []ending{
	{Resigned, moverLoses, "投了", "TORYO", "Resigns"},
	{rules.Checkmate, moverLoses, "詰み", "TSUMI", "Mate"},
	{rules.NoMoves, moverLoses, "詰み", "TSUMI", "Mate"},
	{TimeUp, moverLoses, "切れ負け", "TIME_UP", "Time"},
	{IllegalMove, moverLoses, "反則負け", "ILLEGAL_MOVE", "Illegal"},
	{IllegalMove, moverWins, "反則勝ち", "ILLEGAL_ACTION", ""},
	{rules.ImpasseWin, moverWins, "入玉勝ち", "KACHI", "Declares"},
	{rules.Repetition, nobody, "千日手", "SENNICHITE", "Sennichite"},
	{rules.ImpasseDraw, nobody, "持将棋", "JISHOGI", "Jishogi"},
	{Agreement, nobody, "引き分け", "HIKIWAKE", "Draw"},
	{Interrupted, open, "中断", "CHUDAN", "*"},
}

// favour returns whom e favours when the side to move is turn.
func favour(e rules.End, turn rules.Color) who {
	switch e.Outcome {
	case rules.Draw:
		return nobody
	case rules.Win(turn):
		return moverWins
	case rules.Win(turn.Other()):
		return moverLoses
	}
	return open
}

// named returns the row that names e; false if only the outcome can be said,
// with the row of an open end.
func named(e rules.End, turn rules.Color) (ending, bool) {
	w := favour(e, turn)
	for _, row := range endings {
		if row.cause == e.Cause && row.who == w {
			return row, true
		}
	}
	return endings[len(endings)-1], false
}

// ended notes the end that a row stands for.
func (b *builder) ended(row ending) {
	e := rules.End{Cause: row.cause}
	turn := b.now.Turn()
	switch row.who {
	case moverLoses:
		e.Outcome = rules.Win(turn.Other())
	case moverWins:
		e.Outcome = rules.Win(turn)
	case nobody:
		e.Outcome = rules.Draw
	}
	if e.Cause == rules.Checkmate && !b.now.InCheck() {
		e.Cause = rules.NoMoves
	}
	b.record.End, b.began = e, true
}

// endByWord notes the end that a word of a format stands for.
func (b *builder) endByWord(word string, column func(ending) string) bool {
	for _, row := range endings {
		if name := column(row); name != "" && strings.EqualFold(name, word) {
			b.ended(row)
			return true
		}
	}
	return false
}

// outcomeText says who has won, for formats that have no word for how.
func outcomeText(e rules.End) string {
	switch e.Outcome {
	case rules.BlackWins:
		return "Black wins: " + string(e.Cause)
	case rules.WhiteWins:
		return "White wins: " + string(e.Cause)
	case rules.Draw:
		return "drawn: " + string(e.Cause)
	}
	return string(e.Cause)
}
