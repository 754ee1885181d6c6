package documents_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daybook-agent/daybook/actions/search"
	"github.com/daybook-agent/daybook/actions/search/documents"
)

// shelf is a small library in which every question has one right page, and other pages share words with it.
func shelf() map[string]string {
	files := map[string]string{"bread.md": bread, "磁盘.md": disks, "stars.html": stars}
	for name, text := range map[string]string{
		"garden/compost": "# Making compost\n" +
			"\nTurn the heap every two weeks. Green waste brings nitrogen, brown waste carbon.\n",
		"garden/roses": "# Pruning roses\n\n" +
			"Prune in March, above an outward bud. Old roses flower on last year's wood.\n",
		"garden/tools": "# Tools\n" +
			"\nA spade, a fork, a rake. Clean the tools after work. Sharpen the spade twice a year.\n",
		"bike/brakes": "# Bicycle brakes\n\n## Disc brakes\n" +
			"\nReplace the pads at one millimetre. Clean the disc with alcohol.\n\n" +
			"## Rim brakes\n\nThe pads must not touch the tyre.\n",
		"bike/chain": "# The chain\n" +
			"\nClean and oil the chain every 300 kilometres. A stretched chain wears the sprockets.\n",
		"house/heating": "# Heating\n" +
			"\nThe boiler's pressure should be 1.5 bar. Bleed the radiators in October.\n",
		"house/insurance": "# Insurance\n" +
			"\nThe policy of the house ends on 30 June. The bicycle is insured too.\n",
		"code/pg_hba": "# Client authentication\n" +
			"\nThe file pg_hba.conf says who may connect. See max_connections too. PL/pgSQL is a language.\n",
		"contents": "# Contents\n\n- [Making compost](garden/compost.md)\n" +
			"- [Pruning roses](garden/roses.md)\n" +
			"- [Bicycle brakes, disc brakes](bike/brakes.md)\n- [The chain](bike/chain.md)\n",
		"厨房/红烧肉": "# 红烧肉\n\n## 材料\n\n五花肉一斤，冰糖，生抽，老抽。\n\n## 做法\n" +
			"\n先焯水，再用小火炖一个小时，最后收汁。\n",
		"厨房/饺子": "# 包饺子\n\n和面要软，馅里放白菜和猪肉。水开后下锅，点三次凉水。\n",
		"电脑/网络": "# 家里的网络\n" +
			"\n路由器放在客厅，无线网络的密码写在冰箱上。主机名解析用的是路由器。\n",
		"电脑/输入法":   "# 输入法\n\n安装 IBus 拼音输入法以后，要重新登录才能使用中文。\n",
		"旅行/京都":    "# 京都三日\n\n第一天去伏见稻荷大社，第二天去岚山，第三天逛锦市场。\n",
		"旅行/签证":    "# 日本签证\n\n办理签证需要护照、照片和在职证明，五个工作日出签。\n",
		"健康/体检报告":  "# 体检报告\n\n血压正常，胆固醇偏高，半年后复查。\n",
		"健康/跑步计划":  "# 跑步计划\n\n每周跑三次，每次五公里，周日跑十公里。膝盖疼就休息。\n",
		"工作/会议记录":  "# 会议记录\n\n产品在九月发布，预算增加百分之十。下次会议讨论招聘。\n",
		"工作/ＳＱＬ笔记": "# ＳＱＬ笔记\n\n用 ＥＸＰＬＡＩＮ 看执行计划；索引没有被使用时先更新统计信息。\n",
	} {
		files[name+".md"] = text
	}
	return files
}

