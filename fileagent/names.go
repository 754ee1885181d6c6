package fileagent

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"strings"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/workspace/store"
)

func fileSearch(f Files) agent.Action {
	type input struct {
		Pattern   string `json:"pattern"`
		Directory string `json:"directory,omitempty"`
		Marked
	}
	return action("file_search", func(ctx context.Context, in input) (string, error) {
		where := spelled(f.Workspace, strings.TrimSuffix(in.Directory, "/"))
		return f.names(ctx, bookmark{action: "file_search", where: where, pattern: in.Pattern})
	})
}

// names finds files by name from where a bookmark stands.
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
		if len(found) == maxEntries || size > maxPage {
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
		text = fmt.Sprintf("No file name matches %q%s.", at.pattern, in(at.where))
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

// in says where something is or is not, behind a space; "" for the whole workspace.
func in(where string) string {
	if where == "" || where == "." {
		return ""
	}
	return " in " + where
}

// byName takes a pattern for names, such as "*durable*", or for paths, when it has a slash. Words alone may
// stand anywhere in a name.
func byName(pattern string) (func(p string) bool, error) {
	if hasMeta(pattern) {
		g, err := newGlob(pattern)
		return g.matches, err
	}
	pattern = strings.ToLower(pattern)
	return func(p string) bool { return strings.Contains(strings.ToLower(path.Base(p)), pattern) }, nil
}
