// Package bounds holds the budget that a stranger's text may use up in a parser. The parsers themselves know
// none: a few hundred kilobytes can keep one at work for minutes.
//
//	doc, err := bounds.Markdown(p, source, nil) // all of a text, for whoever shows or judges it
//	doc, flat := bounds.Blocks(p, source)       // its blocks alone, of any text
//	err := bounds.YAML(front, &v)
//	doc, err := bounds.HTML(page)
//	err := bounds.JSON(answer, &v)              // or JSONStream, value by value
//	err := bounds.XML(answer).Decode(&v)        // or token by token; LooseXML for what is not well-formed
//
// Each looks at a text in one pass before, or while, the parser reads it. What is over the budget is an
// [Error], which names the line and says what is too much there. The budget is far above what a person
// writes: a report of 20,000 words uses less than a hundredth.
//
// What the package will not do: read a file, or judge what a text says.
package bounds

import (
	"errors"
	"fmt"
	"strings"
)

// Error says where a text is over the budget, and why.
type Error struct {
	Line int    // from 1; 0 for the whole text
	Why  string // such as "lists and quotes stand in one another more than 100 deep"
}

// Error implements error.
func (e *Error) Error() string {
	if e.Line == 0 {
		return e.Why
	}
	return fmt.Sprintf("line %d: %s", e.Line, e.Why)
}

// Over reports whether an error says that a text is over the budget.
func Over(err error) bool {
	_, over := errors.AsType[*Error](err)
	return over
}

func over(line int, format string, with ...any) *Error {
	return &Error{Line: line, Why: fmt.Sprintf(format, with...)}
}

// lineAt is the line, from 1, of an offset.
func lineAt(text string, offset int) int { return 1 + strings.Count(text[:offset], "\n") }
