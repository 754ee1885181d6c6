package main_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// maxColumns bounds a line of Go, tests included; a tab counts as four columns, a Chinese character as two.
const maxColumns = 110

// wideRooms still have longer lines. None is added.
var wideRooms = []string{
	"agent/researcher", "agent/rounds", "agent/workspace", "agent/workspace/markdown",
	"agent/workspace/origin", "agent/workspace/store", "cmd/daybook",
}

// A line with a raw string on it, such as the tag of a field or a regular expression, may be as long as that is.
func TestSizesOfLines(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine works for long")
	}
	wide := map[string]int{}
	require.NoError(t, filepath.WalkDir(top, func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && d.Name() != ".."):
			return filepath.SkipDir
		case d.IsDir() || filepath.Ext(p) != ".go":
			return nil
		}
		name, err := filepath.Rel(top, p)
		require.NoError(t, err)
		name = filepath.ToSlash(name)
		lines := longLines(t, p)
		wide[path.Dir(name)] += len(lines)
		if !slices.Contains(wideRooms, path.Dir(name)) {
			assert.Empty(t, lines, "%s has lines of more than %d columns", name, maxColumns)
		}
		return nil
	}))
	for _, room := range wideRooms {
		assert.Positive(t, wide[room], "%s has no long line any more: take it out of wideRooms", room)
	}
}

// longLines gives the numbers of a file's lines that are too long.
func longLines(t *testing.T, file string) (long []int) {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, file, text, parser.SkipObjectResolution)
	require.NoError(t, err)
	raw := map[int]bool{}
	ast.Inspect(tree, func(n ast.Node) bool {
		if s, ok := n.(*ast.BasicLit); ok && strings.HasPrefix(s.Value, "`") {
			for line := set.Position(s.Pos()).Line; line <= set.Position(s.End()).Line; line++ {
				raw[line] = true
			}
		}
		return true
	})
	for i, line := range strings.Split(string(text), "\n") {
		if columns := ansi.StringWidth(strings.ReplaceAll(line, "\t", "    ")); columns > maxColumns && !raw[i+1] {
			long = append(long, i+1)
		}
	}
	return long
}
