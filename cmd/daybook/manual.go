package main

import (
	"fmt"
	"strings"

	"github.com/alecthomas/kong"
)

// manual is the manual page. It has no date, so that a release that is built twice is the same.
func manual(app *kong.Application) string {
	var out strings.Builder
	fmt.Fprintf(&out, ".TH DAYBOOK 1 \"\" \"%s\"\n.SH NAME\ndaybook \\- research a question in a folder of Markdown\n", roff(version()))
	out.WriteString(".SH SYNOPSIS\n.B daybook\n.I QUESTION\n[\\fIDIR\\fR] [flags]\n.br\n.B daybook\n.I COMMAND\n[flags]\n")
	fmt.Fprintf(&out, ".SH DESCRIPTION\n%s\n", roff(description))
	for _, node := range offered(app) {
		fmt.Fprintf(&out, ".SH %s\n%s\n", strings.ToUpper("daybook "+node.Name), roff(node.Help))
		for _, arg := range node.Positional {
			fmt.Fprintf(&out, ".TP\n.I %s\n%s\n", roff(strings.ToUpper(arg.Name)), roff(arg.Help))
		}
		for _, child := range node.Children {
			fmt.Fprintf(&out, ".TP\n.B %s\n%s\n", roff(child.Name), roff(child.Help))
		}
		for _, f := range flagsOf(node) {
			term := "\\fB" + roff("--"+f.long) + "\\fR"
			if f.short != "" {
				term = "\\fB" + roff("-"+f.short) + "\\fR, " + term
			}
			if f.value != "" {
				term += " \\fI" + roff(f.value) + "\\fR"
			}
			fmt.Fprintf(&out, ".TP\n%s\n%s\n", term, roff(f.help))
		}
	}
	out.WriteString(".SH EXIT STATUS\n")
	for _, status := range []struct {
		code int
		when string
	}{
		{exitFinished, "the report is finished"}, {exitError, "an error, or what was compared differs"}, {exitUsage, "wrong use, or nothing was begun"},
		{exitLimit, "stopped at a limit, with the work saved"}, {exitUnsound, "the report fails a check"}, {exitInterrupted, "interrupted"},
	} {
		fmt.Fprintf(&out, ".TP\n%d\n%s\n", status.code, status.when)
	}
	return out.String()
}

// roff is a text in which nothing is read as an instruction.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "\n", " ").Replace(text)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		text = `\&` + text
	}
	return text
}
