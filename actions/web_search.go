package actions

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/daybook-agent/daybook/actions/page"
	"github.com/daybook-agent/daybook/actions/search"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace/origin"
)

const (
	maxHits       = 10              // of a single query
	searchTimeout = 3 * time.Minute // several queries to services that require seconds between two
)

func (k Kit) webSearch() agent.Action {
	type input struct {
		Query  string `json:"query" jsonschema:"a few keywords, a \"phrase\" or an identifier as it is written; several queries, one a line"`
		Source string `json:"source,omitempty" jsonschema:"where alone to search: the word of a kind named above, the name of a provider, or a site such as go.dev; everywhere unless set"`
	}
	k.toldOut = k.outOfReach() // by the action's description
	a := agent.NewAction("web_search", k.searchDoc(),
		func(ctx context.Context, turn *agent.Turn, in input) (agent.Outcome, error) {
			queries := strings.FieldsFunc(in.Query, func(r rune) bool { return r == '\n' || r == '\r' })
			queries, folders := withoutLists(queries)
			if len(folders) > 0 && len(queries) == 0 {
				list, err := k.lists(ctx, folders)
				return agent.Say(list), err
			}
			source := cmp.Or(strings.ToLower(strings.TrimSpace(in.Source)), siteNamed(queries))
			if err := k.mayAsk(in.Query, source); err != nil {
				return agent.Outcome{}, err
			}
			question := search.Question{Queries: queries, Source: source, Limit: maxHits}
			places, err := k.places(ctx, source, &question)
			if err != nil {
				return agent.Outcome{}, err
			}
			read := k.readBefore(ctx)
			question.Read = func(url string) bool { return read[search.Key(url)] != "" }
			found, err := k.searchOnce(ctx, turn, places, question)
			if err != nil {
				return agent.Outcome{}, k.unanswered(found, err)
			}
			if strings.Contains(source, ".") {
				k.Workspace.Release(siteCall(source))
			}
			if err := turn.InTurn(ctx); err != nil { // hits are numbered in the order of the model's calls
				return agent.Outcome{}, err
			}
			shown, begins, err := k.hits(ctx, found, source)
			if err != nil {
				return agent.Outcome{}, err
			}
			// the remark on unread documents is the program's own
			k.outside.show(turn.Step(), strings.ReplaceAll(shown.Text, agent.Disarm(k.unreadLine()), ""))
			switch list := ""; {
			case len(folders) > 0:
				list, err = k.lists(ctx, folders)
				shown.Text += "\n" + list + "\n"
			case begins: // who begins does not yet know what there is
				list, err = k.listUnasked(ctx)
				shown.Text += list
			}
			return shown, err
		})
	// it may wait for earlier visits; each search has its own time limit
	a.Parallel, a.Timeout = true, visitTimeout
	a.Explores = true
	return a
}

// unanswered returns the error of a search that nobody answered.
func (k Kit) unanswered(found search.Found, err error) error {
	failed, unreached := k.unreached(found.Failed)
	switch {
	case len(found.Failed) == 0:
		return err
	case len(failed) == 0:
		return errors.New(unreached + " Leave source out, and search those")
	}
	return fmt.Errorf("no provider answered, so what there is to find is unknown: %s",
		strings.Join(unsearched(found.Failed), "; "))
}

// listQuery asks for the names of the user's documents, or of those in one folder.
var listQuery = regexp.MustCompile(`(?i)^\s*list(?:\s+(\S.*)/)?\s*$`)

// mostUnasked is up to how many documents are listed by name with the first results, mostDocuments on
// request, and mostFolders how many folders of a larger collection.
const mostUnasked, mostDocuments, mostFolders = 150, 500, 100

// mostLists bounds the lists of one call.
const mostLists = 5

// withoutLists takes the queries for lists of documents out of some queries, and returns their folders, ""
// for the list of all.
func withoutLists(queries []string) (left, folders []string) {
	left = slices.DeleteFunc(queries, func(q string) bool {
		m := listQuery.FindStringSubmatch(q)
		if m != nil && len(folders) < mostLists && !slices.Contains(folders, m[1]) {
			folders = append(folders, m[1])
		}
		return m != nil && slices.Contains(folders, m[1]) // one too many is a query, which is told
	})
	return left, folders
}

