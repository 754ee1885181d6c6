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
	edited bool // the file of the source was changed since the page was read

	links  *block.Linked // of the text
	all    []block.Block // of the text, with links as they are shown
	blocks []block.Block // those that state something
	shown  []block.Block // to the model
	seen   map[int]bool  // blocks that a model was shown before

	defined map[string]int // how often each term is defined; made when it is needed
}

// take divides the text into its blocks. Where links lead, which is a third of many pages, is left out of
// sentences unless it is asked for.
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

// divided is the text that was divided last: calls for the parts of a long page come together, and each would
// hold the whole of it.
type divided struct {
	mu    sync.Mutex
	links bool
	last  reading
}

// take divides a text, or takes what it was divided into a moment ago.
func (d *divided) take(r *reading, links bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.last.text != r.text || d.links != links {
		r.take(links)
		d.last, d.links = reading{text: r.text, links: r.links, all: r.all, blocks: r.blocks}, links
	}
	r.text, r.links, r.all, r.blocks = d.last.text, d.last.links, d.last.all, d.last.blocks
}

// plainly leaves the text of a block's links. Lists of links keep theirs: nothing but an address says where
// to go on.
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

// bare is a line without what only sets it out: the marks of its list, of a heading, and of its type.
func bare(text string) string {
	return strings.ToLower(strings.Trim(prose.OneLine(unmarked(lineMarks.ReplaceAllString(text, ""))),
		" *_:：¶"))
}

// leastContents is how many headings in a row make a table of contents. Fewer may be points that the sections
// go on about.
const leastContents = 4

// contents are the numbers of the blocks of tables of contents, which say nothing that the headings do not
// say: items of a list or links that each are a heading, and the title above them. What a sentence introduces
// is none.
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

// introduced reports whether a sentence stands before a block, which the title of a table of contents is not.
func (r *reading) introduced(i int) bool {
	if i == 0 || !slices.Equal(r.all[i-1].Headings, r.all[i].Headings) {
		return false
	}
	above := r.all[i-1].Text
	return sentenceEnd.MatchString(above) && !contentsTitle.MatchString(bare(above))
}

// lookedThrough are the blocks for a reader: of the part, or those that are named, otherwise all.
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

// shownWithLinks is what the model was shown of the page as the page has it: a link whose text it saw may be
// followed.
func (r *reading) shownWithLinks() string {
	var out strings.Builder
	for _, b := range r.shown {
		out.WriteString(r.text[b.Start:b.End] + "\n")
	}
	return out.String()
}

// asFact is a page that was read.
func asFact(s workspace.Source) agent.Fact {
	return agent.Fact{Kind: agent.Read, ID: s.ID, Path: s.URL, Title: s.Title}
}

// recordShown puts on record what the model was shown of a page, and whether it was fetched for that.
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
