// Package bounds limits the work that a stranger's text can cause in a parser. The parsers themselves have no
// limits: a few hundred kilobytes can occupy one for minutes.
//
//	doc, err := bounds.Markdown(p, source, nil) // all of a text, for whoever shows or judges it
//	doc, flat := bounds.Blocks(p, source)       // its blocks alone, of any text
//	err := bounds.YAML(front, &v)
//	doc, err := bounds.HTML(page)
//	err := bounds.JSON(answer, &v)              // or JSONStream, value by value
//	err := bounds.XML(answer).Decode(&v)        // or token by token; LooseXML for what is not well-formed
//
// Each checks a text in one pass, before or during parsing. Exceeding the budget is an [Error], which names
// the line and the excess. The budget is far above what a person writes: a report of 20,000 words uses less
// than a hundredth.
//
// The package reads no files and does not judge what a text says.
package bounds

import (
	"errors"
	"fmt"
	"strings"
)

// Error reports where and why a text exceeds the budget.
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

// Over reports whether an error means that a text exceeds the budget.
func Over(err error) bool {
	_, over := errors.AsType[*Error](err)
	return over
}

func over(line int, format string, with ...any) *Error {
	return &Error{Line: line, Why: fmt.Sprintf(format, with...)}
}

// lineAt returns the line number of an offset, from 1.
func lineAt(text string, offset int) int { return 1 + strings.Count(text[:offset], "\n") }
