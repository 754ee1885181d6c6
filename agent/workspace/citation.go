package workspace

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Cited lists the source ids that a text cites, each once, in the order of the text.
func Cited(text string) []string {
	var ids []string
	for _, m := range Marks(text) {
		for _, ref := range m.Refs {
			if !slices.Contains(ids, ref.ID) {
				ids = append(ids, ref.ID)
			}
		}
	}
	return ids
}

// CitedBlocks returns the numbers of the blocks that a text cites, by source id; 0 is a source as a whole.
func CitedBlocks(text string) map[string]map[int]bool {
	all := map[string]map[int]bool{}
	for _, m := range Marks(text) {
		for _, ref := range m.Refs {
			if all[ref.ID] == nil {
				all[ref.ID] = map[int]bool{}
			}
			all[ref.ID][ref.Block] = true
		}
	}
	return all
}

// Mark is a citation in a text: its byte offsets and its references, each once.
type Mark struct {
	Start, End int
	Refs       []Ref
}

// MarkHere returns the length, in bytes, of the citation at the start of a text; 0 when there is none.
func MarkHere(text []byte) int { return len(citation.Find(text)) }

// Marks finds the citations of a text, such as [s5.12], [s5.12, s7.3], [s5.12-14], [s3], [S3], 【s3】 or [s3,
// p. 4].
func Marks(text string) []Mark {
	var all []Mark
	for i := 0; i < len(text); i++ {
		if rest := text[i:]; rest[0] != '[' && !strings.HasPrefix(rest, "［") && !strings.HasPrefix(rest, "【") {
			continue
		}
		at := citation.FindStringSubmatchIndex(text[i:])
		if at == nil {
			continue
		}
		m := Mark{Start: i, End: i + at[1]}
		for _, cited := range citedSource.FindAllString(strings.ToLower(text[i+at[2]:i+at[3]]), -1) {
			for _, ref := range refs(cited) {
				if !slices.Contains(m.Refs, ref) {
					m.Refs = append(m.Refs, ref)
				}
			}
		}
		all = append(all, m)
		i += at[1] - 1
	}
	return all
}

// Ref is the target of a citation: a block of a source, or a source as a whole.
type Ref struct {
	ID    string // of the source, in lower case
	Block int    // from 1; 0 for the whole source
}

// String formats a ref as it is cited, without its brackets: s5.12, or s5.
func (r Ref) String() string {
	if r.Block == 0 {
		return r.ID
	}
	return r.ID + "." + strconv.Itoa(r.Block)
}

const (
	blockPattern = `[.．][1-9][0-9]{0,5}(?:\s*[-–—~～]\s*(?:[sS][1-9][0-9]*[.．])?[1-9][0-9]{0,5})?`
	more         = `(?:\s*[,，、]\s*[1-9][0-9]{0,5}(?:\s*[-–—~～]\s*[1-9][0-9]{0,5})?)*`
	citedPattern = `[sS][1-9][0-9]*(?:` + blockPattern + more + `)?`
)

// citation matches ids in brackets, including full-width or lenticular ones, as Chinese models write them. An
// id may name blocks of its source: s5.12, s5.12-14. A place may follow: p. 4, 第4页, †L1-L9. With any other
// words it is no citation, so that no claim can hide there.
var citation = regexp.MustCompile("^" + citationPattern())

func citationPattern() string {
	const (
		part  = `pp?\.|pages?\b|ch\.|chapters?\b|secs?\.|sections?\b|figs?\.|figures?\b|tab\.|tables?\b|lines?\b|para\.|paragraphs?\b|§+|第|页|图|表|节|章`
		place = `\s*[,，;；、:：]?\s*(?i:` + part + `)[0-9ivxlc\s.,–—-]{0,24}[a-z]?[章节页行段条款]?|\s*†[0-9A-Za-z ‑–-]{0,24}`
	)
	return `[\[［【]\s*(` + citedPattern + `(?:\s*[,，;；、]\s*` + citedPattern + `)*)(?:` + place + `)?\s*[\]］】]`
}

var (
	citedSource = regexp.MustCompile(citedPattern)
	// a block, or a range of blocks of one source
	blockRange = regexp.MustCompile(`([0-9]+)(?:\s*[-–—~～]\s*(?:s[0-9]+\.)?([0-9]+))?`)
)

// maxRange bounds the blocks of one range in a citation: [s5.1-900] is the whole source.
const maxRange = 24

// refs parses one source of a citation with its blocks: s5, s5.12, s5.12-14, s5.12,15.
func refs(cited string) []Ref {
	id, blocks, found := strings.Cut(strings.ReplaceAll(cited, "．", "."), ".")
	if !found {
		return []Ref{{ID: id}}
	}
	var all []Ref
	for _, m := range blockRange.FindAllStringSubmatch(blocks, -1) {
		from, _ := strconv.Atoi(m[1]) // at most six digits
		last := from
		if m[2] != "" {
			last, _ = strconv.Atoi(m[2])
		}
		if last < from || last-from >= maxRange {
			return []Ref{{ID: id}}
		}
		for n := from; n <= last; n++ {
			all = append(all, Ref{id, n})
		}
	}
	return all
}
