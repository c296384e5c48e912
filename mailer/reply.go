package mailer

import (
	"regexp"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// reply returns the lines of text that its sender wrote: no quotes, no header
// of a quoted mail, no signature and no footer.
func reply(text string) []string {
	all := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	var out []string
	for i := 0; i < len(all); i++ {
		line := strings.TrimSpace(strings.Trim(norm.NFC.String(all[i]), "\uFEFF"))
		switch {
		case line == "":
		case strings.HasPrefix(line, ">"):
		case line == "--" || strings.HasPrefix(line, "-- ") && strings.TrimRight(all[i], "\r ") == "--":
			return out
		case cutsRest.MatchString(line), outlookBlock(all[i:]):
			return out
		case footer.MatchString(line):
			return out
		default:
			if n := attribution(all[i:]); n > 0 {
				i += n - 1
				continue
			}
			out = append(out, line)
		}
	}
	return out
}

// cutsRest begins a block behind which all is quoted.
var cutsRest = regexp.MustCompile(`(?i)^[-_\s]*(-{2,}|_{2,})\s*(original message|mensaje original|messaggio originale|original-nachricht|ursprüngliche nachricht|message d'origine|mensagem original|元のメッセージ|forwarded message|reply above this line)?[-_\s]*$|^_{10,}$|^-{5,}`)

// footer is what phones and programs sign with.
var footer = regexp.MustCompile(`(?i)^(sent from (my|mail for|outlook|yahoo)|get outlook for|enviado desde mi|enviado desde|inviato da(l| mio)?|iphone\s?から送信|android\s?から送信|von meinem .* gesendet|gesendet mit|envoyé de mon)`)

// attribution returns how many lines the header of a quote takes at the start
// of lines: "On … wrote:" in the languages of our players, which clients break
// over up to three lines. It counts only before a quote or with an address.
func attribution(lines []string) int {
	joined := ""
	for n := 1; n <= min(3, len(lines)); n++ {
		line := strings.TrimSpace(lines[n-1])
		if line == "" {
			return 0
		}
		joined = strings.TrimSpace(joined + " " + line)
		if wrote.MatchString(joined) && (strings.ContainsAny(joined, "@0123456789") || quoteFollows(lines[n:])) {
			return n
		}
	}
	return 0
}

func quoteFollows(lines []string) bool {
	for _, l := range lines {
		if l = strings.TrimSpace(l); l != "" {
			return strings.HasPrefix(l, ">")
		}
	}
	return false
}

var wrote = regexp.MustCompile(`(?i)^(on|am|le|el|il|em|op|dnia|w dniu)\s.{4,300}(wrote|schrieb.*|a écrit|escribió|ha scritto|escreveu|schreef.*|napisał\(?a?\)?)\s*[:：]$|^.{4,300}(のメール|のメッセージ|<[^>]+>)\s*[:：]$|^.{2,100}\s(wrote|escribió|ha scritto|schrieb)\s*[:：]$`)

// outlookBlock reports whether lines begin with the header of a quoted mail as
// Outlook writes it: From and at least one more field in the next lines.
func outlookBlock(lines []string) bool {
	if !fromField.MatchString(strings.Trim(strings.TrimSpace(lines[0]), "*")) {
		return false
	}
	for _, l := range lines[1:min(5, len(lines))] {
		if otherField.MatchString(strings.Trim(strings.TrimSpace(l), "*")) {
			return true
		}
	}
	return false
}

var (
	fromField  = regexp.MustCompile(`(?i)^(from|de|da|von|差出人|送信者|van|od|от|发件人)\s?\*?[:：]`)
	otherField = regexp.MustCompile(`(?i)^(sent|date|to|subject|enviado( el)?|fecha|para|asunto|inviato|data|a|oggetto|gesendet|datum|an|betreff|envoyé|à|objet|送信日時|日時|宛先|件名|发送时间|收件人|主题)\s?\*?[:：]`)
)
