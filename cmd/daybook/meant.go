package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/alecthomas/kong"
)

// translated maps Chinese names of commands to the commands.
var translated = map[string]string{"状态": "status", "日志": "log", "记录": "log", "检查": "verify", "核对": "verify", "验证": "verify",
	"导出": "export", "帮助": "help", "恢复": "restore", "回放": "replay", "重放": "replay", "版本": "version", "诊断": "doctor", "运行": "run"}

// meant returns the command that a word translates or is spelled like, or "". Likeness is a guess, which must
// not lead to a command that changes files.
func meant(word string, app *kong.Application) string {
	near := nearest(word, commandsOf(app))
	if slices.Contains([]string{"restore", "export", "mcp"}, near) {
		near = ""
	}
	return cmp.Or(translated[word], near)
}

// commandLike refuses a short Chinese word that may be meant as a command: a translation of one, or a word
// before the folder of a research. Taken as a question, it would move that research to the archive.
func commandLike(args []string, app *kong.Application) error {
	const longest = 4 // characters
	at := firstWord(args, app)
	if at < 0 || !isQuestion(args[at]) || asks(args[at]) || utf8.RuneCountInString(args[at]) > longest {
		return nil
	}
	word, rest := args[at], slices.Concat(args[:at], args[at+1:])
	name, next := translated[word], firstWord(rest, app)
	isResearch := next >= 0 && holdsFiles(rest[next]) && holdsResearch(researchIn(rest[next]))
	isAlone := next < 0 && !slices.ContainsFunc(rest, isAsking) // with the flags of a question, it is a topic
	if !isResearch && (name == "" || next < 0 && !isAlone) {
		return nil
	}
	words, flags := parted(rest)
	again := strings.Join(append([]string{shownQuestion(word)}, texts(words, shown)...), " ") + flags
	hint := fmt.Sprintf("daybook -h shows the commands and their flags; to ask about it: `daybook -q %s`", again)
	if !isAlone {
		hint = fmt.Sprintf("run researches a question: `daybook run %s`", "-q "+again)
	}
	if name == "" {
		return wrongUse(hint, "%s is not a command", word)
	}
	return wrongUse(hint, "%s is not a command; did you mean %s?", word, name)
}
