package main_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The house rules that a machine can see. Changing one is a change of this file, to be reviewed, and not a
// habit.

const (
	module    = "github.com/daybook-agent/daybook/"
	maxLines  = 350  // of a file
	maxInBody = 60   // lines of a function
	maxClip   = 1800 // of the built-in Brain
	top       = "../.."
)

// shared is the room that all others may use. It uses none.
const shared = "agent/prose"

// arrows says which rooms of this module a room may use. A room that is not named here may not exist.
var arrows = map[string][]string{
	"agent":                    {},
	"agent/bounds":             {},
	"agent/redact":             {},
	"agent/prose":              {},
	"agent/program":            {},
	"agent/openai":             {"agent", "agent/bounds", "agent/redact"},
	"agent/clip":               {"agent"},
	"agent/evaluator":          {"agent"},
	"agent/checker":            {"agent", "actions/citation"},
	"agent/intake":             {"agent"},
	"agent/agenttest":          {"agent"},
	"agent/traces":             {"agent", "agent/redact"},
	"agent/workspace":          {"agent/bounds", "agent", "agent/workspace/history", "agent/workspace/markdown", "agent/workspace/origin", "agent/workspace/layout", "agent/workspace/store"},
	"agent/workspace/store":    {},
	"agent/workspace/layout":   {"agent/bounds", "agent/workspace/store"},
	"agent/workspace/history":  {"agent/workspace/markdown", "agent/workspace/store"},
	"agent/workspace/origin":   {"agent/workspace/markdown", "agent/workspace/store"},
	"agent/workspace/markdown": {"agent/bounds"},
	"agent/workspace/block":    {"agent/bounds"},
	"fileagent":                {"agent", "agent/workspace", "agent/workspace/store", "agent/workspace/markdown", "agent/workspace/block", "fileagent/passage", "fileagent/shell"},
	"fileagent/passage":        {"agent/workspace/markdown"},
	"fileagent/shell":          {},
	"actions/web":              {"actions/page", "actions/page/plain"},
	"actions/page":             {"agent/bounds", "actions/page/clutter", "actions/page/markup", "actions/page/office", "actions/page/pdf", "actions/page/plain", "actions/page/roff", "actions/page/tree"},
	"actions/page/plain":       {},
	"actions/page/tree":        {},
	"actions/page/clutter":     {"actions/page/plain", "actions/page/tree"},
	"actions/page/markup":      {"agent/bounds", "actions/page/clutter", "actions/page/plain", "actions/page/tree"},
	"actions/page/office":      {"agent/bounds", "actions/page/markup", "actions/page/plain", "actions/page/tree"},
	"actions/page/pdf":         {"actions/page/markup", "actions/page/plain"},
	"actions/page/roff":        {"actions/page/markup", "actions/page/plain", "actions/page/tree"},
	"actions/search/words":     {},
	"actions/search":           {"agent/bounds", "actions/page", "actions/page/plain", "actions/page/tree", "actions/search/words", "agent/redact"},
	"actions/search/documents": {"actions/page", "actions/page/plain", "actions/search", "actions/search/words", "agent/workspace/block"},
	"actions/citation":         {"agent/bounds", "agent", "agent/workspace", "agent/workspace/block", "actions/citation/figure"},
	"actions/gate":             {"agent/bounds", "agent", "agent/workspace", "agent/workspace/block", "actions/citation", "workspace-template"},
	"actions/browser":          {"agent", "agent/program", "agent/workspace/origin", "actions/page", "actions/web"},
	"actions/mcp":              {"agent", "agent/bounds", "agent/program", "agent/redact", "actions"},
	"actions":                  {"actions/browser", "agent/bounds", "agent", "agent/workspace", "agent/workspace/store", "agent/workspace/markdown", "agent/workspace/origin", "agent/workspace/block", "fileagent", "actions/page", "actions/search", "actions/search/documents", "actions/search/words", "actions/web"},
	"agent/rounds":             {"agent", "agent/checker", "agent/evaluator", "agent/workspace", "agent/workspace/store", "agent/workspace/block", "agent/workspace/markdown", "actions", "actions/citation", "actions/gate"},
	"workspace-template":       {},
	"agent/researcher":         {"agent", "agent/account", "agent/evaluator", "agent/export", "agent/intake", "agent/rounds", "agent/workspace", "agent/workspace/history", "agent/workspace/layout", "agent/workspace/origin", "agent/workspace/store", "agent/workspace/block", "fileagent", "fileagent/shell", "actions", "actions/citation", "actions/gate", "actions/page", "actions/search", "actions/search/documents", "actions/web", "workspace-template"},
	"agent/account":            {"agent", "agent/evaluator", "agent/intake", "agent/rounds", "agent/workspace", "agent/workspace/history", "agent/workspace/store"},
	"agent/serve":              {"agent", "agent/account", "agent/program", "agent/researcher", "agent/workspace", "agent/workspace/block", "agent/workspace/store"},
	"agent/export":             {"agent/bounds", "agent/program", "agent/workspace", "agent/workspace/block", "agent/workspace/layout", "agent/workspace/store", "actions/citation"},
	"cmd/daybook":              {"agent/bounds", "agent", "agent/account", "agent/openai", "agent/clip", "agent/checker", "agent/checker/trial", "agent/evaluator", "agent/evaluator/trial", "agent/intake", "agent/rounds", "agent/workspace", "agent/workspace/history", "agent/workspace/store", "agent/researcher", "agent/export", "agent/program", "agent/serve", "agent/traces", "actions/citation", "actions/gate", "actions/mcp", "actions/search", "fileagent/shell"},

	"agent/meter":           {"agent"},
	"agent/checker/trial":   {"agent", "agent/checker", "agent/meter", "actions/citation"},
	"agent/evaluator/trial": {"agent", "agent/evaluator", "agent/meter"},

	"actions/citation/figure": {},
}

