package fileagent

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/daybook-agent/daybook/agent/workspace/block"
	"github.com/daybook-agent/daybook/fileagent/passage"
)

// maxPage bounds the part of a file in one result, in bytes: at three per token, the 8,000 tokens that a loop
// shows whole. Correcting a report requires seeing it whole, or at least in halves.
const maxPage = 24_000

// maxFound bounds the hits of a search or listing in one result, in bytes: about 4,000 tokens.
const maxFound = 16 << 10

// pageSize returns how many bytes of a file one result holds.
func (f Files) pageSize() int { return cmp.Or(f.most, maxPage) }

func readFile(f Files) agent.Action {
	type input struct {
		Path  string `json:"path"`
		Mode  string `json:"mode,omitempty"`
		Lines string `json:"lines,omitempty"`
		// Section is the title of the heading to read under.
		Section string `json:"section,omitempty"`
		// Passages also shows the blocks that the text cites: below it, or alone.
		Passages string `json:"passages,omitempty"`
		marked
	}
	return looking("read_file", func(ctx context.Context, in input) (string, error) {
		in.Path = spelled(f.Workspace, in.Path)
		shown := labelled(in.Path)
		if in.Passages != "" && !fromOutside(in.Path) {
			shown = func(text string, err error) (string, error) {
				return f.withPassages(text, in.Passages == "alone", err)
			}
		}
		switch {
		case in.Section != "":
			return shown(f.readSection(in.Path, in.Section))
		case in.Mode == "stream":
			return shown(f.page(position{path: in.Path}))
		case in.Mode == "lines" || (in.Mode == "" && in.Lines != ""):
			return shown(f.readLines(ctx, in.Path, in.Lines))
		case in.Mode != "" && in.Mode != "full":
			return "", fmt.Errorf("read_file has no mode %q; the modes are full, lines and stream", in.Mode)
		}
		return shown(f.readFull(in.Path))
	})
}

// readFull returns a file verbatim, or the first page of one that is too long.
func (f Files) readFull(path string) (string, error) {
	if id, text, ok := sourceIn(f.Workspace, path); ok {
		return f.readSource(id, text), nil
	}
	file, err := f.Workspace.Open(path)
	if err != nil {
		return "", err
	}
	info, err := file.Stat()
	if err := errors.Join(err, file.Close()); err != nil {
		return "", err
	}
	if info.Size() > int64(f.pageSize()) {
		return f.page(position{path: path})
	}
	return f.Workspace.Read(path)
}

// readSection returns a heading with everything under it.
func (f Files) readSection(path, title string) (string, error) {
	text, err := f.Workspace.Peek(path)
	if err != nil {
		return "", err
	}
	section, err := passage.SectionUnder(text, title)
	if err != nil {
		return "", fmt.Errorf("reading %s: %w", path, err)
	}
	return cut(section, f.pageSize()), nil
}

// readLines returns lines from-to, counted from 1, as many as fit on a page.
func (f Files) readLines(ctx context.Context, path, lines string) (text string, err error) {
	from, to, err := lineRange(lines)
	if err != nil {
		return "", err
	}
	file, err := f.Workspace.Open(path)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	in, most := bufio.NewReaderSize(file, 1<<16), f.pageSize()
	var out strings.Builder
	for n := 1; n <= to; n++ {
		line, _, err := readLine(in)
		switch {
		case ctx.Err() != nil:
			return "", context.Cause(ctx)
		case err == io.EOF && from >= n:
			return "", fmt.Errorf("%s has %d lines, so there are no lines %s", path, n-1, lines)
		case err == io.EOF:
			return out.String(), nil
		case err != nil:
			return "", fmt.Errorf("reading %s: %w", path, err)
		case n < from:
		case len(line) > most:
			return fmt.Sprintf("%s(line %d has more than %d bytes; read the file as a stream)\n",
				out.String(), n, most), nil
		case out.Len() > 0 && out.Len()+len(line)+1 > most:
			return fmt.Sprintf("%s(line %d and on did not fit; read lines %d-%d next)\n", out.String(), n,
				n, to), nil
		default:
			out.Write(append(line, '\n'))
		}
	}
	return out.String(), nil
}

