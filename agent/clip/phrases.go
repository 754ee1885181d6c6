package clip

import (
	"regexp"

	"github.com/daybook-agent/daybook/agent/prose"
)

// phrase is what clip writes of its own, in English and in Chinese. One with %s is a format.
type phrase [2]string

// languageSet finds what the system prompt says of a language that was set.
var languageSet = regexp.MustCompile(`Write dashboards, chapters and the report in (Chinese|English), whatever`)

// languageOf is the language that was set, otherwise that of a text, as an index of phrases.
func languageOf(set prose.Language, text string) int {
	return count(prose.LanguageOf(set, text) == prose.Chinese)
}

var (
	sayFile       = phrase{"File: ", "文件："}
	sayPassages   = phrase{"Passages: ", "段落："}
	sayCode       = phrase{"Code, from", "代码，出自"}
	sayComma      = phrase{", ", "、"}
	sayStop       = phrase{".", "。"}
	sayTask       = phrase{"Chapter %d of %d: %s", "第 %d 章，共 %d 章：%s"}
	sayTaskReport = phrase{"The report", "写报告"}
	sayTaskDone   = phrase{"The report is done: `report.md`", "报告已完成：`report.md`"}
	sayNext       = phrase{"Quote into `%s` what answers the question.", "把能回答问题的内容摘录到 `%s`。"}
	sayNextReport = phrase{"Read the chapters back and put the report together in `report.md`.",
		"读回各章，汇成 `report.md`。"}
	sayNextDone = phrase{"Nothing. The research is finished.", "无。研究已结束。"}
	sayGap      = phrase{"- Nothing found about *%s*.", "- 没有找到关于*%s*的内容。"}
	sayNothing  = phrase{"Nothing was found about *%s*.", "没有找到关于*%s*的内容。"}
	sayTheirs   = phrase{"- You edited `report.md`, so it stays as it is. Remove this line to have it written again.",
		"- 您修改过 `report.md`，因此保持原样。删去此行即可重写。"}
	sayUnfinished = phrase{"This report is not finished", "本报告尚未完成"}
	sayBest       = phrase{"What the documents say", "文档怎么说"}
	sayMissing    = phrase{"What was not found", "没有找到的内容"}
	sayNoModel    = phrase{"No language model wrote this: each passage is quoted word for word from the source named behind it, and whether it answers the question was not judged.",
		"本报告没有使用语言模型：每段都逐字摘自其后标明的来源；是否回答了问题，没有评审。"}
	sayNoDocument   = phrase{"No document holds: ", "没有文档提到："}
	sayNoneFound    = phrase{"Nothing was found that answers the question.", "没有找到能回答这个问题的内容。"}
	saySpeaksNot    = phrase{"- No passage in this report speaks of `%s`.", "- 本报告中没有段落谈到`%s`。"}
	saySearched     = phrase{"- Searched for: %s.", "- 查询过：%s。"}
	sayLost         = phrase{"- The chapter *%s* could not be read from `%s`.", "- 章节*%s*无法从 `%s` 读出。"}
	sayCannotUpdate = phrase{"The dashboards do not accept what I have to write into them, so I cannot go on.",
		"仪表板不接受我要写入的内容，无法继续。"}
	sayRefused = phrase{"The report was refused, and I cannot mend what is asked for: %s",
		"报告未获接受，所指出的问题我无法修正：%s"}
	sayUnsearched   = phrase{"Nothing could be searched: %s", "没有一处能够查询：%s"}
	sayCannotFollow = phrase{"The built-in brain cannot follow notes, and nothing was done about this one. It obeys the question, the blueprint and the chapters: change those, or run it with a language model.",
		"没有使用语言模型，不能按备注行事，这一条没有处理。内置程序只看问题、研究蓝图和各章：请直接修改这些，或改用语言模型运行。"}
	sayNotUnderstood = phrase{"I did not understand this request. Without a language model a request must be plain, such as: Read report.md.",
		"没有看懂这个请求。没有语言模型时，请求要简单明确，例如：读取 report.md。"}
	sayByKeywords = phrase{"No model judged the question: whatever the documents say on its keywords is wanted.",
		"没有模型判断这个问题：文档中与其关键词有关的内容都要。"}
	sayWhatTopic = phrase{"What exactly is to be researched?", "请告诉我具体的研究主题是什么？"}
	sayTopic     = phrase{"topic", "主题"}
)
