package prose

import (
	"path"
	"regexp"
	"strings"
)

var (
	aDate    = regexp.MustCompile(`\b(?:19|20)\d\d[-/.年]\d`) // of a note or minutes, which have no editions
	day      = regexp.MustCompile(`\b((?:19|20)\d\d)(?:[-/.年](0?[1-9]|1[0-2])(?:[-/.月](0?[1-9]|[12]\d|3[01]))?)?(?:\D|$)`)
	aVersion = regexp.MustCompile(`(?i)\bv(?:ersion)? ?(\d+)`)
	// namesEdition finds a year, or the number of an edition, in a question.
	namesEdition = regexp.MustCompile(`(?i)\b(?:19|20)\d\d\b|(?:19|20)\d\d年|\b(?:v|version|edition|ed\.|rev\.) ?\d|第\d+版|\b(?:the|an?) old\b|[旧前去]年|旧版`)
	ofFile       = regexp.MustCompile(`(?i)\.(?:docx?|odt|pdf|md|txt|html?|csv|xlsx?)\b`)
	// undated finds what the titles of two editions may differ in.
	undated = regexp.MustCompile(`(?i)[^\pL]+|\bv(?:ersion)?\b|` +
		`\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b|\b(?:revised|updated|edition)\b|[年月日版]|修订|修正|更新|现行|试行`)
)

// isOld finds the mark of what is not valid any more in a title or in the name of a file.
var isOld = regexp.MustCompile(`(?i)(?:^|[^\pL])(?:old|superseded|obsolete|outdated|expired|withdrawn)(?:[^\pL]|$)|` +
	`[（(]旧[)）]|旧版|作废|废止|失效|过期`)

// asksLatest finds a question for what holds now, or for how it ended.
var asksLatest = regexp.MustCompile(`(?i)\b(?:in the end|finally|eventually|now|nowadays|currently|current|at present|` +
	`today|these days|latest)\b|现在|目前|如今|最终|最后|最新`)

var isAge = regexp.MustCompile(`(?i)\bhow old\b|\b(?:years?|months?|days?) old\b`)

// IsOld reports whether a title or the name of a file says that the document is not valid any more.
func IsOld(title string) bool { return isOld.MatchString(title) }

// Marked returns a title with the name of its file behind it if only that says that the document is old.
func Marked(title, address string) string {
	if name := path.Base(address); IsOld(name) && !IsOld(title) {
		return title + " (" + name + ")"
	}
	return title
}

// Outdated returns those of some titles that are older editions of another, "Prices 2025" beside "Prices
// 2026" or "Risks (v1)" beside "Risks (v3)", and those that say that they are old.
// It returns nil if the question itself names an edition. If it asks for the latest, of minutes and notes of
// one name all but the last are older.
func (q Question) Outdated(titles []string) map[string]bool {
	newest, older, isLatest := map[string]string{}, map[string]bool{}, asksLatest.MatchString(string(q))
	if namesEdition.MatchString(string(q)) || IsOld(string(q)) && !isAge.MatchString(string(q)) {
		return nil
	}
	for _, title := range titles {
		name, edition := editionOf(title, isLatest)
		newest[name] = max(newest[name], edition)
	}
	for _, title := range titles {
		name, edition := editionOf(title, isLatest)
		older[title] = edition != "" && edition < newest[name] || IsOld(title)
	}
	return older
}

// twoDigits returns the number of a month or a day in a form that sorts, "" for none.
func twoDigits(number string) string {
	if len(number) == 1 {
		return "0" + number
	}
	return number
}

// editionOf returns a title without what tells editions apart, and its date or version in a form that sorts;
// "" if it has neither. What has the date of a day is an edition only if dated.
func editionOf(title string, dated bool) (name, edition string) {
	for _, m := range day.FindAllStringSubmatch(title, -1) {
		edition = max(edition, m[1]+twoDigits(m[2])+twoDigits(m[3]))
	}
	if m := aVersion.FindStringSubmatch(title); m != nil && edition == "" && len(m[1]) < 4 {
		edition = strings.Repeat("0", 4-len(m[1])) + m[1]
	}
	title = ofFile.ReplaceAllString(title, "")
	name = strings.ToLower(undated.ReplaceAllString(undated.ReplaceAllString(title, " "), " "))
	if name = OneLine(name); name == "" || !dated && aDate.MatchString(title) {
		return title, ""
	}
	return name, edition
}
