package documents_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"

	"github.com/daybook-agent/daybook/actions/search/documents"
)

const (
	bread = "# Bread\n\n## Sourdough\n" +
		"\nFeed the starter twice a day. A starter that doubles within six hours is ready.\n\n" +
		"## Baking\n\nBake at 230 degrees with steam for twenty minutes, then without.\n"
	disks = "# 磁盘管理\n\n## 文件系统的权限\n\n用 chmod 命令修改文件权限，普通用户只能修改自己的文件。\n" +
		"\n## 备份\n\n每周把数据备份到移动硬盘。\n"
	stars = `<!DOCTYPE html><html lang="en"><head><title>Observing notes</title></head><body><article><h1>Observing notes</h1>
<p>The Andromeda galaxy is visible to the naked eye from a dark place, two moon widths across.</p>
<h2>Telescopes</h2><p>A telescope of ten centimetres shows the rings of Saturn. See <a href="sub/eyepieces.html">the eyepieces</a>.</p>
</article></body></html>`
)

// write makes files below dir, with their folders.
func write(t testing.TB, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
}

func open(t testing.TB, db string, roots ...string) *documents.Index {
	t.Helper()
	docs, err := documents.Open(context.Background(), db, roots)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, docs.Close()) })
	return docs
}

func refresh(t testing.TB, docs *documents.Index) documents.Report {
	t.Helper()
	report, err := docs.Refresh(context.Background(), nil)
	require.NoError(t, err)
	return report
}

// library is an index of a folder with these files, refreshed once.
func library(t testing.TB, files map[string]string) (docs *documents.Index, dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "library")
	require.NoError(t, os.Mkdir(dir, 0o755))
	write(t, dir, files)
	docs = open(t, filepath.Join(t.TempDir(), "documents.db"), dir)
	refresh(t, docs)
	return docs, dir
}

func urls(t testing.TB, docs *documents.Index, query string) []string {
	t.Helper()
	hits, err := docs.Search(context.Background(), query, 10)
	require.NoError(t, err)
	list := make([]string, len(hits))
	for i, hit := range hits {
		list[i] = hit.URL
	}
	return list
}

func counts(r documents.Report) [4]int { return [4]int{r.Added, r.Changed, r.Removed, r.Unchanged} }

func TestRefreshFollowsTheFiles(t *testing.T) {
	docs, dir := library(t, map[string]string{"bread.md": bread, "磁盘.md": disks, "sky/stars.html": stars})
	assert.Equal(t, [4]int{0, 0, 0, 3}, counts(refresh(t, docs)), "nothing has changed")
	assert.Equal(t, []string{"doc:bread.md"}, urls(t, docs, "sourdough starter"))
	says := func(t *testing.T, text string) {
		t.Helper()
		for range 2 { // as the index has it, and as it is kept for the next to ask
			page, err := docs.Page(t.Context(), "doc:bread.md")
			require.NoError(t, err)
			assert.Contains(t, page.Markdown, text)
		}
	}
	says(t, "Sourdough")

	t.Run("a change", func(t *testing.T) {
		write(t, dir, map[string]string{"bread.md": "# Bread\n\nRye needs no kneading.\n"})
		assert.Equal(t, [4]int{0, 1, 0, 2}, counts(refresh(t, docs)))
		assert.Empty(t, urls(t, docs, "sourdough starter"))
		assert.Equal(t, []string{"doc:bread.md"}, urls(t, docs, "kneading rye"))
		says(t, "Rye needs")
	})
	t.Run("a change that keeps size and date", func(t *testing.T) {
		path := filepath.Join(dir, "bread.md")
		info, err := os.Stat(path)
		require.NoError(t, err)
		write(t, dir, map[string]string{"bread.md": "# Bread\n\nOat needs no kneading.\n"})
		require.NoError(t, os.Chtimes(path, time.Time{}, info.ModTime().Add(time.Second)))
		assert.Equal(t, [4]int{0, 1, 0, 2}, counts(refresh(t, docs)))
		assert.Equal(t, []string{"doc:bread.md"}, urls(t, docs, "oat"))
		says(t, "Oat needs")
	})
	t.Run("a new name", func(t *testing.T) {
		require.NoError(t, os.Rename(filepath.Join(dir, "sky"), filepath.Join(dir, "astronomy")))
		assert.Equal(t, [4]int{1, 0, 1, 2}, counts(refresh(t, docs)))
		assert.Equal(t, []string{"doc:astronomy/stars.html"}, urls(t, docs, "Andromeda"))
	})
	t.Run("a deletion", func(t *testing.T) {
		require.NoError(t, os.Remove(filepath.Join(dir, "bread.md")))
		assert.Equal(t, [4]int{0, 0, 1, 2}, counts(refresh(t, docs)))
		assert.Empty(t, urls(t, docs, "kneading"))
		_, err := docs.Page(t.Context(), "doc:bread.md")
		assert.ErrorIs(t, err, documents.ErrNotFound)
	})
	t.Run("a document that turns into none", func(t *testing.T) {
		write(t, dir, map[string]string{"磁盘.md": "\x00\x01\x02\x00\xff"})
		report := refresh(t, docs)
		assert.Equal(t, [4]int{0, 0, 1, 1}, counts(report))
		assert.Len(t, report.Skipped, 1)
		assert.Empty(t, urls(t, docs, "文件权限"))
		assert.Equal(t, report.Skipped, refresh(t, docs).Skipped, "said again, though not read again")
	})
}

