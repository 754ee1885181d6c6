package prose

import (
	"regexp"
	"strings"
	"unicode"
)

var (
	elsewhere = regexp.MustCompile(`(?i)^(?:see also|references|external links|further reading|bibliography|` +
		`index|(?:table of )?contents|on this page|navigation|related(?: articles| links)?|license|copyright|` +
		`credits|comments|footnotes|参见|另见|另请参阅|参考文献|参考资料|外部链接|延伸阅读|目录|索引|导航|` +
		`相关文章|版权|致谢|评论|脚注)$`)
	refersUp    = regexp.MustCompile(`^(?:The default|This (?:parameter|option|setting|value|directive)|默认值?[是为])`)
	boilerplate = regexp.MustCompile(`^(?:TODO|FIXME|XXX|TBD)\b|^待办|(?i)^copyright|^[a-z]+(?:-[a-z]+)*-by: |` +
		`© ?(?:copyright|by|\d{4})|all rights reserved|accept cookies|subscribe to|privacy policy|` +
		`click here|enable javascript|(?:previous|next) page|edit this page|last updated|skip to |` +
		`report a bug|版权所有|保留所有权利|上一页|下一页|最后更新|隐私政策|` +
		`^(?:dear|hi|hello) .{1,40},$|^(?:各位|尊敬的|亲爱的|大家)\pL{0,12}[：，！]?$|` +
		`^\pL{1,6}[，]?[你您]好[：，！。]?$|` +
		`^\pL{0,6}(?:长|经理|主任|老师|总|先生|女士|同事|同学|医生|们)[：，]$|` +
		`^(?:如有|特此|此致|敬礼|顺颂|祝好|敬请|谢谢).{0,20}$`)
	isDate = regexp.MustCompile(`\b\d{4}-\d\d-\d\d\b`)
)

// IsBoilerplate reports whether a text says nothing about its subject: a greeting, navigation, a copyright
// line, or a to-do.
func IsBoilerplate(text string) bool { return boilerplate.MatchString(text) }

// LeadsElsewhere reports whether a heading is above a list of links, sources or names.
func LeadsElsewhere(heading string) bool { return elsewhere.MatchString(heading) }

// aside finds a heading of what was weighed or came before, which does not say how something is.
var aside = regexp.MustCompile(`(?i)(?:^|\W)(rationale|alternatives|background|history|motivation|future work)$|^(背景|历史|缘由|沿革)$`)

// IsAside reports whether a heading is over what answers no question but for reasons or its own words.
func (q Question) IsAside(heading string) bool {
	m := aside.FindStringSubmatch(heading)
	return m != nil && !asksWhy.MatchString(string(q)) &&
		!strings.Contains(strings.ToLower(string(q)), strings.ToLower(m[1]+m[2]))
}

// IsFigures reports whether a text has at least as many digits as letters, and no date.
func IsFigures(text string) bool {
	letters, digits := 0, 0
	for _, r := range text {
		switch {
		case IsCJK(r):
			letters += 3 // a character counts as a word
		case unicode.IsLetter(r):
			letters++
		case unicode.IsDigit(r):
			digits++
		}
	}
	return letters <= digits && !isDate.MatchString(text) && !isLabelled.MatchString(text)
}

// isLabelled matches figures behind what they are of: "Castration, male 98.00 245.00 310.00".
var isLabelled = regexp.MustCompile(`^\pL{3,}[^\pN]*[\s:=]\d+(?:[.:/]\d+)*(?: |$)`)

// RefersUp reports whether a text needs the one above it, whose default it gives.
func RefersUp(text string) bool { return refersUp.MatchString(text) }

// isCarrier finds words for documents, which seldom name themselves, and months, which may be numbers.
var isCarrier = regexp.MustCompile(`(?i)^(?:(?:list|table|file|folder|document|note|sheet|spreadsheet|e?-?mail)s?` +
	`|january|february|march|april|june|july|august|september|october|november|december` +
	`|名单|清单|表格|文件|文档|资料|笔记|邮件)$`)