// owners says which rooms alone may use a library.
var owners = map[string][]string{
	"github.com/sashabaranov/go-openai": {"agent/openai"},
	"github.com/spf13/afero":            {"agent/workspace/store"},
	"github.com/yuin/goldmark":          {"agent/bounds", "agent/workspace/block", "agent/workspace/markdown", "actions/citation", "actions/gate", "agent/export"},
	"github.com/klippa-app/go-pdfium":   {"actions/page/pdf"},
	"github.com/tetratelabs/wazero":     {"actions/page/pdf"},
	"github.com/mmcdole/gofeed":         {"actions/page"},
	"modernc.org/sqlite":                {"actions/search/documents"},
	"code.dny.dev/ssrf":                 {"actions/web"},
	"github.com/google/jsonschema-go":   {"agent"},
	"github.com/modelcontextprotocol":   {"actions/mcp", "agent/serve", "cmd/daybook"},
	"github.com/alecthomas/kong":        {"cmd/daybook"},
	"go.opentelemetry.io/otel":          {"agent/traces"},
	"mvdan.cc/sh":                       {"cmd/daybook", "fileagent", "fileagent/shell"},
	"os/exec":                           {"actions/browser", "actions/mcp", "agent/export", "agent/program", "agent/serve", "cmd/daybook", "fileagent/shell"},
	"testing":                           {},
	"net/http/httptest":                 {},
}

// source is a Go file that is not a test.
type source struct {
	room string
	name string
	set  *token.FileSet
	file *ast.File
}

func sources(t *testing.T) []source {
	t.Helper()
	var all []source
	require.NoError(t, filepath.WalkDir(top, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && d.Name() != "..") {
			return filepath.SkipDir
		}
		if d.IsDir() || filepath.Ext(p) != ".go" || strings.HasSuffix(p, "_test.go") {
			return nil
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, p, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(top, p)
		all = append(all, source{path.Dir(filepath.ToSlash(name)), filepath.ToSlash(name), set, file})
		return err
	}))
	require.NotEmpty(t, all)
	return all
}

func TestArrows(t *testing.T) {
	for _, s := range sources(t) {
		allowed, known := arrows[s.room]
		assert.True(t, known, "%s is in a room that the plan does not know", s.name)
		for _, spec := range s.file.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			require.NoError(t, err)
			if inside, ok := strings.CutPrefix(imported, module); ok {
				assert.True(t, inside == shared || slices.Contains(allowed, inside), "%s imports %s", s.name, inside)
			}
			for library, rooms := range owners {
				if imported == library || strings.HasPrefix(imported, library+"/") {
					assert.Contains(t, rooms, s.room, "%s imports %s", s.name, imported)
				}
			}
		}
	}
}

