package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"strings"

	"github.com/spf13/afero"
)

// OpenFolder opens a folder on the disk.
func OpenFolder(dir string) (Folder, error) {
	root, err := openRoot(dir)
	return On(root), err
}

// rootFs is an afero.Fs that cannot leave its folder. afero's own BasePathFs follows a symbolic link out of
// it; os.Root refuses, by opening every part of a path relative to the one before. Its errors name files
// relative to the folder, in plain words.
type rootFs struct {
	*os.Root
	top *os.File // the folder itself
}

// openRoot opens a folder as a file system; closing it closes both handles.
func openRoot(dir string) (rootFs, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return rootFs{}, err
	}
	top, err := root.OpenFile(".", os.O_RDONLY|atOnce, 0)
	if err != nil {
		return rootFs{}, errors.Join(err, root.Close())
	}
	return rootFs{root, top}, nil
}

// Close closes the folder.
func (r rootFs) Close() error { return errors.Join(r.top.Close(), r.Root.Close()) }

var (
	_ afero.Fs   = rootFs{}
	_ linkReader = rootFs{}
)

func (r rootFs) Name() string { return "rootFs" }

func (r rootFs) Open(name string) (afero.File, error) { return r.OpenFile(name, os.O_RDONLY, 0) }

func (r rootFs) Create(name string) (afero.File, error) {
	return r.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o666)
}

func (r rootFs) OpenFile(name string, flag int, perm os.FileMode) (afero.File, error) {
	f, err := r.Root.OpenFile(name, flag|atOnce, perm)
	if err != nil { // a nil *os.File would be an afero.File that is not nil
		return nil, inside(name, err)
	}
	return &rootFile{f, name}, nil
}

func (r rootFs) Stat(name string) (fs.FileInfo, error) {
	return of[fs.FileInfo](name)(r.Root.Stat(name))
}

func (r rootFs) Lstat(name string) (fs.FileInfo, error) {
	return of[fs.FileInfo](name)(r.Root.Lstat(name))
}

func (r rootFs) MkdirAll(name string, perm os.FileMode) error {
	return inside(name, r.Root.MkdirAll(name, perm))
}

func (r rootFs) Remove(name string) error { return inside(name, r.Root.Remove(name)) }

func (r rootFs) Rename(from, to string) error { return inside(to, r.Root.Rename(from, to)) }

func (r rootFs) Link(from, to string) error { return inside(to, r.Root.Link(from, to)) }

func (r rootFs) Chmod(name string, mode os.FileMode) error {
	return inside(name, r.Root.Chmod(name, mode))
}

// ErrOutside reports that a path leads out of the workspace.
var ErrOutside = errors.New("it leads out of the workspace")

// outside is ErrOutside for a path.
type outside string

func (p outside) Error() string {
	const says = "%s leads out of the workspace through a symbolic link, and only what is inside it can be used"
	return fmt.Sprintf(says, string(p))
}

func (outside) Is(target error) bool { return target == ErrOutside }

// inside rewrites an error of the system so that it names nothing above the workspace. Errors such as io.EOF
// stay as they are.
func inside(name string, err error) error {
	// os.Root does not export this error
	if err != nil && strings.Contains(err.Error(), "path escapes from parent") {
		return outside(name)
	}
	var at *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &at):
		return &fs.PathError{Op: "using", Path: name, Err: at.Err}
	case errors.As(err, &link):
		return &fs.PathError{Op: "moving", Path: name, Err: link.Err}
	}
	return err
}

// of is inside for a call with a result and an error.
func of[T any](name string) func(T, error) (T, error) {
	return func(result T, err error) (T, error) { return result, inside(name, err) }
}

// rootFile is a file that knows itself by its name in the workspace: os.File would name it in errors by its
// path on the disk.
type rootFile struct {
	*os.File
	name string
}

func (f *rootFile) Name() string { return f.name }

func (f *rootFile) Read(p []byte) (int, error) { return of[int](f.name)(f.File.Read(p)) }

func (f *rootFile) ReadAt(p []byte, at int64) (int, error) {
	return of[int](f.name)(f.File.ReadAt(p, at))
}

func (f *rootFile) WriteString(s string) (int, error) { return f.Write([]byte(s)) }

func (f *rootFile) Write(p []byte) (int, error) { return of[int](f.name)(f.File.Write(p)) }

// Sync syncs what anyone wrote to the file. Windows allows that only for a file that is open for writing. It
// has no such call for a folder; its file system keeps names safe by itself.
func (f *rootFile) Sync() error {
	err := f.File.Sync()
	if runtime.GOOS != "windows" || !errors.Is(err, fs.ErrPermission) {
		return inside(f.name, err)
	}
	info, err := f.File.Stat()
	if err != nil || info.IsDir() {
		return inside(f.name, err)
	}
	again, err := os.OpenFile(f.File.Name(), os.O_WRONLY, 0)
	if err != nil {
		return inside(f.name, err)
	}
	return inside(f.name, errors.Join(again.Sync(), again.Close()))
}

func (f *rootFile) Truncate(size int64) error { return inside(f.name, f.File.Truncate(size)) }

func (f *rootFile) Close() error { return inside(f.name, f.File.Close()) }

func (f *rootFile) Stat() (fs.FileInfo, error) { return of[fs.FileInfo](f.name)(f.File.Stat()) }

func (f *rootFile) Readdir(n int) ([]fs.FileInfo, error) {
	return of[[]fs.FileInfo](f.name)(f.File.Readdir(n))
}
