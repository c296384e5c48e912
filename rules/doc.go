// Package rules holds the rules of shogi and its relatives: the boards and
// pieces of each variant, positions, which moves are legal and why others are
// not, and how a game has ended by the rules.
//
// A [Variant] is data. Its pieces move as their Betza strings say, and one
// generator, on bitboards of two machine words, plays all of them. A
// [Position] is a value: compare it with ==, play a move with
// [Position.Play] and get another. [Judge] and [History] find the end of a
// game over its positions; [Declare] and [Agree] count an impasse.
//
// The package does not read or write moves (package notation does), knows no
// clock, no resignation and no players, and judges only what has been played:
// an illegal move is refused; whether it also loses, package game knows. It does no input or output and
// changes no state outside its values; all of it may be used from several
// goroutines, a [History] by one at a time.
//
// # Sources
//
// Shogi follows the rules of the Japan Shogi Association, with the wording of
// the FESA laws where they agree: no legal move loses; the fourth occurrence
// of a position (board, hands and side to move, the initial one counted) ends
// the game; a side all of whose moves between the first and the fourth
// occurrence gave check loses; a pawn drop that mates (uchifuzume, 打ち歩詰め)
// is illegal even if it also parries a check, and it mates if no legal reply
// is left. Where the text is silent, both sides checking for ever draw.
// Impasse by declaration follows the 27-point rule of the Computer
// Shogi Association and the 24-point rule of professional play. Mini shogi,
// Heian and Wa shogi are described at their rows.
package rules
