package gate

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
)

// Language wants the report in the language of the question, or in the one that was asked for: there, in the
// notes or in the brief. Code, and what is in quotation marks, is not counted. A question that is too
// short to show its language shows its letters; where these do not decide it either, the report passes.
type Language struct{}

// Name implements Gate.
func (Language) Name() string { return "language" }

// Refuse implements Gate.
func (Language) Refuse(_ context.Context, r Report) string {
	text := unquoted(r.prose())
	asked, is := lettersOf(r.Question), lettersOf(text).language(text, 20)
	want := r.Language
	if want == "" {
		want = asked.language(r.Question, 1)
		if want == "zh" && is == "ja" && isName(r.Question) || asksFor(r.Question+"\n"+r.Wishes, is) {
			return ""
		}
	}
	in := name(want)
	if _, latin := common()[is]; want == "" && !latin && asked.latin > 0 && asked.by(is) == 0 {
		in = "Latin letters"
	}
	if in == "" || is == "" || want == is {
		return ""
	}
	return fmt.Sprintf(
		"%s is written in %s and the question in %s: write it in the language of the question; "+
			"quotes stay as they are", r.File, name(is), in)
}

// quoted is what a report quotes, which is in the language of its source.
var quoted = regexp.MustCompile(`"[^"\n]+"|“[^“”\n]+”|「[^「」\n]+」|«[^«»\n]+»|『[^『』\n]+』`)

// unquoted is a text without what it quotes. What is too long is no quote, and one may begin in it.
func unquoted(text string) string {
	const longest = 600 // letters
	var out strings.Builder
	for {
		at := quoted.FindStringIndex(text)
		if at == nil {
			return out.String() + text
		}
		out.WriteString(text[:at[0]] + " ")
		if utf8.RuneCountInString(text[at[0]:at[1]]) > longest {
			_, mark := utf8.DecodeRuneInString(text[at[0]:])
			at[1] = at[0] + mark
		}
		text = text[at[1]:]
	}
}

// prose is its text without its code, its quotes in blocks and its addresses.
func (r Report) prose() string {
	d, _ := r.document() // a report that cannot be read has no language
	var out strings.Builder
	err := ast.Walk(d.root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *ast.CodeBlock, *ast.FencedCodeBlock, *ast.CodeSpan, *ast.Blockquote, *ast.AutoLink,
			*ast.HTMLBlock:
			return ast.WalkSkipChildren, nil
		case *ast.Text:
			if entering {
				out.Write(n.Segment.Value(d.source))
				out.WriteByte(' ')
			}
		case *ast.Paragraph, *ast.Heading:
			if !entering {
				out.WriteByte('\n')
			}
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		return ""
	}
	return out.String()
}

// name returns the name of a language by its BCP 47 code; "" for one that the gate does not tell apart.
func name(code string) string {
	return map[string]string{"zh": "Chinese", "ja": "Japanese", "ko": "Korean",
		"ru": "a language in Cyrillic letters", "ar": "a language in Arabic letters",
		"en": "English", "de": "German", "fr": "French", "es": "Spanish", "it": "Italian", "pt": "Portuguese",
		"nl": "Dutch"}[code]
}

// letters counts the letters of a text by script: syllables of those that write them, words of the others.
type letters struct{ han, kana, hangul, cyrillic, arabic, latin int }

// lettersOf counts those of a text. Codes such as G12C are of no language.
func lettersOf(text string) (all letters) {
	var word []rune
	for _, r := range text + " " {
		switch {
		case unicode.Is(unicode.Han, r):
			all.han++
		case unicode.In(r, unicode.Hiragana, unicode.Katakana):
			all.kana++
		case unicode.Is(unicode.Hangul, r):
			all.hangul++
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			word = append(word, r)
			continue
		}
		switch i := slices.IndexFunc(word, unicode.IsLetter); {
		case i < 0:
		case unicode.Is(unicode.Cyrillic, word[i]):
			all.cyrillic++
		case unicode.Is(unicode.Arabic, word[i]):
			all.arabic++
		case unicode.Is(unicode.Latin, word[i]) && !isCode(word):
			all.latin++
		}
		word = word[:0]
	}
	return all
}

// isCode reports whether a word is a code rather than a word of a language: KRAS, G12C, iPhone15, mRNA.
func isCode(word []rune) bool {
	upper := 0
	for _, r := range word {
		if unicode.IsDigit(r) {
			return true
		}
		if unicode.IsUpper(r) {
			upper++
		}
	}
	return upper > 1
}

// by is how much of a text is in the letters of a language that needs no Latin ones. A syllable is half a
// word, so that a Chinese text full of Latin names stays Chinese.
func (l letters) by(code string) int {
	return map[string]int{"zh": l.han + l.kana, "ja": l.han + l.kana, "ko": l.hangul, "ru": 2 * l.cyrillic,
		"ar": 2 * l.arabic}[code]
}

// language is the code of the language that most of the text with these letters is in; "" when there are
// fewer than least, or it is uncertain.
func (l letters) language(text string, least int) string {
	total := l.by("zh") + l.by("ko") + l.by("ru") + l.by("ar") + 2*l.latin
	for _, code := range []string{"zh", "ko", "ru", "ar"} {
		if n := l.by(code); n >= least && 2*n >= total {
			if code == "zh" && 5*l.kana > l.han {
				return "ja"
			}
			return code
		}
	}
	if 2*l.latin >= least && 4*l.latin >= total {
		return latinLanguage(text)
	}
	return ""
}

