package office

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/daybook-agent/daybook/actions/page/markup"
	"github.com/daybook-agent/daybook/actions/page/plain"
	"github.com/daybook-agent/daybook/agent/bounds"
)

const (
	// prettyJSON is the size in bytes up to which JSON is indented; anything larger is data.
	prettyJSON = 64 << 10
	// maxCells bounds a table of values that is shown as a table.
	maxCells = 200_000
)

// JSON writes data as a code block.
func JSON(text string) (markup.Document, error) {
	text = strings.TrimSpace(plain.Text(text))
	if len(text) <= prettyJSON && bounds.JSON([]byte(text),
		new(json.RawMessage)) == nil { // every line begins with two blanks for each level
		var pretty bytes.Buffer
		if err := json.Indent(&pretty, []byte(text), "", "  "); err == nil {
			text = pretty.String()
		}
	}
	return markup.Document{Markdown: markup.Fenced("json", text)}, nil
}

// CSV makes a table with the first line as header; what cannot be read as one is shown as it came.
func CSV(text string) (markup.Document, error) {
	text = plain.Text(text)
	reader := csv.NewReader(strings.NewReader(text))
	reader.FieldsPerRecord = -1
	reader.LazyQuotes = true
	first, _, _ := strings.Cut(text, "\n")
	switch {
	case strings.Count(first, "\t") > strings.Count(first, ","):
		reader.Comma = '\t'
	case strings.Count(first, ";") > strings.Count(first, ","):
		reader.Comma = ';'
	}
	if strings.Count(text, string(reader.Comma))+strings.Count(text, "\n") <= maxCells {
		w := markup.NewWriter()
		if rows, err := reader.ReadAll(); err == nil && w.Table(rows) {
			return markup.Document{Markdown: w.Finish()}, nil
		}
	}
	return markup.Document{Markdown: markup.Fenced("csv", text)}, nil
}

// StreamJSON reads an object field by field: it decodes the values of some fields, and the items of a list
// one by one, so that only one of them is in memory. What it read before damage remains valid.
func StreamJSON(text string, fields map[string]any, list string,
	item func(decode func(any) error) error) error {
	d := bounds.JSONStream([]byte(text))
	if mark, err := d.Token(); err != nil || mark != json.Delim('{') {
		return cmp.Or(err, errors.New("it is no JSON object"))
	}
	for d.More() {
		key, err := d.Token()
		name, _ := key.(string)
		switch {
		case err != nil:
		case fields[name] != nil:
			err = d.Decode(fields[name])
		case name == list:
			_, err = d.Token()
			for err == nil && d.More() {
				err = item(d.Decode)
			}
			if err == nil {
				_, err = d.Token()
			}
		default:
			err = d.Skip()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

const (
	// maxOutput bounds the output kept of one notebook cell, in bytes: the rest is data.
	maxOutput        = 4 << 10
	maxNotebookCells = 5_000
)

// lines is text in a notebook: one string, or one per line.
type lines string

// UnmarshalJSON treats anything else, such as a picture or other data, as no text.
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

// cell is a cell of a Jupyter notebook of format 4.
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

// Notebook writes text as it is, code in blocks, and the output. What is not a notebook is written as JSON.
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

// cellsOf reads a notebook cell by cell. If it is damaged, the cells before the damage are kept.
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
