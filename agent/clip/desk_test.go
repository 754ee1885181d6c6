package clip_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/clip"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace/block"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// desk is a workspace in memory with the actions of the researcher and of the file agent, as far as their
// contract goes.
type desk struct {
	files   map[string]string
	pages   map[string]string // by address; the first line is the title
	ids     map[string]string // of pages that were read
	hits    []string          // addresses by number of a search result
	notices []string          // told one a step
	refuse  []string          // what all_finished says, one a time
	balk    int               // so many updates come back with a question
	locked  map[string]bool   // files that cannot be written before they were read
	refused map[string]bool   // files that cannot be written at all
	spoilt  map[string]bool   // files that are binary whatever is written
	strict  bool              // updates that share a passage with a page are refused
	copied  []string          // what was refused as such
	calls   []agent.Call
	query   string // the last
	byHand  string // what an opening says of a person's words in the report
	unread  string // what a search says of documents that cannot be read
}

func newDesk(question string, pages map[string]string) *desk {
	return &desk{
		pages: pages, ids: map[string]string{}, locked: map[string]bool{}, refused: map[string]bool{},
		spoilt: map[string]bool{},
		files: map[string]string{
			"overall_dashboard.md": "# Overall\n\n## Question {#question}\n\n**Question:** " + question +
				"\n\n## Blueprint {#blueprint}\n\n" +
				"<!-- chapters: - [ ] **Title** — question. File: Notebook/01-title.md -->\n\n" +
				"## Findings {#findings}\n\n<!-- what is established -->\n\n" +
				"## Gaps {#gaps}\n\n## Decisions {#decisions}\n\n## Quality {#quality}\n",
			"current_dashboard.md": "# Now\n\n## Task {#task}\n\n## Next {#next}\n\n## Plan {#plan}\n\n" +
				"## Learned {#learned}\n\n## Notes {#notes}\n\nmine\n",
		},
	}
}

func (d *desk) run(t *testing.T, steps int) agent.Result {
	t.Helper()
	result, err := d.researcher(steps).Run(context.Background())
	require.NoError(t, err)
	return result
}

// twins think twice, and fail when that makes a difference.
type twins struct{}

func (twins) Think(ctx context.Context, talk *agent.Conversation) (agent.Reply, error) {
	reply, err := clip.Brain{}.Think(ctx, talk)
	again, failed := clip.Brain{}.Think(ctx, talk)
	if !assert.ObjectsAreEqual(reply, again) || !assert.ObjectsAreEqual(err, failed) {
		return reply, fmt.Errorf("the same conversation got %v (%v), and then %v (%v)", reply, err, again,
			failed)
	}
	return reply, err
}

func (d *desk) researcher(steps int) agent.Agent {
	return agent.Agent{
		Name: "researcher", Brain: twins{}, Limits: agent.Limits{Steps: steps},
		Open: func(context.Context) ([]agent.Message, error) {
			return []agent.Message{agent.System("rules"), agent.User(d.files["overall_dashboard.md"]),
				agent.User(d.files["current_dashboard.md"] + d.byHand)}, nil
		},
		Notice: func(context.Context) (agent.Notice, error) {
			if len(d.notices) == 0 {
				return agent.Notice{}, nil
			}
			notice := d.notices[0]
			d.notices = d.notices[1:]
			return agent.Notice{Text: notice}, nil
		},
		Observe: func(e agent.Event) {
			if r, ok := e.(agent.Replied); ok && r.Agent == "researcher" {
				d.calls = append(d.calls, r.Calls...)
			}
		},
		Actions: []agent.Action{
			d.fileOperation(), d.webSearch(), d.visitURL(),
			d.update(), d.allFinished(),
		},
	}
}

// webSearch ranks pages by how many of the query's words they hold, in English, or of its characters.
func (d *desk) webSearch() agent.Action {
	type input struct {
		Query string `json:"query"`
	}
	return agent.NewAction("web_search", "",
		func(_ context.Context, _ *agent.Turn, in input) (agent.Outcome, error) {
			d.query = in.Query
			words := strings.Fields(strings.ToLower(in.Query))
			missing := d.missing(words) + d.unread
			if in.Query != "" && in.Query[0] > 127 {
				words = strings.Split(strings.ReplaceAll(in.Query, " ", ""), "")
			}
			found := map[string]int{}
			for url, text := range d.pages {
				for _, w := range words {
					found[url] += min(3, strings.Count(strings.ToLower(text), w))
				}
			}
			urls := slices.Sorted(maps.Keys(d.pages))
			sort.SliceStable(urls, func(i, j int) bool { return found[urls[i]] > found[urls[j]] })
			var out strings.Builder
			for _, url := range urls[:min(10, len(urls))] {
				if found[url] < min(2, len(words)) {
					break
				}
				title, _, _ := strings.Cut(d.pages[url], "\n")
				d.hits = append(d.hits, url)
				fmt.Fprintf(&out, "h%d. %s\n   URL: %s\n   documents\n   %s\n", len(d.hits), title, url,
					"1. a snippet that looks like a hit")
			}
			if missing != "" {
				out.WriteString(missing)
			}
			if !strings.Contains(out.String(), "URL: ") {
				return agent.Say(fmt.Sprintf("No results for %q, from documents.\n\n<results>\n"+
					"%s</results>\n\nNot searched: arxiv (no network)\n", in.Query, missing)), nil
			}
			return agent.Say(fmt.Sprintf("Results for %q:\n\n<results>\n%s</results>\n",
				in.Query, out.String())), nil
		})
}

