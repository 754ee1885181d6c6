package workspace

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// citation is ids in brackets, of full width or lenticular, too, as Chinese models write them; then perhaps where in the source: p. 4, 第4页,
// †L1-L9. Other words behind the ids make it no citation, so that nothing can be stated there.
var citation = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(citationPattern()) })

var citationHere = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("^" + citationPattern()) })

func citationPattern() string {
	const (
		id    = `[sS][1-9][0-9]*`
		part  = `pp?\.|pages?\b|ch\.|chapters?\b|secs?\.|sections?\b|figs?\.|figures?\b|tab\.|tables?\b|lines?\b|para\.|paragraphs?\b|§+|第|页|图|表|节|章`
		place = `\s*[,，;；、:：]?\s*(?i:` + part + `)[0-9ivxlc\s.,–—-]{0,24}[a-z]?[章节页行段条款]?|\s*†[0-9A-Za-z ‑–-]{0,24}`
	)
	return `[\[［【]\s*(` + id + `(?:\s*[,，;；、]\s*` + id + `)*)(?:` + place + `)?\s*[\]］】]`
}

var citedID = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[sS][1-9][0-9]*`) })

// Mark is a citation in a text, from an offset to another in bytes, and the ids in it, in lower case.
type Mark struct {
	Start, End int
	IDs        []string
}

// Marks finds the citations of a text, such as [s3], [s3, s4], [S3], 【s3】 or [s3, p. 4].
func Marks(text string) []Mark {
	var all []Mark
	for i := 0; i < len(text); i++ {
		if !opensMark(text[i:]) { // a tenth of what the expression costs at each byte, and all dashboards and chapters are looked through
			continue
		}
		if at := citationHere().FindStringSubmatchIndex(text[i:]); at != nil {
			all = append(all, Mark{i, i + at[1], citedID().FindAllString(strings.ToLower(text[i+at[2]:i+at[3]]), -1)})
			i += at[1] - 1
		}
	}
	return all
}

func opensMark(text string) bool {
	return text[0] == '[' || (text[0] >= utf8.RuneSelf && (strings.HasPrefix(text, "［") || strings.HasPrefix(text, "【")))
}

// MarkHere is how many bytes long the citation is with which a text begins; 0 when it begins with none.
func MarkHere(text []byte) int { return len(citationHere().Find(text)) }

// Cited lists the source ids that a text cites, each once, in the order of the text.
func Cited(text string) []string {
	var ids []string
	for _, m := range Marks(text) {
		for _, id := range m.IDs {
			if !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	return ids
}
