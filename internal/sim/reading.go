package sim

import (
	"bytes"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"regexp"
	"strconv"
	"strings"

	"pbem/rules"
)

// reading is what a person takes from a mail of the service by looking at it.
type reading struct {
	id      string // Message-ID
	replyTo string
	subject string
	text    string // the plain text

	game     int // 0: about none
	ply      int
	yours    bool           // it is the reader's turn
	over     bool           // the game has ended
	opponent string         // of the game, or whoever challenges
	position rules.Position // as drawn; zero if nothing is
	drawn    drawing
}

var (
	playersLine = regexp.MustCompile(`Game #(\d+), .*\. Black: (\S+), White: (\S+)\.$`)
	challenger  = regexp.MustCompile(`^\[Shogi\] (\S+) challenges you`)
	flagFell    = regexp.MustCompile(`time is over$`)
	confirms    = regexp.MustCompile(`Please confirm`)
)

// readMail reads a mail as name does. A mail that cannot be read is an error:
// the service wrote it.
func readMail(data []byte, name string) (reading, error) {
	var r reading
	m, err := mail.ReadMessage(bytes.NewReader(data))
	if err != nil {
		return r, err
	}
	r.id = strings.Trim(m.Header.Get("Message-Id"), "<>")
	r.replyTo = strings.Trim(m.Header.Get("Reply-To"), "<>")
	if r.subject, err = new(mime.WordDecoder).DecodeHeader(m.Header.Get("Subject")); err != nil {
		return r, err
	}
	if r.text, err = plainText(m); err != nil {
		return r, err
	}
	if c := challenger.FindStringSubmatch(r.subject); c != nil {
		r.opponent = c[1]
	}
	_, num, ply, _ := cutToken(r.id)
	if gameOf(r.id) != 0 {
		r.game, r.ply = num, ply
	}
	flat := strings.Join(strings.Fields(r.text), " ")
	g := playersLine.FindStringSubmatch(flat)
	if r.game == 0 || g == nil {
		return r, nil
	}
	r.yours = strings.Contains(flat, "Your move? Reply with")
	r.over = strings.Contains(flat, "The game is over: ")
	black, white := g[2], g[3]
	turn := rules.Black
	switch {
	case r.yours == (name == white):
		turn = rules.White
	}
	if r.opponent = white; name == white {
		r.opponent = black
	}
	if r.drawn, err = findDrawing(r.text); err != nil {
		return r, err
	}
	r.position, err = r.drawn.position(turn)
	return r, err
}

// plainText returns the first part that is plain text.
func plainText(m *mail.Message) (string, error) {
	kind, params, err := mime.ParseMediaType(m.Header.Get("Content-Type"))
	if err != nil {
		return "", err
	}
	body := m.Body
	encoding := m.Header.Get("Content-Transfer-Encoding")
	if strings.HasPrefix(kind, "multipart/") {
		p, err := multipart.NewReader(m.Body, params["boundary"]).NextRawPart()
		if err != nil {
			return "", err
		}
		body, encoding = p, p.Header.Get("Content-Transfer-Encoding")
	}
	if strings.EqualFold(encoding, "quoted-printable") {
		body = quotedprintable.NewReader(body)
	}
	text, err := io.ReadAll(body)
	return strings.ReplaceAll(string(text), "\r\n", "\n"), err
}

// cutToken takes a token apart, or what begins with one: "g17-2-mac.rest".
func cutToken(s string) (kind byte, num, ply int, ok bool) {
	parts := strings.SplitN(s, "-", 3)
	if len(parts) != 3 || len(parts[0]) < 2 {
		return 0, 0, 0, false
	}
	num, err1 := strconv.Atoi(parts[0][1:])
	ply, err2 := strconv.Atoi(parts[1])
	return parts[0][0], num, ply, err1 == nil && err2 == nil
}

// tokenForm is a token of the service, wherever it stands.
var tokenForm = regexp.MustCompile(`[gcph][0-9]+-[0-9]+-[0-9a-z]{20}`)

// aboutOf returns what a Message-ID or token is about: "g17-2".
func aboutOf(s string) string {
	parts := strings.SplitN(s, "-", 3)
	if len(parts) != 3 {
		return s
	}
	return parts[0] + "-" + parts[1]
}