// missing tells of words that no page holds, as the real search does. Chinese words are left out.
func (d *desk) missing(words []string) string {
	all := strings.ToLower(strings.Join(slices.Collect(maps.Values(d.pages)), "\n"))
	var missing []string
	for _, w := range words {
		if w[0] < 128 && !strings.Contains(all, strings.TrimSuffix(w, "s")) {
			missing = append(missing, w)
		}
	}
	if len(missing) == 0 || len(d.pages) == 0 {
		return ""
	}
	return fmt.Sprintf("None of the %d documents holds: %s. Nothing closer there than these:\n", len(d.pages),
		strings.Join(missing, ", "))
}

// address is what an id or an address stands for.
func (d *desk) address(ref string) string {
	var n int
	if _, err := fmt.Sscanf(ref, "h%d", &n); err == nil && n > 0 && n <= len(d.hits) {
		return d.hits[n-1]
	}
	for url, id := range d.ids {
		if id == ref {
			return url
		}
	}
	return ref
}

// blocksOf are the numbered blocks of a page by part. Parts are divided by a form feed. What is before a
// vertical tab is not shown.
func (d *desk) blocksOf(url string) (title string, parts [][]block.Block) {
	title, text, _ := strings.Cut(d.pages[url], "\n")
	n := 0
	for part := range strings.SplitSeq(text, "\f") {
		blocks := block.Split(part)
		for i := range blocks {
			n++
			blocks[i].N = n
		}
		hidden := strings.IndexByte(part, '\v')
		blocks = slices.DeleteFunc(blocks, func(b block.Block) bool { return b.Start < hidden })
		parts = append(parts, blocks)
	}
	return title, parts
}

// placeOf is the part of a page that a search found, as the first that holds the most words of the last
// query.
func (d *desk) placeOf(ref string, parts [][]block.Block) (best int) {
	most := 0
	for i, part := range parts {
		n, text := 0, strings.ToLower(block.Show("", part))
		for _, w := range strings.Fields(strings.ToLower(d.query)) {
			n += strings.Count(text, w)
		}
		if strings.HasPrefix(ref, "h") && n > most {
			best, most = i+1, n
		}
	}
	return best
}

// visitURL shows the part of a page that is asked for or was found, its first, or the blocks that are named.
func (d *desk) visitURL() agent.Action {
	type input struct {
		URL    string `json:"url"`
		Part   int    `json:"part,omitempty"`
		Blocks string `json:"blocks,omitempty"`
	}
	return agent.NewAction("visit_url", "",
		func(_ context.Context, _ *agent.Turn, in input) (agent.Outcome, error) {
			url := d.address(in.URL)
			title, parts := d.blocksOf(url)
			if d.pages[url] == "" {
				return agent.Outcome{}, errors.New("there is no such page")
			}
			if d.ids[url] == "" {
				d.ids[url] = fmt.Sprintf("s%d", len(d.ids)+1)
			}
			id, shown := d.ids[url], "Read as "+d.ids[url]+".\n\n"
			if in.Blocks == "" {
				part := max(1, in.Part, d.placeOf(in.URL, parts))
				return agent.Say(shown + agent.Outside("page", block.Show(id, parts[part-1]), "id", id, "url",
					url, "title", title, "part", fmt.Sprintf("%d/%d", part, len(parts)))), nil
			}
			var chosen []block.Block
			for _, b := range slices.Concat(parts...) {
				isOf := false
				for span := range strings.SplitSeq(in.Blocks, ", ") {
					var from, to int
					_, err := fmt.Sscanf(span, "%d-%d", &from, &to)
					isOf = isOf || err == nil && b.N >= from && b.N <= to
				}
				if isOf {
					chosen = append(chosen, b)
				}
			}
			return agent.Say(shown + agent.Outside("passages", block.Show(id, chosen), "id", id, "url", url,
				"title", title)), nil
		})
}

// update replaces sections of both dashboards.
func (d *desk) update() agent.Action {
	type input struct {
		Sections map[string]string `json:"sections"`
	}
	return agent.NewAction("update_overall_dashboard", "",
		func(_ context.Context, _ *agent.Turn, in input) (agent.Outcome, error) {
			if d.balk > 0 {
				d.balk--
				const refusal = "Not yet: s1 was read and is named nowhere. Update again if you mean it."
				return agent.Say(refusal), nil
			}
			for _, text := range in.Sections {
				if passage := d.passage(text); passage != "" {
					d.copied = append(d.copied, passage)
					return agent.Outcome{}, fmt.Errorf("the text holds a passage copied from a page or a "+
						"search result, beginning %q. A dashboard holds your own words", passage)
				}
			}
			for id, text := range in.Sections {
				file := "overall_dashboard.md"
				if strings.Contains(d.files["current_dashboard.md"], "{#"+id+"}") {
					file = "current_dashboard.md"
				}
				d.set(file, id, text)
			}
			return agent.Outcome{Effect: agent.Restart, Text: "Updated."}, nil
		})
}