func TestSearchFindsThePage(t *testing.T) {
	docs, _ := library(t, shelf())
	for query, want := range map[string]string{
		"How often do I have to feed the sourdough starter?": "doc:bread.md",
		"which pressure does the boiler need":                "doc:house/heating.md",
		"pruning a rose":                                     "doc:garden/roses.md",
		"When does the insurance policy of my house end?":    "doc:house/insurance.md",
		"disc brakes":                               "doc:bike/brakes.md", // and not the list of links to it
		"stretched chains":                          "doc:bike/chain.md",
		"galaxies I can see without a telescope":    "doc:stars.html",
		"max_connections":                           "doc:code/pg_hba.md",
		"max connections":                           "doc:code/pg_hba.md",
		"who may connect according to pg_hba.conf?": "doc:code/pg_hba.md",
		"红烧肉要炖多久？":                                  "doc:厨房/红烧肉.md",
		"怎么包饺子":                                     "doc:厨房/饺子.md",
		"如何修改文件的权限":                                 "doc:磁盘.md",
		"无线网络的密码是什么":                                "doc:电脑/网络.md",
		"去日本的签证需要哪些材料":                              "doc:旅行/签证.md",
		"胆固醇":                                       "doc:健康/体检报告.md",
		"岚":                                         "doc:旅行/京都.md",
		"膝":                                         "doc:健康/跑步计划.md",
		"ibus 中文":                                   "doc:电脑/输入法.md",
		"SQL explain":                               "doc:工作/ＳＱＬ笔记.md",
		"what is the boiler":                        "doc:house/heating.md",
		strings.Repeat("compost nitrogen carbon heap waste ", 300): "doc:garden/compost.md", // 10 KB
	} {
		t.Run(query[:min(len(query), 60)], func(t *testing.T) {
			got := urls(t, docs, query)
			require.NotEmpty(t, got)
			assert.Equal(t, want, got[0])
		})
	}
}

func TestHit(t *testing.T) {
	docs, _ := library(t, shelf())
	hits, err := docs.Search(t.Context(), "pads of rim brakes", 1)
	require.NoError(t, err)
	assert.Equal(t, []search.Hit{{
		Title: "Bicycle brakes — Rim brakes", URL: "doc:bike/brakes.md", Provider: "documents", Line: 7,
		Snippet: "Bicycle brakes Disc brakes Replace the pads at one millimetre. Clean the disc " +
			"with alcohol. Rim brakes The pads must not touch the tyre.",
	}}, hits)
}

func TestSnippetShowsTheQuery(t *testing.T) {
	filler := strings.Repeat("Nothing of interest happens in this sentence. ", 30)
	dull := strings.Repeat("这一句话里什么也没有发生。", 60)
	docs, _ := library(t, map[string]string{
		"long.md": "# Journal\n\n" + filler +
			"The heron stood in the *shallow* [water](http://example.org/water). " + filler,
		"长.md":       "# 日记\n\n" + dull + "苍鹭站在浅水里一动不动。" + dull,
		"noend.txt":  strings.Repeat("x", 5000) + " kingfisher " + strings.Repeat("y", 5000),
		"heading.md": "# Birds\n\n" + filler + "\n\n## Owls\n\nThe owl turns its head by 270 degrees.\n",
	})
	for query, want := range map[string]string{
		"herons in shallow water": "heron stood in the shallow water.", "苍鹭站在哪里？": "苍鹭站在浅水里",
		"kingfisher":                       "kingfisher",
		"how far can an owl turn its head": "turns its head by 270 degrees",
	} {
		hits, err := docs.Search(t.Context(), query, 3)
		require.NoError(t, err)
		require.NotEmpty(t, hits, query)
		assert.Contains(t, hits[0].Snippet, want)
		assert.LessOrEqual(t, utf8.RuneCountInString(hits[0].Snippet), 300)
		assert.True(t, utf8.ValidString(hits[0].Snippet))
		assert.NotContains(t, hits[0].Snippet, "example.org")
	}
	hits, err := docs.Search(t.Context(), "owl", 1)
	require.NoError(t, err)
	assert.Equal(t, "Birds — Owls", hits[0].Title)
}