func TestTheAgentKnowsNoFilesAndNoNetwork(t *testing.T) {
	for _, s := range sources(t) {
		if s.room != "agent" && s.room != "agent/clip" {
			continue
		}
		for _, spec := range s.file.Imports {
			for _, forbidden := range []string{`"os"`, `"net"`, `"net/http"`, `"io/fs"`, `"path/filepath"`} {
				assert.NotEqual(t, forbidden, spec.Path.Value, s.name)
			}
			if s.room == "agent/clip" && strings.Contains(spec.Path.Value, ".") {
				assert.Contains(t, []string{strconv.Quote(module + "agent"), strconv.Quote(module + shared)}, spec.Path.Value, s.name)
			}
		}
	}
}

func TestSizes(t *testing.T) {
	clip := 0
	defer func() { assert.LessOrEqual(t, clip, maxClip, "agent/clip") }()
	for _, s := range sources(t) {
		lines := s.set.Position(s.file.FileEnd).Line
		assert.LessOrEqual(t, lines, maxLines, s.name)
		if s.room == "agent/clip" {
			clip += lines
		}
		for _, d := range s.file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok {
				n := s.set.Position(f.End()).Line - s.set.Position(f.Pos()).Line
				assert.LessOrEqual(t, n, maxInBody, "%s: %s", s.name, f.Name.Name)
			}
		}
	}
}

func TestHabits(t *testing.T) {
	documented := map[string]bool{}
	for _, s := range sources(t) {
		documented[s.room] = documented[s.room] || s.file.Doc != nil
		ast.Inspect(s.file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				assert.False(t, n.Name.Name == "init" && n.Recv == nil, "%s has an init()", s.name)
				exported := n.Name.IsExported() && (n.Recv == nil || receiverIsExported(n))
				assert.False(t, exported && n.Doc == nil, "%s: %s has no comment", s.name, n.Name.Name)
			case *ast.StructType:
				for _, f := range n.Fields.List {
					assert.False(t, isSelector(f.Type, "context", "Context"), "%s keeps a context in a struct", s.name)
				}
			case *ast.CallExpr:
				for _, level := range []string{"Debug", "Info", "Warn", "Error"} {
					assert.False(t, isSelector(n.Fun, "slog", level), "%s logs globally", s.name)
				}
				assert.False(t, isSelector(n.Fun, "time", "Sleep"), "%s sleeps", s.name)
			}
			return true
		})
		for _, group := range s.file.Comments {
			for _, debt := range []string{"TODO", "FIXME", "XXX", "nolint"} {
				assert.NotContains(t, group.Text(), debt, s.name)
			}
		}
	}
	for room, ok := range documented {
		assert.True(t, ok, "%s has no package comment", room)
	}
}

func receiverIsExported(f *ast.FuncDecl) bool {
	kind := f.Recv.List[0].Type
	if star, ok := kind.(*ast.StarExpr); ok {
		kind = star.X
	}
	if generic, ok := kind.(*ast.IndexExpr); ok {
		kind = generic.X
	}
	name, ok := kind.(*ast.Ident)
	return ok && name.IsExported()
}

func isSelector(e ast.Expr, pkg, name string) bool {
	s, ok := e.(*ast.SelectorExpr)
	if !ok || s.Sel.Name != name {
		return false
	}
	x, ok := s.X.(*ast.Ident)
	return ok && x.Name == pkg
}

func TestTopLevel(t *testing.T) {
	allowed := []string{
		"agent", "fileagent", "actions", "workspace-template", "cmd", "docs", "go.mod", "go.sum",
		"README.md", "LICENSE", "CHANGELOG.md", ".ci", ".git", ".gitignore", "my-research",
	}
	entries, err := os.ReadDir(top)
	require.NoError(t, err)
	for _, e := range entries {
		assert.True(t, slices.Contains(allowed, e.Name()), "%s does not belong at the top level", e.Name())
	}
}

