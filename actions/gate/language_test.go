package gate_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/actions/gate"
	"github.com/stretchr/testify/assert"
)

func TestLanguage(t *testing.T) {
	english := "# Tides\n\nThe sea rises twice a day, and this is what the Moon does with it. The water of " +
		"the oceans is pulled, and that was known to the Greeks.\n"
	chinese := "# 潮汐\n\n海水每天涨落两次，这是月球引力造成的。古希腊人已经知道这一点，" +
		"后来牛顿解释了其中的道理。\n"
	german := "# Gezeiten\n\nDie Gezeiten sind die Wasserbewegungen der Ozeane, und das ist nicht neu: der " +
		"Mond zieht das Wasser an, wie Newton zeigte. Die Sonne ist auch daran beteiligt.\n"
	japanese := "# 潮\n\n潮の満ち引きは、月の引力によって海水が引き寄せられることで起こります。" +
		"太陽も影響しています。\n"
	for name, c := range map[string]struct {
		question, text, want string
	}{
		"English": {"Why do tides rise?", english, ""},
		"Chinese": {"潮汐为什么会涨落？", chinese, ""},
		"English for Chinese": {"潮汐为什么会涨落？", english,
			"is written in English and the question in Chinese"},
		"Chinese for English": {"What are the causes of the tides?",
			chinese, "is written in Chinese and the question in English"},
		"a name alone": {"KRAS G12C", chinese, ""},
		"Chinese with Latin names": {"KRAS G12C 靶点的最新进展",
			"# KRAS G12C\n\nsotorasib 与 adagrasib 已经获批，KRYSTAL-1 与 CodeBreaK 200 试验给出了数据，" +
				"其中耐药机制包括 RTK 旁路激活。\n", ""},
		"quotes in another tongue": {"What does the law say of the tides?", english +
			strings.Repeat("\nThe text is this: “海水每天涨落两次，这是月球引力造成的，"+
				"古希腊人已经知道这一点。” [s1]\n", 5), ""},
		"code in another tongue": {"What does the program print?",
			"# P\n\nThis is what it prints and that is all of the output:\n\n```\n" +
				strings.Repeat("海水每天涨落两次", 20) + "\n```\n", ""},
		"German for English": {"What is the cause of the tides and how does it work?",
			"# Gezeiten\n\nDie Gezeiten sind die Wasserbewegungen der Ozeane, und das ist nicht neu: der " +
				"Mond zieht das Wasser an, wie Newton zeigte. Die Sonne ist auch daran beteiligt und wird " +
				"oft vergessen.\n", "is written in German"},
		"Japanese for Japanese": {"潮の満ち引きはなぜ起こるのですか",
			"# 潮\n\n潮の満ち引きは、月の引力によって海水が引き寄せられることで起こります。" +
				"太陽も影響しています。\n", ""},
		"Chinese for Japanese": {"潮の満ち引きはなぜ起こるのですか",
			chinese, "is written in Chinese and the question in Japanese"},
		"English was asked for": {"用英文写一份关于潮汐的报告", english, ""},
		"please in English":     {"潮汐为什么会涨落？请用英语。", english, ""},
		"English in Japanese":   {"潮の満ち引きはなぜ起こるのですか。英語で書いてください", english, ""},
		"Chinese was asked for": {"What are the causes of the tides? Write in Chinese.", chinese, ""},
		"Chinese in Chinese":    {"What are the causes of the tides? 用中文回答", chinese, ""},
		"German was asked for":  {"What is the state of the tides? Answer in German", german, ""},
		"auf Deutsch":           {"What is the state of the tides, auf Deutsch?", german, ""},
		"another was asked for": {"What is the state of the tides? Answer in French", german,
			"is written in German"},
		"a country's name": {"What is the state of the tides in Germany?", german,
			"is written in German"},
		"the Chinese law": {"What does the Chinese law say of the tides?",
			chinese, "is written in Chinese"},
		"英文 as a matter":            {"英文论文如何解释潮汐？", english, "is written in English"},
		"a name in Chinese letters": {"東京都人口推移", japanese, ""},
		"Japanese for Chinese": {"潮汐为什么会涨落，月球和太阳各有多大的影响？",
			japanese, "is written in Japanese"},
		"a report too short to say": {"潮汐为什么会涨落？", "# T\n\nOK.\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			got := gate.Language.Refuse(context.Background(), report(c.question, c.text))
			if c.want == "" {
				assert.Empty(t, got)
			} else {
				assert.Contains(t, got, c.want)
			}
		})
	}
	asked := report("潮汐为什么会涨落？", english)
	asked.Language = "en"
	assert.Empty(t, gate.Language.Refuse(context.Background(), asked))
	asked = report("Why do tides rise?", german)
	asked.Wishes = "- write it in German, please"
	assert.Empty(t, gate.Language.Refuse(context.Background(), asked))
}

