package mailer

import (
	"regexp"
	"strings"
)

// signatureMark begins a signature: "-- " (RFC 3676, section 4.3), with the
// blank eaten or the dashes made one by a phone.
var signatureMark = regexp.MustCompile(`^(--|—|––|- --|__)$`)

// isTagline reports whether a line is what a phone or a program signs with,
// whatever links there are in it.
func isTagline(key string) bool {
	if strings.Contains(key, "://") {
		key = strings.Join(strings.Fields(link.ReplaceAllString(key, " ")), " ")
	}
	return tagline.MatchString(key) || placeholder.MatchString(key)
}

// placeholder stands for what a plain text cannot show.
var placeholder = regexp.MustCompile(`(?i)^(\[?cid:\S+|\[?(inline )?image:?[^]]*|<[^<>]+\.(png|jpe?g|gif)>|this is a multi-?part message in mime format\.?|(this|your) (message|e-?mail|mail)( client| program)? .{0,60}(html|mime).{0,60})\]?$`)

var link = regexp.MustCompile(`[(<\[]*https?://[^\s>)\]]+[>)\]]*|[\[\]]`)

// tagline is what phones and programs sign with, a line that is nobody's text.
var tagline = regexp.MustCompile(`(?i)^\W*(` +
	`sent (from|via|with|using) (my |the |mail for|outlook|yahoo|proton|gmail|samsung|spark|zoho|tuta|fastmail|mailbird|airmail|blackberry|i?phone|ipad|android|mobile|k-9|fairemail|thunderbird|hey|canary|mailspring|edison|aqua|newton|windows|hotmail|aol|mail\.|a |an )|` +
	`get (outlook|yahoo|bluemail|spark|the new outlook) (for|mail)|get bluemail|download (outlook|the) |` +
	`(enviado|mandado) (desde|con|por|usando|a través|mediante) |obt(é|e)n(er|ga)? outlook|descarga outlook|` +
	`(inviato|spedito|mandato) (da|dal|dall'|con|tramite|utilizzando|mediante) ?|ottieni outlook|scarica outlook|` +
	`(iphone|ipad|android|xperia|galaxy|aquos|arrows|windows|yahoo!?メール|gmail|outlook|スマートフォン|スマホ|携帯|docomo|au|softbank|mac|dynapocket|nexus|pixel|メール).{0,30}(から|より|で)(の?送信|送りました|送られました)|(android|ios|iphone).{0,6}(の|版|用|for).{0,4}outlook.{0,10}(を)?(入手|取得|ダウンロード)|outlook for (ios|android) を|` +
	`(von|mit) mein(em|er) .{1,60} (gesendet|geschickt|verschickt)|(gesendet|verschickt|geschickt|versendet|geschrieben) (von|mit|aus|über|via) (mein|der|dem|outlook|mail|gmx|web|t-online|yahoo|proton|k-9|spark|iphone|ipad|android|tutanota)|diese (nachricht|e-?mail|mail) wurde (von|mit) .{1,80} gesendet|outlook für (android|ios) (beziehen|herunterladen|abrufen)|hol(en sie sich|e dir) outlook|` +
	`(envoyé|envoye) (de|depuis|à partir|avec|par|via) |(télécharger|obtenir|téléchargez) outlook|provenance : |` +
	`enviado (do|da|pelo|através|via|a partir|de) |obter (o )?outlook|baixe o outlook|` +
	`(verstuurd|verzonden|gestuurd) (vanaf|vanuit|van|met|via) |outlook voor (android|ios) downloaden|download outlook|` +
	`wysłan[eoay] (z|ze|za|przy|przez|poczt) ?|pobierz outlook|pobierz program outlook|` +
	`отправлено (из|с|со|через|от) ?|послано с|получить outlook|скачать outlook|` +
	`(发自|发送自|來自|来自|從|从|發自|寄自)(我的|我|iphone|ipad|网易|foxmail|qq|outlook|samsung|小米|华为|huawei|xiaomi|yahoo|.{1,20}(傳送|发送|寄出))|获取 ?outlook|取得 ?outlook|` +
	`(나의|내) .{1,30}에서 (보냄|발송|보낸|전송)|.{1,30}에서 (보냄|발송됨|전송됨|보냈습니다)|(android|ios)용 outlook|` +
	`skickat från |skickades från|sendt fra |lähetetty |odesláno z|gönderildi|envoyé de` +
	`)`)

// contact is what signatures hold and moves do not: an address, a link, a
// telephone number, a postal code mark.
var contact = regexp.MustCompile(`(?i)[^\s<>]+@[^\s<>]+\.[a-z]|https?://|\bwww\.|\b(tel|tél|teléfono|telefon|telefono|phone|mobile|móvil|mobil|cell|fax|mob|ph|電話|携帯|тел|电话|전화)\b[.:\s]|(電話|携帯|電話番号|电话|手机|전화)[:\s\d]|〒|\+\d[\d ().-]{6,}|\b0\d{1,4}[-\s/.]\d{2,4}[-\s.]?\d{2,4}|\(\d{2,4}\)\s?\d{3}`)

