package actions

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/daybook-agent/daybook/actions/page"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/daybook-agent/daybook/agent/workspace/origin"
)

const (
	// visitTimeout bounds a visit: the wait for its turn at a host, the page, and a reader that asks the
	// model about each part.
	visitTimeout = 30 * time.Minute
	// shortPage is the size, in tokens, up to which a page is shown whole despite a focus: a reader would be
	// shown as much, plus its prompt, its answer and the wait.
	shortPage = 1000
)

func (k Kit) visitURL() agent.Action {
	type input struct {
		URL    string `json:"url" jsonschema:"the id of a search result (h3) or of a source (s3), or an address you were shown"`
		Part   int    `json:"part,omitempty" jsonschema:"which part of a long page, from 1"`
		Blocks string `json:"blocks,omitempty" jsonschema:"the numbers of the blocks to read, such as 12, 20-24"`
		Focus  string `json:"focus,omitempty" jsonschema:"what you want to know of the page: only the blocks about it come back, from the part or the blocks that you name, or from all of it"`
		Links  bool   `json:"links,omitempty" jsonschema:"show where the links in sentences lead, to follow one"`
		Again  bool   `json:"again,omitempty" jsonschema:"fetch a page anew that was read before and may have changed"`
	}
	a := agent.NewAction("visit_url", doc("visit_url"),
		func(ctx context.Context, turn *agent.Turn, in input) (agent.Outcome, error) {
			focus := prose.OneLine(in.Focus)
			r, err := k.visitOnce(ctx, turn, strings.TrimSpace(in.URL), in.Again, focus != "")
			if err != nil {
				return agent.Outcome{}, err
			}
			k.divided.take(&r, in.Links)
			most := partFor(turn.Room())
			var found chosen
			if focus != "" {
				looked, err := r.lookedThrough(in.Part, in.Blocks, most)
				if err != nil {
					return agent.Outcome{}, err
				}
				if costOf(looked) > min(shortFor(in.Blocks), most) {
					if found, err = k.distil(ctx, turn, &r, focus, looked); err != nil {
						return agent.Outcome{}, err
					}
				}
			}
			// sources are numbered in the order of the model's calls, whichever page came first
			if err := turn.InTurn(ctx); err != nil {
				return agent.Outcome{}, err
			}
			fetched := r.source.ID == ""
			if r.seen = k.Workspace.BlocksShown(r.source.ID); fetched {
				if r.source, err = k.Workspace.AddSource(r.source, r.text); err != nil {
					return agent.Outcome{}, agent.Fatal(err)
				}
			}
			shown := ""
			switch { // the chosen blocks come before the page
			case found.focus != "":
				shown = found.show(&r, most*4/3)
			case in.Blocks != "":
				shown, err = r.showBlocks(in.Blocks, most*4/3)
			default:
				shown, err = r.showPart(k.opened(in.URL, in.Part), most)
			}
			if err != nil {
				return agent.Outcome{}, err
			}
			if err := k.recordShown(&r, fetched); err != nil {
				return agent.Outcome{}, err
			}
			k.outside.visited(k.Workspace, turn.Step(), r.source.ID, shown)
			return agent.Say(shown, asFact(r.source)), nil
		})
	a.Parallel, a.Explores, a.Timeout = true, true, visitTimeout
	return a
}

// shortFor returns the size, in tokens, up to which blocks are shown whole despite a focus: larger for blocks
// that the model named itself.
func shortFor(blocks string) int {
	if blocks != "" {
		return 2 * shortPage
	}
	return shortPage
}

// opened returns which part of a page a call opens: the one it names, or the one with the place in its
// address, or with the excerpt of the search result.
func (k Kit) opened(name string, part int) opening {
	hit, ok := k.Workspace.Hit(bareID(name))
	if ok {
		name = hit.URL
	}
	_, place, _ := strings.Cut(name, "#")
	if decoded, err := url.PathUnescape(place); err == nil {
		place = decoded
	}
	return opening{max(part, 0), hit.Excerpt, place}
}

