package mailer

import (
	"io"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// htmlText returns the text of an HTML body without what it quotes.
func htmlText(r io.Reader) string {
	doc, err := html.ParseWithOptions(r, html.ParseOptionEnableScripting(false))
	if err != nil {
		return ""
	}
	var b strings.Builder
	htmlNode(&b, doc, 0)
	return b.String()
}

// htmlNode writes the text of n; false says that all behind it is quoted.
func htmlNode(b *strings.Builder, n *html.Node, depth int) bool {
	if depth > 200 {
		return true
	}
	switch n.Type {
	case html.TextNode:
		b.WriteString(strings.NewReplacer("\n", " ", "\r", " ").Replace(n.Data))
	case html.ElementNode:
		switch quoted(n) {
		case quotedPart:
			return true
		case quotedRest:
			return false
		}
		switch n.DataAtom {
		case atom.Style, atom.Script, atom.Head, atom.Title:
			return true
		case atom.Br:
			b.WriteByte('\n')
		}
	}
	block := blockElements[n.DataAtom]
	if block {
		b.WriteByte('\n')
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if !htmlNode(b, c, depth+1) {
			return false
		}
	}
	if block {
		b.WriteByte('\n')
	}
	return true
}

var blockElements = map[atom.Atom]bool{
	atom.Div: true, atom.P: true, atom.Tr: true, atom.Li: true, atom.Table: true, atom.Blockquote: true,
	atom.Pre: true, atom.H1: true, atom.H2: true, atom.H3: true, atom.H4: true, atom.Hr: true, atom.Ul: true, atom.Ol: true,
}

type quoting uint8

const (
	notQuoted  quoting = iota
	quotedPart         // this element is quoted or hidden
	quotedRest         // so is all behind it
)

// quoted knows the marks that mail programs put on what they quote.
func quoted(n *html.Node) quoting {
	var id, class, style, kind string
	for _, a := range n.Attr {
		switch a.Key {
		case "id":
			id = a.Val
		case "class":
			class = " " + a.Val + " "
		case "style":
			style = strings.ToLower(strings.ReplaceAll(a.Val, " ", ""))
		case "type":
			kind = a.Val
		case "hidden":
			return quotedPart
		case "data-marker":
			if a.Val == "__DIVIDER__" {
				return quotedRest
			}
		}
	}
	switch {
	case strings.HasSuffix(id, "divRplyFwdMsg"), strings.HasSuffix(id, "appendonsend"), id == "OLK_SRC_BODY_SECTION",
		strings.Contains(id, "mail-editor-reference-message"),
		strings.Contains(style, "border-top:solid#e1e1e11.0pt"), strings.Contains(style, "border-top:solid#b5c4df1.0pt"):
		return quotedRest
	case strings.Contains(class, "gmail_quote"), strings.Contains(class, "yahoo_quoted"),
		strings.Contains(class, "moz-cite-prefix"), strings.Contains(class, "gmail_signature"),
		strings.Contains(class, "moz-signature"), strings.Contains(class, "protonmail_quote"),
		n.DataAtom == atom.Blockquote && kind == "cite",
		strings.Contains(style, "display:none"), strings.Contains(style, "visibility:hidden"):
		return quotedPart
	}
	return notQuoted
}
