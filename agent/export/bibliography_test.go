package export_test

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/agent/export"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// entry is an entry of BibTeX as readBibTeX reads it.
type entry struct {
	kind, key string
	fields    map[string]string
}

// readBibTeX is an independent reader of the part of BibTeX that is written: braces are counted as BibTeX
// counts them, those behind a backslash too.
func readBibTeX(t testing.TB, text string) (all []entry) {
	t.Helper()
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
		require.True(t, strings.HasPrefix(text, "@"), "an entry begins with @: %.40q", text)
		kind, rest, ok := strings.Cut(text[1:], "{")
		require.True(t, ok)
		key, rest, ok := strings.Cut(rest, ",")
		require.True(t, ok)
		e := entry{kind, key, map[string]string{}}
		for rest = strings.TrimSpace(rest); !strings.HasPrefix(rest, "}"); rest = strings.TrimSpace(rest) {
			name, after, ok := strings.Cut(rest, "=")
			require.True(t, ok)
			after = strings.TrimSpace(after)
			require.True(t, strings.HasPrefix(after, "{"))
			depth, end := 0, -1
			for i, c := range []byte(after) {
				if c == '{' {
					depth++
				} else if c == '}' {
					if depth--; depth == 0 {
						end = i
						break
					}
				}
			}
			require.Positive(t, end, "the braces of %s balance", name)
			e.fields[strings.TrimSpace(name)] = after[1:end]
			rest = strings.TrimPrefix(after[end+1:], ",")
		}
		all, text = append(all, e), rest[1:]
	}
	return all
}

func bib(t testing.TB, sources ...workspace.Source) []entry {
	t.Helper()
	return readBibTeX(t, string(export.BibTeX(export.Report{Sources: sources}, sources)))
}