// bareID strips the brackets that models like to put around an id.
func bareID(name string) string { return strings.Trim(strings.TrimSpace(name), "[]") }

// visitOnce is visit, but what it fetched survives a kill even before it is kept: while a reader reads it, or
// earlier calls are still running.
func (k Kit) visitOnce(
	ctx context.Context,
	turn *agent.Turn,
	name string,
	again, waits bool,
) (reading, error) {
	type page struct {
		Source workspace.Source `json:"source"`
		Text   string           `json:"text"`
	}
	const holding = "page"
	var before page
	if k.Workspace.Held(turn.Path(), holding, &before) {
		return reading{source: before.Source, text: before.Text}, nil
	}
	r, err := k.visit(ctx, name, again)
	// reading a user's document again costs nothing
	if err == nil && r.source.ID == "" && (waits || !turn.IsFirst()) &&
		!strings.HasPrefix(r.source.URL, "doc:") {
		k.Workspace.Hold(turn.Path(), holding, page{r.source, r.text})
	}
	return r, err
}

// visit reads a page. One read before is not fetched again, unless again is set or somebody changed the kept
// copy.
func (k Kit) visit(ctx context.Context, name string, again bool) (reading, error) {
	address, err := k.address(name, again)
	if err != nil {
		return reading{}, err
	}
	own := strings.HasPrefix(address, "doc:")
	if page, _, ok := strings.Cut(address, "#"); ok && (!own || k.isDocument(ctx, page)) {
		address = page // without the fragment, which is never sent
	}
	if s, ok := k.Workspace.Source(address); ok && !own && !again {
		text, intact, err := k.Workspace.SourceText(s.ID)
		if err != nil || intact || address == s.ID {
			return reading{source: s, text: text, edited: !intact}, err
		}
	}
	read := func() (reading, error) {
		fetch := k.fetch
		if own {
			fetch = k.document
		}
		p, final, err := fetch(ctx, address)
		return readNow(p, address, final), err
	}
	if own || again {
		return read()
	}
	return once(ctx, k.shelf, "page "+address, read)
}

// isDocument reports whether the user gave a document with this address.
func (k Kit) isDocument(ctx context.Context, address string) bool {
	_, _, err := k.document(ctx, address)
	return err == nil
}

// readNow returns the reading of a page that was just read.
func readNow(p page.Page, url, final string) reading {
	s := workspace.Source{
		URL: url, FinalURL: final, Title: prose.OneLine(p.Title), Author: p.Author, Published: p.Published,
		Type: p.Type, Language: p.Language,
		Complete: p.Partial, Fetched: time.Now().UTC().Truncate(time.Second), ETag: p.ETag,
		Modified: p.Modified,
	}
	if s.Title == "" {
		s.Title = url
	}
	// as it is kept, so that blocks have the same numbers
	text := strings.ReplaceAll(strings.TrimSpace(p.Markdown), "\r\n", "\n") + "\n"
	return reading{source: s, text: text}
}

// address resolves an id or an address that a model gave. The id of a source means exactly that version of a
// page, unless again is set.
func (k Kit) address(name string, again bool) (string, error) {
	id := bareID(name)
	if hit, ok := k.Workspace.Hit(id); ok {
		return hit.URL, nil
	}
	if number, ok := strings.CutPrefix(id, "h"); ok && number != "" &&
		strings.Trim(number, "0123456789") == "" {
		return "", fmt.Errorf("there is no search result %s, or there was none yet when this "+
			"reply was written; give the id of one that you were shown", id)
	}
	if ids := workspace.Cited("[" + id + "]"); len(ids) == 1 {
		s, ok := k.Workspace.Source(ids[0])
		if !ok {
			return "", fmt.Errorf("there is no source %s; nothing was read under that id", ids[0])
		}
		if again {
			return s.URL, nil
		}
		return s.ID, nil
	}
	if strings.HasPrefix(name, workspace.SourcesDir+"/") {
		for _, s := range k.Workspace.Sources() {
			if s.File == name {
				return s.ID, nil
			}
		}
	}
	switch {
	case name == "":
		return "", errors.New(
			"the url is empty; give the id of a search result, such as h3, or an address you were shown")
	case strings.ContainsAny(name, " \n") && !strings.Contains(name, ":"):
		return "", fmt.Errorf("%q is no address; give the id of a search result, such as h3, of a source, "+
			"such as s3, or an address you were shown", prose.Shorten(prose.OneLine(name), maxNamed))
	}
	return name, nil
}

