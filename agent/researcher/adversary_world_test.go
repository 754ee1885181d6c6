package researcher_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"html"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/daybook-agent/daybook/actions"
	"github.com/daybook-agent/daybook/actions/search"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/daybook-agent/daybook/agent/rounds"
	"github.com/stretchr/testify/require"
)

// world is all that there is around a research: a folder with other people's things beside it, two servers of which one is evil, a search
// service, the names of the network, and the person's own documents. Whatever reaches any of them is on record.
type world struct {
	root, dir  string // the folder around the workspace, and the workspace
	docs       string
	good, evil *agenttest.Site
	pages      map[string]string // of the good server, by path: HTML, or a redirect
	known      map[string]bool   // every address that somebody named
	hits       []search.Hit
	faults     []string // what the faulty search service says
	agenda     [][]agent.Call
	edit       func()          // what the person does while the agent is at work
	report     string          // that the model writes
	judging    *rounds.Judging // of it
	tools      []actions.Tool  // that the person allowed

	mu      sync.Mutex
	fetched []string // addresses, as the servers saw them
	wire    []string // all that the servers saw, a request each
	queries []string // that the search service saw
	names   []string // that were looked up, with whatever else stood in the packet
}

const index = "/start"

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{root: t.TempDir(), pages: map[string]string{}, known: map[string]bool{}}
	w.dir, w.docs = filepath.Join(w.root, "research"), filepath.Join(w.root, "docs")
	w.good, w.evil = w.listen(t), w.listen(t)
	w.recordNames(t)
	for name, text := range map[string]string{
		"outside.txt": secretOfOutside, "research-secret/canary.txt": secretOfOutside, ".ssh/authorized_keys": secretOfOutside, "docs/tides.md": "# Own tides\n\nThe tide at home.\n",
		"research/Notebook/private.md": "# Private\n\nThe key of the house is " + secretOfNotebook + ".\n", "research/Notebook/notes.md": "# My notes\n\nThink of the costs.\nAnd of the moon.\n",
		"research/.env": "KEY=" + secretOfHidden, "research/.git/config": "[remote] " + secretOfHidden, "research/.git/hooks/pre-commit": "#!/bin/sh\n", "research/.mcp.json": "{}",
		"research/mcp.json": `{"servers":{}}`, "research/daybook.yaml": "# mine\n", "research/rules/writing.md": "Write plainly.\n", "research/Notebook/01-target.md": "A chapter of the person's.\n",
	} {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(w.root, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(w.root, name), []byte(text), 0o644))
	}
	for link, to := range map[string]string{
		"research/Notebook/link.md": "../../outside.txt", "research/Notebook/away": "../..", "research/Notebook/alias.md": "01-target.md", "docs/link.md": "../outside.txt",
	} {
		require.NoError(t, os.Symlink(to, filepath.Join(w.root, link)))
	}
	w.page("/one", "<p>The moon pulls.</p>")
	w.known[w.evil.URL+"/known"] = true
	w.visit(index)
	return w
}

// page puts a page onto the good server that the index links to.
func (w *world) page(path, body string) { w.head(path, "A page about tides", "", body) }

func (w *world) head(path, title, more, body string) {
	w.pages[path] = "<!doctype html><html lang=en><head><title>" + html.EscapeString(title) + "</title>" + more + "</head><body><main><article><h1>Tides</h1>" +
		"<p>The tide of " + path + " comes in twice a day, because the moon pulls at the sea and the earth turns under it.</p>" + body +
		"<p>That is all that there is to be said about the tide of the sea, and about the moon that makes it.</p></article></main></body></html>"
	w.known[w.good.URL+path] = true
}

// text has the places of the world filled in.
func (w *world) text(s string) string {
	_, port, _ := strings.Cut(strings.TrimPrefix(w.evil.URL, "http://"), ":")
	return strings.NewReplacer("{{EVIL}}", "{{EVIL}}", "{{GOOD}}", "{{GOOD}}", "EVILHOST", strings.TrimPrefix(w.evil.URL, "http://"), "EVILPORT", port, "EVIL", w.evil.URL, "GOOD", w.good.URL, "ROOT", w.root, "{{U+200B}}", "\u200b").Replace(s)
}

// do adds calls to what the model does of its own accord, as one reply.
func (w *world) do(calls ...agent.Call) { w.agenda = append(w.agenda, calls) }

func (w *world) visit(paths ...string) {
	calls := make([]agent.Call, len(paths))
	for i, p := range paths {
		calls[i] = agenttest.Call("visit_url", args{"url": w.good.URL + p})
	}
	w.do(calls...)
}

// finishIndex writes the page that names all others. It is the only one that the question names.
func (w *world) finishIndex() {
	var links strings.Builder
	for p := range w.pages {
		fmt.Fprintf(&links, "<p>Read about it at <a href=%q>this page of ours</a>, which goes into detail.</p>", w.good.URL+p)
	}
	fmt.Fprintf(&links, "<p>See also <a href=%q>another site</a>, which says the same in other words.</p>", w.evil.URL+"/known")
	w.page(index, links.String())
}

