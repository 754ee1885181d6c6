package browser

import (
	"html"
	"slices"
	"strconv"
	"strings"
)

// seen collects what a person sees of a page: its text as HTML of plain elements, and its controls.
type seen struct {
	html     strings.Builder
	controls []*control
	drawn    bool // it has a canvas, whose text cannot be read
	unread   bool // a frame is missing
	password bool
	in       *document
	ground   string // background colour, "" for a picture
	form     *node
}

// kept lists elements with a meaning in Markdown. All others become a block or a run of text.
var kept = strings.Fields("h1 h2 h3 h4 h5 h6 p ul ol li table thead tbody tfoot tr td th caption " +
	"pre code blockquote em strong b i dl dt dd br hr sup sub kbd figcaption a")

// left lists elements whose content nobody reads.
var left = strings.Fields("script style noscript template head select textarea input object embed " +
	"datalist audio video svg")

// document walks through a page, or the page in a frame.
func (s *seen) document(d *document) {
	before := s.in
	s.in = d
	s.children(d.root)
	s.in = before
}

func (s *seen) children(n *node) {
	for _, c := range n.inside {
		switch {
		case c.kind == 3 || strings.HasPrefix(c.name, "::"):
			if c.name != "::marker" && s.shows(c) {
				s.html.WriteString(html.EscapeString(c.text))
			}
		case c.kind == 1 && !hides(c):
			s.element(c)
		}
	}
}

func (s *seen) element(n *node) {
	form, ground := s.form, s.ground
	defer func() { s.form, s.ground = form, ground }()
	if n.name == "form" {
		s.form = n
	}
	image, colour := n.looks("background-image"), n.looks("background-color")
	if image != "none" && image != "" {
		s.ground = ""
	} else if colour != "" && !seeThrough(colour) {
		s.ground = colour
	}
	s.control(n)
	isLarge := n.box != nil && n.box[2]*n.box[3] > 10_000
	isFrame := n.name == "iframe" || n.name == "frame"
	switch {
	case slices.Contains(left, n.name):
		return
	case n.name == "canvas":
		s.drawn = s.drawn || isLarge
		return
	case isFrame && n.frame != nil:
		s.html.WriteString("<div>")
		s.document(n.frame)
		s.html.WriteString("</div>")
		return
	case isFrame:
		s.unread = s.unread || isLarge
		return
	}
	tag, attributes := s.tagOf(n)
	gap := ""
	if tag == "span" && n.looks("display") == "inline-block" { // such as buttons in a row
		gap = " "
	}
	s.html.WriteString(gap + "<" + tag + attributes + ">")
	if tag != "br" && tag != "hr" {
		s.children(n)
		s.html.WriteString("</" + tag + ">" + gap)
	}
}

// tagOf returns the plain element that an element becomes.
func (s *seen) tagOf(n *node) (tag, attributes string) {
	for _, name := range []string{"href", "colspan", "rowspan", "start"} {
		value := n.attrs[name]
		if name == "href" {
			value = s.address(value)
		}
		if value != "" && (name != "href" || isWeb(value)) {
			attributes += " " + name + `="` + html.EscapeString(value) + `"`
		}
	}
	tag = n.name
	switch {
	case n.attrs["role"] == "heading":
		level, _ := strconv.Atoi(n.attrs["aria-level"]) // 0 if it is missing or invalid
		tag = "h" + strconv.Itoa(min(max(level, 2), 6))
	case slices.Contains(kept, n.name):
	case n.style == nil || strings.HasPrefix(n.looks("display"), "inline") ||
		n.looks("display") == "contents":
		tag = "span"
	default:
		tag = "div"
	}
	return tag, attributes
}

// address resolves a link of the document.
func (s *seen) address(href string) string {
	if s.in.base == nil || href == "" {
		return ""
	}
	if to, err := s.in.base.Parse(strings.TrimSpace(href)); err == nil {
		return to.String()
	}
	return ""
}

// hides reports whether a person sees nothing of an element and its content.
func hides(n *node) bool {
	if n.style == nil {
		return n.name == "script" || n.name == "style"
	}
	if share, err := strconv.ParseFloat(n.looks("opacity"), 64); err == nil && share < 0.05 {
		return true
	}
	x, y, width, height := n.box[0], n.box[1], n.box[2], n.box[3]
	clipped := n.looks("overflow-x") != "visible"
	return clipped && (width <= 1 || height <= 1) || // for screen readers
		n.looks("position") == "absolute" && width > 0 && (x+width <= 0 || y+height <= 0)
}

// shows reports whether a person sees a text.
func (s *seen) shows(n *node) bool {
	if n.style == nil || n.looks("visibility") != "visible" || n.looks("content-visibility") == "hidden" {
		return false
	}
	if size, err := strconv.ParseFloat(strings.TrimSuffix(n.looks("font-size"), "px"),
		64); err == nil && size < 3 {
		return false
	}
	if strings.Contains(n.looks("background-clip"), "text") || s.ground == "" {
		return true
	}
	text := n.looks("color")
	return !seeThrough(text) && text != s.ground
}

// seeThrough reports whether a colour is fully transparent.
func seeThrough(colour string) bool {
	return strings.HasPrefix(colour, "rgba(") && strings.HasSuffix(colour, ", 0)")
}
