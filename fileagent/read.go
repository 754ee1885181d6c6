package fileagent

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// maxPage is how much of a file one result holds, in bytes: about 4,000 tokens.
const maxPage = 16 << 10

func readFile(w *workspace.Workspace) agent.Action {
	type input struct {
		Path  string `json:"path"`
		Mode  string `json:"mode,omitempty"`
		Lines string `json:"lines,omitempty"`
		Marked
	}
	return action("read_file", func(_ context.Context, in input) (string, error) {
		switch {
		case in.Mode == "stream":
			return labelled(in.Path)(page(w, position{path: in.Path}, 0))
		case in.Mode == "lines" || (in.Mode == "" && in.Lines != ""):
			return labelled(in.Path)(readLines(w, in.Path, in.Lines))
		case in.Mode != "" && in.Mode != "full":
			return "", fmt.Errorf("read_file has no mode %q; the modes are full, lines and stream", in.Mode)
		}
		return labelled(in.Path)(readFull(w, in.Path))
	})
}

// readFull gives a file to the letter, or the first page of one that is too long for that.
func readFull(w *workspace.Workspace, path string) (string, error) {
	f, err := w.Open(path)
	if err != nil {
		return "", err
	}
	info, err := f.Stat()
	if err := errors.Join(err, f.Close()); err != nil {
		return "", err
	}
	if info.Size() > maxPage {
		return page(w, position{path: path}, 0)
	}
	return w.Read(path)
}

func streamReadFile(w *workspace.Workspace) agent.Action {
	type input struct {
		Path       string `json:"path"`
		ChunkLines int    `json:"chunk_lines,omitempty"`
		Marked
	}
	return action("stream_read_file", func(_ context.Context, in input) (string, error) {
		return labelled(in.Path)(page(w, position{path: in.Path, lines: in.ChunkLines}, 0))
	})
}

func continueStreamRead(w *workspace.Workspace) agent.Action {
	type input struct {
		StreamID string `json:"stream_id"`
		Marked
	}
	return action("continue_stream_read", func(_ context.Context, in input) (string, error) {
		at, err := parsePosition(in.StreamID)
		if err != nil {
			return "", err
		}
		return labelled(at.path)(page(w, at, at.offset))
	})
}

// position is where a stream stands. A stream's id is its position written out, so that a stream outlives the agent that opened it.
type position struct {
	offset  int64
	lines   int    // lines a page, 0 for as many as fit
	version string // of the file when the stream was opened
	path    string
}

func (p position) String() string {
	return fmt.Sprintf("%d.%d.%s.%s", p.offset, p.lines, p.version, p.path)
}

func parsePosition(id string) (position, error) {
	parts := strings.SplitN(strings.TrimSpace(id), ".", 4)
	if len(parts) == 4 {
		offset, err1 := strconv.ParseInt(parts[0], 10, 64)
		lines, err2 := strconv.Atoi(parts[1])
		if err1 == nil && err2 == nil && offset >= 0 {
			return position{offset: offset, lines: lines, version: parts[2], path: parts[3]}, nil
		}
	}
	return position{}, fmt.Errorf("there is no stream %q; open one with stream_read_file and use the stream_id that it names", id)
}

// page reads the next page of a stream: whole lines, as many as asked for and as fit.
func page(w *workspace.Workspace, at position, offset int64) (text string, err error) {
	f, err := w.Open(at.path)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	version := versionOf(info.Size(), info.ModTime().UnixNano())
	note := ""
	if at.version != "" && at.version != version {
		note = "The file was changed since the stream was opened; what follows is from its text of now.\n"
	}
	at.version = version
	if _, err := f.Seek(offset, io.SeekStart); err != nil {
		return "", fmt.Errorf("reading %s from byte %d: %w", at.path, offset, err)
	}
	body, err := readPage(f, at.lines)
	if err != nil {
		return "", fmt.Errorf("reading %s: %w", at.path, err)
	}
	at.offset = offset + int64(len(body))
	if at.offset >= info.Size() {
		if note == "" && info.Size() <= workspace.MaxRead { // read to its end, so it may be replaced now
			if _, err := w.Read(at.path); err != nil {
				return "", err
			}
		}
		return fmt.Sprintf("%s%s\n(end of %s)", note, body, at.path), nil
	}
	return fmt.Sprintf("%s%s\n(bytes %d-%d of %d; go on with continue_stream_read, stream_id %q)", note, body, offset, at.offset, info.Size(), at), nil
}

// readPage reads whole lines; a line longer than a page is cut between two letters.
func readPage(f io.Reader, lines int) (string, error) {
	buf := make([]byte, maxPage)
	n, err := io.ReadFull(f, buf)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return "", err
	}
	ended := n < maxPage
	buf = buf[:n]
	if lines > 0 {
		at := 0
		for i := 0; i < lines && at < len(buf); i++ {
			next := strings.IndexByte(string(buf[at:]), '\n')
			if next < 0 {
				at = len(buf)
				break
			}
			at += next + 1
		}
		if at < len(buf) {
			return string(buf[:at]), nil
		}
	}
	if ended {
		return string(buf), nil
	}
	if i := strings.LastIndexByte(string(buf), '\n'); i > 0 {
		return string(buf[:i+1]), nil
	}
	for cut := range utf8.UTFMax { // a letter that is cut is left to the next page
		if r, size := utf8.DecodeLastRune(buf[:len(buf)-cut]); r != utf8.RuneError || size != 1 {
			return string(buf[:len(buf)-cut]), nil
		}
	}
	return string(buf), nil // not UTF-8
}

func versionOf(size, modified int64) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %d", size, modified))
	return hex.EncodeToString(sum[:4])
}

// readLines gives lines from-to, counted from 1, as many as fit on a page.
func readLines(w *workspace.Workspace, path, lines string) (text string, err error) {
	from, to, err := lineRange(lines)
	if err != nil {
		return "", err
	}
	f, err := w.Open(path)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	in := bufio.NewReaderSize(f, 1<<16)
	var out strings.Builder
	for n := 1; n <= to; n++ {
		line, err := readLine(in)
		if err != nil && err != io.EOF {
			return "", fmt.Errorf("reading %s: %w", path, err)
		}
		if n >= from && len(line) > maxPage {
			return fmt.Sprintf("%s(line %d has more than %d bytes; read the file as a stream)\n", out.String(), n, maxPage), nil
		}
		if n >= from && err == nil {
			line += "\n"
			if out.Len()+len(line) > maxPage && out.Len() > 0 {
				return fmt.Sprintf("%s(line %d and on did not fit; read lines %d-%d next)\n", out.String(), n, n, to), nil
			}
			out.WriteString(line)
		}
		if err == io.EOF {
			if line == "" {
				n--
			}
			if from > n {
				return "", fmt.Errorf("%s has %d lines, so there are no lines %s", path, n, lines)
			}
			break
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
