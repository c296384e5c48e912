package mailer

import (
	"regexp"
	"strings"
)

// The words by which a reply is told from what it quotes, in the languages of
// our players (en, es, it, ja) and of their neighbours. All are laid beside the
// key of a line.

// verbs are how languages say "wrote", at the end of an attribution or before
// the name that ends it.
var verbs = []string{
	"wrote", "writes", "has written", "said", // en
	"escribió", "escribio", "ha escrito", "escribía", "dijo", // es
	"ha scritto", "scrive", "scrisse", "scriveva", // it
	"さん(は|が)(書きました|書いた)", "(は|が)(書きました|書いています|書いた)", "(の|からの)(メール|メッセージ)", "さんのメール", "曰く", "より", "さんの発言", // ja
	"schrieb", "geschrieben", "schreibt", "hat folgendes geschrieben", // de
	"a écrit", "a ecrit", "écrivait", "écrit", // fr
	"escreveu", "escreveram", "escrevia", // pt
	"schreef", "geschreven", "schrijft", // nl
	"napisał", "napisała", `napisał\(a\)`, "napisał/a", "pisze", "napisali", // pl
	"написал", "написала", `написал\(а\)`, "пишет", "писал", "писал\\(а\\)", "пише", "написав", // ru, uk
	"写道", "寫道", "写到", "來信", "来信", "于.{1,40}写道", // zh
	"님이 작성", "님이 씀", "님이 보낸 메시지", "작성", "님의 말", "님이 쓴 글", // ko
	"skrev", "skrifaði", "kirjoitti", `napsal\(?a?\)?`, "yazdı", "ezt írta", "írta", "a scris", "έγραψε", "đã viết", "menulis", "כתב/ה", "kirjutas", `napísal\(?a?\)?`,
}

// saysWrote matches an attribution: a verb, a name behind it perhaps, a colon.
var saysWrote = regexp.MustCompile(`(?i)(^|[\s,)>"']|[^\x00-\x7f])(` + strings.Join(verbs, "|") + `)( .{1,200})?\s?:$`)

// endsWrote is saysWrote with the verb last.
var endsWrote = regexp.MustCompile(`(?i)(^|[\s,)>"']|[^\x00-\x7f])(` + strings.Join(verbs, "|") + `)\s?:$`)

// opener begins an attribution of more than one line, where a language has a
// word for that; others begin with the date.
var opener = regexp.MustCompile(`(?i)^(on|at|in article|in message|in the message|in reply to|quoting|el|en fecha|il( giorno)?|in data|le|am|em|no dia|op|dnia|w dniu|den|dne|dňa|på|pe data de|vào|pada|στις|в|at|-{2,} on) `)

var (
	hasAddress = regexp.MustCompile(`[^\s<>"(),:;]+@[^\s<>"(),:;]+\.[^\s<>"(),:;]+`)
	hasTime    = regexp.MustCompile(`\d{1,2}[:.時时시h]\s?\d{2}|\d{4}\s?[-/.年년]\s?\d{1,2}|\d{1,2}[-/.]\s?\d{1,2}[-/.]\s?\d{2,4}`)
)

