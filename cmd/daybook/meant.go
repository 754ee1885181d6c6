package main

import (
	"cmp"
	"fmt"
	"os"
	"regexp"
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

// dashes matches a flag with the dashes that an input method types for hyphens.
var dashes = regexp.MustCompile(`^-?[‐‑‒–—―−－]+[-‐‑‒–—―−－]*([a-z][a-z-]*)((?:=.*)?)$`)

// misdashed returns an error that shows how to write such a flag: the parser takes it for a question's word.
func misdashed(args []string) error {
	for i, arg := range args {
		if arg == "--" {
			return nil
		}
		if i > 0 && strings.HasPrefix(args[i-1], "-") { // it may be the value of a flag
			continue
		}
		if m := dashes.FindStringSubmatch(arg); m != nil {
			hyphens := "--"[:min(len(m[1]), 2)]
			return wrongUse("flags begin with hyphens, which an input method may turn into dashes",
				"write “%s” instead of “%s”", hyphens+m[1]+m[2], arg)
		}
	}
	return nil
}

// torn returns an error if a Chinese question may have been split at its spaces: its last word could be part
// of it or a new folder.
func torn(args []string, app *kong.Application) error {
	at := firstWord(args, app)
	if at < 0 || strings.ContainsAny(args[at], " ?？。") || !isQuestion(args[at]) {
		return nil
	}
	words, flags := parted(args[at:])
	_, before := parted(args[:at])
	flags = before + flags
	last := len(words) - 1
	next := words[last]
	if _, err := os.Stat(next); last == 0 || err == nil || strings.ContainsAny(next, "/.") {
		return nil
	}
	if last == 1 && isWholeQuestion(words[0]) && !isWholeQuestion(next) {
		return nil
	}
	whole, rest := shownQuestion(strings.Join(words, " ")), shownQuestion(strings.Join(words[:last], " "))
	return wrongUse(fmt.Sprintf("put the question in quotation marks: `daybook %s`; for a new folder %s: `daybook run -q %s %s`",
		whole+flags, next, rest, shown(next)+flags), "%s may be more of the question, or a folder", next)
}

// isWholeQuestion reports whether a Chinese text is so long and asks so plainly that it needs no question mark.
func isWholeQuestion(text string) bool {
	const fewest = 6 // characters
	return utf8.RuneCountInString(text) >= fewest && askingInHan.MatchString(text)
}

var askingInHan = regexp.MustCompile(`怎么|怎样|什么|多少|多[久长大远]|吗$|哪|几|能不能|能否|是否|如何|为何|谁`)

// misspelt returns an error for an unknown flag before the first word, whose value would be taken for that word.
func misspelt(args []string, app *kong.Application) error {
	known := []string{"--help"}
	for _, command := range app.Leaves(false) {
		for _, flags := range command.AllFlags(false) {
			for _, f := range flags {
				known = append(known, "--"+f.Name, "--no-"+f.Name)
			}
		}
	}
	for _, arg := range args[:max(firstWord(args, app), 0)] {
		flag, _, _ := strings.Cut(arg, "=")
		if !strings.HasPrefix(flag, "--") || slices.Contains(known, flag) || strings.Contains(arg, " ") {
			continue
		}
		const hint = "daybook -h shows the commands and their flags"
		if near := nearest(flag, texts(flagsOf(app.Node), func(f spelled) string { return "--" + f.Long })); near != "" {
			return wrongUse(hint, "unknown flag %s, did you mean %q?", flag, near)
		}
		return wrongUse(hint, "unknown flag %s", flag)
	}
	return nil
}
