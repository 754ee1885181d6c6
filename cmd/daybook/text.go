package main

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/prose"
)

// clean makes a text from anywhere fit for one line of a terminal. Pages, models and servers are quoted
// there, and none of them may move the cursor, turn the direction of writing, or begin a line.
func clean(text string) string { return prose.OneLine(prose.Seen(text)) }

// firstLine returns the first line of a text that says anything.
func firstLine(text string) string { return clean(prose.FirstLine(strings.TrimSpace(text))) }

// actionName returns the name of a call, which a model may have made up.
func actionName(call agent.Call) string { return cut(clean(call.Name), 40) }

// quoted returns the first line of a text in quotation marks, to be added to another line.
func quoted(text string) string {
	if text = firstLine(text); text == "" {
		return ""
	}
	return fmt.Sprintf(" · %q", cut(text, maxDetail))
}

// cut shortens a line to that many columns of a terminal, in which a Chinese character takes two.
func cut(line string, columns int) string { return ansi.Truncate(line, max(columns, 0), "…") }

// wordCount matches the word count at the end of a line about a file.
var wordCount = regexp.MustCompile(`(?: \(|（)\d[^()（）]*[)）]$`)

// cutName cuts a line of the story after a word, but keeps the word count at its end.
func cutName(line string, columns int) string {
	count := wordCount.FindString(line)
	name := strings.TrimSuffix(line, count)
	short := cut(name, columns-ansi.StringWidth(count))
	if begun, isCut := strings.CutSuffix(short, "…"); isCut && short != name {
		short = wholeWords(begun, name[len(begun):]) + "…"
	}
	return short + count
}

// wholeWords drops the last word of the start of a line if the rest goes on with it, unless there is no other.
func wholeWords(begun, rest string) string {
	isPart := func(r rune) bool {
		return (unicode.IsLetter(r) || unicode.IsDigit(r)) && !unicode.In(r, unicode.Han, unicode.Hiragana)
	}
	if next, _ := utf8.DecodeRuneInString(rest); isPart(next) {
		if whole := strings.TrimRightFunc(begun, isPart); strings.ContainsFunc(whole, isPart) {
			begun = whole
		}
	}
	return strings.TrimRight(begun, " -–_./,;:")
}

// shown returns a path, quoted if a shell requires it.
func shown(path string) string {
	if strings.ContainsAny(path, ` '"\$&;|<>*?()[]{}!#~`+"`") || strings.ContainsFunc(path, unicode.IsSpace) {
		return quotedForShell(path)
	}
	return path
}

// shownQuestion returns a question in quotation marks that suit a shell.
func shownQuestion(question string) string {
	if strings.ContainsAny(question, "\"\\$`!") {
		return quotedForShell(question)
	}
	return `"` + question + `"`
}

// amount writes a number of tokens in at most five letters.
func amount(n int) string {
	switch {
	case n < 1000:
		return fmt.Sprint(n)
	case n < 1_000_000:
		return fmt.Sprintf("%.1fk", float64(n)/1e3)
	}
	return fmt.Sprintf("%.1fM", float64(n)/1e6)
}

func tokens(lang prose.Language, u agent.Usage) string {
	if u.Tokens() == 0 {
		return lang.Say("no tokens")
	}
	return lang.Say("tokens %s in%s · %s out", amount(u.In), cached(lang, u), amount(u.Out))
}

// cached returns which part of the input came from the server's prompt cache, and which part could have.
func cached(lang prose.Language, u agent.Usage) string {
	switch served, could := 100*u.Cached/max(u.In, 1), 100*u.Prefix/max(u.In, 1); {
	case u.Cached > 0 && u.Prefix > 0:
		return lang.Say(" (%d %% cached, %d %% could be)", served, could)
	case u.Cached > 0:
		return lang.Say(" (%d %% cached)", served)
	case u.Prefix > 0:
		return lang.Say(" (%d %% could be cached)", could)
	}
	return ""
}

// dollars writes an amount of money, "" for none.
func dollars(cost float64) string {
	if cost == 0 {
		return ""
	}
	return fmt.Sprintf("$%.4f", cost)
}

// elapsed writes a time as minutes and seconds, with hours when there are any.
func elapsed(d time.Duration) string {
	s := int(d.Seconds())
	if s < 3600 {
		return fmt.Sprintf("%d:%02d", s/60, s%60)
	}
	return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
}

