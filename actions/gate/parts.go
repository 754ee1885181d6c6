package gate

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// parts requires what the profile asks for in addition to named sections: one section for each chapter of the
// blueprint, and a conclusion. A section without words does not count.
func (p Profile) parts(_ context.Context, r Report) string {
	d, _ := r.document() // the gate form refuses a report that cannot be read
	var faults []string
	if p.Chapters {
		faults = d.unplanned(r.Blueprint)
	}
	concludes := func(s section) bool { return s.level > 1 && s.isConclusion() && prose.Count(d.text(s)) > 0 }
	if p.Conclusion && !slices.ContainsFunc(d.sections, concludes) {
		title := "Conclusion and outlook"
		if prose.IsChinese(r.Text) {
			title = "结论与展望"
		}
		faults = append(faults, fmt.Sprintf("there is no conclusion: add the section \"## %s\", "+
			"what follows from it all and what is still open", title))
	}
	return strings.TrimSuffix(list(faults, fmt.Sprintf("%s lacks parts that the profile %s asks for:", r.File,
		p.Name)), "\n")
}

// conclusionNames matches titles of conclusions, in the languages that the gates distinguish.
var conclusionNames = regexp.MustCompile(`(?i)conclu[ds]|outlook|take-?away|bottom line|looking ahead|` +
	`next steps|(?:final|closing) (?:remarks|thoughts|words)|what (?:comes|is) next|open questions|` +
	`what (?:is|stays|remains) (?:still )?(?:uncertain|open|unknown|unclear|to be)|what would change|` +
	`(?:仍|尚)不确定|尚待|仍待|` +
	`结论|結論|展望|总结|總結|小结|結語|结语|结束语|未来|まとめ|おわりに|결론|전망|заключ|вывод|` +
	`итог|خاتمة|الخلاصة|` + `fazit|(?:^|\s)schluss|ausblick|perspe[ck]tiv|prospettiv|vooruitblik|` +
	`slotsom|^[\d.\s]*(?:recommendations?|verdict|建议)$`)

// isConclusion reports whether a section is the conclusion.
func (s section) isConclusion() bool { return conclusionNames.MatchString(plainTitle(s.title)) }

// mostPlanned bounds how many chapters of a blueprint are checked.
const mostPlanned = 100

// unplanned lists chapters without a section. Sections of no chapter may stand in for them: titles change.
func (d document) unplanned(blueprint string) []string {
	if prose.Count(remark.ReplaceAllString(blueprint, "")) == 0 {
		return []string{fmt.Sprintf("the blueprint in %s is empty: write into it the chapters that "+
			"the question needs, see that each is answered, and give each a section (##)",
			workspace.OverallFile)}
	}
	var written []section
	for _, s := range d.sections {
		if s.level > 1 && prose.Count(d.text(s)) > 0 {
			s.title = plainTitle(s.title)
			written = append(written, s)
		}
	}
	var missing []string
	taken := map[int]bool{}
	for _, chapter := range planned(blueprint) {
		found := false
		for i, s := range written {
			if isAbout(chapter, s.title) {
				found, taken[i] = true, true
			}
		}
		if !found {
			missing = append(missing, "“"+prose.Shorten(chapter, mostShown)+"”")
		}
	}
	left := len(missing)
	for i, s := range written {
		if s.level == 2 && !taken[i] && !s.isAbstract() && !s.isConclusion() {
			left--
		}
	}
	if left <= 0 {
		return nil
	}
	return []string{fmt.Sprintf("%d of these chapters of the blueprint have no section (##): %s. "+
		"Write it, or take the chapter off the blueprint and say why under decisions", left,
		strings.Join(missing[:min(len(missing), maxFaults)], ", "))}
}

// Disorder says where the sections depart from the order of the blueprint's chapters; "" for nowhere.
func (r Report) Disorder() string {
	d, _ := r.document()
	chapters := planned(r.Blueprint)
	last, before := -1, ""
	for _, s := range d.sections {
		title, of := plainTitle(s.title), -1
		for i, chapter := range chapters {
			if s.level == 2 && isAbout(chapter, title) {
				of = i
			}
		}
		if of >= 0 && of < last {
			return fmt.Sprintf("the section “%s” comes behind “%s”, and before it on the blueprint: keep "+
				"one order, from the general to the particular, in both", title, before)
		}
		if of >= 0 {
			last, before = of, title
		}
	}
	return ""
}

