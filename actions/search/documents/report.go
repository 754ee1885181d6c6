package documents

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent/prose"
)

// Report is the result of a Refresh.
type Report struct {
	Added, Changed, Removed, Unchanged int // documents

	Skipped []Skip // files, links and folders that are not indexed, and why; by path
	Notice  string // what happened to a damaged index, or ""
}

// Documents returns how many documents are in the index after the Refresh.
func (r Report) Documents() int { return r.Added + r.Changed + r.Unchanged }

// Files returns how many files were left out, including those in folders that were.
func (r Report) Files() int { return files(r.Skipped) }

// LeftOut returns in one line how many files, links and folders were left out for which reason, the most
// common first, such as "301 left out: 300 × no format that is read, by its ending; /home/ada/a.md: not
// text". It names up to three of one reason, and three of any number of documents whose format is not read.
func (r Report) LeftOut() string { return r.leftOut(3) }

// InShort is LeftOut with only numbers, for a model, which need not know whose folders these are.
func (r Report) InShort() string { return r.leftOut(0) }

// Unread names documents that could not be read, and why, such as `a.pdf` (it is damaged), in one line of
// bounded length. A file left out for what it is, such as a picture, is no document. Documents in a format
// that is not read come last.
func (r Report) Unread() string {
	const most, longest = 5, 60
	var names, others []string
	for _, s := range r.Skipped {
		name := prose.Shorten(strings.ReplaceAll(printable(filepath.Base(s.Path)), "`", "'"), longest)
		named := fmt.Sprintf("`%s` (%s)", name, s.Reason)
		switch {
		case s.isOther():
			others = append(others, named)
		case s.isDocument():
			names = append(names, named)
		}
	}
	names = append(names, others...)
	if more := len(names) - most; more > 0 {
		names = append(names[:most], fmt.Sprintf("%d more", more))
	}
	return strings.Join(names, ", ")
}

// isDocument reports whether the file of a skip was to be read, and was left out for a reason of its own.
func (s Skip) isDocument() bool {
	switch s.Reason {
	case ofResearch, ofAgent, ofWorkspace, ofOthers, ofSphinx, generated, inDelivery, irregular, linksOut,
		unknownFormat:
		return false
	}
	return s.Reason != notText || filepath.Ext(s.Path) != ""
}

// isOther reports whether the file of a skip is a document of a format that is not read.
func (s Skip) isOther() bool {
	ending := strings.ToLower(filepath.Ext(s.Path))
	return s.Reason == unknownFormat && slices.Contains(otherDocuments, ending)
}

// otherDocuments are the endings of documents in formats that are not read.
var otherDocuments = strings.Fields(`.doc .dot .docm .dotx .wps .pages .xls .xlsb .et .numbers
	.ppt .pptx .pptm .pps .ppsx .dps .odp .msg .mobi .azw .azw3 .djvu .chm .ofd .xps .vsd .vsdx`)

func (r Report) leftOut(named int) string {
	const most = 5 // reasons; nobody reads a longer line
	byKind := map[string][]Skip{}
	for _, s := range r.Skipped {
		kind := fmt.Sprint(s.Reason, s.isOther()) // a document of another format is no picture
		byKind[kind] = append(byKind[kind], s)
	}
	groups := slices.SortedFunc(maps.Values(byKind), func(a, b []Skip) int {
		return cmp.Or(cmp.Compare(files(b), files(a)), strings.Compare(a[0].Path, b[0].Path))
	})
	others := r.Files()
	var parts []string
	for _, group := range groups[:min(len(groups), most)] {
		others -= files(group)
		parts = append(parts, whatOf(group, named)+group[0].Reason)
	}
	if others > 0 {
		parts = append(parts, fmt.Sprintf("%d for other reasons", others))
	}
	if len(parts) == 0 {
		return ""
	}
	return fmt.Sprintf("%d left out: %s", r.Files(), strings.Join(parts, "; "))
}

// whatOf names the files of a group, if they are few or documents, or counts them.
func whatOf(group []Skip, named int) string {
	n, more := files(group), len(group)-named
	if named == 0 || !group[0].isOther() && (more > 0 || n > len(group)) {
		return fmt.Sprintf("%d × ", n)
	}
	var paths []string
	for _, s := range group[:min(len(group), named)] {
		paths = append(paths, printable(s.Path))
	}
	what := strings.Join(paths, ", ")
	if more > 0 {
		what = fmt.Sprintf("%s, and %d more", what, more)
	}
	return what + ": "
}

// files returns how many files a group of skips stands for.
func files(group []Skip) int {
	n := 0
	for _, s := range group {
		n += max(1, s.Files)
	}
	return n
}
