package prose_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The language is the question's: names and codes are of none. Whoever sets one decides.
func TestLanguageOf(t *testing.T) {
	for question, want := range map[string]prose.Language{
		"KRAS G12C 靶点": prose.Chinese, "postgres vacuum 原理": prose.Chinese, "CAN 总线": prose.Chinese,
		"A 股":               prose.Chinese,
		"Daybook 怎样保存长期研究？": prose.Chinese, "What does 深 mean?": prose.English,
		"the meaning of 道":   prose.English,
		"How do tides work?": prose.English, "量子コンピュータとは何ですか": prose.English, "": prose.English,
	} {
		assert.Equal(t, want, prose.LanguageOf("", question), question)
		assert.Equal(t, prose.English, prose.LanguageOf(prose.English, question), question)
		assert.Equal(t, prose.Chinese, prose.LanguageOf(prose.Chinese, question), question)
	}
}

var verbs = regexp.MustCompile(`%(?:\[(\d)\])?([-+]?[\d.]*[sdvwqgf])`)

// verbsOf are the verbs of a format by the place of what they show.
func verbsOf(format string) map[int]string {
	all, next := map[int]string{}, 1
	for _, m := range verbs.FindAllStringSubmatch(strings.ReplaceAll(format, "%%", ""), -1) {
		if m[1] != "" {
			next, _ = strconv.Atoi(m[1])
		}
		all[next] = strings.NewReplacer("v", "s", "w", "s").Replace(
			m[2]) // which of them is told, the Chinese says
		next++
	}
	return all
}

// ofTheSystem is what the system says, or a library.
var ofTheSystem = []string{
	"mkdir %s: %w", "open %s: %w", "using %s: %w",
	"no such file or directory", "permission denied", "not a directory", "is a directory", "file exists",
	"no space left on device", "read-only file system", "connection refused",
	"connection reset by peer", "i/o timeout", "unexpected EOF", "context deadline exceeded",
}

// Both languages have every text that is said, with the same verbs, and the table has nothing that is not
// said.
func TestBothLanguagesHaveEveryText(t *testing.T) {
	said, written := literals(t)
	table := prose.Table()
	for _, english := range said {
		assert.NotEmpty(t, table[english], "zh.txt lacks %q", english)
	}
	for english, chinese := range table {
		assert.True(t, written[english] || slices.Contains(ofTheSystem, english), "nobody says %q", english)
		assert.Equal(t, verbsOf(english), verbsOf(chinese), english)
		assert.NotEmpty(t, chinese, english)
	}
	assert.NotEmpty(t, said)
	text, err := os.ReadFile("zh.txt")
	require.NoError(t, err)
	once := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, "\t") && !strings.HasPrefix(line, "#") && line != "\n" {
			assert.False(t, once[line], "zh.txt has it twice: %s", line)
			once[line] = true
		}
	}
}

// sentence finds a text that says something: two words in lower case.
var sentence = regexp.MustCompile(`[a-z]{2,}[,;:]? [a-z%]|%[sdqv][,;:]? [a-z]{2,}`)

// forOthers are the files whose sentences are for developers and for shells, in English.
var forOthers = regexp.MustCompile(`/(?:bench\w*|completion|manual)\.go$`)

// noSentence begins what a person does not read.
var noSentence = []string{"The opposite of --", "Read as ", "(?m)", "<page id", "^Not finished: ",
	"already defined", "unexpected argument",
	"\nExample:", "Usage: daybook"}

// Whatever the command line says is in the table: a sentence of it that is not cannot be said in Chinese.
func TestNoSentenceEscapesTheTable(t *testing.T) {
	files, err := filepath.Glob("../../cmd/daybook/*.go")
	require.NoError(t, err)
	found := 0
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") || forOthers.MatchString(filepath.ToSlash(path)) {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		require.NoError(t, err)
		ast.Inspect(file, func(n ast.Node) bool {
			if field, ok := n.(*ast.Field); ok {
				field.Tag = nil // the help of a flag
			}
			e, ok := n.(ast.Expr)
			if !ok {
				return true
			}
			text, ok := constant(e)
			unread := func(begin string) bool { return strings.HasPrefix(text, begin) }
			if ok && sentence.MatchString(text) && !slices.ContainsFunc(noSentence, unread) {
				found++
				assert.NotEmpty(t, prose.Table()[text]+prose.Table()["%d "+text], "%s says %q", path, text)
			}
			return !ok
		})
	}
	assert.NotZero(t, found)
}

