package main

import (
	"cmp"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/alecthomas/kong"
	"github.com/charmbracelet/x/ansi"
	"github.com/daybook-agent/daybook/agent/prose"
)

type helpCommand struct {
	spoken
	Command []string `arg:"" optional:"" help:"The command to describe."`
}

// Run shows what a command's own -h shows.
func (c *helpCommand) Run(term terminal) error {
	parser, err := newParser(ofTheSystem(), term)
	if err == nil {
		err = misasked(c.Command, parser.Model)
	}
	if err == nil {
		args := append(c.Command, "--help")
		if c.Lang != "" {
			args = append(args, "--lang="+c.Lang)
		}
		_, err = carryOut(args, term)
	}
	return err
}

type versionCommand struct{}

// Run prints what --version prints.
func (versionCommand) Run(term terminal) error {
	_, err := fmt.Fprintln(term.stdout, version())
	return err
}

type completionCommand struct {
	Shell string `arg:"" enum:"bash,zsh,fish,powershell" help:"bash, zsh, fish or powershell."`
}

// Run prints a script that the shell reads, such as by: source <(daybook completion bash).
func (c *completionCommand) Run(term terminal) error { return printScript(term, c.Shell) }

type manCommand struct{}

// Run prints the manual page, as roff.
func (manCommand) Run(term terminal) error { return printScript(term, "man") }

// asksForHelp reports whether with this flag a command line tells something and does nothing.
func asksForHelp(arg string) bool { return slices.Contains([]string{"-h", "--help", "--version"}, arg) }

// withCommand returns a command line with the command first, as kong takes it. A line without a command
// researches its question, or asks for one at a terminal; elsewhere an empty line shows the help.
func withCommand(args []string, app *kong.Application, term terminal) []string {
	at := firstWord(args, app)
	switch {
	case at < 0 && slices.ContainsFunc(args, asksForHelp):
		return args
	case at < 0 && (len(args) > 0 || (&runCommand{}).canAsk(term)):
		return append([]string{"run"}, args...)
	case at < 0:
		return []string{"--help"}
	case isQuestion(args[at]), isTopic(args, at, app):
		return slices.Concat([]string{"run", "--question", args[at]}, args[:at], args[at+1:])
	}
	return slices.Concat(args[at:at+1], args[:at], args[at+1:])
}

// firstWord returns the index of the first argument that is neither a flag nor a flag's value, or -1.
func firstWord(args []string, app *kong.Application) int {
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		return 0
	}
	takes := map[string]bool{}
	for _, f := range flagsOf(app.Node) {
		takes["--"+f.Long], takes["-"+f.Short] = f.Value != "", f.Value != ""
	}
	for i := 0; i < len(args) && args[i] != "--"; i++ {
		if !strings.HasPrefix(args[i], "-") {
			return i
		}
		if takes[args[i]] {
			i++
		}
	}
	return -1
}

// isQuestion reports whether arg is a question, not a command or folder: several words, ? or Chinese.
func isQuestion(arg string) bool {
	isHan := func(r rune) bool { return unicode.Is(unicode.Han, r) }
	return asks(arg) || !strings.HasPrefix(arg, "-") && strings.ContainsFunc(arg, isHan) && (!holdsFiles(arg) || isAskedIn(arg, arg))
}

// isTopic reports whether a lone word is a topic: flags suggest one, and no command or file is like it.
func isTopic(args []string, at int, app *kong.Application) bool {
	word, rest := args[at], slices.Concat(args[:at], args[at+1:])
	isOther := func(r rune) bool { return !unicode.IsLetter(r) }
	if strings.ContainsFunc(word, isOther) || !slices.ContainsFunc(rest, isAsking) || firstWord(rest, app) >= 0 {
		return false
	}
	return !isThere(word) && nearest(word, commandsOf(app)) == ""
}

// isAsking reports whether a flag belongs to a question.
func isAsking(arg string) bool {
	flag, _, _ := strings.Cut(arg, "=")
	return slices.Contains([]string{"--docs", "--search", "--purpose", "--profile", "--plan"}, flag)
}

