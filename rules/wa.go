package rules

// wa is Wa shogi (和将棋), 11x11, with or without drops. Codes are of two
// letters; a promoted piece is "+" and the code of its base, because the
// letters of the promoted names collide.
func wa(drops bool) *Variant {
	v := &Variant{
		Name: "wa", Aliases: []string{"wa shogi", "wa-shogi"}, Title: "Wa shogi",
		Files: 11, Ranks: 11, Zone: 3,
		Pieces: waPieces(),
		Setup: "[lh][cm][so][fc][vs][ck][vw][fg][sc][bd][oc]/1[ce]3[sw]3[ff]1/[sp][sp][sp][rr][sp][sp][sp][tf][sp][sp][sp]/3[sp]3[sp]3/11/11/11/" +
			"3[SP]3[SP]3/[SP][SP][SP][TF][SP][SP][SP][RR][SP][SP][SP]/1[FF]3[SW]3[CE]1/[OC][BD][SC][FG][VW][CK][VS][FC][SO][CM][LH] b -",
		Repetition: Draw,
	}
	if drops {
		v.Name, v.Aliases, v.Title = "wa-drops", []string{"wa drops", "wa with drops"}, "Wa shogi with drops"
		v.Drops = true
	}
	return v
}

func waPieces() []PieceKind {
	const (
		violentWolf, violentStag = gold, "FfW"
		cloudEagle, flyingFalcon = "vRsWfF3bF", "BfW"
		swallowsWings, fox       = "sRvW", "FAvWvD"
	)
	row := func(code, name, kanji, romaji, betza string, p Promoted) PieceKind {
		return PieceKind{Code: code, Name: name, Kanji: kanji, Romaji: romaji, Betza: betza, Promoted: p}
	}
	none := Promoted{}
	list := []PieceKind{
		row("CK", "Crane King", "靏玉", "kakugyoku", "K", none),
		row("CE", "Cloud Eagle", "雲鷲", "unjū", cloudEagle, none),
		row("FF", "Flying Falcon", "飛鷹", "hiyō", flyingFalcon, Promoted{"Tenacious Falcon", "鶏鷹", "keiyō", "BvRsW"}),
		row("SW", "Swallow's Wings", "燕羽", "en’u", swallowsWings, Promoted{"Gliding Swallow", "燕行", "engyō", "R"}),
		row("TF", "Treacherous Fox", "隠狐", "inko", fox, none),
		row("RR", "Running Rabbit", "走兎", "sōto", "fRFbW", Promoted{"Treacherous Fox", "隠狐", "inko", fox}),
		row("VW", "Violent Wolf", "猛狼", "mōrō", violentWolf, Promoted{"Bear's Eyes", "熊眼", "yūgan", "K"}),
		row("VS", "Violent Stag", "猛鹿", "mōroku", violentStag, Promoted{"Roaming Boar", "行猪", "gyōcho", "FfsW"}),
		row("FG", "Flying Goose", "鳫飛", "ganhi", "fFvW", Promoted{"Swallow's Wings", "燕羽", "en’u", swallowsWings}),
		row("FC", "Flying Cock", "鶏飛", "keihi", "fFsW", Promoted{"Raiding Falcon", "延鷹", "en’yō", "vRfFsW"}),
		row("SC", "Strutting Crow", "烏行", "ukō", "fWbF", Promoted{"Flying Falcon", "飛鷹", "hiyō", flyingFalcon}),
		row("SO", "Swooping Owl", "鴟行", "shigyō", "fWbF", Promoted{"Cloud Eagle", "雲鷲", "unjū", cloudEagle}),
		row("BD", "Blind Dog", "盲犬", "mōken", "fFbsW", Promoted{"Violent Wolf", "猛狼", "mōrō", violentWolf}),
		row("CM", "Climbing Monkey", "登猿", "tōen", "fFvW", Promoted{"Violent Stag", "猛鹿", "mōroku", violentStag}),
		row("LH", "Liberated Horse", "風馬", "fūma", "fRbW2", Promoted{"Heavenly Horse", "天馬", "temma", "vN"}),
		row("OC", "Oxcart", "牛車", "gissha", "fR", Promoted{"Plodding Ox", "歬牛", "sengyū", "K"}),
		row("SP", "Sparrow Pawn", "萑歩", "jakufu", "fW", Promoted{"Golden Bird", "金鳥", "kinchō", gold}),
	}
	list[0].Royal = true
	list[16].OnePerFile, list[16].NoDropMate = true, true
	return list
}