func TestTenHitsAreTenDocuments(t *testing.T) {
	files := map[string]string{}
	for i := range 30 {
		files[fmt.Sprintf("%02d.md", i)] = strings.Repeat(fmt.Sprintf("# Part\n\n%s heron\n\n",
			strings.Repeat(fmt.Sprintf("some words%d here ", i), 60)), 1+i%5)
	}
	docs, _ := library(t, files)
	for limit, want := range map[int]int{1: 1, 10: 10, 0: 10, -5: 10, 30: 30, 1000: 30} {
		hits, err := docs.Search(t.Context(), "heron", limit)
		require.NoError(t, err)
		distinct := map[string]bool{}
		for _, hit := range hits {
			distinct[hit.URL] = true
		}
		assert.Len(t, hits, want, "limit %d", limit)
		assert.Len(t, distinct, want, "limit %d", limit)
	}
}

// Who asks in other words than the document's shares one word with it, and documents that share others are
// many. It is among the hits all the same.
func TestADocumentThatSharesOneWordIsFound(t *testing.T) {
	files := map[string]string{
		"offer.md": "# Offer\n\nLiFePO4 battery 12.8 V: 169.00 euros, until 30 June.\n",
		"茶.md":     "# 杀青\n\n春茶用中间一档，夏茶叶子老，再升十度。\n",
	}
	for i := range 7 {
		files[fmt.Sprintf("change%d.md", i)] =
			fmt.Sprintf("# Change %d\n\nA new and good quote of the price, no. %d.\n", i, i)
	}
	docs, _ := library(t, files)
	query := "price of the new lithium battery and until when the quote is good, please tell me quickly"
	assert.Contains(t, urls(t, docs, query), "doc:offer.md")
	assert.Equal(t, []string{"doc:茶.md"}, urls(t, docs, "炒青锅子烧到多少度最好？一锅放多少叶子？"))
	assert.Empty(t, urls(t, docs, "lithium zyzzyva"), "control")
}

var hostile = []string{
	`"; DROP TABLE file; --`, `"`, `""`, `'`, `NEAR(`, `NEAR(heron water, 5`, `heron AND`, `OR`, `NOT heron`,
	`heron*`, `^heron`, `title:heron`,
	`{title body}:heron`, `(heron`, `heron + water`, "heron\x00water", "\xff\xfe heron", `-heron`, `heron\`,
	"％ＨＥＲＯＮ", "苍\u0301鹭", "ﬁ ǆ", "👩‍👩‍👧 heron",
	"的 了 吗 heron", "rank", "passage_text", `heron"heron`, "heron/water", "heron-xyz", "a_b_c_d_e_f",
	"http://example.org/a/b/c?d=e&f=g#h", strings.Repeat("苍鹭", 3000), strings.Repeat("(", 10_000),
}

func TestSearchTakesAnyQuery(t *testing.T) {
	docs, _ := library(t, map[string]string{"heron.md": "# The heron\n\nA heron 苍鹭 in the water.\n",
		"bread.md": bread})
	for _, query := range hostile {
		hits, err := docs.Search(t.Context(), query, 10)
		if err != nil {
			assert.ErrorContains(t, err, "no word to look for", query)
			continue
		}
		if strings.Contains(query, "heron") {
			require.NotEmpty(t, hits, query)
			assert.Equal(t, "doc:heron.md", hits[0].URL, query)
		}
	}
	for _, query := range []string{"", " \n\t", "*", `"`, "()", "。，！", "👩‍👩‍👧", "\x00", "\xff"} {
		hits, err := docs.Search(t.Context(), query, 10)
		assert.Empty(t, hits)
		assert.ErrorContains(t, err, "no word to look for", "%q", query)
	}
	for _, query := range []string{"what is the", "of", "怎么", "的", "zyzzyva", "鱻"} {
		_, err := docs.Search(t.Context(), query, 10)
		assert.NoError(t, err, query)
	}
	assert.Empty(t, urls(t, docs, "zyzzyva"))
	assert.Equal(t, []string{"doc:heron.md"}, urls(t, docs, "the")[:1],
		"only function words: they are what is looked for")
}

