package clip

import (
	"strconv"
	"strings"
	"unicode"
)

// copied says whether an update was refused because it shares a passage with a page.
func (a act) copied() bool {
	return (a.action == updateOverall || a.action == updateCurrent) && a.failed() && strings.Contains(a.result, "a passage copied from ")
}

// spared is an update of a dashboard without what its refusals in this stretch named as copied. What stood there before stays.
func (s *stretch) spared(action, text, shown string) string {
	const precise = 3 // refusals; after them whatever is new goes
	n := 0
	for _, a := range s.acts {
		if a.action != action || !a.copied() {
			continue
		}
		_, beginning, _ := strings.Cut(a.result, ", beginning ")
		if quoted, err := strconv.QuotedPrefix(beginning); err == nil {
			beginning, _ = strconv.Unquote(quoted) // what QuotedPrefix took can be unquoted
		}
		n++
		shorter, found := spare(text, shown, plainWords(beginning))
		if !found || n > precise {
			shorter, _ = spare(text, shown, "")
		}
		text = shorter
	}
	return text
}

// spare leaves out the lines of a text that are not shown yet and hold some words. A chapter is not left out but told in few words. Empty
// lines and headings stay.
func spare(text, shown, words string) (shorter string, found bool) {
	known := map[string]bool{}
	for line := range strings.Lines(shown) {
		known[strings.TrimSpace(line)] = true
	}
	var out strings.Builder
	for line := range strings.Lines(text) {
		bare := strings.TrimSpace(line)
		if bare == "" || known[bare] || strings.HasPrefix(line, "#") || !strings.Contains(plainWords(line), words) {
			out.WriteString(line)
			continue
		}
		found = true
		if _, _, item := checkbox(line); item && strings.Contains(bare, "**") {
			out.WriteString(briefly(line, shown))
		}
	}
	return out.String(), found
}

// briefly is the item of a chapter with a title of few words, or with its own one and its file if the blueprint names that.
func briefly(line, shown string) string {
	const words, runes = 4, 30
	done, _, _ := checkbox(line)
	chapters, mark := readBlueprint(strings.TrimSpace(line)), " "
	if len(chapters) == 0 {
		return ""
	}
	c := chapters[0]
	if done {
		mark = "x"
	}
	if c.file != "" && strings.Contains(shown, c.file) {
		return "- [" + mark + "] **" + c.title + "** File: " + c.file + "\n"
	}
	return "- [" + mark + "] **" + firstWords(c.title, words, runes) + "**\n"
}

// plainWords are the words of a text in lower case, with a blank around each; a Chinese character is one.
func plainWords(text string) string {
	var out strings.Builder
	out.WriteByte(' ')
	inWord := false
	for _, r := range text {
		letter, alone := unicode.IsLetter(r) || unicode.IsDigit(r), columns(string(r)) > 1
		if inWord && (!letter || alone) {
			out.WriteByte(' ')
			inWord = false
		}
		if letter {
			out.WriteRune(unicode.ToLower(r))
			if inWord = !alone; alone {
				out.WriteByte(' ')
			}
		}
	}
	if inWord {
		out.WriteByte(' ')
	}
	return out.String()
}