// maxNamed bounds how much of a wrong name an error repeats, in characters.
const maxNamed = 80

func (k Kit) document(ctx context.Context, url string) (page.Page, string, error) {
	if k.Documents == nil {
		return page.Page{}, "",
			errors.New("the person gave no documents of their own, so there is no page at a doc: address")
	}
	p, err := k.Documents.Page(ctx, url)
	return p, "", err
}

// fetchRaw gets a page from the only provider that can read it, such as a company wiki, or from the web.
func (k Kit) fetchRaw(ctx context.Context, url string, than page.Version) (page.Raw, error) {
	if k.Search != nil {
		if raw, own, err := k.Search.Page(ctx, url); own {
			return raw, err
		}
	}
	return k.Pages.FetchNewer(ctx, url, than)
}

// insteadOf says what to do instead of visiting an address of unknown origin.
func (k Kit) insteadOf(url string) string {
	if hit, ok := k.Workspace.HitNamed(url); ok {
		return fmt.Sprintf("Did you mean %s (%s)?", hit.ID, hit.URL)
	}
	if strings.Contains(url, "://") && k.SearchesOwnAlone() {
		return "The web is not searched in this run: visit a page that links to it, or give the " +
			"address just as it stood"
	}
	return "Search for the page, visit one that links to it, or give the address just as it stood"
}

// refusedOrFatal returns an error of Follow for the model, or a fatal one if the record cannot be written.
func refusedOrFatal(err error) error {
	if err == nil || errors.Is(err, origin.ErrFollowed) {
		return err
	}
	return agent.Fatal(err)
}

// fetch gets a page from the web. An address of unknown origin is not requested: whoever made it up may have
// encoded in it what they read here.
func (k Kit) fetch(ctx context.Context, url string) (page.Page, string, error) {
	if err := k.mayVisit(url); err != nil {
		return page.Page{}, "", err
	}
	p, final, err := k.get(ctx, url, page.Version{})
	return p, final, k.needsBrowser(err)
}

// mayVisit returns an error if an address may not be requested, and records the address if it may.
func (k Kit) mayVisit(url string) error {
	if k.AnyURL {
		return nil
	}
	known, err := k.Workspace.Known(url)
	if err != nil {
		return agent.Fatal(fmt.Errorf("looking where the address comes from: %w", err))
	}
	if !known {
		return fmt.Errorf(
			"this address is, to the letter, in no search result, in no link that you were "+
				"shown of the last %d pages, and in nothing that the person wrote before you did, so "+
				"it is not visited. %s", origin.MaxPages, k.insteadOf(url))
	}
	return refusedOrFatal(k.Workspace.Follow(url))
}

// get gets and reads a page that may be requested, unless it is still this version.
func (k Kit) get(ctx context.Context, url string, than page.Version) (page.Page, string, error) {
	raw, err := k.fetchRaw(ctx, url, than)
	if err != nil {
		return page.Page{}, "", err
	}
	p, err := k.readRaw(ctx, raw)
	return p, raw.URL, err
}

// readRaw converts a page to text.
func (k Kit) readRaw(ctx context.Context, raw page.Raw) (page.Page, error) {
	if k.Formats != nil {
		return k.Formats.Read(ctx, raw)
	}
	return page.Read(ctx, raw)
}
