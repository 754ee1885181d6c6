package workspace

import (
	"os"

	"github.com/spf13/afero"
)

// rootFs is an afero.Fs that cannot leave its folder. afero's own BasePathFs follows a symbolic link out of it; os.Root refuses,
// by opening every part of a path relative to the one before.
type rootFs struct{ *os.Root }

var _ afero.Fs = rootFs{}

func (r rootFs) Name() string { return "rootFs" }

func (r rootFs) Open(name string) (afero.File, error) { return file(r.Root.Open(name)) }

func (r rootFs) Create(name string) (afero.File, error) { return file(r.Root.Create(name)) }

func (r rootFs) OpenFile(name string, flag int, perm os.FileMode) (afero.File, error) {
	return file(r.Root.OpenFile(name, flag, perm))
}

// file keeps a nil *os.File from becoming an afero.File that is not nil.
func file(f *os.File, err error) (afero.File, error) {
	if err != nil {
		return nil, err
	}
	return f, nil
}
