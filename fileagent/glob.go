package fileagent

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	shell "mvdan.cc/sh/v3/pattern"

	"github.com/daybook-agent/daybook/agent/workspace"
)

// glob is a pattern for paths: * and ? stay within a name, ** goes over folders. Without a slash it is for
// names in any folder. Upper and lower case are alike.
type glob struct {
	root string           // the folder that holds all it can match
	any  []*regexp.Regexp // of which one has to match; none for all that is in root
}

// sourceNumber is the id of a source below 10, as a name begins with it.
var sourceNumber = regexp.MustCompile(`^(?i:` + workspace.SourcesDir + `/s)([1-9])(?:\D[^/]*)?$`)

func hasMeta(p string) bool { return strings.ContainsAny(p, "*?[") && !strings.HasPrefix(p, `"`) }

// newGlob takes a glob, or the path of a folder or file, which is a glob for all below it.
func newGlob(where string) (glob, error) {
	where = cmp.Or(strings.TrimPrefix(strings.TrimSuffix(where, "/"), "./"), ".")
	if !hasMeta(where) {
		return glob{root: where}, nil
	}
	g := glob{root: path.Dir(where[:strings.IndexAny(where, "*?[")] + "x")}
	all := []string{where}
	if !strings.Contains(where, "/") {
		all[0] = "**/" + where
	} else if n := sourceNumber.FindStringSubmatchIndex(where); n != nil { // its file has it with a zero
		all = append(all, where[:n[2]]+"0"+where[n[2]:])
	}
	for _, p := range all {
		re, err := shell.Regexp(p,
			shell.Filenames|shell.EntireString|shell.NoGlobCase|shell.GlobLeadingDot)
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
