package prose

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// Subjects returns the keywords of a text that are not made of words of asking alone.
func Subjects(text string) (left []Keyword) {
	for _, k := range Keywords(text) {
		if HasHan(k.Text) && utf8.RuneCountInString(hanEmpty.ReplaceAllString(k.Text, "")) > 1 ||
			!HasHan(k.Text) && !askingWords[strings.ToLower(k.Text)] {
			left = append(left, k)
		}
	}
	return left
}

var _, askingWords = listed("asking")

// hanEmpty are Chinese words that are empty alone, as 研究 is, but not in 研究型大学.
var hanEmpty = regexp.MustCompile(
	`研究|调研|调查|了解|分析|信息|资料|情况|内容|东西|事情|事儿|问题|方面|主题|话题|课题|报告|` +
		`最新|进展|更多|相关|详细|任何|随便|新的|[新那这某写找查看搞做弄我你想要些点下份篇个种]`)