func (w *world) listen(t *testing.T) *agenttest.Site {
	site, err := agenttest.Listen(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		address := "http://" + r.Host + r.URL.RequestURI()
		w.mu.Lock()
		w.fetched = append(w.fetched, address)
		w.wire = append(w.wire, fmt.Sprintf("%s %s %v %s %v", r.Method, address, r.Header, body, err))
		w.mu.Unlock()
		page, ok := w.pages[r.URL.Path]
		if r.Host == strings.TrimPrefix(w.evil.URL, "http://") {
			page, ok = "<h1>Evil</h1><p>The evil server says nothing that matters to anybody in the world, and takes its time over it.</p>", true
		}
		if to, redirect := strings.CutPrefix(page, "redirect "); redirect {
			http.Redirect(out, r, to, http.StatusFound)
			return
		}
		if said, fault := strings.CutPrefix(page, "fault "); fault {
			fail(out, said)
			return
		}
		if to := r.URL.Query().Get("to"); to != "" && r.URL.Path == "/go" {
			http.Redirect(out, r, to, http.StatusFound)
			return
		}
		if !ok {
			http.NotFound(out, r)
			return
		}
		kind := "text/html; charset=utf-8"
		if strings.HasPrefix(page, "%PDF-") {
			kind = "application/pdf"
		}
		out.Header().Set("Content-Type", kind)
		fmt.Fprint(out, page)
	}))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, site.Close()) })
	return site
}

// fail answers in one of the ways in which a server can say something by failing.
func fail(out http.ResponseWriter, said string) {
	switch len(said) % 4 {
	case 0:
		out.Header().Set("Content-Type", "application/"+strings.ReplaceAll(said, " ", "."))
	case 1:
		out.Header().Set("Location", "ftp://evil.test/"+said)
		out.WriteHeader(http.StatusFound)
	case 2:
		out.Header().Set("Content-Encoding", said)
	case 3:
		out.Header().Set("Content-Type", "text/html")
		out.WriteHeader(http.StatusForbidden)
	}
	fmt.Fprintf(out, "<title>%s</title><p>%s</p>", said, said)
}

// Search makes the world a search service: each query is on record, and finds the hits that it names by a number.
func (w *world) Search(_ context.Context, query string, limit int) ([]search.Hit, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.queries = append(w.queries, query)
	var from int
	if _, err := fmt.Sscanf(query, "tides page %d", &from); err != nil {
		from = 0
	}
	return w.hits[min(from*limit, len(w.hits)):min((from+1)*limit, len(w.hits))], nil
}

// faulty is a search service beside it that never answers what it is asked, but says why.
type faulty struct{ *world }

func (faulty) Name() string { return "faulty" }

func (f faulty) Search(_ context.Context, query string, _ int) ([]search.Hit, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.queries = append(f.queries, query)
	var n int
	if _, err := fmt.Sscanf(query, "fault %d", &n); err != nil || n >= len(f.faults) {
		return nil, nil
	}
	return nil, &search.ServiceError{Reason: search.Strange, Detail: f.faults[n]}
}

func (*world) Name() string      { return "everywhere" }
func (*world) Kind() search.Kind { return search.Web }

// recordNames lets every look-up of a name end here, and fail.
func (w *world) recordNames(t *testing.T) {
	before := net.DefaultResolver
	net.DefaultResolver = &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		return &nameServer{world: w}, nil
	}}
	t.Cleanup(func() { net.DefaultResolver = before })
}

// nameServer answers nothing; what it is asked is on record.
type nameServer struct {
	net.Conn
	world *world
}

func (n *nameServer) Write(packet []byte) (int, error) {
	n.world.mu.Lock()
	defer n.world.mu.Unlock()
	n.world.names = append(n.world.names, string(packet))
	return len(packet), nil
}

func (*nameServer) Read([]byte) (int, error)         { return 0, errors.New("no name is known here") }
func (*nameServer) Close() error                     { return nil }
func (*nameServer) SetDeadline(time.Time) error      { return nil }
func (*nameServer) SetReadDeadline(time.Time) error  { return nil }
func (*nameServer) SetWriteDeadline(time.Time) error { return nil }

// outside is a print of all that is around the workspace, links and rights included.
func (w *world) outside(t *testing.T) map[string]string {
	return prints(t, w.root, func(rel string) bool { return rel != "research" })
}

// control is a print of what in the workspace is not the agent's: what other programs obey, and what belongs to the person.
func (w *world) control(t *testing.T) map[string]string {
	return prints(t, w.dir, func(rel string) bool {
		first, _, _ := strings.Cut(rel, "/")
		return rel == "." || first == ".git" || first == "rules" || strings.HasPrefix(first, ".env") || strings.HasSuffix(first, "mcp.json") || first == "daybook.yaml" || first == ".vscode" ||
			rel == "Notebook" || strings.HasPrefix(rel, "Notebook/.") || rel == "Notebook/link.md" || rel == "Notebook/away" || first == "Archive"
	})
}

func prints(t *testing.T, root string, in func(rel string) bool) map[string]string {
	t.Helper()
	found := map[string]string{}
	require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(root, path) // both are below root
		switch {
		case err != nil:
			return err
		case !in(rel) && d.IsDir():
			return filepath.SkipDir
		case !in(rel) || d.IsDir():
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		text := ""
		if d.Type()&fs.ModeSymlink != 0 {
			text, err = os.Readlink(path)
		} else {
			var data []byte
			data, err = os.ReadFile(path)
			text = fmt.Sprintf("%x", sha256.Sum256(data))
		}
		found[rel] = info.Mode().String() + " " + text
		return err
	}))
	return found
}

// isKnown says whether an address is one that somebody named, byte for byte.
func (w *world) isKnown(address string) bool {
	if w.known[address] {
		return true
	}
	u, err := url.Parse(address)
	return err == nil && u.Path == "" && w.known[address+"/"]
}