// ago returns how long ago something was, in its largest unit.
func ago(lang prose.Language, d time.Duration) string {
	switch {
	case d < 5*time.Second:
		return lang.Say("just now")
	case d < time.Minute:
		return lang.Say("%d s ago", int(d.Seconds()))
	case d < time.Hour:
		return lang.Say("%d min ago", int(d.Minutes()))
	case d < 48*time.Hour:
		return lang.Say("%d h ago", int(d.Hours()))
	}
	return lang.Say("%d days ago", int(d.Hours()/24))
}

// wrap breaks a line at word boundaries to that many columns, and indents each further line. A Chinese
// character counts as a word, and a mark after one stays with it. A word that is too wide stays whole. A
// command to copy loses its backquotes, and if the line is broken it gets a line of its own.
func wrap(line string, columns int, indent string) string {
	bare := toCopy.ReplaceAllString(line, "$1")
	if columns <= len(indent) || ansi.StringWidth(bare) <= columns {
		return bare
	}
	if at := toCopy.FindStringSubmatchIndex(line); at != nil {
		lines := []string{indent + "  " + line[at[2]:at[3]]}
		if before := strings.TrimRight(line[:at[0]], " "); before != "" {
			lines = append([]string{wrap(before, columns, indent)}, lines...)
		}
		if after := strings.TrimLeft(line[at[1]:], " ;,.；，。"); after != "" {
			lines = append(lines, wrap(indent+after, columns, indent))
		}
		return strings.Join(lines, "\n")
	}
	var lines []string
	begun := ""
	for _, word := range pieces.FindAllString(line, -1) {
		wide := ansi.StringWidth(begun + strings.TrimRight(word, " "))
		if wide > columns && ansi.StringWidth(begun) > len(indent) {
			lines = append(lines, strings.TrimRight(begun, " "))
			word = strings.TrimLeft(word, " ")
			begun = indent
			// a path that fits into the width, but not behind the indent, has less of one
			if room := columns - ansi.StringWidth(strings.TrimRight(word, " ")); room >= 0 {
				begun = indent[:min(len(indent), room)]
			}
		}
		begun += word
	}
	return strings.Join(append(lines, strings.TrimRight(begun, " ")), "\n")
}

// toCopy matches a command that the user may copy.
var toCopy = regexp.MustCompile("`((?:daybook|diff) (?:\"[^\"]*\"|'[^']*'|\\\\.|[^`'\"\\\\])*)`")

// wrapped wraps each line of a text, and indents its further lines two columns more.
func wrapped(text string, columns int) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		deep := len(line) - len(strings.TrimLeft(line, " "))
		lines[i] = wrap(line, columns, strings.Repeat(" ", deep+2))
	}
	return strings.Join(lines, "\n")
}

// pieces matches what is not broken up in a line: a path, a number with what it counts, a Chinese character
// or a word, each with the marks at it.
var pieces = regexp.MustCompile("[（“「《`]*(?:" + `[\w.~-]*/[^\s，。；、：（）]*|(?:第 )?[+−]?\d[\d.]* \p{Han}|[\p{Han}\p{Hiragana}\p{Katakana}]|` +
	`[^\s\p{Han}\p{Hiragana}\p{Katakana}（“「《，。、；：？！）”」》]+)?[，。、；：？！）”」》…]* *| +`)

// result writes a command's result to stdout: the value as JSON for a program, or the text for the user.
func (t terminal) result(asJSON bool, value any, text string) (err error) {
	if asJSON {
		enc := json.NewEncoder(t.stdout)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		err = enc.Encode(value)
	} else {
		_, err = fmt.Fprint(t.stdout, text)
	}
	if err != nil {
		return fmt.Errorf("writing the result: %w", err)
	}
	return nil
}

// teller returns a teller of this terminal's width.
func (t terminal) teller(lang prose.Language) teller { return teller{lang, widthOf(t.stdout)} }

// note shows the user something besides the result, wrapped to their terminal.
func (t terminal) note(text string) {
	fmt.Fprintln(t.stderr, wrap(text, widthOf(t.stderr), "  "))
}

// texts puts each item into words.
func texts[T any](items []T, words func(T) string) (all []string) {
	for _, item := range items {
		all = append(all, words(item))
	}
	return all
}

// capped returns the first items, and after them how many more there are.
func capped(lang prose.Language, items []string, most int) []string {
	if more := len(items) - most; more > 0 {
		return append(items[:most:most], lang.Say("… and %d more", more))
	}
	return items
}

// few lists the first items with a separator.
func few(lang prose.Language, items []string, with string) string {
	item := func(item string) string { return cut(clean(item), maxDetail) }
	return strings.Join(capped(lang, texts(items, item), 3), lang.Say(with))
}
