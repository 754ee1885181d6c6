package fileagent

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/workspace"
)

func streamReadFile(f Files) agent.Action {
	type input struct {
		Path      string `json:"path"`
		ChunkSize int    `json:"chunk_size,omitempty"`
		marked
	}
	return looking("stream_read_file", func(_ context.Context, in input) (string, error) {
		file := spelled(f.Workspace, in.Path)
		if in.ChunkSize < 0 {
			return "", fmt.Errorf("chunk_size is the lines of a page, and cannot be %d", in.ChunkSize)
		}
		return labelled(file)(f.page(position{lines: in.ChunkSize, path: file}))
	})
}

// continueStreamRead continues whatever gave a stream_id: a file, a search, or a listing.
func continueStreamRead(f Files) agent.Action {
	type input struct {
		StreamID string `json:"stream_id"`
		marked
	}
	return looking("continue_stream_read", func(ctx context.Context, in input) (string, error) {
		if at, ok := parsePosition(in.StreamID); ok {
			return labelled(at.path)(f.page(at))
		}
		if at, ok := parseBookmark(in.StreamID); ok {
			switch at.action {
			case "search_in_file", "grep_files":
				return f.search(ctx, at)
			case "file_search":
				return f.names(ctx, at)
			case "list_directory":
				return list(f.Workspace, at)
			}
		}
		return "", fmt.Errorf("there is no stream %q; open one with stream_read_file and use the stream_id "+
			"that it names", in.StreamID)
	})
}

// position is a place in a stream. As text it is the stream's id, and outlives the agent.
type position struct {
	offset int64
	lines  int // per page; 0 for as many as fit
	// of the file when the stream was opened, "" for one that opens now
	version string
	path    string
}

func (p position) String() string {
	if p.lines > 0 {
		return fmt.Sprintf("%d+%d.%s.%s", p.offset, p.lines, p.version, p.path)
	}
	return fmt.Sprintf("%d.%s.%s", p.offset, p.version, p.path)
}

// parsePosition parses an id; ok is false if it is invalid.
func parsePosition(id string) (at position, ok bool) {
	parts := strings.SplitN(strings.TrimSpace(id), ".", 3)
	if len(parts) < 3 {
		return at, false
	}
	first, chunk, chunked := strings.Cut(parts[0], "+")
	offset, err := strconv.ParseInt(first, 10, 64)
	at = position{offset: offset, version: parts[1], path: parts[2]}
	if chunked && err == nil {
		at.lines, err = strconv.Atoi(chunk)
	}
	return at, err == nil && offset >= 0 && at.lines >= 0
}

// page reads the next page of a stream in whole lines, and adds a note if the file was changed.
func (f Files) page(at position) (text string, err error) {
	file, err := f.Workspace.Open(at.path)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	info, err := file.Stat()
	if err != nil {
		return "", fmt.Errorf("reading %s: %w", at.path, err)
	}
	if _, err := file.Seek(at.offset, io.SeekStart); err != nil {
		return "", fmt.Errorf("reading %s from byte %d: %w", at.path, at.offset, err)
	}
	body, err := readPage(file, f.pageSize())
	if err != nil {
		return "", fmt.Errorf("reading %s: %w", at.path, err)
	}
	body = firstLines(body, at.lines)
	note, version := "", workspace.Version(info)
	if at.version = cmp.Or(at.version, version); at.version != version {
		note = fmt.Sprintf("The file was changed since the stream was opened, and has %d bytes now; what "+
			"follows is from its text of now, and may not fit what came before. Read it again "+
			"from its beginning if it matters.\n", info.Size())
	}
	from := at.offset
	at.offset += int64(len(body))
	if at.offset < info.Size() {
		return fmt.Sprintf("%s%s\n(bytes %d-%d of %d; go on with continue_stream_read, stream_id %q)", note,
			body, from, at.offset, info.Size(), at), nil
	}
	// read to the end, so it may be replaced, unless it was changed meanwhile
	if info.Size() <= workspace.MaxRead {
		if _, err := f.Workspace.Saw(at.path, at.version); err != nil {
			return "", err
		}
	}
	return fmt.Sprintf("%s%s\n(end of %s)", note, body, at.path), nil
}

// firstLines returns the first n lines of a text; 0 for all of it.
func firstLines(text string, n int) string {
	if lines := strings.SplitAfterN(text, "\n", n+1); n > 0 && len(lines) > n {
		return strings.Join(lines[:n], "")
	}
	return text
}

// readPage reads whole lines; a line longer than a page is cut between two characters.
func readPage(f io.Reader, most int) (string, error) {
	buf, err := io.ReadAll(io.LimitReader(f, int64(most)))
	if err != nil {
		return "", err
	}
	if len(buf) < most {
		return string(buf), nil
	}
	if i := bytes.LastIndexByte(buf, '\n'); i > 0 {
		return string(buf[:i+1]), nil
	}
	for cut := range utf8.UTFMax { // a split character is left to the next page
		if r, size := utf8.DecodeLastRune(buf[:len(buf)-cut]); r != utf8.RuneError || size != 1 {
			return string(buf[:len(buf)-cut]), nil
		}
	}
	return string(buf), nil // not UTF-8
}

// bookmark is a place in a listing or search. As text it is its id, like a stream's.
type bookmark struct {
	action  string
	context int
	line    int    // of the last match shown in after; 0 if nothing more is wanted of that
	after   string // the last path or name shown
	where   string
	pattern string
}

func (b bookmark) String() string {
	return fmt.Sprintf("%s|%d|%d|%s|%s|%s", b.action, b.context, b.line, escape(b.after), escape(b.where),
		escape(b.pattern))
}

// parseBookmark parses an id; ok is false if it is invalid.
func parseBookmark(id string) (b bookmark, ok bool) {
	parts := strings.SplitN(strings.TrimSpace(id), "|", 6)
	if len(parts) < 6 {
		return b, false
	}
	var errs [5]error
	b.action = parts[0]
	b.context, errs[0] = strconv.Atoi(parts[1])
	b.line, errs[1] = strconv.Atoi(parts[2])
	b.after, errs[2] = url.PathUnescape(parts[3])
	b.where, errs[3] = url.PathUnescape(parts[4])
	b.pattern, errs[4] = url.PathUnescape(parts[5])
	return b, errors.Join(errs[:]...) == nil && b.line >= 0 && utf8.ValidString(b.pattern)
}

// uncopied are an id's separators, and characters that a model would copy wrongly.
var uncopied = regexp.MustCompile(`[|%"\\\x{FFFD}]|[^\pL\pM\pN\pP\pS ]`)

// escape writes these as %XX.
func escape(text string) string { return uncopied.ReplaceAllStringFunc(text, url.PathEscape) }

// goOn returns how to get what did not fit.
func (b bookmark) goOn() string {
	return fmt.Sprintf("go on with continue_stream_read, stream_id %q", b)
}
