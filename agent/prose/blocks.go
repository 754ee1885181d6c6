package prose

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Blocks are what blank lines divide a Markdown text into. Those in fenced code divide nothing.
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
	if block != nil { // its fence is open
		blocks = append(blocks, strings.TrimRight(strings.Join(block, "\n"), "\n")+"\n"+fence)
	}
	return blocks
}

// Sections are the texts of a list of words, each by the heading above it.
func Sections(list string) map[string]string {
	all := map[string]string{}
	for section := range strings.SplitSeq(list, "\n# ") {
		title, text, _ := strings.Cut(section, "\n")
		all[strings.TrimPrefix(title, "# ")] = strings.Trim(text, "\n")
	}
	return all
}

var (
	// asHTML finds what Markdown takes for HTML, and code and what is escaped, where it does not.
	asHTML = regexp.MustCompile("`[^`]*`|\\\\.|<[a-zA-Z/!?]")
	// sentenceEnd finds a stop with what is closed behind it, and clauseMark what parts a sentence.
	sentenceEnd = regexp.MustCompile("[。！？][”’」』）》]*|[.!?]['’\"”)*_`]* ")
	clauseMark  = regexp.MustCompile(`[，；：]|[,;:] `)
)

// Sentences are those of a text that is one line, each with the blank behind it.
func Sentences(text string) (all []string) {
	for text != "" {
		end := len(text)
		if found := sentenceEnd.FindStringIndex(text); found != nil {
			end = found[1]
		}
		all, text = append(all, text[:end]), text[end:]
	}
	return all
}

// Quotes returns a text as it may stand between “ and ” in a block quote, in pieces of at most so many bytes:
// whole sentences, otherwise whole clauses, otherwise whole words. None of its own marks is doubled.
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
			ends := mark.FindAllStringIndex(text[:end], -1)
			if n := len(ends); n > 0 && 3*ends[n-1][1] > end {
				at = ends[n-1][1]
			}
		}
		all, text = append(all, quotable(strings.TrimSpace(text[:at]))), strings.TrimSpace(text[at:])
	}
	if strings.ContainsFunc(text, unicode.IsLetter) {
		all = append(all, quotable(strings.TrimSpace(text)))
	}
	return all
}

