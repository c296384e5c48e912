package service_test

import (
	"strings"
	"testing"

	"pbem/mailer"
	"pbem/rules"
	"pbem/service"
)

// TestReadCommands: what a line says, in the languages of our players, and what
// is prose though it begins with such a word.
func TestReadCommands(t *testing.T) {
	t.Parallel()
	tests := []struct{ line, want string }{
		{"resign", "resign"}, {"RESIGN!", "resign"}, {"I resign.", "resign"}, {"Abandono", "resign"}, {"¡Me rindo!", "resign"},
		{"mi arrendo", "resign"}, {"Abbandono.", "resign"}, {"投了します。", "resign"}, {"参りました", "resign"},
		{"resign #17", "resign #17"}, {"Resign?", ""}, {"resign or not?", ""}, {"I won't resign", ""}, {"Resign yourself to it.", ""},
		{"draw", "draw"}, {"Draw?", "draw"}, {"Draw? No way.", ""}, {"tablas", "draw"}, {"Propongo patta", "draw"}, {"引き分け", "draw"},
		{"help", "help"}, {"?", "help"}, {"ayuda hándicap", "help hándicap"}, {"aiuto", "help"}, {"ヘルプ", "help"}, {"Help me, I am lost", ""},
		{"challenge marco", "challenge marco"}, {"reto aiko", "challenge aiko"}, {"Reto a aiko", "challenge aiko"}, {"sfida lucia", "challenge lucia"}, {"挑戦　lucia", "challenge lucia"},
		{"acepto", "accept"}, {"accetto la sfida", "accept"}, {"承諾します", "accept"}, {"rechazo", "decline"}, {"rifiuto", "decline"}, {"辞退します", "decline"},
		{"mis partidas", "games"}, {"partite", "games"}, {"対局一覧", "games"}, {"Games are fun", ""},
		{"deshacer", "undo"}, {"annulla", "undo"}, {"待った", "undo"}, {"annulla se", "cancel if"}, {"cancel if", "cancel if"}, {"cancelar si", "cancel if"},
		{"if P-8d then P-2e", "if P-8d then P-2e"}, {"si P-8d entonces P-2e", "if P-8d entonces P-2e"}, {"もし ８四歩", "if ８四歩"},
		{"if you like", ""}, {"Si quieres, seguimos", ""}, {"se vuoi", ""},
		{"record kif", "record kif"}, {"棋譜kif", "record kif"}, {"Record heat here today", ""},
		{"vacation 10 days", "vacation 10 days"}, {"vacaciones 10 días", "vacation 10 días"}, {"休暇10日", "vacation 10日"}, {"Vacation starts soon, at last", ""},
		{"set reminders off", "set reminders off"}, {"ajustar idioma español", "set idioma español"}, {"Set your clock well", ""},
		{"watch #17", "watch #17"}, {"Watch out", ""}, {"clasificación", "ladder"}, {"順位表", "ladder"}, {"historial marco", "history marco"},
		{"invite anna@example.org", "invite anna@example.org"}, {"Invite her too", ""}, {"退会", "leave"},
		{"unirme", "join"}, {"参加します", "join"}, {"- resign", "resign"}, {"\u200bresign\u00a0", "resign"}, {"ｒｅｓｉｇｎ", "resign"},
	}
	view := service.NewView(rules.Shogi().Start(), 1)
	for _, tt := range tests {
		m := mailer.Message{From: mailer.Address{Addr: "helen@example.org"}, Lines: []string{tt.line}}
		if got := strings.Join(service.Read(m, view).Commands, "; "); got != tt.want {
			t.Errorf("%q: %q, want %q", tt.line, got, tt.want)
		}
	}
}

// TestReadSilence: what must not count does not, whatever the lines say.
func TestReadSilence(t *testing.T) {
	t.Parallel()
	good := mailer.Message{From: mailer.Address{Addr: "helen@example.org"}, Lines: []string{"P-7f", "resign"}}
	view := service.NewView(rules.Shogi().Start(), 1)
	if r := service.Read(good, view); r.Move != "P-7f" || len(r.Commands) != 1 {
		t.Errorf("Read = %+v", r)
	}
	for name, change := range map[string]func(*mailer.Message){
		"auto-reply": func(m *mailer.Message) { m.Kind = mailer.AutoReply },
		"bounce":     func(m *mailer.Message) { m.Kind = mailer.Bounce },
		"list":       func(m *mailer.Message) { m.Kind = mailer.List },
		"own":        func(m *mailer.Message) { m.Kind = mailer.Own },
		"no author":  func(m *mailer.Message) { m.From = mailer.Address{} },
		"forged": func(m *mailer.Message) {
			m.Auth = []mailer.AuthResult{{Host: "mx", DMARC: "fail", From: "example.org"}}
		},
	} {
		m := good
		change(&m)
		if r := service.Read(m, view); r.Move != "" || r.Commands != nil || r.Note != "" {
			t.Errorf("%s: Read = %+v", name, r)
		}
	}
	if r := service.Read(good, service.View{}); r.Move != "" || r.Commands != nil {
		t.Errorf("no game: Read = %+v", r)
	}
}

