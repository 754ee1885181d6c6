package clip_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/clip"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// desk is a workspace in memory with the actions of the researcher and of the file agent, as far as their contract goes.
type desk struct {
	files   map[string]string
	pages   map[string]string // by address; the first line is the title
	ids     map[string]string // of pages that were read
	notices []string          // told one a step
	refuse  []string          // what all_finished says, one a time
	balk    int               // so many updates come back with a question
	locked  map[string]bool   // files that cannot be written before they were read
	refused map[string]bool   // files that cannot be written at all
	spoilt  map[string]bool   // files that are binary whatever is written
	strict  bool              // updates that share a passage with a page are refused
	copied  []string          // what was refused as such
	calls   []agent.Call
}

func newDesk(question string, pages map[string]string) *desk {
	return &desk{
		pages: pages, ids: map[string]string{}, locked: map[string]bool{}, refused: map[string]bool{}, spoilt: map[string]bool{},
		files: map[string]string{
			"overall_dashboard.md": "# Overall\n\n## Question {#question}\n\n**Question:** " + question + "\n\n## Blueprint {#blueprint}\n\n" +
				"<!-- chapters: - [ ] **Title** — question. File: Notebook/01-title.md -->\n\n## Findings {#findings}\n\n<!-- what is established -->\n\n" +
				"## Gaps {#gaps}\n\n## Decisions {#decisions}\n\n## Quality {#quality}\n",
			"current_dashboard.md": "# Now\n\n## Task {#task}\n\n## Next {#next}\n\n## Plan {#plan}\n\n## Learned {#learned}\n\n## Notes {#notes}\n\nmine\n",
		},
	}
}

func (d *desk) run(t *testing.T, steps int) agent.Result {
	t.Helper()
	result, err := d.researcher(steps).Run(context.Background())
	require.NoError(t, err)
	return result
}

// twins think twice, as a Brain that keeps what it made of pages and as one that does not, and fail when that makes a difference.
type twins struct{}

// keeping is one for all tests, so that it has kept what it made of other pages at the same addresses.
var keeping = clip.New()

func (twins) Think(ctx context.Context, talk *agent.Conversation) (agent.Reply, error) {
	reply, err := clip.Brain{}.Think(ctx, talk)
	for range 2 { // what it makes anew, and what it has kept
		again, failed := keeping.Think(ctx, talk)
		if !assert.ObjectsAreEqual(reply, again) || !assert.ObjectsAreEqual(err, failed) {
			return reply, fmt.Errorf("with pages kept the reply is %v (%v), and without them %v (%v)", again, failed, reply, err)
		}
	}
	return reply, err
}

func (d *desk) researcher(steps int) agent.Agent {
	return agent.Agent{
		Name: "researcher", Brain: twins{}, Limits: agent.Limits{Steps: steps},
		Open: func(context.Context) ([]agent.Message, error) {
			return []agent.Message{agent.System("rules"), agent.User(d.files["overall_dashboard.md"]), agent.User(d.files["current_dashboard.md"])}, nil
		},
		Notice: func(context.Context) (string, error) {
			if len(d.notices) == 0 {
				return "", nil
			}
			notice := d.notices[0]
			d.notices = d.notices[1:]
			return notice, nil
		},
		Observe: func(e agent.Event) {
			if r, ok := e.(agent.Replied); ok && r.Agent == "researcher" {
				d.calls = append(d.calls, r.Calls...)
			}
		},
		Actions: []agent.Action{
			d.fileOperation(), d.webSearch(), d.visitURL(),
			d.update("update_overall_dashboard", "overall_dashboard.md"), d.update("update_current_dashboard", "current_dashboard.md"), d.allFinished(),
		},
	}
}

