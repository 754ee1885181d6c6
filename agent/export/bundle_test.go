package export_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/daybook-agent/daybook/agent/export"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
)

// research is a folder whose report leads to more than may leave it: every word SECRET must stay.
func research(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	front := func(id, more string) string {
		return "---\nid: " + id + "\nurl: https://x.test/" + id + "\ntitle: Page\n" + more +
			"fetched: 2026-01-02T00:00:00Z\ntype: html\n---\n\n"
	}
	write(t, dir, "Sources/s01-a.md",
		front("s1", "author: Ann Ray\nnote: SECRET\nalso:\n- doc:SECRET.md\n- doc:b.md\n")+
			"One passage, see [the next](doc:next.html#SECRET) and [a site](https://y.test/).\n")
	write(t, dir, "Sources/s02-b.md", front("s2", "")+"SECRET\n")
	write(t, dir, "Notebook/01.md", "SECRET\n")
	write(t, dir, "notes.md", "SECRET\n")
	write(t, dir, "figures/a b.png", "\x89PNG\xff\x00")
	write(t, dir, "SECRET.png", "SECRET")
	write(t, dir, ".daybook/x.png", "SECRET")
	write(t, path.Dir(dir), "outside.png", "SECRET")
	write(t, dir, "quality.svg", `<svg xmlns="http://www.w3.org/2000/svg"><text>1</text></svg>`)
	write(t, dir, "report.md", "# R\n\nIt is so [s1.1], see [my notes](notes.md), "+
		"[the chapter](<Notebook/01.md> \"t\"), [all][n], [n], ![shown](figures/a%20b.png), "+
		"![out](../outside.png), ![own](.daybook/x.png), [![in](nowhere.png)](notes.md), "+
		"[web](https://x.test), ![seen](https://spy.test/p.png), [run](javascript:alert(1)), "+
		"[other](Sources/s02-b.md), [chart](quality.svg), [place](#r).\n\n```\n[code](notes.md)\n```\n\n"+
		"[n]: notes.md\n\n"+
		"## References {#references}\n\n- [s1] Page\n\n[s1]: Sources/s01-a.md \"Page\"\n"+
		"[s1.1]: Sources/s01-a.md#L14 \"One passage\"\n")
	return dir
}

// astray lists the links and pictures of Markdown, as another reader of it than ours sees them, that lead
// neither to the web or into the page nor to one of the files.
func astray(name string, files map[string]string) (all []string) {
	source := []byte(files[name])
	doc := goldmark.New().Parser().Parse(text.NewReader(source))
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		to := ""
		switch n := n.(type) {
		case *ast.Link:
			to = string(n.Destination)
		case *ast.Image:
			to = string(n.Destination)
		default:
			return ast.WalkContinue, nil
		}
		file, _, _ := strings.Cut(to, "#")
		_, ok := files[path.Join(path.Dir(name), strings.ReplaceAll(file, "%20", " "))]
		if entering && !ok && !strings.HasPrefix(to, "https://") && !strings.HasPrefix(to, "#") {
			all = append(all, to)
		}
		return ast.WalkContinue, nil
	})
	return all
}

// A bundle works on its own, and nothing leaves the research with it but the report and what that cites and
// shows.
func TestBundle(t *testing.T) {
	dir := research(t)
	w := open(t, dir)
	report, err := export.Load(w)
	require.NoError(t, err)
	data, err := export.Bundle(w, report)
	require.NoError(t, err)
	again, err := export.Bundle(w, report)
	require.NoError(t, err)
	assert.Equal(t, data, again, "made twice it is the same")
	packed, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	require.NoError(t, err)
	for _, file := range packed.File {
		assert.WithinDuration(t, report.Written, file.Modified, time.Second, file.Name)
	}
	files := unzip(t, data)
	var names []string
	for name, text := range files {
		names = append(names, name)
		assert.NotContains(t, text, "SECRET", name)
		if path.Ext(name) == ".md" {
			assert.Empty(t, astray(name, files), name)
		}
	}
	assert.ElementsMatch(t, []string{"report/report.md", "report/Sources/s01-a.md", "report/quality.svg",
		"report/figures/a b.png"}, names)
	assert.Equal(t, "\x89PNG\xff\x00", files["report/figures/a b.png"], "a picture stays as it is")
	assert.Contains(t, files["report/report.md"],
		"It is so [s1.1], see my notes, the chapter, all, n, ![shown](figures/a%20b.png), out, "+
			"own, in, [web](https://x.test), seen, run, "+
			"other, [chart](quality.svg), [place](#r).\n\n```\n[code](notes.md)\n```\n")
	assert.Equal(t, "---\nid: \"s1\"\nurl: \"https://x.test/s1\"\ntitle: \"Page\"\nauthor: \"Ann Ray\"\n"+
		"fetched: \"2026-01-02T00:00:00Z\"\n---\n\n"+
		"One passage, see the next and [a site](https://y.test/).\n", files["report/Sources/s01-a.md"])
	assert.Contains(t, files["report/report.md"], "\n[s1.1]: Sources/s01-a.md#L9 ", "the line here")
	files["report/report.md"] = read(t, dir+"/report.md")
	assert.Len(t, astray("report/report.md", files),
		10, "the control: the report itself leads to files that are not there")

	write(t, dir, "quality.svg", `<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>`)
	report, err = export.Load(w)
	require.NoError(t, err)
	data, err = export.Bundle(w, report)
	require.NoError(t, err)
	assert.NotContains(t, unzip(t, data), "report/quality.svg", "a picture that runs something stays behind")
}

