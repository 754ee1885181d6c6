package evaluator

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/daybook-agent/daybook/agent/prose"
)

// cited finds a citation such as [s3] or [s3, s7].
var cited = regexp.MustCompile(`[\[【［]\s*(` + ofSource + `(?:\s*[,，;；、]\s*` + ofSource + `)*)\s*[\]】］,，]`)

// counts returns what code can count and a model only guesses: the length of each section, the number of
// sources and hosts, and their ages.
func (m Material) counts() string {
	var out strings.Builder
	report := prose.Countable(cited.ReplaceAllString(m.Report, ""))
	fmt.Fprintf(&out, "Words of the report: %d.", prose.Count(report))
	var parts []string
	for _, s := range sectionsOf(report) {
		first, rest, _ := strings.Cut(s, "\n")
		if title := heading(first); strings.HasPrefix(first, "## ") && len(parts) < mostSections {
			parts = append(parts, fmt.Sprintf("%s %d", line(title, longestTitle), prose.Count(rest)))
		}
	}
	if len(parts) > 0 {
		fmt.Fprintf(&out, " By section: %s.", strings.Join(parts, "; "))
	}
	m.countCitations(&out)
	m.countUncited(&out)
	m.countDates(&out)
	return out.String()
}

const (
	mostSections = 40
	longestTitle = 60
)

func (m Material) countCitations(out *strings.Builder) {
	host := map[string]string{}
	for _, s := range m.Sources {
		host[strings.ToLower(s.ID)] = s.Host
	}
	citations, ids, hosts := 0, map[string]bool{}, map[string]int{}
	for _, found := range cited.FindAllStringSubmatch(m.Report, -1) {
		for _, id := range strings.FieldsFunc(found[1],
			func(r rune) bool { return !unicode.IsDigit(r) && r != 's' && r != '.' }) {
			id, _, _ = strings.Cut(id, ".")
			citations++
			ids[id] = true
			hosts[host[id]]++
		}
	}
	fmt.Fprintf(out, "\nSources cited: %d, of %d that were read; citations: %d", len(ids),
		len(m.Sources), citations)
	delete(hosts, "")
	if len(hosts) > 0 {
		name := slices.MaxFunc(slices.Sorted(maps.Keys(hosts)),
			func(a, b string) int { return cmp.Compare(hosts[a], hosts[b]) })
		fmt.Fprintf(out, "; hosts cited: %d; %d %% of the citations are of %s", len(hosts),
			100*hosts[name]/citations, line(name, longestTitle))
	}
	out.WriteString(".")
}

// countUncited names the first sentences whose figures no code compared with a source.
func (m Material) countUncited(out *strings.Builder) {
	if len(m.Uncited) == 0 {
		return
	}
	const most, longest = 3, 160
	var parts []string
	for _, s := range m.Uncited[:min(len(m.Uncited), most)] {
		parts = append(parts, "“"+line(s, longest)+"”")
	}
	first := ""
	if len(m.Uncited) > most {
		first = ", the first of them"
	}
	fmt.Fprintf(out, "\nSentences that hold a figure and no citation, as an own sum may: %d%s: %s.",
		len(m.Uncited), first, strings.Join(parts, " "))
}

func (m Material) countDates(out *strings.Builder) {
	years, undated := map[string]int{}, 0
	for _, s := range m.Sources {
		if len(s.Published) >= 4 && strings.Trim(s.Published[:4], "0123456789") == "" {
			years[s.Published[:4]]++
		} else {
			undated++
		}
	}
	if len(years) == 0 {
		return
	}
	var parts []string
	for _, year := range slices.Backward(slices.Sorted(maps.Keys(years))) {
		parts = append(parts, fmt.Sprintf("%s: %d", year, years[year]))
	}
	fmt.Fprintf(out, "\nSources by year: %s; without a date: %d.", strings.Join(parts, ", "), undated)
}
