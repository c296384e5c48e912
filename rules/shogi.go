package rules

// The pieces that several variants share.
const gold = "WfF"

var (
	kingRow = PieceKind{Code: "K", Name: "King", Kanji: "玉将", Romaji: "gyokushō", Betza: "K", Royal: true}
	goldRow = PieceKind{Code: "G", Name: "Gold General", Kanji: "金将", Romaji: "kinshō", Betza: gold, Points: 1}
	rookRow = PieceKind{Code: "R", Name: "Rook", Kanji: "飛車", Romaji: "hisha", Betza: "R", Points: 5,
		Promoted: Promoted{"Dragon", "龍王", "ryūō", "RF"}}
	bishopRow = PieceKind{Code: "B", Name: "Bishop", Kanji: "角行", Romaji: "kakugyō", Betza: "B", Points: 5,
		Promoted: Promoted{"Horse", "龍馬", "ryūma", "BW"}}
	silverRow = PieceKind{Code: "S", Name: "Silver General", Kanji: "銀将", Romaji: "ginshō", Betza: "FfW", Points: 1,
		Promoted: Promoted{"Promoted Silver", "成銀", "narigin", gold}}
	knightRow = PieceKind{Code: "N", Name: "Knight", Kanji: "桂馬", Romaji: "keima", Betza: "ffN", Points: 1,
		Promoted: Promoted{"Promoted Knight", "成桂", "narikei", gold}}
	lanceRow = PieceKind{Code: "L", Name: "Lance", Kanji: "香車", Romaji: "kyōsha", Betza: "fR", Points: 1,
		Promoted: Promoted{"Promoted Lance", "成香", "narikyō", gold}}
	pawnRow = PieceKind{Code: "P", Name: "Pawn", Kanji: "歩兵", Romaji: "fuhyō", Betza: "fW", Points: 1,
		Promoted: Promoted{"Tokin", "と金", "tokin", gold}, OnePerFile: true, NoDropMate: true}
)

// shogi is the standard game, by the rules of the Japan Shogi Association.
func shogi() *Variant {
	return &Variant{
		Name: "shogi", Aliases: []string{"standard", "normal", "9x9"}, Title: "Shogi",
		Files: 9, Ranks: 9, Zone: 3, Drops: true,
		Pieces:     []PieceKind{kingRow, rookRow, bishopRow, goldRow, silverRow, knightRow, lanceRow, pawnRow},
		Setup:      "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b -",
		Gives:      shogiHandicaps(),
		Repetition: Draw, Points: true,
	}
}

// shogiHandicaps lists the handicaps; left and right are White's own, so the
// left lance stands on 1a. "5p" is an alias of two rows: ask which.
func shogiHandicaps() []Handicap {
	const black = "/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w -"
	const noPawns = "/9/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w "
	return []Handicap{
		{"lance", []string{"l", "left lance", "left-lance", "1a", "香落ち"}, "lance", "lnsgkgsn1/1r5b1" + black},
		{"right-lance", []string{"right lance", "rightlance", "9a", "右香落ち"}, "right lance", "1nsgkgsnl/1r5b1" + black},
		{"bishop", []string{"b", "2b", "角落ち"}, "bishop", "lnsgkgsnl/1r7" + black},
		{"rook", []string{"r", "8b", "飛車落ち"}, "rook", "lnsgkgsnl/7b1" + black},
		{"rook-lance", []string{"rl", "rook lance", "rook and lance", "rook+lance", "8b,1a", "飛香落ち"}, "rook and lance", "lnsgkgsn1/7b1" + black},
		{"2p", []string{"2", "2-piece", "two pieces", "2 pieces", "二枚落ち"}, "two pieces", "lnsgkgsnl/9" + black},
		{"3p", []string{"3", "3-piece", "three pieces", "3 pieces", "三枚落ち"}, "three pieces", "1nsgkgsnl/9" + black},
		{"4p", []string{"4", "4-piece", "four pieces", "4 pieces", "四枚落ち"}, "four pieces", "1nsgkgsn1/9" + black},
		{"5p-left", []string{"5p", "5", "5-piece", "five pieces", "5 pieces", "5pl", "5p left", "五枚落ち", "左五枚落ち"}, "five pieces, left knight", "1nsgkgs2/9" + black},
		{"5p-right", []string{"5p", "5", "5-piece", "five pieces", "5 pieces", "5pr", "5p right", "五枚落ち", "右五枚落ち"}, "five pieces, right knight", "2sgkgsn1/9" + black},
		{"6p", []string{"6", "6-piece", "six pieces", "6 pieces", "六枚落ち"}, "six pieces", "2sgkgs2/9" + black},
		{"8p", []string{"8", "8-piece", "eight pieces", "8 pieces", "八枚落ち"}, "eight pieces", "3gkg3/9" + black},
		{"10p", []string{"10", "10-piece", "ten pieces", "10 pieces", "十枚落ち"}, "ten pieces", "4k4/9" + black},
		{"3-pawns", []string{"3pawns", "3 pawns", "three pawns", "歩三兵"}, "three pawns in hand", "4k4/9" + noPawns + "3p"},
		{"naked-king", []string{"naked king", "nakedking", "naked", "裸玉"}, "naked king", "4k4/9" + noPawns + "-"},
	}
}
