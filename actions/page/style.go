package page

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// maxStyle is how many bytes of a page's own styles are read.
const maxStyle = 1 << 20

// looks are the declarations that hold for an element, by property.
type looks map[string]declared

type declared struct {
	value string
	rank  int // of two the one with the higher rank holds
}

func (l looks) get(property string) string { return l[property].value }

func (l looks) set(property, value string, rank int) {
	if rank >= l[property].rank {
		l[property] = declared{value, rank}
	}
}

// What a declaration weighs by where it is written. The order of rules comes on top.
const (
	byTag = 1 << (20 + iota)
	byClass
	byID
	inline
	important
)

// sheet holds the styles of a page by simple selectors: tag, .class, #id, tag.class and tag#id.
type sheet struct {
	rules map[string]looks
	count int
}

// sheetOf reads the style elements of a page; nil when they hide nothing.
func sheetOf(doc *html.Node) *sheet {
	var s *sheet
	left := maxStyle
	for n := doc; n != nil && left > 0; n = after(n, doc, false) {
		if n.DataAtom == atom.Style && n.FirstChild != nil {
			if s == nil {
				s = &sheet{rules: map[string]looks{}}
			}
			css := n.FirstChild.Data[:min(len(n.FirstChild.Data), left)]
			left -= len(css)
			s.read(unescapedStyle(css), 0)
		}
	}
	if s != nil && len(s.rules) == 0 {
		return nil
	}
	return s
}

func hasStyleSheet(doc *html.Node) bool {
	for n := doc; n != nil; n = after(n, doc, false) {
		isLink := n.DataAtom == atom.Link && strings.Contains(strings.ToLower(attr(n, "rel")), "stylesheet")
		if isLink || n.DataAtom == atom.Style {
			return true
		}
	}
	return false
}

// read takes rules one by one. Of rules under a condition only those for any screen are taken.
func (s *sheet) read(css string, depth int) {
	for len(css) > 0 {
		open := strings.IndexByte(css, '{')
		if open < 0 || depth > 2 {
			return
		}
		head := css[:open]
		if at := strings.LastIndexByte(head, ';'); at >= 0 {
			head = head[at+1:] // @import and @charset
		}
		body, rest := block(css[open+1:])
		css = rest
		head = strings.TrimSpace(head)
		switch condition := strings.Join(strings.Fields(head), " "); {
		case condition == "@media screen", condition == "@media all", strings.HasPrefix(head, "@layer"):
			s.read(body, depth+1)
		case strings.HasPrefix(head, "@"):
		default:
			s.rule(head, body)
		}
	}
}

// block returns what is inside a pair of braces, and what follows.
func block(css string) (body, rest string) {
	depth := 1
	for i := range len(css) {
		switch css[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return css[:i], css[i+1:]
			}
		}
	}
	return css, ""
}

func (s *sheet) rule(selectors, body string) {
	s.count++
	declared := looks{}
	declared.declare(body, min(s.count, byTag-1))
	if len(declared) == 0 {
		return
	}
	for selector := range strings.SplitSeq(selectors, ",") {
		selector = strings.TrimSpace(selector)
		names := strings.Count(selector, ".") + strings.Count(selector, "#")
		if selector == "" || strings.ContainsAny(selector, " >+~:[*\t\n") || names > 1 {
			continue
		}
		weight := byTag
		switch {
		case strings.Contains(selector, "#"):
			weight = byID
		case strings.Contains(selector, "."):
			weight = byClass
		}
		if s.rules[selector] == nil {
			s.rules[selector] = looks{}
		}
		for property, d := range declared {
			s.rules[selector].set(property, d.value, d.rank+weight)
		}
	}
}

