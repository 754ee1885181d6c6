package markup

import (
	"regexp"
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

// sheetOf reads the style elements of a page.
func sheetOf(doc *html.Node) *sheet {
	s := &sheet{rules: map[string]looks{}}
	left := maxStyle
	for n := doc; n != nil && left > 0; n = After(n, doc, false) {
		if n.DataAtom == atom.Style && n.FirstChild != nil {
			css := n.FirstChild.Data[:min(len(n.FirstChild.Data), left)]
			left -= len(css)
			s.read(unescapedStyle(css))
		}
	}
	return s
}

func hasStyleSheet(doc *html.Node) bool {
	for n := doc; n != nil; n = After(n, doc, false) {
		isLink := n.DataAtom == atom.Link && strings.Contains(strings.ToLower(Attr(n, "rel")), "stylesheet")
		if isLink || n.DataAtom == atom.Style {
			return true
		}
	}
	return false
}

var (
	cssStatement = regexp.MustCompile(`@[^{};]*;`) // @import and @charset
	cssCondition = regexp.MustCompile(`@[^{}]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}`)
	cssRule      = regexp.MustCompile(`([^{}]*)\{([^{}]*)`)
	cssComment   = regexp.MustCompile(`(?s)/\*.*?(?:\*/|$)`)
	cssEscape    = regexp.MustCompile(`\\[0-9a-f]{1,6} ?|\\`)
)

// read takes rules one by one. Of rules under a condition only those for any screen are taken.
func (s *sheet) read(css string) {
	css = cssStatement.ReplaceAllString(css, "")
	for range 3 { // conditions may be nested, and the innermost are found first
		css = cssCondition.ReplaceAllStringFunc(css, func(block string) string {
			head, inner, _ := strings.Cut(block, "{")
			condition := strings.Join(strings.Fields(head), " ")
			if condition == "@media screen" || condition == "@media all" ||
				strings.HasPrefix(condition, "@layer") {
				return strings.TrimSuffix(inner, "}")
			}
			return ""
		})
	}
	for _, rule := range cssRule.FindAllStringSubmatch(css, -1) {
		s.rule(rule[1], rule[2])
	}
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

// isLook knows the properties by which a page hides text. All others are passed over: each one that is kept
// is kept for every selector of its rule.
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
		property = strings.TrimSpace(property)
		if !found || !isLook(property) {
			continue
		}
		value = strings.Join(strings.Fields(value), " ")
		rank := rank
		if plain, marked := strings.CutSuffix(value, "important"); marked &&
			strings.HasSuffix(strings.TrimSpace(plain), "!") {
			value = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(plain), "!"))
			rank += important
		}
		l.set(property, value, rank)
	}
}

// looksOf merges what is declared for an element.
func (s *sheet) looksOf(n *html.Node) looks {
	names := []string{n.Data}
	classes := strings.Fields(strings.ToLower(Attr(n, "class")))
	for _, class := range classes[:min(len(classes), 50)] {
		names = append(names, "."+class, n.Data+"."+class)
	}
	if id := strings.ToLower(Attr(n, "id")); id != "" {
		names = append(names, "#"+id, n.Data+"#"+id)
	}
	all := looks{}
	for _, name := range names {
		for property, d := range s.rules[name] {
			all.set(property, d.value, d.rank)
		}
	}
	style := Attr(n, "style")
	all.declare(unescapedStyle(style[:min(len(style), 64<<10)]), inline)
	return all
}

// unescapedStyle is CSS in lower case, without comments and escapes.
func unescapedStyle(css string) string {
	css = cssComment.ReplaceAllString(strings.ToLower(css), "")
	return cssEscape.ReplaceAllStringFunc(css, func(escape string) string {
		code, err := strconv.ParseUint(strings.TrimSpace(escape[1:]), 16, 32)
		if err != nil {
			return ""
		}
		return strings.ToLower(string(rune(code)))
	})
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
