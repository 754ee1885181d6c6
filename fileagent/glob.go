package fileagent

import (
	"fmt"
	"path"
	"strings"
)

// glob is a pattern for paths: * and ? stay within a name, ** goes over folders. Without a slash it is for names in any folder. Upper and
// lower case are alike.
type glob struct {
	root  string // the folder that holds all it can match
	parts []string
}

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
		return glob{}, fmt.Errorf("the pattern %q goes over folders more than %d times; write ** once", where, maxDeep)
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
	return glob{root: root, parts: parts}, nil
}

func (g glob) matches(p string) bool {
	return g.parts == nil || matchParts(g.parts, strings.Split(strings.ToLower(p), "/"))
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
