package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"
)

// Log is the history: a file of rows, each appended before anything relies on it. A row is the CRC-32C of its
// JSON in eight hex digits, a space, and the JSON.
type Log struct {
	Fs       Folder
	file     File
	size     int64
	placed   bool         // its folders know it for sure
	MayWrite func() error // asked before each row: another run may have taken the workspace over
}

// OpenLog opens the log for appending after its last good row. What stands behind that is torn, and is set
// aside.
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

// Append writes a row, and gives it as it is read, with the byte at which it begins.
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

// takeBack removes what a write that failed left behind: the next entry must not be glued to half a line.
func (l *Log) takeBack() error {
	if err := l.file.Truncate(l.size); err != nil {
		return err
	}
	_, err := l.file.Seek(l.size, io.SeekStart)
	return err
}

// Sync makes safe what was appended.
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

// Close makes safe what was appended, and gives the file back.
func (l *Log) Close() error { return errors.Join(l.file.Sync(), l.file.Close()) }