// listUnasked returns the list of a small collection, to show below the first results.
func (k Kit) listUnasked(ctx context.Context) (string, error) {
	all, err := k.unopened(ctx)
	if err != nil || len(all.names) == 0 || all.of > mostUnasked {
		return "", err
	}
	return "\n" + all.list(), nil
}

// unopened are the names of the user's documents that nobody has opened, of how many: names tell what may be
// missing, which no search does.
type unopened struct {
	names []string
	of    int
	below string // the folder that they are in, if only that was asked for
}

func (k Kit) unopened(ctx context.Context) (u unopened, err error) {
	if k.Documents == nil {
		return u, nil
	}
	all, err := k.Documents.Addresses(ctx)
	for _, url := range all {
		if _, read := k.Workspace.Source(url); !read && !strings.HasSuffix(url, ".css") {
			u.names = append(u.names, strings.TrimPrefix(url, "doc:"))
		}
	}
	u.of = len(all)
	return u, err
}

func (u unopened) list() string {
	if u.below != "" {
		return fmt.Sprintf("Documents below %s/ that nobody opened yet, %d (visit_url takes doc: and the "+
			"name):\n\n", u.below, len(u.names)) + agent.Outside("results", strings.Join(u.names, "\n"))
	}
	return fmt.Sprintf("Documents of the person's that nobody opened yet, %d of %d "+
		"(visit_url takes doc: and the name):\n\n", len(u.names), u.of) +
		agent.Outside("results", strings.Join(u.names, "\n"))
}

// folders counts the documents of each folder; those at the top are in "./".
func (u unopened) folders() string {
	names := func(deep int) (list []string) {
		counts := map[string]int{}
		for _, name := range u.names {
			parts := strings.Split(path.Dir(name), "/")
			counts[strings.Join(parts[:min(deep, len(parts))], "/")+"/"]++
		}
		for _, folder := range slices.Sorted(maps.Keys(counts)) {
			list = append(list, fmt.Sprintf("%s %d", folder, counts[folder]))
		}
		return list
	}
	list := names(1)
	for deep := 2; deep < 9; deep++ { // as deep as fits, and as tells anything
		if more := names(deep); len(more) <= mostFolders || len(list) == 1 {
			list = more
		}
	}
	if len(list) > mostFolders {
		list = append(list[:mostFolders], fmt.Sprintf("and %d more", len(list)-mostFolders))
	}
	what := fmt.Sprintf("Of the person's %d documents", u.of)
	if u.below != "" {
		what = fmt.Sprintf("Of those below %s/", u.below)
	}
	return fmt.Sprintf("%s %d were not opened yet. A list names at most %d, of one folder: the query "+
		"\"list NAME/\". By folder:\n\n", what, len(u.names), mostDocuments) +
		agent.Outside("results", strings.Join(list, "\n"))
}

// isParted reports whether some names are in several folders.
func isParted(names []string) bool {
	isElsewhere := func(name string) bool { return path.Dir(name) != path.Dir(names[0]) }
	return slices.ContainsFunc(names, isElsewhere)
}

// lists names the user's documents of some folders that nobody has opened, a list for each folder.
func (k Kit) lists(ctx context.Context, folders []string) (string, error) {
	if k.Documents == nil {
		return "There is no list: the person gave no documents.", nil
	}
	all, err := k.unopened(ctx)
	var lists []string
	for _, folder := range folders {
		lists = append(lists, all.in(folder))
	}
	return strings.Join(lists, "\n\n"), err
}

// in lists the documents of a folder, or of all for "", or counts them by folder if they are many.
func (u unopened) in(folder string) string {
	isElsewhere := func(name string) bool { return !strings.HasPrefix(name, folder+"/") }
	switch folder {
	case ".":
		isElsewhere = func(name string) bool { return strings.Contains(name, "/") }
	case "":
		isElsewhere = func(string) bool { return false }
	}
	u.names = slices.DeleteFunc(slices.Clone(u.names), isElsewhere)
	u.below = prose.Shorten(agent.Literal(folder), maxNamed)
	switch rest := len(u.names) - mostDocuments; {
	case len(u.names) == 0 && folder != "":
		return fmt.Sprintf("No document below %s/ is left to open.", u.below)
	case len(u.names) == 0:
		return fmt.Sprintf("All %d documents that the person gave were opened.", u.of)
	case rest > 0 && isParted(u.names):
		return u.folders()
	case rest > 0:
		u.names = u.names[:mostDocuments]
		return u.list() + fmt.Sprintf("\nand %d more, which can only be searched.", rest)
	}
	return u.list()
}

