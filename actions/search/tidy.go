package search

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/actions/page/plain"
	"github.com/daybook-agent/daybook/actions/search/words"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

const (
	maxTitle   = 200  // characters
	maxSnippet = 300  // characters
	maxAddress = 4096 // bytes; no server takes more, and longer ones are made to fill a prompt
)

// plainText returns the text of an HTML fragment on one line: without tags, comments, scripts and styles, and
// with entities decoded. It is for the fields that a service documents as HTML or XML. Plain text must not go
// through it, nor anything twice: "&lt;b&gt;" is text about a tag, not a tag. Names in angle brackets that
// are no tags, as in vector<int>, stay.
func plainText(fragment string) string {
	if !strings.ContainsAny(fragment, "<&") {
		return oneLine(fragment)
	}
	var b strings.Builder
	tokens := html.NewTokenizer(strings.NewReader(fragment))
	hidden := false // inside a script or a style, whose text comes as one token
	for {
		switch tokens.Next() {
		case html.ErrorToken:
			return oneLine(b.String())
		case html.TextToken:
			if !hidden {
				b.WriteString(html.UnescapeString(string(tokens.Raw())))
			}
			hidden = false
		case html.StartTagToken, html.EndTagToken, html.SelfClosingTagToken:
			raw := string(tokens.Raw()) // TagName lowers the case of what it points to
			name, _ := tokens.TagName()
			tag := atom.Lookup(name)
			switch {
			case tag == atom.Script || tag == atom.Style:
				hidden = !strings.HasPrefix(raw, "</")
			case isInline(tag):
			case tag != 0 || strings.ContainsRune(string(name), ':'): // as in jats:p
				b.WriteByte(' ')
			default:
				b.WriteString(html.UnescapeString(raw))
			}
		}
	}
}

// isInline reports whether a tag may be within a word, so that H<sub>2</sub>O is one.
func isInline(tag atom.Atom) bool {
	const inline = "a b strong i em span sub sup mark code u s small font wbr bdi abbr cite q kbd tt var"
	return slices.Contains(strings.Fields(inline), tag.String())
}

// oneLine returns text on one line, without invisible characters, which can hide instructions to a model.
func oneLine(text string) string {
	return plain.Line(strings.Map(func(r rune) rune {
		switch {
		case r == unicode.ReplacementChar:
			return -1
		case unicode.IsControl(r):
			return ' '
		}
		return r
	}, text))
}

// tidy makes the hits of a provider fit to be shown: title, snippet and author on one line and capped, the
// date in the form of Hit, and the provider's name in each. Hits without an address that visit_url takes are
// dropped; at most limit stay. It does not strip HTML; see plainText.
func tidy(provider string, hits []Hit, limit int) []Hit {
	kept := make([]Hit, 0, min(len(hits), limit))
	for _, hit := range hits {
		if hit.URL = webAddress(hit.URL); hit.URL == "" || len(kept) == limit {
			continue
		}
		hit.Title = words.Capped(oneLine(hit.Title), maxTitle)
		if hit.Title == "" {
			_, rest, _ := strings.Cut(hit.URL, "://")
			hit.Title = words.Capped(strings.TrimSuffix(rest, "/"), maxTitle)
		}
		hit.Snippet = words.Capped(oneLine(hit.Snippet), maxSnippet)
		hit.Author = words.Capped(oneLine(hit.Author), maxTitle/2)
		hit.Published, hit.Provider = day(hit.Published), provider
		kept = append(kept, hit)
	}
	return kept
}

// webAddress returns the address if it is one of the web, otherwise "". An address with a user's name is
// rejected: the name is there to make evil.test look like bank.test.
func webAddress(address string) string {
	address = strings.TrimSpace(address)
	unseen := func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsGraphic(r) }
	if len(address) > maxAddress || strings.ContainsFunc(address, unseen) {
		return ""
	}
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" || u.User != nil || (u.Scheme != "http" && u.Scheme != "https") {
		return ""
	}
	return address
}

const (
	factSize  = 80       // characters of one fact; a venue's name may be longer
	factsSize = 170      // characters of all facts of a snippet: the rest is for the text
	maxText   = 64 << 10 // bytes of a text that are looked through; the longest abstracts have a tenth of it
)

// snippetOf returns a snippet: the facts that help to choose, then the sentences of the text that hold words
// of the query. Both are plain text.
func snippetOf(query string, facts []string, text string) string {
	var shown []string
	room := factsSize
	for _, fact := range facts {
		fact = words.Capped(oneLine(fact), factSize)
		if size := utf8.RuneCountInString(fact) + 3; fact != "" && size <= room {
			shown, room = append(shown, fact), room-size
		}
	}
	snippet := strings.Join(shown, " · ")
	text = oneLine(strings.ToValidUTF8(text[:min(len(text), maxText)], ""))
	if snippet != "" && text != "" {
		snippet += " — "
	}
	return snippet + words.Snippet(words.Sentences(text), words.Terms(query),
		maxSnippet-utf8.RuneCountInString(snippet))
}

// when returns a fact if it holds, and listed the first few items of a list as a fact; "" is none.
func when(holds bool, fact string) string {
	if !holds {
		return ""
	}
	return fact
}

func listed(label string, list []string, most int) string {
	return when(len(list) > 0, label+strings.Join(list[:min(len(list), most)], ", "))
}

// byline returns the first author, and "et al." if there are others.
func byline(names []string) string {
	names = slices.DeleteFunc(slices.Clone(names), func(name string) bool { return oneLine(name) == "" })
	if len(names) > 1 {
		return names[0] + " et al."
	}
	return strings.Join(names, "")
}

// year returns the year of a date, for a snippet.
func year(date string) string {
	date = day(date)
	return date[:min(4, len(date))]
}

// many writes 1 star and 12,345 stars.
func many(n int, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return grouped(n) + " " + more
}

// grouped writes 12345 as 12,345.
func grouped(n int) string {
	if n < 1000 {
		return strconv.Itoa(n)
	}
	return fmt.Sprintf("%s,%03d", grouped(n/1000), n%1000)
}
