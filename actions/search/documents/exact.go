package documents

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/actions/search"
	"github.com/daybook-agent/daybook/actions/search/words"
	"github.com/daybook-agent/daybook/agent/prose"
)

// exact is a phrase of a query, with its weight in the documents.
type exact struct {
	search.Exact
	silent bool          // a number, which has weight but is not shown
	weight map[int64]int // by document: how often it has the text, and where
}

const (
	mostExacts    = 6 // of one query
	mostPlaces    = 3
	mostLines     = 3
	inHeading     = 20   // the weight of one under a heading with the text, or of its definition; 1 elsewhere
	mostSearched  = 4000 // passages in which one is looked for
	fewDocuments  = 20   // a name in more of them, and in a twentieth of all, tells little
	longestTitle  = 70
	longestPhrase = 12 // words of an unquoted query that may be a phrase as a whole
)

// Words that look like names: os.Root, SQLITE_BUSY, --no-verify, std::move, fsync(), PyObject_GetBuffer,
// getElementById.
var (
	quotedPhrase = regexp.MustCompile("\"[^\"]+\"|“[^”]+”|`[^`]+`")
	nameLike     = regexp.MustCompile(
		`^--?[\pL\d]{2}|[\pL\d](?:[._/]|::|->|-[\pL\d]+-)[\pL\d]|^[._]{1,2}\pL|\(\)$|\p{Ll}\p{Lu}|` +
			`\p{Lu}{2}\p{Ll}{2}|^[\p{Lu}\d]{5,}$|^[\pL]*\d[\pL\d]*-|^\p{Lu}{1,6}-\d`)
)

// phrases returns the parts of a query to look for to the letter: what is quoted, what looks like a name in a
// program, and a short query as a whole.
func phrases(query string) []string {
	var list []string
	add := func(text string) {
		text = prose.OneLine(strings.Trim(text, "\"“”`"))
		if len(words.Split(text)) > 0 && !slices.Contains(list, text) && len(list) < mostExacts {
			list = append(list, text)
		}
	}
	for _, quoted := range quotedPhrase.FindAllString(query, -1) {
		add(quoted)
	}
	bare := strings.TrimSpace(quotedPhrase.ReplaceAllString(query, " "))
	if strings.ContainsAny(bare, `"“”`) || bare == "" {
		return list
	}
	fields := strings.Fields(bare)
	if len(list) == 0 && len(fields) > 1 && len(fields) <= longestPhrase {
		add(bare)
	}
	for _, field := range fields {
		if field = strings.TrimRight(field, ",;:?!。，？"); nameLike.MatchString(field) {
			add(field)
		}
	}
	return list
}

// isLiteral reports whether a query is nothing but quoted phrases and names. Whoever asks so wants no
// documents that hold only parts of them.
func isLiteral(query string) bool {
	isOther := func(field string) bool { return !nameLike.MatchString(field) }
	return !slices.ContainsFunc(strings.Fields(quotedPhrase.ReplaceAllString(query, " ")), isOther)
}

// exacts looks for the phrases of a query. One that is neither quoted nor looks like a name is kept only if a
// document holds it. A name that many documents hold, as a manual does that of its program, is kept only if
// it is the whole query.
func (l *lookup) exacts(query string, documents int) (list []exact) {
	for _, text := range phrases(query) {
		e := l.exactly(text)
		quoted, whole := strings.ContainsAny(query, "\"“”`"), text == prose.OneLine(query)
		isName := nameLike.MatchString(text) && !strings.Contains(text, " ")
		if !quoted && (e.Documents == 0 && !isName ||
			e.Documents > max(fewDocuments, documents/20) && !whole) {
			continue
		}
		e.silent = !quoted && !whole && !strings.ContainsFunc(strings.TrimLeft(text, "vV"), unicode.IsLetter)
		list = append(list, e)
		if whole && e.Documents > 0 && !e.InWords {
			break // its parts say no more
		}
	}
	return list
}

// exactly finds a text as written: as whole words, otherwise in another case, otherwise in longer names.
func (l *lookup) exactly(text string) exact {
	var tokens []string
	for _, w := range words.Split(text) {
		if !w.Dense {
			tokens = append(tokens, w.Text)
			continue
		}
		for _, pair := range words.EachPair(w.Text, false) {
			tokens = append(tokens, pair)
		}
	}
	const indexed = "passage.id IN (SELECT rowid FROM passage_text WHERE passage_text MATCH ? LIMIT ?) " +
		"ORDER BY passage.id"
	const everywhere = "instr(lower(text), lower(?)) > 0 ORDER BY passage.id LIMIT ?"
	phrase := `body : "` + strings.Join(tokens, " ") + `"`
	name := strings.TrimSuffix(text, "()")
	for _, try := range []struct {
		anyCase, inWords bool
		where, asked     string
	}{{false, false, indexed, phrase}, {true, false, indexed, phrase}, {true, true, everywhere, name}} {
		if try.inWords && strings.ContainsFunc(text, unicode.IsSpace) {
			break // a phrase is not a part of a name
		}
		e := exact{Exact: search.Exact{Text: text, AnyCase: try.anyCase, InWords: try.inWords}}
		if e.gather(l, try.where, try.asked, name); e.Documents > 0 {
			return e
		}
	}
	return exact{Exact: search.Exact{Text: text}}
}