// literals are the constant texts that are given to Say and Count, and all that stand in the program.
func literals(t *testing.T) (said []string, written map[string]bool) {
	t.Helper()
	const top = "../.."
	written = map[string]bool{}
	libraries, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/alecthomas/kong",
		"github.com/goccy/go-yaml").Output()
	require.NoError(t, err)
	for _, top := range append(strings.Fields(string(libraries)), top) {
		require.NoError(t, filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(n ast.Node) bool {
				if e, ok := n.(ast.Expr); ok {
					if text, ok := constant(e); ok {
						written[text] = true
					}
				}
				if field, ok := n.(*ast.Field); ok && field.Tag != nil &&
					strings.Contains(path, "/cmd/daybook/") {
					tag, _ := constant(field.Tag)
					if help := reflect.StructTag(tag).Get("help"); help != "" &&
						!strings.Contains(tag, "hidden") {
						said, written[help] = append(said, help), true
					}
				}
				if call, ok := n.(*ast.CallExpr); ok {
					// an export has both languages where it says something, in that of its report
					if text, ok := spoken(call); ok && !strings.Contains(path, "/export/") {
						said, written[text] = append(said, text), true
					}
				}
				return true
			})
			return nil
		}))
	}
	return said, written
}

// spoken is the constant text that a call says.
func spoken(call *ast.CallExpr) (string, bool) {
	at, ok := map[string]int{"Say": 0, "say": 0, "item": 0, "Count": 1}[named(call.Fun)]
	if of, is := call.Fun.(*ast.SelectorExpr); is &&
		slices.Contains([]string{"strings", "bytes", "agent"}, named(of.X)) { // agent.Say is for a model
		return "", false
	}
	if !ok || len(call.Args) <= at {
		return "", false
	}
	text, ok := constant(call.Args[at])
	if at == 1 {
		text = "%d " + text
	}
	return text, ok
}

func named(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return ""
}

// constant is the text of a literal, or of several put together.
func constant(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, err == nil && e.Kind == token.STRING
	case *ast.BinaryExpr:
		before, ok := constant(e.X)
		after, also := constant(e.Y)
		return before + after, ok && also && e.Op == token.ADD
	}
	return "", false
}

// What was filled in already is said in Chinese as far as the table has it; the rest stays as it is.
func TestTell(t *testing.T) {
	const text = "Not sound, length: <b>%s</b>"
	assert.Equal(t, "未通过检查，篇幅：<b>%s</b>", prose.Chinese.Tell(text))
	assert.Equal(t, text, prose.English.Tell(text))
	assert.Equal(t, "so it is", prose.Chinese.Tell("so it is"))
	// a row of sentences, and what another said, which has their marks
	for english, chinese := range map[string]string{
		"r.md does not have the length of the profile memo. For that, work on these places only:": "" +
			"r.md 的篇幅不符合 memo 的要求。需要修改的只有：",
		"http://a/v1 wants a key (401: No. Pay; or not): set KEY": "" +
			"http://a/v1 需要密钥 (401: No. Pay; or not)：请设置 KEY",
		"d/daybook.yaml: the profile memo is not right: tables goes from 9 to 3": "" +
			"d/daybook.yaml：报告类型 memo 有误：tables 从 9 到 3",
		"Not finished: parts, language do not pass. Mend all of it, then propose to finish again.": "" +
			"尚未完成：未通过：结构、语言。请全部改正，再提议结束。",
		"9 left out: 8 × not a regular file; 1 × left out": "略去 9 个：8 个不是普通文件；1 个略去",
		"open x: no such file or directory":                "无法打开 x：没有这个文件或文件夹",
		"no run can work in r: preparing .daybook in the workspace: using .daybook: permission denied": "" +
			"无法在 r 里工作：无法准备 .daybook：无法使用 .daybook：没有权限",
		"creating the workspace: mkdir a: permission denied": "无法建立文件夹：无法建立 a：没有权限",
		`line 11: the target of a link is no address: "doc:a.html#b"`: "" +
			`第 11 行：链接的目标不是网址："doc:a.html#b"`,
		"x/a.md does not exist; in its folder there are Notebook, Sources": "" +
			"x/a.md 不存在；它所在的文件夹里有 Notebook、Sources",
		"what report.md cites does not all hold (faults: 2, in citations of s1, s2). Put each right from " +
			"the text of the source, cite the source that says it, or take the statement out.": "" +
			"report.md 的引用并不都成立（2 处，涉及 s1、s2）。" +
			"请按原文改正，改为引用提到它的来源，或删去这句话。",
		"writing the index: nothing answers at http://a": "无法写入索引：连不上 http://a",
	} {
		assert.Equal(t, chinese, prose.Chinese.Tell(english))
	}
}

// known is a text of the system, and side finds places to fill in of which nobody knows where one ends.
const known = "connection refused"

var side = regexp.MustCompile(`%[sw]%[sw]`)

