// Package actions holds the six actions of the researcher: file_operation, web_search, visit_url, the updates
// of the two dashboards, and all_finished; and browse, where a browser is allowed. What the model reads about
// each is a Markdown file beside the Go file.
//
// [Kit] holds what they work on, and [Kit.Actions] gives them in the order in which the model is shown them:
//
//	files := fileagent.Files{Workspace: w, Brain: brain}
//	kit := actions.Kit{Workspace: w, Files: files, Search: &search.All{Providers: all}, Pages: fetcher}
//	researcher := agent.Agent{Actions: kit.Actions(), …}
//
// An action bounds itself, and when it cuts something it says how to get the rest. Its error is text for the
// model, which then tries another way; only a workspace that cannot be written any more ends the run.
package actions

import (
	"context"
	"embed"
	"errors"
	"slices"
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

// Kit is what the researcher's actions work on.
type Kit struct {
	Workspace *workspace.Workspace
	Files     fileagent.Files
	Search    *search.All // nil when there is nowhere to search
	Documents Documents   // nil when the person gave no documents
	// LeftOut: what of the person's folders is not searched, and why, in one line; "" for nothing
	LeftOut string
	Unread  string       // which of the person's documents could not be read, and why; "" for none
	Quotes  bool         // whether the researcher only quotes, and remembers nothing of a search
	Pages   *web.Fetcher // gets pages from the web
	Formats *page.Reader // turns them into text; nil to start a machine of its own for every PDF
	Reader  agent.Brain  // takes passages out of pages; nil for that of Files
	AnyURL  bool         // whether addresses of unknown origin may be visited
	Browser string       // the program that shows pages which need one; "" for none
	Tools   []Tool       // from elsewhere, beside the six actions
	// Chapters: how chapters are researched side by side; nil for one after the other
	Chapters *Chapters
	// Propose decides what comes of a report that all_finished names. Without one the research ends with it
	// as it is.
	Propose func(ctx context.Context, turn *agent.Turn, report string) (agent.Outcome, error)
	// Compare tells what chapters that came back say twice, and where they differ; nil for nothing.
	Compare func(ctx context.Context, turn *agent.Turn, files []string) (string, error)
	// Check tells what of a chapter's citations does not hold, "" for nothing; nil to check none.
	Check func(ctx context.Context, file string) string
	// Again, when set, carries out the actions that explore: a replay takes from its record what they
	// brought, and asks nobody.
	Again func(ctx context.Context, turn *agent.Turn) (agent.Outcome, error)

	outside *outside
	sites   *sites
	chapter string               // the file of a chapter's researcher; "" for the researcher of the whole
	board   *workspace.Dashboard // of a chapter's researcher, in place of both
	share   length               // of a chapter, how long it may become
	toldOut bool                 // whether the model knows that no place of others can be reached
	divided *divided
	shelf   *shelf // what the researchers of chapters share; nil for nothing
}

// Documents gives a document of the person's own by the doc: address of a search hit, and lists all of these.
// Outside reports whether the file of one that is among them no longer still exists.
type Documents interface {
	Page(ctx context.Context, address string) (page.Page, error)
	Addresses(ctx context.Context) ([]string, error)
	Outside(ctx context.Context, address string) (bool, error)
}

// Actions are the six, always in the same order, as a server's prompt cache wants them; with a Browser there
// is browse too, and last come the tools that were joined.
func (k Kit) Actions() []agent.Action {
	k = k.remembering()
	k.Files.Tools = k.tools(true)
	all := []agent.Action{
		k.fileOperation(),
		k.webSearch(),
		k.visitURL(),
		k.updateDashboard("update_overall_dashboard", workspace.Overall),
		k.updateDashboard("update_current_dashboard", workspace.Current),
		k.allFinished(),
	}
	if k.Browser != "" {
		all = slices.Insert(all, 3, k.browse())
	}
	if k.Chapters != nil {
		all = slices.Insert(all, 3, k.researchChapters())
	}
	return k.replayed(append(all, k.tools(false)...))
}

// Exploring are the actions by which an agent looks for something and changes nothing: web_search and
// visit_url.
func (k Kit) Exploring() []agent.Action {
	k = k.remembering()
	return k.replayed([]agent.Action{k.webSearch(), k.visitURL()})
}

// remembering is a kit that has seen nothing yet.
func (k Kit) remembering() Kit {
	k.outside, k.divided, k.sites = &outside{}, &divided{}, &sites{byHost: map[string]search.Provider{}}
	return k
}

// replayed has actions that explore carried out by Again, when it is set.
func (k Kit) replayed(all []agent.Action) []agent.Action {
	for i := range all {
		if k.Again != nil && all[i].Explores {
			all[i].Run = k.fromRecord
		}
	}
	return all
}

// ReadAs is the id of the source that a call gave; "" for one that gave none, and for browse, which answers
// about several.
func ReadAs(d agent.Did) string {
	for _, f := range d.Facts {
		if f.Kind == agent.Read && d.Name != "browse" {
			return f.ID
		}
	}
	// older journals hold no facts, and their replay has to come to the same
	id, ok := strings.CutPrefix(d.Text, "Read as ")
	if !ok {
		return ""
	}
	id, _, _ = strings.Cut(id, ".")
	return id
}

// fromRecord takes the outcome of a call that explores from a record, and remembers what was shown of the
// world outside.
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
