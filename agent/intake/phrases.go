package intake

// phrases are all the words that this package writes for a person, in their language.
type phrases struct {
	question, full, purpose, topic, scope, goal, focus, asked, assumptions string // labels
	queries, file                                                          string
	colon, space, join, stop                                               string
	noAnswer                                                               string

	asItStands, assumed string // assumptions
	refused, isItRight  string
	joined              string // a follow-up and the earlier question
	planHead            string
}

// say is the language of the question.
func (s *session) say() phrases { return sayIn(s.chinese) }

func sayIn(chinese bool) phrases {
	if chinese {
		return phrases{
			question: "问题", full: "完整问题", purpose: "目的", topic: "主题", scope: "范围", goal: "目标",
			focus: "重点", asked: "问过的", assumptions: "假设（不对就改）",
			queries: "检索词", file: "文件",
			colon: "：", join: "；", stop: "。",
			noAnswer:   "（不回答，直接开始）",
			asItStands: "问题未能判断，按原话研究。",
			assumed:    "问题按原话理解，来源中与之有关的内容都要。",
			joined:     "%s（%s）",
			refused:    "计划没有被接受。",
			isItRight:  "这个计划对吗？",
			planHead: "# 计划\n\n<!-- 可改、可增、可删，然后保存。每一项是一章的标题，" +
				"下面缩进的是它要回答的问题和检索词（用分号隔开）。 -->\n",
		}
	}
	return phrases{
		question: "Question", full: "In full", purpose: "Purpose", topic: "Topic", scope: "Scope",
		goal: "Goal", focus: "Focus", asked: "Asked", assumptions: "Assumptions (change what is wrong)",
		queries: "Queries", file: "File",
		colon: ":", space: " ", join: "; ", stop: ".",
		noAnswer:   "(start without an answer)",
		asItStands: "The question could not be judged and is researched as it stands.",
		assumed:    "The question is taken as it stands: whatever the sources say on it is wanted.",
		joined:     "%s (%s)",
		refused:    "The plan was not accepted.",
		isItRight:  "Is this plan right?",
		planHead: "# Plan\n\n<!-- Change, add or remove lines, then save. Each item is the title " +
			"of a chapter; indented under it are its question and its queries, with semicolons " +
			"between. -->\n",
	}
}
