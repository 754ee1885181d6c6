package clip

import (
	"fmt"
	"strings"
)

// quote is a sentence with the id of its source, as it stands in chapters and in the report: > “sentence” [s3]
type quote struct {
	text, id string
}

// String keeps a line break inside the sentence as it is; Markdown takes the next line for a part of the same block.
func (q quote) String() string { return fmt.Sprintf("> “%s” [%s]", q.text, q.id) }

// readQuotes finds the quotes of a chapter or a report.
func readQuotes(text string) []quote {
	const open, middle, end = "> “", "” [s", "]"
	var quotes []quote
	for rest := "\n" + text; ; {
		_, after, found := strings.Cut(rest, "\n"+open)
		if !found {
			return quotes
		}
		rest = after
		paragraph, _, _ := strings.Cut(after, "\n\n")
		at := strings.LastIndex(paragraph, middle)
		if at < 0 {
			continue
		}
		number, _, closed := strings.Cut(paragraph[at+len(middle):], end)
		if closed {
			quotes = append(quotes, quote{text: paragraph[:at], id: "s" + number})
		}
	}
}
