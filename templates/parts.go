package templates

// Board is a game as its reader sees it now; it closes every mail about one.
type Board struct {
	Game, Title  string // "#17", "Shogi, two pieces given by White"
	Black, White string // names
	Drawn        string // the board, both hands; lines indented
	Legend       string // how to read it, in a line
	Last, LastBy string // last move and who made it; empty at the start
	Count        int    // of the move to come, from 1
	Turn         string // who is to move; empty when the game is over
	You          bool   // that is the reader
	Example      string // a legal move, for who is to move
	Clock        string // the time both have, in a line; empty without a limit
	Claim        string // what the reader could declare, once his king has entered
	Result       string // "marco wins by checkmate"; empty while the game goes on
}

// Played is the receipt to the one who moved.
type Played struct{ Game, Move, Opponent, Note string }

// YourMove tells a player what the opponent did.
type YourMove struct {
	Game, Opponent, Move string
	Check                bool
	Note                 string // what the opponent wrote beside it; empty if nothing
}

// Sequence tells either player of several moves that were made at once, since
// they were planned.
type Sequence struct {
	Game, Opponent, Last string
	Moves                []string // "you P-7f", "marco P-3d"
	You                  bool     // it is the reader's turn
	Check                bool
	Note                 string
}

// PlanState shows the conditional moves of the reader.
type PlanState struct {
	Game     string
	Rows     []string // a tree, indented
	Replaced int      // older lines that the new one contradicts
}

// PlanRefused says why a conditional cannot be.
type PlanRefused struct{ Game, Typed, Why string }

// PlanDropped says that conditional moves no longer fit.
type PlanDropped struct{ Game string }

// PlanCancelled is the receipt for cancel if.
type PlanCancelled struct {
	Game string
	Any  bool
}

// HeldBack says that a move waits and can be taken back, or was.
type HeldBack struct {
	Game, Move, Until string
	Broken            string // the rule it breaks, in a strict game; empty for a legal move
	Taken             bool
}

// Strict asks for a move in full notation.
type Strict struct{ Game, Typed, Move string }

// Watching is the receipt for watch; Unwatched for unwatch.
type Watching struct{ Game string }

// Unwatched is the receipt for unwatch.
type Unwatched struct{ Game string }

// CannotWatch says why a game cannot be watched.
type CannotWatch struct{ Game, Why string }

// WatchWhich asks for the number of a game.
type WatchWhich struct{}

// Watched tells who watches a game what happened in it.
type Watched struct {
	Game, Black, White string
	Moves              []string // "hana P-7f"
	Result             string
}

// Ended tells either player that the game is over.
type Ended struct {
	Game, Opponent, Move string // Move is the last one, or empty if it was not a move that ended it
	Result               string // "marco wins by checkmate", "drawn by agreement"
	Foul                 string // the illegal move that lost a strict game: "P*5e: two pawns on one file (nifu)"
	Drawn                bool
	Rating               string // the reader's, after the game; empty if it was not rated
	Note                 string
}

// Said brings a player what the opponent wrote, without a move.
type Said struct{ Game, Opponent, Note string }

// Passed is the receipt for that.
type Passed struct{ Game, Opponent, Note string }

// Refused says why a move cannot be.
type Refused struct{ Game, Typed, Read, Why, Example string }

// Which asks which of several moves was meant.
type Which struct {
	Game, Typed string
	Moves       []string
}

// TwoMoves says that a mail holds more than one move.
type TwoMoves struct {
	Game  string
	Moves []string
}

// Waiting says that it is the opponent's turn.
type Waiting struct{ Game, Opponent, Typed string }

// Stale says that the mail answered is about an earlier position.
type Stale struct{ Game, Typed string }

// Repeat says that the move was already played.
type Repeat struct{ Game, Move string }

// Over says that the game has ended already.
type Over struct{ Game string }

// Legal lists the legal moves.
type Legal struct {
	Game  string
	Count int
	Rows  []string // indented, a kind of piece a row
}

// Shown opens a mail that only shows the board.
type Shown struct{ Game string }

// GameList lists a player's games and open challenges.
type GameList struct {
	Games, Challenges []string
	First             string // the number of the first game
}

// WhichGame asks which game is meant.
type WhichGame struct {
	Text  string
	Games []string
	First string // the number of the first one
}

// NoGame says that there is no game for what was written.
type NoGame struct{ Text string }

// UnknownGame says that the reader has no game of that number.
type UnknownGame struct {
	Game  string
	Games []string
}