func TestBibTeX(t *testing.T) {
	read := day(2026, 11, 3)
	for _, test := range []struct {
		name   string
		source workspace.Source
		kind   string
		key    string
		fields map[string]string
	}{
		{"page", workspace.Source{ID: "s1", URL: "https://sqlite.org/a_b?x=1&y=50%25#z",
			Title: "Atomic Commit In SQLite", Author: "D. Richard Hipp", Published: "2020-05-01"},
			"online", "hipp2020atomic", map[string]string{"author": "Hipp, D. Richard",
				"title": "Atomic Commit In {SQLite}", "date": "2020-05-01", "year": "2020",
				"url": "https://sqlite.org/a_b?x=1&y=50%25#z", "urldate": "2026-11-03", "doi": "",
				"eprint": ""}},
		{"DOI", workspace.Source{ID: "s1", URL: "https://doi.org/10.1145/3373376.3378", Title: "A Title",
			Author: "van der Berg, Jan; Ann-Marie O’Neil", Published: "2020"},
			"article", "berg2020title", map[string]string{"doi": "10.1145/3373376.3378",
				"author": "van der Berg, Jan and O’Neil, Ann-Marie", "date": "2020"}},
		{"DOI at a publisher", workspace.Source{ID: "s1", URL: "https://dl.acm.org/doi/pdf/10.1145/12.34",
			Title: "T"}, "article", "", map[string]string{"doi": "10.1145/12.34"}},
		{"DOI after a redirect", workspace.Source{ID: "s1", URL: "https://doi.org/10.1000/x",
			FinalURL: "https://pub.test/x", Title: "T"}, "article", "",
			map[string]string{"doi": "10.1000/x", "url": "https://pub.test/x"}},
		{"arXiv", workspace.Source{ID: "s1", URL: "https://arxiv.org/pdf/1706.03762v7.pdf",
			Title: "Attention Is All You Need", Author: "Ashish Vaswani and Noam Shazeer",
			Published: "2017-06"},
			"article", "vaswani2017attention", map[string]string{"eprint": "1706.03762v7",
				"archiveprefix": "arXiv", "journal": "arXiv preprint arXiv:1706.03762v7",
				"author": "Vaswani, Ashish and Shazeer, Noam", "date": "2017-06"}},
		{"old arXiv", workspace.Source{ID: "s1", URL: "https://arxiv.org/abs/hep-th/9901001", Title: "T"},
			"article", "", map[string]string{"eprint": "hep-th/9901001"}},
		{"own document", workspace.Source{ID: "s4", URL: "doc:my notes/a_1.md", Title: "Notes"}, "misc",
			"notes-s4", map[string]string{"url": "", "howpublished": `Own document: my notes/a\_1.md`}},
		{"Chinese", workspace.Source{ID: "s7", URL: "https://x.test/论文", Title: "持久性研究",
			Author: "张三，李四、王 五", Published: "2023"},
			"online", "s7", map[string]string{"author": "{张三} and {李四} and {王 五}",
				"title": "持久性研究", "url": "https://x.test/论文"}},
		{"accents", workspace.Source{ID: "s1", URL: "https://x.test", Title: "Über Straßen",
			Author: "Łukasz Gödel", Published: "1931"},
			"online", "godel1931uber", map[string]string{"author": "Gödel, Łukasz", "title": "Über Straßen"}},
		{"LaTeX", workspace.Source{ID: "s1", URL: "https://x.test/{a}\\b",
			Title: `100% of A&B_c #1 $x^2$ {~} \input{/etc/passwd}`, Author: "A_B & Sons"},
			"online", "", map[string]string{
				"title": `100\% of {A\&B\_c} \#1 \$x{\textasciicircum}2\$ ` +
					`{\textbraceleft}{\textasciitilde}{\textbraceright} ` +
					`{\textbackslash}input{\textbraceleft}/etc/passwd{\textbraceright}`,
				"url": "https://x.test/%7Ba%7D%5Cb", "author": `{A\_B} and {Sons}`}},
		{"unbalanced braces", workspace.Source{ID: "s1", URL: "https://x.test/}", Title: "}}} @book{x, {",
			Author: "}"}, "online", "",
			map[string]string{"url": "https://x.test/%7D"}},
		{"lines", workspace.Source{ID: "s1", URL: "https://x.test", Title: "a\n}\n@book{evil,\n",
			Author: "b\nc"}, "online", "", nil},
		{"an organisation", workspace.Source{ID: "s1", URL: "https://x.test", Title: "WAL",
			Author: "The PostgreSQL Global Development Group"}, "online", "",
			map[string]string{"author": "{The PostgreSQL Global Development Group}", "title": "{WAL}"}},
		{"a firm", workspace.Source{ID: "s1", URL: "https://x.test", Title: "A", Author: "Apple, Inc."},
			"online", "", map[string]string{"author": "{Apple, Inc.}"}},
		{"full names and commas", workspace.Source{ID: "s1", URL: "https://x.test", Title: "A",
			Author: "Diego Ongaro, John Ousterhout"}, "online",
			"", map[string]string{"author": "Ongaro, Diego and Ousterhout, John"}},
		{"et al.", workspace.Source{ID: "s1", URL: "https://x.test", Title: "A",
			Author: "Ada Lovelace et al."}, "online", "", map[string]string{"author": "Lovelace, Ada"}},
		{"no date", workspace.Source{ID: "s1", URL: "https://x.test", Title: "A", Published: "last week"},
			"online", "", map[string]string{"date": "", "year": ""}},
		{"no title", workspace.Source{ID: "s1", URL: "https://x.test/a"}, "online", "",
			map[string]string{"title": "https://x.test/a"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.source.Fetched = read
			got := bib(t, test.source)
			require.Len(t, got, 1)
			assert.Equal(t, test.kind, got[0].kind)
			if test.key != "" {
				assert.Equal(t, test.key, got[0].key)
			}
			assert.Regexp(t, `^[a-z0-9-]+$`, got[0].key)
			for name, want := range test.fields {
				assert.Equal(t, want, got[0].fields[name], name)
			}
		})
	}
}

// A key is its source's for good: it does not change when other sources are listed, or when later ones come.
func TestKeysAreUniqueAndStay(t *testing.T) {
	same := workspace.Source{URL: "https://x.test", Title: "On Logs", Author: "Ann Ray", Published: "2020",
		Fetched: day(2026, 1, 2)}
	var all []workspace.Source
	for _, id := range []string{"s1", "s2", "s3"} {
		same.ID = id
		all = append(all, same)
	}
	keys := func(all, wanted []workspace.Source) (keys []string) {
		for _, e := range readBibTeX(t, string(export.BibTeX(export.Report{Sources: all}, wanted))) {
			keys = append(keys, e.key)
		}
		return keys
	}
	assert.Equal(t, []string{"ray2020logs", "ray2020logs-s2", "ray2020logs-s3"}, keys(all, all))
	assert.Equal(t, []string{"ray2020logs-s2"}, keys(all, all[1:2]))
	assert.Equal(t, []string{"ray2020logs", "ray2020logs-s2"}, keys(all[:2], all[:2]))
	assert.Empty(t, keys(all, nil))
}

