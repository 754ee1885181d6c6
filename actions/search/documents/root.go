package documents

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/daybook-agent/daybook/actions/page"
	"github.com/daybook-agent/daybook/actions/search"
)

// maxBytes bounds a file that is read: 8 MB, as for a page of the web. Packed formats may have more.
const maxBytes = 8 << 20

func maxSize(name string) int64 {
	if _, isPacked := page.OfFile(bareName(name)); isPacked {
		return page.MaxPacked
	}
	return maxBytes
}

// bareName returns a file's name without the ending of gzip, which systems use for change logs and manual
// pages: it shows the format inside.
func bareName(name string) string {
	if isZipped(name) {
		return strings.TrimSuffix(name, filepath.Ext(name))
	}
	return name
}

func isZipped(name string) bool { return strings.EqualFold(filepath.Ext(name), ".gz") }

// Why a file or folder is left out as no document of the user's, whatever is in it.
const (
	ofResearch    = "of a research, which is no source of its own"
	ofAgent       = "a text that the agent wrote, which is no source of its own"
	ofWorkspace   = "a workspace of Daybook, which holds copies of what was read"
	ofOthers      = "code of others"
	ofSphinx      = "Sphinx source of pages that are read"
	inDelivery    = "mail that is still being delivered"
	irregular     = "not a regular file"
	generated     = "written by a program, not by hand"
	notText       = "not text, whatever its name says"
	unknownFormat = "no format that is read, by its ending"
	linksOut      = "a symbolic link that leads out of the folder"
)

// Skip is a file or folder that was left out, and why.
type Skip struct {
	Path   string
	Reason string // in plain words, such as "larger than 8 MB"
	Files  int    // how many files are in a folder, if they were counted
}

// root is one of the folders, or single files, that hold the user's documents.
type root struct {
	path  string // absolute, symbolic links resolved
	label string // the beginning of its documents' URLs, or ""
}

// found is a file below a root that may be a document.
type found struct {
	path  string // in the system's spelling
	url   string
	size  int64
	stamp string
	// its ending belongs to no known format, as in README.Debian: it is a document if it is text
	isUnknown bool
}

// openRoots resolves the roots and gives each a label of its own if there are several.
func openRoots(paths []string) ([]root, error) {
	var roots []root
	for _, p := range paths {
		absolute, err := filepath.Abs(p)
		if err != nil {
			return nil, err
		}
		resolved, err := filepath.EvalSymlinks(absolute)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil, fmt.Errorf("there is no file or folder %s: %w", p, fs.ErrNotExist)
		case err != nil:
			return nil, err
		}
		if !slices.ContainsFunc(roots, func(r root) bool { return r.path == resolved }) {
			roots = append(roots, root{resolved, filepath.Base(absolute)})
		}
	}
	if len(roots) == 1 {
		roots[0].label = ""
	}
	// By path, so that listing the same roots in another order changes no URL.
	slices.SortFunc(roots, func(a, b root) int { return strings.Compare(a.path, b.path) })
	taken := map[string]bool{}
	for i, r := range roots {
		for n := 2; taken[roots[i].label]; n++ {
			roots[i].label = r.label + "~" + strconv.Itoa(n)
		}
		taken[roots[i].label] = true
	}
	return roots, nil
}

// listing is the result of a walk over the roots.
type listing struct {
	files      []found
	skipped    []Skip
	seen       map[string]bool // paths in files: roots may lie inside each other
	isResearch func(path string) bool
}

// list walks one root. Only a missing root is an error: anything below it that cannot be read is left out and
// reported. The user named a root that is a file, so its name does not matter.
func (l *listing) list(r root) error {
	if err := stillReal(r.path); err != nil {
		return fmt.Errorf("looking for documents in %s: %w", r.path, err)
	}
	return filepath.WalkDir(r.path, func(p string, entry fs.DirEntry, err error) error {
		isRoot := p == r.path
		switch {
		case err != nil:
			l.skip(p, reason(err))
		case entry.IsDir():
			if !isRoot {
				return l.enter(p)
			}
		case !isRoot && strings.HasPrefix(entry.Name(), "."):
		case l.isResearch(p):
			l.skip(p, ofResearch)
		case entry.Type()&fs.ModeSymlink != 0:
			l.link(r, p)
		case !entry.Type().IsRegular():
			l.skip(p, irregular)
		case !isRoot && generatedName.MatchString(entry.Name()):
			l.skip(p, generated)
		default:
			info, err := entry.Info()
			switch {
			case err != nil:
				l.skip(p, reason(err))
			case !isRoot && isUnknown(p) && (page.IsData(bareName(p)) || info.Size() > maxUnknown):
				l.skip(p, unknownFormat)
			default:
				l.add(r, p, info)
			}
		}
		return nil
	})
}