// Welcome greets a new player.
type Welcome struct{ Name, Address string }

// Already says that the reader has joined before.
type Already struct{ Name string }

// BadName says why a name cannot be had.
type BadName struct{ Name, Why string }

// Confirm asks the owner of an address whether a message is theirs.
type Confirm struct{ Lines []string }

// ConfirmAgain asks once more, after a reply that was neither yes nor no.
type ConfirmAgain struct{ Lines []string }

// Unconfirmed says that nothing was done, as asked.
type Unconfirmed struct{}

// NothingHeld says that what was to be confirmed is no longer there.
type NothingHeld struct{}

// Stranger tells somebody unknown what this is and how to begin.
type Stranger struct{ Service string }

// Challenged brings a challenge.
type Challenged struct{ Opponent, Terms, Days string }

// ChallengeSent is the receipt for it.
type ChallengeSent struct {
	Opponent, Terms, Days string
	Suggestion            string // another challenge, by the difference of the ratings
}

// NoPlayer says that nobody has that name.
type NoPlayer struct {
	Name    string
	Nearest string
	Others  []string
}

// Self says that one cannot challenge oneself.
type Self struct{}

// BadClock says why a time control cannot be had.
type BadClock struct{ Text, Why string }

// FlagFell tells the player whose time is over; FlagFellOpponent the other one.
type FlagFell struct{ Game, Opponent, Until string }

// FlagFellOpponent asks what shall happen.
type FlagFellOpponent struct{ Game, Opponent, Until string }

// NoFlag says that there is no time-out to claim.
type NoFlag struct{ Game, Opponent string }

// Patient is the receipt of who will wait.
type Patient struct{ Game, Opponent string }

// PatientOpponent tells the one who is waited for.
type PatientOpponent struct{ Game, Opponent string }

// Gave is the receipt of who gave time.
type Gave struct{ Game, Opponent, Span string }

// Given tells the one who got it.
type Given struct{ Game, Opponent, Span string }

// BadSpan says that a length of time was not understood.
type BadSpan struct{ Text string }

// ExplainClock spells out how the time of a game is counted.
type ExplainClock struct {
	Game, Control string
	Rules         []string // sentences
	Rows          []string // a player each: what has been charged
}

// ExplainStrict says what an illegal move costs in a game.
type ExplainStrict struct {
	Game   string
	Strict bool
}

// Offered brings what the opponent proposes.
type Offered struct {
	Game, Opponent string
	Kind           string // "draw", "impasse", "undo", "pause" or "rematch"
	Count          string // the points of both sides, with an impasse
	Until, Note    string
}

// OfferSent is the receipt for it.
type OfferSent Offered

// OfferAccepted tells both that what was proposed is done.
type OfferAccepted struct{ Game, Opponent, Kind string }

// OfferDeclined tells who made the offer; with ByYou it is the receipt.
type OfferDeclined struct {
	Game, Opponent, Kind, Note string
	ByYou                      bool
}

// OfferExpired tells who made an offer that nobody has answered.
type OfferExpired struct{ Game, Opponent, Kind string }

// CannotOffer says why something cannot be proposed or done now.
type CannotOffer struct{ Game, Kind, Why string }

// Resumed tells both that a pause is over.
type Resumed struct {
	Game, Opponent string
	Runs           bool // the clock; else something other still stops it
}

// ClaimFails warns of a declaration that would lose.
type ClaimFails struct{ Game, Count string }

// Preview shows a board after moves that were not played.
type Preview struct {
	Game, Moves, Drawn string
	Check              bool
}

// BadLeave says that the dates of a vacation were not understood.
type BadLeave struct{ Text string }

// LittleLeave says that so much vacation is not earned.
type LittleLeave struct{ Asked, Earned string }

// LeaveTaken is the receipt for a vacation.
type LeaveTaken struct {
	From, Until, Left string
	EndsByMove        bool
}

// LeaveState shows a player's vacation.
type LeaveState struct{ Earned, From, Until string }

// OpponentAway tells that the opponent is on vacation; OpponentBack that it is
// over.
type OpponentAway struct{ Game, Opponent, Until string }

// OpponentBack tells that the game goes on.
type OpponentBack struct{ Game, Opponent string }

// OpponentLost tells that mail to the opponent comes back.
type OpponentLost struct {
	Game, Opponent string
	Turn           bool // it is the reader's move
}

