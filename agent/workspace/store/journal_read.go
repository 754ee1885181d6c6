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
)

// sector is the size of the pieces in which a disk keeps a file or loses it, in bytes. Larger ones are
// multiples of it.
const sector = 512

// Reading is what reading a journal came to.
type Reading struct {
	Damage
	Good, Total int64 // bytes that end with a good line, and all
	LastAt      int64 // where the last damaged line before that begins, in bytes; -1 for none
}

// ReadLog hands each good line to use, with the byte at which it begins, from the line on that begins at a
// byte. A journal that does not exist is empty. What texts the lines hold is known from then on.
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
// Zeros are what a power cut leaves of lines that were not synced. What stands behind them was not synced
// either, and is no part of the journal: it may tell of the end of something whose beginning is lost. A line
// behind that of a write shows that it was.
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
	line, err := bufio.NewReader(io.NewSectionReader(f, at, maxRow)).ReadBytes('\n')
	e, ok := parseLine(line)
	if err == nil && !ok {
		err = errors.New("the line is damaged")
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return e, fmt.Errorf("reading the journal at byte %d: %w", at, err)
	}
	return e, nil
}

// CopyRows copies the rows between two places of the journal to another file, behind those before them that all
// that follows has to know.
func (fsys Folder) CopyRows(to string, from, till int64, known func(Entry) bool) (err error) {
	temp, err := fsys.Temporary(to, nil, newFile)
	if err != nil {
		return err
	}
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
	if err != nil {
		return errors.Join(err, IgnoreMissing(fsys.Remove(temp)))
	}
	return fsys.SyncPath(path.Dir(to))
}
