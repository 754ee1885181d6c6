package bounds

import (
	"encoding/xml"
	"regexp"
	"strings"
	"sync"

	"golang.org/x/net/html"
	"golang.org/x/net/html/charset"
)

// Limits for XML. Its parser makes 48 bytes of every attribute, so a tag of 8 MB would take 300 MB; the
// longest tags in real documents are drawings with a path of about 10 KB.
const (
	maxXML      = 16 << 20 // bytes
	maxTag      = 256 << 10
	maxXMLDepth = 200
)

// MaxElements bounds the elements of a text for a parser that builds a tree of them.
const MaxElements = 100_000

// XMLDecoder reads XML token by token. It expands no declared entities and opens no other files.
type XMLDecoder struct {
	in   *xml.Decoder
	open []string
	err  error // the text exceeds the budget
}

// XML returns a decoder for well-formed text.
func XML(text string) *XMLDecoder {
	d := &XMLDecoder{in: xml.NewDecoder(strings.NewReader(text))}
	d.in.CharsetReader = charset.NewReaderLabel
	if len(text) > maxXML {
		d.err = over(0, "it is larger than %d MiB", maxXML>>20)
	} else if at := longTag(text); at >= 0 {
		d.err = over(lineAt(text, at), "a tag is longer than %d KiB", maxTag>>10)
	}
	return d
}

// LooseXML returns a decoder for XML as found in practice: with HTML entities, and elements closed anywhere.
func LooseXML(text string) *XMLDecoder {
	d := XML(text)
	d.in.Strict, d.in.Entity = false, xml.HTMLEntity
	return d
}

// Token is like [xml.Decoder.Token], but ends with an [Error] when over the budget.
func (d *XMLDecoder) Token() (xml.Token, error) { return d.next(d.in.Token) }

// RawToken is like [xml.Decoder.RawToken], with the same bound.
func (d *XMLDecoder) RawToken() (xml.Token, error) { return d.next(d.in.RawToken) }

// Decode decodes the whole text into a value.
func (d *XMLDecoder) Decode(into any) error { return xml.NewTokenDecoder(d).Decode(into) }

// InputOffset is [xml.Decoder.InputOffset].
func (d *XMLDecoder) InputOffset() int64 { return d.in.InputOffset() }

// Open returns the names of the open elements, from the outermost in.
func (d *XMLDecoder) Open() []string { return d.open }

func (d *XMLDecoder) next(read func() (xml.Token, error)) (xml.Token, error) {
	if d.err != nil {
		return nil, d.err
	}
	token, err := read()
	switch t := token.(type) {
	case xml.StartElement:
		if d.open = append(d.open, tagName(t.Name)); len(d.open) > maxXMLDepth {
			line, _ := d.in.InputPos()
			d.err = over(line, "elements stand in one another more than %d deep", maxXMLDepth)
			return nil, d.err
		}
	case xml.EndElement:
		d.open = closed(d.open, tagName(t.Name))
	}
	return token, err
}

func tagName(name xml.Name) string {
	if name.Space != "" {
		return name.Space + ":" + name.Local
	}
	return name.Local
}

// closed removes the element that an end tag closes from the open ones, with those left open inside it.
func closed(open []string, name string) []string {
	for i := len(open) - 1; i >= 0; i-- {
		if open[i] == name {
			return open[:i]
		}
	}
	return open
}

// longTag returns where a tag longer than maxTag begins, or -1. It skips what only looks like one, such as in
// comments.
func longTag(text string) int {
	for at := 0; ; {
		next := strings.IndexByte(text[at:], '<')
		if next < 0 {
			return -1
		}
		at += next
		rest := text[at:]
		length := tagLength(rest)
		if length > maxTag && !strings.HasPrefix(rest, "<!") && !strings.HasPrefix(rest, "<?") {
			return at
		}
		at += length
	}
}

// tagLength returns the length in bytes of the tag, comment or section at the start of text.
func tagLength(text string) int {
	for _, section := range [...]struct{ from, to string }{{"<!--", "-->"}, {"<![CDATA[", "]]>"},
		{"<?", "?>"}} {
		if strings.HasPrefix(text, section.from) {
			if end := strings.Index(text, section.to); end >= 0 {
				return end + len(section.to)
			}
			return len(text)
		}
	}
	quote := byte(0)
	for i := 1; i < len(text); i++ {
		switch c := text[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '>':
			return i + 1
		}
	}
	return len(text)
}

const (
	// maxRoots bounds the html and body tags of a page: the attributes of each are compared with those of all
	// earlier ones.
	maxRoots = 50
	// maxTags bounds the memory for the tree to about 100 MB. The longest chapter of the Python manual has
	// 30,000 tags.
	maxTags = 300_000
)

var rootTag = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)<(?:html|body)`) })

// HTML parses a page. Its parser itself rejects nesting deeper than 512.
func HTML(page string) (*html.Node, error) {
	if strings.Count(page, "<") > maxTags {
		return nil, over(0, "more than %d tags", maxTags)
	}
	if at := rootTag().FindAllStringIndex(page, maxRoots+1); len(at) > maxRoots {
		return nil, over(lineAt(page, at[maxRoots][0]),
			"more than %d tags that begin the page or its body", maxRoots)
	}
	return html.Parse(strings.NewReader(page))
}