// toldIn are the places that are filled in with the program's own words.
func toldIn(chinese string) map[int]bool {
	all, next := map[int]bool{}, 1
	for _, m := range verbs.FindAllStringSubmatch(strings.ReplaceAll(chinese, "%%", ""), -1) {
		if m[1] != "" {
			next, _ = strconv.Atoi(m[1])
		}
		all[next] = strings.HasSuffix(m[2], "v") || strings.HasSuffix(m[2], "w")
		next++
	}
	return all
}

// Each text of the table that can be known again is told as itself, whatever others there are.
func TestTellFindsEachText(t *testing.T) {
	assert.Equal(t, "询问有哪些模型：连接被拒绝",
		prose.Chinese.Tell("asking which models there are: connection refused"))
	found := 0
	for english, chinese := range prose.Table() {
		values, told := verbsOf(english), toldIn(chinese)
		with := make([]any, len(values))
		for place, verb := range values {
			with[place-1] = fmt.Sprintf("x%d", place)
			if told[place] {
				with[place-1] = known
			}
			switch verb[len(verb)-1] {
			case 'd':
				with[place-1] = 2 + place
			case 'f', 'g':
				with[place-1] = 1.5
			}
		}
		if len(with) == 0 || len(verbs.ReplaceAllString(english, "")) < 10 || side.MatchString(english) {
			continue
		}
		plain := func(text string) string {
			return fmt.Sprintf(verbs.ReplaceAllStringFunc(text, func(verb string) string {
				return strings.Replace(verb, "w", "v", 1)
			}), with...)
		}
		want := strings.ReplaceAll(plain(chinese), known, prose.Chinese.Say(known))
		assert.Equal(t, want, prose.Chinese.Tell(plain(english)), english)
		found++
	}
	assert.Greater(t, found, 400)
}

// Names of things stay as they are, though the table has their words. What the program itself fills in is
// said in Chinese, also within a sentence that goes on behind it.
func TestTellLeavesNames(t *testing.T) {
	for english, chinese := range map[string]string{
		"there are no documents at own documents":            "在 own documents 找不到文档",
		"own documents is empty":                             "own documents 是空的",
		"indexed out of time":                                "已索引 out of time",
		"clearing going in circles: permission denied":       "无法清除 going in circles：没有权限",
		"not taken: prompt cache":                            "不接受：prompt cache",
		"stopped at a limit: out of time":                    "达到上限而停止：时间用完",
		"“a tide; not free” is not in s1.1; see s1.2":        "“a tide; not free”不在 s1.1 中；见 s1.2",
		"Not searched: web page (not available: status 500)": "未能检索 web page（无法使用：状态码 500）",
		"line 3 [s1.9]: block missing: s1 has 2 blocks, and no block 9": "" +
			"第 3 行 [s1.9]：没有这一段：s1 共有 2 段，没有第 9 段",
	} {
		assert.Equal(t, chinese, prose.Chinese.Tell(english))
	}
}

// What a source, a person or a setting says is never told, only what the program and the system say.
func TestTellLeavesTheWordsOfOthers(t *testing.T) {
	for english, chinese := range map[string]string{
		"“no such file or directory” is not in s1":                   "",
		"line 3: the quote “no such file or directory” is not in s1": "",
		"“the dog is not in the house; no such file or directory; b” is told": "" +
			"“the dog is not in the house; no such file or directory; b” is told",
		"opening search: no such file or directory":                   "",
		"search: no such file or directory":                           "search：没有这个文件或文件夹",
		"length: no such file or directory":                           "length：没有这个文件或文件夹",
		"reading the profile research: permission denied":             "",
		"search does not have the length of the profile research":     "",
		"sends what it reads to the model checker of the same server": "",
	} {
		told := prose.Chinese.Tell(english)
		if chinese != "" {
			assert.Equal(t, chinese, told)
		}
		for _, word := range []string{"检索", "研究", "核查者", "篇幅："} {
			assert.NotContains(t, told, word, english)
		}
		if strings.Contains(english, "“") {
			assert.Contains(t, told, "no such file or directory")
		}
		if strings.HasSuffix(english, ": no such file or directory") {
			assert.Contains(t, told, "没有这个文件或文件夹")
		}
	}
	assert.Equal(t, "结束，但未通过检查：结构、篇幅。",
		prose.Chinese.Tell("Ended as not sound: the report does not pass parts, length."))
	for _, mark := range []string{"; ", ". ", ": ", ", ", " × ", "a; ", "a: ", "a b, "} {
		agenttest.RequireLinear(t, 2048, agenttest.Repeated(mark),
			func(text string) { prose.Chinese.Tell(text) })
	}
}
