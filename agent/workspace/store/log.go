package store

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path"
	"time"
)

// Log is the history: a file of rows, each appended before anything relies on it. A row is the CRC-32C of its
// JSON in eight hex digits, a space, and the JSON.
type Log struct {
	Fs       Folder
	file     File
	size     int64
	placed   bool         // its folders are synced
	MayWrite func() error // called before each row: another run may have taken over the workspace
}

// OpenLog opens the log for appending after its last good row. Bytes after that are torn, and are set aside.
func OpenLog(fsys Folder, read Reading) (*Log, error) {
	if read.Good < read.Total {
		if err := fsys.setTornEndAside(read); err != nil {
			return nil, err
		}
	}
	file, err := fsys.OpenFile(JournalFile, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return nil, fmt.Errorf("opening the journal: %w", CannotWrite(err))
	}
	return &Log{Fs: fsys, file: file, size: read.Good}, nil
}

// Append writes a row, and returns it as it will be read, with its byte offset.
func (l *Log) Append(key string, value any) (e Entry, at int64, err error) {
	lines := bytes.NewBufferString("00000000 ")
	enc := json.NewEncoder(lines)
	enc.SetEscapeHTML(false)
	written := struct {
		Time  time.Time `json:"t"`
		Key   string    `json:"k"`
		Value any       `json:"v"`
	}{time.Now().UTC(), key, value}
	if err := enc.Encode(written); err != nil {
		return e, 0, fmt.Errorf("encoding the journal's entry %q: %w", key, err)
	}
	if l.MayWrite != nil {
		if err := l.MayWrite(); err != nil {
			return e, 0, err
		}
	}
	line := lines.Bytes()
	copy(line, checksum(line[9:len(line)-1]))
	n, err := l.file.Write(line)
	if err == nil && n < len(line) {
		err = io.ErrShortWrite
	}
	if err != nil {
		return e, 0, fmt.Errorf("writing the journal: %w", errors.Join(err, l.takeBack()))
	}
	at = l.size
	l.size += int64(len(line))
	if err := json.Unmarshal(line[9:], &e); err != nil {
		return e, at, fmt.Errorf("reading the journal's entry %q: %w", key, err)
	}
	if v, ok := e.Row(); ok {
		e.row = &v
		l.Fs.texts.take(v, at)
	}
	return e, at, nil
}

// takeBack removes the remains of a failed write: the next entry must not be appended to half a line.
func (l *Log) takeBack() error {
	if err := l.file.Truncate(l.size); err != nil {
		return err
	}
	_, err := l.file.Seek(l.size, io.SeekStart)
	return err
}

// Sync syncs what was appended.
func (l *Log) Sync() error {
	if err := l.file.Sync(); err != nil {
		return fmt.Errorf("saving the journal: %w", err)
	}
	if l.placed {
		return nil
	}
	l.placed = true
	return errors.Join(l.Fs.SyncPath(StateDir), l.Fs.SyncPath("."))
}

// Close syncs what was appended, and closes the file.
func (l *Log) Close() error { return errors.Join(l.file.Sync(), l.file.Close()) }

// sector is the unit, in bytes, in which a disk keeps or loses parts of a file. Larger units are multiples of
// it.
const sector = 512

// Reading is the result of reading a journal.
type Reading struct {
	Damage
	Good, Total int64 // bytes up to the end of the last good line, and in all
	LastAt      int64 // byte offset of the last damaged line before that; -1 for none
}

// ReadLog passes each good line with its byte offset to use, from the line at a given offset on. A journal
// that does not exist is empty. The texts in the lines are then known.
func (fsys Folder) ReadLog(from int64, use func(e Entry, at int64)) (Reading, error) {
	return fsys.readLines(from, func(e Entry, at int64, _ []byte) {
		if v, ok := e.Row(); ok {
			e.row = &v
			fsys.texts.take(v, at)
		}
		use(e, at)
	})
}

