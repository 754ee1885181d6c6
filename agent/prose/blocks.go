package prose

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Blocks splits a Markdown text at blank lines, except those in fenced code.
func Blocks(text string) (blocks []string) {
	var block []string
	fence := ""
	for line := range strings.SplitSeq(strings.ReplaceAll(text, "\r\n", "\n")+"\n", "\n") {
		if fence = FenceAfter(fence, line); fence != "" || strings.TrimSpace(line) != "" {
			block = append(block, line)
		} else if block != nil {
			blocks, block = append(blocks, strings.Join(block, "\n")), nil
		}
	}
	if block != nil { // an open fence
		blocks = append(blocks, strings.TrimRight(strings.Join(block, "\n"), "\n")+"\n"+fence)
	}
	return blocks
}

// Sections splits a word list into texts by the heading above each.
func Sections(list string) map[string]string {
	all := map[string]string{}
	for section := range strings.SplitSeq(list, "\n# ") {
		title, text, _ := strings.Cut(section, "\n")
		all[strings.TrimPrefix(title, "# ")] = strings.Trim(text, "\n")
	}
	return all
}

var (
	// asHTML finds what Markdown reads as HTML; also code and escapes, where it does not.
	asHTML = regexp.MustCompile("`[^`]*`|\\\\.|<[a-zA-Z/!?]")
	// sentenceEnd finds a full stop with closing marks after it, clauseMark a mark between clauses.
	sentenceEnd = regexp.MustCompile("[。！？][”’」』）》]*|[.!?]['’\"”)*_`]* ")
	clauseMark  = regexp.MustCompile(`[，；：]|[,;:] `)
	// abbreviated finds a stop at the end of a text that ends no sentence, beforeFigure before a figure.
	abbreviated  = regexp.MustCompile(`(?i)\b(?:approx|e\.g|i\.e|cf|vs|mrs?|dr)\. $`)
	beforeFigure = regexp.MustCompile(`(?i)\b(?:nos?|vol|figs?|pp?|sec|art|ch|ext|tel)\. $`)
)

// ends returns where a mark ends something in a text.
func ends(mark *regexp.Regexp, text string) [][]int {
	return slices.DeleteFunc(mark.FindAllStringIndex(text, -1), func(at []int) bool {
		before, behind := text[max(0, at[1]-10):at[1]], text[at[1]:]
		isNumber := behind != "" && behind[0] >= '0' && behind[0] <= '9'
		return abbreviated.MatchString(before) || isNumber && beforeFigure.MatchString(before)
	})
}

// Sentences returns the sentences of a one-line text, each with the blank after it.
func Sentences(text string) (all []string) {
	from := 0
	for _, at := range append(ends(sentenceEnd, text), []int{0, len(text)}) {
		if from < at[1] {
			all, from = append(all, text[from:at[1]]), at[1]
		}
	}
	return all
}

// Quotes splits a text into pieces fit for “ and ” in a block quote, of at most so many bytes: whole
// sentences, otherwise whole clauses, otherwise whole words. None of its own marks is doubled.
func Quotes(text string, most int) (all []string) {
	for len(text) > most {
		end := most
		for !utf8.RuneStart(text[end]) {
			end--
		}
		at := end
		if blank := strings.LastIndexAny(text[:end], " 、"); blank > 0 {
			_, size := utf8.DecodeRuneInString(text[blank:])
			at = blank + size
		}
		for _, mark := range []*regexp.Regexp{clauseMark, sentenceEnd} {
			found := ends(mark, text[:end])
			if n := len(found); n > 0 && 3*found[n-1][1] > end {
				at = found[n-1][1]
			}
		}
		all, text = append(all, quotable(strings.TrimSpace(text[:at]))), strings.TrimSpace(text[at:])
	}
	if strings.ContainsFunc(text, func(r rune) bool { return unicode.In(r, unicode.L, unicode.N) }) {
		all = append(all, quotable(strings.TrimSpace(text)))
	}
	return all
}