func TestRefreshTellsProgress(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"a.md": bread, "b.md": disks, "c.html": stars})
	docs := open(t, filepath.Join(t.TempDir(), "x.db"), dir)
	var calls [][2]int
	_, err := docs.Refresh(t.Context(), func(done, total int) { calls = append(calls, [2]int{done, total}) })
	require.NoError(t, err)
	assert.Equal(t, [][2]int{{0, 3}, {1, 3}, {2, 3}, {3, 3}}, calls)
}

func TestRefreshLeavesOut(t *testing.T) {
	outside := t.TempDir()
	write(t, outside, map[string]string{"secret.md": "# Secret\n\nThe secret recipe.\n"})
	files := map[string]string{
		"good.md":              bread,
		"photo.png":            "\x89PNG\r\n\x1a\n",
		"book.html.xz":         "\x1f\x8b\x08",
		"liar.txt":             "\x00\x01binary\x00\xfe\xff",
		"nothing.md":           " \n\n",
		"huge.txt":             strings.Repeat("word ", 2<<20),
		".git/notes.md":        "# Hidden recipe\n",
		".hidden.md":           "# Hidden recipe\n",
		"node_modules/read.md": "# Hidden recipe\n",
	}
	dir := t.TempDir()
	write(t, dir, files)
	for link, target := range map[string]string{
		"inside.md": "good.md", "out.md": filepath.Join(outside, "secret.md"), "folder": outside, "loop": ".",
		"lost.md": "nowhere.md",
	} {
		require.NoError(t, os.Symlink(target, filepath.Join(dir, link)))
	}
	docs := open(t, filepath.Join(t.TempDir(), "x.db"), dir)
	report := refresh(t, docs)
	assert.Equal(t, [4]int{1, 0, 0, 0}, counts(report))
	assert.Equal(t, []string{"doc:good.md"}, urls(t, docs, "bread secret recipe hidden word"))
	reasons := map[string]string{}
	for _, skip := range report.Skipped {
		name, err := filepath.Rel(dir, skip.Path)
		require.NoError(t, err)
		reasons[name] = skip.Reason
	}
	assert.Equal(t, map[string]string{
		"photo.png":    "no format that is read, by its ending",
		"book.html.xz": "no format that is read, by its ending",
		"liar.txt":     "not text, whatever its name says",
		"nothing.md":   "there is no text in it",
		"huge.txt":     "larger than 8 MB",
		"node_modules": "code of others",
		"out.md":       "a symbolic link that leads out of the folder",
		"folder":       "a symbolic link that leads out of the folder",
		"lost.md":      "a symbolic link that leads nowhere",
	}, reasons)
}

// Text is a document whatever its ending, unless it is large, or what programs write.
func TestTextOfAnyEndingIsRead(t *testing.T) {
	docs, dir := library(t, map[string]string{
		"README.Debian": "Zorbfs for Debian\n=================\n\n" +
			"The zorbfs daemon is not started by default.\n",
		"COPYING.old": "You may copy zorbfs freely.\n",
		"长.读我":        strings.Repeat("zorbfs 的守护进程默认不启动。", 40),
		"large.dump":  strings.Repeat("zorbfs rows\n", 1<<17),
		"server.key":  "-----BEGIN PRIVATE KEY-----\nzorbfs\n",
		"picture.svg": "<svg><text>zorbfs</text></svg>", "page.tpl": "<html><body>zorbfs</body></html>",
		"made.out": "# Code generated by zorbfs. DO NOT EDIT.\nzorbfs\n", "cut.dat": "zorbfs\x00\x01\x02",
	})
	assert.ElementsMatch(t, []string{"doc:README.Debian", "doc:COPYING.old", "doc:长.读我"},
		urls(t, docs, "zorbfs"))
	p, err := docs.Page(t.Context(), "doc:README.Debian")
	require.NoError(t, err)
	assert.Equal(t, "Zorbfs for Debian", p.Title)
	assert.Equal(t, "text", p.Type)
	report := refresh(t, docs)
	assert.Equal(t, [4]int{0, 0, 0, 3}, counts(report))
	for _, skip := range report.Skipped {
		want := "no format that is read, by its ending"
		if skip.Path == filepath.Join(dir, "made.out") {
			want = "written by a program, not by hand"
		}
		assert.Equal(t, want, skip.Reason, skip.Path)
	}
}

