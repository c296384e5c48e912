package mailer

import (
	"io"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// htmlLines returns the lines of an HTML text; those that a mail program has
// marked as quoted say so. It goes by tokens, not by a tree, so its cost is
// that of the text, however deep the elements are nested.
func htmlLines(r io.Reader) []line {
	p := page{tokens: html.NewTokenizer(r)}
	for {
		switch p.tokens.Next() {
		case html.ErrorToken:
			p.endLine()
			return p.lines
		case html.TextToken:
			if !p.top().dropped {
				p.write(string(p.tokens.Text()))
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			p.open(p.tokens.Token())
		case html.EndTagToken:
			name, _ := p.tokens.TagName()
			p.close(atom.Lookup(name))
		}
	}
}

// deepest is how many open elements are kept; those inside count as text of
// the last one.
const deepest = 200

// page is an HTML text being read.
type page struct {
	tokens  *html.Tokenizer
	lines   []line
	row     strings.Builder // the line in hand
	blank   bool            // a blank is due before the next word
	quoted  bool            // the line in hand, or the last one, is quoted
	elems   []element
	tooDeep int
	behind  bool // all that follows is quoted
}

// element is an open element and what holds inside it.
type element struct {
	name            atom.Atom
	block           bool
	quoted, dropped bool
	pre             bool
}

func (p *page) top() element {
	if len(p.elems) == 0 {
		return element{}
	}
	return p.elems[len(p.elems)-1]
}

func (p *page) open(t html.Token) {
	block := blockElements[t.DataAtom]
	if block {
		p.endLine()
	}
	switch t.DataAtom {
	case atom.Br:
		p.breakLine()
		return
	case atom.Td, atom.Th:
		p.blank = true
	case atom.Hr, atom.Img, atom.Input, atom.Meta, atom.Link, atom.Col, atom.Base, atom.Wbr:
		p.behind = p.behind || marked(t) == quotedRest
		return
	}
	if t.Type == html.SelfClosingTagToken {
		return
	}
	if block && p.top().name == atom.P {
		p.elems = p.elems[:len(p.elems)-1] // its end may be left out
	}
	if len(p.elems) >= deepest {
		p.tooDeep++
		return
	}
	up := p.top()
	e := element{name: t.DataAtom, block: block, quoted: up.quoted, dropped: up.dropped || droppedElements[t.DataAtom], pre: up.pre || t.DataAtom == atom.Pre}
	switch marked(t) {
	case quotedPart:
		e.quoted = true
	case quotedRest:
		p.behind = true
	case hiddenPart:
		e.dropped = true
	}
	p.elems = append(p.elems, e)
}

// close ends the innermost open element of that name and all in it.
func (p *page) close(name atom.Atom) {
	if blockElements[name] {
		p.endLine()
	}
	if p.tooDeep > 0 {
		p.tooDeep--
		return
	}
	for i := len(p.elems) - 1; i >= 0; i-- {
		if p.elems[i].name == name {
			p.elems = p.elems[:i]
			return
		}
	}
}

// write adds text to the line in hand, every run of white space as one blank,
// except where it is preformatted.
func (p *page) write(text string) {
	if p.row.Len() == 0 {
		p.quoted = p.behind || p.top().quoted
	}
	if p.top().pre {
		for i, part := range strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n") {
			if i > 0 {
				p.breakLine()
				p.quoted = p.behind || p.top().quoted
			}
			p.row.WriteString(part)
		}
		return
	}
	for i, word := range strings.FieldsFunc(text, isHTMLSpace) {
		if i > 0 || p.blank || isHTMLSpace(rune(text[0])) {
			if p.row.Len() > 0 {
				p.row.WriteByte(' ')
			}
		}
		p.blank = false
		p.row.WriteString(word)
	}
	if text != "" && isHTMLSpace(rune(text[len(text)-1])) {
		p.blank = true
	}
}

func isHTMLSpace(r rune) bool { return r == ' ' || r == '\n' || r == '\r' || r == '\t' || r == '\f' }

// breakLine ends the line in hand, even an empty one.
func (p *page) breakLine() {
	p.lines = append(p.lines, newLine(p.row.String(), p.quoted && p.row.Len() > 0))
	p.row.Reset()
	p.blank = false
}

// endLine ends the line in hand if there is anything in it.
func (p *page) endLine() {
	if p.row.Len() > 0 {
		p.breakLine()
	}
	p.blank = false
}
