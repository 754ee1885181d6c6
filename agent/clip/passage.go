package clip

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/daybook-agent/daybook/agent"
)

// passage is a sentence where it stands: the unit that is scored and quoted.
type passage struct {
	page    *page
	heading string // the nearest that says something
	text    string // to the letter
	line    string // the text in one line
	order   int    // among all that was read
	terms   []string
	about   []string // terms of the heading and of the document's title
}

// passages are the sentences of some pages that may be quoted, each once. Pages are read side by side: it is most of what this Brain does.
func passages(pages []page, kept *shelf) []passage {
	read := make([]*leaf, len(pages))
	ends := map[string]open{} // by address and part
	for i, p := range pages {
		read[i] = kept.leaf(p, ends[fmt.Sprint(p.part, p.url)])
		ends[fmt.Sprint(p.part+1, p.url)] = read[i].after
	}
	agent.SideBySide(len(pages), func(i int) { read[i].passages() })
	var all []passage
	seen := map[string]bool{}
	for _, l := range read {
		for _, p := range l.passages() {
			if !seen[p.line] {
				seen[p.line] = true
				p.order = len(all)
				all = append(all, p)
			}
		}
	}
	return all
}

// passages are the sentences of a page's prose that may be quoted, without their order.
func (p *page) passages(prose []block) []passage {
	var all []passage
	about, learned := map[string][]string{}, forms{}
	heading, under := p.heading(nil), []string(nil)
	for _, b := range prose {
		if !slices.Equal(under, b.headings) {
			heading, under = p.heading(b.headings), b.headings
		}
		if heading == "" {
			continue
		}
		if about[heading] == nil {
			about[heading] = learned.terms(heading + " " + p.title)
		}
		for _, s := range sentences(b.text) {
			if quotable(s) {
				all = append(all, passage{page: p, heading: heading, text: s, line: oneLine(s), terms: learned.terms(s), about: about[heading]})
			}
		}
	}
	return all
}

// belongs says whether a passage is for the chapter of a title: it stands under that heading, or speaks of half of its words.
func (p passage) belongs(title string, own []keyword) bool {
	return shorten(p.heading) == title || 2*p.covers(own) >= max(1, len(own))
}

// longEnough says whether a passage says enough to stand alone: a short one is quoted only when it holds two words of the question.
func (p passage) longEnough(keys []keyword) bool {
	if columns(p.text) >= shortest {
		return true
	}
	n := 0
	for _, k := range keys {
		if k.in(p.terms) {
			n++
		}
	}
	return n >= min(2, len(keys))
}

// heading is the innermost of some headings that tells what a part is about; the document's title stands behind them all. ""
// for a part, such as an index, that holds nothing to quote.
func (p *page) heading(outerFirst []string) string {
	found := p.name()
	for _, h := range outerFirst {
		h = cleanHeading(h)
		switch key := strings.ToLower(h); {
		case barren(key):
			return ""
		case h != "" && !general(key):
			found = h
		}
	}
	if found == "" {
		return p.id
	}
	return found
}

// name is the document's title without that of the site or the book it belongs to.
func (p *page) name() string {
	title := cleanHeading(p.title)
	for _, dash := range []string{" — ", " – ", " - ", " | ", " · "} {
		at := strings.LastIndex(title, dash)
		if at <= 0 {
			continue
		}
		site := strings.ToLower(title[at:])
		for _, word := range []string{"documentation", "docs", "manual", "wikipedia", "维基百科", "文档", "手册"} {
			if strings.Contains(site, word) {
				return strings.TrimSpace(title[:at])
			}
		}
	}
	return title
}

// barren headings stand over lists of links and the like.
func barren(heading string) bool {
	switch heading {
	case "see also", "references", "external links", "further reading", "bibliography", "index", "contents", "table of contents", "on this page",
		"navigation", "related", "related articles", "related links", "changelog", "release notes", "license", "copyright", "credits", "comments", "footnotes",
		"参见", "另见", "另请参阅", "参考", "参考文献", "参考资料", "外部链接", "延伸阅读", "目录", "索引", "导航", "相关文章", "更新日志", "版权", "许可", "致谢", "评论", "脚注":
		return true
	}
	return false
}

// general headings say nothing without the one above them.
func general(heading string) bool {
	switch heading {
	case "example", "examples", "overview", "introduction", "note", "notes", "description", "summary", "details", "parameters", "arguments", "options",
		"usage", "basic usage", "quick start", "quickstart", "synopsis", "background", "conclusion", "faq", "tip", "tips", "warning", "caution", "important", "returns", "remarks", "changes", "caveats", "limitations", "tips and tricks", "getting started", "syntax", "abstract", "compatibility", "module contents", "module objects",
		"示例", "例子", "概述", "概览", "简介", "介绍", "引言", "说明", "注意", "注意事项", "描述", "总结", "小结", "结论", "参数", "选项", "用法", "基本用法", "快速开始", "背景", "语法", "摘要", "提示", "警告", "限制", "局限", "入门":
		return true
	}
	return false
}

// cleanHeading takes the markup and the numbering off a heading: "### 30.1. [Reliability](#x) #" is "Reliability".
func cleanHeading(h string) string {
	h, _, _ = strings.Cut(h, "{#")
	for {
		open := strings.Index(h, "](")
		if open < 0 {
			break
		}
		end := closing(h[open+1:])
		if end < 0 {
			break
		}
		h = h[:open] + h[open+1+end+1:]
	}
	h = strings.Map(func(r rune) rune {
		if strings.ContainsRune("`*[]\\¶<>“”", r) {
			return -1
		}
		return r
	}, h)
	h = strings.TrimRight(strings.TrimSpace(strings.Join(strings.Fields(h), " ")), "# :：")
	return strings.TrimSpace(withoutNumber(h))
}

// withoutNumber drops "30.1.", "Chapter 30.", "Appendix B.", "第 3 章" and "一、" from the start of a heading.
func withoutNumber(h string) string {
	for _, word := range []string{"Chapter ", "Appendix ", "Section ", "Part "} {
		if rest, ok := strings.CutPrefix(h, word); ok {
			if number, title, found := strings.Cut(rest, " "); found && strings.HasSuffix(number, ".") || strings.HasSuffix(number, ":") {
				return title
			}
		}
	}
	if number, title, found := strings.Cut(h, "、"); found && strings.Trim(number, "一二三四五六七八九十0123456789") == "" {
		return title
	}
	if rest, ok := strings.CutPrefix(h, "第"); ok {
		number := strings.TrimLeft(rest, " 一二三四五六七八九十百0123456789")
		for _, unit := range []string{"章", "节", "部分"} {
			if title, ok := strings.CutPrefix(number, unit); ok && strings.TrimSpace(title) != "" {
				return title
			}
		}
	}
	number, title, found := strings.Cut(h, " ")
	if found && strings.ContainsAny(number, "0123456789") && strings.Trim(strings.TrimLeftFunc(number, unicode.IsUpper), "0123456789.") == "" &&
		strings.Contains(number, ".") {
		return title
	}
	return h
}

func set(items []string) map[string]bool {
	m := make(map[string]bool, len(items))
	for _, item := range items {
		m[item] = true
	}
	return m
}
