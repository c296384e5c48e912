package mailer

import (
	"regexp"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

var blockElements = elements(atom.Div, atom.P, atom.Tr, atom.Li, atom.Table, atom.Blockquote, atom.Pre, atom.H1, atom.H2,
	atom.H3, atom.H4, atom.H5, atom.H6, atom.Hr, atom.Ul, atom.Ol, atom.Dl, atom.Dt, atom.Dd, atom.Body, atom.Section,
	atom.Article, atom.Header, atom.Footer, atom.Center, atom.Address, atom.Details, atom.Fieldset)

// droppedElements hold no text of a reader's.
var droppedElements = elements(atom.Style, atom.Script, atom.Head, atom.Title, atom.Template, atom.Noscript, atom.Object,
	atom.Select, atom.Textarea, atom.Svg)

func elements(names ...atom.Atom) map[atom.Atom]bool {
	set := make(map[atom.Atom]bool, len(names))
	for _, n := range names {
		set[n] = true
	}
	return set
}

// mark says what a mail program has marked an element as.
type mark uint8

const (
	unmarked   mark = iota
	quotedPart      // a quote
	quotedRest      // from here on all is quoted
	hiddenPart      // not to be seen, or a signature
)

// marked knows the marks that mail programs put on what they quote, sign and
// hide.
func marked(t html.Token) mark {
	var names, style string // names: id, class, name and the like, in lower case
	cite := false
	for _, a := range t.Attr {
		switch a.Key {
		case "id", "class", "name", "data-marker", "data-smartmail":
			names += " " + strings.ToLower(a.Val) + " "
		case "style":
			style = strings.ToLower(strings.ReplaceAll(a.Val, " ", ""))
		case "type":
			cite = strings.EqualFold(a.Val, "cite")
		case "hidden":
			return hiddenPart
		}
	}
	switch {
	case restNames.MatchString(names), restStyle.MatchString(style):
		return quotedRest
	case hiddenStyle.MatchString(style), signatureNames.MatchString(names):
		return hiddenPart
	case quoteNames.MatchString(names):
		return quotedPart
	case t.DataAtom == atom.Blockquote && (cite || !indentStyle.MatchString(style)):
		return quotedPart
	}
	return unmarked
}

var (
	// Outlook, Outlook on the web, Outlook for Mac, new Outlook, Zimbra, Windows Mail.
	restNames = regexp.MustCompile(`(divrplyfwdmsg|appendonsend|olk_src_body_section|mail-editor-reference-message|__divider__|__quoted_text__|__headers__)`)
	restStyle = regexp.MustCompile(`border-top:(solid#(e1e1e1|b5c4df|b5c4de)1\.0pt|1(\.0)?p[xt]solid#(e1e1e1|b5c4df))|border:none;border-top:solid`)

	// Gmail, Yahoo, Thunderbird, Proton, Tuta, GMX, mail.ru, Yandex, Zoho, QQ,
	// NetEase, Naver, Android mail, K-9, FairEmail, Roundcube, Horde, Spark.
	quoteNames = regexp.MustCompile(`quote|gmail_attr|cite-prefix|isreplycontent|zmail_extra|includetail|reply_?header|replymessage|replied|original[-_]?(message|mail|content)|mail_android_quote|cm_replymail|_rplybody`)

	signatureNames = regexp.MustCompile(`signature|ms-outlook-mobile|applemailsignature|-sig\b|\bsig-|yahoo-signature|_sign\b`)
	hiddenStyle    = regexp.MustCompile(`display:none|visibility:hidden|mso-hide:all|font-size:0(px|pt|;|$|!)|max-height:0(px|;|$|!)`)

	// A person's own indented paragraph, as Gmail writes it.
	indentStyle = regexp.MustCompile(`border(-left)?:(none|0)`)
)