// quotable also removes a leading closing mark, which would end the quote at once.
func quotable(text string) string {
	return asHTML.ReplaceAllStringFunc(Nested(strings.TrimLeft(text, "” ")), func(found string) string {
		if found[0] == '<' {
			return `\` + found
		}
		return found
	})
}

// ownMarks finds the marks “ and ”, and code, where they mean something else.
var ownMarks = regexp.MustCompile("`[^`]*`|[“”]")

// Nested returns a text fit for “ and ”: with single marks if it begins or ends with a double one, which the
// check of quotes treats alike. A text with „…“ is unchanged: there “ closes.
func Nested(text string) string {
	bare := strings.Trim(text, "*_")
	isDoubled := strings.HasPrefix(bare, "“") || strings.HasSuffix(bare, "”")
	if !isDoubled || strings.Contains(text, "„") {
		return text
	}
	return ownMarks.ReplaceAllStringFunc(text, func(found string) string {
		return cmp.Or(map[string]string{"“": "‘", "”": "’"}[found], found)
	})
}

var remark = regexp.MustCompile(`(?i)^[^\pL\pN` + "`" + `]*(?:notes?|warning|tip|hint|important|caution|danger|attention|see also|` +
	`examples?|actions|注意|提示|警告|示例|说明)[^\pL\pN` + "`" + `]*$`)

// runIn finds a heading that its paragraph goes on behind, on the same line, and a Chinese article's number.
var runIn = regexp.MustCompile(`^\*\*[^*]{2,60}\*\*[.:：。]?[ \x{3000}]|^(?:第[一二三四五六七八九十百\d]+条|[一二三四五六七八九十]+、)`)

// aspect finds a heading of that kind for a part of the same matter.
var aspect = regexp.MustCompile(`(?i)^\*\*(?:description|discussion|problem|solution|answer|examples?|usage|notes?|result)\b`)

// IsRunIn reports whether a block of Markdown begins with such a heading, and so with a matter of its own.
func IsRunIn(block string) bool { return runIn.MatchString(block) && !aspect.MatchString(block) }

// IsRemark reports whether a text is only the label of a remark, such as Note or Warning, which names and
// defines nothing.
func IsRemark(text string) bool { return remark.MatchString(text) }

// Without removes lines from Markdown, parts that become empty, rows without citations, and code below a
// removed line that names its source.
func Without(text string, drop func(line string) bool) string {
	parts, skip := Blocks(text), false
	for i, part := range parts {
		isCode := FenceAfter("", FirstLine(part)) != "" // a comment in code is not a heading
		left := slices.DeleteFunc(strings.Split(part, "\n"), drop)
		switch {
		case isCode && skip:
			parts[i] = ""
		case isCode, len(left) > strings.Count(part, "\n"):
			skip = false
		default:
			skip = strings.HasSuffix(part, "]:")
			left = slices.CompactFunc(left, func(a, b string) bool { return a == ">" && b == ">" })
			parts[i] = strings.TrimSuffix(strings.TrimPrefix(strings.Join(left, "\n"), ">\n"), "\n>")
			if parts[i] == ">" || parts[i] != "" && parts[i][0] == '|' && !citesBlock.MatchString(parts[i]) {
				parts[i] = ""
			}
		}
	}
	const ofText = 7
	lost, below := 0, 0 // the depth of what is removed right below, and of what stays there
	for i, part := range slices.Backward(parts) {
		d := len(part) - len(strings.TrimLeft(part, "#"))
		if strings.Contains(part, "\n") { // not a heading alone
			d = 0
		}
		switch {
		case part == "":
			lost = ofText
		case d > 1 && d < lost && d >= below:
			parts[i], lost = "", d
		default:
			lost, below = 0, cmp.Or(d, ofText)
		}
	}
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), "\n\n")
}

var citesBlock = regexp.MustCompile(`\[s\d+(?:\.\d+)?\]`)

// CodeFrom begins the line above a quoted code block, before its citation.
const CodeFrom = "Code, from"

// Fenced puts code between fences that nothing in it can close.
func Fenced(language, code string) string {
	fence := "```"
	for strings.Contains(code, fence) {
		fence += "`"
	}
	return fence + language + "\n" + strings.Trim(code, "\r\n") + "\n" + fence + "\n"
}

// Text that only looks like a link: code and escapes; and the two halves of a link.
const (
	noLink   = "`[^`\n]+`|\\\\.|"
	linkText = `\[((?:[^\[\]\\]|\\.|\[[^\[\]]*\])*)\]`
	linkTo   = `\(([^()\s]*(?:\([^()]*\)[^()]*)*)(?: "[^"]*")?\)`
)

var (
	pictured = regexp.MustCompile(noLink + `!` + linkText + linkTo)
	linked   = regexp.MustCompile(noLink + linkText + linkTo + `|<(https?://[^\s<>]+)>`)
)

// Unlinked returns Markdown with only the words of its links and without its pictures: pages show no words
// for these, and a check of quotes finds none. bytes counts the words of links, and of pictures in them.
func Unlinked(markdown string) (text string, bytes int) {
	text, bytes = worded(markdown)
	if seen := replacePictures(markdown, ""); seen != markdown {
		text, _ = worded(seen)
	}
	return text, bytes
}

// replacePictures replaces each picture; $1 stands for its words.
func replacePictures(markdown, by string) string {
	return pictured.ReplaceAllStringFunc(markdown, func(found string) string {
		if found[0] != '!' {
			return found
		}
		return pictured.ReplaceAllString(found, by)
	})
}

// worded returns Markdown with only the words of links and pictures, and the number of bytes in those of
// links. Chinese in round brackets after square ones, as in "book [日期](时段)", is not an address: a
// backslash keeps it. Pictures go first: they may be in a link.
func worded(markdown string) (text string, bytes int) {
	text = replacePictures(markdown, "$1")
	return linked.ReplaceAllStringFunc(text, func(found string) string {
		m := linked.FindStringSubmatch(found)
		switch {
		case found[0] == '`', found[0] == '\\':
			return found
		case HasHan(m[2]) && !strings.ContainsAny(m[2], "/.#:?"):
			return `\` + found
		}
		bytes += len(m[1])
		return m[1] + m[3]
	}), bytes
}

// noPicture finds pictures, including HTML ones, and code.
var noPicture = regexp.MustCompile(pictured.String() + `|(?i)<img\b[^<>]*>`)

// Titled returns the words of a heading, with only the words of links and without pictures such as badges. If
// the heading is only a picture, its text is used.
func Titled(heading string) string {
	words, _ := Unlinked(noPicture.ReplaceAllStringFunc(heading, func(found string) string {
		if found[0] == '!' || found[0] == '<' {
			return ""
		}
		return found
	}))
	if !HasWord(words) {
		words, _ = worded(heading)
	}
	return strings.TrimSpace(words)
}

var (
	headingMarks = regexp.MustCompile("[`*\\[\\]\\\\¶<>“”\"#]")
	edged        = regexp.MustCompile(`(?:^|\W)_|_(?:\W|$)`)
)

// PlainHeading returns the words of a heading, without its id, for use in another.
func PlainHeading(h string) string {
	h, _, _ = strings.Cut(Titled(h), "{#")
	h = strings.TrimRight(OneLine(headingMarks.ReplaceAllString(h, "")), " :：")
	if edged.MatchString(h) { // or __init__ would be bold
		h = strings.ReplaceAll(h, "_", `\_`)
	}
	return h
}

var (
	quoteMark = regexp.MustCompile(`(?m)^[ \t]*(?:> ?)+`)
	listMark  = regexp.MustCompile(`^[ \t]*(?:(?:[-*+]|\d+[.)]) +)?(?:\[[ xX]\] +)?`)
	comment   = regexp.MustCompile(`(?s)<!--.*?(?:-->|$)`)
)

// Unmarked returns a block on one line without the marks of its quote or list.
func Unmarked(block string) string {
	block = listMark.ReplaceAllString(quoteMark.ReplaceAllString(block, ""), "")
	return Unwrapped(quoteMark.ReplaceAllString(block, ""))
}

// WithoutComments blanks HTML comments, keeping line numbers.
func WithoutComments(text string) string {
	return comment.ReplaceAllStringFunc(text, func(comment string) string {
		return strings.Repeat("\n", strings.Count(comment, "\n"))
	})
}

// WithColumn returns a table's head with its separator line, and a row, with one more column at the end. A
// head that is too short is padded.
func WithColumn(head, row, name, cell string) (above, below string) {
	cells := func(line string) int { // some have no bar at their edges
		line = strings.TrimPrefix(strings.TrimSpace(strings.ReplaceAll(line, `\|`, "")), "|")
		return 1 + strings.Count(strings.TrimSuffix(line, "|"), "|")
	}
	for head = cmp.Or(head, "| |"); cells(head) < cells(row); {
		head += " |"
	}
	with := func(line, cell string) string {
		line = strings.TrimSuffix(strings.TrimSpace(line), "|")
		return strings.TrimRight(line, " ") + " | " + cell + " |\n"
	}
	return with(head, name) + strings.Repeat("| --- ", cells(head)+1) + "|\n", with(row, cell)
}

// footnote finds a footnote mark; also code, where the same is an index: `rows[0]`.
var footnote = regexp.MustCompile("`[^`]*`|" + `\[\\?\[?\d+\\?\]?\]`)

// BetweenFootnotes splits a text at its footnote marks, such as [1]. Brackets directly after a word, or
// before another bracket, may be code and do not count.
func BetweenFootnotes(text string) (parts []string) {
	from := 0
	for _, at := range footnote.FindAllStringIndex(text, -1) {
		last, _ := utf8.DecodeLastRuneInString(text[:at[0]])
		isWord := unicode.IsLetter(last) || unicode.IsNumber(last) || strings.ContainsRune("_)]", last)
		isCode := text[at[0]] == '`' || isWord || strings.HasPrefix(text[at[1]:], "[")
		if !isCode {
			parts, from = append(parts, text[from:at[0]]), at[1]
		}
	}
	return append(parts, text[from:])
}
