package markup

import (
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/daybook-agent/daybook/actions/page/tree"
	"github.com/mazznoer/csscolorparser"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// maxStyle bounds what is read of a page's own styles, in bytes.
const maxStyle = 1 << 20

// looks are the declarations for an element by property; the one with the higher rank wins.
type looks map[string]declared

type declared struct {
	value string
	rank  int
}

func (l looks) get(properties ...string) string {
	for _, property := range properties {
		if value := l[property].value; value != "" {
			return value
		}
	}
	return ""
}

func (l looks) add(more looks, rank int) {
	for property, d := range more {
		if d.rank += rank; d.rank >= l[property].rank {
			l[property] = d
		}
	}
}

// Weights of declarations by where they are written. The order of rules is added.
const (
	byTag = 1 << (20 + iota)
	byClass
	byID
	inline
	important
)

// sheet holds the styles of a page by simple selectors: tag, .class, #id, tag.class and tag#id.
type sheet map[string]looks

// sheetOf reads the style elements of a page, and reports whether it has styles, here or elsewhere.
func sheetOf(doc *html.Node) (s sheet, any bool) {
	s = sheet{}
	left, rules := maxStyle, 0
	for n := range doc.Descendants() {
		isLink := n.DataAtom == atom.Link &&
			strings.Contains(strings.ToLower(tree.Attr(n, "rel")), "stylesheet")
		any = any || isLink || n.DataAtom == atom.Style
		if n.DataAtom == atom.Style && n.FirstChild != nil && left > 0 {
			css := n.FirstChild.Data[:min(len(n.FirstChild.Data), left)]
			left -= len(css)
			for _, rule := range cssRule.FindAllStringSubmatch(withoutConditions(unescapedStyle(css)), -1) {
				rules++
				s.rule(rule[1], declarations(rule[2]), min(rules, byTag-1))
			}
		}
	}
	return s, any
}

var (
	cssStatement = regexp.MustCompile(`@[^{};]*;`) // @import and @charset
	cssCondition = regexp.MustCompile(`@([^{}]*)\{((?:[^{}]*\{[^{}]*\})*[^{}]*)\}`)
	cssAlways    = regexp.MustCompile(`^(?:media\s+(?:screen|all)\s*$|layer)`)
	cssRule      = regexp.MustCompile(`([^{}]*)\{([^{}]*)`)
	cssComment   = regexp.MustCompile(`(?s)/\*.*?(?:\*/|$)`)
	cssEscape    = regexp.MustCompile(`\\[0-9a-f]{1,6} ?|\\`)
	cssSimple    = regexp.MustCompile(`^[^ >+~:\[*\t\n.#]*(?:[.#][^ >+~:\[*\t\n.#]+)?$`)
	cssImportant = regexp.MustCompile(`\s*!\s*important$`)
	// cssHides matches the properties by which a page hides text; no other is kept.
	cssHides = regexp.MustCompile(
		`^(?:display|visibility|content-visibility|opacity|filter|transition|font|` +
			`font-size|color|background|background-color|position|left|right|top|bottom|text-indent|` +
			`margin-left|` +
			`margin-top|transform|scale|clip|clip-path|overflow|overflow-[xy]|(?:max-)?(?:height|width)|` +
			`(?:block|inline)-size)$`)
)

// withoutConditions keeps only those conditional rules that apply to any screen.
func withoutConditions(css string) string {
	css = cssStatement.ReplaceAllString(css, "")
	for range 3 { // they may be nested, and the innermost match first
		css = cssCondition.ReplaceAllStringFunc(css, func(block string) string {
			parts := cssCondition.FindStringSubmatch(block)
			if cssAlways.MatchString(parts[1]) {
				return parts[2]
			}
			return ""
		})
	}
	return css
}

func (s sheet) rule(selectors string, body looks, rank int) {
	if len(body) == 0 {
		return
	}
	for selector := range strings.SplitSeq(selectors, ",") {
		selector = strings.TrimSpace(selector)
		if selector == "" || !cssSimple.MatchString(selector) {
			continue
		}
		weight := byTag
		switch {
		case strings.Contains(selector, "#"):
			weight = byID
		case strings.Contains(selector, "."):
			weight = byClass
		}
		if s[selector] == nil {
			s[selector] = looks{}
		}
		s[selector].add(body, rank+weight)
	}
}

// declarations parses the declarations of one block.
func declarations(body string) looks {
	l := looks{}
	for declaration := range strings.SplitSeq(body, ";") {
		property, value, found := strings.Cut(declaration, ":")
		property = strings.TrimSpace(property)
		if !found || !cssHides.MatchString(property) {
			continue
		}
		value = strings.Join(strings.Fields(value), " ")
		d := declared{value: cssImportant.ReplaceAllString(value, "")}
		if d.value != value {
			d.rank = important
		}
		l.add(looks{property: d}, 0)
	}
	return l
}

// looksOf merges the declarations for an element.
func (s sheet) looksOf(n *html.Node) looks {
	all := looks{}
	all.add(s[n.Data], 0)
	classes := strings.Fields(strings.ToLower(tree.Attr(n, "class")))
	for _, class := range classes[:min(len(classes), 50)] {
		all.add(s["."+class], 0)
		all.add(s[n.Data+"."+class], 0)
	}
	if id := strings.ToLower(tree.Attr(n, "id")); id != "" {
		all.add(s["#"+id], 0)
		all.add(s[n.Data+"#"+id], 0)
	}
	style := tree.Attr(n, "style")
	all.add(declarations(unescapedStyle(style[:min(len(style), 64<<10)])), inline)
	return all
}

// unescapedStyle returns CSS in lower case, without comments and escapes.
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

// share returns a number or percentage as a number, 1 for anything else.
func share(value string) float64 {
	bare, percent := strings.CutSuffix(strings.TrimSpace(value), "%")
	number, err := strconv.ParseFloat(bare, 64)
	switch {
	case err != nil:
		return 1
	case percent:
		return number / 100
	}
	return number
}

var cssLength = regexp.MustCompile(`^([-+.0-9e]+?)(rem|em|px|pt|v[wh]|ch|ex|cm|in|%|)$`)

var cssUnits = map[string]float64{"rem": 16, "em": 16, "px": 1, "pt": 1.3, "vw": 12, "vh": 8, "ch": 8,
	"ex": 8, "cm": 38, "in": 96, "%": 12, "": 1}

// pixels converts a length to screen pixels, roughly.
func pixels(value string) (length float64, ok bool) {
	parts := cssLength.FindStringSubmatch(strings.TrimSpace(value))
	if parts == nil {
		return 0, false
	}
	number, err := strconv.ParseFloat(parts[1], 64)
	return number * cssUnits[parts[2]], err == nil
}

// atMost reports whether a length is known and at most so many pixels.
func atMost(value string, most float64) bool {
	length, ok := pixels(value)
	return ok && length <= most
}

// colour is a CSS colour. It is unclear if it is an image or comes from elsewhere.
type colour struct {
	known, transparent, unclear bool
	red, green, blue            float64 // from 0 to 1
}

// isNear reports whether two colours are indistinguishable.
func (c colour) isNear(d colour) bool {
	const least = 30.0 / 255
	far := math.Abs(c.red-d.red) + math.Abs(c.green-d.green) + math.Abs(c.blue-d.blue)
	return c.known && d.known && far <= least+1e-9
}

var (
	colourElsewhere = regexp.MustCompile(`url\(|gradient\(|var\(`)
	colourPart      = regexp.MustCompile(`[a-z]+\([^)]*\)|#[0-9a-f]+|[a-z]+`)
)

// colourOf parses the value of color or background.
func colourOf(value string) colour {
	value = strings.ToLower(strings.TrimSpace(value))
	if value == "" || value == "inherit" || value == "none" {
		return colour{}
	}
	if colourElsewhere.MatchString(value) {
		return colour{unclear: true}
	}
	for _, part := range colourPart.FindAllString(value, -1) {
		if c, err := csscolorparser.Parse(part); err == nil {
			return colour{known: c.A >= faint, transparent: c.A < faint, red: c.R, green: c.G, blue: c.B}
		}
	}
	return colour{unclear: true}
}