// parsersBeside are the calls of a parser around agent/bounds, by file, each with what bounds it.
var parsersBeside = map[string]string{
	"agent/bounds/markdown.go":      "the budget itself",
	"agent/bounds/markup.go":        "the budget itself",
	"agent/bounds/yaml.go":          "the budget itself",
	"agent/bounds/json.go":          "the budget itself",
	"actions/page/markup/writer.go": "a tokenizer, which builds no tree; a page has at most 8 MB",
	"actions/page/feed.go":          "what bounds.LooseXML has gone over, up to bounds.MaxElements",
	"actions/search/tidy.go":        "a tokenizer; a title or a snippet of an answer, which has a bound of bytes",
	"actions/gate/profile.go":       "a profile of this program",
	"agent/export/policy.go":        "a tokenizer; the page that this program wrote",
	"actions/mcp/mcp.go":            "settings that this program has just encoded, filled in",
	"cmd/daybook/consent.go":        "settings that this program has just encoded",
	"cmd/daybook/narrate.go":        "JSON: the arguments of a call in a model's reply",
}

// ownJSON are the rooms that decode JSON around agent/bounds, each with what it is and what bounds it. Into
// named fields, the standard library takes time and memory in the size alone.
var ownJSON = map[string]string{
	"agent":                  "the arguments of calls in a model's reply, which agent/openai bounds to 512 KiB, and what actions answered",
	"agent/clip":             "the arguments of this Brain's own calls",
	"agent/evaluator":        "a model's reply",
	"agent/intake":           "a model's reply",
	"agent/openai":           "a model's reply, of which each piece went through agent/bounds and has at most 4 MiB",
	"agent/checker/trial":    "the pairs of sentences that come with this program",
	"agent/workspace":        "rows of the journal",
	"agent/workspace/store":  "rows of the journal, which have at most 64 MiB, and a result that the program held beside it",
	"agent/workspace/origin": "rows of the journal, and the arguments of calls in them",
	"agent/account":          "rows of the journal",
	"agent/researcher":       "rows of the journal",
	"agent/rounds":           "rows of the journal",
	"fileagent":              "the arguments of calls in a model's reply",
	"agent/agenttest":        "what a test sends",
	"actions/browser":        "what the browser says, of which each message has at most 64 MiB",
}

// Every parser of a stranger's Markdown, YAML, HTML or XML is behind a budget: no room calls one around it
// but those above.
func TestParsersAreCalledWithinTheirBudget(t *testing.T) {
	calls := map[string]bool{}
	for _, s := range sources(t) {
		ast.Inspect(s.file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			switch {
			case ok && parses(call):
				calls[s.name] = true
			case ok && isCall(call, map[string][]string{"json": {"Unmarshal", "NewDecoder"}}):
				if ownJSON[s.room] != "" {
					calls[s.room] = true
				} else {
					calls[s.name] = true
				}
			}
			return true
		})
	}
	for name := range calls {
		assert.NotEmpty(t, parsersBeside[name]+ownJSON[name], "%s calls a parser around agent/bounds", name)
	}
	for _, known := range []map[string]string{parsersBeside, ownJSON} {
		for name := range known {
			assert.True(t, calls[name], "%s calls none any more", name)
		}
	}
}

func parses(call *ast.CallExpr) bool {
	if isCall(call, map[string][]string{
		"yaml": {"Unmarshal", "UnmarshalWithOptions", "UnmarshalContext", "NewDecoder"}, "html": {"Parse", "ParseFragment", "ParseWithOptions", "NewTokenizer", "NewTokenizerFragment"},
		"xml": {"Unmarshal", "NewDecoder", "NewTokenDecoder"}, "goldmark": {"Convert"}, "gofeed": {"NewParser"},
	}) {
		return true
	}
	for _, arg := range call.Args { // goldmark's parser takes a text.Reader
		if inner, ok := arg.(*ast.CallExpr); ok && isSelector(inner.Fun, "text", "NewReader") {
			return true
		}
	}
	return false
}

// isCall reports whether a call is one of those of a package.
func isCall(call *ast.CallExpr, of map[string][]string) bool {
	for pkg, names := range of {
		if slices.ContainsFunc(names, func(name string) bool { return isSelector(call.Fun, pkg, name) }) {
			return true
		}
	}
	return false
}