// webSearch ranks pages by how many of the query's words they hold, in English, or of its characters.
func (d *desk) webSearch() agent.Action {
	type input struct {
		Query string `json:"query"`
	}
	return agent.NewAction("web_search", "", func(_ context.Context, _ *agent.Turn, in input) (agent.Outcome, error) {
		words := strings.Fields(strings.ToLower(in.Query))
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
		for i, url := range urls[:min(8, len(urls))] {
			if found[url] < min(2, len(words)) {
				break
			}
			title, _, _ := strings.Cut(d.pages[url], "\n")
			fmt.Fprintf(&out, "h%d. %s\n   URL: %s\n", i+1, title, url)
			if id := d.ids[url]; id != "" {
				fmt.Fprintf(&out, "   documents · read as %s\n", id)
			}
			fmt.Fprintf(&out, "   %s\n", "1. a snippet that looks like a hit")
		}
		if out.Len() == 0 {
			return agent.Say(fmt.Sprintf("No results for %q.\n\nNot searched: arxiv (no network)\n", in.Query)), nil
		}
		return agent.Say(fmt.Sprintf("Results for %q:\n\n<results>\n%s</results>\n", in.Query, out.String())), nil
	})
}

// visitURL shows pages in parts that are divided by a form feed.
func (d *desk) visitURL() agent.Action {
	type input struct {
		URL  string `json:"url"`
		Part int    `json:"part,omitempty"`
	}
	return agent.NewAction("visit_url", "", func(_ context.Context, _ *agent.Turn, in input) (agent.Outcome, error) {
		title, text, ok := strings.Cut(d.pages[in.URL], "\n")
		if !ok {
			return agent.Outcome{}, errors.New("there is no such page")
		}
		if d.ids[in.URL] == "" {
			d.ids[in.URL] = fmt.Sprintf("s%d", len(d.ids)+1)
		}
		id, parts := d.ids[in.URL], strings.Split(text, "\f")
		n := max(in.Part, 1)
		shown := "Read as " + id + ".\n\n"
		if n == 1 && len(parts) > 1 {
			shown += agent.Outside("outline", outlineOf(parts), "id", id) + "\n\n"
		}
		shown += agent.Outside("page", parts[n-1], "id", id, "url", in.URL, "title", title, "part", fmt.Sprintf("%d/%d", n, len(parts)))
		return agent.Say(shown), nil
	})
}

func outlineOf(parts []string) string {
	var lines []string
	for i, part := range parts {
		var headings []string
		for line := range strings.Lines(part) {
			if heading, ok := strings.CutPrefix(line, "## "); ok {
				headings = append(headings, strings.TrimSpace(heading))
			}
		}
		lines = append(lines, fmt.Sprintf("part %d: %s", i+1, strings.Join(headings, " · ")))
	}
	return strings.Join(lines, "\n")
}

