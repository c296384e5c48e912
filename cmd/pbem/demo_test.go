package main

import (
	"context"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"pbem/mailer/imapbox"
)

// The demo's own game, to mate, and its figures: 106 moves are 106 mails to move, as many
// receipts less one for the last, and what comes before the first.
func TestDemo(t *testing.T) {
	t.Parallel()
	got := pbem(within(t), "", "demo")
	if got.code != done || got.stderr != "" {
		t.Fatalf("exit code %d\n%s%s", got.code, got.stdout, got.stderr)
	}
	lines := strings.Split(strings.TrimSuffix(got.stdout, "\n"), "\n")
	last := lines[len(lines)-1]
	if !regexp.MustCompile(`^332 mails \(112 written by the players, 220 received\), 106 moves, [0-9]+\.[0-9] seconds$`).MatchString(last) {
		t.Errorf("last line: %s", last)
	}
	for text, want := range map[string]int{
		"marco wins by checkmate": 4, // two subjects, twice in the mail that is shown
		"hana challenges you":     2, // a subject, and once in the mail
		"Your move?":              1,
		"moves played,":           5,
	} {
		if n := strings.Count(got.stdout, text); n != want {
			t.Errorf("%q is there %d times, want %d", text, n, want)
		}
	}
}

func TestDemoMoves(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"game.kif": "手合割：平手\n先手：hana\n後手：marco\n手数----指手---------消費時間--\n" +
			"   1 ７六歩(77)   ( 0:01/00:00:01)\n   2 ３四歩(33)   ( 0:01/00:00:01)\n   3 ２二角成(88) ( 0:01/00:00:02)\n   4 投了         ( 0:01/00:00:02)\n",
		"game.txt": "1. P-7f P-3d\n(1... P-8d)\n2. Bx2b+\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), name)
			write(t, path, text)
			got := pbem(within(t), "", "demo", "--moves", path)
			skipped := ""
			if name == "game.txt" {
				skipped = "pbem: " + path + ": line 2: a variation after ply 2 is not played\n"
			}
			if got.code != done || got.stderr != skipped {
				t.Fatalf("exit code %d\n%s%s", got.code, got.stdout, got.stderr)
			}
			for _, want := range []string{"hana wins by resignation", ", 3 moves, "} {
				if !strings.Contains(got.stdout, want) {
					t.Errorf("no %q in\n%s", want, got.stdout)
				}
			}
		})
	}
}

func TestDemoMisuse(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	bad := filepath.Join(dir, "bad.txt")
	write(t, bad, "1. P-7f P-7f\n")
	for _, tt := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"--keep", "--moves", bad}, misuse, "do not go together"},
		{[]string{"--both"}, misuse, "--both goes with --keep"},
		{[]string{"--moves", filepath.Join(dir, "none.kif")}, failed, "none.kif: no such file"},
		{[]string{"--moves", bad}, failed, "bad.txt: read game: "},
	} {
		got := pbem(within(t), "", append([]string{"demo"}, tt.args...)...)
		if got.code != tt.code || !strings.Contains(got.stderr, tt.want) || got.stdout != "" {
			t.Errorf("demo %q: exit code %d, want %d\n%s%s", tt.args, got.code, tt.code, got.stdout, got.stderr)
		}
	}
}

// A person takes hana's side with the account that is printed, plays some moves, and resigns.
func TestDemoKeep(t *testing.T) {
	t.Parallel()
	ctx := within(t)
	running, stop := context.WithCancel(ctx)
	var stdout, stderr syncBuffer
	ended := make(chan int, 1)
	go func() { ended <- run(running, []string{"demo", "--keep"}, strings.NewReader(""), &stdout, &stderr) }()

	account := regexp.MustCompile(`(?m)^  address and user (\S+)   password (\S+)   IMAP (\S+)   SMTP (\S+)$`)
	var found []string
	for found == nil {
		if found = account.FindStringSubmatch(stdout.String()); found == nil {
			pause(t, ctx)
		}
	}
	user, password, imapAddr, smtpAddr := found[1], found[2], found[3], found[4]
	mails := make(chan letterIn)
	reading, stopReading := context.WithCancel(ctx)
	read := make(chan error, 1)
	go func() {
		read <- imapbox.Watch(reading, imapbox.Config{Addr: imapAddr, Security: imapbox.SecurityNone, User: user, Password: password,
			Flag: `\Seen`}, &reader{player: user, mails: mails})
	}()
	moves := []string{"P-7f", "P-2f", "moves", "P-6f", "resign"}
	for over := false; !over; {
		select {
		case l := <-mails:
			over = l.over()
			asked := l.asks() || strings.Contains(l.text, "To move, reply with")
			if over || !asked || len(moves) == 0 {
				continue
			}
			raw, to, err := l.reply(moves[0])
			if err != nil {
				t.Fatal(err)
			}
			moves = moves[1:]
			if err := sendWith(ctx, smtpAddr, password, user, to, raw); err != nil {
				t.Fatal(err)
			}
		case <-ctx.Done():
			t.Fatalf("the game has not come to its end:\n%s%s", stdout.String(), stderr.String())
		}
	}
	for !strings.Contains(stdout.String(), "The servers stay up") {
		pause(t, ctx)
	}
	stopReading()
	<-read
	stop()
	if code := <-ended; code != done || stderr.String() != "" || len(moves) > 0 {
		t.Errorf("exit code %d, moves left %q; stderr %q", code, moves, stderr.String())
	}
	for _, want := range []string{"marco wins by resignation", "Black in hand", ", 6 moves, "} {
		if !strings.Contains(stdout.String(), want) {
			t.Errorf("no %q in\n%s", want, stdout.String())
		}
	}
}

// pause lets others run for a moment.
func pause(t *testing.T, ctx context.Context) {
	t.Helper()
	select {
	case <-time.After(time.Millisecond):
	case <-ctx.Done():
		t.Fatal(ctx.Err())
	}
}