func TestCSL(t *testing.T) {
	sources := []workspace.Source{
		{ID: "s1", URL: "https://arxiv.org/abs/1706.03762", Title: "Attention <Is> \"All\"",
			Author: "Ashish Vaswani", Published: "2017-06-12", Fetched: day(2026, 11, 3)},
		{ID: "s2", URL: "https://doi.org/10.1000/x", Title: "T", Author: "张三", Published: "2020",
			Fetched: day(2026, 11, 3), Language: "zh"},
		{ID: "s3", URL: "doc:a.md", Title: "Notes", Fetched: day(2026, 11, 3)},
		{ID: "s4", URL: "https://x.test", Title: "Page", Fetched: day(2026, 11, 3)},
	}
	data, err := export.CSL(export.Report{Sources: sources}, sources)
	require.NoError(t, err)
	assert.JSONEq(t, `[
		{"id": "vaswani2017attention", "type": "article", "title": "Attention <Is> \"All\"", "author": [{"family": "Vaswani", "given": "Ashish"}],
			"issued": {"date-parts": [[2017, 6, 12]]}, "accessed": {"date-parts": [[2026, 11, 3]]}, "publisher": "arXiv", "number": "arXiv:1706.03762",
			"URL": "https://arxiv.org/abs/1706.03762"},
		{"id": "s2", "type": "article-journal", "title": "T", "author": [{"literal": "张三"}], "issued": {"date-parts": [[2020]]},
			"accessed": {"date-parts": [[2026, 11, 3]]}, "DOI": "10.1000/x", "URL": "https://doi.org/10.1000/x", "language": "zh"},
		{"id": "notes-s3", "type": "document", "title": "Notes", "accessed": {"date-parts": [[2026, 11, 3]]}, "note": "Own document: a.md"},
		{"id": "page-s4", "type": "webpage", "title": "Page", "accessed": {"date-parts": [[2026, 11, 3]]}, "URL": "https://x.test"}
	]`, string(data))
	none, err := export.CSL(export.Report{Sources: sources}, nil)
	require.NoError(t, err)
	assert.Equal(t, "[]\n", string(none))
}

// reference is an entry of RIS as readRIS reads it: each tag with its values.
type reference map[string][]string

// readRIS is an independent reader of RIS: lines of a tag and a value, from TY to ER.
func readRIS(t testing.TB, text string) (all []reference) {
	t.Helper()
	var at reference
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\r\n"), "\r\n") {
		require.Regexp(t, `^[A-Z][A-Z0-9]  - [^\r\n]*$`, line)
		tag, value := line[:2], line[6:]
		switch {
		case tag == "TY":
			require.Nil(t, at, "an entry begins within another")
			at = reference{}
		case tag == "ER":
			all, at = append(all, at), nil
			continue
		}
		require.NotNil(t, at, "%s is in no entry", line)
		at[tag] = append(at[tag], value)
	}
	require.Nil(t, at, "the last entry ends")
	return all
}

func TestRIS(t *testing.T) {
	read := day(2026, 11, 3)
	sources := []workspace.Source{
		{ID: "s1", URL: "https://arxiv.org/abs/1706.03762", Title: "Attention",
			Author: "Ashish Vaswani and Noam* Shazeer", Published: "2017-06-12", Fetched: read},
		{ID: "s2", URL: "https://doi.org/10.1000/x", Title: "论文", Author: "张三", Published: "2020",
			Fetched: read, Language: "zh"},
		{ID: "s3", URL: "doc:a.md", Title: "Notes", Fetched: read},
		{ID: "s4", URL: "https://x.test/r.pdf", Title: "A report", Fetched: read, Type: "pdf",
			Published: "2021-04"},
		{ID: "s5", URL: "https://x.test", Title: "Page\r\nER  - \r\nTY  - BOOK", Author: "A\nER  - ",
			Fetched: read},
	}
	got := readRIS(t, string(export.RIS(export.Report{Sources: sources}, sources)))
	assert.Equal(t, []reference{
		{"TY": {"UNPB"}, "ID": {"vaswani2017attention"}, "AU": {"Vaswani, Ashish", "Shazeer, Noam"},
			"TI": {"Attention"}, "PY": {"2017"}, "DA": {"2017/06/12/"},
			"PB": {"arXiv"}, "AN": {"arXiv:1706.03762"}, "UR": {"https://arxiv.org/abs/1706.03762"},
			"Y2": {"2026/11/03/"}},
		{"TY": {"JOUR"}, "ID": {"s2"}, "AU": {"张三"}, "TI": {"论文"}, "PY": {"2020"}, "DA": {"2020///"},
			"DO": {"10.1000/x"}, "UR": {"https://doi.org/10.1000/x"},
			"Y2": {"2026/11/03/"}, "LA": {"zh"}},
		{"TY": {"GEN"}, "ID": {"notes-s3"}, "TI": {"Notes"}, "Y2": {"2026/11/03/"},
			"N1": {"Own document: a.md"}},
		{"TY": {"RPRT"}, "ID": {"2021report"}, "TI": {"A report"}, "PY": {"2021"}, "DA": {"2021/04//"},
			"UR": {"https://x.test/r.pdf"}, "Y2": {"2026/11/03/"}},
		{"TY": {"ELEC"}, "ID": got[4]["ID"], "AU": {"-, A ER"}, "TI": {"Page ER - TY - BOOK"},
			"UR": {"https://x.test"}, "Y2": {"2026/11/03/"}},
	}, got)
	assert.Contains(t,
		string(export.RIS(export.Report{Question: "潮汐为什么上涨？", Sources: sources}, sources)),
		"N1  - 自有文档 a.md")
	assert.Empty(t, export.RIS(export.Report{Sources: sources}, nil))
	formats, err := exec.Command(pandoc(t), "--list-input-formats").Output()
	require.NoError(t, err)
	if !slices.Contains(strings.Fields(string(formats)), "ris") {
		return // pandoc reads RIS from version 3.0 on
	}
	cmd := exec.Command(pandoc(t), "--from=ris", "--to=csljson")
	cmd.Stdin = bytes.NewReader(export.RIS(export.Report{Sources: sources}, sources))
	out, err := cmd.Output()
	require.NoError(t, err)
	var items []struct{ Title string }
	require.NoError(t, json.Unmarshal(out, &items))
	assert.Len(t, items, len(sources))
}

