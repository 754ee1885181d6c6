// Package actions holds the six actions of the researcher: file_operation, web_search, visit_url, the updates
// of the two dashboards, and all_finished; and browse, where a browser is allowed. The description of each
// that the model reads is a Markdown file next to the Go file.
//
// [Kit] holds the dependencies of the actions, and [Kit.Actions] returns them in the order the model sees:
//
//	files := fileagent.Files{Workspace: w, Brain: brain}
//	kit := actions.Kit{Workspace: w, Files: files, Search: &search.All{Providers: all}, Pages: fetcher}
//	researcher := agent.Agent{Actions: kit.Actions(), …}
//
// Each action bounds its own output, and when it cuts something it says how to get the rest. Its error is
// text for the model, which then tries another way; only a workspace that can no longer be written ends the
// run.
package actions

import (
	"context"
	"embed"
	"errors"
	"strings"

	"github.com/daybook-agent/daybook/actions/page"
	"github.com/daybook-agent/daybook/actions/search"
	"github.com/daybook-agent/daybook/actions/web"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/daybook-agent/daybook/fileagent"
)

//go:embed *.md
var docs embed.FS

// Kit holds everything the researcher's actions work with.
type Kit struct {
	Workspace *workspace.Workspace
	Files     fileagent.Files
	Search    *search.All // nil if there is nowhere to search
	Documents Documents   // nil if the user gave no documents
	// LeftOut: one line on what in the user's folders is not searched, and why; "" for nothing
	LeftOut string
	Unread  string       // which of the user's documents could not be read, and why; "" for none
	Quotes  bool         // whether the researcher only quotes, and remembers no search results
	Pages   *web.Fetcher // fetches pages from the web
	Formats *page.Reader // converts them to text; nil to start a separate process for each PDF
	Reader  agent.Brain  // selects passages from pages; nil for the Brain of Files
	AnyURL  bool         // whether addresses of unknown origin may be visited
	Browser string       // the program that renders pages which need one; "" for none
	Tools   []Tool       // joined tools, besides the six actions
	// Chapters: how chapters are researched in parallel; nil for one after the other
	Chapters *Chapters
	// Propose decides what happens to the report that all_finished names. If nil, the research ends with the
	// report as it is.
	Propose func(ctx context.Context, turn *agent.Turn, report string) (agent.Outcome, error)
	// Compare reports repetitions and contradictions between finished chapters; nil for no comparison.
	Compare func(ctx context.Context, turn *agent.Turn, files []string) (string, error)
	// Check reports the citations of a chapter that do not hold, "" for none; nil to check none.
	Check func(ctx context.Context, file string) string
	// Again, if set, runs the exploring actions: a replay takes their results from its record instead of
	// calling anyone.
	Again func(ctx context.Context, turn *agent.Turn) (agent.Outcome, error)

	outside *outside
	sites   *shelf // those searched in this run: a list of articles costs a dozen requests
	chapter string // the file of a chapter's researcher; "" for the researcher of the whole
	share   length // how long a chapter may become
	toldOut bool   // whether the model knows that no outside place can be reached
	divided *divided
	shelf   *shelf // what the researchers of chapters fetched in one call, for all; nil for none
}

// Documents returns a user's document by the doc: address of a search hit, and lists these addresses. Outside
// reports whether a document that is no longer among them still exists as a file.
type Documents interface {
	Page(ctx context.Context, address string) (page.Page, error)
	Addresses(ctx context.Context) ([]string, error)
	Outside(ctx context.Context, address string) (bool, error)
}

// Actions returns the six actions, always in the same order, so that a server's prompt cache works. With
// Chapters and a Browser there are research_chapters and browse too; joined tools come last.
func (k Kit) Actions() []agent.Action {
	k = k.remembering()
	k.Files.Tools = k.tools(true)
	all := []agent.Action{k.fileOperation(), k.webSearch(), k.visitURL()}
	if k.Chapters != nil {
		all = append(all, k.researchChapters())
	}
	if k.Browser != "" {
		all = append(all, k.browse())
	}
	all = append(all, k.updateDashboard("update_overall_dashboard", workspace.Overall),
		k.updateDashboard("update_current_dashboard", workspace.Current), k.allFinished())
	return k.replayed(append(all, k.tools(false)...))
}

// Exploring returns the actions by which an agent looks for something and changes nothing: web_search and
// visit_url.
func (k Kit) Exploring() []agent.Action {
	k = k.remembering()
	return k.replayed([]agent.Action{k.webSearch(), k.visitURL()})
}

// remembering returns a copy of the kit that has seen nothing yet.
func (k Kit) remembering() Kit {
	k.outside, k.divided, k.sites = &outside{}, &divided{}, &shelf{}
	return k
}

// replayed makes Again run the actions that explore, if it is set.
func (k Kit) replayed(all []agent.Action) []agent.Action {
	for i := range all {
		if k.Again != nil && all[i].Explores {
			all[i].Run = k.fromRecord
		}
	}
	return all
}

// ReadAs returns the id of the source that a call read; "" for none, and for browse, which may read several.
func ReadAs(d agent.Did) string {
	for _, f := range d.Facts {
		if f.Kind == agent.Read && d.Name != "browse" {
			return f.ID
		}
	}
	// older journals hold no facts, and replaying them must give the same id
	id, ok := strings.CutPrefix(d.Text, "Read as ")
	if !ok {
		return ""
	}
	id, _, _ = strings.Cut(id, ".")
	return id
}

// fromRecord takes the outcome of an exploring call from a record, and remembers what it showed of the
// outside world.
func (k Kit) fromRecord(ctx context.Context, turn *agent.Turn) (agent.Outcome, error) {
	outcome, err := k.Again(ctx, turn)
	if id := ReadAs(agent.Did{Call: turn.Call, Outcome: outcome}); id != "" && err == nil {
		k.outside.visited(k.Workspace, turn.Step(), id, outcome.Text)
	} else if err == nil {
		k.outside.show(turn.Step(), outcome.Text)
	}
	return outcome, err
}

func (k Kit) fileOperation() agent.Action {
	type input struct {
		OperationDescription string `json:"operation_description" jsonschema:"what to do, with the path, in plain words"`
		Content              string `json:"content,omitempty" jsonschema:"the text to write, whole"`
	}
	return agent.NewAction("file_operation", doc("file_operation"),
		func(ctx context.Context, turn *agent.Turn, in input) (agent.Outcome, error) {
			if strings.TrimSpace(in.OperationDescription) == "" {
				return agent.Outcome{}, errors.New(
					"operation_description is empty; say what to do and name the path, such as \"Write the " +
						"content to report.md\"")
			}
			done, err := k.Files.Operate(ctx, turn, in.OperationDescription, in.Content)
			if strings.Contains(done.Text, "<page ") { // the file of a source was read
				k.outside.show(turn.Step(), done.Text)
			}
			return done, err
		})
}

func doc(name string) string {
	text, err := docs.ReadFile(name + ".md")
	if err != nil {
		panic("unreachable unless a description is missing from this package: " + err.Error())
	}
	return strings.TrimSpace(string(text))
}
