package service

import (
	"strings"

	"pbem/game"
)

// command is a word that players write, as data: what it is called, who may
// use it, how it is explained and what it does.
type command struct {
	name    string
	topic   topic
	aliases []string
	usage   string // as help shows it
	does    string
	players bool // only for those who have joined

	// fits reports whether args can belong to the command. Where it says no,
	// the line is prose that happens to begin with the word ("games are fun");
	// nil takes anything.
	fits func(args string) bool
	run  func(c *conversation, args, note string) error
}

// commands returns the table of all that players can write, in the order that
// help lists it. It is a function since what it names looks into it.
func commands() []command {
	return []command{
		{name: "join", topic: topicStart, usage: "join NAME", does: "begin to play here under that name",
			fits: atMost(1), run: (*conversation).join},
		{name: "challenge", topic: topicStart, aliases: []string{"chall"}, players: true,
			usage: "challenge NAME [as black|white] [handicap KIND] [clock 3d] [strict]", does: "offer a game to somebody",
			run: (*conversation).makeChallenge},
		{name: "accept", topic: topicStart, players: true, usage: "accept", does: "accept the challenge you were sent",
			fits: atMost(1), run: (*conversation).accept},
		{name: "decline", topic: topicStart, aliases: []string{"refuse"}, players: true, usage: "decline",
			does: "decline it", fits: atMost(1), run: (*conversation).decline},
		{name: "board", topic: topicInGame, aliases: []string{"show"}, players: true, usage: "board [#GAME]",
			does: "see the board", fits: onlyGame, run: (*conversation).showBoard},
		{name: "moves", topic: topicInGame, players: true, usage: "moves [#GAME]", does: "see all moves you can play",
			fits: onlyGame, run: (*conversation).showMoves},
		{name: "games", topic: topicStart, players: true, usage: "games", does: "see your games and challenges",
			fits: atMost(0), run: (*conversation).showGames},
		{name: "resign", topic: topicInGame, aliases: []string{"resigns"}, players: true, usage: "resign [#GAME]",
			does: "give the game up", fits: onlyGame, run: (*conversation).resign},
		{name: "say", topic: topicInGame, players: true, usage: "say WORDS", does: "write to your opponent",
			run: (*conversation).sayWords},
		{name: "draw", topic: topicOffers, aliases: []string{"tablas", "patta"}, players: true, usage: "draw [#GAME]", does: "offer a draw, or accept one",
			fits: onlyGame, run: offer(game.OfferDraw)},
		{name: "undo", topic: topicOffers, aliases: []string{"takeback"}, players: true, usage: "undo [#GAME]", does: "ask to take your last move back",
			fits: onlyGame, run: offer(game.OfferUndo)},
		{name: "rematch", topic: topicStart, players: true, usage: "rematch [#GAME]", does: "ask for another game, sides swapped",
			fits: onlyGame, run: offer(game.OfferRematch)},
		{name: "impasse", topic: topicOffers, aliases: []string{"jishogi"}, players: true, usage: "impasse [#GAME]",
			does: "offer to count the pieces when both kings are safe", fits: onlyGame, run: offer(game.OfferImpasse)},
		{name: "declare", topic: topicOffers, aliases: []string{"nyugyoku"}, players: true, usage: "declare [#GAME]",
			does: "declare an impasse (27-point rule)", fits: gameOrNow, run: (*conversation).declare},
		{name: "pause", topic: topicOffers, players: true, usage: "pause [#GAME]", does: "ask to stop the clocks",
			fits: onlyGame, run: offer(game.OfferPause)},
		{name: "resume", topic: topicOffers, players: true, usage: "resume [#GAME]", does: "let a paused game go on",
			fits: onlyGame, run: (*conversation).resume},
		{name: "preview", topic: topicInGame, players: true, usage: "preview MOVES", does: "see a board after moves, without playing them",
			run: (*conversation).preview},
		{name: "if", topic: topicInGame, players: true, usage: "if MOVE then MOVE", does: "plan your answer to a move of your opponent; it is played at once",
			run: (*conversation).plan},
		{name: "cancel", topic: topicInGame, players: true, usage: "cancel if", does: "drop what you have planned",
			fits: atMost(2), run: (*conversation).cancel},
		{name: "watch", topic: topicClub, players: true, usage: "watch #GAME", does: "see the moves of a game of others; unwatch ends it",
			fits: onlyGame, run: (*conversation).watch},
		{name: "unwatch", topic: topicClub, players: true, usage: "unwatch #GAME", does: "see them no more",
			fits: onlyGame, run: (*conversation).unwatch},
		{name: "record", topic: topicInGame, players: true, usage: "record [kif|csa|usi|hodges]", does: "get the moves of a game as other programs read them",
			fits: atMost(2), run: (*conversation).record},
		{name: "rating", topic: topicClub, players: true, usage: "rating [NAME]", does: "see your rating, or somebody's",
			fits: atMost(1), run: (*conversation).rating},
		{name: "history", topic: topicClub, players: true, usage: "history [NAME]", does: "see games that are over",
			fits: atMost(1), run: (*conversation).history},
		{name: "vacation", topic: topicTime, aliases: []string{"vacaciones", "vacanza", "ferie", "leave"}, players: true,
			usage: "vacation 10 days", does: "stop your games for a while; vacation off ends it",
			run: (*conversation).vacation},
		{name: "set", topic: topicClub, aliases: []string{"settings"}, players: true, usage: "set", does: "see and change your settings",
			fits: aSetting, run: (*conversation).set},
		{name: "claim", topic: topicTime, players: true, usage: "claim [#GAME]", does: "end a game when your opponent's time is over",
			fits: onlyGame, run: (*conversation).claim},
		{name: "wait", topic: topicTime, players: true, usage: "wait [#GAME]", does: "do not claim it yet",
			fits: onlyGame, run: (*conversation).wait},
		{name: "give", topic: topicTime, players: true, usage: "give 3 days", does: "give your opponent more time",
			fits: beginsWithNumber, run: (*conversation).give},
		{name: "explain", topic: topicTime, players: true, usage: "explain clock|strict", does: "see how your time is counted, or what an illegal move costs",
			fits: atMost(3), run: (*conversation).explain},
		{name: "help", topic: topicClub, aliases: []string{"?", "commands"}, usage: "help [WORD]", does: "get the list of words, or see what one does; help all explains all",
			fits: atMost(2), run: (*conversation).help},
	}
}