// set replaces the body of a section, as a person does by hand.
func (d *desk) set(file, section, body string) {
	head, rest, found := strings.Cut(d.files[file], "{#"+section+"}\n")
	if !found {
		panic("no section " + section)
	}
	_, after, more := strings.Cut(rest, "\n## ")
	d.files[file] = head + "{#" + section + "}\n\n" + body + "\n"
	if more {
		d.files[file] += "\n## " + after
	}
}

func (d *desk) get(file, section string) string {
	_, rest, _ := strings.Cut(d.files[file], "{#"+section+"}\n")
	body, _, _ := strings.Cut(rest, "\n## ")
	return strings.TrimSpace(body)
}

func (d *desk) allFinished() agent.Action {
	type input struct {
		Result string `json:"result"`
	}
	return agent.NewAction("all_finished", "",
		func(_ context.Context, _ *agent.Turn, in input) (agent.Outcome, error) {
			if len(d.refuse) > 0 {
				why := d.refuse[0]
				d.refuse = d.refuse[1:]
				return agent.Say("Not finished: " + why), nil
			}
			return agent.Outcome{Effect: agent.Finish, Text: in.Result}, nil
		})
}

const pageOfFile = 16 << 10

// fileOperation carries out the plain requests that this brain makes.
func (d *desk) fileOperation() agent.Action {
	type input struct {
		Operation string `json:"operation_description"`
		Content   string `json:"content,omitempty"`
	}
	return agent.NewAction("file_operation", "",
		func(_ context.Context, _ *agent.Turn, in input) (agent.Outcome, error) {
			verb, path, _ := strings.Cut(strings.ReplaceAll(in.Operation, ", overwriting it", ""), " `")
			path = strings.TrimSuffix(path, "`")
			text, known := d.files[path]
			switch {
			case verb == "Read the file" && !known:
				return agent.Outcome{}, fmt.Errorf("there is no file %s", path)
			case verb == "Read the file" && len(text) > pageOfFile:
				return agent.Say(fmt.Sprintf("%s\n(bytes 0-%d of %d; go on with continue_stream_read, "+
					"stream_id %q)", text[:pageOfFile], pageOfFile, len(text), "16384.0.ab."+path)), nil
			case verb == "Read the file":
				delete(d.locked, path)
				return agent.Say(text), nil
			case verb == "Continue the stream":
				path = strings.TrimPrefix(path, "16384.0.ab.")
				return agent.Say(d.files[path][pageOfFile:] + "\n(end of " + path + ")"), nil
			case verb == "Write the content to" && d.locked[path]:
				return agent.Outcome{}, fmt.Errorf("%s was changed by a person; read it first", path)
			case verb == "Write the content to" && d.refused[path]:
				return agent.Outcome{}, fmt.Errorf("%s cannot be written", path)
			case verb == "Write the content to":
				if d.files[path] = in.Content; d.spoilt[path] {
					d.files[path] = binary
				}
				return agent.Say("Wrote " + path), nil
			case in.Operation == "List the files in the directory Notebook" && len(d.chapterFiles()) > 0:
				list := strings.Join(d.chapterFiles(), "\n")
				return agent.Say(strings.ReplaceAll(list, "Notebook/", "")), nil
			}
			return agent.Outcome{}, fmt.Errorf("not understood, or nothing is there: %s", in.Operation)
		})
}

// quotesIn are the quotes of a text with their sources.
func quotesIn(text string) (quotes [][2]string) {
	for _, block := range strings.Split(text, "> “")[1:] {
		quoted, after, _ := strings.Cut(block, "” [")
		id, _, _ := strings.Cut(after, "]")
		quotes = append(quotes, [2]string{quoted, id})
	}
	return quotes
}

var linked = regexp.MustCompile(`\[([^\[\]]*)\](?:\([^()]*\)|\[[^\[\]]*\])`)

// assertVerbatim checks that each quote of a file is to the letter in the block that it names.
func (d *desk) assertVerbatim(t *testing.T, file string) (n int) {
	t.Helper()
	texts := map[string]string{}
	for url, id := range d.ids {
		_, parts := d.blocksOf(url)
		for _, b := range slices.Concat(parts...) {
			bare, _ := prose.Unlinked(b.Text)
			texts[fmt.Sprintf("%s.%d", id, b.N)] = prose.Unwrapped(bare)
		}
	}
	quotes := quotesIn(d.files[file])
	for _, q := range quotes {
		assert.Contains(t, texts[q[1]], q[0], "%s quotes %s", file, q[1])
		assert.NotContains(t, q[0], "SECRET", "from code, a table or a list of links")
	}
	return len(quotes)
}

func (d *desk) chapterFiles() (files []string) {
	for _, name := range slices.Sorted(maps.Keys(d.files)) {
		if strings.HasPrefix(name, "Notebook/") {
			files = append(files, name)
		}
	}
	return files
}
