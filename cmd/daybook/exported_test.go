package main_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// An exported function, variable or constant is named in another room, or in a test of its own room from
// outside. Of constants of one type that are declared together, one is enough.
func TestSizesOfWhatIsExported(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine works for long")
	}
	named := namesOfOtherRooms(t)
	for _, s := range sources(t) {
		if s.file.Name.Name == "main" {
			continue
		}
		used := func(id *ast.Ident) bool {
			return !id.IsExported() || named[module+s.room+"."+id.Name]
		}
		for _, d := range s.file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				assert.True(t, d.Recv != nil || used(d.Name), "%s: nobody else uses %s", s.name, d.Name)
			case *ast.GenDecl:
				var unused []string
				alike := false // a constant of the same type is used
				for _, spec := range d.Specs {
					value, ok := spec.(*ast.ValueSpec)
					for i := 0; ok && i < len(value.Names); i++ {
						id := value.Names[i]
						alike = alike || d.Tok == token.CONST && isTyped(d) && id.IsExported() && used(id)
						if !used(id) {
							unused = append(unused, id.Name)
						}
					}
				}
				assert.True(t, alike || len(unused) == 0, "%s: nobody else uses %v", s.name, unused)
			}
		}
	}
}

// isTyped reports whether constants are declared with a type.
func isTyped(d *ast.GenDecl) bool {
	value, ok := d.Specs[0].(*ast.ValueSpec)
	return ok && value.Type != nil
}

// namesOfOtherRooms are the names, behind the path of their room, that files of other rooms and tests use.
func namesOfOtherRooms(t *testing.T) map[string]bool {
	t.Helper()
	named := map[string]bool{}
	require.NoError(t, filepath.WalkDir(top, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(p) != ".go" {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), p, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		imported := map[string]string{}
		for _, spec := range file.Imports {
			from, err := strconv.Unquote(spec.Path.Value)
			require.NoError(t, err)
			name := path.Base(from)
			if spec.Name != nil {
				name = spec.Name.Name
			}
			if strings.HasPrefix(from, module) {
				imported[name] = from
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := s.X.(*ast.Ident); ok && imported[x.Name] != "" {
					named[imported[x.Name]+"."+s.Sel.Name] = true
				}
			}
			return true
		})
		return nil
	}))
	return named
}
