package clip

import (
	"regexp"

	"github.com/daybook-agent/daybook/agent/prose"
)

// phrases are all the words that clip writes of its own, in the language of the question. Those with %s are
// formats.
type phrases struct {
	file, passages, queries string // labels in the blueprint
	asks, code              string
	comma, stop             string

	task, taskReport, taskDone, next, nextReport, nextDone, stepReport string
	chapterDone, gap, nothing, again                                   string
	theirs, unfinished                                                 string

	// of the report
	summary, missing, noModel, noDocument, noneFound, speaksNot, searched, lost              string
	reportTitle, cannotUpdate, cannotWrite, refused, unsearched, cannotFollow, notUnderstood string
	// of an intake
	byKeywords, whatItIs, whatTopic, topic string
}

// languageSet finds what the system prompt says of a language that was set.
var languageSet = regexp.MustCompile(`Write dashboards, chapters and the report in (Chinese|English), whatever`)

// phrasesFor picks the language: the one that was set, otherwise that of the question.
func phrasesFor(set prose.Language, question string) phrases {
	if prose.LanguageOf(set, question) == prose.Chinese {
		return chinese()
	}
	return english()
}

func english() phrases {
	return phrases{
		file: "File: ", passages: "Passages: ", queries: "Queries: ",
		asks: "What does it say?", code: "Code, from", comma: ", ", stop: ".",

		task: "Chapter %d of %d: %s", taskReport: "The report", taskDone: "The report is done: `report.md`",
		next: "Quote into `%s` what answers the question.", nextReport: "Read the chapters back and put the report together in `report.md`.",
		nextDone: "Nothing. The research is finished.", stepReport: "Report: `report.md`",
		chapterDone: "- Chapter *%s*: %d passages, from %s.", gap: "- Nothing found about *%s*.", nothing: "Nothing was found about *%s*.",
		again:  "- The chapter *%s* could not be used as it stood in `%s`, and was written again.",
		theirs: "- You edited `report.md`, so it stays as it is. Remove this line to have it written again.", unfinished: "This report is not finished",

		summary: "What the documents say", missing: "What was not found",
		noModel:    "No language model wrote this: each passage is quoted word for word from the source named behind it, and whether it answers the question was not judged.",
		noDocument: "No document holds: ", noneFound: "Nothing was found that answers the question.",
		speaksNot: "- No passage in this report speaks of `%s`.",
		searched:  "- Searched for: %s.", lost: "- The chapter *%s* could not be read from `%s`.",

		reportTitle: "Report", cannotUpdate: "The dashboards do not accept what I have to write into them, so I cannot go on.",
		cannotWrite: "I cannot write %s: %s", refused: "The report was refused, and I cannot mend what is asked for: %s",
		unsearched: "Nothing could be searched: %s",
		cannotFollow: "The built-in brain cannot follow notes, and nothing was done about this one. It obeys the question, the blueprint and the chapters: " +
			"change those, or run it with a language model.",

		notUnderstood: "I did not understand this request. Without a language model a request must be plain, such as: Read report.md.",

		byKeywords: "No model judged the question: whatever the documents say on its keywords is wanted.",
		whatItIs:   "What %s is", whatTopic: "What exactly is to be researched?", topic: "topic",
	}
}

func chinese() phrases {
	return phrases{
		file: "文件：", passages: "段落：", queries: "检索词：",
		asks: "其中怎么说？", code: "代码，出自", comma: "、", stop: "。",

		task: "第 %d 章，共 %d 章：%s", taskReport: "写报告", taskDone: "报告已完成：`report.md`",
		next: "把能回答问题的内容摘录到 `%s`。", nextReport: "读回各章，汇成 `report.md`。",
		nextDone: "无。研究已结束。", stepReport: "报告：`report.md`",
		chapterDone: "- 章节*%s*：摘录 %d 段，出自 %s。", gap: "- 没有找到关于*%s*的内容。", nothing: "没有找到关于*%s*的内容。",
		again:  "- 章节*%s*在 `%s` 中无法使用，已重写。",
		theirs: "- 您修改过 `report.md`，因此保持原样。删去此行即可重写。", unfinished: "本报告尚未完成",

		summary: "文档怎么说", missing: "没有找到的内容",
		noModel:    "本报告没有使用语言模型：每段都逐字摘自其后标明的来源；是否回答了问题，没有评审。",
		noDocument: "没有文档提到：", noneFound: "没有找到能回答这个问题的内容。",
		speaksNot: "- 本报告中没有段落谈到`%s`。",
		searched:  "- 查询过：%s。", lost: "- 章节*%s*无法从 `%s` 读出。",

		reportTitle: "报告", cannotUpdate: "仪表板不接受我要写入的内容，无法继续。",
		cannotWrite: "无法写入 %s：%s", refused: "报告未获接受，所指出的问题我无法修正：%s",
		unsearched:   "没有一处能够查询：%s",
		cannotFollow: "没有使用语言模型，不能按备注行事，这一条没有处理。内置程序只看问题、研究蓝图和各章：请直接修改这些，或改用语言模型运行。",

		notUnderstood: "没有看懂这个请求。没有语言模型时，请求要简单明确，例如：读取 report.md。",

		byKeywords: "没有模型判断这个问题：文档中与其关键词有关的内容都要。",
		whatItIs:   "%s是什么", whatTopic: "请告诉我具体的研究主题是什么？", topic: "主题",
	}
}
