package rules

// minishogi is 5x5 shogi (gogo shogi, 5五将棋). The fourth repetition loses
// for Black, who moves first, unless it is a perpetual check.
func minishogi() *Variant {
	return &Variant{
		Name: "minishogi", Aliases: []string{"mini", "mini shogi", "mini-shogi", "gogo", "5x5"}, Title: "Mini shogi",
		Files: 5, Ranks: 5, Zone: 1, Drops: true,
		Pieces:     []PieceKind{kingRow, rookRow, bishopRow, goldRow, silverRow, pawnRow},
		Setup:      "rbsgk/4p/5/P4/KGSBR b -",
		Repetition: WhiteWins,
	}
}
