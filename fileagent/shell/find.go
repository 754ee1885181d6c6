package shell

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"
	"time"
)

// errFind is what find knows.
var errFind = errors.New("find takes folders and then -name -iname -path -type f|d -size -newer -mtime -mmin -empty -maxdepth -mindepth -print, with ! -o and \\( \\); it runs, writes and deletes nothing")

// candidate is a file or folder that find looks at.
type candidate struct {
	name  string
	info  fs.FileInfo
	depth int
}

// test says whether find prints a candidate.
type test func(candidate) bool

// finding is a find as its arguments are read.
type finding struct {
	*call
	words    []string
	min, max int
	now      time.Time
	nested   int
}

// find prints the files and folders below its operands that pass its tests.
func find(ctx context.Context, c *call, args []string) (int, error) {
	var roots []string
	for len(args) > 0 && !strings.HasPrefix(args[0], "-") && args[0] != "!" && args[0] != "(" {
		roots, args = append(roots, args[0]), args[1:]
	}
	if len(roots) == 0 {
		roots = []string{"."}
	}
	f := &finding{call: c, words: args, max: maxDepth, now: time.Now()}
	passes := test(func(candidate) bool { return true })
	if len(args) > 0 {
		var err error
		if passes, err = f.either(ctx); err != nil {
			return 0, err
		}
		if len(f.words) > 0 {
			return 0, errFind
		}
	}
	for _, root := range roots {
		if err := f.below(ctx, root, passes); err != nil {
			c.fail(err)
		}
	}
	return 0, nil
}

func (f *finding) below(ctx context.Context, root string, passes test) error {
	info, err := f.info(ctx, root)
	if err != nil {
		return err
	}
	look := func(at candidate) {
		if at.depth >= f.min && at.depth <= f.max && passes(at) {
			fmt.Fprintln(f.out, at.name)
		}
	}
	look(candidate{root, info, 0})
	if info != nil || f.max == 0 {
		return nil
	}
	return f.walk(ctx, root, func(name string, e entry) bool {
		look(candidate{name, e.info, e.depth})
		return e.depth < f.max
	})
}

// next takes the next word.
func (f *finding) next() string {
	if len(f.words) == 0 {
		return ""
	}
	word := f.words[0]
	f.words = f.words[1:]
	return word
}

// either reads tests with -o between them.
func (f *finding) either(ctx context.Context) (test, error) {
	left, err := f.both(ctx)
	if err != nil {
		return nil, err
	}
	for len(f.words) > 0 && (f.words[0] == "-o" || f.words[0] == "-or") {
		f.next()
		one, other := left, test(nil)
		if other, err = f.both(ctx); err != nil {
			return nil, err
		}
		left = func(c candidate) bool { return one(c) || other(c) }
	}
	return left, nil
}

// both reads tests that stand beside each other.
func (f *finding) both(ctx context.Context) (test, error) {
	left, err := f.single(ctx)
	if err != nil {
		return nil, err
	}
	for len(f.words) > 0 && f.words[0] != "-o" && f.words[0] != "-or" && f.words[0] != ")" {
		if f.words[0] == "-a" || f.words[0] == "-and" {
			f.next()
		}
		one, other := left, test(nil)
		if other, err = f.single(ctx); err != nil {
			return nil, err
		}
		left = func(c candidate) bool { return one(c) && other(c) }
	}
	return left, nil
}

// single reads one test, or some in parentheses.
func (f *finding) single(ctx context.Context) (test, error) {
	if f.nested++; f.nested > 100 {
		return nil, errFind
	}
	switch word := f.next(); word {
	case "!", "-not":
		inner, err := f.single(ctx)
		return func(c candidate) bool { return !inner(c) }, err
	case "(":
		inner, err := f.either(ctx)
		if err == nil && f.next() != ")" {
			err = errFind
		}
		return inner, err
	case "-print":
		return func(candidate) bool { return true }, nil
	case "-empty":
		return func(c candidate) bool { return f.isEmpty(ctx, c) }, nil
	case "-name", "-iname", "-path", "-ipath", "-wholename", "-type", "-size", "-newer", "-mtime", "-mmin", "-maxdepth", "-mindepth":
		if len(f.words) == 0 {
			return nil, fmt.Errorf("find: %s wants a value", word)
		}
		return f.valued(ctx, word, f.next())
	default:
		return nil, fmt.Errorf("%q is not available: %w", word, errFind)
	}
}

