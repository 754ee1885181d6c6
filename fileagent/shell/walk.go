package shell

import (
	"context"
	"io/fs"
	"path"
	"strings"
)

// maxDepth bounds how deep folders are followed; no person nests them deeper.
const maxDepth = 32

// entry is what a walk comes by.
type entry struct {
	info  fs.FileInfo // nil for the folder where the walk begins
	depth int
}

// walk visits what stands below a folder, itself left out, in the order of the names; links are not followed. visit says of a folder
// whether to go into it.
func (c *call) walk(ctx context.Context, root string, visit func(name string, e entry) bool) error {
	return c.walkAt(ctx, root, 1, visit)
}

func (c *call) walkAt(ctx context.Context, dir string, depth int, visit func(string, entry) bool) error {
	if c.deaf || depth > maxDepth {
		return nil
	}
	infos, err := c.list(ctx, dir)
	if err != nil {
		return err
	}
	for _, info := range infos {
		name := under(dir, info.Name())
		if into := visit(name, entry{info, depth}); into && info.IsDir() {
			if err := c.walkAt(ctx, name, depth+1, visit); err != nil {
				return err
			}
		}
	}
	return nil
}

// under joins as the tools do: what was written as ./ stays so.
func under(dir, name string) string {
	if dir == "." || strings.HasPrefix(dir, "./") {
		return "./" + path.Join(dir, name)
	}
	return path.Join(dir, name)
}
