package main_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The files of a room stand in layers: none needs, through others, itself.
func TestArrowsBetweenFilesOfTheWorkspace(t *testing.T) {
	rooms := []string{"."}
	for room := range arrows {
		if below, ok := strings.CutPrefix(room, "agent/workspace/"); ok {
			rooms = append(rooms, below)
		}
	}
	for _, room := range rooms {
		needs := needsOf(t, filepath.Join(top, "agent/workspace", room))
		for file := range needs {
			assert.False(t, reaches(needs, file, file, map[string]bool{}),
				"%s needs a file that needs it in turn: move a function to the layer it belongs to", file)
		}
	}
	assert.Greater(t, len(needsOf(t, filepath.Join(top, "agent/workspace"))), 10, "what is used is found")
	circle := map[string][]string{"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}}
	assert.True(t, reaches(circle, "a", "a", map[string]bool{}))
	assert.False(t, reaches(circle, "d", "d", map[string]bool{}))
}

// needsOf gives, by the files of a room, those whose names they use. Other rooms are not read, so that it takes no
// time; files for other systems declare again what another declares, and are left out.
func needsOf(t *testing.T, dir string) map[string][]string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	require.NoError(t, err)
	set := token.NewFileSet()
	var files []*ast.File
	for _, name := range names {
		isForOther := strings.HasSuffix(name, "_other.go") || strings.HasSuffix(name, "_windows.go")
		if strings.HasSuffix(name, "_test.go") || isForOther {
			continue
		}
		file, err := parser.ParseFile(set, name, nil, 0)
		require.NoError(t, err)
		files = append(files, file)
	}
	info := types.Info{Uses: map[*ast.Ident]types.Object{}}
	config := types.Config{Importer: noRooms{}, Error: func(error) {}}
	room, _ := config.Check(dir, set, files, &info) // it misses the other rooms
	needs := map[string][]string{}
	for id, used := range info.Uses {
		from, to := set.Position(id.Pos()).Filename, set.Position(used.Pos()).Filename
		if used.Pkg() == room && used.Pos().IsValid() && from != to && !slices.Contains(needs[from], to) {
			needs[from] = append(needs[from], to)
		}
	}
	return needs
}

// noRooms finds each import empty.
type noRooms struct{}

func (noRooms) Import(path string) (*types.Package, error) {
	p := types.NewPackage(path, filepath.Base(path))
	p.MarkComplete()
	return p, nil
}

// reaches reports whether a way leads from a file to another.
func reaches(needs map[string][]string, from, to string, seen map[string]bool) bool {
	return slices.ContainsFunc(needs[from], func(next string) bool {
		if next == to {
			return true
		}
		known := seen[next]
		seen[next] = true
		return !known && reaches(needs, next, to, seen)
	})
}
