package service

import (
	"regexp"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// The functions below tell arguments from prose.

func anything(string) bool { return true }

func someName(args string) bool { return args != "" }

// conditional fits what begins with a square.
func conditional(args string) bool {
	first, _, _ := strings.Cut(args, " ")
	return args == "" || strings.ContainsAny(norm.NFKC.String(first), "0123456789同")
}

// line fits moves, and a single word that is to be asked about.
func line(args string) bool { return len(strings.Fields(args)) < 2 || conditional(args) }

func withNumber(args string) bool {
	return args == "" || strings.ContainsAny(args, "0123456789") && len(strings.Fields(args)) <= 2
}

func withAddress(args string) bool { return strings.Contains(args, "@") }

var formats = regexp.MustCompile(`(?i)^([#＃]?\d+\s*)?(kif|ki2|csa|usi|hodges|psn|jkf|sfen)?$`)

func format(args string) bool { return formats.MatchString(args) }

var spans = regexp.MustCompile(`(?i)^((from|until|till|to|since|for|the|desde|hasta|del|el|al|por|a|partir|dal|fino|per|da)\s+)*\S*\d|^(on|off|end|until|si|no|fin|hasta|fine|basta|終了|解除)\b`)

func span(args string) bool {
	n := len(strings.Fields(args))
	return n < 2 || spans.MatchString(args) && n <= 8
}

var settings = regexp.MustCompile(`(?i)^(language|board|pieces?|notation|timezone|zone|reminders?|digest|vacation|hold|strict|mail|name|quiet|email|address|weekends?|idioma|tablero|piezas|notación|notacion|zona|recordatorios|resumen|lingua|tavola|pezzi|notazione|fuso|promemoria|riassunto|言語|盤|駒|表記|時間帯|通知|リマインダー|まとめ)\b`)

func setting(args string) bool { return settings.MatchString(args) && len(strings.Fields(args)) <= 6 }

func seeking(args string) bool {
	return len(strings.Fields(args)) <= 8 && !strings.ContainsAny(args, ".!?。")
}