// readLines is ReadLog with the lines themselves.
//
// A power cut leaves zeros in place of lines that were not synced. Lines after them were not synced either,
// and are not part of the journal: they may report the end of something whose beginning is lost. But a line
// after that of a write shows that it was synced.
func (fsys Folder) readLines(from int64, use func(Entry, int64, []byte)) (read Reading, err error) {
	read.LastAt, read.Good, read.Total = -1, from, from
	f, err := fsys.Open(JournalFile)
	if errors.Is(err, os.ErrNotExist) {
		return read, nil
	}
	if err != nil {
		return read, fmt.Errorf("opening the journal: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if _, err := f.Seek(from, io.SeekStart); err != nil {
		return read, fmt.Errorf("reading the journal at byte %d: %w", from, err)
	}
	in := bufio.NewReaderSize(f, 1<<16)
	bad, worst, worstLine := 0, int64(-1), 0
	var behind []func() // waiting after zeros
	zeros, written := false, false
	for n := 1; ; n++ {
		line, err := in.ReadBytes('\n')
		at := read.Total
		read.Total += int64(len(line))
		if e, ok := parseLine(line); ok {
			if behind = append(behind, func() { use(e, at, line) }); !zeros || written {
				for _, take := range behind {
					take()
				}
				if bad > 0 {
					read.Lines, read.LastAt, read.Last, bad = read.Lines+bad, worst, worstLine, 0
				}
				read.Good = read.Total
				behind, zeros = behind[:0], false
			}
			written = e.Key == KeyWrite
		} else if len(line) > 0 {
			bad++
			worst, worstLine, written = at, n, false
			zeros = zeros || areLost(line, at)
		}
		if err == io.EOF {
			read.Torn = read.Total - read.Good
			if bad > 0 && !zeros && len(line) == 0 { // a kill leaves half a line, and a power cut zeros
				read.Lines, read.Last, read.Torn = read.Lines+bad, worstLine, 0
			}
			return read, nil
		}
		if err != nil {
			return read, fmt.Errorf("reading the journal at byte %d: %w", read.Total, err)
		}
	}
}

// areLost reports whether a damaged line has zeros in place of lost data, and not just one corrupt byte. In
// the sector where the synced lines end, only a few bytes may be left to be zero.
func areLost(line []byte, start int64) bool {
	ends := start + int64(len(line)-len(bytes.TrimLeft(line, "\x00")))
	return bytes.Contains(line, make([]byte, 8)) || ends > start && ends%sector == 0
}

func parseLine(line []byte) (Entry, bool) {
	var e Entry
	body, ok := bytes.CutSuffix(line, []byte("\n"))
	if !ok || len(body) < 10 || len(body) > maxRow || body[8] != ' ' {
		return e, false
	}
	if string(body[:8]) != checksum(body[9:]) {
		return e, false
	}
	return e, json.Unmarshal(body[9:], &e) == nil
}

func checksum(data []byte) string {
	return fmt.Sprintf("%08x", crc32.Checksum(data, crc32.MakeTable(crc32.Castagnoli)))
}

func (fsys Folder) setTornEndAside(read Reading) error {
	f, err := fsys.OpenFile(JournalFile, os.O_RDWR, 0o644)
	if err != nil {
		return fmt.Errorf("mending the journal: %w", CannotWrite(err))
	}
	torn, err := io.ReadAll(io.NewSectionReader(f, read.Good, read.Total-read.Good))
	if err == nil {
		_, err = fsys.SetAside(JournalFile, torn)
	}
	if err == nil {
		err = errors.Join(f.Truncate(read.Good), f.Sync())
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("mending the journal: %w", err)
	}
	return nil
}

// EntryAt reads the entry whose line begins at a byte of the journal.
func (fsys Folder) EntryAt(at int64) (e Entry, err error) {
	f, err := fsys.Open(JournalFile)
	if err != nil {
		return e, fmt.Errorf("opening the journal: %w", err)
	}
	line, err := bufio.NewReader(io.NewSectionReader(f, at, maxRow+1)).ReadBytes('\n')
	e, ok := parseLine(line)
	if err == nil && !ok {
		err = errors.New("the line is damaged")
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return e, fmt.Errorf("reading the journal at byte %d: %w", at, err)
	}
	return e, nil
}

// CopyRows copies the rows between two offsets of the journal to another file, preceded by those earlier ones
// that all later rows depend on.
func (fsys Folder) CopyRows(to string, from, till int64, known func(Entry) bool) (err error) {
	err = fsys.bring(to, nil, newFile, func(temp string) error {
		out, err := fsys.OpenFile(temp, os.O_WRONLY|os.O_APPEND, newFile)
		if err != nil {
			return err
		}
		var failed error
		_, err = fsys.readLines(0, func(e Entry, at int64, line []byte) {
			if (at >= from || known(e)) && at < till && failed == nil {
				_, failed = out.Write(line)
			}
		})
		if err = errors.Join(err, failed, out.Sync(), out.Close()); err == nil {
			err = fsys.Rename(temp, to)
		}
		return err
	})
	if err != nil {
		return err
	}
	return fsys.SyncPath(path.Dir(to))
}
