package prose

import (
	"fmt"
	"regexp"
	"strings"
	clock "time"
)

const month = `((?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6})\.?`

var (
	// dayFirst, monthFirst and yearFirst find dates as written in English, in Chinese and in tables.
	dayFirst   = regexp.MustCompile(`(?i)\b(\d{1,2})(?:st|nd|rd|th)?(?: of)? ` + month + `,? (\d{4})\b`)
	monthFirst = regexp.MustCompile(`(?i)\b` + month + ` (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})\b`)
	yearFirst  = regexp.MustCompile(`\b(\d{4})(?:/| ?年 ?)(\d{1,2})(?:/(\d{1,2})\b| ?月 ?(\d{1,2}) ?[日号])`)
	// hanYear finds a year in characters, as in 二〇二五年.
	hanYear   = regexp.MustCompile(`[一二][零〇○一二三四五六七八九]{3}年(?:$|[^级])`)
	hanDigits = strings.NewReplacer("零", "0", "〇", "0", "○", "0", "一", "1", "二", "2", "三", "3",
		"四", "4", "五", "5", "六", "6", "七", "7", "八", "8", "九", "9")
	aDay = regexp.MustCompile(`\b\d{4}-\d\d-\d\d\b`)
)

// Dated returns a text with its dates in one form: 17 December 2012, Dec. 17th, 2012, 2012/12/17 and
// 2012年12月17日 all become 2012-12-17, and 二〇一二年 2012年.
func Dated(text string) string {
	text = hanYear.ReplaceAllStringFunc(text, hanDigits.Replace)
	for _, form := range []struct {
		find             *regexp.Regexp
		year, month, day string
	}{{dayFirst, "$3", "$2", "$1"}, {monthFirst, "$3", "$1", "$2"}, {yearFirst, "$1", "$2", "$3$4"}} {
		text = form.find.ReplaceAllStringFunc(text, func(date string) string {
			part := func(name string) string { return form.find.ReplaceAllString(date, name) }
			return fmt.Sprintf("%s-%02s-%02s", part(form.year), inFigures(part(form.month)), part(form.day))
		})
	}
	return text
}

// inFigures returns the number of a month given by name or number.
func inFigures(month string) string {
	if name, err := clock.Parse("Jan", month[:min(3, len(month))]); err == nil {
		return fmt.Sprint(int(name.Month()))
	}
	return month
}

// ofDate returns the terms of a date in that form: itself, its year, its month by number and name, its day.
func ofDate(date string) []string {
	terms := []string{date, date[:4], date[5:7], date[8:], strings.TrimPrefix(date[8:], "0")}
	if day, err := clock.Parse(clock.DateOnly, date); err == nil {
		terms = append(terms, Stem(day.Month().String()))
	}
	return terms
}

// inWords returns the month and day of each date in a text, in words as documents may write them.
func inWords(text string) (all []Keyword) {
	for _, date := range aDay.FindAllString(Dated(text), -1) {
		if day, err := clock.Parse(clock.DateOnly, date); err == nil {
			words := day.Format("January 2")
			all = append(all, Keyword{Text: words, Terms: Terms(words)})
		}
	}
	return all
}
