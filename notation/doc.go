// Package notation turns text into moves and positions and back: what people
// type in a mail, what programs exchange, and whole game records.
//
// The house's language is that of George Hodges (P-7f, Px3c+, N*5e, S4i-5h).
// [Hodges] writes it exactly; [Read] accepts it with every looseness seen in
// forty years of play by mail, and beside it the Western systems with digits
// (Hosking, Kitao-Kawasaki), USI, CSA and Japanese notation.
//
// Read never guesses. Each dialect turns the text into one or more readings,
// that is, into what the text fixes of a move: piece, origin, target, drop,
// capture, promotion. The readings are laid beside the legal moves of the
// position. One move left is the move. None left is an [*ImpossibleError],
// which says why the nearest move is not possible; several are an
// [*AmbiguousError], which lists them. Text that looks like no move is
// [ErrNotMove].
//
// [Write] writes the other dialects, and what it writes, Read reads back.
// [ReadRecord] and [WriteRecord] do the same for whole games: KIF and KI2 as
// Kifu for Windows writes them, the CSA standard format 2.2 and 3.0, USI lines, Hodges
// text with tags in the manner of PSN, JSON Kifu Format 1.3. Variations in a
// record are left out; [Record] says where they stood.
//
// The package knows nothing of mail: quotes, signatures and commands are cut
// off elsewhere. It does repair what mail does to a move (curled quotes, long
// dashes, full-width letters, invisible characters).
package notation