// enter returns filepath.SkipDir for a folder that is not walked.
func (l *listing) enter(folder string) error {
	switch {
	case strings.HasPrefix(filepath.Base(folder), "."):
	case l.isResearch(folder):
		l.skip(folder, ofResearch)
	case hasAny(folder, ".daybook"):
		l.skip(folder, ofWorkspace)
	case isVendored(folder):
		l.skipped = append(l.skipped, Skip{folder, ofOthers, filesIn(folder)})
	case filepath.Base(folder) == "tmp" && isMaildir(filepath.Dir(folder)):
		l.skip(folder, inDelivery)
	case filepath.Base(folder) == "_sources" && isOfSphinx(folder):
		l.skip(folder, ofSphinx)
	default:
		return nil
	}
	return filepath.SkipDir
}

// isOfSphinx reports whether Sphinx made the manual that a folder is in; some packages leave out one of the
// files that show it. Manuals include the source of their pages: if that were indexed too, every page would
// be found twice, and take the place of another.
func isOfSphinx(folder string) bool {
	return hasAny(filepath.Dir(folder), "objects.inv", "searchindex.js", "genindex.html")
}

func (l *listing) skip(p, why string) { l.skipped = append(l.skipped, Skip{Path: p, Reason: why}) }

func (l *listing) add(in root, file string, info fs.FileInfo) {
	limit := maxSize(file)
	switch {
	case l.seen[file]:
		return
	case info.Size() > limit:
		l.skip(file, fmt.Sprintf("larger than %d MB", limit>>20))
		return
	}
	below := in.label
	if file != in.path { // a root that is a file has its whole name in its label
		below = path.Join(below,
			filepath.ToSlash(strings.TrimLeft(file[len(in.path):], string(filepath.Separator))))
	}
	if below == "" {
		below = filepath.Base(file)
	}
	l.seen[file] = true
	l.files = append(l.files, found{file, search.DocScheme + printable(below), info.Size(), stamp(info),
		file != in.path && isUnknown(file)})
}

// link handles a symbolic link. The target of one that stays inside the root is found under its own name
// anyway, so nothing is read twice and no loop can arise; any other link is left out.
func (l *listing) link(r root, p string) {
	target, err := filepath.EvalSymlinks(p)
	if err != nil {
		l.skip(p, "a symbolic link that leads nowhere")
		return
	}
	if below, err := filepath.Rel(r.path, target); err != nil || !filepath.IsLocal(below) {
		l.skip(p, linksOut)
	}
}

// maxUnknown bounds the bytes of a file whose ending says nothing: larger text is data.
const maxUnknown = 1 << 20

// isUnknown reports whether the ending of a file's name belongs to no format of documents. A file without an
// ending is often a README.
func isUnknown(file string) bool {
	file = bareName(file)
	is, _ := page.OfFile(file)
	return !is && filepath.Ext(file) != "" && languageOf(file) == "" && !inMaildir(file)
}

// printable makes a path fit for a line of text: it percent-encodes control characters and bytes that are not
// UTF-8, as in names from old archives.
func printable(name string) string {
	return unprintable.ReplaceAllStringFunc(name, func(part string) string {
		if part == "\uFFFD" { // the character itself, not an invalid byte
			return part
		}
		return url.PathEscape(part)
	})
}

var unprintable = regexp.MustCompile(`[\x{FFFD}\p{Cc}]`)

// reason returns an error without the path, which is shown next to it.
func reason(err error) string {
	if failure, ok := errors.AsType[*fs.PathError](err); ok {
		return failure.Err.Error()
	}
	return err.Error()
}
