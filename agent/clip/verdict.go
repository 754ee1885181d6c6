package clip

import (
	"fmt"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent"
)

// mostGaps is how many gaps or objections the rules name at once.
const mostGaps = 5

// assess plays the evaluator: it counts, and says that it did no more.
func assess(talk *agent.Conversation) agent.Reply {
	e := readExhibits(talk)
	c, say := e.count(), verdictsFor(e.question)
	gaps := c.gaps(e.question, say)
	var directions []string
	if subjects := c.subjects(e.question); len(subjects) > 0 {
		directions = append(directions, fmt.Sprintf(say.searchFor, strings.Join(subjects[:min(mostGaps, len(subjects))], say.join)))
	}
	if c.origins == 1 {
		directions = append(directions, say.secondSource)
	}
	mark := func(score float64, reason string, values ...any) arguments {
		return arguments{"score": score, "reason": say.byRule + fmt.Sprintf(reason, values...)}
	}
	rich := 0
	for _, n := range c.lengths {
		if n > 1 {
			rich++
		}
	}
	return ask(call("assess", arguments{
		"completeness":  mark(c.completeness(), say.completeness, len(c.words)-len(c.unsaid), len(c.words), len(c.lengths)-len(c.missing), len(c.lengths)),
		"depth":         mark(c.depth(), say.depth, len(c.quotes), max(1, len(c.lengths))),
		"reliability":   mark(c.reliability(), say.reliability, c.origins),
		"actionability": mark(c.actionability(), say.actionability, c.ahead, len(c.words)),
		"coverage":      c.coverage(rich),
		"diversity":     c.reliability(),
		"consistency":   5,
		"freshness":     c.freshness(e.today),
		"gaps":          append([]string{}, gaps...),
		"directions":    append([]string{}, directions...),
		"analysis":      say.analysis,
	}))
}

// subjects are what is lacking: chapters first, then words, then what the report itself lists.
func (c counted) subjects(question string) []string {
	var subjects []string
	for _, subject := range slices.Concat(c.missing, c.unsaid, c.listed) {
		subjects = appendNew(subjects, subject)
	}
	if len(c.quotes) == 0 && len(subjects) == 0 {
		return []string{question}
	}
	return subjects
}

// gaps names what is lacking as questions. A word alone is nothing to look for, so it comes with the question.
func (c counted) gaps(question string, say verdicts) []string {
	const longestQuestion = 100 // characters
	short := []rune(question)
	short = short[:min(longestQuestion, len(short))]
	var gaps []string
	for i, subject := range c.subjects(question) {
		switch {
		case i == mostGaps:
			return gaps
		case i < len(c.missing) || subject == question:
			gaps = append(gaps, fmt.Sprintf(say.gap, subject))
		default:
			gaps = append(gaps, fmt.Sprintf(say.gapIn, subject, string(short)))
		}
	}
	return gaps
}

// object plays the harsh evaluator: what can be counted and is lacking, unless it was answered. Rules cannot weigh an answer, so any counts.
func object(talk *agent.Conversation) agent.Reply {
	e := readExhibits(talk)
	c, say := e.count(), verdictsFor(e.question)
	objections := []arguments{}
	raise := func(where, what, remedy string) {
		if len(objections) < mostGaps && !answered(e.answers, what) {
			objections = append(objections, arguments{"where": where, "what": what, "remedy": remedy})
		}
	}
	for _, title := range c.missing {
		raise(title, fmt.Sprintf(say.noChapter, title), fmt.Sprintf(say.addChapter, title))
	}
	for _, word := range c.unsaid {
		raise(say.whole, fmt.Sprintf(say.noWord, word), fmt.Sprintf(say.addWord, word))
	}
	if c.origins == 1 {
		raise(say.whole, say.oneOrigin, say.addOrigin)
	}
	return ask(call("object", arguments{"objections": objections}))
}

// answered says whether an objection stands among those of before with an answer.
func answered(answers, what string) bool {
	for block := range strings.SplitSeq(answers, "\n\n") {
		_, answer, found := strings.Cut(block, "\nAnswer: ")
		if found && strings.Contains(folded(block), folded(what)) && answer != "(none)" {
			return true
		}
	}
	return false
}

// verdicts are the words of a judge without a model, in the language of the question.
type verdicts struct {
	byRule, completeness, depth, reliability, actionability, analysis string
	gap, gapIn, join, searchFor, secondSource                         string
	whole, noChapter, addChapter, noWord, addWord                     string
	oneOrigin, addOrigin                                              string
}

func verdictsFor(question string) verdicts {
	if phrasesFor(question) == chinese() {
		return verdicts{
			byRule:        "按规则计数，没有模型评判：",
			completeness:  "问题的 %[2]d 个关键词中有 %[1]d 个有摘录谈到；%[4]d 章中有 %[3]d 章在报告里有摘录。",
			depth:         "%[2]d 章共有 %[1]d 条摘录。",
			reliability:   "摘录来自 %d 个独立的出处。",
			actionability: "报告开头的摘录谈到问题的 %[2]d 个关键词中的 %[1]d 个。",
			analysis: "没有语言模型评判这份报告：分数只按规则计数得出（关键词、章节、摘录、出处、日期），不说明摘录是否真正回答了问题。一致性没有判断，其中的 5 表示未知；" +
				"没有日期的来源，时效性也记为 5。",
			gap:          "文档怎样谈“%s”？",
			gapIn:        "文档怎样谈“%s”（就“%s”而言）？",
			join:         "、",
			searchFor:    "与问题中的其他词一起重新检索：%s",
			secondSource: "寻找第二个独立的来源，以便互相印证。",
			whole:        "整份报告",
			noChapter:    "章节“%s”不在报告中，或没有一条摘录。",
			addChapter:   "为“%s”查找来源并写入报告，或说明没有找到。",
			noWord:       "没有一条摘录谈到问题中的“%s”。",
			addWord:      "查找谈到“%s”的来源，或说明没有找到。",
			oneOrigin:    "整份报告只依据一个出处。",
			addOrigin:    "用第二个独立的来源核对主要论断，或说明没有找到。",
		}
	}
	return verdicts{
		byRule:        "Counted by rules, no model judged: ",
		completeness:  "quotes speak of %d of %d words of the question; %d of %d chapters stand in the report with a quote.",
		depth:         "%d quotes in %d chapters.",
		reliability:   "the quotes come from %d independent places.",
		actionability: "the quotes at the beginning speak of %d of %d words of the question.",
		analysis: "No language model judged this report: the scores are counted by rules (words of the question, chapters, quotes, places, dates) and do not say whether the quotes really answer " +
			"the question. Consistency was not judged, its 5 stands for unknown; so does a freshness of 5 where no source has a date.",
		gap:          "What do documents say about “%s”?",
		gapIn:        "What do documents say about “%s”, as to “%s”?",
		join:         ", ",
		searchFor:    "Search anew, together with other words of the question, for: %s",
		secondSource: "Look for a second, independent source to compare with.",
		whole:        "whole report",
		noChapter:    "The chapter “%s” is not in the report, or nothing is quoted in it.",
		addChapter:   "Find sources for “%s” and quote them, or say that none was found.",
		noWord:       "No quote speaks of “%s”, which the question asks about.",
		addWord:      "Find a source that speaks of “%s”, or say that none was found.",
		oneOrigin:    "The whole report rests on one place.",
		addOrigin:    "Check the main statements with a second, independent source, or say that none was found.",
	}
}
