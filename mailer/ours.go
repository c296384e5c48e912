package mailer

import "regexp"

// ourLine is a line that only mails of ours hold: the board, hands, clocks and
// the hints below it. Programs that quote without any mark leave them in a
// reply, where a move or a word of ours must not be taken for the sender's.
var ourLine = regexp.MustCompile(`^(` +
	`(\d{1,2} ){4,}\d{1,2}|[a-z]( (\.|[v^]\+?[A-Za-z]{1,2})){5,}|[a-z] \|.*\|.*|[+|]?-{3,}[-+| ]*\+|` + // files, ranks, frame
	`In hand Black: .*|Clocks Black: .*|(White|Black) in hand: .*|Capital \^P: Black.*|Last move: .*Capital.*|` +
	`Your move\? Reply with a move such as .*|Instead of a move you may write:|You can also answer with one of these words: .*|` +
	`Shogi by mail, game #\d+.*|Game #\d+(:|, Shogi\. Black:|, .*Black: ).*|It is .*'s turn\. You will get a mail.*|` +
	`resign give up the game|draw offer a draw|undo ask for your last move back|board see the position again|moves list your legal moves|` +
	`say TEXT a word to your opponent|help everything else|resign, help, or say and a word to .*` +
	`)$`)

// ourOpening is a line with which a mail of ours may begin. It is ours only if
// a line that must be follows soon.
var ourOpening = regexp.MustCompile(`^(\S+ (played .*|accepted( your challenge)?\b.*|resigned\b.*|writes:)|Game #\d+\b.*|You played .*)$`)

// ourMail reports whether a mail of ours, quoted without any mark, begins at i.
func (r reader) ourMail(i int) bool {
	key := r.lines[i].key
	if ourLine.MatchString(key) {
		return true
	}
	if !ourOpening.MatchString(key) {
		return false
	}
	for j := i + 1; j < min(i+12, len(r.lines)); j++ {
		if ourLine.MatchString(r.lines[j].key) {
			return true
		}
	}
	return false
}

// lastOfOurs returns the last line of ours that is not quoted, from i on; i if
// there is none.
func (r reader) lastOfOurs(i int) int {
	for j := len(r.lines) - 1; j > i; j-- {
		if !r.lines[j].quoted && ourLine.MatchString(r.lines[j].key) {
			return j
		}
	}
	return i
}