// leastRecurring is in how many sections a head must occur to be recurring.
const leastRecurring = 3

// lead matches the start of a paragraph or item: in bold, or capitalized before a colon.
var lead = regexp.MustCompile(`(?m)^(?:[-*+] |\d+[.)] )?(?:\*\*([^*\n]{2,60}?)[.:。：]?\*\*|(\p{Lu}\pL+(?: \pL+){0,4}|\p{Han}{2,10})[:：])`)

// ownMark matches the mark of an author's own conclusion, which is no head.
var ownMark = regexp.MustCompile(`(?i)^(?:inference|own knowledge|my (?:choice|advice)|推论|推断|建议)$`)

// Recurring returns the lower headings and such beginnings that occur in three or more sections, except marks
// of conclusions and things that the question itself names.
func (r Report) Recurring() (heads []string) {
	d, _ := r.document()
	count := map[string]int{}
	for i, s := range d.sections {
		if s.level != 2 {
			continue
		}
		here := map[string]bool{}
		for _, below := range d.sections[i+1:] {
			if below.level <= 2 {
				break
			}
			here[fold(sectionNumber.ReplaceAllString(plainTitle(below.title), ""))] = true
		}
		for _, m := range lead.FindAllStringSubmatch(d.text(s), -1) {
			here[fold(m[1]+m[2])] = true
		}
		for head := range here {
			if ownMark.MatchString(head) || strings.Contains(fold(r.Question), head) {
				continue
			}
			if count[head]++; count[head] == leastRecurring {
				heads = append(heads, head)
			}
		}
	}
	slices.Sort(heads)
	return heads
}

// plannedForms are the forms of a chapter in a blueprint; the first form in use counts.
var plannedForms = []*regexp.Regexp{
	regexp.MustCompile(`(?m)^(?:[-*+]|\d+[.)、])\s*\[[ xX]\]\s+(.+)$`),
	regexp.MustCompile(`(?m)^#{3,6}\s+(.+)$`),
	regexp.MustCompile(`(?m)^(?:[-*+]\s|\d+[.)、])\s*(.+)$`),
}

// plannedTitle matches the title in a chapter's line: in bold, or before a dash, a colon or a full stop.
var plannedTitle = regexp.MustCompile(`^\s*(?:\*\*(.+?)\*\*|(.+?)(?:\s[—–-]|—|[:：。]|\.\s|$))`)

// planned returns the titles of a blueprint's chapters, without struck ones and the list of references.
func planned(blueprint string) (titles []string) {
	blueprint = remark.ReplaceAllString(blueprint, "")
	for _, form := range plannedForms {
		for _, m := range form.FindAllStringSubmatch(blueprint, -1) {
			title := plannedTitle.FindStringSubmatch(m[1])
			isStruck := strings.HasPrefix(strings.TrimSpace(m[1]), "~~")
			if title == nil || isStruck || referencesName.MatchString(m[1]) {
				continue
			}
			if name := strings.TrimSpace(title[1] + title[2]); prose.Count(name) > 0 {
				titles = append(titles, name)
			}
		}
		if len(titles) > 0 {
			return titles[:min(len(titles), mostPlanned)]
		}
	}
	return nil
}

var referencesName = regexp.MustCompile(`(?i)^[*\d.\s]*(?:references|bibliography|sources|参考文献|参考资料)`)

// isAbout reports whether a heading names a planned chapter, by a name or a number such as 4.1.
func isAbout(chapter, heading string) bool {
	number := sectionNumber.FindStringSubmatch(chapter + " ")
	other := sectionNumber.FindStringSubmatch(heading + " ")
	if number != nil && other != nil && number[1] == other[1] && strings.Contains(number[1], ".") {
		return true
	}
	shown := spaced(heading)
	return slices.ContainsFunc(strings.Split(chapter, " / "), func(name string) bool {
		name = spaced(name)
		return len(name) > 2 && len(shown) > 2 &&
			(strings.Contains(shown, name) || strings.Contains(name, shown))
	})
}

// spaced returns a title's words without its number, with a blank around each.
func spaced(title string) string {
	return " " + strings.Join(prose.Words(sectionNumber.ReplaceAllString(title, "")), " ") + " "
}