// Whatever a report says, its bundle has files in its own folder alone.
func TestAHostileBundle(t *testing.T) {
	dir := research(t)
	write(t, dir, `Sources/s03-..\..\evil.md`,
		"---\nid: s3\nurl: https://x.test/s3\ntitle: Page\nlanguage: \"en\\r\\nER  - \\r\\nTY  - BOOK\"\n"+
			"fetched: 2026-01-02T00:00:00Z\ntype: html\n---\n\nText.\n")
	for i, payload := range payloads() {
		write(t, dir, "report.md", hostile(payload, i)+
			"\n\nSo [s1.1], so [s3.1] ![x](/etc/hostname.png) ![x](C:\\x.png) ![x](a/../../outside.png).\n"+
			"\n[r]: http://evil.test/x\n")
		w := open(t, dir)
		report, err := export.Load(w)
		require.NoError(t, err)
		data, err := export.Bundle(w, report)
		require.NoError(t, err)
		files := unzip(t, data)
		assert.Len(t, files, 3, payload)
		for name := range files {
			assert.Regexp(t, `^report/(report\.md|quality\.svg|Sources/s01-a\.md)$`, name)
		}
		if i == 0 {
			assert.Equal(t, 2, strings.Count(string(export.RIS(report, report.Cited())), "TY  - "),
				"one entry for each cited source")
		}
	}
}

// What a viewer shows of a bundle loads and runs nothing, whatever is in a source's text, its title or
// the report. The control: the same viewer shows the texts as they were read, and does.
func TestABundleLoadsNothing(t *testing.T) {
	dir := research(t)
	viewers := []goldmark.Markdown{
		goldmark.New(goldmark.WithRendererOptions(html.WithUnsafe())),
		goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough, extension.Linkify,
			extension.Footnote), goldmark.WithRendererOptions(html.WithUnsafe())),
	}
	found := func(markdown string) (all []string) {
		for _, viewer := range viewers {
			var page strings.Builder
			require.NoError(t, viewer.Convert([]byte(markdown), &page))
			all = append(all, dangers(t, page.String())...)
		}
		return slices.DeleteFunc(all, func(danger string) bool { // a web address that a reader may open
			return strings.HasPrefix(danger, "link http") || strings.HasPrefix(danger, "link Sources/")
		})
	}
	leaks := 0
	for i, payload := range payloads() {
		text := hostile(payload, i) + "\n\n[r]: http://evil.test/x\n"
		title, err := json.Marshal(strings.ReplaceAll(hostile(payload, i), "\n", " "))
		require.NoError(t, err)
		write(t, dir, "Sources/s01-a.md", "---\nid: s1\nurl: https://x.test/s1\ntitle: "+string(title)+
			"\nfetched: 2026-01-02T00:00:00Z\ntype: html\n---\n\n"+text)
		write(t, dir, "report.md", text+"\nSo [s1.1].\n")
		w := open(t, dir)
		report, err := export.Load(w)
		require.NoError(t, err)
		data, err := export.Bundle(w, report)
		require.NoError(t, err)
		for name, text := range unzip(t, data) {
			if path.Ext(name) == ".md" {
				assert.Empty(t, found(text), "%s: %s", name, payload)
			}
		}
		if len(found(text)) > 0 {
			leaks++
		}
	}
	assert.Greater(t, leaks, 80)
}
