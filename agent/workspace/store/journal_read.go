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

// sector is the size of the pieces in which a disk keeps a file or loses it, in bytes. Larger ones are
// multiples of it.
const sector = 512

// maxRow is how many bytes of a line are decoded. The longest that Daybook writes has some ten times less.
const maxRow = 64 << 20

// journalRead is what reading a journal came to.
type journalRead struct {
	Good, Total int64 // bytes that end with a good line, and all
	Damaged     int   // lines before that
	Last        int64 // where the last of them begins, in bytes; -1 for none
	lastLine    int   // and the number of its line, counted from 1 where the reading began
	torn        int64 // bytes behind the last good line that are no damaged lines
}

func (r journalRead) Damage() Damage {
	return Damage{Lines: r.Damaged, Last: r.lastLine, Torn: r.torn}
}

// ReadLog hands each good line to use, with the byte at which it begins, from the line on that begins at a
// byte. A journal that does not exist is empty. What texts the lines hold is known from then on.
func (fsys Folder) ReadLog(from int64, use func(e Entry, at int64)) (journalRead, error) {
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
// Zeros are what a power cut leaves of lines that were not synced. What stands behind them was not synced
// either, and is no part of the journal: it may tell of the end of something whose beginning is lost. A line
// behind that of a write shows that it was.
func (fsys Folder) readLines(from int64, use func(Entry, int64, []byte)) (read journalRead, err error) {
	read.Last, read.Good, read.Total = -1, from, from
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
	var behind []func() // zeros
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
					read.Damaged, read.Last, read.lastLine, bad = read.Damaged+bad, worst, worstLine, 0
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
			read.torn = read.Total - read.Good
			if bad > 0 && !zeros && len(line) == 0 { // a kill leaves half a line, and a power cut zeros
				read.Damaged, read.lastLine, read.torn = read.Damaged+bad, worstLine, 0
			}
			return read, nil
		}
		if err != nil {
			return read, fmt.Errorf("reading the journal at byte %d: %w", read.Total, err)
		}
	}
}

// areLost says whether zeros stand in a damaged line, and not one spoilt byte. Of the sector in which the
// safe lines end, few may be left to be zeros.
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
	if e, ok := parseWritten(body[9:]); ok {
		return e, true
	}
	return e, json.Unmarshal(body[9:], &e) == nil
}

// parseWritten reads an entry that stands as Append writes it, without a copy of its value: a journal is mostly
// long values.
func parseWritten(line []byte) (e Entry, ok bool) {
	rest, begins := bytes.CutPrefix(line, []byte(`{"t":"`))
	moment, rest, _ := bytes.Cut(rest, []byte(`","k":"`))
	key, rest, _ := bytes.Cut(rest, []byte(`","v":`))
	value, whole := bytes.CutSuffix(rest, []byte("}"))
	plain := !bytes.ContainsFunc(key, func(r rune) bool { return r < ' ' || r > '~' || r == '"' || r == '\\' })
	if !begins || !whole || !plain || !json.Valid(value) || e.Time.UnmarshalText(moment) != nil {
		return Entry{}, false
	}
	e.Key, e.Value = string(key), bytes.Trim(value, " \t\r")
	return e, true
}

func checksum(data []byte) string {
	return fmt.Sprintf("%08x", crc32.Checksum(data, crc32.MakeTable(crc32.Castagnoli)))
}

func (fsys Folder) setTornEndAside(good int64) error {
	f, err := fsys.OpenFile(JournalFile, os.O_RDWR, 0o644)
	if err != nil {
		return fmt.Errorf("mending the journal: %w", CannotWrite(err))
	}
	defer f.Close()
	if _, err := f.Seek(good, io.SeekStart); err != nil {
		return fmt.Errorf("mending the journal: %w", err)
	}
	torn, err := io.ReadAll(f)
	if err != nil {
		return fmt.Errorf("mending the journal: %w", err)
	}
	aside := path.Join(StateDir, "journal.torn-"+time.Now().UTC().Format("20060102T150405.000000000"))
	if err := fsys.WriteNew(aside, torn, 0o644); err != nil {
		return err
	}
	if err := errors.Join(f.Truncate(good), f.Sync()); err != nil {
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
	defer func() { err = errors.Join(err, f.Close()) }()
	if _, err := f.Seek(at, io.SeekStart); err != nil {
		return e, fmt.Errorf("reading the journal at byte %d: %w", at, err)
	}
	line, err := bufio.NewReader(f).ReadBytes('\n')
	if err != nil {
		return e, fmt.Errorf("reading the journal at byte %d: %w", at, err)
	}
	e, ok := parseLine(line)
	if !ok {
		return e, fmt.Errorf("reading the journal at byte %d: the line is damaged", at)
	}
	return e, nil
}

// CopyRows copies the rows between two places of the journal to another file, behind what came from outside
// before them: pages and addresses are known to all that follows.
func (fsys Folder) CopyRows(to string, from, till int64) (err error) {
	temp, err := fsys.Temporary(to, nil, NewFile)
	if err != nil {
		return err
	}
	out, err := fsys.OpenFile(temp, os.O_WRONLY|os.O_APPEND, NewFile)
	if err != nil {
		return err
	}
	var failed error
	_, err = fsys.readLines(0, func(e Entry, at int64, line []byte) {
		its := at >= from || e.Key == KeyFormat || e.IsFromOutside()
		if its && at < till && failed == nil {
			_, failed = out.Write(line)
		}
	})
	if err = errors.Join(err, failed, out.Sync(), out.Close()); err == nil {
		err = fsys.Rename(temp, to)
	}
	if err != nil {
		return errors.Join(err, IgnoreMissing(fsys.Remove(temp)))
	}
	return fsys.SyncPath(path.Dir(to))
}