// listFooter is what list programs put below a mail.
var listFooter = regexp.MustCompile(`(?i)(mailing ?list\b|\bto (leave|unsubscribe|post|change your)\b.*[:@]|unsubscribe\b.*(https?:|@|here|click|list|group)|you (are )?received? this (message|e-?mail|mail) because|(darse|date|para darte|para cancelar).{0,20}(de baja|suscripci)|lista de (correo|distribución|discussão)|per (cancellar|annullar|disiscriver)|lista di (distribuzione|discussione)|メーリングリスト|配信停止|liste de diffusion|se désabonner|désinscri|mailingliste|abmelden:|abbestellen|отписаться|google groups|groups\.io|yahoo! groups|退订|구독 ?취소)`)

// antivirus is what scanners put below a mail.
var antivirus = regexp.MustCompile(`(?i)^\W*(virus-?free|libre de virus|privo di virus|senza virus|ウイルスフリー|ウイルス ?チェック|このメールは.{0,30}(ウイルス|ウィルス)|virenfrei|sans virus|livre de v[ií]rus|virusvrij|bez wirus|без вирусов|不含病毒|无病毒|(this|the) (e-?mail|mail|message) (has been|was|is) (checked|scanned|certified|protected)|(este|el) (correo|mensaje|e-?mail).{0,40}(virus|avast|avg)|(questa|la) (e-?mail|mail).{0,40}(virus|avast|avg)|diese (e-?mail|nachricht|mail) (wurde|ist).{0,40}(virus|viren|geprüft)|(ce|cet) (e-?mail|message|courriel).{0,50}(virus|avast)|(este|esta) (e-?mail|mensagem).{0,40}v[ií]rus|deze e-?mail (is|werd).{0,40}virus|scanned by|checked by avg|no virus found|avast|avg\b.*virus)`)

// disclaimer begins the legal text that servers put below a mail.
var disclaimer = regexp.MustCompile(`(?i)^\W*(` +
	`(confidentiality|legal|privacy|important) (notice|disclaimer|statement)|disclaimer\b|confidential(ity)?\b ?[:.-]|(this|the information|the contents?|information) .{0,60}(e-?mail|message|transmission|communication)\b.{0,120}(confidential|intended (only|solely)|privileged)|if you are not the intended|(please )?(consider|think of) the environment|please don't print|` +
	`aviso (legal|de confidencialidad)|aviso\b.{0,100}(correo|mensaje|e-?mail|confidencial)|(este|el presente|la información) .{0,60}(correo|mensaje|e-?mail)\b.{0,120}confidencial|antes de imprimir|cláusula de confidencialidad|protección de datos|` +
	`avviso (legale|di riservatezza)|avviso\b.{0,100}(messaggio|e-?mail|riservat|confidenzial)|(questo|questa|il presente|la presente|le informazioni) .{0,80}(messaggio|e-?mail|mail|comunicazione)\b.{0,120}(riservat|confidenzial)|le informazioni contenute|informativa (privacy|sulla)|prima di stampare|ai sensi (del|dell')|` +
	`(この|本)(電子)?(メール|e-?mail|メッセージ).{0,60}(機密|秘密|宛先|意図)|【?(機密|秘密保持|免責|注意事項)|` +
	`(diese|die in dieser|der inhalt dieser) .{0,40}(e-?mail|nachricht|mail)\b.{0,120}vertraulich|vertraulichkeitshinweis|rechtlicher hinweis|hinweis\b.{0,60}(e-?mail|nachricht|vertraulich)|bitte prüfen sie.{0,40}(umwelt|ausdruck)|denken sie an die umwelt|` +
	`(ce|cet|le présent|les informations) .{0,60}(message|courriel|e-?mail)\b.{0,120}confidentiel|avertissement ?[:.]|avis de confidentialité|pensez à l'environnement|` +
	`(esta|este|a informação|as informações) .{0,60}(mensagem|e-?mail)\b.{0,120}confidencia|aviso de confidencialidade|antes de imprimir|` +
	`(dit|deze|de informatie) .{0,60}(bericht|e-?mail)\b.{0,120}vertrouwelijk|` +
	`(ta|niniejsza|treść|informacje) .{0,60}(wiadomość|wiadomości|korespondencja|e-?mail)\b.{0,120}poufn|` +
	`(это|данное|настоящее|информация) .{0,60}(сообщение|письмо|письме|сообщении).{0,120}конфиденциальн|` +
	`(本|此)(邮件|郵件|电子邮件|電子郵件).{0,60}(保密|机密|機密)|` +
	`(이|본) (메일|이메일|전자우편).{0,80}(기밀|비밀|보안)` +
	`)`)
