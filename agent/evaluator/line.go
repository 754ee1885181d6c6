package evaluator

import (
	"regexp"
	"strings"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/prose"
)

// address finds a web address, with or without a scheme. Without one a bare domain may be a name, such as
// node.js.
var address = regexp.MustCompile(`(?i)[a-z0-9+.-]*://` + ofAddress + `|\b(?:www\.` + ofAddress +
	`|(?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,24}/` + ofAddress + `)`)

const ofAddress = `[^\s"'<>()\[\]，。；、）」】》”]*`

// sourceID finds the permitted text in square brackets.
var sourceID = regexp.MustCompile(`\[` + ofSource + `(?:, ?` + ofSource + `)*\]`)

const ofSource = `s[1-9][0-9]{0,5}(?:\.[0-9]{1,6})?`

// line makes one plain, bounded line of a judge's words. They may be copied from a page, and they go where
// the researcher obeys: so markup, addresses, marks and invisible characters are removed. Characters with a
// meaning for readers are replaced.
func line(text string, most int) string {
	text = prose.Seen(text)
	var out strings.Builder
	at := 0
	for _, id := range sourceID.FindAllStringIndex(text, -1) {
		out.WriteString(markup.Replace(text[at:id[0]]) + text[id[0]:id[1]])
		at = id[1]
	}
	out.WriteString(markup.Replace(text[at:]))
	plain := address.ReplaceAllString(out.String(), "") // now, since markup may have hidden it
	plain = emptied.ReplaceAllString(plain, "$1 ")
	plain = strings.Join(strings.Fields(strings.TrimLeft(strings.TrimSpace(plain), "-#•+=› ")), " ")
	return agent.Disarm(prose.Shorten(plain, most-1))
}

// emptied finds the brackets around removed text; those of close() belong to a name.
var emptied = regexp.MustCompile(`(^|[^\pL\pN_])(?:\(\))+`)

// markup replaces marks that mean something to a reader, and removes the rest.
var markup = strings.NewReplacer("<", "‹", ">", "›", "|", "/", "｜", "/", "`", "'", "{", "(", "}", ")", "[",
	"(", "]", ")", "*", "", `\`, "", "~", "")

// unnumbered removes the "1. " that models put before list items.
func unnumbered(text string) string { return numbering.ReplaceAllString(strings.TrimSpace(text), "") }

var numbering = regexp.MustCompile(`^\d{1,2}(?:、[.)、．）]*|[.)、．）]+\s)\s*`)

// lines tidies a list: no duplicates, no empty items, at most so many.
func lines(texts []string, most int) []string {
	kept := []string{}
	seen := map[string]bool{}
	for _, text := range texts {
		text = line(unnumbered(text), longestLine)
		key := prose.Letters(text)
		if key == "" || seen[key] || len(kept) == most {
			continue
		}
		seen[key] = true
		kept = append(kept, text)
	}
	return kept
}
