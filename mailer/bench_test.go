package mailer_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"pbem/mailer"
)

// typicalReply is a reply of about 20 kB: a short text above three boards
// quoted within each other, as plain text and as HTML.
func typicalReply() []byte {
	board := "Game #17: helen (Black) against marco (White)\nmarco played move 2: P-3d\n\n    9  8  7  6  5  4  3  2  1\n" +
		strings.Repeat("a |  l  n  s  g  k  g  s  n  l |\n", 9) + "Your move? Reply with a move such as P-7f.\n"
	var text, html strings.Builder
	text.WriteString("P-2f\n\nGood luck, and thanks for the fine game last week.\nHelen\n\n")
	html.WriteString("<div dir=3D\"ltr\">P-2f<div><br></div><div>Good luck, and thanks for the fine game last week.</div><div>Helen</div></div><br>\n")
	for depth := 1; depth <= 14; depth++ {
		mark := strings.Repeat(">", depth-1)
		fmt.Fprintf(&text, "%sOn Tue, Nov 11, 2025 at 9:41=E2=80=AFAM Shogi <shogi@shogi.example.org> wro=\nte:\n", mark)
		for line := range strings.Lines(board) {
			text.WriteString(mark + "> " + line)
		}
		fmt.Fprintf(&html, "<div class=3D\"gmail_quote\"><div class=3D\"gmail_attr\">On Tue, Nov 11, 2025 at 9:41 AM Shogi &lt;shogi@shogi.example.org&gt; wrote:</div><blockquote class=3D\"gmail_quote\" style=3D\"margin:0\"><pre>%s</pre>\n", board)
	}
	return []byte(crlf("Authentication-Results: mx.shogi.example.org; dkim=pass header.d=example.org; dmarc=pass header.from=example.org\n" +
		"From: Helen Marsh <helen.marsh@example.org>\nTo: Shogi <shogi+g17-2-k7f3q9zt2m@shogi.example.org>\n" +
		"Subject: Re: [Shogi #17] marco played P-3d, your move\nDate: Tue, 11 Nov 2025 12:19:58 +0000\n" +
		"Message-ID: <CA931a8EH501EE7EhGhFFH06Ab0c848a@mail.example.com>\nIn-Reply-To: <g17-2-k7f3q9zt2m@shogi.example.org>\n" +
		"References: <g17-2-k7f3q9zt2m@shogi.example.org>\nMIME-Version: 1.0\nContent-Type: multipart/alternative; boundary=\"b1\"\n\n" +
		"--b1\nContent-Type: text/plain; charset=\"UTF-8\"\nContent-Transfer-Encoding: quoted-printable\n\n" + text.String() +
		"--b1\nContent-Type: text/html; charset=\"UTF-8\"\nContent-Transfer-Encoding: quoted-printable\n\n" + html.String() + "--b1--\n"))
}

// BenchmarkParse reads a typical reply; it reports messages a second.
func BenchmarkParse(b *testing.B) {
	raw := typicalReply()
	b.SetBytes(int64(len(raw)))
	b.ReportAllocs()
	for b.Loop() {
		m, err := mailer.Parse(raw, mailer.ParseOptions{})
		if err != nil || len(m.Lines) != 3 {
			b.Fatalf("%q, %v", m.Lines, err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "messages/s")
}

// BenchmarkParseLarge reads messages that cost the most.
func BenchmarkParseLarge(b *testing.B) {
	for name, raw := range map[string][]byte{
		"30MB": attachment(30 << 20), "nested": nested(2000), "header": manyFields(10_000), "line": longLine(1 << 20), "lines": manyLines(),
		"dashes": dashes(30 << 20), "tags": manyTags(),
		"taglines": repeated("Sent from my iPhone\r\n"), "rules": repeated("=====\r\n\r\n"), "signatures": repeated("-- \r\n> q\r\n"),
		"headers": repeated("From: a@b.example\r\nTo: x\r\n> q\r\n"), "attributions": repeated("On 1 May 10:41 a@b.example\r\n"), "names": repeated("AB> x\r\nCD> y\r\n"),
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(raw)))
			for b.Loop() {
				if _, err := mailer.Parse(raw, mailer.ParseOptions{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

const head = "From: Helen <helen@example.org>\r\nTo: shogi+g17-2-k7f3q9zt2m@shogi.example.org\r\nSubject: Re: [Shogi #17] your move\r\n"

// attachment is a message whose picture, of n bytes, comes before its text.
func attachment(n int) []byte {
	line := strings.Repeat("iVBORw0KGgoAAAANSUhE", 4)[:76] + "\r\n"
	var b bytes.Buffer
	b.WriteString(head + "Content-Type: multipart/mixed; boundary=xx\r\n\r\n--xx\r\nContent-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n\r\n")
	for b.Len() < n {
		b.WriteString(line)
	}
	b.WriteString("--xx\r\nContent-Type: text/plain\r\n\r\nP-2f\r\n--xx--\r\n")
	return b.Bytes()
}

// nested is a message of parts within parts, its text in the innermost.
func nested(depth int) []byte {
	var b bytes.Buffer
	b.WriteString(head)
	for i := range depth {
		fmt.Fprintf(&b, "Content-Type: multipart/mixed; boundary=\"n%d\"\r\n\r\n--n%d\r\n", i, i)
	}
	b.WriteString("Content-Type: text/plain\r\n\r\nP-2f\r\n")
	for i := depth - 1; i >= 0; i-- {
		fmt.Fprintf(&b, "--n%d--\r\n", i)
	}
	return b.Bytes()
}

// manyFields is a message with n more fields in its header.
func manyFields(n int) []byte {
	var b bytes.Buffer
	b.WriteString(head)
	for i := range n {
		fmt.Fprintf(&b, "X-N%d: %d\r\n", i, i)
	}
	b.WriteString("\r\nP-2f\r\n")
	return b.Bytes()
}

// longLine is a message with a line of n bytes below its move.
func longLine(n int) []byte {
	return []byte(head + "\r\nP-2f\r\n" + strings.Repeat("ha", n/2) + "\r\n")
}

// manyLines is a message of as many lines as the text may have, all alike and
// each the name of the sender, who might sign with it.
func manyLines() []byte {
	return []byte("From: A <a@example.org>\r\nSubject: x\r\n\r\n" + strings.Repeat("A\r\n", 256<<10/3))
}

// repeated is a message of one piece of text, as often as the text may hold it.
func repeated(piece string) []byte {
	return []byte(head + "\r\n" + strings.Repeat(piece, 256<<10/len(piece)))
}

// dashes is a message of one part that is all boundary and yet none.
func dashes(n int) []byte {
	return []byte(head + "Content-Type: multipart/mixed; boundary=\"-\"\r\n\r\nx" + strings.Repeat("-", n))
}

// manyTags is an HTML message of elements that are never closed.
func manyTags() []byte {
	return []byte(head + "Content-Type: text/html\r\n\r\nP-2f" + strings.Repeat("<div><b><p>a</i>", 256<<10/16))
}
