package export

import (
	"strings"
	"unicode"

	"github.com/daybook-agent/daybook/agent/prose"
)

// wording is what the page says of its own.
type wording struct {
	Report, Question, Date, Sources, Contents, References, More, ID, Title, Address, ReadOn, Plain, Part string
}

// words are the page's own words in a language: Chinese for Chinese, else English.
func words(lang string) wording {
	if strings.HasPrefix(lang, "zh") {
		return wording{"报告", "问题", "日期", "来源：阅读 %d，引用 %d", "目录", "参考文献", "其他引用的来源", "编号", "标题", "地址", "阅读日期",
			"本报告的 Markdown 无法排版，以下为原文。原因：",
			"本报告的部分链接和强调标记按原文显示。原因："}
	}
	return wording{"Report", "Question", "Date", "Sources: %d read, %d cited", "Contents", "References", "Also cited", "Id", "Title", "Address", "Read",
		"The Markdown of this report could not be laid out, and follows as it stands: ",
		"Some links and marks of emphasis of this report are shown as they are written: "}
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

// chinese tells the two scripts apart by common characters that they write differently.
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
		return "zh-Hant"
	}
	return "zh-Hans"
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
