package clip

import (
	"path"
	"strings"
	"unicode"
	"unicode/utf8"
)

// verb is what a request asks for.
type verb int

const (
	unclear verb = iota
	read
	write
	add
	insert
	create
	makeDirectory
	remove
	list
	search
	proceed // with a stream
)

// verbOf finds the one thing that is asked for. Requests that forbid something or ask for two things are unclear; "show" and its
// like go along with another verb, and so does the writing that creating or adding needs.
func verbOf(rest string) verb {
	if before, _, found := strings.Cut(rest, " for "); found && mentions(before, searching) {
		rest = before // what is searched for may be a verb too
	}
	has := func(list string) bool { return mentions(rest, list) }
	if has("not don't never without 不要 不能 别 勿") {
		return unclear
	}
	if has("continue 继续") {
		return proceed
	}
	var found []verb
	for _, v := range verbs() {
		if has(v.words) {
			found = append(found, v.verb)
		}
	}
	if len(found) > 1 && (found[0] == insert || found[0] == add || found[0] == create) && found[len(found)-1] == write {
		found = found[:len(found)-1]
	}
	switch {
	case len(found) == 1 && found[0] == create && has("directory folder 目录 文件夹"):
		return makeDirectory
	case len(found) == 1:
		return found[0]
	case len(found) == 0 && has("show open print display view get cat return 打开 查看 显示 看看 内容"):
		return read
	}
	return unclear
}

const searching = "search grep find look 搜索 查找 寻找 检索"

// named is a verb with the words that name it.
type named struct {
	verb  verb
	words string
}

func verbs() []named {
	return []named{
		{remove, "delete remove erase 删除 删掉 移除"},
		{insert, "insert 插入"},
		{add, "append add 追加 添加 附加 补充"},
		{list, "list 列出 列表 有哪些文件"},
		{search, searching},
		{create, "create make 创建 新建 建立"},
		{write, "write overwrite save put store replace 写入 写到 写进 写 保存 覆盖 存入 存到"},
		{read, "read 读取 读出 读"},
	}
}

// mentions says whether a text has one of some words: an English one as a word of its own, in any form in -s, -ing, -ed; a Chinese
// one anywhere.
func mentions(text, list string) bool {
	words := set(strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' || unicode.Is(unicode.Han, r) }))
	for _, word := range strings.Fields(list) {
		if isHan(word) && strings.Contains(text, word) || words[word] || words[word+"s"] || words[word+"ing"] || words[strings.TrimSuffix(word, "e")+"ing"] {
			return true
		}
	}
	return false
}

// dissect takes a request apart: quoted texts, paths, and the other words in lower case.
func dissect(operation string) (quoted, paths []string, rest string) {
	var words strings.Builder
	for inWord := false; len(operation) > 0; {
		inner, after, ok := quotedAt(operation)
		if !ok || inWord && operation[0] == '\'' { // as in don't
			r, _ := utf8.DecodeRuneInString(operation)
			inWord = unicode.IsLetter(r)
			_, size := utf8.DecodeRuneInString(operation)
			words.WriteString(operation[:size])
			operation = operation[size:]
			continue
		}
		if looksLikePath(inner) {
			paths = append(paths, inner)
		} else {
			quoted = append(quoted, inner)
		}
		words.WriteString(" ")
		operation = after
	}
	var others []string
	for _, word := range strings.FieldsFunc(words.String(), func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(",;:!?，。；：、！？（）()<>《》", r)
	}) {
		before, path, after := pathIn(strings.TrimRight(word, "."))
		if path != "" {
			paths = append(paths, path)
		}
		others = append(others, before, after)
	}
	return quoted, paths, strings.ToLower(strings.Join(strings.Fields(strings.Join(others, " ")), " "))
}

// quotedAt reads a quoted text at the start of s.
func quotedAt(s string) (inner, after string, ok bool) {
	for _, marks := range [][2]string{{"`", "`"}, {`"`, `"`}, {"“", "”"}, {"「", "」"}, {"『", "』"}, {"'", "'"}} {
		rest, opened := strings.CutPrefix(s, marks[0])
		if !opened {
			continue
		}
		if inner, after, ok = strings.Cut(rest, marks[1]); ok && strings.TrimSpace(inner) != "" {
			return inner, after, true
		}
	}
	return "", "", false
}

// looksLikePath says whether a quoted text names a file or a directory of the workspace.
func looksLikePath(text string) bool {
	if isDirectory(text) {
		return true
	}
	extension := path.Ext(text)
	return len(extension) > 1 && len(extension) <= 6 && !strings.ContainsAny(text, "\n`<>") && isWord(extension[1:])
}

func isWord(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) }) < 0
}

// isDirectory knows the directories of a workspace and whatever is written with a slash at its end.
func isDirectory(text string) bool {
	switch text {
	case "Notebook", "Sources", "rules", ".":
		return true
	}
	return strings.HasSuffix(text, "/")
}

// pathIn finds a path in a word. Chinese puts no blanks between a verb, a path and what comes after it.
func pathIn(word string) (before, found, after string) {
	from, end := 0, len(word)
	for _, root := range []string{"Notebook", "Sources", "rules/", "report.md", overallFile, "current_dashboard.md", "daybook.yaml"} {
		if at := strings.Index(word, root); at >= 0 {
			from = at
			break
		}
	}
	if from == 0 {
		from = afterVerb(word)
	}
	name := word[from:]
	if dot := strings.LastIndex(name, "."); dot >= 0 {
		size := strings.IndexFunc(name[dot+1:], func(r rune) bool { return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		if size < 0 {
			size = len(name) - dot - 1
		}
		end = from + dot + 1 + size
	} else if strings.HasPrefix(name, "Notebook") || strings.HasPrefix(name, "Sources") {
		if size := strings.IndexFunc(name, func(r rune) bool { return unicode.Is(unicode.Han, r) }); size >= 0 && !strings.Contains(name, "/") {
			end = from + size
		}
	}
	if found = word[from:end]; !looksLikePath(found) && !strings.Contains(found, "/") || strings.HasPrefix(found, ".") && len(found) < 3 {
		return word, "", ""
	}
	return word[:from], found, word[end:]
}

// afterVerb is where a path starts in a Chinese word that opens with a verb, such as 读取笔记.md.
func afterVerb(word string) int {
	for _, verb := range []string{"读取", "读出", "写入到", "写入", "写到", "写进", "追加到", "添加到", "保存到", "存到", "插入到", "删除", "删掉", "移除", "创建", "新建", "建立", "打开", "查看",
		"显示", "列出", "搜索", "查找", "覆盖", "文件", "在", "向", "把", "将", "到", "读", "写"} {
		if rest, ok := strings.CutPrefix(word, verb); ok && rest != "" {
			return len(verb) + afterVerb(rest)
		}
	}
	return 0
}

// wantedIn is what a search without quotation marks is for: the words after "for", or after the Chinese verb.
func wantedIn(rest string) string {
	if _, after, found := strings.Cut(rest+" ", " for "); found {
		after, _, _ = strings.Cut(after, " in ")
		return strings.TrimSpace(after)
	}
	for _, verb := range []string{"搜索", "查找", "检索", "寻找"} {
		if _, after, found := strings.Cut(rest, verb); found {
			return strings.TrimSpace(after)
		}
	}
	return ""
}
