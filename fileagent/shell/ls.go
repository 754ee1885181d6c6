package shell

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"slices"
)

// ls lists folders, one name a line, a slash behind those of folders. Hidden files are not shown, whatever the options.
func ls(ctx context.Context, c *call, args []string) (int, error) {
	o, err := syntaxOf{letters: "1aAlhRrtSdFp", long: map[string]rune{"all": 'a', "almost-all": 'A', "recursive": 'R', "reverse": 'r', "directory": 'd', "human-readable": 'h', "color": 0}}.read(args)
	if err != nil {
		return 0, err
	}
	if len(o.rest) == 0 {
		o.rest = []string{"."}
	}
	var folders []string
	shown := 0
	for _, name := range o.rest {
		info, err := c.info(ctx, name)
		switch {
		case err != nil:
			c.fail(err)
		case info == nil && !o.has('d'):
			folders = append(folders, name)
		case info == nil:
			fmt.Fprintln(c.out, name+"/")
			shown++
		default:
			c.listEntry(o, name, info)
			shown++
		}
	}
	titled := shown+len(folders) > 1 || o.has('R')
	for _, name := range folders {
		if err := c.listFolder(ctx, o, name, titled, 0); err != nil {
			c.fail(err)
		}
	}
	return 0, nil
}

func (c *call) listFolder(ctx context.Context, o options, name string, titled bool, depth int) error {
	infos, err := c.list(ctx, name)
	if err != nil {
		return err
	}
	slices.SortStableFunc(infos, func(a, b fs.FileInfo) int {
		switch {
		case o.has('t'):
			return b.ModTime().Compare(a.ModTime())
		case o.has('S'):
			return cmp.Compare(b.Size(), a.Size())
		}
		return 0 // they come by name
	})
	if o.has('r') {
		slices.Reverse(infos)
	}
	if titled {
		fmt.Fprintf(c.out, "%s:\n", name)
	}
	for _, info := range infos {
		c.listEntry(o, info.Name(), info)
	}
	if titled {
		fmt.Fprintln(c.out)
	}
	for _, info := range infos {
		if !o.has('R') || !info.IsDir() || depth >= maxDepth || c.deaf {
			continue
		}
		if err := c.listFolder(ctx, o, under(name, info.Name()), true, depth+1); err != nil {
			return err
		}
	}
	return nil
}

func (c *call) listEntry(o options, name string, info fs.FileInfo) {
	if info.IsDir() {
		name += "/"
	}
	if !o.has('l') {
		fmt.Fprintln(c.out, name)
		return
	}
	size := fmt.Sprint(info.Size())
	if o.has('h') {
		size = humanSize(info.Size())
	}
	fmt.Fprintf(c.out, "%s %9s %s %s\n", info.Mode(), size, info.ModTime().UTC().Format("2006-01-02 15:04"), name)
}

func humanSize(n int64) string {
	if n < 1<<10 {
		return fmt.Sprint(n)
	}
	size, unit := float64(n), 0
	for size >= 1<<10 && unit < 4 {
		size /= 1 << 10
		unit++
	}
	return fmt.Sprintf("%.1f%c", size, " KMGT"[unit])
}