// OpponentFound tells that the opponent has written again.
type OpponentFound struct {
	Game, Opponent string
	Runs           bool // the clock; else something other still stops it
}

// NotReached says that the opponent was not told, since mail comes back.
type NotReached struct{ Opponent string }

// Found tells a player that mail came back, and what happened meanwhile.
type Found struct {
	Since             string
	Games             bool // some stood still, and go on
	Ended, Challenges []string
}

// Probe tries the address of a player from which mail came back.
type Probe struct{ Name, Since string }

// LeaveUsed tells that a day of vacation has kept the flag from falling.
type LeaveUsed struct{ Game, Opponent, Until, Left string }

// LeaveUsedOpponent tells it to the opponent.
type LeaveUsedOpponent struct{ Game, Opponent, Until string }

// SettingsList shows all settings.
type SettingsList struct {
	Unknown  string // a name that is none; empty if there was no name
	Settings []SettingRow
}

// SettingRow is one setting: what can be written, what it does, and how it
// stands.
type SettingRow struct{ Usage, Does, Value string }

// SettingSaved is the receipt for a changed setting.
type SettingSaved struct{ Name, Value, Now string }

// BadSetting says why a setting cannot be so.
type BadSetting struct{ Name, Value, Why, Like string }

// Digest is the one mail a day to a player who wants it so.
type Digest struct {
	Count   int
	Games   []string
	Example string
}

// Rating shows a player's ratings and score.
type Rating struct {
	Name             string
	Own              bool
	Rows             []string // a variant each
	Games            int
	Won, Lost, Drawn int
	OnTime           string // share of games not lost on time
}

// History lists games that are over.
type History struct {
	Name string
	Own  bool
	Rows []string
}

// Record is the moves of a game in a format of other programs.
type Record struct {
	Game, Text string
	Lost       []string // what the format has no place for
}

// BadRecord says that a record cannot be had.
type BadRecord struct{ Format, Why string }

// BadTerms says what of a challenge was not understood.
type BadTerms struct {
	Word      string
	Handicaps []string
}

// WhichHandicap asks which of several of one name is meant.
type WhichHandicap struct{ Challenges []string }

// WhoGives asks who gives the handicap.
type WhoGives struct{ Name, Handicap string }

// TooManyGames says that a player has as many games as allowed.
type TooManyGames struct {
	Name string
	Max  int
}

// Started tells either player that a game has begun.
type Started struct{ Game, Opponent, Side, Terms, Note string }

// Declined tells the challenger; DeclinedByYou is the receipt.
type Declined struct{ Opponent, Note string }

// DeclinedByYou is the receipt of the one who declined.
type DeclinedByYou struct{ Opponent string }

// NoChallenge says that there is nothing to accept or decline.
type NoChallenge struct{}

// WhichChallenge asks which one is meant.
type WhichChallenge struct{ Challenges []string }

// ChallengeExpired tells the challenger that no answer came.
type ChallengeExpired struct{ Opponent string }

// Help lists the commands by topic.
type Help struct {
	Topics  []HelpTopic
	Unknown string // what help was asked for, if that is no command
	Nearest string // a command that looks like it; empty if none does
}

// HelpTopic is a line of the list: what the words are for, and the words.
type HelpTopic struct {
	Title string
	Words []string
}

// HelpWord explains one command.
type HelpWord struct {
	Name, Usage, Does string
	Also              []string // what else may be written for it
}

// HelpAll explains all commands.
type HelpAll struct{ Words []HelpWord }

// NotUnderstood shows what was read and what could be meant.
type NotUnderstood struct {
	Lines   []string // the first ones
	Nearest string   // a command that looks like the first word; empty if none does
	Example string   // a legal move, if it is the reader's turn
	InGame  bool
	Last    bool // it is not said again today
}

// OverLimit says that a mail was not read since there was too much of
// something: mails within an hour if Messages is not 0, addresses, or parts.
type OverLimit struct {
	Messages  int
	Addresses bool
}

// Operator tells the operator what could not be handled or delivered.
type Operator struct {
	Service           string
	Since             string // empty: ever
	SetAside, GivenUp int    // messages; mails
	Excesses          int    // mails over a limit, in the last day
}

// TooLarge says that a mail was too big to be read.
type TooLarge struct{ Size, Max string }

// Reminder says that a move is due.
type Reminder struct {
	Game, Opponent, Since string
	Left, Until           string   // empty without a limit
	Others                []string // further games in which it is the reader's move
}
