package page

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// byline is who wrote a page and when, as its visible text says. What is marked as such goes before what is only called so.
type byline struct {
	author string

	marked, named, near string // dates: of an element for it, in words, and of the first <time> below the heading

	label string // the latest text is a label, and the next one what it is of: author or date
}

// maxByline is how many bytes a text may have that names an author or a date.
const maxByline = 200

func (b *byline) element(n *html.Node, belowHeading bool) {
	if n.DataAtom == atom.Time {
		b.time(n, belowHeading)
		return
	}
	if b.author != "" && b.marked != "" {
		return
	}
	for i := range n.Attr[:min(len(n.Attr), 20)] {
		switch value := n.Attr[i].Val; n.Attr[i].Key {
		case "itemprop":
			if value == "datePublished" && b.marked == "" {
				b.marked = firstOf(dateOf(attr(n, "content")), dateOf(attr(n, "datetime")), dateOf(textOf(n, maxByline)))
			}
			if value == "author" && n.DataAtom != atom.Meta {
				b.author = firstOf(b.author, authorIn(textOf(n, maxByline)))
			}
		case "rel":
			if value == "author" && n.DataAtom == atom.A {
				b.author = firstOf(b.author, authorIn(textOf(n, maxByline)))
			}
		case "class":
			if b.author == "" && isByline(value) {
				b.author = authorIn(textOf(n, maxByline))
			}
		}
	}
}

func (b *byline) time(n *html.Node, belowHeading bool) {
	date := firstOf(dateOf(attr(n, "datetime")), dateOf(textOf(n, maxByline)))
	switch class := attr(n, "class"); {
	case attr(n, "itemprop") == "datePublished", hasAttr(n, "pubdate"), strings.Contains(class, "publish"), strings.Contains(class, "entry-date"):
		b.marked = firstOf(b.marked, date)
	case belowHeading && !strings.Contains(class, "updated"):
		b.near = firstOf(b.near, date)
	}
}

func (b *byline) date() string { return firstOf(b.marked, b.named, b.near) }

// text finds what Chinese pages write: 发布时间：2024年3月1日 and 作者：张三, in one text or with the name in the next.
func (b *byline) text(n *html.Node) {
	s := n.Data
	if len(s) > maxByline || strings.TrimSpace(s) == "" || n.Parent.DataAtom == atom.Script || n.Parent.DataAtom == atom.Style {
		return
	}
	switch b.label {
	case "author":
		b.author = firstOf(b.author, authorIn(s))
	case "date":
		b.named = firstOf(b.named, dateIn(s))
	}
	b.label = ""
	if s[0] < utf8.RuneSelf && !strings.ContainsRune(s, '：') && !strings.Contains(s, "日期") {
		return
	}
	for _, key := range [...]string{"发布时间", "发布日期", "发表时间", "发布于", "日期", "时间", "發佈時間", "發布時間"} {
		if rest, found := labelled(s, key); found && b.named == "" {
			if b.named = dateIn(rest); b.named == "" {
				b.label = "date"
			}
			break
		}
	}
	if rest, found := labelled(s, "作者"); found && b.author == "" {
		if b.author = authorIn(rest); b.author == "" {
			b.label = "author"
		}
	}
}

// labelled is what follows a label and its colon.
func labelled(s, label string) (rest string, found bool) {
	_, rest, found = strings.Cut(s, label)
	if !found {
		return "", false
	}
	rest = strings.TrimLeftFunc(rest, unicode.IsSpace)
	if after, colon := strings.CutPrefix(rest, "："); colon {
		return after, true
	}
	after, colon := strings.CutPrefix(rest, ":")
	return after, colon || label == "发布于"
}

// dateIn is the date at the beginning of a text.
func dateIn(s string) string {
	s = strings.TrimSpace(s)
	end := strings.IndexFunc(s, func(r rune) bool {
		return !unicode.IsDigit(r) && !strings.ContainsRune("年月日-/.", r)
	})
	if end >= 0 {
		s = s[:end]
	}
	return dateOf(s)
}

// authorIn takes off what stands before a name, and is "" for what is too long to be one.
func authorIn(s string) string {
	s = cleanLine(s)
	for _, before := range [...]string{"Written by ", "Posted by ", "By: ", "By ", "by ", "BY ", "Von ", "von ", "Par ", "Por ", "作者：", "作者:", "文/", "文｜", "撰文："} {
		s = strings.TrimPrefix(s, before)
	}
	if isHan(s) || strings.ContainsFunc(s, isHanRune) { // what follows the name is the source or the date
		if end := strings.IndexFunc(s, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("|｜【（(，", r) }); end > 0 {
			s = s[:end]
		}
	}
	s = strings.Trim(s, " ,;:|·-–")
	if n := utf8.RuneCountInString(s); n < 2 || n > 60 || strings.Contains(s, "://") || strings.ContainsFunc(s, unicode.IsDigit) {
		return ""
	}
	return s
}

func isHanRune(r rune) bool { return unicode.Is(unicode.Han, r) }

func isByline(classes string) bool {
	for class := range strings.FieldsSeq(classes) {
		switch strings.ToLower(class) {
		case "byline", "author", "author-name", "author__name", "byline__name", "byline-name", "byline__author", "entry-author", "post-author", "p-author",
			"article-author", "article__author", "author-link", "fn", "authorname", "article-byline", "c-byline", "vcard", "byline_author":
			return true
		}
	}
	return false
}

func hasAttr(n *html.Node, key string) bool {
	for i := range n.Attr[:min(len(n.Attr), 100)] {
		if n.Attr[i].Key == key {
			return true
		}
	}
	return false
}

// dateOf is the day of a date in one of the ways pages write it, as 2006-01-02, or "".
func dateOf(value string) string {
	value = strings.TrimSpace(value)
	if len(value) >= 10 {
		if _, err := time.Parse(time.DateOnly, value[:10]); err == nil {
			return value[:10]
		}
	}
	for _, layout := range [...]string{
		"2006/1/2", "2006-1-2", "20060102", "2006.1.2", "2006年1月2日", "January 2, 2006", "Jan 2, 2006", "2 January 2006", "2 Jan 2006",
		time.RFC1123, time.RFC1123Z, time.ANSIC, time.UnixDate, "2006/01/02 15:04:05", "20060102T150405Z", "20060102150405",
		"January 2, 2006 15:04", "Mon Jan 2 15:04:05 -0700 2006",
	} {
		if day, err := time.Parse(layout, value); err == nil {
			return day.Format(time.DateOnly)
		}
	}
	return ""
}
