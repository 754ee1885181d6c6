package main

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent/intake"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/researcher"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// spoken is the language flag of commands that describe a research.
type spoken struct {
	Lang string `env:"DAYBOOK_LANG" enum:",zh,en" default:"" placeholder:"zh|en" help:"The language to speak: zh or en (default: that of the question)."`
}

// looking holds the argument and the flag of a command that looks at a research.
type looking struct {
	Dir string `arg:"" optional:"" name:"dir" help:"The folder of the research (default: this one)."`
	spoken
}

func (c *looking) speaks() prose.Language { return languageIn(c.Dir, c.Lang, "") }

// open opens the research, whose folder must exist. A folder of the user's means the research begun below it,
// and the current one needs no name.
func (c *looking) open() (researcher.Research, error) {
	c.Dir = researchIn(cmp.Or(c.Dir, "."))
	err := folderFault(c.Dir, true)
	isPart := func(name string) bool { // of one that was moved or made by hand, unlike a report or a Notebook
		return slices.Contains([]string{workspace.OverallFile, workspace.CurrentFile, workspace.SourcesDir}, name)
	}
	if _, parts := personsFiles(c.Dir); err == nil && !holdsResearch(c.Dir) && !slices.ContainsFunc(parts, isPart) {
		err = noResearch(c.Dir)
	}
	return researcher.Open(c.Dir), err
}

// languageIn returns the language of a research: from the flag, its settings, question, report or the system.
func languageIn(dir, flag, question string) prose.Language {
	set := prose.Language(flag)
	if set == "" && dir != "" {
		if file, err := readSettings(dir); err == nil { // otherwise whoever needs it reports the error
			set = prose.Language(value(file.Lang, ""))
		}
	}
	if set == prose.Chinese || set == prose.English {
		return set
	}
	if !prose.HasWord(question) {
		question = "" // punctuation alone has no language
	}
	if question == "" && dir != "" {
		text, _ := readInside(dir, workspace.OverallFile, maxDashboard) // there may be none yet
		brief, _ := workspace.Section(string(text), "question")
		if question = intake.Asked(brief); question == "" { // it was made by hand
			report, _ := readInside(dir, workspace.ReportFile, workspace.MaxRead)
			question = string(report)
		}
	}
	switch {
	case question != "":
		return prose.LanguageOf("", question)
	case prose.HasHan(filepath.Base(dir)): // it was named after a question
		return prose.Chinese
	}
	return ofTheSystem()
}

// ofTheSystem returns the language that the environment sets, or that of the machine's locale.
func ofTheSystem() prose.Language {
	if strings.HasPrefix(strings.ToLower(locale()), "zh") {
		return prose.Chinese
	}
	return prose.English
}

func locale() string {
	return cmp.Or(os.Getenv("DAYBOOK_LANG"), os.Getenv("LC_ALL"), os.Getenv("LC_MESSAGES"), os.Getenv("LANG"))
}

// areChinese reports whether one of the first files of a folder has a Chinese name, or is a Chinese text.
func areChinese(dir string) bool {
	const few, most = 20, 1 << 20
	entries, _ := os.ReadDir(dir) // without entries, nothing is Chinese
	return slices.ContainsFunc(entries[:min(few, len(entries))], func(e os.DirEntry) bool {
		ext, text := strings.ToLower(filepath.Ext(e.Name())), []byte(nil)
		if ext == ".md" || ext == ".txt" {
			text, _ = readInside(dir, e.Name(), most) // a large one is not read
		}
		return prose.HasHan(e.Name()) || prose.IsChinese(string(text))
	})
}

// languageOfArgs returns the language for messages about a command line, the one it sets or the question's, and
// the line without the flag, which not every command has.
func languageOfArgs(args []string) (lang prose.Language, without []string) {
	lang = ofTheSystem()
	hasSet := false
	for i := 0; i < len(args); i++ {
		set, isFlag := strings.CutPrefix(args[i], "--lang=")
		if args[i] == "--lang" && i+1 < len(args) {
			i++
			set, isFlag = args[i], true
		}
		switch l := prose.Language(set); {
		case !isFlag:
			without = append(without, args[i])
			if !hasSet && prose.LanguageOf("", args[i]) == prose.Chinese {
				lang = prose.Chinese
			}
		case l == prose.Chinese || l == prose.English:
			lang, hasSet = l, true
		}
	}
	return lang, without
}

// speaker is a command that speaks about a research.
type speaker interface{ speaks() prose.Language }

func (c *runCommand) speaks() prose.Language {
	lang := value(c.Settings.Lang, "")
	docs := strings.Join(c.Settings.Docs, " ") // without a question, only the files hint at the language
	if c.Question+c.Dir == "" && (prose.HasHan(docs) || locale() == "" && areChinese(".")) {
		lang = cmp.Or(lang, string(prose.Chinese))
	}
	return languageIn(c.Dir, lang, c.Question)
}

func (c *doctorCommand) speaks() prose.Language { return languageIn(c.Dir, c.Lang, "") }
