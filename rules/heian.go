package rules

// heian lists the boards of Heian shogi (平安将棋). The source, the Nichūreki
// of about 1126, gives the moves, promotion in the far three ranks and the
// bare king, but neither board nor set-up: 9x8 is the default because only it
// fits the examples the house started from. Boards of 8 files are set up
// rotationally, each king left of centre for its owner.
func heian() []*Variant {
	const (
		nine   = "lnsgkgsnl/9/ppppppppp/"
		Nine   = "PPPPPPPPP/9/LNSGKGSNL b -"
		eight  = "lnsgksnl/8/pppppppp/"
		Eight  = "PPPPPPPP/8/LNSKGSNL b -"
		facing = "lnskgsnl/8/pppppppp/"
	)
	return []*Variant{
		heianRow("heian", "Heian shogi", 9, 8, nine+"9/9/"+Nine, BareLoses, "heian-9x8", "heian 9x8", "heian shogi"),
		heianRow("heian-8x8", "Heian shogi 8×8", 8, 8, eight+"8/8/"+Eight, BareLoses, "heian 8x8"),
		heianRow("heian-8x8-facing", "Heian shogi 8×8, kings facing", 8, 8, facing+"8/8/"+Eight, BareLoses, "heian 8x8 facing"),
		heianRow("heian-8x9", "Heian shogi 8×9", 8, 9, eight+"8/8/8/"+Eight, BareLoses, "heian 8x9"),
		heianRow("heian-8x9-facing", "Heian shogi 8×9, kings facing", 8, 9, facing+"8/8/8/"+Eight, BareLoses, "heian 8x9 facing"),
		heianRow("heian-9x9", "Heian shogi 9×9", 9, 9, nine+"9/9/9/"+Nine, BareLoses, "heian 9x9"),
		heianRow("heian-reply", "Heian shogi, a bared king may bare back", 9, 8, nine+"9/9/"+Nine, BareReply, "heian reply"),
	}
}

func heianRow(name, title string, files, ranks int, setup string, bare BareRule, aliases ...string) *Variant {
	return &Variant{
		Name: name, Aliases: aliases, Title: title,
		Files: files, Ranks: ranks, Zone: 3,
		Pieces:     []PieceKind{kingRow, goldRow, silverRow, knightRow, lanceRow, pawnRow},
		Setup:      setup,
		Repetition: Draw, BareKing: bare,
	}
}
