package prose_test

import (
	"testing"

	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/stretchr/testify/assert"
)

func TestATextMaySayAWordOtherwise(t *testing.T) {
	const asked = prose.Question("What happens when the server was hacked?")
	terms := func(text string) map[string]int {
		in := map[string]int{}
		for _, term := range prose.Terms(text) {
			in[term]++
		}
		return in
	}
	assert.Equal(t, []string{prose.Stem("hacked")}, asked.Meant(terms("A folder that was compromised")))
	assert.Empty(t, asked.Meant(terms("A folder that was built")))
	assert.Equal(t, []string{"wifi"}, prose.Question("WiFi 密码").Meant(terms("无线网络每月换")))
}

func TestAQueryInOtherWords(t *testing.T) {
	for query, want := range map[string]string{
		"hacked kernel": "hacked compromised intrusion cracked attacked kernel",
		"kernel":        "kernel",
		"礼拜天停车位":        "周日 星期天 星期日 礼拜日 泊车",
	} {
		assert.Equal(t, want, prose.Question(query).Otherwise(query))
	}
}

// A name stands for nothing else, a director is no directory, and a price is not what is cheap.
func TestWhatNoOtherWordIsSaidFor(t *testing.T) {
	const asked = prose.Question("Why did Tobias Rank leave the DB?")
	assert.Equal(t, "Tobias Rank DB database", asked.Otherwise("Tobias Rank DB"), "but an abbreviation does")
	assert.Empty(t, asked.Meant(map[string]int{prose.Stem("sort"): 1}))
	meant := prose.Question("Who set the rank?").Meant(map[string]int{"sort": 1})
	assert.Equal(t, []string{"rank"}, meant, "control")
	assert.Equal(t, "managing director", prose.Question("").Otherwise("managing director"))
	assert.Equal(t, prose.Stem("factory"), prose.Stem("factories"))
	assert.NotEqual(t, prose.Stem("factory"), prose.Stem("factor"))
	assert.NotContains(t, prose.Question("").Otherwise("cost"), "cheap")
	assert.Contains(t, prose.Question("").Otherwise("cheap"), "cost", "control")
}

func TestChineseWordsOfOneMeaningAreOneTerm(t *testing.T) {
	assert.Equal(t, prose.Terms("周日开会"), prose.Terms("礼拜天会议"))
}

func TestAVerbAndItsNounAreOneKeyword(t *testing.T) {
	for question, want := range map[string]string{
		"洗一次牙多少钱？":  "洗牙",
		"拔完牙多久能吃东西": "拔牙",
		"输完液多久能走":   "输液",
		"拔一颗智齿要多久":  "拔智齿",
		"安装完成以后":    "安装完成",
	} {
		assert.Equal(t, want, prose.Keywords(question)[0].Text)
	}
}

// A verb and its particle mean what neither means alone, wherever the particle stands.
func TestAVerbAndItsParticleAreOneWord(t *testing.T) {
	for asked, want := range map[string]string{
		"when he calls off the trip":         "cancel calls off trip",
		"who called the whole trip off":      "cancel called off trip",
		"When did we take back the release?": "revert take back release",
		"keep some room back beforehand":     "reserve keep back room beforehand",
		"What does it fall back to?":         "fallback fall back",
		"the files that my server hands out": "files server distribute hands out",
		"unless I switch it on":              "unless enable switch on",
		"How do I get rid of the logo?":      "remove get rid logo",
		"reads one file and is back home":    "reads file back home",
		"How do I get the results in JSON?":  "results JSON",
		"Can I take my dog on the train?":    "dog train",
		"Does gRPC run over HTTP/2?":         "gRPC run HTTP/2",
		"bring a bicycle up to the coach":    "bring bicycle coach",
		"send a parcel out of Europe":        "send parcel Europe",
		"Do the tests pass on Windows?":      "tests pass Windows",
	} {
		assert.Equal(t, want, prose.Joined(prose.Keywords(asked)), asked)
	}
	const asked = prose.Question("How do I top up my card?")
	of := prose.Tally(1, prose.Terms("You can top up your card at a kiosk."))
	assert.True(t, asked.IsMet(of), "the text has the question's own words")
	assert.Empty(t, asked.Unsaid("You can top up your card."))
	assert.NotContains(t, asked.Unsaid("Cards are sold here."), "refill", "which nobody said")
}

// A word of a layman means that of the documents, and not the other way round.
func TestWordsOfLaymenMeanThoseOfDocuments(t *testing.T) {
	asked := prose.Question("上下班路上出车祸算工伤吗？")
	law, office := prose.Terms("受到非本人主要责任的交通事故"), prose.Terms("办公室禁止吸烟")
	assert.Subset(t, asked.Meant(prose.Tally(1, law)), prose.Terms("车祸"))
	assert.Empty(t, asked.Meant(prose.Tally(1, office)), "control: nothing of it is there")
	assert.Empty(t, prose.Question("陪产假有几天？").Meant(prose.Tally(1, prose.Terms("生活护理费"))),
		"control: 护理 alone is no 护理假")
	other := prose.Question("交通事故算工伤吗？")
	assert.NotContains(t, other.Meant(prose.Tally(1, prose.Terms("车祸"))), prose.Terms("交通")[0])
}

func TestHowSomethingIsReckonedIsAskedFor(t *testing.T) {
	for _, question := range []string{"加班费怎么算？", "加班费如何计算？"} {
		assert.Equal(t, "加班费 计算", prose.Joined(prose.Keywords(question)), question)
	}
}
