package documents

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/daybook-agent/daybook/actions/page"
	"github.com/daybook-agent/daybook/actions/search"
	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"
)

// maxInFlight bounds the bytes of the files that are being converted at one time, and so the memory: the tree
// of an HTML file takes up to 40 times its bytes.
const maxInFlight = maxBytes

// document is a file that was read, ready to be stored.
type document struct {
	found
	page     page.Page
	passages []passage
	skipped  string // why the file is not indexed, or ""
	again    bool   // the reason may pass: the file could not even be opened
}

// readAll reads files on all cores and hands each to store, one at a time, in no particular order. It ends
// when ctx does, or at the first error of store.
func readAll(ctx context.Context, files []found, store func(document) error) error {
	readers, within := errgroup.WithContext(ctx)
	readers.SetLimit(runtime.GOMAXPROCS(0) + 1) // one of them stores
	room := semaphore.NewWeighted(maxInFlight)
	var reader page.Reader
	var storing sync.Mutex
	for _, f := range files {
		weight := f.size // a packed one is mostly pictures, which are not converted
		if isZipped(f.path) {
			weight *= 5 // text is usually that much larger than its gzip
		}
		weight = min(weight, maxInFlight)
		if room.Acquire(within, weight) != nil {
			break // the first error, or that of ctx, is returned below
		}
		readers.Go(func() error {
			d := read(within, &reader, f)
			room.Release(weight) // its tree is gone
			storing.Lock()
			defer storing.Unlock()
			if err := within.Err(); err != nil {
				return context.Cause(within)
			}
			return store(d)
		})
	}
	err := readers.Wait()
	return cmp.Or(err, ctx.Err(), reader.Close())
}

// read reads one file. An error is noted in the document: it concerns this file alone.
func read(ctx context.Context, reader *page.Reader, f found) document {
	d := document{found: f}
	body, err := contents(f)
	if err != nil {
		d.skipped, d.again = reason(err), !errors.Is(err, errUnknown)
		return d
	}
	language := languageOf(f.path)
	_, isPacked := page.OfFile(bareName(f.path))
	switch {
	case !isPacked && isBinary(body):
		d.skipped = notText
	case (language != "" || f.isUnknown && !page.IsManual(body)) && isGenerated(body):
		d.skipped = generated
	case language != "":
		d.page, err = codePage(f.path, language, body)
	default:
		d.page, err = readPage(ctx, reader, f, body)
	}
	if err != nil {
		d.skipped = why(err)
	} else if d.skipped == "" {
		d.passages = passages(d.page)
	}
	return d
}

// contents reads a file only if its path has no link: one that was put there since the file was listed is not
// followed.
func contents(f found) ([]byte, error) {
	file, err := os.Open(f.path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if err := checkReal(f.path, file); err != nil {
		return nil, err
	}
	text := io.Reader(file)
	if isZipped(f.path) {
		if text, err = gzip.NewReader(file); err != nil {
			return nil, badGzip(err, "no gzip, whatever its name says")
		}
	}
	limit := maxSize(f.path)
	body, err := io.ReadAll(io.LimitReader(text, limit+1))
	switch {
	case err != nil:
		return nil, badGzip(err, "its gzip is damaged or was cut off")
	case f.isUnknown && !beginsAsText(body):
		return nil, errUnknown
	case int64(len(body)) > limit:
		return nil, fmt.Errorf("larger than %d MB, unpacked or since it was listed", limit>>20)
	}
	return body, nil
}

// badGzip returns what is wrong with a packed file, unless the system could not read it.
func badGzip(err error, what string) error {
	if _, ofSystem := errors.AsType[*fs.PathError](err); ofSystem {
		return err
	}
	return errors.New(what)
}

// checkReal returns an error unless an open file is the one at a path without links. Call it after opening
// the file: an earlier answer could be out of date.
func checkReal(path string, file *os.File) error {
	opened, err := file.Stat()
	if err != nil {
		return err
	}
	if err := stillReal(path); err != nil {
		return err
	}
	if there, err := os.Lstat(path); err != nil || !os.SameFile(there, opened) {
		return errReplaced
	}
	return nil
}

// stillReal returns an error if a path without links has become one with links.
func stillReal(path string) error {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return err
	}
	if real != path {
		return errReplaced
	}
	return nil
}