// gather reads the passages that meet a condition and keeps the places where they hold the text.
func (e *exact) gather(l *lookup, where, asked, text string) {
	e.weight = map[int64]int{}
	byFile := map[int64]*search.Place{}
	var file int64
	var url, page, headings, passage string
	var first int
	var isList bool
	keep := func() {
		lines := plainLines(passage)
		for _, line := range e.linesWith(lines, text) {
			isTerm := defines(lines[line], text)
			switch {
			case isList: // it names the text, and says nothing about it
			case isTerm, e.in(words.Plain(page+" "+headings), text):
				e.weight[file] += inHeading
			default:
				e.weight[file]++
			}
			p := byFile[file]
			if p == nil {
				p = &search.Place{URL: url, Title: words.Capped(page, longestTitle)}
				byFile[file] = p
			}
			at := len(p.Lines)
			if isTerm { // a definition comes before a mention
				at = 0
			}
			if p.Lines = slices.Insert(p.Lines, at, first+line); len(p.Lines) > mostLines {
				p.Lines = p.Lines[:mostLines]
				p.Another++
			}
		}
	}
	l.each(keep, []any{&file, &url, &page, &headings, &first, &passage, &isList},
		"SELECT passage.file, url, title, headings, line, text, is_list FROM passage "+
			"JOIN file ON file.id = passage.file WHERE "+where, asked, mostSearched)
	e.Documents = len(byFile)
	files := slices.SortedFunc(maps.Keys(byFile), func(a, b int64) int {
		return cmp.Or(cmp.Compare(e.weight[b], e.weight[a]), strings.Compare(byFile[a].URL, byFile[b].URL))
	})
	for _, file := range files[:min(len(files), mostPlaces)] {
		e.Places = append(e.Places, *byFile[file])
	}
}

// behindTerm matches what follows a term that a line defines: " (default: 5):", or what it takes, as in
// "maxconn <conns>".
var behindTerm = regexp.MustCompile(`^(?: \([^()]{1,80}\)| [<\[{].{1,80}[>\]}.])?(?:$|[:：]| · | — )`)

// defines reports whether a line begins with the text as the term that it defines.
func defines(line, text string) bool {
	rest, begins := strings.CutPrefix(strings.TrimLeft(line, "-*+•· "), text)
	return begins && behindTerm.MatchString(rest)
}

// plainLines returns the lines of a passage without the marks of Markdown.
func plainLines(passage string) (lines []string) {
	for line := range strings.SplitSeq(passage, "\n") {
		lines = append(lines, prose.OneLine(words.Plain(line)))
	}
	return lines
}

// linesWith returns the indexes of the lines that hold the text. A text that is broken over lines is on the
// first of them.
func (e *exact) linesWith(lines []string, text string) (found []int) {
	text = prose.OneLine(words.Plain(text))
	for i, line := range lines {
		isBroken := strings.Contains(text, " ") && i+1 < len(lines) &&
			e.in(line+" "+lines[i+1], text) && !e.in(lines[i+1], text)
		if isBroken || e.in(line, text) {
			found = append(found, i)
		}
	}
	return found
}

// in reports whether a line holds the text as whole words, or anywhere with InWords.
func (e *exact) in(line, text string) bool {
	if e.AnyCase {
		line, text = strings.ToLower(line), strings.ToLower(text)
	}
	for from := 0; text != ""; from++ {
		at := strings.Index(line[from:], text)
		if at < 0 {
			return false
		}
		from += at
		if e.InWords || !goesOn(line[:from], text) && !goesOn(text, line[from+len(text):]) {
			return true
		}
	}
	return false
}

// goesOn reports whether the word at the end of a text continues in the next.
func goesOn(text, next string) bool {
	isPart := func(r rune) bool {
		return r == '_' || !words.IsDense(r) && (unicode.IsLetter(r) || unicode.IsNumber(r))
	}
	last, _ := utf8.DecodeLastRuneInString(text)
	first, _ := utf8.DecodeRuneInString(next)
	return isPart(last) && isPart(first)
}

// exactShare returns the share of the exact phrases that a document holds outside its lists of links. One
// that it defines, or has in a heading, counts half as much again.
func exactShare(list []exact, file int64) (held float64) {
	all := 0
	for _, e := range list {
		if e.Documents == 0 {
			continue
		}
		all++
		switch weight := e.weight[file]; {
		case weight >= inHeading:
			held += 1.5
		case weight > 0:
			held++
		}
	}
	return held / float64(max(1, all))
}
