package page

import (
	"fmt"
	"regexp"
	"strings"
	"time"
)

// Forms in which bylines write a day.
var (
	yearFirst = regexp.MustCompile(`(\d{4})(?: ?年 ?|[-/.])(\d{1,2})(?: ?月 ?|[-/.])(\d{1,2})(?: ?日)?`)
	dayFirst  = regexp.MustCompile(
		`(?i)(\d{1,2})(?:st|nd|rd|th)?\.?[ -](?:of |de )?(\pL{3,9})\.?,?[ -](?:de )?(\d{4})`)
	monthFirst = regexp.MustCompile(`(?i)(\pL{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})`)
	dotted     = regexp.MustCompile(`(\d{1,2})\.(\d{1,2})\.(\d{4})`)
)

// What is around the words of a label, and between them and the date.
const (
	beforeLabel = `(?:^|[|·•,;()–—。\s　])`
	behindWord  = `(?: (?:date|on|at|am|le|el))*`
	labelEnd    = `\s*[:：]?\s*$`
)

// Labels of a date, at the end of the text before it, and preceded by nothing or a separator.
var (
	labelOfDate = regexp.MustCompile(`(?i)` + beforeLabel +
		`(?:(?:^|[|·•,;()–—]\s*)(?:(?:first|originally|date|article|page) )*` +
		`(?:published|posted|released|issued|written|created|date|publié|publicado|veröffentlicht)` +
		behindWord + `|(?:发布|发表|发稿|撰写|编写|创建|發佈|發布|建立)?(?:时间|日期|時間|于)|` +
		`发布|发表|發佈|發布|创建)` + labelEnd)
	labelOfChange = regexp.MustCompile(`(?i)(?:updated|modified|edited|revised|changed|reviewed|accessed|` +
		`retrieved|aktualisiert|geändert|stand|mise? à jour|actualizado|` +
		`(?:更新|修改|修订|编辑|访问|更改)(?:时间|日期|於|于)?)` + behindWord + labelEnd)
	// lastChange matches a label of the page's own change: "This page last modified on", 最后更新于.
	lastChange = regexp.MustCompile(`(?i)` + beforeLabel + `(?:(?:last|latest|page|document|article|` +
		`this (?:page|document|article|manual) (?:was|is|has been))(?: was)?[ -]` +
		`(?:updated?|modified|modification|edited|revised|revision|changed?|reviewed)|` +
		`zuletzt (?:aktualisiert|geändert)|dernière (?:mise à jour|modification)|última actualización)` +
		behindWord + labelEnd +
		`|^\s*(?:updated|modified|revised|aktualisiert|mise? à jour|actualizado)` + behindWord + labelEnd +
		`|` + beforeLabel + `(?:本页|页面|本文|文档)?(?:最后|最近|上次|最終)?(?:更新|修改|修订|编辑|更改)` +
		`(?:时间|日期|時間|於|于)?` + labelEnd)
)

// labelBefore classifies the label at the end of a text that precedes a date or the next text: "date",
// "change" for the page's own change, "other" for a day that is not of publication, or "".
func labelBefore(s string) string {
	switch {
	case len(s) > maxByline || s == "":
		return ""
	case lastChange.MatchString(s):
		return "change"
	case labelOfChange.MatchString(s):
		return "other"
	case labelOfDate.MatchString(s):
		return "date"
	}
	return ""
}

// found is a day and its place in a text.
type found struct {
	day        string // as 2006-01-02, "" if there is none
	start, end int
}

// year matches what every date has: four digits in a row.
var year = regexp.MustCompile(`\d{4}`)

// findDate returns the first date in a text, or, if there is none, the end of the text as its place.
func findDate(s string) found {
	best := found{start: len(s), end: len(s)}
	for _, way := range [...]struct {
		form             *regexp.Regexp
		year, month, day int
	}{{yearFirst, 1, 2, 3}, {dayFirst, 3, 2, 1}, {monthFirst, 3, 1, 2}, {dotted, 3, 2, 1}} {
		at := way.form.FindStringSubmatchIndex(s)
		if at == nil || at[0] >= best.start {
			continue
		}
		group := func(i int) string { return s[at[2*i]:at[2*i+1]] }
		month := monthOf(group(way.month))
		day, err := time.Parse("2006-1-2", group(way.year)+"-"+month+"-"+
			strings.TrimLeft(group(way.day), "0"))
		if err == nil && day.Year() > 1900 {
			best = found{day.Format(time.DateOnly), at[0], at[1]}
		}
	}
	return best
}

// monthOf returns the number of a month, given as a number or by name in English, German, French or Spanish.
func monthOf(name string) string {
	name = strings.ToLower(name)
	for i, beginnings := range [...]string{
		"jan ene", "feb fév fev", "mar mär", "apr abr avr", "may mai", "jun juin",
		"jul juil", "aug ago aoû", "sep", "oct okt", "nov", "dec dez déc dic",
	} {
		for beginning := range strings.FieldsSeq(beginnings) {
			if strings.HasPrefix(name, beginning) {
				return fmt.Sprint(i + 1)
			}
		}
	}
	return strings.TrimLeft(name, "0")
}

// stamp matches dates as programs write them: without separators, or with the time before the year.
var stamp = regexp.MustCompile(
	`^(\d{4})(\d\d)(\d\d)(?:T?\d{6}Z?)?$|^\pL{3} (\pL{3} +\d{1,2}) [\d:]{8}(?: \S+)?( \d{4})$`)

// dateOf returns the day of a date, in one of the forms that pages use, as 2006-01-02, or "".
func dateOf(value string) string {
	value = strings.TrimSpace(value)
	if _, err := time.Parse(time.DateOnly, value[:min(len(value), len(time.DateOnly))]); err == nil {
		return value[:len(time.DateOnly)]
	}
	value = stamp.ReplaceAllString(value, "$1-$2-$3$4$5")
	const dayOfWeek = len("Wed, ")
	if d := findDate(strings.Trim(value, "-")); d.start <= dayOfWeek && len(value) < 50 {
		return d.day
	}
	return ""
}

// dateInText returns the date that a label in the first or last lines of a text gives, or "": that of
// publication in preference to that of the last change.
func dateInText(text string) string {
	const near = 20 // lines
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if len(lines) > 2*near {
		lines = append(lines[:near:near], lines[len(lines)-near:]...)
	}
	b := byline{facts: facts{}}
	for _, line := range lines {
		line = strings.Trim(line, " \t*_>#-")
		if len(line) > maxByline {
			continue
		}
		if d := findDate(line); d.day != "" {
			b.dated(labelBefore(strings.TrimRight(line[:d.start], " *_")), d.day)
		}
	}
	return b.date()
}