var errReplaced = errors.New("replaced by a link, or by another file, while it was looked at")

var errUnknown = errors.New(unknownFormat)

// beginsAsText reports whether a file begins with words, and not with markup, a key or anything else that
// programs write.
func beginsAsText(body []byte) bool {
	const most = 512 // which is all that DetectContentType looks at
	head := body[:min(len(body), most)]
	for i := 0; i < utf8.UTFMax && len(body) > most && !utf8.Valid(head); i++ {
		head = head[:len(head)-1] // a character was cut
	}
	return utf8.Valid(head) && strings.HasPrefix(http.DetectContentType(head), "text/plain") &&
		bytes.ContainsFunc(head, unicode.IsLetter) && !bytes.HasPrefix(head, []byte("-----BEGIN "))
}

// isBinary reports whether there is a zero byte at the beginning, as git does. UTF-16 is full of them, and is
// text if it begins with its mark.
func isBinary(body []byte) bool {
	if bytes.HasPrefix(body, []byte{0xFF, 0xFE}) || bytes.HasPrefix(body, []byte{0xFE, 0xFF}) {
		return false
	}
	return bytes.IndexByte(body[:min(len(body), 8000)], 0) >= 0
}

// why returns what is wrong with a page, without its address and without advice about the web.
func why(err error) string {
	failure, ok := errors.AsType[*page.Error](err)
	if !ok {
		return err.Error()
	}
	what, _, _ := strings.Cut(failure.What(), ";")
	return what
}

// A document gets a temporary address with a host while it is read, since links can be made absolute only
// with one. It is a few folders deep, so that a link out of the roots ends in one of these and is recognized.
const (
	lentHost  = "//documents/"
	lentAbove = "~above/"
	lentDeep  = 8
)

// readPage reads a document. A link to another document becomes its doc: URL, ready for visit_url; of a link
// out of the user's folders only the text stays.
func readPage(ctx context.Context, reader *page.Reader, f found, body []byte) (page.Page, error) {
	above := "/" + strings.Repeat(lentAbove, lentDeep)
	lent := url.URL{Scheme: "doc", Host: "documents",
		Path: above + strings.TrimPrefix(bareName(f.url), search.DocScheme)}
	raw := page.Raw{URL: lent.String(), Body: body}
	if inMaildir(f.path) {
		raw.ContentType = "message/rfc822"
	}
	p, err := reader.Read(ctx, raw)
	target := "](" + search.DocScheme + lentHost
	if strings.Contains(p.Markdown, target) {
		p.Markdown = strings.ReplaceAll(p.Markdown, target+above[1:], "]("+search.DocScheme)
		p.Markdown = leadsOut.ReplaceAllString(p.Markdown, "$1")
		p.Markdown = strings.ReplaceAll(p.Markdown, target, "]("+search.DocScheme)
	}
	return p, err
}

// leadsOut matches a link, or a picture, out of the user's folders. Its text may have one pair of brackets.
var leadsOut = regexp.MustCompile(`!?\[((?:[^\[\]\\]|\\.|\[[^\[\]]*\])*)\]\(doc:` + lentHost + lentAbove +
	`(?:[^()\n]|\([^()\n]*\))*\)`)

// inMaildir reports whether a file is a message of a Maildir, whose names have no telling ending.
func inMaildir(file string) bool {
	folder := filepath.Dir(file)
	name := filepath.Base(folder)
	return (name == "cur" || name == "new") && isMaildir(filepath.Dir(folder))
}

// isMaildir reports whether a folder has the three folders of a Maildir. tmp holds what is still being
// delivered.
func isMaildir(folder string) bool {
	for _, name := range []string{"cur", "new", "tmp"} {
		info, err := os.Stat(filepath.Join(folder, name))
		if err != nil || !info.IsDir() {
			return false
		}
	}
	return true
}
