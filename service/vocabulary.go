package service

// word is a command as players write it, beside what [commands] says of it.
type word struct {
	name string // English, the name in the table of commands
	also string // other ways to say it, folded, between bars: en, es, it, ja

	args string // of the other ways to say it, where none are written

	ofGame  bool                   // means nothing without a game
	talks   bool                   // the text below it is for the opponent
	careful bool                   // cannot be taken back, so a question mark behind it makes it no command
	fits    func(args string) bool // tells its arguments from prose, beside the table of commands
}

// vocabulary lists all words that the house will ever know. A word that is not
// in the table of commands yet is still no prose: the text of a mail is for
// the opponent, a command never is.
var vocabulary = []word{
	{name: "join", also: "register|sign up|i want to join|unirme|unirse|apuntarme|apuntarse|inscribirme|registrarme|me apunto|quiero jugar|alta|iscrivimi|iscrivermi|iscriversi|mi iscrivo|partecipo|partecipare|voglio giocare|registrami|参加|参加します|参加希望|登録|入会", fits: atMost(1)},
	{name: "help", also: "commands|ayuda|comandos|aiuto|comandi|guida|ヘルプ|使い方|説明|コマンド|コマンド一覧", fits: atMost(1)},
	{name: "challenge", also: "chall|reto|reto a|retar|retar a|desafio|desafio a|desafiar|desafiar a|sfida|sfido|sfidare|挑戦|対局申し込み|対局申込|対局申込み", fits: someName},
	{name: "seek", also: "busco|buscar|busco partida|busco rival|cerco|cercare|cerco partita|cerco avversario|募集|対局募集|対局希望", fits: seeking},
	{name: "accept", also: "i accept|accepted|acepto|aceptar|acepto el reto|accetto|accettare|accetto la sfida|承諾|承諾します|受諾|受けます|受けて立ちます|お受けします", talks: true, fits: atMost(1)},
	{name: "decline", also: "refuse|reject|i decline|rechazo|rechazar|declino|rifiuto|rifiutare|辞退|辞退します|拒否|断ります|お断りします", talks: true, fits: atMost(1)},
	{name: "withdraw", also: "retract|retirar|retiro|retiro el reto|retirar reto|ritiro|ritirare|ritiro la sfida|取り下げ|取下げ|取り下げます|撤回|撤回します", fits: atMost(1)},
	{name: "games", also: "my games|partidas|mis partidas|partite|le mie partite|mie partite|対局一覧|対局リスト|一覧", fits: atMost(0)},
	{name: "board", also: "show|show board|show the board|position|tablero|posicion|ver tablero|tavola|scacchiera|tavoliere|posizione|盤|盤面|局面|図面|局面図", ofGame: true, fits: onlyGame},
	{name: "moves", also: "legal moves|jugadas|movimientos|jugadas legales|movimientos legales|mosse|mosse legali|指し手|候補手|合法手", ofGame: true, fits: onlyGame},
	{name: "preview", also: "previsualizar|vista previa|ensayar|probar|anteprima|provare|プレビュー|検討|試し", ofGame: true, fits: line},
	{name: "if", also: "si|se|もし", ofGame: true, fits: conditional},
	{name: "cancel", args: "if", also: "cancel conditional|cancel conditionals|cancelar si|cancela si|anular si|annulla se|cancella se|annullare se|条件取消|条件取り消し|予約取消", ofGame: true, fits: atMost(2)},
	{name: "resign", also: "resigns|i resign|resigned|i resign the game|abandono|abandono la partida|abandonar|me rindo|yo abandono|abbandono|abbandono la partita|abbandonare|mi arrendo|投了|投了します|投了です|投了いたします|負けました|参りました|まいりました", ofGame: true, talks: true, careful: true, fits: onlyGame},
	{name: "draw", also: "offer draw|offer a draw|i offer a draw|draw offer|tablas|ofrezco tablas|ofrecer tablas|propongo tablas|empate|ofrezco empate|patta|offro patta|offro la patta|propongo patta|propongo la patta|pareggio|引き分け|引分け|引分|引き分け提案|引き分けを提案します", ofGame: true, talks: true, fits: onlyGame},
	{name: "impasse", also: "jishogi|offer impasse|punto muerto|stallo|持将棋|持将棋提案|持将棋を提案します|相入玉", ofGame: true, talks: true, fits: onlyGame},
	{name: "declare", also: "i declare|declaration|declaro|declarar|declaracion|dichiaro|dichiarare|dichiarazione|宣言|宣言します|入玉宣言|入玉宣言します|宣言勝ち", ofGame: true, talks: true, careful: true, fits: onlyGame},
	{name: "undo", also: "takeback|take back|deshacer|retroceder|annulla|annullare|ritratta|待った|待ったお願いします|戻す", ofGame: true, talks: true, fits: onlyGame},
	{name: "say", also: "decir|dile|dire|伝言|メッセージ", ofGame: true, talks: true, fits: anything},
	{name: "record", also: "kifu|registro|registrazione|棋譜|棋譜送って", ofGame: true, fits: format},
	{name: "watch", also: "mirar|observar|guarda|osserva|観戦", fits: withNumber},
	{name: "unwatch", also: "stop watching|観戦終了|観戦中止", fits: withNumber},
	{name: "ladder", also: "standings|ranking|escalera|clasificacion|classifica|scala|ラダー|順位|順位表|番付", fits: atMost(1)},
	{name: "history", also: "historial|cronologia|storico|履歴|対局履歴|戦績", fits: atMost(1)},
	{name: "rating", also: "ratings|puntuacion|elo|punteggio|レーティング|レート", fits: atMost(1)},
	{name: "vacation", also: "holiday|vacaciones|vacanza|vacanze|ferie|休暇|長期休暇", fits: span},
	{name: "pause", also: "pausa|一時停止|中断", ofGame: true, talks: true, fits: onlyGame},
	{name: "rematch", also: "revancha|rivincita|再戦", ofGame: true, talks: true, fits: onlyGame},
	{name: "set", also: "ajustar|ajuste|poner|configurar|fijar|imposta|impostare|設定", fits: setting},
	{name: "invite", also: "invitar|invitar a|invito a|invita|invitare|招待", fits: withAddress},
	{name: "leave", also: "quit|unsubscribe|salir|darme de baja|baja|lasciare|esci|cancellami|退会|退会します|脱退", careful: true, fits: atMost(0)},
}
