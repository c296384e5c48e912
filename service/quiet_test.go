package service_test

import (
	"strings"
	"testing"
)

// TestNeverAnswered: no mail that RFC 3834, or practice before it, keeps from
// being answered gets an answer or moves a piece, though a player's token is
// in it; what only looks like one does.
func TestNeverAnswered(t *testing.T) {
	t.Parallel()
	const from, to = "From: hana@example.org\n", "To: @reply(hana)\n"
	tests := []struct {
		name, header string
		answered     bool
	}{
		{"a person", from + to, true},
		// RFC 3834, section 2: "automatic responses SHOULD NOT be issued in
		// response to any message which contains an Auto-Submitted header field,
		// where that field has any value other than no".
		{"auto-replied", from + to + "Auto-Submitted: auto-replied\n", false},
		{"auto-generated", from + to + "Auto-Submitted: auto-generated\n", false},
		{"auto-notified", from + to + "Auto-Submitted: auto-notified; owner-email=\"a@b.example\"\n", false},
		{"a value of one's own", from + to + "Auto-Submitted: x-robot (of mine)\n", false},
		{"capitals", from + to + "AUTO-SUBMITTED: Auto-Replied\n", false},
		{"no", from + to + "Auto-Submitted: no\n", true},
		{"no, with a comment", from + to + "Auto-Submitted: NO (a person)\n", true},
		// The null return path, and addresses that are known not to read answers.
		{"null return path", "Return-Path: <>\n" + from + to, false},
		{"null return path with blanks", "Return-Path: < >\n" + from + to, false},
		{"another return path", "Return-Path: <hana@example.org>\n" + from + to, true},
		{"mailer-daemon", "From: MAILER-DAEMON@example.org\n" + to, false},
		{"postmaster", "From: postmaster@example.org\n" + to, false},
		{"noreply", "From: no-reply@example.org\n" + to, false},
		// Mailing lists, and programs of before RFC 3834.
		{"List-Id", from + to + "List-Id: <club.example.org>\n", false},
		{"List-Unsubscribe", from + to + "List-Unsubscribe: <mailto:leave@example.org>\n", false},
		{"List-Post", from + to + "List-Post: <mailto:club@example.org>\n", false},
		{"Precedence list", from + to + "Precedence: list\n", false},
		{"Precedence bulk", from + to + "Precedence: bulk\n", false},
		{"Precedence junk", from + to + "Precedence: junk\n", false},
		{"Precedence of something else", from + to + "Precedence: first-class\n", true},
		// Where several authors are named, none of them is the one to answer.
		{"two authors", "From: hana@example.org, marco@example.org\n" + to, false},
		{"two From fields", from + "From: marco@example.org\n" + to, false},
		{"no author", to, false},
		// Our own mail.
		{"our mark", from + to + "X-Pbem-Loop: 1\n", false},
		{"our own address", "From: shogi@example.org\n" + to, false},
		// Receipts and reports (RFC 8098, RFC 3464).
		{"a receipt", from + to + "Content-Type: multipart/report; report-type=disposition-notification; boundary=b\n", false},
		{"a report", from + to + "Content-Type: multipart/report; report-type=delivery-status; boundary=b\n", false},
		{"an abuse report", from + to + "Content-Type: multipart/report; report-type=feedback-report; boundary=b\n", false},
		// A wish not to be answered by programs is not the mail of one.
		{"wishes no receipts", from + to + "X-Auto-Response-Suppress: DR, RN, NRN\n", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.setUp()
			w.deliver(tt.header + "Message-ID: <m@x>\n\nP-7f\n")
			mails, plies := w.collect(), w.game(1).Ply()
			if tt.answered {
				if len(mails) != 2 || plies != 1 {
					t.Errorf("%d mails, %d plies; want the move played and both told", len(mails), plies)
				}
				return
			}
			if len(mails) != 0 || plies != 0 {
				t.Errorf("%d mails, %d plies; want none:\n%v", len(mails), plies, mails)
			}
		})
	}
}

// TestAnswersSayWhatTheyAre: each mail of ours names itself automatic, asks for
// no automatic answer, and names the mail that it answers (RFC 3834, sections
// 3.1.6, 3.1.8 and 5).
func TestAnswersSayWhatTheyAre(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.setUp()
	w.deliver("From: hana@example.org\nTo: @reply(hana)\nMessage-ID: <m@x>\n\nP-7f\n")
	for _, m := range w.collect() {
		head, _, _ := strings.Cut(string(m.raw), "\r\n\r\n")
		want := []string{"X-Auto-Response-Suppress: OOF", "X-Pbem-Loop: 1", "Auto-Submitted: auto-generated"}
		if m.to == "hana@example.org" {
			want = append(want[:2], "Auto-Submitted: auto-replied", "In-Reply-To: <m@x>")
		}
		for _, field := range want {
			if !strings.Contains(head, field) {
				t.Errorf("mail to %s has no %s:\n%s", m.to, field, head)
			}
		}
		if strings.Contains(head, "Precedence:") {
			t.Errorf("mail to %s has a Precedence, which keeps people's programs from showing it", m.to)
		}
	}
}
