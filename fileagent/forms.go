package fileagent

import (
	_ "embed"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// quotes maps the opening marks of quotations to their closing ones. A quotation cannot contain its closing
// mark, except an apostrophe between two letters, so that it has one reading or none.
var quotes = map[rune]rune{'"': '"', '\'': '\'', '`': '`', '“': '”', '‘': '’', '«': '»', '「': '」',
	'『': '』', '《': '》'}

var (
	numbering = regexp.MustCompile(`^(?:(?:\d{1,2}|[（(]\d{1,2}[）)])\s*[.)、]\s*|[-*•]\s+)`)
	courtesy  = regexp.MustCompile(
		`^(?i:please,?\s+|请(?:你)?\s*|then\s+|然后|finally,?\s+|first,?\s+|首先|最后)`)
	thenWord    = regexp.MustCompile(`^(?i:,?\s+(?:and\s+)?then\s+|[,，]?\s*然后)`)
	sentenceEnd = regexp.MustCompile(`^\. [A-Z]`)
)

func isWord(r rune) bool { return unicode.IsLetter(r) && r < unicode.MaxLatin1 || unicode.IsDigit(r) }

// isWordAfter reports whether text begins with a letter or digit, so that a ' before it is an apostrophe.
func isWordAfter(text string) bool {
	r, size := utf8.DecodeRuneInString(text)
	return size > 0 && isWord(r)
}

// A one-line replacement can be read even if its texts contain its mark: the words between the two texts must
// occur once, and every other mark must be a possessive's or enclose words.
var (
	replacement = regexp.MustCompile(`(?im)^(.*\b(?:replace|change) )(?:'(.+)'( (?:by|with|to|into) )'(.*)'` +
		`|"(.+)"( (?:by|with|to|into) )"(.*)")\.?$`)
	between = regexp.MustCompile(`(?i)['"] (?:by|with|to|into) ['"]`)
	inner   = map[byte]*regexp.Regexp{
		'\'': regexp.MustCompile(`^(?:[^']|\pL')*$`),
		'"':  regexp.MustCompile(`^(?:[^"]|(?:^|[\s(\[])"[^\s"](?:[^"]*[^\s"])?"(?:[\s.,;:!?)\]]|$))*$`),
	}
)

// requoted gives such replacements marks that occur in neither text.
func requoted(request string) string {
	return replacement.ReplaceAllStringFunc(request, func(line string) string {
		part := replacement.FindStringSubmatch(line)
		mark, old, by, text := byte('\''), part[2], part[3], part[4]
		if old == "" {
			mark, old, by, text = '"', part[5], part[6], part[7]
		}
		if both := old + text; strings.IndexByte(both, mark) < 0 || !inner[mark].MatchString(old) ||
			!inner[mark].MatchString(text) || len(between.FindAllString(line, -1)) > 1 {
			return line
		}
		for open, closing := range quotes {
			if !strings.ContainsAny(old+text, string([]rune{open, closing})) {
				pair := func(text string) string { return string(open) + text + string(closing) }
				return part[1] + pair(old) + by + pair(text)
			}
		}
		return line
	})
}

// The pieces of the forms in forms.txt.
const (
	quoted = "(?:\"[^\"\n]*\"|'(?:[^'\n]*\\w'\\w)*[^'\n]*'|`[^`\n]*`|“[^”\n]*”|‘[^’\n]*’|«[^»\n" +
		"]*»|「[^」\n]*」|『[^』\n]*』|《[^》\n]*》)"
	lines = "(?:\"[^\"]*\"|'(?:[^']*\\w'\\w)*[^']*'|`[^`]*`|“[^”]*”|‘[^’]*’|«[^»]*»|「[^」]*」|『[^』]*』" +
		"|《[^》]*》)" // a quotation that may have several lines
	plainC = "[^\\s\"'`“”‘’«»「」『』《》，。；：、,;:()（）<>|?!？！*\\[\\]{}]"
	noDot  = "[^\\s\"'`“”‘’«»「」『』《》，。；：、,;:()（）<>|?!？！*\\[\\]{}./]"
	ending = `\.[A-Za-z][A-Za-z0-9]{0,4}`
	// may also be a path with spaces in its last name
	file = "(?:" + quoted + "|" + plainC + "+?" + ending + "|s\\d{1,4}|" +
		"(?:" + noDot + "+/)+" + noDot + "+(?: " + noDot + "+){1,5}" + ending + ")"
	files   = file + "(?:(?:, and |, | and | ?、| ?，| ?和| ?以及| ?与) ?" + file + ")*"
	folder  = "(?:" + quoted + "|" + plainC + "*?/|Notebook|Sources|rules|\\.)"
	where   = "(?:" + file + "|" + folder + "|(?:" + plainC + "+/)?[^\\s/]*\\*[^\\s/]*)"
	content = `(?:the |this )?(?:given |provided |attached |whole |new )?(?:content|text)(?: ` +
		`(?:given|provided|attached))?`
	内容 = `(?:给定的?|所给的?|附带的?|提供的?)?(?:内容|文本|正文)`
)

// form is one way to ask for a call.
type form struct {
	pattern *regexp.Regexp // its groups are the pieces
	call    string         // such as "move path={file} to={to}", where a name in braces is a piece
}

// match holds the text of each of a form's pieces.
type match map[string]string

//go:embed forms.txt
var formsText string

var forms = sync.OnceValue(func() (all []form) {
	named := strings.NewReplacer("{file}", "(?P<file>"+file+")", "{to}", "(?P<to>"+file+")", "{files}",
		"(?P<files>"+files+")", "{folder}", "(?P<folder>"+folder+")", "{place}", "(?P<place>"+where+")",
		"{old}", "(?P<old>"+lines+")", "{newText}", "(?P<new>"+lines+")", "{new}",
		"(?P<new>"+lines+"|@content|"+content+"|"+内容+")", "{quoted}", "(?P<quoted>"+quoted+")", "{anchor}",
		"(?P<anchor>"+lines+")", "{from}", `(?P<from>\d{1,6})`, "{last}", `(?P<last>\d{1,6})`, "{content}",
		"(?:@content|"+content+")", "{内容}", "(?:@content|"+内容+")", "{passages}",
		"(?P<passages>,? (?:with|and) (?:all )?(?:its|the|their)(?: cited)? passages)", "{re}",
		"(?P<re>(?:pattern|regex|regular expression) )?", "{正则}", "(?P<re>正则表达式|正则)?")
	pattern := ""
	for line := range strings.Lines(formsText) {
		line = strings.TrimSuffix(line, "\n")
		if call, ok := strings.CutPrefix(line, "\t"); ok {
			re := regexp.MustCompile("^(?i:" + named.Replace(pattern) + ")$")
			all = append(all, form{re, call})
		}
		pattern = line
	}
	return all
})

// understand returns the calls that one statement asks for, none unless the whole of it matches a form.
func understand(statement string) []step {
	for _, f := range forms() {
		found := f.pattern.FindStringSubmatch(statement)
		if found == nil {
			continue
		}
		m := match{}
		for g, name := range f.pattern.SubexpNames() {
			if name != "" && found[g] != "" {
				m[name] = found[g]
			}
		}
		if !m.certain(statement) {
			return nil
		}
		return m.steps(f.call)
	}
	return nil
}

var piece = regexp.MustCompile(`\{\w+\}`)

// steps returns the steps of a form's call, without missing fields. A list of files gives a step for each.
func (m match) steps(call string) (all []step) {
	action, given, _ := strings.Cut(call, " ")
	if action == "search" {
		return m.search()
	}
	if strings.Contains(given, "{files}") {
		for _, p := range m.paths() {
			all = append(all, step{action, map[string]any{"path": unquote(p)}})
		}
		return all
	}
	args := map[string]any{}
	for field := range strings.FieldsSeq(given) {
		name, text, _ := strings.Cut(field, "=")
		value := piece.ReplaceAllStringFunc(text,
			func(p string) string { return m.value(strings.Trim(p, "{}")) })
		switch {
		case value == "" && slices.Contains([]string{"line", "anchor", "passages"}, name):
		case name == "line":
			args[name], _ = strconv.Atoi(value) // digits
		case name == "lines":
			args[name] = strings.TrimSuffix(value, "-")
		default:
			args[name] = value
		}
	}
	return []step{{action, args}}
}

// value returns the value of a piece: a quotation without its marks, a folder as a path, and for new text a
// quotation or the name of the content. A copy goes after its anchor, or to the end, where nothing is lost.
func (m match) value(name string) string {
	switch {
	case name == "folder":
		return cleaned(m[name])
	case name == "new" && unquote(m[name]) == m[name]:
		return contentName
	case name == "passages" && m[name] != "":
		return "below"
	case name == "copy" && m["anchor"] != "":
		return "insert"
	case name == "copy":
		return "append"
	}
	return unquote(m[name])
}

var (
	operators = regexp.MustCompile(`[\\|*+?^$()\[\]{}]`)
	citation  = regexp.MustCompile(`\[s\d+(?:\.\d+)?\]`)
)

// search looks for a text as written; what may be an expression is no plain request. A ^ at the start matches
// itself and the beginning of a line.
func (m match) search() []step {
	text := unquote(m["quoted"])
	bare, atBegin := strings.CutPrefix(text, "^")
	switch {
	case strings.TrimSpace(bare) == "":
		return nil
	case m["re"] != "":
	case operators.MatchString(citation.ReplaceAllString(bare, "")):
		return nil
	default:
		text = regexp.QuoteMeta(bare)
		if atBegin {
			text = `(?:^|\^)` + text
		}
		if strings.ToLower(text) != strings.ToUpper(text) {
			text = "(?i)" + text
		}
	}
	where := cleaned(m["place"])
	if fileName.MatchString(where) && !strings.Contains(where, "*") {
		return []step{{"search_in_file", map[string]any{"path": where, "pattern": text}}}
	}
	return []step{{"grep_files", map[string]any{"directory": where, "pattern": text}}}
}

// unquote removes the marks of a quotation.
func unquote(text string) string {
	r, size := utf8.DecodeRuneInString(text)
	if closing := quotes[r]; closing != 0 && strings.HasSuffix(text, string(closing)) && len(text) > size {
		return text[size : len(text)-len(string(closing))]
	}
	return text
}

var (
	fileName = regexp.MustCompile(`(?:^s\d{1,4}|` + ending + `)$`)
	oneFile  = regexp.MustCompile(file)
	// midEnding finds a file ending directly followed by more of the sentence: 旧.md而不是新.md.
	midEnding = regexp.MustCompile(ending + `[^\x00-\x7F]`)
	// little are words unlikely in a file name but common in a sentence after one.
	little = regexp.MustCompile(
		`(?i) (?:and|or|but|not|no|never|without|except|if|unless|when|then|to|from|into|in|of|` +
			`on|at|by|with|for|as|` +
			`before|after|until|only|also|instead|lines?|section|part|than|rather|is|are|it|its|the|` +
			`this|that|which) `)
	refusing = regexp.MustCompile(`^[除不别勿非没无若如当而但或且即]`)
)

// anEscape finds what may mean a line end, a tab, a mark, a character code or one backslash.
var anEscape = regexp.MustCompile("\\\\[nrtux\"'`/$\\\\]")

// lineEscape finds what may mean white space.
var lineEscape = regexp.MustCompile(`\\[nrt]`)

// quoteEscape finds what may mean a quotation mark.
var quoteEscape = regexp.MustCompile(`\\["']`)

// toTheLetter reports whether no escape in the quotations can mean something else. Escapes in a text to
// replace are taken literally if the new text has one too: if that is wrong, the text is not found and
// nothing is lost. But \| in the old text does not settle the meaning of \n in the new one.
func (m match) toTheLetter() bool {
	old, made := m["old"], m["new"]
	both := anEscape.MatchString(old) && anEscape.MatchString(made)
	if both && !quoteEscape.MatchString(old+made) {
		return lineEscape.MatchString(old) || !lineEscape.MatchString(made)
	}
	return !anEscape.MatchString(old + made + m["quoted"] + m["anchor"])
}

// certain reports whether a form's pieces have only one reading: paths look like paths, and quotations are
// literal.
func (m match) certain(statement string) bool {
	if !m.toTheLetter() {
		return false
	}
	if text, given := m["old"]; given && strings.TrimSpace(unquote(text)) == "" {
		return false
	}
	for _, text := range append(m.paths(), m["file"], m["to"]) {
		if text != "" && !certainFile(statement, text) {
			return false
		}
	}
	if text, given := m["folder"]; given && !certainFolder(text) {
		return false
	}
	if text, given := m["place"]; given && !certainFolder(text) && !certainFile(statement, text) &&
		!strings.Contains(text, "*") {
		return false
	}
	from, err1 := strconv.Atoi(m["from"])
	last, err2 := strconv.Atoi(m["last"])
	return err1 != nil || from > 0 && (err2 != nil || last >= from)
}

func certainFolder(text string) bool {
	bare := unquote(text)
	return bare == "." || strings.HasSuffix(bare, "/") ||
		slices.Contains([]string{"notebook", "sources", "rules"}, strings.ToLower(bare))
}

// certainFile reports whether a text is exactly the path of one file.
func certainFile(statement, text string) bool {
	bare := unquote(text)
	if !fileName.MatchString(bare) || strings.ContainsAny(bare, "\n\\") {
		return false
	}
	if bare != text {
		return true // it is in quotes
	}
	if midEnding.MatchString(bare) ||
		strings.Contains(bare, " ") && little.MatchString(strings.ReplaceAll(bare, "/", " ")) {
		return false
	}
	first, _, _ := strings.Cut(bare, "/")
	if !strings.ContainsFunc(first, func(r rune) bool { return r >= utf8.RuneSelf }) {
		return true
	}
	// Chinese has no spaces: the first name may include a word of the sentence.
	at := strings.Index(statement, text)
	return at > 0 && statement[at-1] == ' ' && !refusing.MatchString(first)
}

// paths returns the files of a list.
func (m match) paths() []string { return oneFile.FindAllString(m["files"], -1) }

// cleaned returns a path without the quotes around it.
func cleaned(text string) string {
	text = unquote(text)
	if strings.HasSuffix(text, "/") && len(text) > 1 {
		return path.Clean(text)
	}
	return text
}
