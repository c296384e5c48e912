package sim

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"pbem/rules"
)

// drawing is a board as it stands in a mail: what is on the squares and in the
// hands.
type drawing struct {
	squares [10][10]string // by file and rank, from 1: "P" Black's pawn, "+p" White's promoted one; empty: none
	hands   [2]string      // by color, as in SFEN
}

// cellWidth is how many characters a square takes: mark, piece, mark.
const cellWidth = 4

// findDrawing reads the first board in a mail.
func findDrawing(text string) (d drawing, err error) {
	lines := strings.Split(text, "\n")
	i := 0
	for i < len(lines) && !strings.Contains(lines[i], " in hand:") {
		i++
	}
	if i+11 >= len(lines) {
		return d, errors.New("no board in the mail")
	}
	files := strings.Fields(lines[i+1])
	if len(files) != 9 {
		return d, fmt.Errorf("files read %q", lines[i+1])
	}
	for _, line := range []string{lines[i], lines[i+11]} {
		color, held, err := readHand(line)
		if err != nil {
			return d, err
		}
		d.hands[color] = held
	}
	for _, line := range lines[i+2 : i+11] {
		line = strings.TrimPrefix(line, "  ")
		if len(line) < 2 || len(line) > 2+9*cellWidth {
			return d, fmt.Errorf("rank reads %q", line)
		}
		line += strings.Repeat(" ", 2+9*cellWidth-len(line))
		rank := int(line[0]-'a') + 1
		for j, name := range files {
			file, err := strconv.Atoi(name)
			if err != nil || file < 1 || file > 9 || rank < 1 || rank > 9 {
				return d, fmt.Errorf("no square: %q", line)
			}
			cell := strings.TrimSpace(strings.TrimSuffix(line[2+j*cellWidth:2+(j+1)*cellWidth], "*"))
			if cell != "." && cell != ":" && cell != "" {
				d.squares[file][rank] = cell[1:]
			}
		}
	}
	return d, nil
}

// readHand reads a line such as "Black in hand: R, 2P".
func readHand(line string) (c rules.Color, sfen string, err error) {
	who, list, ok := strings.Cut(strings.TrimSpace(line), " in hand: ")
	if !ok {
		return c, "", fmt.Errorf("hand reads %q", line)
	}
	if list != "-" {
		sfen = strings.ReplaceAll(list, ", ", "")
	}
	if who == "White" {
		return rules.White, strings.ToLower(sfen), nil
	}
	return rules.Black, sfen, nil
}

// position returns the position that is drawn.
func (d drawing) position(turn rules.Color) (rules.Position, error) {
	var b strings.Builder
	for rank := 1; rank <= 9; rank++ {
		if rank > 1 {
			b.WriteByte('/')
		}
		empty := 0
		for file := 9; file >= 1; file-- {
			piece := d.squares[file][rank]
			if piece == "" {
				empty++
				continue
			}
			if empty > 0 {
				b.WriteString(strconv.Itoa(empty))
				empty = 0
			}
			b.WriteString(piece)
		}
		if empty > 0 {
			b.WriteString(strconv.Itoa(empty))
		}
	}
	hands := d.hands[rules.Black] + d.hands[rules.White]
	if hands == "" {
		hands = "-"
	}
	return rules.ParsePosition(rules.Shogi(), b.String()+" "+[]string{"b", "w"}[turn]+" "+hands)
}