// TestReadSubject: the subject counts if the body says nothing, and against a
// body that says another move.
func TestReadSubject(t *testing.T) {
	t.Parallel()
	tests := []struct {
		subject    string
		body       string
		move, note string
	}{
		{"P-7f", "", "P-7f", ""},
		{"P-7f", "Good luck!", "P-7f", "Good luck!"},
		{"Re: P-7f", "", "P-7f", ""},
		{"P-7f", "p-7f\nhello", "P-7f", "hello"},
		{"P-7f", "P-2f", "", ""},
		{"#17 P-7f", "", "P-7f", ""},
		{"Re: [Shogi #17] marco played P-7f, your move", "", "", ""},
		{"[Shogi #17] P-7f", "", "", ""},
		{"hello", "P-7f", "P-7f", ""},
		{"resign", "P-7f", "P-7f", ""},
	}
	view := service.NewView(rules.Shogi().Start(), 1)
	for _, tt := range tests {
		m := mailer.Message{From: mailer.Address{Addr: "helen@example.org"}, Subject: tt.subject}
		if tt.body != "" {
			m.Lines = strings.Split(tt.body, "\n")
		}
		if r := service.Read(m, view); r.Move != tt.move || r.Note != tt.note || r.Commands != nil {
			t.Errorf("%q over %q: %+v; want %q, %q", tt.subject, tt.body, r, tt.move, tt.note)
		}
	}
}

// FuzzRead checks that any lines are read without a panic, and that a move that
// is read is one line of them, or the subject.
func FuzzRead(f *testing.F) {
	f.Add("P-7f\nGood luck", "Re: [Shogi #17]")
	f.Add("1. P-7f P-8d 2. P-2f", "P-7f")
	f.Add("#3 resign\n?\nsay:x\n投了76", "#9 ")
	f.Add(strings.Repeat("P-7f\nP-2f\n", 300), "x")
	view := service.NewView(rules.Shogi().Start(), 1)
	f.Fuzz(func(t *testing.T, text, subject string) {
		m := mailer.Message{From: mailer.Address{Addr: "helen@example.org"}, Subject: subject, Lines: strings.Split(text, "\n")}
		r := service.Read(m, view)
		if r.Move != "" && r.Problem != nil {
			t.Errorf("Read = %+v", r)
		}
	})
}

// BenchmarkRead reads as many lines as a mail may have, all of them moves.
func BenchmarkRead(b *testing.B) {
	m := mailer.Message{From: mailer.Address{Addr: "helen@example.org"}, Lines: strings.Split(strings.Repeat("P-7f\nP-2f x\nresign\nhello there\n", 250), "\n")}
	view := service.NewView(rules.Shogi().Start(), 1)
	for b.Loop() {
		service.Read(m, view)
	}
}

// TestReadSame: a capture that names no square is a move too, where there is
// something to take back.
func TestReadSame(t *testing.T) {
	t.Parallel()
	p, err := rules.ParsePosition(rules.Shogi(), "lnsgkgsnl/1r5+B1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL w B")
	if err != nil {
		t.Fatal(err)
	}
	view := service.NewView(p, 4)
	view.Options.Previous = rules.NewSquare(2, 2)
	for text, want := range map[string]string{"Sx": "Sx2b", "xR": "Rx2b", "same S": "Sx2b", "同銀": "Sx2b", "same": "", "Same to you!": "", "Sx is fine": ""} {
		m := mailer.Message{From: mailer.Address{Addr: "helen@example.org"}, Lines: []string{text}}
		r := service.Read(m, view)
		if asks := text == "same"; r.Move != want || (r.Problem != nil) != asks {
			t.Errorf("%q: %q, %v; want %q", text, r.Move, r.Problem, want)
		}
	}
}
