package actions

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/daybook-agent/daybook/actions/search"
	"github.com/daybook-agent/daybook/actions/search/words"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace/block"
)

// searchDoc is the description of web_search for the model. It names the places of this run: a model that is
// promised the web where there is none concludes that what it cannot find does not exist.
func (k Kit) searchDoc() string {
	breadth := search.DefaultBreadth
	if k.Search != nil && k.Search.Breadth > 0 {
		breadth = k.Search.Breadth
	}
	return k.searched() + " " + strings.ReplaceAll(doc("web_search"), "{breadth}", strconv.Itoa(breadth))
}

func (k Kit) searched() string {
	names, web := k.kindsInWords(true)
	if len(names) == 0 {
		return "There is nowhere to search in this run but the articles of a site that you know of: give " +
			"the site as source."
	}
	text := "Searches " + names[0] + "."
	if len(names) > 1 {
		text = "Searches side by side: " + strings.Join(names, ", ") + "."
	}
	switch {
	case k.outOfReach():
		text += " No other place can be reached so far in this run."
	case !web:
		text += " The web is not searched in this run."
	}
	return text
}

// Searchable describes what can be searched in this run, so that a judge does not ask for the unobtainable.
func (k Kit) Searchable() string {
	names, web := k.kindsInWords(false)
	if len(names) == 0 {
		return "nothing; but pages and sites that the person or a page that was read named can be read"
	}
	text := strings.Join(names, ", ")
	if !web {
		text += "; not the web"
	}
	return text
}

// kindsInWords names the kinds of places that can be searched, and reports whether the web is one of them.
// With word it adds the word by which a call selects a kind, if it differs from the name.
func (k Kit) kindsInWords(word bool) (names []string, web bool) {
	for _, kind := range k.reachable() {
		name := cmp.Or(kindNames[kind], string(kind))
		if word && name != string(kind) && name != "the "+string(kind) {
			name += " (" + string(kind) + ")"
		}
		names, web = append(names, name), web || kind == search.Web
	}
	return names, web
}

// reachable returns the kinds of places that are set up, leaving out other people's if none of these can be
// reached.
func (k Kit) reachable() []search.Kind {
	kinds := k.kinds()
	own := slices.DeleteFunc(slices.Clone(kinds), isOthers)
	if len(own) > 0 && len(own) < len(kinds) && k.Search.OutOfReach() {
		return own
	}
	return kinds
}

// outOfReach reports whether only the user's own places could be searched so far, because there is no
// network.
func (k Kit) outOfReach() bool { return len(k.reachable()) < len(k.kinds()) }

// unreached removes the places that no network leads to from those that failed, and returns a sentence about
// them, "" if there are none.
func (k Kit) unreached(failed []search.Failure) (rest []search.Failure, told string) {
	if !k.outOfReach() {
		return failed, ""
	}
	for _, f := range failed {
		isThis := func(p search.Provider) bool { return p.Name() == f.Provider && isOthers(p.Kind()) }
		if slices.ContainsFunc(k.Search.Providers, isThis) {
			told = "no place but the person's own documents and services can be reached so far in this run."
			continue
		}
		rest = append(rest, f)
	}
	return rest, told
}

func isOthers(kind search.Kind) bool { return kind != search.Own && kind != search.Internal }

// kindNames holds the names of kinds of places for a sentence, where they are not the kind's word.
var kindNames = map[search.Kind]string{
	search.Own:       "the person's own documents",
	search.Web:       "the web",
	search.Scholarly: "scholarly papers",
	search.Talk:      "discussions",
	search.Reference: "reference works",
	search.News:      "news, only when asked for",
	search.Internal:  "the person's internal services",
}

// kinds returns the kinds of the places that are set up, in an order that is the same in every run.
func (k Kit) kinds() []search.Kind {
	if k.Search == nil {
		return nil
	}
	var there, all []search.Kind
	for _, p := range k.Search.Providers {
		there = append(there, p.Kind())
	}
	usual := []search.Kind{
		search.Own, search.Internal, search.Web, search.Scholarly, search.Code, search.Talk,
		search.Reference, search.News, search.Patents,
	}
	for _, kind := range append(usual, there...) {
		if slices.Contains(there, kind) && !slices.Contains(all, kind) {
			all = append(all, kind)
		}
	}
	return all
}

// staysHere reports whether a search asks only the user's own documents and services, so that nothing of it
// goes to others.
func (k Kit) staysHere(source string) bool {
	if strings.Contains(source, ".") {
		return false
	}
	return source == string(search.Own) || source == string(search.Internal) || areOwn(k.kinds())
}

// SearchesOwnAlone reports whether the user's own documents and services are the only place that is set up,
// or that could be reached.
func (k Kit) SearchesOwnAlone() bool { return areOwn(k.reachable()) }