// common are words that one of these languages has and most of the others have not, so that a handful of them
// tells which it is.
func common() map[string]string {
	return map[string]string{
		"en": "the of and is are what how with which does from was that this has why do when where who " +
			"should can to for by it its be at than",
		"de": "der das und ist die wie nicht mit für auf wird ein welche warum werden was wann " +
			"wer wo kann sind von zu im den dem eine wieso weshalb welcher welches",
		"fr": "les est et dans quel quelle des une pour sont avec du qui cette comment pourquoi " +
			"quand quels quelles combien",
		"es": "el los las y es por qué cómo una del con son para cuál está cuáles cuándo dónde cuánto quién",
		"it": "il gli è di che quali sono della nel nella dei più questo perché una delle anche " +
			"quando dove quanto",
		"pt": "o os são não uma como quais do da em para por que mais foi quando onde quem",
		"nl": "het een en zijn hoe wat niet dat deze bij uit naar voor op wordt welke ook waarom " +
			"wanneer waar wie",
	}
}

// asking are the words that tell the language of a question alone when they begin it. Those that are also
// a word or a name in another language are not among them.
const asking = " what how which why when where who warum wieso weshalb wann welche welcher welches " +
	"pourquoi quel" +
	" quelle quels quelles combien qué cómo cuál cuáles cuándo dónde cuánto quién perché quali " +
	"quais onde waarom" +
	" wanneer "

// latinLanguage tells languages in Latin letters apart by their common words, which have no capital letter
// unless they begin the text: Die Hard and the WHO are names. One must be clearly ahead.
func latinLanguage(text string) string {
	of := map[string][]string{} // the languages of a word
	for code, words := range common() {
		for word := range strings.FieldsSeq(words) {
			of[word] = append(of[word], code)
		}
	}
	found, first := map[string]int{}, ""
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) }) {
		if first == "" && !isCode([]rune(word)) {
			word = strings.ToLower(word)
			first = word
		}
		for _, code := range of[word] {
			found[code]++
		}
	}
	best, second := "", 0
	for code, n := range found {
		if best == "" || n > found[best] || n == found[best] && code < best {
			best = code
		}
	}
	for code, n := range found {
		if code != best {
			second = max(second, n)
		}
	}
	least := 2
	if strings.Contains(asking, " "+first+" ") {
		least = 1
	}
	if best == "" || found[best] < least || found[best] < 2*second {
		return ""
	}
	return best
}

// isName reports whether a question is so short, and so without kana, that it may be Japanese as well as
// Chinese.
func isName(question string) bool {
	letters := 0
	for _, r := range question {
		switch {
		case unicode.In(r, unicode.Hiragana, unicode.Katakana):
			return false
		case unicode.IsLetter(r):
			letters++
		}
	}
	return letters <= 12
}

// called are the names that the languages have in each other, as patterns.
func called() map[string]string {
	return map[string]string{
		"zh": "chinese|mandarin|chinesisch|chinois|chino|cinese|chinês|chinees|китайском|中文|汉语|漢語|华" +
			"语|華語|中国語|중국어",
		"ja": "japanese|japanisch|japonais|japonés|giapponese|japonês|japans|японском|日文|日" +
			"语|日語|日本語|일본어",
		"ko": "korean|koreanisch|coréen|coreano|koreaans|корейском|韩文|韩语|韓文|韓語|韓国語|한국어",
		"ru": "russian|russisch|russe|ruso|russo|русском|俄文|俄语|俄語|ロシア語|러시아어",
		"ar": "arabic|arabisch|arabe|árabe|arabo|арабском|阿拉伯文|阿拉伯语|阿拉伯語|アラビア語|아랍어",
		"en": "english|englisch|anglais|inglés|inglese|inglês|engels|английском|英文|英语|英語|영어",
		"de": "german|deutsche?|allemand|alemán|tedesco|alemão|duits|немецком|德文|德语|德語|ドイツ語|독일어",
		"fr": "french|französisch|français|francés|francese|francês|frans|французском|法文|法语|法語|フラ" +
			"ンス語|프랑스어",
		"es": "spanish|spanisch|espagnol|español|castellano|spagnolo|espanhol|spaans|испанском|西班牙文|西" +
			"班牙语|西班牙語|スペイン語|스페인어",
		"it": "italian|italienisch|italien|italiano|italiaans|итальянском|意大利文|意大利语|義大利語|イタ" +
			"リア語|이탈리아어",
		"pt": "portuguese|portugiesisch|portugais|portugués|portoghese|português|portugees|португальском|" +
			"葡萄牙文|葡萄牙语|葡萄牙語|ポルトガル語|포르투갈어",
		"nl": "dutch|niederländisch|néerlandais|neerlandés|holandés|olandese|holandês|nederlands|" +
			"нидерландском|荷兰文|荷兰语|荷蘭語|オランダ語|네덜란드어",
	}
}

// asksFor reports whether a question names a language as the one to write in, such as "in German" or 用英文.
// What it says in another sense, such as "in German law", is taken for that too: in doubt the report passes.
func asksFor(question, code string) bool {
	names := called()[code]
	if names == "" {
		return false
	}
	asked :=
		regexp.MustCompile(`(?i)(?:^|\PL)(?:in|into|to|auf|ins|en|em|op|på|на|use|using)\s+(?:the\s+)?(?:` +
			names + `)(?:\PL|$)|` +
			`[用以成为為]\s*(?:` + names + `)|(?:` + names +
			`)\s*(?:で|に|로|[写寫撰答回版]|报告|報告|输出|輸出|\s(?:report|summary|answer|version)\b)`)
	return asked.MatchString(question)
}
