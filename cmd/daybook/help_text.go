package main

import (
	"fmt"
	"strings"

	"github.com/alecthomas/kong"
	"github.com/charmbracelet/x/ansi"

	"github.com/daybook-agent/daybook/agent/prose"
)

// helpIn prints the help in a language, in which kong has no words of its own.
func helpIn(lang prose.Language) kong.HelpPrinter {
	return func(_ kong.HelpOptions, ctx *kong.Context) error {
		_, err := fmt.Fprint(ctx.Stdout, teller{lang: lang, width: 80}.help(ctx.Selected(), ctx.Model.Node))
		return err
	}
}

// help describes a command, nil for the program.
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
	if len(node.Positional) > 0 {
		title("Arguments")
	}
	for _, arg := range node.Positional {
		t.entry(&out, arg.Summary(), arg)
	}
	title("Flags")
	for _, flag := range node.AllFlags(true) {
		for _, f := range flag {
			short := map[bool]string{true: "    "}[f.Short == 0]
			t.entry(&out, short+f.String(), f.Value)
		}
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

func (t teller) usage(out *strings.Builder, command string) {
	t.line(out, "  ", t.lang.Say("Usage")+t.lang.Say(": ")+t.flags(command))
}

// flags says that there are some, as kong does in English.
func (t teller) flags(command string) string {
	return filledIn(t.lang, strings.Replace(command, "[flags]", "["+t.lang.Say("flags")+"]", 1))
}

// placeholders stand in a usage for what a person fills in.
var placeholders = []string{"<question>", "<command>", "<dir>", "<file>", "<report>", "<into>", "<do>", "<shell>",
	"=TEXT", "=NAME", "=STEP", "=PATH", "=SCORE", "=ROW"}

// filledIn is a text with its placeholders in the words of a language.
func filledIn(lang prose.Language, text string) string {
	for _, name := range placeholders {
		text = strings.ReplaceAll(text, name, lang.Say(name))
	}
	return text
}

// entry is an argument or a flag with what it is.
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
