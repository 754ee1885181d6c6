package main

import (
	"fmt"
	"strings"

	"github.com/alecthomas/kong"
)

// What a shell is told: the commands first, then a command's own commands and flags, and otherwise files.

func bashCompletion(app *kong.Application) string {
	var commands []string
	var cases strings.Builder
	for _, node := range offered(app) {
		commands = append(commands, node.Name)
		fmt.Fprintf(&cases, "\t%s) words=%q ;;\n", node.Name, strings.Join(wordsBelow(node), " "))
	}
	return fmt.Sprintf(`_daybook() {
	local cur="${COMP_WORDS[COMP_CWORD]}" words=""
	COMPREPLY=()
	if [ "$COMP_CWORD" -eq 1 ]; then
		COMPREPLY=($(compgen -W %q -- "$cur"))
		return
	fi
	case "${COMP_WORDS[1]}" in
%s	esac
	case "$cur" in
	-*) ;;
	*) words="${words%%%%--*}" ;;
	esac
	COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _daybook daybook
`, strings.Join(commands, " "), cases.String())
}

// wordsBelow are the commands and flags of a command.
func wordsBelow(node *kong.Node) (words []string) {
	for _, child := range node.Children {
		words = append(words, child.Name)
	}
	for _, f := range flagsOf(node) {
		words = append(words, "--"+f.long)
	}
	return words
}

// powershellCompletion leaves files to PowerShell, which offers them where nothing is offered here.
func powershellCompletion(app *kong.Application) string {
	var commands []string
	var below strings.Builder
	for _, node := range offered(app) {
		commands = append(commands, node.Name)
		fmt.Fprintf(&below, "\t\t%s = '%s'\n", node.Name, strings.Join(wordsBelow(node), "', '"))
	}
	return fmt.Sprintf(`Register-ArgumentCompleter -Native -CommandName daybook -ScriptBlock {
	param($word, $line, $cursor)
	$below = @{
%s	}
	$typed = @($line.CommandElements | ForEach-Object { $_.ToString() })
	$words = '%s'
	if ($typed.Count -gt 2 -or ($typed.Count -eq 2 -and $word -eq '')) { $words = $below[$typed[1]] }
	$words | Where-Object { $_ -and $_ -like "$word*" -and ($word -like '-*' -or $_ -notlike '-*') } |
		ForEach-Object { [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_) }
}
`, below.String(), strings.Join(commands, "', '"))
}

func zshCompletion(app *kong.Application) string {
	described := func(word, help string) string {
		return quotedForShell(strings.ReplaceAll(word, ":", `\:`) + ":" + help)
	}
	var commands []string
	var cases strings.Builder
	for _, node := range offered(app) {
		commands = append(commands, described(node.Name, node.Help))
		var children, flags []string
		for _, child := range node.Children {
			children = append(children, described(child.Name, child.Help))
		}
		for _, f := range flagsOf(node) {
			flags = append(flags, described("--"+f.long, f.help))
		}
		fmt.Fprintf(&cases, "\t%s) below=(%s) flags=(%s) ;;\n", node.Name, strings.Join(children, " "), strings.Join(flags, " "))
	}
	return fmt.Sprintf(`#compdef daybook
_daybook() {
	local -a commands below flags
	commands=(%s)
	if (( CURRENT == 2 )); then
		_describe command commands
		return
	fi
	case $words[2] in
%s	esac
	if [[ $PREFIX == -* ]]; then
		_describe -o flag flags
		return
	fi
	(( CURRENT == 3 && $#below )) && _describe command below || _files
}
# In a folder of completions, zsh takes this file for the function itself when it is first called.
if [[ $funcstack[1] == _daybook ]]; then
	_daybook "$@"
else
	compdef _daybook daybook
fi
`, strings.Join(commands, " "), cases.String())
}

func fishCompletion(app *kong.Application) string {
	var out strings.Builder
	for _, node := range offered(app) {
		fmt.Fprintf(&out, "complete -c daybook -n __fish_use_subcommand -f -a %s -d %s\n", node.Name, quotedForShell(node.Help))
		here := quotedForShell("__fish_seen_subcommand_from " + node.Name)
		for _, child := range node.Children {
			fmt.Fprintf(&out, "complete -c daybook -n %s -f -a %s -d %s\n", here, child.Name, quotedForShell(child.Help))
		}
		for _, f := range flagsOf(node) {
			fmt.Fprintf(&out, "complete -c daybook -n %s -l %s", here, f.long)
			if f.short != "" {
				out.WriteString(" -s " + f.short)
			}
			if f.value != "" {
				out.WriteString(" -r")
			}
			fmt.Fprintf(&out, " -d %s\n", quotedForShell(f.help))
		}
	}
	return out.String()
}

func quotedForShell(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
