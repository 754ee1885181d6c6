package markup

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Skipped is true for an element that no reader of the text wants: scripts, forms, pictures drawn in place,
// navigation.
func Skipped(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Script, atom.Style, atom.Noscript, atom.Template, atom.Head, atom.Iframe, atom.Object,
		atom.Embed, atom.Applet,
		atom.Video, atom.Audio, atom.Canvas, atom.Svg, atom.Map, atom.Button, atom.Input, atom.Select,
		atom.Textarea,
		atom.Datalist, atom.Progress, atom.Meter, atom.Nav, atom.Footer, atom.Rt, atom.Rp, atom.Noframes,
		atom.Frameset:
		return true
	}
	if n.DataAtom == atom.Body || n.DataAtom == atom.Html {
		return false
	}
	rel := Attr(n, "rel")
	if isBoilerplateRole(Attr(n, "role")) || n.DataAtom == atom.A && (rel == "prev" || rel == "next") {
		return true
	}
	return isNamedClutter(n) && !isText(n.DataAtom) && !IsSection(n)
}

// isText knows the elements that are text by themselves, whatever they are called.
func isText(tag atom.Atom) bool { return IsHeading(tag) || tag == atom.Pre || tag == atom.Code }

// isNamedClutter reports whether an element is called by a name that generators give to what surrounds the
// text.
func isNamedClutter(n *html.Node) bool {
	class := Attr(n, "class")
	return slices.ContainsFunc(strings.Fields(class), isBoilerplate) || isContents(class) ||
		isBoilerplateID(Attr(n, "id")) || Attr(n, "aria-hidden") == "true"
}

// isBoilerplate knows class names by which page generators call what surrounds the text. A name stands here
// only if it means nothing else.
func isBoilerplate(class string) bool {
	switch class {
	case "headerlink", "hash-link", "anchor-link", "anchorjs-link", "heading-anchor", "header-anchor",
		"doc-anchor",
		// signs at headings and code
		"copiable-anchor", "copiable-link", "viewcode-link", "copybtn", "copy-button",
		"navheader", "navfooter", "sphinxsidebar", "sphinxsidebarwrapper", "related", "rst-footer-buttons",
		"wy-breadcrumbs",
		"nav-panel", "md-sidebar", "pagination", "pagination-nav", "prev-next-area", "prevnext",
		"theme-doc-breadcrumbs",
		"theme-doc-toc-mobile", "theme-doc-toc-desktop", // documentation generators
		// MediaWiki
		"mw-editsection", "mw-jump-link", "navbox", "vertical-navbox", "catlinks", "printfooter",
		"ambox", "noprint",
		"tagline", "site-tagline", "slogan",
		"nav", "navbar", "breadcrumb", "breadcrumbs", "skip-link", "skip-to-content",
		"screen-reader-text", "sr-only",
		"visually-hidden", "visuallyhidden", "sidebar", "site-header", "site-footer", "cookie-banner",
		"cookie-notice",
		"social-share", "share-buttons", "sharedaddy", "newsletter-signup", "related-posts",
		"post-navigation":
		return true
	}
	return false
}

func isBoilerplateID(id string) bool {
	switch id {
	case "toc", "sidebar", "navbar", "navigation", "footer", "site-header", "site-footer", "breadcrumbs",
		"mw-navigation",
		"jump-to-nav", "catlinks", "p-search", "cookie-banner", "side-nav", "nav-path":
		return true
	}
	return false
}

func isBoilerplateRole(role string) bool {
	switch role {
	case "navigation", "search", "banner", "contentinfo", "dialog", "alertdialog", "menu", "menubar",
		"toolbar", "tablist":
		return true
	}
	return false
}

// isBar is true for a line of links to the pages before, after and above, as Texinfo writes it.
func isBar(n *html.Node) bool {
	for c, i := n.FirstChild, 0; c != nil && i < 4; c, i = c.NextSibling, i+1 {
		if c.DataAtom == atom.A {
			switch Attr(c, "rel") {
			case "next", "prev", "up":
				return true
			}
		}
	}
	return false
}

// isContents is true for the list of a page's own headings.
func isContents(class string) bool {
	return strings.HasPrefix(class, "contents") && strings.Contains(class, "topic") ||
		strings.HasPrefix(class, "topic contents")
}
