package prose

import (
	"regexp"
	"strings"
)

var (
	aYear    = regexp.MustCompile(`\b(?:19|20)\d\d`)
	aDate    = regexp.MustCompile(`\b(?:19|20)\d\d[-/.年]\d`) // of a note or minutes, which have no editions
	aVersion = regexp.MustCompile(`(?i)\bv(?:ersion)? ?(\d+)`)
	// undated finds what the titles of two editions may differ in.
	undated = regexp.MustCompile(`(?i)[^\pL]+|\bv(?:ersion)?\b|` +
		`\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b|[年月日版]`)
)

// Outdated returns those of some titles that are older editions of another: "Prices 2025" beside "Prices
// 2026", or "Risks (v1)" beside "Risks (v3)".
func Outdated(titles []string) map[string]bool {
	newest, older := map[string]string{}, map[string]bool{}
	for _, title := range titles {
		name, edition := editionOf(title)
		newest[name] = max(newest[name], edition)
	}
	for _, title := range titles {
		name, edition := editionOf(title)
		older[title] = edition != "" && edition < newest[name]
	}
	return older
}

// editionOf returns a title without what tells editions apart, and its date or version in a form that sorts;
// "" if it has neither.
func editionOf(title string) (name, edition string) {
	for _, year := range aYear.FindAllString(title, -1) {
		edition = max(edition, year)
	}
	if m := aVersion.FindStringSubmatch(title); m != nil && edition == "" && len(m[1]) < 4 {
		edition = strings.Repeat("0", 4-len(m[1])) + m[1]
	}
	name = strings.ToLower(undated.ReplaceAllString(undated.ReplaceAllString(title, " "), " "))
	if name = OneLine(name); name == "" || aDate.MatchString(title) {
		return title, ""
	}
	return name, edition
}
