package prose_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/stretchr/testify/assert"
)

// A very wide table is shown with the columns that name a row, those that the question asks for, and the
// first others. The first part of a row that goes on in another block is read below the first columns.
func TestAWideTableIsNarrowed(t *testing.T) {
	head, row, few, cut := "| name | code |", "| Mongolia | MN |", "| name | code |", "| Mongolia | MN |"
	for n := range 30 {
		head, row = head+fmt.Sprintf(" column%d |", n), row+fmt.Sprintf(" cell%d |", n)
		if n < 9 {
			few, cut = few+fmt.Sprintf(" column%d |", n), cut+fmt.Sprintf(" cell%d |", n)
		}
	}
	const q = prose.Question("What is the capital of Mongolia?")
	names, cells := q.Narrow(head+" capital |", row+` Ulan \| Bator |`)
	assert.Equal(t, few+" capital |", names)
	assert.Equal(t, cut+` Ulan \| Bator |`, cells)
	names, cells = q.Narrow(strings.Replace(head, "column12", "capital", 1)+" further | more |", row)
	assert.Equal(t, few+" capital |", names)
	assert.Equal(t, cut+" cell12 |", cells)
	for _, same := range [][2]string{{"| a | b |", "| 1 | 2 |"}, {"", "No row."},
		{head, row + " one too many |"}} {
		names, cells = q.Narrow(same[0], same[1])
		assert.Equal(t, same, [2]string{names, cells})
	}
}

// A word is looked for to the letter, whatever signs it holds.
func TestPartsOfAWord(t *testing.T) {
	for word, text := range map[string]string{
		"c++标准": "C 的标准", "a(b数据": "这些数据", "sql": "SQLite", "摄像头": "摄像机",
	} {
		assert.True(t, prose.PartOf(word).MatchString(text), word)
	}
	assert.False(t, prose.PartOf("conda").MatchString("secondary"))
}

// A price may have its currency in the head, and a date its month as a number; a figure says how cool
// something is.
func TestFormsOfFigures(t *testing.T) {
	for question, text := range map[string]string{
		"How much does an insurance cost?":      "| State | Premium ($) |\n| Ohio | 697 |",
		"When did the secretary leave?":         "| Mattis | 12/31/18 |",
		"How cool has the tea to be?":           "Let it stand until it is below 40 degrees.",
		"How thick may the wall of a pipe be?":  "at most 4 mm",
		"公司应该付我多少钱？":                            "按日工资收入的300%支付",
		"付款后几天发货？":                              "三天内发出",
		"Why is a file opened with newline=''?": "If it is not specified, an extra return is written.",
		"Which version of Go do I need?":        "Go 1.20 or above",
	} {
		assert.True(t, prose.Question(question).Fits(text), question)
		assert.False(t, prose.Question(question).Fits("nothing of the kind"), "the control")
	}
}

func TestOneAndManyAreOneWord(t *testing.T) {
	for many, one := range map[string]string{"holidays": "holiday", "displays": "display", "cities": "city",
		"keys": "key", "arrays": "array", "delayed": "delay", "carries": "carry"} {
		assert.Equal(t, prose.Stem(one), prose.Stem(many), many)
	}
	assert.NotEqual(t, prose.Stem("day"), prose.Stem("data"), "the control")
}

func TestComparedAdjectivesAreOneWord(t *testing.T) {
	for word, base := range map[string]string{"quicker": "quick", "biggest": "big", "easier": "easy"} {
		assert.Equal(t, prose.Stem(base), prose.Stem(word), word)
	}
	assert.NotEqual(t, prose.Stem("fasten"), prose.Stem("fast"), "the control")
}

func TestTheNamesOfADottedName(t *testing.T) {
	var parts []string
	for _, k := range prose.Keywords("json.dumps writes 3.11 files")[0].Parts() {
		parts = append(parts, k.Text)
	}
	assert.Equal(t, []string{"json", "dumps"}, parts)
	assert.Empty(t, prose.Keywords("3.11")[0].Parts())
}

