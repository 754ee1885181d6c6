package fileagent

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"regexp"
	"strings"

	shell "mvdan.cc/sh/v3/pattern"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

// glob is a pattern for paths: * and ? stay within a name, ** crosses folders. Without a slash it matches
// names in any folder. It ignores case.
type glob struct {
	root string         // the folder that holds every possible match
	re   *regexp.Regexp // nil for everything in root
}

// sourceNumber finds the id of a source below 10 at the start of a name.
var sourceNumber = regexp.MustCompile(`^(?i:(` + workspace.SourcesDir + `/s))([1-9](?:\D[^/]*)?)$`)

const globMode = shell.Filenames | shell.EntireString | shell.NoGlobCase | shell.GlobLeadingDot

func hasMeta(p string) bool { return strings.ContainsAny(p, "*?[") && !strings.HasPrefix(p, `"`) }

// newGlob parses a glob; the path of a folder or file stands for everything below it.
func newGlob(where string) (glob, error) {
	where = cmp.Or(strings.TrimPrefix(strings.TrimSuffix(where, "/"), "./"), ".")
	if !hasMeta(where) {
		return glob{root: where}, nil
	}
	root := path.Dir(where[:strings.IndexAny(where, "*?[")] + "x")
	if !strings.Contains(where, "/") {
		where = "**/" + where
	}
	re, err := shell.Regexp(where, globMode)
	if padded := sourceNumber.ReplaceAllString(where, "${1}0$2"); err == nil && padded != where {
		other, _ := shell.Regexp(padded, globMode) // its file name has a zero there
		re += "|" + other
	}
	if err != nil {
		return glob{}, fmt.Errorf(`the pattern %q is not right; write one such as "Notebook/*.md"`, where)
	}
	return glob{root, regexp.MustCompile(re)}, nil
}

func (g glob) matches(p string) bool { return g.re == nil || g.re.MatchString(p) }

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
	named := at.pattern
	if !hasMeta(named) { // plain words match anywhere in a name
		named = "*" + shell.QuoteMeta(named, globMode) + "*"
	}
	g, err := newGlob(named)
	if err != nil {
		return "", err
	}
	var found []string
	more, size, last, outside := 0, 0, at, false
	skipped, err := f.Workspace.Walk(cmp.Or(at.where, "."), func(p string) error {
		if err := ctx.Err(); err != nil {
			return context.Cause(ctx)
		}
		if !g.matches(p) || !comesAfter(p, at.after) {
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
