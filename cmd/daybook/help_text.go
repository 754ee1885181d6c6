package main

import (
	"fmt"
	"strings"

	"github.com/alecthomas/kong"
	"github.com/charmbracelet/x/ansi"

	"github.com/daybook-agent/daybook/agent/prose"
)

// inOtherWords prints the help as kong does, in another language than kong's.
func inOtherWords(lang prose.Language, ctx *kong.Context) error {
	t := teller{lang: lang, width: 80}
	var out strings.Builder
	title := func(name string) { out.WriteString("\n" + t.lang.Say(name) + t.lang.Say(": ") + "\n") }
	node := ctx.Selected()
	if node == nil {
		t.usage(&out, `daybook "<question>" [<dir>] [flags]`)
		node = ctx.Model.Node
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
	if node.Type == kong.ApplicationNode {
		title("Commands")
		for _, command := range node.Leaves(true) {
			t.line(&out, "    ", "  "+t.flags(command.Summary()))
			t.line(&out, "    ", "    "+t.lang.Say(command.Help))
		}
		out.WriteString("\n" + t.lang.Say("daybook COMMAND -h describes a command.") + "\n")
	}
	_, err := fmt.Fprint(ctx.Stdout, out.String())
	return err
}

func (t teller) usage(out *strings.Builder, command string) {
	t.line(out, "  ", t.lang.Say("Usage")+t.lang.Say(": ")+t.flags(command))
}

// flags says that there are some, as kong does in English.
func (t teller) flags(command string) string {
	return filledIn(t.lang, strings.Replace(command, "[flags]", "["+t.lang.Say("Flags")+"]", 1))
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