// Who asks for a difference asks what each of the two is.
func TestADifferenceIsOfTwoThings(t *testing.T) {
	for _, c := range [][2]string{
		{"What is the difference between pg_dump and psql?", "what is pg_dump, what is psql"},
		{"difference between a list and a tuple", "what is a list, what is a tuple"},
		{"增量备份和完整备份有什么区别？", "什么是增量备份, 什么是完整备份"},
		{"请问 TCP 和 UDP 的区别", "什么是TCP, 什么是UDP"},
		{"What differences between years are there?", "What differences between years are there"},
		{"the differences between old and new plans?", ""},
		{"How do I install it, and what is the difference between Lite and Pro?",
			"How do I install it, what is the difference between Lite and Pro"},
	} {
		assert.Equal(t, c[1], strings.Join(prose.Question(c[0]).Parts(), ", "), c[0])
	}
}

// 和 joins nothing where a run of Chinese begins with it.
func TestAJoiningCharacterMayBeginAName(t *testing.T) {
	for question, want := range map[string]string{
		"和面机的皮带坏了": "和面机 皮带坏", "和田玉在哪里买？": "和田玉",
		"和去年比涨了多少": "比涨", "苹果树和梨树": "苹果树 梨树",
	} {
		assert.Equal(t, want, prose.Joined(prose.Keywords(question)), question)
	}
}

// A name with hyphens is one word, however others write it; the clause of a law is no name.
func TestNamesWithHyphensAndBrackets(t *testing.T) {
	for name, text := range map[string]string{
		"MTA-STS": "an MTA-STS policy", "END-TO-END": "uses end-to-end encryption",
		"ALPN-01": "the challenge TLS-ALPN-01", "401(k)": "a 401(k) plan", `\u00e9`: "",
	} {
		keys := prose.Keywords("Does it have " + name + " at all?")
		has := func(k prose.Keyword) bool { return k.In(prose.Tally(1, prose.Terms(text))) }
		assert.Equal(t, text != "", slices.ContainsFunc(keys, has), name)
	}
	assert.False(t, prose.Keywords("MTA-STS")[0].In(prose.Tally(1, prose.Terms("the MTA alone"))), "control")
	asked := "How many digits, i.e. what is the default?"
	assert.Equal(t, "digits default", prose.Joined(prose.Keywords(asked)))
	assert.NotContains(t, prose.Tokens("Under Article 6(a) the controller"), "6a")
	assert.NotContains(t, prose.Joined(prose.Keywords("é comes out as \\u00e9")), "u00e9")
}

// A paragraph's label may answer the very question.
func TestALabelFitsTheQuestion(t *testing.T) {
	for question, texts := range map[string][2]string{
		"When does the choir travel?":          {"**Dates**: were 10 to 15 July", "**Travel**: by coach"},
		"How much is the tour?":                {"Price: £640 a head", "Pricey: it was"},
		"Where do we meet?":                    {"Meeting point: the car park", "We meet where: see below"},
		"合唱团什么时候出发？":                           {"时间：7月23日", "行程：大巴"},
		"Who looks after the boiler?":          {"Contact: Ned Harrow", "The contact is: Ned"},
		"Why was the rule about dogs written?": {"*Reason*: a bite in 2019", "No reason: none"},
	} {
		assert.True(t, prose.Question(question).IsLabelled(texts[0]), question)
		assert.False(t, prose.Question(question).IsLabelled(texts[1]), question)
	}
	assert.False(t, prose.Question("Is there a rule about dogs?").IsLabelled("Reason: a bite"))
}

// What stands between quotation marks is looked for as it is.
func TestAQuotedPhraseIsLookedForAsItIs(t *testing.T) {
	q := prose.Question(`turn off "Did you mean  this?" and “one”`)
	assert.Equal(t, []string{"did you mean this"}, q.PhrasesIn("Error\nDid you mean\nthis?\n"))
	assert.Empty(t, q.PhrasesIn("What did you mean?"))
	assert.Equal(t, `disable "did you mean this"`, prose.Joined(append(prose.Keywords("disable"), q.Phrases()...)))
	assert.Empty(t, prose.Question("5\" or 6\" pipes").Phrases())
}

// The figures of a call in a question are an example.
func TestTheFiguresOfACallAreAnExample(t *testing.T) {
	assert.Equal(t, "round return 2", prose.Joined(prose.Keywords("Why does round(2.5) return 2?")))
	assert.Contains(t, prose.Joined(prose.Keywords("What changed in version 2.5?")), "2.5")
	assert.NotContains(t, prose.Joined(prose.Keywords("现在年假几天啊")), "现在", "no word to look for")
}
