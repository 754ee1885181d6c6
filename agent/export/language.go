package export

import (
	"strings"
	"unicode"

	"github.com/daybook-agent/daybook/agent/prose"
)

// wording is what the page says of its own.
type wording struct {
	Report, Question, Sources, Contents, References, More, Notes, Chart, ReadOn, Back, Plain, Part string
	date                                                                                           string // as time.Format takes it
}

// words are the page's own words in a language: Chinese for Chinese, else English.
func words(lang string) wording {
	if strings.HasPrefix(lang, "zh") {
		return wording{
			Report: "报告", Question: "问题", Sources: "来源：阅读 %d，引用 %d", Contents: "目录",
			References: "参考文献", More: "其他引用的来源", Notes: "引文", Chart: "各轮质量评分（满分 10 分）",
			ReadOn: "阅读于", Back: "回到正文", date: "2006年1月2日",
			Plain: "本报告的 Markdown 无法排版，以下为原文。原因：",
			Part:  "本报告的部分链接和强调标记按原文显示。原因：",
		}
	}
	return wording{
		Report: "Report", Question: "Question", Sources: "Sources: %d read, %d cited", Contents: "Contents",
		References: "References", More: "Also cited", Notes: "Passages", Chart: "Quality by round, out of 10",
		ReadOn: "read", Back: "Back to the text", date: "2 January 2006",
		Plain: "The Markdown of this report could not be laid out. The text follows as it is written: ",
		Part:  "Some links and marks of emphasis of this report are shown as they are written: ",
	}
}

// language is the tag of the language that the report's own text is in.
func (r Report) language() string {
	text, _, _ := strings.Cut(r.Text, "{#"+referencesID+"}")
	return language(r.Question + "\n" + text)
}

// maxJudged is how much of a text its language is told by, in bytes.
const maxJudged = 64 << 10

// language is the BCP 47 tag of a text's language as far as its script and its commonest words tell, "" when
// they do not: a wrong one makes a screen reader mispronounce all of it.
func language(text string) string {
	text = text[:min(len(text), maxJudged)]
	kana, hangul, letters := 0, 0, 0
	for _, r := range text {
		switch {
		case unicode.In(r, unicode.Hiragana, unicode.Katakana):
			kana++
		case unicode.Is(unicode.Hangul, r):
			hangul++
		case unicode.IsLetter(r):
			letters++
		}
	}
	switch {
	case 4*kana > letters:
		return "ja"
	case 2*hangul > letters:
		return "ko"
	case prose.IsChinese(text):
		return chinese(text)
	case isEnglish(text):
		return "en"
	}
	return ""
}

// chinese tells the two scripts apart by common characters that they write differently. The tags name a region:
// Word and older screen readers know no zh-Hans.
func chinese(text string) string {
	simplified, traditional := 0, 0
	for _, r := range text {
		switch {
		case strings.ContainsRune("这个们来时后会说为国学对实现与发经过还进", r):
			simplified++
		case strings.ContainsRune("這個們來時後會說為國學對實現與發經過還進", r):
			traditional++
		}
	}
	if traditional > simplified {
		return "zh-TW"
	}
	return "zh-CN"
}

// isEnglish says whether at least every twelfth word is one of the commonest of English; in English prose
// every fifth is.
func isEnglish(text string) bool {
	all, common := 0, 0
	for word := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) }) {
		all++
		switch word {
		case "the", "of", "and", "to", "is", "that", "it", "for", "with", "as", "are", "be", "this", "by", "how", "what", "when", "which", "its", "from":
			common++
		}
	}
	return 12*common >= all && all > 0
}
