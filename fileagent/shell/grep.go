package shell

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"regexp"
	"strings"
)

// The options of grep that have a long name alone.
const (
	include rune = 'z' + 1 + iota
	exclude
	excludeDir
)

func grepOptions() syntaxOf {
	return syntaxOf{letters: "ivnclLowxhHrREFPGe:A:B:C:m:qs", number: 'C', long: map[string]rune{
		"ignore-case": 'i', "invert-match": 'v', "line-number": 'n', "count": 'c', "files-with-matches": 'l', "files-without-match": 'L',
		"only-matching": 'o', "word-regexp": 'w', "line-regexp": 'x', "no-filename": 'h', "with-filename": 'H', "recursive": 'r',
		"extended-regexp": 'E', "fixed-strings": 'F', "perl-regexp": 'P', "regexp": 'e', "after-context": 'A', "before-context": 'B',
		"context": 'C', "max-count": 'm', "quiet": 'q', "silent": 'q', "no-messages": 's', "color": 0, "colour": 0,
		"include": include, "exclude": exclude, "exclude-dir": excludeDir,
	}}
}

// finder is a grep at work.
type finder struct {
	*call
	options
	pattern       *regexp.Regexp
	before, after int
	most          int // matches in a file
	named         bool
	found         bool
}

// grep prints the lines that match a pattern.
func grep(ctx context.Context, c *call, args []string) (int, error) {
	o, err := grepOptions().read(args)
	if err != nil {
		return 0, err
	}
	g := &finder{call: c, options: o}
	if err := g.prepare(); err != nil {
		return 0, err
	}
	c.mute = g.has('s')
	recursive := g.has('r') || g.has('R')
	if recursive && len(g.rest) == 0 {
		g.rest = []string{"."}
	}
	g.named = (len(g.rest) > 1 || recursive || g.has('H')) && !g.has('h')
	if recursive {
		err = g.tree(ctx)
	} else {
		err = c.each(ctx, g.rest, g.search)
	}
	switch {
	case err != nil:
		return 0, err
	case g.found && g.has('q'):
		c.failed = false
		return 0, nil
	case g.found:
		return 0, nil
	}
	return 1, nil
}

func (g *finder) prepare() (err error) {
	patterns := g.values['e']
	if len(patterns) == 0 {
		if len(g.rest) == 0 {
			return errors.New("there is no pattern")
		}
		patterns, g.rest = g.rest[:1], g.rest[1:]
	}
	k := basic
	switch {
	case g.has('F'):
		k = fixed
	case g.has('P'):
		k = native
	case g.has('E'):
		k = extended
	}
	wrap := "(?:%s)"
	switch {
	case g.has('x'):
		wrap = "^(?:%s)$"
	case g.has('w'):
		wrap = `(?:^|\b)(?:%s)(?:\b|$)`
	}
	if g.pattern, err = compile(patterns, k, g.has('i'), wrap); err != nil {
		return err
	}
	around, err := g.number('C', 0)
	if err != nil {
		return err
	}
	if g.before, err = g.number('B', around); err != nil {
		return err
	}
	if g.after, err = g.number('A', around); err != nil {
		return err
	}
	g.before = min(g.before, 1000) // they are held
	g.most, err = g.number('m', -1)
	return err
}

// tree searches the files below the operands.
func (g *finder) tree(ctx context.Context) error {
	var names []string
	for _, root := range g.rest {
		if !g.isFolder(ctx, root) {
			names = append(names, root)
			continue
		}
		err := g.walk(ctx, root, func(name string, e entry) bool {
			base := path.Base(name)
			if e.info != nil && e.info.IsDir() {
				return !matchesAny(g.values[excludeDir], base)
			}
			if e.info != nil && e.info.Mode().IsRegular() && (!g.has(include) || matchesAny(g.values[include], base)) && !matchesAny(g.values[exclude], base) {
				names = append(names, name)
			}
			return true
		})
		if err != nil {
			g.fail(err)
		}
	}
	if len(names) == 0 {
		return nil
	}
	return g.each(ctx, names, g.search)
}

func matchesAny(patterns []string, name string) bool {
	for _, p := range patterns {
		if ok, err := path.Match(p, name); ok && err == nil {
			return true
		}
	}
	return false
}

// search searches one file.
func (g *finder) search(name string, in io.Reader) (bool, error) {
	text := bufio.NewReaderSize(in, 64<<10)
	if first, err := text.Peek(1024); bytes.IndexByte(first, 0) >= 0 {
		if g.has('r') || g.has('R') {
			return true, nil
		}
		return true, errors.New("not a text")
	} else if err != nil && err != io.EOF {
		return true, err
	}
	matches, err := g.lines(name, text)
	g.found = g.found || (matches > 0) != g.has('L')
	if err != nil {
		return true, err
	}
	label := ""
	if g.named {
		label = name + ":"
	}
	switch {
	case g.has('q'):
		return !g.found, nil
	case g.has('l') && matches > 0, g.has('L') && matches == 0:
		fmt.Fprintln(g.out, name)
	case g.has('l'), g.has('L'):
	case g.has('c'):
		fmt.Fprintf(g.out, "%s%d\n", label, matches)
	}
	return true, nil
}

// lines goes through a file, prints what is to be printed of it, and counts the matches.
func (g *finder) lines(name string, in io.Reader) (matches int, err error) {
	silent := g.has('c') || g.has('l') || g.has('L') || g.has('q')
	var held []string // lines before a match that were not printed
	n, last, after := 0, 0, 0
	err = eachLine(in, func(line string) bool {
		n++
		if g.most == 0 || g.most > 0 && matches >= g.most && after == 0 {
			return false
		}
		hit := g.pattern.MatchString(line) != g.has('v') && (g.most < 0 || matches < g.most)
		switch {
		case hit && silent:
			matches++
			return g.has('c')
		case silent:
		case hit:
			matches++
			if last > 0 && n-len(held) > last+1 && g.before+g.after > 0 {
				fmt.Fprintln(g.out, "--")
			}
			for i, h := range held {
				g.print(name, n-len(held)+i, '-', h)
			}
			g.show(name, n, line)
			held, last, after = nil, n, g.after
		case after > 0:
			after--
			last = n
			g.print(name, n, '-', line)
		case g.before > 0:
			if held = append(held, line); len(held) > g.before {
				held = held[1:]
			}
		}
		return true
	})
	return matches, err
}

// maxTakenApart is the longest line of which -o prints the parts: finding all of them may look at each letter for each letter.
const maxTakenApart = 16 << 10

// show prints a line that matched, with -o the parts that did.
func (g *finder) show(name string, n int, line string) {
	if !g.has('o') {
		g.print(name, n, ':', line)
		return
	}
	if g.has('v') {
		return
	}
	if len(line) > maxTakenApart {
		g.fail(fmt.Errorf("%s: line %d has more than %d KiB and is not taken apart with -o", name, n, maxTakenApart>>10))
		return
	}
	for _, part := range g.pattern.FindAllString(line, -1) {
		if part != "" {
			g.print(name, n, ':', part)
		}
	}
}

func (g *finder) print(name string, n int, mark rune, line string) {
	var label strings.Builder
	if g.named {
		fmt.Fprintf(&label, "%s%c", name, mark)
	}
	if g.has('n') {
		fmt.Fprintf(&label, "%d%c", n, mark)
	}
	fmt.Fprintln(g.out, label.String()+line)
}
