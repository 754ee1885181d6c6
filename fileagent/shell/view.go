package shell

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
)

// The limits of what is copied for a line.
const (
	maxFiles  = 50_000
	maxCopied = 512 << 20 // bytes
)

// view is the copy of a folder that one line's commands see, without hidden files, links and other irregular
// files. Landlock grants rights to whole trees and could not exclude a hidden folder from one.
type view struct {
	dir    string
	root   *os.Root
	folder Folder
	files  int
	room   int64
}

func copyOf(ctx context.Context, folder Folder) (v *view, err error) {
	dir, err := os.MkdirTemp("", "daybook-shell-")
	if err != nil {
		return nil, err
	}
	v = &view{dir: dir, folder: folder, room: maxCopied}
	defer func() {
		if err != nil {
			err = errors.Join(err, v.remove())
		}
	}()
	if v.dir, err = filepath.EvalSymlinks(dir); err != nil {
		return v, err
	}
	if v.root, err = os.OpenRoot(v.dir); err != nil {
		return v, err
	}
	return v, v.copyFolder(ctx, ".")
}

func (v *view) copyFolder(ctx context.Context, name string) error {
	entries, err := v.folder.List(name)
	if err != nil {
		return nil // what cannot be listed is left out
	}
	for _, e := range entries {
		inside := path.Join(name, e.Name())
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case e.IsDir():
			if err := v.root.Mkdir(inside, 0o700); err != nil {
				return err
			}
			if err := v.copyFolder(ctx, inside); err != nil {
				return err
			}
		case e.Mode().IsRegular():
			if err := v.copyFile(inside); err != nil {
				return err
			}
		}
	}
	return nil
}

func (v *view) copyFile(name string) (err error) {
	if v.files++; v.files > maxFiles {
		return fmt.Errorf("there are more than %d files; use grep_files and file_search", maxFiles)
	}
	from, err := v.folder.Open(name)
	if err != nil {
		return nil // what cannot be read is left out
	}
	defer func() { err = errors.Join(err, from.Close()) }()
	info, err := from.Stat()
	if err != nil {
		return err
	}
	to, err := v.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	n, err := io.Copy(to, io.LimitReader(from, v.room+1))
	if err := errors.Join(err, to.Close()); err != nil {
		return err
	}
	if v.room -= n; v.room < 0 {
		return fmt.Errorf("there are more than %d MiB; use grep_files and file_search", maxCopied>>20)
	}
	return v.root.Chtimes(name, info.ModTime(), info.ModTime())
}

// remove deletes the copy.
func (v *view) remove() error {
	var err error
	if v.root != nil {
		err = v.root.Close()
	}
	return errors.Join(err, os.RemoveAll(v.dir))
}
