package workspace_test

import (
	"bytes"
	"io"
	"io/fs"
	"path"
	"time"

	"github.com/spf13/afero"
)

// crashFile is an open file or folder.
type crashFile struct {
	afero.File // of what it can not do, nil

	disk   *crashDisk
	node   *node
	name   string
	at     int64
	append bool
	listed bool
}

func (f *crashFile) Close() error { return nil }

func (f *crashFile) Stat() (fs.FileInfo, error) {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	return f.node.info(f.name), nil
}

func (f *crashFile) Read(p []byte) (int, error) {
	n, err := f.ReadAt(p, f.at)
	if f.at += int64(n); n > 0 {
		err = nil
	}
	return n, err
}

func (f *crashFile) ReadAt(p []byte, at int64) (int, error) {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	return bytes.NewReader(f.node.data).ReadAt(p, at)
}

func (f *crashFile) Seek(at int64, _ int) (int64, error) { // from the start
	f.at = at
	return at, nil
}

func (f *crashFile) Write(p []byte) (int, error) {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	err := f.disk.power()
	if err != nil && f.disk.calls > f.disk.cutAt {
		return 0, err
	}
	if err != nil {
		p = p[:f.disk.dice.IntN(len(p)/sector+1)*sector] // some of it had begun
	}
	if f.append {
		f.at = int64(len(f.node.data))
	}
	f.node.data = append(f.node.data[:f.at], p...)
	f.at += int64(len(p))
	return len(p), err
}

func (f *crashFile) Truncate(size int64) error {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	if err := f.disk.power(); err != nil {
		return err
	}
	f.node.data = f.node.data[:size:size]
	return nil
}

func (f *crashFile) Sync() error {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	if err := f.disk.power(); err != nil {
		return err
	}
	f.disk.sync(f.node, f.name)
	return nil
}

func (f *crashFile) Readdir(most int) ([]fs.FileInfo, error) {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	if most > 0 && f.listed { // in parts, of which the first is all
		return nil, io.EOF
	}
	f.listed = true
	var all []fs.FileInfo
	for name, n := range f.node.names {
		all = append(all, n.info(name))
	}
	return all, nil
}

// crashInfo is what a file was when it was asked.
type crashInfo struct {
	name string
	size int
	mode fs.FileMode
	at   time.Time
}

func (n *node) info(name string) crashInfo {
	return crashInfo{path.Base(name), len(n.data), n.mode, n.at}
}

func (i crashInfo) Name() string       { return i.name }
func (i crashInfo) Size() int64        { return int64(i.size) }
func (i crashInfo) Mode() fs.FileMode  { return i.mode }
func (i crashInfo) ModTime() time.Time { return i.at }
func (i crashInfo) IsDir() bool        { return i.mode.IsDir() }
func (i crashInfo) Sys() any           { return nil }

var _ io.ReaderAt = (*crashFile)(nil)
