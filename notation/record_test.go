package notation_test

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"flag"

	"pbem/notation"
	"pbem/rules"
)

var update = flag.Bool("update", false, "rewrite the golden files")

var formats = []notation.Format{notation.KIF, notation.KI2, notation.CSA, notation.USILine, notation.HodgesText, notation.JKF, notation.CSA3}

// sample is a short game with everything a record can hold.
func sample(t testing.TB) notation.Record {
	t.Helper()
	start := rules.Shogi().Start()
	moves, err := notation.ReadMoves(start, "P-7f P-3d Bx2b+ Sx B*5e G6a-5b Bx2b+ G-3b", notation.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r := notation.Record{
		Variant: rules.Shogi(), Start: start, Note: "A game by mail.\nTwo lines.",
		Tags: []notation.Tag{{notation.TagEvent, "Ladder"}, {notation.TagBlack, "Hana"}, {notation.TagWhite, "Marco"}, {notation.TagDate, "2026/11/30"}},
		End:  rules.End{Outcome: rules.WhiteWins, Cause: notation.Resigned},
	}
	for i, m := range moves {
		ply := notation.Ply{Move: m, Spent: time.Duration(i*3700) * time.Second}
		if i == 2 {
			ply.Comment = "Bold."
		}
		r.Moves = append(r.Moves, ply)
	}
	return r
}

func write(t testing.TB, f notation.Format, r notation.Record) (string, []string) {
	t.Helper()
	text, lost, err := notation.WriteRecord(f, r)
	if err != nil {
		t.Fatalf("WriteRecord(%v): %v", f, err)
	}
	return text, lost
}

func TestWriteRecord(t *testing.T) {
	handicap := sample(t)
	h, _ := rules.Shogi().Handicap("2p")
	handicap.Start, _ = rules.ParsePosition(rules.Shogi(), h.Setup)
	moves, err := notation.ReadMoves(handicap.Start, "G-3b P-7f G-7b", notation.Options{})
	if err != nil {
		t.Fatal(err)
	}
	handicap.Moves, handicap.Note, handicap.End = nil, "", rules.End{}
	for _, m := range moves {
		handicap.Moves = append(handicap.Moves, notation.Ply{Move: m})
	}
	problem := notation.Record{Variant: rules.Shogi(), Start: position(t, "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124")}
	for name, r := range map[string]notation.Record{"sample": sample(t), "handicap": handicap, "diagram": problem} {
		for _, f := range formats {
			text, _ := write(t, f, r)
			file := filepath.Join("testdata", "record", name+"."+f.String())
			if *update {
				if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if text != string(want) {
				t.Errorf("%s: got\n%s\nwant\n%s", file, text, want)
			}
			if got := notation.Detect([]byte(text)); got != f && r.Moves != nil {
				t.Errorf("Detect(%s) = %v", file, got)
			}
		}
	}
}

// CSA 3.0 wants the time control in seconds.
func TestWriteCSA3Time(t *testing.T) {
	for value, want := range map[string]string{"300+10+0": "$TIME:300+10+0\n", "600+0+2.5": "$TIME:600+0+2.5\n", "10 days": ""} {
		r := sample(t)
		r.Tags = []notation.Tag{{Name: notation.TagTime, Value: value}}
		text, lost := write(t, notation.CSA3, r)
		if !strings.Contains(text, want) || strings.Contains(text, "$TIME") != (want != "") || slices.Contains(lost, "the tag "+notation.TagTime) != (want == "") {
			t.Errorf("%q: lost %v in\n%s", value, lost, text)
		}
	}
}

// What a format does not name as lost is read back.
func TestRecordReadBack(t *testing.T) {
	for _, f := range formats {
		t.Run(f.String(), func(t *testing.T) {
			for seed := range uint64(12) {
				r := random(t, rules.Shogi(), seed)
				text, lost := write(t, f, r)
				got, err := notation.ReadRecord(f, nil, []byte(text))
				if err != nil {
					t.Fatalf("seed %d: %v in\n%s", seed, err, text)
				}
				compare(t, r, got, lost, text)
			}
		})
	}
}

// random makes a random record: a start with or without handicap or from the
// middle of a game, moves, remarks, times, an end.
func random(t testing.TB, v *rules.Variant, seed uint64) notation.Record {
	rnd := rand.New(rand.NewPCG(seed, 3))
	r := notation.Record{Variant: v, Start: v.Start(), Tags: []notation.Tag{{notation.TagBlack, "Hana"}, {notation.TagWhite, "Märta 将"}}}
	handicaps := v.Handicaps()
	switch seed % 3 {
	case 1:
		if len(handicaps) == 0 {
			break
		}
		r.Start, _ = rules.ParsePosition(v, handicaps[rnd.IntN(len(handicaps))].Setup)
	case 2:
		walk(t, v, seed, 70, func(p rules.Position, _ rules.Move, _ []rules.Move) { r.Start = p })
	}
	p := r.Start
	for range 80 {
		legal := p.LegalMoves()
		if len(legal) == 0 {
			break
		}
		ply := notation.Ply{Move: legal[rnd.IntN(len(legal))]}
		if seed%2 == 0 {
			ply.Spent = time.Duration(rnd.IntN(1e6)) * time.Second
		}
		if rnd.IntN(9) == 0 {
			ply.Comment = "one\ntwo, three; four"
		}
		p, _ = p.Play(ply.Move)
		r.Moves = append(r.Moves, ply)
	}
	r.End = rules.Judge([]rules.Position{p})
	if r.End == (rules.End{}) {
		winner, loser := rules.Win(p.Turn()), rules.Win(p.Turn().Other())
		r.End = []rules.End{
			{}, {Outcome: loser, Cause: notation.Resigned}, {Outcome: loser, Cause: notation.TimeUp}, {Outcome: rules.Draw, Cause: rules.Repetition},
			{Outcome: winner, Cause: rules.ImpasseWin}, {Outcome: loser, Cause: notation.IllegalMove}, {Outcome: winner, Cause: notation.IllegalMove},
			{Outcome: rules.Draw, Cause: rules.ImpasseDraw}, {Cause: notation.Interrupted}, {Outcome: rules.Draw, Cause: notation.Agreement},
			{Outcome: winner, Cause: notation.Resigned}, {Outcome: loser, Cause: rules.KingCapture},
		}[seed%12]
	}
	return r
}

func compare(t *testing.T, want, got notation.Record, lost []string, text string) {
	t.Helper()
	without := func(what string) bool {
		return slices.ContainsFunc(lost, func(s string) bool { return strings.HasPrefix(s, what) })
	}
	if got.Start != want.Start {
		t.Errorf("start %s, want %s", got.Start, want.Start)
	}
	for i := range want.Moves {
		if without("times") {
			want.Moves[i].Spent = 0
		}
		if without("remarks") {
			want.Moves[i].Comment = ""
		}
	}
	if !reflect.DeepEqual(got.Moves, want.Moves) {
		t.Errorf("moves %v\nwant  %v\nin\n%s", got.Moves, want.Moves, text)
	}
	if !without("remarks") && got.Note != want.Note {
		t.Errorf("note %q, want %q", got.Note, want.Note)
	}
	for _, tag := range want.Tags {
		if !without("tag") && got.Tag(tag.Name) != tag.Value {
			t.Errorf("tag %s %q, want %q in\n%s", tag.Name, got.Tag(tag.Name), tag.Value, text)
		}
	}
	if !without("how") && got.End != want.End {
		t.Errorf("end %v, want %v in\n%s", got.End, want.End, text)
	}
}

func TestRecordShiftJIS(t *testing.T) {
	r := sample(t)
	text, _ := write(t, notation.KIF, r)
	data, replaced := notation.ShiftJIS(text)
	got, err := notation.ReadRecord(notation.KIF, nil, data)
	if err != nil || replaced != 0 {
		t.Fatalf("%d replaced, %v", replaced, err)
	}
	compare(t, r, got, nil, text)
	if _, replaced := notation.ShiftJIS("Žižka"); replaced != 2 {
		t.Errorf("%d characters replaced, want 2", replaced)
	}
}

// A fault is named by its place, and what stands before it is kept.
func TestReadRecordFaults(t *testing.T) {
	tests := []struct {
		name         string
		format       notation.Format
		text         string
		line, column int
		moves        int
	}{
		{"illegal move", notation.KIF, "手合割：平手\n   1 ７六歩(77)\n   2 ７五歩(73)\n", 3, 6, 1},
		{"no move", notation.KIF, "   1 ７六歩(77)\n   2 あいう\n", 2, 6, 1},
		{"prose", notation.KIF, "先手：A\nhello\n", 2, 1, 0},
		{"unknown handicap", notation.KIF, "手合割：百枚落ち\n", 1, 5, 0},
		{"short diagram", notation.KIF, "|v香v桂v銀v金v玉v金v銀v桂v香|一\n   1 ７六歩(77)\n", 2, 4, 0},
		{"second on a line", notation.KI2, "▲７六歩 △３四歩 ▲７六歩\n", 1, 11, 2},
		{"wrong side", notation.CSA, "PI\n+\n+7776FU\n+2726FU\n", 4, 1, 1},
		{"second statement", notation.CSA, "PI\n+\n+7776FU,-3334FX\n", 3, 9, 1},
		{"unknown end", notation.CSA, "PI\n+\n+7776FU\n%NANTEKOTTA\n", 4, 1, 1},
		{"illegal", notation.USILine, "position startpos moves 7g7f 7c7e", 1, 30, 1},
		{"bad start", notation.USILine, "position sfen 9/9 b - moves 7g7f", 1, 15, 0},
		{"no move", notation.HodgesText, "[Sente \"A\"]\n\n1. P-7f P-3d\n2. hello", 4, 4, 2},
		{"open remark", notation.HodgesText, "1. P-7f {what", 1, 9, 1},
		{"illegal step", notation.JKF, "{\"header\":{},\"moves\":[{},\n{\"move\":{\"from\":{\"x\":7,\"y\":7},\"to\":{\"x\":7,\"y\":5},\"piece\":\"FU\"}}]}", 2, 1, 0},
		{"no JSON", notation.JKF, "hello", 1, 2, 0},
	}
	for _, tt := range tests {
		t.Run(tt.format.String()+" "+tt.name, func(t *testing.T) {
			r, err := notation.ReadRecord(tt.format, nil, []byte(tt.text))
			var fault *notation.RecordError
			if !errors.As(err, &fault) {
				t.Fatalf("ReadRecord: %v; want a fault", err)
			}
			if fault.Line != tt.line || fault.Column != tt.column || len(r.Moves) != tt.moves {
				t.Errorf("%v after %d moves; want line %d, column %d after %d", err, len(r.Moves), tt.line, tt.column, tt.moves)
			}
		})
	}
}

// usiMoves returns the moves of a record, parted by spaces.
func usiMoves(r notation.Record) string {
	var moves []string
	for _, ply := range r.Moves {
		moves = append(moves, notation.USI(r.Variant, ply.Move))
	}
	return strings.Join(moves, " ")
}

// Files as other people and programs write them.
func TestReadRecordSeen(t *testing.T) {
	tests := []struct {
		name   string
		format notation.Format
		text   string
		moves  string // USI
		end    rules.End
	}{
		{"KIF with half-width colons, tabs, variations", notation.KIF,
			"# comment\r\n開始日時:2026/11/30\r\n先手:A\r\n後手:B\r\n手数----指手---------消費時間--\r\n&bookmark\r\n\t1 ７六歩(77) ( 0:01/00:00:01)+\r\n   2 ３四歩(33)\r\n   3 ２二角成(88)\r\n   4 同　銀(31)\r\n   5 投了\r\n\r\n変化：2手\r\n   2 ８四歩(83)\r\n",
			"7g7f 3c3d 8h2b+ 3a2b", rules.End{Outcome: rules.WhiteWins, Cause: notation.Resigned}},
		{"KIF that ends with a sum only", notation.KIF, "   1 ７六歩(77)\nまで1手で先手の勝ち\n", "7g7f", rules.End{Outcome: rules.BlackWins}},
		{"KI2 of a book", notation.KI2, "先手：A\n後手：B\n\n☗７六歩☖３四歩\n*remark\n☗２二角成 ☖同　銀\nまで4手で後手の勝ち\n", "7g7f 3c3d 8h2b+ 3a2b",
			rules.End{Outcome: rules.WhiteWins, Cause: notation.Resigned}},
		{"KI2 by time", notation.KI2, "▲７六歩\nまで1手で時間切れにより先手の勝ち\n", "7g7f", rules.End{Outcome: rules.BlackWins, Cause: notation.TimeUp}},
		{"CSA by commas, with times", notation.CSA, "V2.2\nN+A\nN-B\n$EVENT:x\nPI\n+\n+7776FU,T12,-3334FU,T3\n'*remark\n%TORYO\n/\nN+C\n", "7g7f 3c3d",
			rules.End{Outcome: rules.WhiteWins, Cause: notation.Resigned}},
		{"CSA 3.0", notation.CSA, "'CSA encoding=UTF-8\nV3.0\n$TIME:300+0+0\n+\n+7776FU\nT1.5\n%SENNICHITE\n", "7g7f", rules.End{Outcome: rules.Draw, Cause: rules.Repetition}},
		{"CSA handicap", notation.CSA, "PI82HI22KA\n-\n-4132KI\n+7776FU\n%-ILLEGAL_ACTION\n", "4a3b 7g7f", rules.End{Outcome: rules.BlackWins, Cause: notation.IllegalMove}},
		{"CSA problem", notation.CSA, "P-51OU\nP+53FU00KI\nP-00AL\n+\n+0052KI\n%TSUMI\n", "G*5b", rules.End{Outcome: rules.BlackWins, Cause: rules.Checkmate}},
		{"moves alone", notation.USILine, "7g7f 3c3d\n", "7g7f 3c3d", rules.End{}},
		{"startpos", notation.USILine, "startpos moves 7g7f resign", "7g7f", rules.End{Outcome: rules.BlackWins, Cause: notation.Resigned}},
		{"SHOGI-L", notation.HodgesText, "1 P7f  P3d\n2 Bx2b+ Sx2b   (0:12)\n28:59.\n3 B'5e {good} (3 P2f P8d) G6a5b\nResigns\n", "7g7f 3c3d 8h2b+ 3a2b B*5e 6a5b",
			rules.End{Outcome: rules.WhiteWins, Cause: notation.Resigned}},
		{"PSN", notation.HodgesText, "[Sente \"A\"]\n[Gote \"B\"]\n[Handicap \"2p\"]\n[Result \"0-1\"]\n\n1.... G4a-3b 2.P7g-7f ;remark\nG6a-7b 0-1\n", "4a3b 7g7f 6a7b",
			rules.End{Outcome: rules.WhiteWins}},
		{"JKF", notation.JKF, `{"header":{"先手":"A"},"moves":[{"comments":["hi"]},{"move":{"from":{"x":7,"y":7},"to":{"x":7,"y":6},"color":0,"piece":"FU"},"time":{"now":{"m":0,"s":5}}},{"move":{"from":{"x":3,"y":3},"to":{"x":3,"y":4},"piece":"FU"},"forks":[[{}]]},{"special":"CHUDAN"}]}`,
			"7g7f 3c3d", rules.End{Cause: notation.Interrupted}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, err := notation.ReadRecord(tt.format, nil, []byte(tt.text))
			if got := usiMoves(r); err != nil || got != tt.moves || r.End != tt.end {
				t.Errorf("ReadRecord = %s, %v, %v; want %s, %v", got, r.End, err, tt.moves, tt.end)
			}
		})
	}
}

// TestRecordSkipped: variations are left out, each with a note of its place, and
// the game is read whole.
func TestRecordSkipped(t *testing.T) {
	tests := []struct {
		name   string
		format notation.Format
		text   string
		moves  string // USI
		want   []notation.Variation
	}{
		{"none", notation.KIF, "   1 ７六歩(77)\n", "7g7f", nil},
		{"KIF", notation.KIF, "先手：A\n   1 ７六歩(77)\n   2 ３四歩(33)\n\n変化：2手\n   2 ８四歩(83)\n*remark\n\n変化：1手\n   1 nonsense\n", "7g7f 3c3d",
			[]notation.Variation{{Line: 5, Ply: 2}, {Line: 9, Ply: 2}}},
		{"KI2", notation.KI2, "▲７六歩△３四歩\nまで2手で中断\n\n変化：2手\n△８四歩\n", "7g7f 3c3d", []notation.Variation{{Line: 4, Ply: 2}}},
		{"PSN", notation.HodgesText, "1.P7g-7f (1.P2g-2f {:-)}\n P8c-8d (1...P3c-3d)) P3c-3d (0:12/0:12)\n(2.R2h-7h) 2.P2g-2f (9)\n", "7g7f 3c3d 2g2f",
			[]notation.Variation{{Line: 1, Ply: 1}, {Line: 3, Ply: 2}}},
		{"JKF", notation.JKF, "{\"moves\":[{},\n{\"move\":{\"from\":{\"x\":7,\"y\":7},\"to\":{\"x\":7,\"y\":6},\"piece\":\"FU\"},\n\"forks\":[[{}],[{}]]}]}", "7g7f",
			[]notation.Variation{{Line: 2, Ply: 1}, {Line: 2, Ply: 1}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, err := notation.ReadRecord(tt.format, nil, []byte(tt.text))
			if got := usiMoves(r); err != nil || got != tt.moves || !reflect.DeepEqual(r.Skipped, tt.want) {
				t.Errorf("ReadRecord = %s, skipped %v, %v; want %s, %v", got, r.Skipped, err, tt.moves, tt.want)
			}
		})
	}
}

// Games of every variant are read back from every format that can hold them;
// those that cannot are named.
func TestRecordVariants(t *testing.T) {
	for _, v := range rules.Variants() {
		t.Run(v.Name, func(t *testing.T) {
			t.Parallel()
			var refused []string
			for _, f := range formats {
				for seed := range uint64(12) {
					r := random(t, v, seed)
					text, lost, err := notation.WriteRecord(f, r)
					var unsupported *notation.UnsupportedError
					if errors.As(err, &unsupported) {
						refused = append(refused, f.String())
						break
					}
					if err != nil {
						t.Fatalf("WriteRecord(%v): %v", f, err)
					}
					named := v
					if !slices.Contains(lost, "the name of the variant") {
						named = nil
					}
					got, err := notation.ReadRecord(f, named, []byte(text))
					if err != nil || got.Variant != v {
						t.Fatalf("%v, seed %d: %v of %v in\n%s", f, seed, err, got.Variant, text)
					}
					compare(t, r, got, lost, text)
				}
			}
			want := "csa jkf csa3"
			switch {
			case v == rules.Shogi():
				want = ""
			case v.Files > 9:
				want = "kif ki2 csa jkf csa3"
			}
			if got := strings.Join(refused, " "); got != want {
				t.Errorf("not in %s; want %s", got, want)
			}
		})
	}
}

func FuzzReadRecord(f *testing.F) {
	r := sample(f)
	for i, format := range formats {
		text, _ := write(f, format, r)
		f.Add(uint8(i), []byte(text))
	}
	f.Fuzz(func(t *testing.T, n uint8, data []byte) {
		format := formats[int(n)%len(formats)]
		got, err := notation.ReadRecord(format, nil, data)
		notation.Detect(data)
		var fault *notation.RecordError
		var unsupported *notation.UnsupportedError
		if err != nil && !errors.As(err, &fault) && !errors.As(err, &unsupported) {
			t.Fatalf("unknown error %v", err)
		}
		if fault != nil && (fault.Line < 1 || fault.Column < 1) {
			t.Fatalf("%v: no place", err)
		}
		if unsupported != nil {
			return
		}
		for _, to := range formats {
			text, _, err := notation.WriteRecord(to, got)
			if errors.As(err, &unsupported) {
				continue
			}
			if err != nil {
				t.Fatalf("what was read from %v cannot be written as %v: %v", format, to, err)
			}
			again, err := notation.ReadRecord(to, got.Variant, []byte(text))
			if err != nil || len(again.Moves) != len(got.Moves) {
				t.Fatalf("%v does not read back: %v in\n%s", to, err, text)
			}
		}
	})
}