// A question in traditional characters finds documents in simplified ones, and the other way round.
func TestTraditionalAndSimplifiedChineseAreOne(t *testing.T) {
	docs, _ := library(t, map[string]string{"new.md": "# 馆藏\n\n图书馆的预算为四千欧元。\n",
		"old.md": "# 備份\n\n備份保留三十天。\n"})
	assert.Equal(t, []string{"doc:new.md"}, urls(t, docs, "圖書館的預算是多少？"))
	assert.Equal(t, []string{"doc:old.md"}, urls(t, docs, "备份保留多久？"))
}

func TestDocumentsInOtherEncodings(t *testing.T) {
	gbk, err := simplifiedchinese.GBK.NewEncoder().String(strings.Repeat(disks, 3))
	require.NoError(t, err)
	wide, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().String(
		"# 天文\n\n用望远镜观察土星的光环。\n")
	require.NoError(t, err)
	page, err := simplifiedchinese.GBK.NewEncoder().String(
		`<html><head><meta charset="gb2312"><title>烹饪</title></head>` +
			`<body><p>红烧肉要用小火慢慢炖一个小时。</p></body></html>`)
	require.NoError(t, err)
	docs, _ := library(t, map[string]string{"gbk.txt": gbk, "wide.txt": wide, "page.html": page})
	assert.Equal(t, []string{"doc:gbk.txt"}, urls(t, docs, "怎样修改文件的权限？"))
	assert.Equal(t, []string{"doc:wide.txt"}, urls(t, docs, "土星光环"))
	assert.Equal(t, []string{"doc:page.html"}, urls(t, docs, "红烧肉怎么做"))
}

func TestPage(t *testing.T) {
	docs, dir := library(t, map[string]string{
		"stars.html": stars, "sub/eyepieces.html": stars, "a #1 50%.md": bread, "磁盘.md": disks,
		"long.md": strings.Repeat("# 标题\n\n"+strings.Repeat("一段很长的文字。", 300)+
			"\n\n```\ncode\n\n# no heading\n```\n\n", 20),
	})
	ctx := t.Context()
	p, err := docs.Page(ctx, "doc:磁盘.md")
	require.NoError(t, err)
	assert.Equal(t, "磁盘管理", p.Title)
	assert.Equal(t, "markdown", p.Type)
	assert.Equal(t, disks, p.Markdown)

	long, err := docs.Page(ctx, "doc:long.md")
	require.NoError(t, err)
	source, err := os.ReadFile(filepath.Join(dir, "long.md"))
	require.NoError(t, err)
	assert.Equal(t, strings.TrimSpace(string(source)), strings.TrimSpace(long.Markdown),
		"put together again from its passages")

	for _, address := range []string{"doc:a #1 50%.md", "doc:a #1 50%.md#baking", "doc:a%20%231%2050%25.md"} {
		p, err := docs.Page(ctx, address)
		require.NoError(t, err, address)
		assert.Equal(t, "Bread", p.Title, address)
	}
	p, err = docs.Page(ctx, "doc:stars.html")
	require.NoError(t, err)
	assert.Contains(t, p.Markdown, "[the eyepieces](doc:sub/eyepieces.html)",
		"a link between documents can be followed")
	for _, address := range []string{"", "doc:", "doc:../stars.html", "doc:nothing.md", "http://example.org/",
		"doc:%zz"} {
		_, err := docs.Page(ctx, address)
		assert.ErrorIs(t, err, documents.ErrNotFound, address)
	}
}

func TestRoots(t *testing.T) {
	base := t.TempDir()
	write(t, base, map[string]string{
		"a/notes/x.md": bread, "b/notes/x.md": disks, "b/notes/deep/y.md": stars,
		"single.log": "A log of the telescope.",
	})
	db := filepath.Join(t.TempDir(), "x.db")
	in := func(name string) string { return filepath.Join(base, filepath.FromSlash(name)) }

	one := open(t, db, in("b/notes"))
	refresh(t, one)
	assert.Equal(t, []string{"doc:x.md"}, urls(t, one, "备份"))

	several := open(t, db, in("b/notes"), in("a/notes"), in("single.log"), in("b/notes/deep"), in("a/notes"))
	report := refresh(t, several)
	assert.Equal(t, [4]int{2, 0, 0, 2}, counts(report),
		"a new label needs no reading, and nested roots share their files")
	assert.Equal(t, []string{"doc:notes~2/x.md"}, urls(t, several, "备份"))
	assert.Equal(t, []string{"doc:notes/x.md"}, urls(t, several, "sourdough"))
	assert.Equal(t, []string{"doc:single.log"}, urls(t, several, "log"))

	_, err := documents.Open(t.Context(), db, []string{in("a"), in("gone")})
	assert.ErrorContains(t, err, "gone")
	assert.ErrorIs(t, err, os.ErrNotExist)

	require.NoError(t, os.RemoveAll(in("a/notes")))
	_, err = several.Refresh(t.Context(), nil)
	assert.ErrorContains(t, err, filepath.Join("a", "notes"))
	assert.Equal(t, []string{"doc:notes/x.md"}, urls(t, several, "sourdough"),
		"a root that went away, a disk perhaps, costs nothing")
}

