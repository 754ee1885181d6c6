package prose_test

import (
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/stretchr/testify/assert"
)

func TestALongTextIsQuotedInWholeSentencesOrClauses(t *testing.T) {
	sentence := strings.Repeat("one word ", 20)
	assert.Equal(t, []string{sentence + "ends.", sentence + "ends."},
		prose.Quotes(sentence+"ends. "+sentence+"ends.", 250))
	assert.Equal(t, []string{sentence + "ends,", sentence + "ends."},
		prose.Quotes(sentence+"ends, "+sentence+"ends.", 250), "no word of the second clause")
	const marks = "So “so”, he said, \"is it\", 3.5\" wide, „ja“. 在 OA「VPN『申请』」提交，«oui»。"
	assert.Equal(t, []string{marks}, prose.Quotes(marks, 250), "marks stay to the letter")
	for text, want := range map[string]string{
		"“软”限制可以被超越，`“x”`除外。":       "‘软’限制可以被超越，`“x”`除外。",
		"If Move is on “Selection”": "If Move is on ‘Selection’",
		"**“dash -n”** checks it":   "**‘dash -n’** checks it",
		"“Ja” heißt „yes“":          "“Ja” heißt „yes“",
		"It is “on” or “off”.":      "It is “on” or “off”.",
	} {
		assert.Equal(t, []string{want}, prose.Quotes(text, 250), "no mark is doubled")
	}
	assert.Equal(t, []string{"逻辑 NOT\" 先于 “AND”。"}, prose.Quotes("”逻辑 NOT\" 先于 “AND”。", 250),
		"none ends the quote where it begins")
}

// A Chinese question may name a command that is an English word.
func TestAChineseQuestionIsNotEnglish(t *testing.T) {
	assert.False(t, prose.IsEnglish("find 命令怎么按修改时间查找文件？", 5))
	assert.True(t, prose.IsEnglish("How do I find the files of 北京?", 5))
	names := prose.Keywords("怎么用 find 删除 7 天前的文件？ＳＯＲＴ 呢")
	assert.Equal(t, "find", names[0].Text, "%v", names)
	assert.Contains(t, prose.Joined(names), "SORT")
}

func TestAHeadingMayAskWhatAQuestionAsks(t *testing.T) {
	const asked = prose.Question("How do we run a retrospective?")
	assert.True(t, asked.Restates("How to run retrospectives?"))
	assert.False(t, asked.Restates("Why run retrospectives?"))
	assert.False(t, asked.Restates("How to run a server"))
	const long = prose.Question("How do I configure Apache so that it limits the size of a request?")
	assert.True(t, long.Restates("3.2. How do I limit the size of a request?"))
	assert.False(t, long.Restates("How to configure Apache"))
	const why = prose.Question("Why do I have to write self everywhere in methods?")
	assert.True(t, why.Restates("Why must ‘self’ be used explicitly in method definitions and calls?"))
	assert.False(t, why.Restates("Why are method calls slow?"))
	assert.True(t, prose.Question("怎么备份数据库？").Restates("怎么备份数据库"))
}

func TestQuestionsAreDivided(t *testing.T) {
	for question, want := range map[string]int{
		"How does it stream, and does it need a key?":    2,
		"After how many days is it sent, and who pays?":  2,
		"橱柜台面有多厚，每延米多少钱？":                                2,
		"How do I log the time, in microseconds?":        1,
		"How are the pages of a book and a letter sent?": 1,
		"断电以后，怎样恢复？":                                     1,
	} {
		assert.Len(t, prose.Question(question).Parts(), want, question)
	}
}

func TestAQuestionIsAnsweredByWhatItAsksFor(t *testing.T) {
	for question, texts := range map[string]struct{ fit, unfit string }{
		"How many retries are there?": {"The default is 10.", "See utf8 and sha256"},
		"How much did the roof cost?": {"The roof: £1,200", "The roof has 12 beams"},
		"When is the next meeting?":   {"The meeting is on Friday", "The meeting has 12 members"},
		"How long is it kept?":        {"At most 50MB of it", "The default is none."},
		"押金是多少？":                      {"每月二十五号以前", "一起去"},
		"春笋卖多少钱一台":                    {"零售价定为259元", "春笋坏了3次"},
		"保修期是多长":                      {"整机保修一年", "在保修期内免费更换"},
		"平时几点上班":                      {"上午10:00至下午16:00", "每人补贴20元"},
		"谁主持例会":                       {"主持：林晓雯", "例会每周一次"},
	} {
		assert.True(t, prose.Question(question).Fits(texts.fit), question)
		assert.False(t, prose.Question(question).Fits(texts.unfit), question)
	}
	assert.False(t, prose.Question("How do I stop it?").Fits("At most 50MB of it"))
}

func TestNamesAndEverydayWords(t *testing.T) {
	question := "Which port does Kotlin use on IPv6 with json.loads?"
	for _, name := range []string{"Kotlin", "IPv6", "json.loads"} {
		assert.True(t, prose.Question(question).IsName(name), name)
	}
	assert.False(t, prose.Question(question).IsName("Which"))
	assert.False(t, prose.Question(question).IsName("port"))
	for word, want := range map[string]bool{"small": true, "smaller": true, "forgotten": true, "加入": true,
		"port": false, "Small": false} {
		assert.Equal(t, want, prose.Keyword{Text: word}.IsEveryday(), word)
	}
}

// A stop behind "no." ends no sentence.
func TestAQuoteIsNotCutAtAnAbbreviation(t *testing.T) {
	const text = "Set up the Segger probe no. 4, then build the release. Meet Ada."
	assert.Equal(t, []string{"Set up the Segger probe no. 4, then build the release. ", "Meet Ada."},
		prose.Sentences(text))
	assert.Equal(t, []string{"Set up the Segger probe no. 4,", "then build the release. Meet Ada."},
		prose.Quotes(text, 36))
}

// What differs in a figure does not say the same.
func TestTextsThatDifferInAFigureAreNotAlike(t *testing.T) {
	terms := func(text string) map[string]int { return prose.Tally(1, prose.Terms(text)) }
	limit := terms("The limit of people on the pontoon is 12.")
	assert.False(t, prose.Alike(limit, terms("The limit of people on the pontoon is 8.")))
	assert.True(t, prose.Alike(limit, terms("The limit of people on the pontoon in all weathers is 12.")))
}

// May is a month beside a number or behind "in"; what only ends a run of Chinese is none of its word.
func TestWhatIsAWordOfAQuestion(t *testing.T) {
	for question, want := range map[string]string{
		"Whose birthday is on 5 May?": "birthday 5 May", "What happened in May?": "May",
		"May I take a dog?": "dog", "What may I take?": "",
		"码头浮筒上最多能站几个人？": "码头浮筒 最多",
		"吴倩的日语考试过了没有":   "吴倩 日语考试", "这条路经过我家吗": "条路经过",
		"其他家属能报销吗": "其他家属 报销", "我家猫能吃鱼吗": "吃鱼", "冬至放几天假": "冬至放",
	} {
		assert.Equal(t, want, prose.Joined(prose.Keywords(question)), question)
	}
}

func TestALineBreakOfMarkdownIsNoBackslash(t *testing.T) {
	for text, want := range map[string]string{
		"$ git split \\\n\t--prefix=web": "$ git split --prefix=web",
		"a \\\\\nb":                      "a \\\\ b", "a\\ b": "a\\ b", "\\\nb": "b",
	} {
		assert.Equal(t, want, prose.Unwrapped(text))
	}
}