// hostName matches a source that may be sent to a search engine as site:, so that only a host name goes with
// it.
var hostName = regexp.MustCompile(`^[\pL\d-]+(?:\.[\pL\d-]+)+(?::\d+)?$`)

// mayAsk refuses what must not leave the machine, as queries or as part of the source.
func (k Kit) mayAsk(queries, source string) error {
	if k.staysHere(source) {
		return nil
	}
	if strings.Contains(source, ".") {
		if !hostName.MatchString(source) {
			return fmt.Errorf("the source %q is no name of a site; give its host alone, such as go.dev",
				prose.Shorten(prose.OneLine(source), maxNamed))
		}
		for _, name := range []string{source, strings.ReplaceAll(source, ".", " ")} {
			if err := k.mayLeave(name); err != nil {
				return err
			}
		}
	}
	return k.mayLeave(queries)
}

// siteNamed returns the host that all queries name by site:, the syntax of search engines, or "".
func siteNamed(queries []string) string {
	host := ""
	for _, query := range queries {
		_, rest, found := strings.Cut(" "+query, " site:")
		fields := strings.Fields(rest)
		if !found || len(fields) == 0 || !strings.Contains(fields[0], ".") ||
			host != "" && host != strings.ToLower(fields[0]) {
			return ""
		}
		host = strings.ToLower(fields[0])
	}
	return host
}

// LookUp searches for a term outside of a run, and returns the results marked as outside material.
func (k Kit) LookUp(ctx context.Context, term string) (string, error) {
	if err := k.mayLeave(term); err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, searchTimeout)
	defer cancel()
	question := search.Question{Queries: []string{prose.OneLine(term)}, Limit: maxHits}
	question.Once = func(provider, query string, ask func() ([]search.Hit, error)) ([]search.Hit, error) {
		return heldOr(k.Workspace, "look-up "+term, provider+" for "+query, ask)
	}
	found, err := k.Search.Search(ctx, question)
	if err != nil {
		return "", err
	}
	shown, _, err := k.hits(ctx, found, "")
	return shown.Text, err
}

// places returns the providers to ask. A source that looks like a host is searched as a site: by its own
// lists if the host is known.
func (k Kit) places(ctx context.Context, source string, q *search.Question) (*search.All, error) {
	all := k.Search
	if all == nil {
		all = &search.All{}
	}
	if strings.Contains(source, ".") {
		known, err := k.Workspace.KnownHost(source)
		if err != nil {
			return nil, agent.Fatal(fmt.Errorf("looking where the site comes from: %w", err))
		}
		switch {
		case known || k.AnyURL:
			q.Site, err = k.site(ctx, source)
		case !all.SearchesWeb():
			return nil, fmt.Errorf("the site %s is that of no search result, and in nothing that "+
				"the person wrote before you did, so it is not asked. Search for its name first", source)
		}
		if err != nil {
			return nil, err
		}
		return all, nil
	}
	if len(all.Providers) == 0 {
		return nil, errors.New("there is nowhere to search: no provider is set up and the person gave no " +
			"documents. Visit addresses that the person named, or finish and say what is missing")
	}
	return all, nil
}

// site searches the articles of one site by its own lists, under the same rule as a visit: a host of unknown
// origin is not even looked up.
func (k Kit) site(ctx context.Context, host string) (search.Provider, error) {
	return once(ctx, k.sites, host, func() (search.Provider, error) {
		if !k.AnyURL {
			if err := k.Workspace.Follow("https://" + host + "/"); err != nil {
				return nil, refusedOrFatal(err)
			}
		}
		// its lists are held until it has been searched
		fetch := func(ctx context.Context, url string) (page.Raw, error) {
			return heldOr(k.Workspace, siteCall(host), url, func() (page.Raw, error) {
				return k.Pages.Fetch(ctx, url)
			})
		}
		return &search.Site{Host: host, Most: origin.MaxListed, Fetch: fetch}, nil
	})
}

// siteCall is the key under which the lists of a site are held.
func siteCall(host string) string { return "site " + host }
