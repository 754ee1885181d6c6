package fileagent

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent/workspace"
)

// glob is a pattern for paths: * and ? stay within a name, ** goes over folders. Without a slash it is for
// names in any folder. Upper and lower case are alike.
type glob struct {
	root   string // the folder that holds all it can match
	parts  []string
	padded []string // the parts with a source's number as its file has it, s07 for s7; nil for no such number
}

// sourceNumber is the id of a source below 10, as a name begins with it.
var sourceNumber = regexp.MustCompile(`^s([1-9])(\D|$)`)

// maxDeep is how many ** a glob may hold: each multiplies the ways in which it can match.
const maxDeep = 3

func hasMeta(p string) bool { return strings.ContainsAny(p, "*?[") && !strings.HasPrefix(p, `"`) }

// newGlob takes a glob, or the path of a folder or file, which is a glob for all below it.
func newGlob(where string) (glob, error) {
	where = strings.TrimSuffix(where, "/")
	if where == "" {
		where = "."
	}
	if !hasMeta(where) {
		return glob{root: where}, nil
	}
	if _, err := path.Match(where, ""); err != nil {
		return glob{}, fmt.Errorf(`the pattern %q is not right; write one such as "Notebook/*.md"`, where)
	}
	where = strings.TrimPrefix(where, "./")
	parts := strings.Split(where, "/")
	if strings.Count(where, "**") > maxDeep {
		return glob{}, fmt.Errorf(
			"the pattern %q goes over folders more than %d times; write ** once", where, maxDeep)
	}
	if len(parts) == 1 {
		return glob{root: ".", parts: []string{"**", strings.ToLower(where)}}, nil
	}
	plain := 0
	for plain < len(parts)-1 && !hasMeta(parts[plain]) {
		plain++
	}
	for i := range parts {
		parts[i] = strings.ToLower(parts[i])
	}
	root := "."
	if plain > 0 {
		root = strings.Join(strings.Split(where, "/")[:plain], "/")
	}
	g := glob{root: root, parts: parts}
	if last := len(parts) - 1; parts[0] == strings.ToLower(workspace.SourcesDir) &&
		sourceNumber.MatchString(parts[last]) {
		g.padded = slices.Concat(parts[:last], []string{"s0" + parts[last][1:]})
	}
	return g, nil
}

func (g glob) matches(p string) bool {
	if g.parts == nil {
		return true
	}
	have := strings.Split(strings.ToLower(p), "/")
	return matchParts(g.parts, have) || g.padded != nil && matchParts(g.padded, have)
}

func matchParts(want, have []string) bool {
	for ; len(want) > 0; want, have = want[1:], have[1:] {
		if want[0] == "**" {
			for i := range len(have) + 1 {
				if matchParts(want[1:], have[i:]) {
					return true
				}
			}
			return false
		}
		if len(have) == 0 {
			return false
		}
		if ok, err := path.Match(want[0], have[0]); err != nil || !ok {
			return false
		}
	}
	return len(have) == 0
}