// A question of a few words has a language too, or at least letters.
func TestTheLanguageOfAShortQuestion(t *testing.T) {
	reports := map[string]string{
		"en": "# Tides\n\nThe sea rises twice a day, and this is what the Moon does with it. The water of " +
			"the oceans is pulled, and that was known to the Greeks.\n",
		"zh": "# 潮汐\n\n海水每天涨落两次，这是月球引力造成的。古希腊人已经知道这一点，" +
			"后来牛顿解释了其中的道理。\n",
		"ja": "# 潮\n\n潮の満ち引きは、月の引力によって海水が引き寄せられることで起こります。" +
			"太陽も影響しています。\n",
		"ru": "# Приливы\n\nМоре поднимается дважды в день, потому что Луна притягивает воду " +
			"океанов, и это знали ещё древние греки, а Ньютон объяснил, почему это происходит именно так.\n",
		"de": "# Gezeiten\n\nDie Gezeiten sind die Wasserbewegungen der Ozeane, und das ist nicht neu: der " +
			"Mond zieht das Wasser an, wie Newton zeigte. Die Sonne ist auch daran beteiligt.\n",
		"fr": "# Marées\n\nLes marées sont les mouvements de la mer, et cette force est celle de la Lune, " +
			"qui attire les eaux dans les océans. Le Soleil est une cause avec une force moindre.\n",
		"es": "# Mareas\n\nLas mareas son los movimientos del mar, y la causa es la Luna, que " +
			"atrae el agua de los océanos con una fuerza que cambia. El Sol es una causa menor.\n",
		"it": "# Maree\n\nLe maree sono i movimenti del mare, e la causa è la Luna che attira " +
			"l'acqua degli oceani nel corso della giornata. Anche il Sole è una delle cause, che sono due.\n",
		"pt": "# Marés\n\nAs marés são os movimentos do mar, e a causa não é uma só: a Lua atrai a água da " +
			"Terra em uma direção, como foi mostrado por Newton. O Sol é mais fraco.\n",
		"nl": "# Getijden\n\nDe getijden zijn de bewegingen van het water, en dat is niet nieuw: het water " +
			"wordt door de maan aangetrokken, zoals Newton liet zien. Ook de zon heeft een invloed " +
			"op het water.\n",
	}
	for question, refused := range map[string]string{
		"Why do tides rise?":                    "zh ja ru de fr es it pt nl",
		"What causes tides?":                    "zh ja ru de fr es it pt nl",
		"why stars die":                         "zh ja ru",
		"How tall is Mount Everest?":            "zh ja ru de fr es it pt nl",
		"Rust vs Go":                            "zh ja ru",
		"tides causes":                          "zh ja ru",
		"Die Hard box office":                   "zh ja ru",
		"MIT admission rates":                   "zh ja ru",
		"WHO guidelines on sugar":               "zh ja ru",
		"OS kernel scheduling":                  "zh ja ru",
		"Los Angeles rents":                     "zh ja ru",
		"El Niño effects":                       "zh ja ru",
		"How many people come per year?":        "zh ja ru de fr es it pt nl",
		"Come Together lyrics":                  "zh ja ru",
		"Warum steigen Gezeiten?":               "zh ja ru en fr es it pt nl",
		"Wie entstehen die Gezeiten?":           "zh ja ru en fr es it pt nl",
		"Pourquoi la mer monte-t-elle ?":        "zh ja ru en de es it pt nl",
		"¿Por qué suben las mareas?":            "zh ja ru en de fr it pt nl",
		"KRAS G12C":                             "",
		"KRAS G12C 靶点":                          "en ja ru de fr es it pt nl",
		"KRAS G12C 靶点的 sotorasib 耐药":            "en ja ru de fr es it pt nl",
		"Huawei 华为 revenue":                     "ru",
		"Docker Compose 教程":                     "ru",
		"潮汐为什么会涨落？Why?":                         "en ru de fr es it pt nl",
		"What does 道 mean in the Tao Te Ching?": "zh ja ru de fr es it pt nl",
		"Why do tides rise? 请用中文回答":             "ja ru de fr es it pt nl",
	} {
		for code, text := range reports {
			got := gate.Language.Refuse(t.Context(), report(question, text))
			if code == "ja" && strings.Contains(question, "靶点") {
				continue // too short to say whether the question is not Japanese
			}
			assert.Equal(t, slices.Contains(strings.Fields(refused), code), got != "", "%s in %s: %s",
				question, code, got)
		}
	}
	assert.Equal(t, "report.md is written in Chinese and the question in English: write it in the language "+
		"of the question; quotes stay as they are",
		gate.Language.Refuse(t.Context(), report("Why do tides rise?", reports["zh"])))
	assert.Equal(t, "report.md is written in Chinese and the question in Latin letters: write "+
		"it in the language of the question; quotes stay as they are",
		gate.Language.Refuse(t.Context(), report("tides causes", reports["zh"])))
}
