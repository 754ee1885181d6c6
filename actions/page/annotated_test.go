package page_test

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"hash/fnv"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/actions/page"
	"github.com/stretchr/testify/require"
	"github.com/yuin/goldmark"
	syntax "github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
)

// annotated is a page of the set that go-trafilatura measures itself with: for each, some people wrote down a
// few strings that stand in its main text, and a few that stand beside it.
type annotated struct {
	address       string
	file          string
	body          []byte
	with, without []string
}

// BenchmarkExtraction measures how well the main text of 983 annotated pages, mostly news and blogs in six
// languages, is found. It counts as the set's own evaluation does, over all pages: a string of the main text
// that is there is a true positive, one that is not a false negative, a string from beside it a false
// positive. What is searched is what a person sees of the Markdown, white space folded, without the title in
// its first line, which is no part of the text there. Run it with -benchtime 1x.
//
//	P R F1        over all pages
//	F1-a F1-b     over the two halves by the hash of the file's name: errors were studied in half a only,
//	              but the figures of both were seen when limits were chosen, and pages that Read refuses
//	              were studied in both
//	ms/page       to read a page, parsing and writing included
//	refused       pages that Read gives back as an error; each counts as an empty text
//	partial       pages that are said not to be whole
func BenchmarkExtraction(b *testing.B) {
	pages := annotatedPages(b)
	b.Logf("%d pages", len(pages))
	for b.Loop() {
		var all count
		halves := [2]count{}
		refused, partial := 0, 0
		for _, p := range pages {
			doc, err := page.Read(b.Context(),
				page.Raw{URL: p.address, ContentType: "text/html", Body: p.body})
			if err != nil {
				refused++
				b.Logf("refused: %v", err)
			}
			if doc.Partial != "" {
				partial++
				b.Logf("%s: %s", p.file, doc.Partial)
			}
			b.StopTimer()
			c := p.judge(seen(doc))
			all.add(c)
			halves[half(p.file)].add(c)
			b.StartTimer()
		}
		b.ReportMetric(all.precision(), "P")
		b.ReportMetric(all.recall(), "R")
		b.ReportMetric(all.f1(), "F1")
		b.ReportMetric(halves[0].f1(), "F1-a")
		b.ReportMetric(halves[1].f1(), "F1-b")
		b.ReportMetric(float64(refused), "refused")
		b.ReportMetric(float64(partial), "partial")
	}
	b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N*len(pages)), "ms/page")
}

// count is how many strings were found, and missed, that should stand in a text, and found that should not.
type count struct{ found, missed, wrong int }

func (c *count) add(other count) {
	c.found += other.found
	c.missed += other.missed
	c.wrong += other.wrong
}

func (c count) precision() float64 { return float64(c.found) / float64(c.found+c.wrong) }
func (c count) recall() float64    { return float64(c.found) / float64(c.found+c.missed) }
func (c count) f1() float64        { return float64(2*c.found) / float64(2*c.found+c.wrong+c.missed) }

func (p annotated) judge(text string) count {
	var c count
	for _, s := range p.with {
		if strings.Contains(text, folded(s)) {
			c.found++
		} else {
			c.missed++
		}
	}
	for _, s := range p.without {
		if strings.Contains(text, folded(s)) {
			c.wrong++
		}
	}
	return c
}

func half(file string) int {
	h := fnv.New32a()
	h.Write([]byte(file))
	return int(h.Sum32() % 2)
}

// folded is text without the characters that nobody sees, white space folded.
func folded(s string) string {
	return strings.Join(strings.Fields(
		strings.NewReplacer("\u00ad", "", "\u200b", "", "\ufeff", "").Replace(s)), " ")
}

// seen is what a person sees of a document's Markdown, below its title.
func seen(doc page.Page) string {
	markdown := doc.Markdown
	if first, rest, _ := strings.Cut(markdown,
		"\n"); folded(strings.TrimLeft(first, "#")) == folded(doc.Title) {
		markdown = rest
	}
	source := []byte(markdown)
	var b strings.Builder
	tree := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(text.NewReader(source))
	write := func(n syntax.Node, entering bool) (syntax.WalkStatus, error) {
		switch n := n.(type) {
		case *syntax.Text:
			if entering {
				b.Write(n.Segment.Value(source))
				if n.SoftLineBreak() || n.HardLineBreak() {
					b.WriteByte(' ')
				}
			}
		case *syntax.String:
			if entering {
				b.Write(n.Value)
			}
		case *syntax.AutoLink:
			if entering {
				b.Write(n.Label(source))
			}
		case *syntax.RawHTML:
			b.WriteByte(' ')
		default:
			if n.Type() == syntax.TypeBlock {
				b.WriteByte(' ')
				if entering && n.Lines() != nil && n.FirstChild() == nil {
					b.Write(n.Lines().Value(source))
				}
			}
		}
		return syntax.WalkContinue, nil
	}
	if err := syntax.Walk(tree, write); err != nil {
		return ""
	}
	return folded(strings.ReplaceAll(b.String(), `\<`, "<"))
}

// annotatedPages gets the set through the module of go-trafilatura, which is neither used nor kept.
func annotatedPages(b *testing.B) []annotated {
	b.Helper()
	folder := b.TempDir()
	require.NoError(b, os.WriteFile(filepath.Join(folder, "go.mod"), []byte("module annotated\n"), 0o600))
	download := exec.CommandContext(b.Context(), "go", "mod", "download",
		"-json", "github.com/markusmobius/go-trafilatura@v1.12.2")
	download.Dir = folder
	download.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
	out, err := download.Output()
	require.NoError(b, err,
		"the annotated set comes with a Go module, from the network or from the module cache: %s", out)
	var module struct{ Dir string }
	require.NoError(b, json.Unmarshal(out, &module))

	pages := annotations(b, filepath.Join(module.Dir, "scripts", "comparison", "data.go"))
	for i := range pages {
		body, err := os.ReadFile(filepath.Join(module.Dir, "test-files", "comparison", pages[i].file))
		if os.IsNotExist(err) {
			body, err = os.ReadFile(filepath.Join(module.Dir, "test-files", "mock", pages[i].file))
		}
		require.NoError(b, err)
		pages[i].body = body
	}
	return pages
}

// annotations reads the Go file in which the set is written down: a map from addresses to structs of strings.
func annotations(b *testing.B, file string) []annotated {
	b.Helper()
	source, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	require.NoError(b, err)
	var pages []annotated
	ast.Inspect(source, func(n ast.Node) bool {
		entry, ok := n.(*ast.KeyValueExpr)
		if !ok {
			return true
		}
		fields, ok := entry.Value.(*ast.CompositeLit)
		if _, named := entry.Key.(*ast.BasicLit); !ok || !named {
			return true
		}
		p := annotated{address: unquoted(b, entry.Key)}
		for _, field := range fields.Elts {
			field := field.(*ast.KeyValueExpr)
			switch fmt.Sprint(field.Key) {
			case "File":
				p.file = unquoted(b, field.Value)
			case "With":
				p.with = list(b, field.Value)
			case "Without":
				p.without = list(b, field.Value)
			}
		}
		pages = append(pages, p)
		return false
	})
	require.NotEmpty(b, pages)
	return pages
}

func list(b *testing.B, literal ast.Expr) []string {
	var all []string
	for _, element := range literal.(*ast.CompositeLit).Elts {
		all = append(all, unquoted(b, element))
	}
	return all
}

func unquoted(b *testing.B, literal ast.Expr) string {
	value, err := strconv.Unquote(literal.(*ast.BasicLit).Value)
	require.NoError(b, err)
	return value
}
