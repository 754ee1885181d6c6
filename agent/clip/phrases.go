package clip

import (
	"strings"
	"unicode"
)

// phrases are all the words that clip ever writes of its own, in the language of the question. Those with %s are formats.
type phrases struct {
	question, sources, file string // labels in the blueprint and in chapters
	blank                   string // what stands before a label
	asks                    string // the question of a chapter
	join                    string // between queries

	task, taskReport, taskDone, next, nextReport, nextDone, stepReport string
	readSource, chapterDone, chapterEmpty                              string
	gap, nothing, searchedFor, again                                   string

	abstract, conclusion, missing                 string // headings
	noModel, noEvidence, direct, holds, noDirect  string
	missingKeyword, missingChapter, missingFile   string
	nothingMissing, readInVain, reportTitle       string
	cannotUpdate, cannotWrite, refused            string
	unsearched, cannotFollow                      string
	notUnderstood, oneFile, noContent, noFileName string

	byKeywords, whatItIs, whatTopic, topic string // of an intake
}

// phrasesFor picks the language: Chinese when a text has at least as many Chinese characters as other words.
func phrasesFor(text string) phrases {
	han := 0
	for _, r := range text {
		if unicode.Is(unicode.Han, r) {
			han++
		}
	}
	others := 0
	for _, token := range tokens(text) {
		if !isHan(token) {
			others++
		}
	}
	if han > 0 && han >= others {
		return chinese()
	}
	return english()
}

func english() phrases {
	return phrases{
		question: "Question: ", sources: "Sources: ", file: "File: ", blank: " ",
		asks: "What do the documents say about “%s”?",
		join: "; ",

		task:         "Chapter %d of %d: %s",
		taskReport:   "The report",
		taskDone:     "The report is done: `report.md`",
		nextDone:     "Nothing. The research is finished.",
		next:         "Search, read, and quote in `%[2]s` what answers: %[1]s",
		nextReport:   "Read the chapters back and put the report together in `report.md`.",
		stepReport:   "Report: `report.md`",
		readSource:   "- [%s] %s: %d sentences speak of the question.",
		chapterDone:  "- Chapter *%s*: %d quotes, from %s. Read: %s.",
		chapterEmpty: "- Chapter *%s*: nothing to quote. Read: %s.",
		gap:          "- Nothing found about *%s*.",
		again:        "- The chapter *%s* could not be used as it stood in `%s`, and was written again.",
		nothing:      "Nothing was found about *%s*.",
		searchedFor:  "Searched for: %s.",

		abstract: "Abstract", conclusion: "Conclusion", missing: "What was not found",
		noModel: "No language model was used to put this report together: what stands in quotation marks is quoted to the letter from the source " +
			"named after it, and nothing was added.",
		noEvidence:     "Nothing was found that answers the question.",
		direct:         "Of the chapters, *%s* bears most directly on the question.",
		holds:          "- *%s*: quotes from %s.",
		noDirect:       "No quote bears on the question itself.",
		missingKeyword: "- No quote in this report speaks of `%s`.",
		missingChapter: "- Nothing to quote was found for the chapter *%s*.",
		missingFile:    "- The chapter *%s* could not be read from `%s`.",
		nothingMissing: "- Each keyword of the question stands in a quote; whether the quotes answer it in full was not judged.",
		readInVain:     "Read without finding it: %s.",
		reportTitle:    "Report",

		cannotUpdate: "The dashboards do not accept what I have to write into them, so I cannot go on.",
		cannotWrite:  "I cannot write %s: %s",
		refused:      "The report was refused, and I cannot mend what is asked for: %s",
		unsearched:   "Nothing could be searched: %s",
		cannotFollow: "The built-in brain cannot follow notes, and nothing was done about this one. It obeys the question, the blueprint and the chapters: " +
			"change those, or run it with a language model.",
		notUnderstood: "I did not understand this request. I can read, write, append to, insert into, create, list, search and delete; say one of them and the path of one file.",
		oneFile:       "I take one file at a time, and this request names several.",
		noContent:     "There is no content to write: give it with the request, or in quotation marks.",
		noFileName:    "This request names no file.",

		byKeywords: "No model judged the question: whatever the documents say on its keywords is wanted.",
		whatItIs:   "What %s is",
		whatTopic:  "What exactly is to be researched?",
		topic:      "topic",
	}
}

func chinese() phrases {
	return phrases{
		question: "问题：", sources: "来源：", file: "文件：",
		asks: "文档怎样谈“%s”？",
		join: "；",

		task:         "第 %d 章，共 %d 章：%s",
		taskReport:   "写报告",
		taskDone:     "报告已完成：`report.md`",
		nextDone:     "无。研究已结束。",
		next:         "查找、阅读，把能回答下面问题的内容摘录到 `%[2]s`：%[1]s",
		nextReport:   "读回各章，汇成 `report.md`。",
		stepReport:   "报告：`report.md`",
		readSource:   "- [%s] %s：有 %d 句谈到这个问题。",
		chapterDone:  "- 章节*%s*：摘录 %d 句，出自 %s。读过：%s。",
		chapterEmpty: "- 章节*%s*：没有可摘录的内容。读过：%s。",
		gap:          "- 没有找到关于*%s*的内容。",
		again:        "- 章节*%s*在 `%s` 中无法使用，已重写。",
		nothing:      "没有找到关于*%s*的内容。",
		searchedFor:  "查询过：%s。",

		abstract: "摘要", conclusion: "结论", missing: "没有找到的内容",
		noModel:        "本报告没有使用语言模型：引号中的文字逐字摘自其后标明的来源，没有添加任何内容。",
		noEvidence:     "没有找到能回答这个问题的内容。",
		direct:         "各章之中，*%s*与问题关系最直接。",
		holds:          "- *%s*：摘录出自 %s。",
		noDirect:       "没有直接谈到这个问题的摘录。",
		missingKeyword: "- 本报告中没有摘录谈到`%s`。",
		missingChapter: "- 章节*%s*没有找到可摘录的内容。",
		missingFile:    "- 章节*%s*无法从 `%s` 读出。",
		nothingMissing: "- 问题中的每个关键词都有摘录谈到；摘录是否完整回答了问题，没有判断。",
		readInVain:     "读过而没有找到：%s。",
		reportTitle:    "报告",

		cannotUpdate:  "仪表板不接受我要写入的内容，无法继续。",
		cannotWrite:   "无法写入 %s：%s",
		refused:       "报告未获接受，所指出的问题我无法修正：%s",
		unsearched:    "没有一处能够查询：%s",
		cannotFollow:  "没有使用语言模型，不能按备注行事，这一条没有处理。内置程序只看问题、研究蓝图和各章：请直接修改这些，或改用语言模型运行。",
		notUnderstood: "没有看懂这个请求。可以读取、写入、追加、插入、新建、列出、搜索和删除；请说明其中一项和一个文件的路径。",
		oneFile:       "一次只能处理一个文件，这个请求提到了几个。",
		noContent:     "没有可写入的内容：请随请求给出，或写在引号里。",
		noFileName:    "这个请求没有提到文件。",

		byKeywords: "没有模型判断这个问题：文档中与其关键词有关的内容都要。",
		whatItIs:   "%s是什么",
		whatTopic:  "请告诉我具体的研究主题是什么？",
		topic:      "主题",
	}
}

// ids writes source ids as citations: [s1], [s4].
func ids(of []string) string {
	var cited []string
	for _, id := range of {
		cited = appendNew(cited, "["+id+"]")
	}
	return strings.Join(cited, ", ")
}