func areOwn(kinds []search.Kind) bool { return len(kinds) > 0 && !slices.ContainsFunc(kinds, isOthers) }

// longestPlace bounds a heading that is shown, in characters, and longSection a section that is worth reading
// as a whole, in blocks.
const longestPlace, longSection = 60, 40

// at names the blocks that contain some lines of a page, so that they can be read, with those of their
// section and, if headed, its heading. A page with an id is looked up as it was then read, a user's document
// as it is in the index.
func (k Kit) at(ctx context.Context, id, url string, headed bool, lines ...int) string {
	isNone := func(line int) bool { return line == 0 }
	lines = slices.DeleteFunc(slices.Clone(lines), isNone)
	if len(lines) == 0 || len(lines) == 1 && lines[0] == 1 {
		return ""
	}
	text, err := k.textOf(ctx, id, url)
	if err != nil {
		return " line " + listed(lines)
	}
	blocks, numbers := block.Split(text), []int(nil)
	for _, line := range lines {
		numbers = append(numbers, blockOn(blocks, text, line))
	}
	return named(blocks, numbers, headed)
}

// atHit names the blocks that hold what is shown of one of the user's documents, which begins near a line: a
// passage may go on over several.
func (k Kit) atHit(ctx context.Context, url, shown string, line int) string {
	text, err := k.textOf(ctx, "", url)
	if err != nil || line <= 1 {
		return k.at(ctx, "", url, false, line)
	}
	blocks, numbers := block.Split(text), []int(nil)
	near := blockOn(blocks, text, line)
	plain := map[int]string{}
	for n := max(1, near-mostAround); n <= min(near+mostAround, len(blocks)); n++ {
		plain[n] = prose.OneLine(words.Plain(blocks[n-1].Text))
	}
	for _, piece := range strings.Split(prose.OneLine(shown), "…") {
		piece = strings.TrimSpace(piece)
		if start := []rune(piece); len(start) > longStart {
			piece = string(start[:longStart])
		}
		for n := max(1, near-mostAround); piece != "" && n <= min(near+mostAround, len(blocks)); n++ {
			if strings.Contains(plain[n], piece) {
				numbers = append(numbers, n)
				break
			}
		}
	}
	if len(numbers) == 0 {
		numbers = []int{near}
	}
	return named(blocks, numbers, false)
}

// mostAround is how many blocks before and after its line a passage may have, and longStart how many
// characters tell a piece of it from others.
const mostAround, longStart = 20, 40

// textOf returns the text of a source that was read, or of one of the user's documents as it is in the index.
func (k Kit) textOf(ctx context.Context, id, url string) (string, error) {
	if id != "" {
		text, _, err := k.Workspace.SourceText(id)
		return text, err
	}
	p, _, err := k.document(ctx, url)
	return readNow(p, url, "").text, err
}

// blockOn returns the number of the block on a line, 0 if there is none.
func blockOn(blocks []block.Block, text string, line int) int {
	start := 0
	for ; line > 1 && start < len(text); line-- {
		start += len(prose.FirstLine(text[start:])) + 1
	}
	n, _ := slices.BinarySearchFunc(blocks, start, func(b block.Block, at int) int { return b.End - at })
	return min(n+1, len(blocks))
}

// named lists blocks by their numbers, each once, with those of their section and, if headed, its heading.
func named(blocks []block.Block, of []int, headed bool) string {
	var numbers []int
	var places []string
	under := ""
	for _, n := range of {
		if n == 0 || slices.Contains(numbers, n) {
			continue
		}
		place := strconv.Itoa(n)
		from, to := sectionAround(blocks, n)
		isIn := func(m int) bool { return from <= m && m <= to }
		if from < to && to-from < longSection && !slices.ContainsFunc(numbers, isIn) {
			place += fmt.Sprintf(" (section: blocks %d-%d)", from, to)
		}
		if h := blocks[n-1].Headings; headed && len(h) > 1 && h[len(h)-1] != under {
			under = h[len(h)-1]
			place += " under “" + prose.Shorten(prose.OneLine(under), longestPlace) + "”"
		}
		numbers, places = append(numbers, n), append(places, place)
	}
	return " block " + strings.Join(places, ", ")
}

// sectionAround returns the first and the last of the blocks that are under the same headings as block n.
func sectionAround(blocks []block.Block, n int) (from, to int) {
	isUnder := func(i int) bool { return slices.Equal(blocks[i-1].Headings, blocks[n-1].Headings) }
	for from, to = n, n; from > 1 && isUnder(from-1); from-- {
	}
	for to < len(blocks) && isUnder(to+1) {
		to++
	}
	return from, to
}

func listed(numbers []int) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(numbers), " ", ", "), "[]")
}
