package actions

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/daybook-agent/daybook/agent/workspace/block"
)

// reading is a page that was read. Its source has no id until it is kept.
type reading struct {
	source workspace.Source
	text   string
	edited bool // the file of the source was changed after the page was read

	links  *block.Linked // of the text
	all    []block.Block // of the text, with links as they are shown
	blocks []block.Block // those with content of their own
	shown  []block.Block // to the model
	seen   map[int]bool  // blocks that a model was shown earlier

	defined map[string]int // how often each term is defined; computed when needed
}

// take divides the text into its blocks. Link targets, which make up a third of many pages, are removed from
// sentences unless links is set.
func (r *reading) take(links bool) {
	r.all, r.links = block.Split(r.text), block.FindLinks(r.text)
	contents := r.contents()
	for i := range r.all {
		if !links {
			r.plainly(&r.all[i])
		}
	}
	r.blocks = slices.DeleteFunc(slices.Clone(r.all),
		func(b block.Block) bool { return b.Kind == block.Links && !links || contents[b.N] })
}

// divided caches the text that was divided last: calls for the parts of a long page come together, and each
// would otherwise hold a copy.
type divided struct {
	mu    sync.Mutex
	links bool
	last  reading
}

// take divides a text, or reuses the last division if it is of the same text.
func (d *divided) take(r *reading, links bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.last.text != r.text || d.links != links {
		r.take(links)
		d.last, d.links = reading{text: r.text, links: r.links, all: r.all, blocks: r.blocks}, links
	}
	r.text, r.links, r.all, r.blocks = d.last.text, d.last.links, d.last.all, d.last.blocks
}

// plainly replaces a block by its text without link targets. Lists of links keep theirs: only an address says
// where to go on.
func (r *reading) plainly(b *block.Block) {
	plain := r.links.Block(*b)
	b.Headings, b.Head = plain.Headings, plain.Head
	if len(bare(r.links.Rest(*b)))*2 > len(bare(plain.Text)) {
		b.Text = plain.Text
	}
}

var (
	lineMarks     = regexp.MustCompile(`^(?:[^\pL\pN]+|\d{1,3}[.)]\s)*`)
	contentsTitle = regexp.MustCompile(
		`^(?:(?:table of )?contents?|on this page|in ` +
			`this (?:article|document|chapter|section)|navigation|目录|目次|本页内容)$`)
	sentenceEnd = regexp.MustCompile(`[.:!?。：！？][*_"”’』」)）]*\s*$`)
)

// bare returns a line in lower case, without the marks of a list, a heading or emphasis.
func bare(text string) string {
	return strings.ToLower(strings.Trim(prose.OneLine(unmarked(lineMarks.ReplaceAllString(text, ""))),
		" *_:：¶"))
}

// leastContents is how many headings in a row make a table of contents. Fewer may be points that the sections
// elaborate.
const leastContents = 4

// contents returns the block numbers of tables of contents, which only repeat headings: runs of list items or
// links that are each a heading, and the title above them. A list introduced by a sentence is not one.
func (r *reading) contents() map[int]bool {
	titles, found := map[string]bool{bare(r.source.Title): true}, map[int]bool{}
	for _, b := range r.all {
		for _, title := range b.Headings {
			titles[bare(r.links.Title(title))] = true
		}
	}
	isEntry := func(b block.Block) bool {
		return b.Kind != block.Row && (b.Kind == block.Item || bare(r.links.Rest(b)) == "") &&
			titles[bare(r.links.Block(b).Text)]
	}
	for begin := 0; begin < len(r.all); begin++ {
		end := begin
		for end < len(r.all) && isEntry(r.all[end]) {
			end++
		}
		if end-begin >= leastContents && !r.introduced(begin) {
			for _, b := range r.all[max(0, begin-1):end] {
				found[b.N] = b.N > begin || contentsTitle.MatchString(bare(b.Text))
			}
		}
		begin = max(begin, end-1)
	}
	return found
}

// introduced reports whether a sentence, other than the title of a table of contents, precedes a block.
func (r *reading) introduced(i int) bool {
	if i == 0 || !slices.Equal(r.all[i-1].Headings, r.all[i].Headings) {
		return false
	}
	above := r.all[i-1].Text
	return sentenceEnd.MatchString(above) && !contentsTitle.MatchString(bare(above))
}

// lookedThrough returns the blocks for a reader: the named ones, those of the part, or all.
func (r *reading) lookedThrough(part int, blocks string, most int) ([]block.Block, error) {
	switch {
	case blocks != "":
		return r.numbered(blocks)
	case part > 0:
		at, parts, err := r.part(opening{part: part}, most)
		if err != nil {
			return nil, err
		}
		return parts[at-1], nil
	}
	return r.blocks, nil
}

// shownWithLinks returns what the model was shown, as the page has it: the model may follow a link whose text
// it saw.
func (r *reading) shownWithLinks() string {
	var out strings.Builder
	for _, b := range r.shown {
		out.WriteString(r.text[b.Start:b.End] + "\n")
	}
	return out.String()
}

// asFact returns the fact that a source was read.
func asFact(s workspace.Source) agent.Fact {
	return agent.Fact{Kind: agent.Read, ID: s.ID, Path: s.URL, Title: s.Title}
}

// recordShown records what the model was shown of a page, and whether it was fetched for that.
func (k Kit) recordShown(r *reading, fetched bool) error {
	numbers := make([]int, len(r.shown))
	for i, b := range r.shown {
		numbers[i] = b.N
	}
	if err := k.Workspace.Shown(r.source, r.text, r.shownWithLinks(), fetched, numbers...); err != nil {
		return agent.Fatal(err)
	}
	return nil
}