// quotable also leaves a closing mark out that would end the quote where it begins.
func quotable(text string) string {
	return asHTML.ReplaceAllStringFunc(Nested(strings.TrimLeft(text, "” ")), func(found string) string {
		if found[0] == '<' {
			return `\` + found
		}
		return found
	})
}

// ownMarks finds the marks “ and ”, and code, where they are something else.
var ownMarks = regexp.MustCompile("`[^`]*`|[“”]")

// Nested returns a text as it may stand between “ and ”: with single marks if it begins or ends with a double
// one. A check of quotes takes the two for the same. A text with „…“ stays: there “ closes.
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

// IsRemark reports whether a text is the label of a remark, such as Note or Warning, and nothing else: it
// names and defines nothing.
func IsRemark(text string) bool { return remark.MatchString(text) }

// Without leaves lines out of Markdown, what they leave empty, rows that cite nothing, and code below a
// line that names its source.
func Without(text string, drop func(line string) bool) string {
	parts, skip := Blocks(text), false
	for i, part := range parts {
		isCode := FenceAfter("", FirstLine(part)) != "" // a comment of a program is no heading
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
	lost, below := 0, 0 // the depth of what is left out right below, and of what stays there
	for i, part := range slices.Backward(parts) {
		d := len(part) - len(strings.TrimLeft(part, "#"))
		if strings.Contains(part, "\n") { // is no heading alone
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

// CodeFrom begins the line over a block of code that is quoted, before its citation.
const CodeFrom = "Code, from"

// Fenced puts code between fences that nothing in it closes.
func Fenced(language, code string) string {
	fence := "```"
	for strings.Contains(code, fence) {
		fence += "`"
	}
	return fence + language + "\n" + strings.Trim(code, "\r\n") + "\n" + fence + "\n"
}

// What is no link whatever it looks like: code, and what is escaped; and the two halves of a link.
const (
	noLink   = "`[^`\n]+`|\\\\.|"
	linkText = `\[((?:[^\[\]\\]|\\.|\[[^\[\]]*\])*)\]`
	linkTo   = `\(([^()\s]*(?:\([^()]*\)[^()]*)*)(?: "[^"]*")?\)`
)

var (
	pictured = regexp.MustCompile(noLink + `!` + linkText + linkTo)
	linked   = regexp.MustCompile(noLink + linkText + linkTo + `|<(https?://[^\s<>]+)>`)
)

// Unlinked is Markdown with the words of its links alone and without its pictures: a page shows no words for
// them, and a check of quotes finds none. bytes counts the words of links, those for a picture in one too.
func Unlinked(markdown string) (text string, bytes int) {
	text, bytes = worded(markdown)
	if seen := replacePictures(markdown, ""); seen != markdown {
		text, _ = worded(seen)
	}
	return text, bytes
}

// replacePictures puts something in the place of each picture, as $1 its words.
func replacePictures(markdown, by string) string {
	return pictured.ReplaceAllStringFunc(markdown, func(found string) string {
		if found[0] != '!' {
			return found
		}
		return pictured.ReplaceAllString(found, by)
	})
}

// worded is Markdown with the words of its links and pictures alone, and how many bytes those of links are.
// Chinese in round brackets behind square ones is no address, as in "book [日期](时段)", and stays so by a
// backslash. Pictures go first: they may be in a link.
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

// noPicture finds pictures, those of HTML too, and code.
var noPicture = regexp.MustCompile(pictured.String() + `|(?i)<img\b[^<>]*>`)

// Titled returns the words of a heading, with those of its links alone and without its pictures, as badges
// are; of a heading that is a picture, what stands for it.
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

// PlainHeading returns the words of a heading as they may be in another one, without its id.
func PlainHeading(h string) string {
	h, _, _ = strings.Cut(Titled(h), "{#")
	h = strings.TrimRight(OneLine(headingMarks.ReplaceAllString(h, "")), " :：")
	if edged.MatchString(h) { // __init__ would be bold
		h = strings.ReplaceAll(h, "_", `\_`)
	}
	return h
}

var (
	quoteMark = regexp.MustCompile(`(?m)^[ \t]*(?:> ?)+`)
	listMark  = regexp.MustCompile(`^[ \t]*(?:(?:[-*+]|\d+[.)]) +)?(?:\[[ xX]\] +)?`)
	comment   = regexp.MustCompile(`(?s)<!--.*?(?:-->|$)`)
)

// Unmarked returns a block in one line without the marks of the quote or the list that it is in.
func Unmarked(block string) string {
	block = listMark.ReplaceAllString(quoteMark.ReplaceAllString(block, ""), "")
	return Unwrapped(quoteMark.ReplaceAllString(block, ""))
}

// WithoutComments blanks HTML comments; lines keep their numbers.
func WithoutComments(text string) string {
	return comment.ReplaceAllStringFunc(text, func(comment string) string {
		return strings.Repeat("\n", strings.Count(comment, "\n"))
	})
}

// WithColumn returns the head of a table with the line below it, and a row, with a last column more.
// A head that is too short is filled up.
func WithColumn(head, row, name, cell string) (above, below string) {
	cells := func(line string) int { return max(1, strings.Count(strings.ReplaceAll(line, `\|`, ""), "|")-1) }
	for head = cmp.Or(head, "| |"); cells(head) < cells(row); {
		head += " |"
	}
	with := func(line, cell string) string {
		line = strings.TrimSuffix(strings.TrimSpace(line), "|")
		return strings.TrimRight(line, " ") + " | " + cell + " |\n"
	}
	return with(head, name) + strings.Repeat("| --- ", cells(head)+1) + "|\n", with(row, cell)
}

// footnote finds the mark of a footnote, and code, where the same is an index: `rows[0]`.
var footnote = regexp.MustCompile("`[^`]*`|" + `\[\\?\[?\d+\\?\]?\]`)

// BetweenFootnotes are the parts of a text between the marks of its footnotes, such as [1]. What stands right
// behind a word, or before another bracket, may be code, and is no mark.
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
