package fileagent

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	shell "mvdan.cc/sh/v3/pattern"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// glob is a pattern for paths: * and ? stay within a name, ** crosses folders. Without a slash it matches
// names in any folder. It ignores case.
type glob struct {
	root string           // the folder that holds every possible match
	any  []*regexp.Regexp // one of these has to match; none for everything in root
}

// sourceNumber finds the id of a source below 10 at the start of a name.
var sourceNumber = regexp.MustCompile(`^(?i:` + workspace.SourcesDir + `/s)([1-9])(?:\D[^/]*)?$`)

func hasMeta(p string) bool { return strings.ContainsAny(p, "*?[") && !strings.HasPrefix(p, `"`) }

// newGlob parses a glob; the path of a folder or file stands for everything below it.
func newGlob(where string) (glob, error) {
	where = cmp.Or(strings.TrimPrefix(strings.TrimSuffix(where, "/"), "./"), ".")
	if !hasMeta(where) {
		return glob{root: where}, nil
	}
	g := glob{root: path.Dir(where[:strings.IndexAny(where, "*?[")] + "x")}
	all := []string{where}
	if !strings.Contains(where, "/") {
		all[0] = "**/" + where
	} else if n := sourceNumber.FindStringSubmatchIndex(where); n != nil { // its file name has a zero there
		all = append(all, where[:n[2]]+"0"+where[n[2]:])
	}
	for _, p := range all {
		re, err := shell.Regexp(p, shell.Filenames|shell.EntireString|shell.NoGlobCase|shell.GlobLeadingDot)
		if err != nil {
			return glob{}, fmt.Errorf(`the pattern %q is not right; write one such as "Notebook/*.md"`, where)
		}
		g.any = append(g.any, regexp.MustCompile(re))
	}
	return g, nil
}

func (g glob) matches(p string) bool {
	return g.any == nil ||
		slices.ContainsFunc(g.any, func(re *regexp.Regexp) bool { return re.MatchString(p) })
}

func fileSearch(f Files) agent.Action {
	type input struct {
		Pattern   string `json:"pattern"`
		Directory string `json:"directory,omitempty"`
		marked
	}
	return looking("file_search", func(ctx context.Context, in input) (string, error) {
		where := spelled(f.Workspace, strings.TrimSuffix(in.Directory, "/"))
		return f.names(ctx, bookmark{action: "file_search", where: where, pattern: in.Pattern})
	})
}

// names finds files by name, from a bookmark on.
func (f Files) names(ctx context.Context, at bookmark) (string, error) {
	matches, err := byName(at.pattern)
	if err != nil {
		return "", err
	}
	var found []string
	more, size, last, outside := 0, 0, at, false
	skipped, err := f.Workspace.Walk(cmp.Or(at.where, "."), func(p string) error {
		if err := ctx.Err(); err != nil {
			return context.Cause(ctx)
		}
		if !matches(p) || !comesAfter(p, at.after) {
			return nil
		}
		if len(found) == maxEntries || size > maxFound {
			more++
			return nil
		}
		size += len(p)
		outside, last.after = outside || fromOutside(p), p
		found = append(found, store.Shown(p))
		return nil
	})
	if err != nil {
		return labelled(at.where)("", err)
	}
	text := strings.Join(found, "\n")
	if len(found) == 0 {
		text = fmt.Sprintf("No file name matches %q.", at.pattern)
		if at.where != "" && at.where != "." {
			text = fmt.Sprintf("No file name matches %q in %s.", at.pattern, at.where)
		}
	}
	if more > 0 {
		text += fmt.Sprintf("\n… and %d more; narrow the pattern, or %s", more, last.goOn())
	}
	if len(skipped) > 0 {
		outside = true
		text += "\nNot searched: " + strings.Join(skipped, ", ")
	}
	if outside {
		return agent.Outside("page", text, "file", "."), nil
	}
	return text, nil
}

// byName compiles a pattern for names, or with a slash for paths; plain words match anywhere in a name.
func byName(pattern string) (func(p string) bool, error) {
	if hasMeta(pattern) {
		g, err := newGlob(pattern)
		return g.matches, err
	}
	pattern = strings.ToLower(pattern)
	return func(p string) bool { return strings.Contains(strings.ToLower(path.Base(p)), pattern) }, nil
}