func lineRange(lines string) (from, to int, err error) {
	first, last, ranged := strings.Cut(strings.TrimSpace(lines), "-")
	from, err1 := strconv.Atoi(strings.TrimSpace(first))
	to, err2 := from, error(nil)
	if ranged {
		to, err2 = strconv.Atoi(strings.TrimSpace(last))
	}
	if err1 != nil || err2 != nil || from < 1 || to < from {
		return 0, 0, fmt.Errorf(`lines must be a range such as "1-100", not %q`, lines)
	}
	return from, to, nil
}

func outline(w *workspace.Workspace) agent.Action {
	type input struct {
		Path string `json:"path"`
		marked
	}
	return looking("outline", func(_ context.Context, in input) (string, error) {
		file := spelled(w, in.Path)
		return labelled(file)(outlineOf(w, file))
	})
}

// outlineOf lists the headings of a file with their line numbers, and the number of words under each.
func outlineOf(w *workspace.Workspace, path string) (string, error) {
	all, words, err := w.Outline(path)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	fmt.Fprintf(&out, "%s: %s, %s\n", path, count(words, "word"), count(len(all), "heading"))
	for i, h := range all {
		if out.Len() > maxPage {
			fmt.Fprintf(&out, "… and %s after line %d; search the file for \"^#\"\n",
				count(len(all)-i, "more heading"), all[i-1].Line)
			break
		}
		out.WriteString(h.String() + "\n")
	}
	return out.String(), nil
}

// sourceIn returns the source kept in a file, and its text.
func sourceIn(w *workspace.Workspace, file string) (id, text string, ok bool) {
	if !fromOutside(file) {
		return "", "", false
	}
	for _, s := range w.Sources() {
		if s.File == file {
			text, _, err := w.SourceText(s.ID)
			return s.ID, text, err == nil
		}
	}
	return "", "", false
}

// readSource shows a source in blocks, each after its citation, as many as fit.
func (f Files) readSource(id, text string) string {
	blocks := block.Split(text)
	shown, out := len(blocks), block.Show(id, blocks)
	for len(out) > f.pageSize() && shown > 1 {
		shown = max(shown*f.pageSize()/len(out), 1)
		out = block.Show(id, blocks[:shown])
	}
	if shown < len(blocks) {
		out += fmt.Sprintf("\n(blocks %d to %d did not fit: visit_url reads them)", shown+1, len(blocks))
	}
	return out
}

// labels are the citations of a source file's blocks, such as "[s5.12] ", by line. A long paragraph is
// several blocks on one line.
type labels map[int][]startingAt

type startingAt struct {
	column int // in bytes
	label  string
}

// at returns the citation of a place, "" outside the text of a source.
func (l labels) at(line, column int) (label string) {
	for _, b := range l[line] {
		if b.column <= column || label == "" {
			label = b.label
		}
	}
	return label
}

func labelsOf(w *workspace.Workspace, file string) labels {
	id, text, ok := sourceIn(w, file)
	if !ok {
		return nil
	}
	whole, err := w.Peek(file)
	if err != nil || !strings.HasSuffix(whole, text) {
		return nil
	}
	line := 1 + strings.Count(whole[:len(whole)-len(text)], "\n")
	all, at := labels{}, 0
	for _, b := range block.Split(text) {
		line += strings.Count(text[at:b.Start], "\n")
		column := b.Start - (strings.LastIndexByte(text[:b.Start], '\n') + 1)
		for range strings.Count(b.Text, "\n") + 1 {
			all[line] = append(all[line], startingAt{column, block.Label(id, b.N) + " "})
			line, column = line+1, 0
		}
		line--
		at = b.End
	}
	return all
}
