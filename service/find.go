package service

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// longestPhrase is how many words of a line may name a command.
const longestPhrase = 4

var phrases = sync.OnceValue(func() map[string]*word {
	all := map[string]*word{}
	for i := range vocabulary {
		w := &vocabulary[i]
		all[w.name] = w
		for phrase := range strings.SplitSeq(w.also, "|") {
			all[phrase] = w
		}
	}
	return all
})

// otherNames returns what else the command of that name is called.
func otherNames(name string) []string {
	if w := phrases()[name]; w != nil && w.name == name {
		return strings.Split(w.also, "|")
	}
	return nil
}

// fold makes what people type one form: full-width letters narrow, small
// letters, no accents, no invisible characters, no signs around it.
func fold(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case r >= 0x300 && r <= 0x36f, unicode.Is(unicode.Cf, r): // accents, but not the marks of kana
			return -1
		case r == '’' || r == '‘':
			return '\''
		}
		return unicode.ToLower(r)
	}, norm.NFD.String(norm.NFKC.String(s)))
	s = norm.NFC.String(s)
	if t := strings.TrimFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }); t != "" {
		return t
	}
	return s // "?"
}

// findCommand returns the command that line gives and its arguments as typed,
// or nil.
func findCommand(line string) (*command, string) {
	cmd, _, args := findWord(line)
	return cmd, args
}

// findWord returns the command that line gives, what the vocabulary says of it,
// and its arguments as typed. The longest name wins, and a name wins over other
// ways to say another command. One that is only planned has nothing to run.
func findWord(line string) (*command, *word, string) {
	fields := strings.Fields(apart(line))
	for n := min(longestPhrase, len(fields)); n > 0; n-- {
		name := fold(strings.Join(fields[:n], " "))
		typed := strings.Join(fields[n:], " ")
		for _, cmd := range called(name) {
			w := phrases()[cmd.name]
			if w == nil || w.name != cmd.name {
				w = &word{name: cmd.name, talks: true}
			}
			args := typed
			if args == "" && name != cmd.name {
				args = w.args
			}
			if takes(cmd, w, args) && !(w.careful && strings.ContainsAny(line, "?？")) {
				return &cmd, w, args
			}
		}
	}
	return nil, nil, ""
}

// unspaced is a command with its arguments glued to it: "休暇10日", "say:hello".
var unspaced = regexp.MustCompile(`^\s*([\p{Han}\p{Hiragana}\p{Katakana}ー]+)([0-9A-Za-z０-９#＃].*)$|^\s*([\pL ]{2,12})[:：](\S.*)$`)

// apart puts a blank between a command and arguments glued to it.
func apart(line string) string {
	m := unspaced.FindStringSubmatch(line)
	if m == nil || phrases()[fold(m[1]+m[3])] == nil {
		return line
	}
	return m[1] + m[3] + " " + m[2] + m[4]
}

// takes reports whether args can belong to the command.
func takes(cmd command, w *word, args string) bool {
	args = norm.NFKC.String(args)
	return cmd.fits == nil && w.fits == nil || cmd.fits != nil && cmd.fits(args) || w.fits != nil && w.fits(args)
}

// called returns the commands that name may mean, the best first.
func called(name string) []command {
	var exact, alias []command
	for _, cmd := range commands() {
		switch {
		case cmd.name == name:
			exact = append(exact, cmd)
		case slices.Contains(cmd.aliases, name):
			alias = append(alias, cmd)
		}
	}
	w := phrases()[name]
	if w == nil || len(exact) > 0 {
		return append(exact, alias...)
	}
	cmd := command{name: w.name, players: true}
	if built := commandNamed(w.name); built != nil {
		cmd = *built
	}
	if w.name == name {
		return append([]command{cmd}, alias...)
	}
	return append(alias, cmd)
}
