package notation_test

import (
	"errors"
	"strings"
	"testing"

	"pbem/notation"
)

// What people have typed in forty years of shogi by mail, each in a game where
// it was their move.
func TestTyped(t *testing.T) {
	const (
		bishops = "7g7f 3c3d"
		taken   = "7g7f 3c3d 8h2b+"
		recap   = "8k/9/9/9/9/4l4/4R4/4L4/8K w - 1" // the lance takes, and is taken
		retaken = "8k/9/9/9/9/9/4l4/4L4/8K b - 1"
	)
	tests := []struct{ sfen, played, text, want string }{ // USI; of a question, the moves
		{startSFEN, "", "P7f", "7g7f"},
		{hands, "", "P'5e", "P*5e"},
		{hands, "", "P’5e", "P*5e"},
		{"4k4/9/9/9/9/9/9/9/4K4 b P 1", "", "P'4e", "P*4e"},
		{"3gkg3/9/9/9/9/9/9/9/4K4 w - 1", "", "G45b", "4a5b"},
		{startSFEN, "", "G(6I)5H", "6i5h"},
		{startSFEN, "", "P-7F.", "7g7f"},
		{startSFEN, "7g7f", "3...P3d", "3c3d"},
		{startSFEN, "7g7f", "1...P3d", "3c3d"},
		{startSFEN, "7g7f", "1.P-7f P-3d 2.", "3c3d"},
		{startSFEN, bishops, "1.P-7f P-3d 2.", ""}, // nothing new
		{startSFEN, "", "7g7f", "7g7f"},
		{startSFEN, "", "7776FU", "7g7f"},
		{startSFEN, "", "▲７六歩(77)", "7g7f"},
		{startSFEN, taken, "同　銀不成", "3a2b"}, // 不成 says nothing here, and does no harm
		{"4k4/9/5S3/4p4/9/9/9/9/4K4 b - 1", "", "５四銀不成", "4c5d"},
		{startSFEN, "", "P–7f", "7g7f"},
		{startSFEN, "", "Ｐ－７ｆ", "7g7f"},
		{tokins, "", "TO-5b", "4c5b 6c5b"},
		{tokins, "", "TO6c-5b", "6c5b"},
		{dragon, "", "+Rx5e", "5g5e"},
		{dragon, "", "D-5e", "5g5e"},
		{recap, "5f5g", "xL", "5h5g"},
		{recap, "5f5g", "same", "5h5g"},
		{startSFEN, taken, "same", "3a2b 8b2b"},
		{startSFEN, taken, "同", "3a2b 8b2b"},
		{startSFEN, taken, "1. P7f P3d 2. Bx2b+ same", "3a2b 8b2b"},
		{startSFEN, taken, "▲７六歩 △３四歩 ▲２二角成 △同 銀", "3a2b"},
		{retaken, "", "same", "not a move"},

		{startSFEN, bishops, "Bx2b", "8h2b+ 8h2b"}, // no guess
		{startSFEN, bishops, "8h2b", "8h2b+ 8h2b"},

		// The whole game with the new move at its end.
		{startSFEN, bishops, "1. P-7f P-3d 2. P-2f", "2g2f"},
		{startSFEN, bishops, "1. P7f P3d\n2. P2f", "2g2f"},
		{startSFEN, bishops, "1 P7f 2 P3d 3 P2f", "2g2f"},
		{startSFEN, bishops, "▲７六歩△３四歩▲２六歩", "2g2f"},
		{startSFEN, bishops, "1. P-7f P-8d 2. P-2f", "move list differs from the game at ply 2: P-8d"},
		{startSFEN, bishops, "1. P-7f P-3d 2. P-2f P-8d", "more than one new move: P-2f, P-8d"},
	}
	for _, tt := range tests {
		start, played := game(t, tt.sfen, tt.played)
		moves, err := notation.ReadLine(start, played, tt.text, notation.Options{})
		var open *notation.AmbiguousError
		if errors.As(err, &open) {
			moves, err = open.Moves, nil
		}
		var texts []string
		for _, m := range moves {
			texts = append(texts, notation.USI(start.Variant(), m))
		}
		got := strings.Join(texts, " ")
		if err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("%s, %s: ReadLine(%q) = %s; want %s", tt.sfen, tt.played, tt.text, got, tt.want)
		}
	}
}