// atMost fits arguments of at most n words.
func atMost(n int) func(string) bool {
	return func(args string) bool { return len(strings.Fields(args)) <= n }
}

// onlyGame fits no argument, or the number of a game.
func onlyGame(args string) bool {
	return args == "" || gameNumber.ReplaceAllString(args, "") == ""
}

// gameOrNow fits no argument, the number of a game, and the word now.
func gameOrNow(args string) bool {
	return onlyGame(strings.TrimSpace(strings.TrimSuffix(strings.ToLower(args), "now")))
}

// aSetting fits no argument, or one that begins with the name of a setting.
func aSetting(args string) bool {
	name, _, _ := strings.Cut(strings.ToLower(args), " ")
	_, ok := wishNamed(name)
	return name == "" || ok || !strings.Contains(args, " ")
}

// beginsWithNumber fits "3 days" and "#17 3 days".
func beginsWithNumber(args string) bool {
	args = strings.TrimPrefix(args, "#")
	return args != "" && args[0] >= '0' && args[0] <= '9'
}

func commandNamed(name string) *command {
	for _, cmd := range commands() {
		if cmd.name == name {
			return &cmd
		}
	}
	return nil
}

// nearestCommand returns the command that word most likely misspells, or "".
func nearestCommand(word string) string {
	best, name := 3, ""
	for _, cmd := range commands() {
		for _, n := range append([]string{cmd.name}, cmd.aliases...) {
			if d := distance(word, n); d < best && d < len(n)-1 {
				best, name = d, cmd.name
			}
		}
		for _, n := range otherNames(cmd.name) {
			if d := distance(word, n); d < best && 3*d < len([]rune(n)) {
				best, name = d, cmd.name
			}
		}
	}
	return name
}

// distance is the number of letters to change, add, drop or swap with their
// neighbour to make a of b.
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	if len(x) > 20 {
		return len(x)
	}
	before, prev, row := make([]int, len(y)+1), make([]int, len(y)+1), make([]int, len(y)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(x); i++ {
		row[0] = i
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			row[j] = min(prev[j]+1, row[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, prev, row = prev, row, before
	}
	return prev[len(y)]
}
