package main

import (
	"embed"
	"fmt"
	"strings"
	"text/template"

	"github.com/alecthomas/kong"
)

// scripts holds templates for the shells and for man: the commands first, then each command's own commands
// and flags. Where a script offers nothing, the shell offers files. None has a date, so that a release can be
// built twice with the same result.
//
//go:embed scripts
var scripts embed.FS

// printScript prints a template filled in with the commands that the user sees.
func printScript(term terminal, name string) error {
	parser, err := newParser(ofTheSystem(), term)
	if err != nil {
		return err
	}
	script, err := template.New(name).Funcs(template.FuncMap{
		"below": wordsBelow, "described": described, "flags": flagsOf, "join": strings.Join, "quoted": quotedForShell,
		"roff": roff, "values": valuesOf, "upper": strings.ToUpper, "version": version, "description": func() string { return description },
	}).ParseFS(scripts, "scripts/"+name)
	if err == nil {
		err = script.Execute(term.stdout, parser.Model.Children)
	}
	if err != nil {
		return fmt.Errorf("printing the script %s: %w", name, err)
	}
	return nil
}

// wordsBelow returns the commands and flags of a command.
func wordsBelow(node *kong.Node) (words []string) {
	for _, child := range node.Children {
		words = append(words, child.Name)
	}
	for _, f := range flagsOf(node) {
		words = append(words, "--"+f.Long)
	}
	return words
}

// valuesOf returns the words that each flag with a choice accepts, by the name of the flag.
func valuesOf() map[string]string {
	all := map[string]string{}
	for _, field := range fields {
		if words := choiceOf(field); words != "" {
			flag := field.Tag.Get("yaml")
			if strings.HasPrefix(field.Name, "Judge") { // the setting's name is another than the flag's
				flag = strings.Replace(flag, "evaluator", "judge", 1)
			}
			all[flag] = words
		}
	}
	return all
}

// described returns a word and its meaning in the form that zsh takes.
func described(word, help string) string {
	return quotedForShell(strings.ReplaceAll(word, ":", `\:`) + ":" + help)
}

func quotedForShell(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// roff escapes a text so that nothing in it is read as an instruction.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "\n", " ").Replace(text)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		text = `\&` + text
	}
	return text
}