// commandsOf returns the names of the commands.
func commandsOf(app *kong.Application) []string {
	return texts(app.Children, func(node *kong.Node) string { return node.Name })
}

// asks does the work of isQuestion where a folder is expected, whose name may be Chinese.
func asks(arg string) bool {
	return !strings.HasPrefix(arg, "-") && !holdsFiles(arg) &&
		(len(strings.Fields(arg)) > 1 || strings.ContainsAny(arg, "?？"))
}

// holdsFiles reports whether there is a folder of that name.
func holdsFiles(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// misasked returns an error for a command line that was meant as a question but is empty, names a folder, or
// has no quotation marks.
func misasked(args []string, app *kong.Application) error {
	if len(args) == 0 || strings.HasPrefix(args[0], "-") || slices.Contains(commandsOf(app), args[0]) {
		return nil
	}
	const fewest = 3 // a command and its folder are two
	isQuestion := func(arg string) bool { return strings.HasPrefix(arg, "-q") || strings.HasPrefix(arg, "--question") }
	words, flags := parted(args)
	question, at := shownQuestion(strings.Join(words, " "))+flags, shown(args[0])
	hint := fmt.Sprintf("daybook -h shows the commands and their flags; to ask about it: `daybook -q %s`", question)
	what := "%s is not a command"
	switch near := meant(args[0], app); {
	case strings.TrimSpace(args[0]) == "":
		return wrongUse("begin one with: `daybook \"your question\"`", "the question is empty")
	case holdsFiles(args[0]):
		what = "%s is a folder, not a command"
		hint = fmt.Sprintf("ask about the files in it with: `daybook \"your question\" --docs %s`", at)
		if holdsResearch(researchIn(args[0])) {
			hint = fmt.Sprintf("go on with its research with: `daybook run %s`; "+
				"see how it stands with: `daybook status %s`",
				at, at)
		}
	case len(words) >= fewest:
		hint = fmt.Sprintf("put a question in quotation marks: `daybook %s`", question)
	case slices.ContainsFunc(args, isQuestion): // the last word is its folder
		hint = fmt.Sprintf("run researches a question: `daybook run %s`", shown(words[len(words)-1])+flags)
	case near != "":
		return wrongUse(hint, "%s is not a command; did you mean %s?", args[0], near)
	}
	return wrongUse(hint, what, args[0])
}

// parted returns the words before the first flag, and the rest as a shell takes it. A flag that asks for help
// is left out: with it the command line would research nothing.
func parted(args []string) (words []string, flags string) {
	args = slices.DeleteFunc(slices.Clone(args), asksForHelp)
	n := slices.IndexFunc(args, func(arg string) bool { return strings.HasPrefix(arg, "-") })
	if n < 0 {
		return args, ""
	}
	return args[:n], " " + strings.Join(texts(args[n:], shown), " ")
}

// spelled is a flag as the user types it; Value is empty if it takes none.
type spelled struct{ Long, Short, Value, Help string }

// flagsOf returns the flags of a command and of those below it.
func flagsOf(node *kong.Node) (flags []spelled) {
	for _, flag := range node.Flags {
		if flag.Hidden || flag.Name == "help" {
			continue
		}
		f := spelled{Long: flag.Name, Help: flag.Help}
		if flag.Short != 0 {
			f.Short = string(flag.Short)
		}
		if !flag.IsBool() {
			f.Value = cmp.Or(flag.PlaceHolder, strings.ToUpper(flag.Name))
		}
		flags = append(flags, f)
		if flag.Tag.Negatable != "" {
			flags = append(flags, spelled{Long: "no-" + flag.Name, Help: "The opposite of --" + flag.Name + "."})
		}
	}
	for _, child := range node.Children {
		for _, f := range flagsOf(child) {
			if !slices.Contains(flags, f) {
				flags = append(flags, f)
			}
		}
	}
	return flags
}

// help describes a command, or the program if node is nil.
func (t teller) help(node, program *kong.Node) string {
	var out strings.Builder
	title := func(name string) {
		out.WriteString("\n" + t.lang.Say(name) + strings.TrimSpace(t.lang.Say(": ")) + "\n")
	}
	if node == nil {
		t.usage(&out, `daybook "<question>" [<dir>] [`+t.lang.Say("flags of run")+"]")
		node = program
	}
	t.usage(&out, "daybook "+strings.TrimSpace(node.Summary()))
	out.WriteString("\n")
	t.line(&out, "", t.lang.Say(node.Help))
	for i, arg := range node.Positional {
		if i == 0 {
			title("Arguments")
		}
		t.entry(&out, arg.Summary(), arg)
	}
	title("Flags")
	flags := slices.Concat(node.AllFlags(true)...)
	isFurther := func(f *kong.Flag) bool { return node.Name == "run" && !slices.Contains(firstFlags, f.Name) }
	first := slices.DeleteFunc(slices.Clone(flags), isFurther)
	flags = append(first, slices.DeleteFunc(flags, func(f *kong.Flag) bool { return !isFurther(f) })...)
	for i, f := range flags {
		if isFurther(f) && !isFurther(flags[max(i-1, 0)]) {
			title("Further flags")
		}
		short := map[bool]string{true: "    "}[f.Short == 0]
		t.entry(&out, short+f.String(), f.Value)
	}
	if len(node.Children) > 0 {
		title("Commands")
		for _, command := range node.Leaves(true) {
			t.line(&out, "    ", "  "+t.flags(command.Summary()))
			t.line(&out, "    ", "    "+t.lang.Say(command.Help))
		}
		out.WriteString("\n" + t.lang.Say("daybook COMMAND -h describes a command.") + "\n")
	}
	if t.lang == prose.English && (node == program || node.Name == "run") {
		out.WriteString(example)
	}
	return out.String()
}

// firstFlags are those of run that a user needs first.
var firstFlags = []string{"help", "question", "docs", "search", "lang", "profile", "provider", "model", "refresh", "plan", "here"}

func (t teller) usage(out *strings.Builder, command string) {
	t.line(out, "  ", t.lang.Say("Usage")+t.lang.Say(": ")+t.flags(command))
}

// flags translates kong's mark that a command has flags.
func (t teller) flags(command string) string {
	return filledIn(t.lang, strings.Replace(command, "[flags]", "["+t.lang.Say("flags")+"]", 1))
}

// placeholders are the words in a usage that the user replaces.
var placeholders = []string{"<question>", "<command>", "<dir>", "<file>", "<report>", "<into>", "<do>", "<shell>",
	"=TEXT", "=NAME", "=STEP", "=PATH", "=SCORE", "=ROW", "=N", "=TOKENS", "=PERCENT", "=POINTS", "=USD", "=FILE", "=DIR", "=URL",
	"=ADDR", "=T"}

var placeholder = regexp.MustCompile(`<[a-z]+>|=[A-Z]+\b`)

// filledIn returns a text with its placeholders translated.
func filledIn(lang prose.Language, text string) string {
	return placeholder.ReplaceAllStringFunc(text, func(name string) string {
		if slices.Contains(placeholders, name) {
			return lang.Say(name)
		}
		return name
	})
}

// entry writes an argument or flag and its help.
func (t teller) entry(out *strings.Builder, name string, value *kong.Value) {
	const column = 28
	help := strings.NewReplacer("${providers}", providerNames(), "${model}", defaultModel, "${enum}",
		value.Enum, "$$", "$").Replace(t.lang.Say(value.OrigHelp))
	for _, env := range value.Tag.Envs {
		help += t.lang.Say(" (%s)", "$"+env)
	}
	name = filledIn(t.lang, name)
	name = "  " + name + strings.Repeat(" ", max(1, column-2-ansi.StringWidth(name)))
	t.line(out, strings.Repeat(" ", column), name+help)
}
