package page

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// once marks elements of which one may be open at a time: where a second begins, the first ends in ways that are not plain.
type once uint8

const (
	onceParagraph once = 1 << iota
	onceLink
	onceButton
	onceForm
)

func onceOf(tag atom.Atom) once {
	switch tag {
	case atom.P:
		return onceParagraph
	case atom.A:
		return onceLink
	case atom.Button:
		return onceButton
	case atom.Form:
		return onceForm
	}
	return 0
}

// isVoid knows the elements that have no content and no end.
func isVoid(tag atom.Atom) bool {
	switch tag {
	case atom.Area, atom.Base, atom.Basefont, atom.Bgsound, atom.Br, atom.Col, atom.Embed, atom.Hr, atom.Img, atom.Input, atom.Link,
		atom.Meta, atom.Param, atom.Source, atom.Track, atom.Wbr:
		return true
	}
	return false
}

// isRaw knows the elements whose content is no markup.
func isRaw(tag atom.Atom) bool {
	switch tag {
	case atom.Iframe, atom.Noembed, atom.Noframes, atom.Noscript, atom.Script, atom.Style, atom.Textarea, atom.Title:
		return true
	}
	return false
}

// isOdd knows the elements that have rules of their own and are rare in text.
func isOdd(tag atom.Atom) bool {
	switch tag {
	case atom.Applet, atom.Body, atom.Frame, atom.Frameset, atom.Head, atom.Html, atom.Image, atom.Keygen, atom.Listing, atom.Marquee,
		atom.Math, atom.Nobr, atom.Object, atom.Optgroup, atom.Option, atom.Plaintext, atom.Rb, atom.Rp, atom.Rt, atom.Rtc,
		atom.Select, atom.Template, atom.Xmp:
		return true
	}
	return false
}

// isFlow knows the elements that no paragraph holds: it ends where they begin.
func isFlow(tag atom.Atom) bool {
	switch tag {
	case atom.Address, atom.Article, atom.Aside, atom.Blockquote, atom.Center, atom.Details, atom.Dialog, atom.Dir, atom.Div, atom.Dl,
		atom.Fieldset, atom.Figcaption, atom.Figure, atom.Footer, atom.Form, atom.Header, atom.Hgroup, atom.Hr, atom.Main, atom.Menu,
		atom.Nav, atom.Ol, atom.P, atom.Pre, atom.Search, atom.Section, atom.Summary, atom.Ul:
		return true
	}
	return isHeading(tag)
}

func isHeading(tag atom.Atom) bool {
	switch tag {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		return true
	}
	return false
}

// endsWith tells whether an element may be left open within another: whether it ends with that one's end.
func endsWith(inner, outer atom.Atom) bool {
	switch inner {
	case atom.P, atom.Li, atom.Dd, atom.Dt:
		switch outer {
		case atom.Button, atom.Li, atom.Dd, atom.Dt, atom.Td, atom.Th:
			return true
		}
		return isFlow(outer) || inner == atom.P && endsWith(atom.Td, outer)
	case atom.Td, atom.Th:
		return outer == atom.Tr || isRowGroup(outer) || outer == atom.Table
	case atom.Tr:
		return isRowGroup(outer) || outer == atom.Table
	case atom.Tbody, atom.Thead, atom.Tfoot, atom.Colgroup:
		return outer == atom.Table
	}
	return false
}

func isCell(tag atom.Atom) bool { return tag == atom.Td || tag == atom.Th }

func isRowGroup(tag atom.Atom) bool {
	return tag == atom.Tbody || tag == atom.Thead || tag == atom.Tfoot
}

// fits makes a place for an element that begins: it ends what cannot hold it, and begins what a page may leave out around it.
func (w *wellFormed) fits(tag atom.Atom, name string) bool {
	switch {
	case len(w.open) == 0:
		return tag == atom.Html
	case w.top().Namespace != "":
		return w.top().DataAtom != atom.Title && isDrawn(name)
	}
	top := w.top().DataAtom
	switch top {
	case atom.Html:
		return tag == atom.Head && !w.hasHead || tag == atom.Body && w.hasHead
	case atom.Head:
		switch tag {
		case atom.Base, atom.Basefont, atom.Bgsound, atom.Link, atom.Meta, atom.Noframes, atom.Noscript, atom.Script, atom.Style, atom.Title:
			return true
		}
		return false
	}
	switch tag {
	case atom.Caption, atom.Col, atom.Colgroup, atom.Tbody, atom.Thead, atom.Tfoot, atom.Tr, atom.Td, atom.Th:
		return w.fitsTable(tag)
	}
	if holdsNoText(top) {
		return top != atom.Colgroup && (tag == atom.Script || tag == atom.Style)
	}
	return !isOdd(tag) && w.fitsBody(tag)
}

// isDrawn knows the plain parts of a drawing.
func isDrawn(name string) bool {
	switch name {
	case "circle", "defs", "ellipse", "g", "line", "mask", "path", "polygon", "polyline", "rect", "stop", "svg", "symbol", "text", "title",
		"tspan", "use":
		return true
	}
	return false
}

func (w *wellFormed) fitsBody(tag atom.Atom) bool {
	switch {
	case isFlow(tag):
		if w.top().DataAtom == atom.P {
			w.pop()
		}
		if isHeading(tag) && isHeading(w.top().DataAtom) {
			return false
		}
	case tag == atom.Li:
		if w.top().DataAtom == atom.Li {
			w.pop()
		}
		switch w.top().DataAtom {
		case atom.Ul, atom.Ol, atom.Menu, atom.Dir:
		default:
			return false
		}
	case tag == atom.Dd || tag == atom.Dt:
		if top := w.top().DataAtom; top == atom.Dd || top == atom.Dt {
			w.pop()
		}
		if top := w.top(); top.DataAtom != atom.Dl && (top.DataAtom != atom.Div || top.Parent.DataAtom != atom.Dl) {
			return false
		}
	case tag != atom.Table:
		return true
	}
	return w.inside&onceParagraph == 0
}

// fitsTable makes a place for a part of a table.
func (w *wellFormed) fitsTable(tag atom.Atom) bool {
	if top := w.top(); top.DataAtom == atom.P && isCell(top.Parent.DataAtom) {
		w.pop()
	}
	if isCell(w.top().DataAtom) {
		w.pop()
	}
	if w.top().DataAtom == atom.Tr && !isCell(tag) {
		w.pop()
	}
	if isRowGroup(w.top().DataAtom) && !isCell(tag) && tag != atom.Tr {
		w.pop()
	}
	if w.top().DataAtom == atom.Colgroup && tag != atom.Col {
		w.pop()
	}
	if w.top().DataAtom == atom.Table {
		switch tag {
		case atom.Col:
			return w.push(implied(atom.Colgroup))
		case atom.Tr:
			return w.push(implied(atom.Tbody))
		case atom.Td, atom.Th:
			return w.push(implied(atom.Tbody)) && w.push(implied(atom.Tr))
		}
		return true
	}
	switch tag {
	case atom.Col:
		return w.top().DataAtom == atom.Colgroup
	case atom.Tr:
		return isRowGroup(w.top().DataAtom)
	case atom.Td, atom.Th:
		return w.top().DataAtom == atom.Tr || isRowGroup(w.top().DataAtom) && w.push(implied(atom.Tr))
	}
	return false
}

func implied(tag atom.Atom) html.Node {
	return html.Node{Type: html.ElementNode, DataAtom: tag, Data: tag.String()}
}