// isLook knows the properties by which a page hides text.
func isLook(property string) bool {
	switch property {
	case "display", "visibility", "content-visibility", "opacity", "filter", "transition",
		"font", "font-size", "color", "background", "background-color",
		"position", "left", "right", "top", "bottom", "text-indent", "margin-left", "margin-top",
		"transform", "scale", "clip", "clip-path", "overflow", "overflow-x", "overflow-y",
		"height", "width", "max-height", "max-width", "block-size", "inline-size":
		return true
	}
	return false
}

// declare takes the declarations of one block.
func (l looks) declare(body string, rank int) {
	for declaration := range strings.SplitSeq(body, ";") {
		property, value, found := strings.Cut(declaration, ":")
		if !found {
			continue
		}
		if property = strings.TrimSpace(property); !isLook(property) {
			continue
		}
		value = strings.Join(strings.Fields(value), " ")
		rank := rank
		if plain, marked := strings.CutSuffix(value, "important"); marked && strings.HasSuffix(strings.TrimSpace(plain), "!") {
			value = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(plain), "!"))
			rank += important
		}
		l.set(property, value, rank)
	}
}

// looksOf merges what is declared for an element, nil if nothing is.
func (s *sheet) looksOf(n *html.Node) looks {
	var all looks
	merge := func(some looks) {
		for property, d := range some {
			if all == nil {
				all = looks{}
			}
			all.set(property, d.value, d.rank)
		}
	}
	if s != nil {
		classes := strings.Fields(attr(n, "class"))
		names := []string{n.Data}
		for _, class := range classes[:min(len(classes), 50)] {
			names = append(names, "."+strings.ToLower(class), n.Data+"."+strings.ToLower(class))
		}
		if id := strings.ToLower(attr(n, "id")); id != "" {
			names = append(names, "#"+id, n.Data+"#"+id)
		}
		for _, name := range names {
			merge(s.rules[name])
		}
	}
	if style := attr(n, "style"); style != "" {
		own := looks{}
		own.declare(unescapedStyle(style[:min(len(style), 64<<10)]), inline)
		merge(own)
	}
	return all
}

// unescapedStyle is CSS in lower case, without comments and escapes.
func unescapedStyle(css string) string {
	var b strings.Builder
	css = strings.ToLower(css)
	for len(css) > 0 {
		at := strings.IndexAny(css, `/\`)
		if at < 0 {
			break
		}
		b.WriteString(css[:at])
		switch css = css[at:]; {
		case strings.HasPrefix(css, "/*"):
			_, after, _ := strings.Cut(css[2:], "*/")
			css = after
		case css[0] == '\\':
			end := 1
			for end < len(css) && end < 7 && strings.IndexByte("0123456789abcdef", css[end]) >= 0 {
				end++
			}
			if code, err := strconv.ParseUint(css[1:end], 16, 32); err == nil {
				b.WriteString(strings.ToLower(string(rune(code))))
				css = strings.TrimPrefix(css[end:], " ")
			} else {
				css = css[1:]
			}
		default:
			b.WriteByte('/')
			css = css[1:]
		}
	}
	b.WriteString(css)
	return b.String()
}

// share is a number or a percentage as a number, 1 for what is neither.
func share(value string) float64 {
	bare, percent := strings.CutSuffix(value, "%")
	number, err := strconv.ParseFloat(strings.TrimSpace(bare), 64)
	switch {
	case err != nil:
		return 1
	case percent:
		return number / 100
	}
	return number
}

// pixels is a length on a screen, roughly.
func pixels(value string) (length float64, ok bool) {
	value = strings.TrimSpace(value)
	for _, unit := range [...]struct {
		name string
		is   float64
	}{
		{"rem", 16}, {"em", 16}, {"px", 1}, {"pt", 1.3}, {"vw", 12}, {"vh", 8},
		{"ch", 8}, {"ex", 8}, {"cm", 38}, {"in", 96}, {"%", 12}, {"", 1},
	} {
		if bare, found := strings.CutSuffix(value, unit.name); found {
			number, err := strconv.ParseFloat(bare, 64)
			return number * unit.is, err == nil
		}
	}
	return 0, false
}
