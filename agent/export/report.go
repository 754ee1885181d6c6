package export

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	citations "github.com/daybook-agent/daybook/actions/citation"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/daybook-agent/daybook/agent/workspace/layout"
)

// report is a report with what belongs to it.
type report struct {
	Question string    // as the dashboard has it, or ""
	Text     string    // Markdown, without what the program adds at its end
	Whole    string    // as the file has it
	Written  time.Time // when the file was last changed
	Sources  []workspace.Source
	Older    int                              // how many of them were read only for other questions
	Links    map[workspace.Ref]citations.Link // of the citations that name a block
	Chart    []byte                           // the scores by round as SVG, if a judge gave any
}

// maxReport bounds an exported report, in bytes. The longest seen have 1 MB.
const maxReport = 32 << 20

// ErrNoReport says that there is nothing to export yet.
var ErrNoReport = errors.New("there is no report yet")

var errTooLarge = fmt.Errorf("it is larger than %d MiB; export a shorter one", maxReport>>20)

// load reads the report of a workspace, its question and its sources. Without a report it returns the rest,
// and [ErrNoReport].
func load(w *workspace.Workspace) (report, error) {
	var r report
	if err := w.LoadSources(); err != nil {
		return r, err
	}
	r.Sources = w.Sources()
	r.Older = len(r.Sources) - w.SourcesRead()
	// A research that is laid out by hand may have no dashboard, and an export does not need one.
	if overall, _, err := readText(w, workspace.OverallFile); err == nil {
		brief, _ := workspace.Section(overall, "question")
		r.Question = workspace.Question(brief)
	}
	text, written, err := readText(w, workspace.ReportFile)
	switch {
	case errors.Is(err, errTooLarge):
		return r, err
	case err != nil:
		return r, fmt.Errorf("%w: %w", ErrNoReport, err)
	}
	if strings.TrimSpace(text) == "" {
		return r, fmt.Errorf("%w: %s is empty", ErrNoReport, workspace.ReportFile)
	}
	// the export lists the sources itself
	r.Text, r.Whole, r.Written = citations.WithoutOwn(text), text, written
	r.Links = citations.Links(r.Text, citations.Of(w))
	if chart, _, err := readText(w, workspace.ChartFile); err == nil &&
		layout.InertPicture(workspace.ChartFile, []byte(chart)) == nil {
		r.Chart = []byte(chart)
	}
	cited := workspace.Cited(r.Text)
	for i, s := range r.Sources {
		if s.Language == "" && slices.Contains(cited, s.ID) { // the user's own documents name none
			body, _, _ := w.SourceText(s.ID) // a source that cannot be read is in no language
			r.Sources[i].Language = string(language(body))
		}
	}
	if table := citations.TableOf(text); table != "" { // which says more about them
		r.Text += "\n" + table
	}
	return r, nil
}

// readText reads a file as valid UTF-8.
func readText(w *workspace.Workspace, name string) (text string, written time.Time, err error) {
	data, written, err := read(w, name)
	text = strings.ToValidUTF8(strings.TrimPrefix(string(data), "\ufeff"), "\ufffd")
	return strings.ReplaceAll(text, "\r\n", "\n"), written, err
}

func read(w *workspace.Workspace, name string) (data []byte, written time.Time, err error) {
	f, err := w.Open(name)
	if err != nil {
		return nil, time.Time{}, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info, err := f.Stat()
	if err == nil && info.Size() > maxReport {
		err = errTooLarge
	}
	if err == nil {
		data, err = io.ReadAll(io.LimitReader(f, maxReport))
	}
	if err != nil {
		return nil, time.Time{}, fmt.Errorf("reading %s: %w", name, err)
	}
	return data, info.ModTime(), nil
}

// Cited returns the sources that the report cites, in the order of their numbers.
func (r report) Cited() []workspace.Source {
	cited := workspace.Cited(r.Text)
	return slices.DeleteFunc(slices.Clone(r.Sources),
		func(s workspace.Source) bool { return !slices.Contains(cited, s.ID) })
}