func (d *desk) update(name, file string) agent.Action {
	type input struct {
		Text    string `json:"text"`
		Section string `json:"section,omitempty"`
	}
	return agent.NewAction(name, "", func(_ context.Context, _ *agent.Turn, in input) (agent.Outcome, error) {
		if d.balk > 0 {
			d.balk--
			return agent.Say("Not yet: s1 was read and is named nowhere. Update again if you mean it."), nil
		}
		if passage := d.passage(in.Text); passage != "" {
			d.copied = append(d.copied, passage)
			return agent.Outcome{}, fmt.Errorf("the text holds a passage copied from a page or a search result, beginning %q. A dashboard holds your own words", passage)
		}
		if in.Section != "" {
			d.set(file, in.Section, in.Text)
		} else {
			notes := d.get(file, "notes")
			if d.files[file] = in.Text; notes != "" {
				d.set(file, "notes", notes)
			}
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
	return agent.NewAction("all_finished", "", func(_ context.Context, _ *agent.Turn, in input) (agent.Outcome, error) {
		if len(d.refuse) > 0 {
			why := d.refuse[0]
			d.refuse = d.refuse[1:]
			return agent.Say("Not finished: " + why), nil
		}
		return agent.Outcome{Effect: agent.Finish, Text: in.Result}, nil
	})
}

// fileOperation runs the file agent, with the same Brain, on the files in memory.
func (d *desk) fileOperation() agent.Action {
	type input struct {
		Operation string `json:"operation_description"`
		Content   string `json:"content,omitempty"`
	}
	return agent.NewAction("file_operation", "", func(ctx context.Context, turn *agent.Turn, in input) (agent.Outcome, error) {
		request := "Operation: " + in.Operation
		if in.Content != "" {
			request += fmt.Sprintf("\nContent: %d bytes, to be written as \"@content\". It begins: %.40q", len(in.Content), in.Content)
		}
		result, err := turn.Nest(ctx, agent.Agent{
			Name: "file", Brain: clip.Brain{}, Limits: agent.Limits{Steps: 10}, Actions: d.fileActions(in.Content),
			Open: func(context.Context) ([]agent.Message, error) {
				return []agent.Message{agent.System("rules"), agent.User(request)}, nil
			},
		})
		if err == nil && result.Reason != agent.Finished {
			err = fmt.Errorf("the file agent ended: %s", result.Reason)
		}
		return agent.Say(result.Text), err
	})
}

type fileInput struct {
	Path     string `json:"path,omitempty"`
	Text     string `json:"text,omitempty"`
	Mode     string `json:"mode,omitempty"`
	StreamID string `json:"stream_id,omitempty"`
	Answer   bool   `json:"answer,omitempty"`
}

const pageOfFile = 16 << 10

func (d *desk) fileActions(content string) []agent.Action {
	file := func(name string, run func(in fileInput) (string, error)) agent.Action {
		return agent.NewAction(name, "", func(_ context.Context, _ *agent.Turn, in fileInput) (agent.Outcome, error) {
			text, err := run(in)
			if err != nil || !in.Answer {
				return agent.Say(text), err
			}
			return agent.Outcome{Effect: agent.Finish, Text: text}, nil
		})
	}
	return []agent.Action{
		file("read_file", func(in fileInput) (string, error) {
			text, ok := d.files[in.Path]
			if !ok {
				return "", fmt.Errorf("there is no file %s", in.Path)
			}
			delete(d.locked, in.Path)
			if len(text) > pageOfFile {
				return fmt.Sprintf("%s\n(bytes 0-%d of %d; go on with continue_stream_read, stream_id %q)", text[:pageOfFile], pageOfFile, len(text), "16384.0.ab."+in.Path), nil
			}
			return text, nil
		}),
		file("continue_stream_read", func(in fileInput) (string, error) {
			path := strings.TrimPrefix(in.StreamID, "16384.0.ab.")
			return d.files[path][pageOfFile:] + "\n(end of " + path + ")", nil
		}),
		file("write_file", func(in fileInput) (string, error) {
			if d.locked[in.Path] {
				return "", fmt.Errorf("%s was changed by a person; read it first", in.Path)
			}
			if in.Text != "@content" || in.Mode != "overwrite" {
				return "", fmt.Errorf("unexpected: %+v", in)
			}
			if d.refused[in.Path] {
				return "", fmt.Errorf("%s cannot be written", in.Path)
			}
			if d.files[in.Path] = content; d.spoilt[in.Path] {
				d.files[in.Path] = binary
			}
			return "Wrote " + in.Path, nil
		}),
		file("list_directory", func(in fileInput) (string, error) {
			var names []string
			for _, name := range slices.Sorted(maps.Keys(d.files)) {
				if name, ok := strings.CutPrefix(name, in.Path+"/"); ok {
					names = append(names, name)
				}
			}
			if len(names) == 0 {
				return "", fmt.Errorf("there is no directory %s", in.Path)
			}
			return strings.Join(names, "\n"), nil
		}),
		agent.NewAction("answer", "", func(_ context.Context, _ *agent.Turn, in fileInput) (agent.Outcome, error) {
			return agent.Outcome{Effect: agent.Finish, Text: in.Text}, nil
		}),
	}
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

// assertVerbatim checks that each quote of a file stands to the letter in the page that it names.
func (d *desk) assertVerbatim(t *testing.T, file string) (n int) {
	t.Helper()
	pages := map[string]string{}
	for url, id := range d.ids {
		pages[id] = d.pages[url]
	}
	quotes := quotesIn(d.files[file])
	for _, q := range quotes {
		assert.Contains(t, pages[q[1]], q[0], "%s quotes %s", file, q[1])
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