func TestDatabasePathMayHoldAnything(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a ?b#c%20 中文")
	write(t, dir, map[string]string{"x.md": bread})
	docs := open(t, filepath.Join(dir, ".daybook", "documents.db"), dir)
	refresh(t, docs)
	assert.FileExists(t, filepath.Join(dir, ".daybook", "documents.db"))
	assert.Equal(t, []string{"doc:x.md"}, urls(t, docs, "bread"))
}

// A folder may hold what is no document; whoever knows says so, and the index forgets what it held of it.
func TestWithout(t *testing.T) {
	docs, dir := library(t, map[string]string{
		"own.md": "# Rye bread\n\nRises slowly.\n", "kept/a.md": "# White bread\n\nRises fast.\n",
		"kept.md": "# Flat bread\n\nDoes not rise.\n", "sub/kept/a.md": "# Corn bread\n\nCrumbles.\n",
	})
	require.Len(t, urls(t, docs, "bread"), 4)
	resolved, err := filepath.EvalSymlinks(dir)
	require.NoError(t, err)
	docs.Without = func(path string) bool {
		return path == filepath.Join(resolved, "kept") || path == filepath.Join(resolved, "kept.md")
	}
	report := refresh(t, docs)
	assert.ElementsMatch(t, []string{"doc:own.md", "doc:sub/kept/a.md"}, urls(t, docs, "bread"))
	assert.Equal(t, 2, report.Removed)
	assert.Contains(t, report.LeftOut(), "kept.md: of a research")
}

func TestSourcesBesideTheirPagesAreLeftOut(t *testing.T) {
	docs, _ := library(t, map[string]string{
		"manual/objects.inv":            "made by Sphinx",
		"manual/birds.html":             "<p>The kingfisher dives.</p>",
		"manual/_sources/birds.rst.txt": "The kingfisher dives.",
		"manual/_static/theme.css":      "/* kingfisher */",
		"notes/_sources/own.txt":        "A kingfisher of my own.",
		"guide/searchindex.js":          "made by Sphinx too",
		"guide/_sources/birds.rst.txt":  "The kingfisher fishes.",
	})
	assert.ElementsMatch(t, []string{"doc:manual/birds.html", "doc:notes/_sources/own.txt"},
		urls(t, docs, "kingfisher"))
}

// A link that leads out of the folders is none that could be visited, though the address it would have may
// look like one.
func TestALinkOutOfTheFolderIsPlainText(t *testing.T) {
	const text = "Much is said here of telescopes, of what they show and of what they can not show, and of " +
		"how one is made. "
	docs, _ := library(t, map[string]string{
		"sub/a.html": `<html><body><article><h1>A</h1><p>` + strings.Repeat(text, 3) +
			`See <a href="../b.html#x">inside</a>, <a href="../../glossary.html#t">the <code>term</code></a>,
			<a href="../../../up/there.html">far [above] it</a>, <a href="c.html">beside</a>, <a href="/d.html">the root</a> and <a href="https://x.test/">the web</a>.</p></article></body></html>`,
		"b.md": "# B\n\n" + text + "See [out](../out.md) and [in](sub/a.html).\n",
	})
	a, err := docs.Page(t.Context(), "doc:sub/a.html")
	require.NoError(t, err)
	assert.Contains(t, a.Markdown, "[inside](doc:b.html#x), the `term`,")
	assert.Contains(t, a.Markdown,
		"[beside](doc:sub/c.html), [the root](doc:d.html) and [the web](https://x.test/)")
	assert.Regexp(t, `far \\?\[above\\?\] it, \[beside`, a.Markdown)
	assert.NotContains(t, a.Markdown, "above/")
	assert.NotContains(t, a.Markdown, "glossary")
	b, err := docs.Page(t.Context(), "doc:b.md")
	require.NoError(t, err)
	assert.NotContains(t, b.Markdown, "doc://")
	assert.Contains(t, b.Markdown, "sub/a.html)")
}