// Pandoc, which knows no LaTeX for a brace, reads the same from both lists: the same keys, titles to the
// letter, and as many authors.
func TestPandocReadsTheSources(t *testing.T) {
	var sources []workspace.Source
	for i, title := range []string{`100% of A&B_c #1 $5 ^ ~ \y`, "持久性研究", "Über SQLite", "So <it> is",
		"Plain title"} {
		sources = append(sources, workspace.Source{ID: "s" + string(rune('1'+i)),
			URL: "https://x.test/a_b%20c?d=1&e=2", Title: title, Author: "Ann Ray; 张三; A&B Ltd",
			Published: "2020-01-02", Fetched: day(2026, 11, 3)})
	}
	type item struct {
		ID, Title, URL string
		Author         []map[string]any
	}
	read := func(format string, data []byte) (items []item) {
		cmd := exec.Command(pandoc(t), "--from="+format, "--to=csljson")
		cmd.Stdin = bytes.NewReader(data)
		out, err := cmd.Output()
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(out, &items))
		slices.SortFunc(items, func(a, b item) int { return strings.Compare(a.ID, b.ID) })
		return items
	}
	csl, err := export.CSL(export.Report{Sources: sources}, sources)
	require.NoError(t, err)
	fromCSL, fromBib := read("csljson", csl), read("biblatex",
		export.BibTeX(export.Report{Sources: sources}, sources))
	require.Len(t, fromCSL, len(sources))
	require.Len(t, fromBib, len(sources))
	for i, item := range fromBib {
		assert.Equal(t, fromCSL[i].ID, item.ID)
		assert.Equal(t, "https://x.test/a_b%20c?d=1&e=2", item.URL)
		assert.Len(t, item.Author, 3)
		assert.Contains(t, strings.Join([]string{sources[0].Title, sources[1].Title, sources[2].Title,
			sources[3].Title, sources[4].Title}, "\n"),
			strings.NewReplacer(`<span class="nocase">`, "", "</span>", "").Replace(item.Title))
	}
}

func pandoc(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("pandoc")
	require.NoError(t, err, "these tests read with pandoc: apt-get install pandoc")
	return path
}

func FuzzBibTeX(f *testing.F) {
	f.Add("Title", "Ann Ray and Bob", "https://doi.org/10.1000/x", "2020-01-02")
	f.Add(`}\{`, "张三，李四", "doc:a}b", "2020")
	f.Fuzz(func(t *testing.T, title, author, url, published string) {
		s := workspace.Source{ID: "s1", URL: url, Title: title, Author: author, Published: published,
			Fetched: day(2026, 1, 2)}
		again := s
		again.ID = "s2"
		got := bib(t, s, again)
		require.Len(t, got, 2)
		assert.NotEqual(t, got[0].key, got[1].key)
		data, err := export.CSL(export.Report{Sources: []workspace.Source{s}}, []workspace.Source{s})
		require.NoError(t, err)
		assert.True(t, json.Valid(data))
		assert.Len(t,
			readRIS(t, string(export.RIS(export.Report{Sources: []workspace.Source{s, again}},
				[]workspace.Source{s, again}))), 2)
	})
}