func TestSearchEndsWithItsContext(t *testing.T) {
	docs, _ := library(t, map[string]string{"bread.md": bread})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := docs.Search(ctx, "bread", 10)
	assert.ErrorIs(t, err, context.Canceled)
	_, err = docs.Refresh(ctx, nil)
	assert.ErrorIs(t, err, context.Canceled)
	_, err = docs.Page(ctx, "doc:bread.md")
	assert.ErrorIs(t, err, context.Canceled)
}

func FuzzSearch(f *testing.F) {
	for _, query := range hostile {
		f.Add(query)
	}
	docs, _ := library(f, shelf())
	f.Fuzz(func(t *testing.T, query string) {
		hits, err := docs.Search(t.Context(), query, 10)
		if err != nil {
			assert.ErrorContains(t, err, "no word to look for")
		}
		for _, hit := range hits {
			assert.LessOrEqual(t, utf8.RuneCountInString(hit.Snippet), 300)
			assert.True(t, utf8.ValidString(hit.Snippet))
		}
	})
}

// FuzzDocument indexes any text: what follows it must be found, and must not be lost from the page.
func FuzzDocument(f *testing.F) {
	for _, text := range append(hostile, bread, disks, "```\n# no heading\n",
		"# \n## x\n\n[a](b\n](c)\n|---|\n", strings.Repeat("长", 4000)) {
		f.Add(text)
	}
	dir := f.TempDir()
	docs := open(f, filepath.Join(f.TempDir(), "x.db"), dir)
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) || strings.HasPrefix(text, "---") {
			return // which charset, or which front matter, is for package page to say
		}
		write(t, dir, map[string]string{"x.md": text + "\n\nkingfisher 苍鹭站\n"})
		report, err := docs.Refresh(t.Context(), nil)
		require.NoError(t, err)
		if len(report.Skipped) > 0 {
			return
		}
		p, err := docs.Page(t.Context(), "doc:x.md")
		require.NoError(t, err)
		assert.Contains(t, p.Markdown, "kingfisher")
		for _, query := range []string{"kingfisher", "苍鹭", "站"} {
			hits, err := docs.Search(t.Context(), query, 1)
			require.NoError(t, err)
			assert.Len(t, hits, 1, query)
		}
	})
}

func BenchmarkSearch(b *testing.B) {
	dir := b.TempDir()
	many(b, dir, 2000)
	docs := open(b, filepath.Join(b.TempDir(), "x.db"), dir)
	refresh(b, docs)
	b.ResetTimer()
	for b.Loop() {
		hits, err := docs.Search(b.Context(),
			"how often do I feed the starter of document 1234? mark1234", 10)
		require.NoError(b, err)
		require.Equal(b, "doc:part2/doc1234.md", hits[0].URL)
	}
}

func BenchmarkRefresh(b *testing.B) {
	dir := b.TempDir()
	many(b, dir, 1000)
	b.Run("new", func(b *testing.B) {
		for b.Loop() {
			docs, err := documents.Open(b.Context(), filepath.Join(b.TempDir(), "x.db"), []string{dir})
			require.NoError(b, err)
			require.Equal(b, 1000, refresh(b, docs).Added)
			require.NoError(b, docs.Close())
		}
	})
	b.Run("unchanged", func(b *testing.B) {
		docs := open(b, filepath.Join(b.TempDir(), "x.db"), dir)
		refresh(b, docs)
		for b.Loop() {
			require.Equal(b, 1000, refresh(b, docs).Unchanged)
		}
	})
}

// Documents that answer equally well come in the order of their addresses, in whatever order they were read.
func TestEqualDocumentsComeInOneOrder(t *testing.T) {
	docs, dir := library(t, map[string]string{"z.md": "Bake at 230 degrees with steam.\n"})
	write(t, dir, map[string]string{"a.md": "Bake at 210 degrees with steam.\n"})
	refresh(t, docs)
	found := urls(t, docs, "bake steam")
	require.Len(t, found, 2)
	assert.Contains(t, found[0], "a.md")
}