// separator stands above a quoted mail, mostly between dashes.
var separator = regexp.MustCompile(`(?i)^(?:[-_=<\[(]+\s?)?(` +
	`original (message|mail|e-?mail)|(begin )?forwarded (message|mail)|reply message|reply above this line|replied message|message original|` +
	`mensaje (original|reenviado)|(inicio del )?mensaje reenviado|` +
	`messaggio (originale|inoltrato)|(inizio )?messaggio inoltrato|` +
	`元の?メッセージ|元のメール|(転送|転送された)(メッセージ|メール)|オリジナル(メッセージ|メール)|返信元メッセージ|` +
	`ursprüngliche (nachricht|mail|e-?mail)|original-?\s?(nachricht|mail)|(anfang der )?weitergeleiteten? (nachricht|mail)|originalnachricht|` +
	`(message|mail|courriel|e-mail) (d'origine|original|transféré|transmis|initial)|(début du )?message (réexpédié|transféré)|` +
	`mensagem (original|encaminhada)|(início da )?mensagem (reencaminhada|encaminhada)|` +
	`(oorspronkelijk|origineel|doorgestuurd) bericht|(begin )?doorgestuurd bericht|` +
	`(wiadomość oryginalna|oryginalna wiadomość|przekazana wiadomość|wiadomość przekazana|początek przekazywanej wiadomości|treść oryginalnej wiadomości)|` +
	`(исходное|пересылаемое|пересланное|оригинальное|перенаправленное) (сообщение|письмо)|(начало переадресованного|конец пересылаемого) сообщения|` +
	`原始(邮件|郵件|信件|消息)|原邮件|(转发|轉寄|轉發|转发的|已转发)(邮件|郵件|的邮件|信件|消息)|邮件原件|回复的原邮件|` +
	`(원본|원래|전달된|전달한) ?(메일|메시지|이메일)|` +
	`(ursprungligt|vidarebefordrat) meddelande|(oprindelig|videresendt) (meddelelse|besked)|opprinnelig melding|alkuperäinen viesti|původní (zpráva|e-mail)|özgün ileti|eredeti üzenet` +
	`)\s?(?:[-_=>\])]+)?\s?:?$`)

var (
	dashed    = regexp.MustCompile(`(?i)^-{2,}\s?[^-].{1,80}[^-]\s?-{2,}$|^message du \d`)
	groupWise = regexp.MustCompile(`^>>> .*(>>>|:|,? in message)$`)
	zoho      = regexp.MustCompile(`^-{2,4} .*\d.* -{2,4}$`)
	rule      = regexp.MustCompile(`^[-_=~─━―—=・#+*★☆◆◇■□●○♪◎]{4,}$`)
)

// field is a field of the header of a quoted mail.
type field uint8

const (
	noField field = iota
	fromField
	toField
	dateField
	subjectField
	ccField
	lastField
)

// fieldNames are the fields as mail programs of each language copy them.
var fieldNames = names(map[field]string{
	fromField:    "from|de|da|mittente|remitente|von|absender|van|od|от|от кого|差出人|送信者|送信元|发件人|寄件者|寄件人|發件人|보낸 사람|보낸사람|보낸이|발신|från|fra|lähettäjä|kimden|odesílatel|feladó|expéditeur|remetente|from name|从",
	toField:      "to|para|destinatario|destinatari|a|an|à|aan|do|кому|宛先|受信者|收件人|收件者|받는 사람|받는사람|받는이|수신|till|til|vastaanottaja|kime|komu|címzett|destinataire|pour|destinatário",
	dateField:    "date|sent|sent on|received|enviado|enviado el|enviada el|enviada|fecha|data|inviato|inviato il|gesendet|gesendet am|datum|envoyé|envoyé le|enviada em|enviado em|verzonden|wysłano|data wysłania|дата|отправлено|送信日時|送信日|日時|日付|发送时间|发送日期|日期|寄件日期|傳送日期|时间|時間|보낸 날짜|날짜|보낸날짜|발신일|skickat|skickat den|sendt|dato|lähetetty|päivämäärä|gönderildi|tarih|odesláno|elküldve|время",
	subjectField: "subject|asunto|oggetto|ogg|betreff|objet|sujet|assunto|onderwerp|temat|тема|件名|题名|主题|主旨|標題|主題|제목|ämne|emne|aihe|konu|předmět|tárgy",
	ccField:      "cc|copia|kopie|копия|抄送|副本|참조|kopia|reply-to|importance|importancia|priorità|priority|attachments",
})

func names(table map[field]string) map[string]field {
	out := map[string]field{}
	for f, list := range table {
		for name := range strings.SplitSeq(list, "|") {
			out[name] = f
		}
	}
	return out
}