// valued makes a test that has a value.
func (f *finding) valued(ctx context.Context, word, value string) (test, error) {
	switch word {
	case "-type":
		if value != "f" && value != "d" {
			return nil, errors.New("of -type there are f and d")
		}
		return func(c candidate) bool {
			if value == "d" {
				return isDir(c)
			}
			return c.info != nil && c.info.Mode().IsRegular()
		}, nil
	case "-maxdepth", "-mindepth":
		n, err := strconv.ParseUint(value, 10, 16)
		if err != nil {
			return nil, fmt.Errorf("%s wants a whole number", word)
		}
		if word == "-maxdepth" {
			f.max = min(f.max, int(n))
		} else {
			f.min = int(n)
		}
		return func(candidate) bool { return true }, nil
	case "-newer":
		than, err := f.info(ctx, value)
		if err != nil {
			return nil, err
		}
		if than == nil {
			return nil, errors.New("-newer wants a file")
		}
		return func(c candidate) bool { return c.info != nil && c.info.ModTime().After(than.ModTime()) }, nil
	case "-size", "-mtime", "-mmin":
		return f.measured(word, value)
	}
	return named(word, value)
}

// named makes a test of the name or the path, in which * stands for slashes too.
func named(word, value string) (test, error) {
	fold := strings.HasPrefix(word, "-i")
	if fold {
		value = strings.ToLower(value)
	}
	whole := !strings.HasSuffix(word, "name") || word == "-wholename"
	if whole { // path.Match lets no * pass a slash, so it is shown none
		value = strings.ReplaceAll(value, "/", "\x00")
	}
	if _, err := path.Match(value, ""); err != nil {
		return nil, fmt.Errorf(`the pattern %q is not right; write one such as "*.md"`, value)
	}
	return func(c candidate) bool {
		name := path.Base(c.name)
		if whole {
			name = strings.ReplaceAll(c.name, "/", "\x00")
		}
		if fold {
			name = strings.ToLower(name)
		}
		ok, err := path.Match(value, name)
		return ok && err == nil
	}, nil
}

// measured makes a test of a size or an age: +N for more, -N for less.
func (f *finding) measured(word, value string) (test, error) {
	sign, digits := "", value
	if strings.HasPrefix(value, "+") || strings.HasPrefix(value, "-") {
		sign, digits = value[:1], value[1:]
	}
	units := map[string]int64{"c": 1, "b": 512, "k": 1 << 10, "M": 1 << 20, "G": 1 << 30}
	unit := int64(512)
	if word == "-size" && digits != "" && units[digits[len(digits)-1:]] != 0 {
		unit, digits = units[digits[len(digits)-1:]], digits[:len(digits)-1]
	}
	n, err := strconv.ParseInt(digits, 10, 32)
	if err != nil {
		return nil, fmt.Errorf("%s wants a number such as +10 or -10, not %q", word, value)
	}
	return func(c candidate) bool {
		if c.info == nil {
			return false
		}
		var has int64
		switch word {
		case "-size":
			has = (c.info.Size() + unit - 1) / unit
		case "-mtime":
			has = int64(f.now.Sub(c.info.ModTime()) / (24 * time.Hour))
		default:
			has = int64(f.now.Sub(c.info.ModTime()) / time.Minute)
		}
		switch sign {
		case "+":
			return has > n
		case "-":
			return has < n
		}
		return has == n
	}, nil
}

func (f *finding) isEmpty(ctx context.Context, c candidate) bool {
	if !isDir(c) {
		return c.info.Mode().IsRegular() && c.info.Size() == 0
	}
	infos, err := f.list(ctx, c.name)
	return err == nil && len(infos) == 0
}

func isDir(c candidate) bool { return c.info == nil || c.info.IsDir() }
