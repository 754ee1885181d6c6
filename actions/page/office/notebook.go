package office

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/daybook-agent/daybook/actions/page/markup"
	"github.com/daybook-agent/daybook/actions/page/plain"
	"github.com/daybook-agent/daybook/agent/bounds"
)

const (
	// maxOutput is how much of the output of one cell of a notebook is kept, in bytes: the rest is data.
	maxOutput        = 4 << 10
	maxNotebookCells = 5_000
)

// lines is text as a notebook has it: one string, or one for each line.
type lines string

// UnmarshalJSON takes what is neither, a picture or other data, for no text.
func (l *lines) UnmarshalJSON(data []byte) error {
	var whole string
	if bounds.JSON(data, &whole) == nil {
		*l = lines(whole)
		return nil
	}
	var parts []string
	if bounds.JSON(data, &parts) == nil {
		*l = lines(strings.Join(parts, ""))
	}
	return nil
}

// cell is one of a Jupyter notebook of format 4.
type cell struct {
	Type    string `json:"cell_type"`
	Source  lines  `json:"source"`
	Outputs []struct {
		Text lines `json:"text"`
		Data struct {
			Plain lines `json:"text/plain"`
		} `json:"data"`
	} `json:"outputs"`
}

// Notebook writes text as it is, code in blocks, and what it printed. What is no notebook is JSON.
func Notebook(text string) (markup.Document, error) {
	cells, language, partial := cellsOf(text)
	if len(cells) == 0 {
		return JSON(text)
	}
	var out strings.Builder
	for _, c := range cells {
		source := strings.TrimRight(string(c.Source), "\n")
		switch {
		case c.Type == "markdown":
			out.WriteString(source + "\n\n")
		case source != "":
			out.WriteString(markup.Fenced(language, source) + "\n")
		}
		for _, output := range c.Outputs {
			printed := strings.TrimRight(cmp.Or(string(output.Text), string(output.Data.Plain)), "\n")
			if len(printed) > maxOutput {
				printed = strings.ToValidUTF8(printed[:maxOutput], "") + "\n…"
			}
			if printed != "" {
				out.WriteString(markup.Fenced("", printed) + "\n")
			}
		}
	}
	markdown := plain.Tidy(out.String())
	return markup.Document{Title: plain.FirstHeading(markdown), Markdown: markdown, Partial: partial}, nil
}

var errManyCells = fmt.Errorf("only the first %d cells were read", maxNotebookCells)

// cellsOf goes through a notebook cell by cell. Where it breaks, the cells before are what there is.
func cellsOf(text string) (cells []cell, language, partial string) {
	var about struct {
		Language struct {
			Name string `json:"name"`
		} `json:"language_info"`
	}
	err := StreamJSON(text, map[string]any{"metadata": &about}, "cells", func(decode func(any) error) error {
		if len(cells) == maxNotebookCells {
			return errManyCells
		}
		var c cell
		err := decode(&c)
		if err == nil {
			cells = append(cells, c)
		}
		return err
	})
	switch {
	case errors.Is(err, errManyCells):
		partial = err.Error()
	case err != nil:
		partial = damageAfter(err)
	}
	return cells, strings.Trim(plain.Line(about.Language.Name), "` "), partial
}
