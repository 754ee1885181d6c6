package citation

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/daybook-agent/daybook/agent/workspace"
)

// References is the table of the sources that a report cites, as the program writes it under the report: heading {#references}, then for each
// source its id, what it is, its type, what the report takes from it, and a link that opens at the first quote. It is in the language of the report. Sources that were
// never read, or can not be read now, are left out; when none is left, so is the table.
func References(report string, result Result, lookup Lookup) string {
	language := english()
	if workspace.IsChinese(report) {
		language = chinese()
	}
	ids := result.Sources()
	slices.SortFunc(ids, func(a, b string) int { return numberOf(a) - numberOf(b) })
	var rows strings.Builder
	for _, id := range ids {
		if s, err := lookup(id); err == nil {
			fmt.Fprintf(&rows, "| [%s](%s) | %s | %s | %s | %s |\n", s.ID, linkTarget(s.File), language.citation(s), cell(language.kind(s.Type)), language.commentary(s, result), language.link(s, result))
		}
	}
	if rows.Len() == 0 {
		return ""
	}
	return fmt.Sprintf("## %s {#references}\n\n%s\n| --- | --- | --- | --- | --- |\n%s", language.heading, language.columns, rows.String())
}

func numberOf(id string) int {
	n, err := strconv.Atoi(strings.TrimPrefix(id, "s"))
	if err != nil {
		return 0
	}
	return n
}

// wording is what a list of references says in one language.
type wording struct {
	heading, columns  string
	own, noDate, open string
	read              string // format of the day on which it was read
	newer             string // format of the id of a later text
	year              string // format of a year
	cited             string // format of a number of citations
	pause, end        string
	kinds             map[string]string
	verdicts          map[Verdict]string
}

func english() wording {
	return wording{
		heading: "References", columns: "| Id | Source | Type | What the report takes from it | Link |",
		own: "own document", noDate: "n.d.", open: "open", read: "read %s", newer: "; read again with another text as %s", year: " (%s)", cited: "%d cited: ", pause: ", ", end: ". ",
		kinds: map[string]string{"html": "web page", "text": "plain text", "pdf": "PDF", "json": "JSON", "csv": "table", "markdown": "Markdown"},
	}
}

func chinese() wording {
	return wording{
		heading: "参考文献", columns: "| 编号 | 文献 | 类型 | 报告引用的内容 | 链接 |",
		own: "自有文档", noDate: "无日期", open: "打开", read: "阅读于 %s", newer: "；后来再读时内容已变，见 %s", year: "（%s）", cited: "引用 %d 处：", pause: "，", end: "。",
		kinds: map[string]string{"html": "网页", "text": "纯文本", "pdf": "PDF", "json": "JSON", "csv": "表格", "markdown": "Markdown"},
		verdicts: map[Verdict]string{Supported: "得到支持", QuoteMissing: "引文未找到", FigureMissing: "数字未找到", SourceMissing: "来源不存在", QuoteTooLong: "引文过长",
			NotChecked: "未核查"},
	}
}

func (w wording) kind(name string) string {
	if known, ok := w.kinds[name]; ok {
		return known
	}
	return name
}

// citation names a source: author (year). title. site, read when.
func (w wording) citation(s Source) string {
	year := fmt.Sprintf(w.year, w.noDate)
	if len(s.Published) >= 4 && strings.Trim(s.Published[:4], "0123456789") == "" {
		year = fmt.Sprintf(w.year, s.Published[:4])
	}
	title := cell(cut(oneLine(s.Title), 200))
	out := title + year + w.end
	if author := cell(cut(oneLine(s.Author), 100)); author != "" {
		out = author + year + w.end + title + w.end
	}
	site := publisher(s)
	if site == ownDocuments {
		site = w.own
	}
	out += cell(site) + w.pause + fmt.Sprintf(w.read, s.Fetched.Format("2006-01-02"))
	if s.Newer != "" {
		out += fmt.Sprintf(w.newer, s.Newer)
	}
	return out
}

// commentary says what the report takes from a source. A person's note is taken instead.
func (w wording) commentary(s Source, result Result) string {
	if note := oneLine(s.Note); note != "" {
		return cell(cut(note, MaxQuote))
	}
	taken, counts, n := "", map[Verdict]int{}, 0
	for _, c := range result.Citations {
		if c.Source != s.ID {
			continue
		}
		counts[c.Verdict]++
		n++
		if len(c.Quotes) > 0 && !strings.HasPrefix(taken, "“") {
			taken = "“" + cut(oneLine(c.Quotes[0]), 120) + "”"
		} else if taken == "" {
			taken = cut(oneLine(c.Sentence), 120)
		}
	}
	var parts []string
	for _, v := range []Verdict{Supported, QuoteMissing, FigureMissing, QuoteTooLong, NotChecked} {
		if counts[v] > 0 {
			name := string(v)
			if w.verdicts != nil {
				name = w.verdicts[v]
			}
			parts = append(parts, fmt.Sprintf("%d %s", counts[v], name))
		}
	}
	if taken != "" {
		taken = cell(taken) + " · "
	}
	return taken + fmt.Sprintf(w.cited, n) + strings.Join(parts, w.pause)
}

// link opens a page at the first quote that stands in it, or names one of the person's own documents.
func (w wording) link(s Source, result Result) string {
	address := s.URL
	if isWeb(s.FinalURL) {
		address = s.FinalURL
	}
	if !isWeb(address) {
		return "`" + strings.Map(func(r rune) rune {
			if r == '`' || r == '|' || unicode.IsControl(r) {
				return '_'
			}
			return r
		}, address) + "`"
	}
	for _, c := range result.Citations {
		if c.Source == s.ID && len(c.Quotes) > 0 {
			address = Fragment(address, s.Text, c.Quotes[0])
			break
		}
	}
	return fmt.Sprintf("[%s](<%s>)", w.open, linkTarget(address))
}

// linkTarget keeps an address from ending its link or its cell.
func linkTarget(address string) string {
	var out strings.Builder
	for _, r := range address {
		if r <= ' ' || r == 0x7f || strings.ContainsRune("<>|\\`()[]\"", r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
			for _, b := range []byte(string(r)) {
				fmt.Fprintf(&out, "%%%02X", b)
			}
		} else {
			out.WriteRune(r)
		}
	}
	return out.String()
}

// cell keeps a text from outside inside its cell of a table, as nothing but text: no link, no picture, no mark-up, no address that becomes one.
func cell(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, oneLine(text))
	return strings.NewReplacer(`\`, `\\`, "|", `\|`, "[", `\[`, "]", `\]`, "<", "&lt;", ">", "&gt;", "&", "&amp;", "*", `\*`, "_", `\_`, "`", "\\`", "~", `\~`,
		"://", `:\//`, "www.", `www\.`, "@", `\@`, "!", `\!`, "#", `\#`).Replace(text)
}
