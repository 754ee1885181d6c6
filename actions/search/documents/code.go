package documents

import (
	"bytes"
	"cmp"
	_ "embed" // for languages.txt
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/daybook-agent/daybook/actions/page"
	"github.com/daybook-agent/daybook/actions/page/plain"
	"github.com/daybook-agent/daybook/actions/search/words"
	"github.com/daybook-agent/daybook/agent/prose"
)

//go:embed languages.txt
var languageNames string

// languages maps the endings, and whole names, of files of source code and settings to the word that marks a
// block of code in that language. A line of the file begins with that word.
var languages = sync.OnceValue(func() map[string]string {
	byName := map[string]string{}
	for line := range strings.Lines(languageNames) {
		fields := strings.Fields(line)
		for _, name := range fields[1:] {
			byName[name] = fields[0]
		}
	}
	return byName
})

// languageOf returns the language of a file of code by its name, or "".
func languageOf(name string) string {
	base := strings.ToLower(bareName(filepath.Base(name)))
	return cmp.Or(languages()[base], languages()[filepath.Ext(base)])
}

// generatedName matches files that tools write: a list of locked versions, a minified script.
var generatedName = regexp.MustCompile(`(?i)^(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|` +
	`go\.(?:work\.)?sum|(?:yarn|poetry|cargo|composer|gemfile|uv|pipfile)\.lock)$|` +
	`\.min\.|\.map$|\.pb\.go$|_pb2\.py$`)

var generatedMark = regexp.MustCompile(
	`(?i)code generated .*do not edit|@generated|automatically generated|this file ` +
		`(?:is|was) (?:auto-?)?generated`)

// isGenerated reports whether a file of code says so at its beginning, or has lines that nobody writes.
func isGenerated(body []byte) bool {
	const head, longLine = 1 << 10, 400 // bytes; longLine is an average
	return generatedMark.Match(body[:min(len(body), head)]) ||
		len(body) > 8<<10 && len(body)/(1+bytes.Count(body, []byte("\n"))) > longLine
}

// isVendored reports whether a folder holds other people's code that tools put there.
func isVendored(folder string) bool {
	switch filepath.Base(folder) {
	case "node_modules", "__pycache__", "site-packages", "bower_components", "third_party":
		return true
	case "vendor":
		return hasAny(filepath.Dir(folder), "go.mod", "composer.json", "Gemfile", "Cargo.toml")
	case "target", "venv":
		return hasAny(folder, "CACHEDIR.TAG", "pyvenv.cfg")
	case "_static":
		return isOfSphinx(folder)
	}
	return false
}

// hasAny reports whether a folder holds any of these files.
func hasAny(folder string, names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		_, err := os.Stat(filepath.Join(folder, name))
		return err == nil
	})
}

// filesIn counts the files of a folder, up to a number at which nobody cares any more.
func filesIn(folder string) int {
	const most = 100_000
	n := 0
	_ = filepath.WalkDir(folder, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || n >= most {
			return filepath.SkipDir // counted as far as it can be read
		}
		if !entry.IsDir() {
			n++
		}
		return nil
	})
	return n
}

// codePage returns a file of code as one block of code, which keeps its lines as they are.
func codePage(name, language string, body []byte) (page.Page, error) {
	text := strings.TrimRight(strings.ReplaceAll(plain.Decode(body, ""), "\r\n", "\n"), "\n")
	if strings.TrimSpace(text) == "" {
		return page.Page{}, errors.New("there is no text in it")
	}
	return page.Page{Title: filepath.Base(name), Type: "code", Markdown: prose.Fenced(language, text)}, nil
}

// maxHeading bounds the characters of a declaration as a heading.
const maxHeading = 100

// declaration matches a line that begins something with a name of its own.
var declaration = regexp.MustCompile(
	`^(?:export |public |private |protected |internal |static |abstract |final |async |pub(?:\([a-z]+\))? ` +
		`|default |unsafe |extern )*` +
		`(?:func|function|def|class|struct|interface|trait|impl|enum|type|module|namespace|package|` +
		`fn|const|` +
		`var|let|CREATE|create|sub|message|service|resource|record|protocol|extension)\b.*|^\[.+\]\s*$|` +
		`^[A-Za-z_][\w.-]*:\s*$`)

// labelled returns a table row with the column's heading before each cell: "city: Bergen; rain: 2250 mm".
func labelled(head, row string) string {
	names, cells := cellsOf(head), cellsOf(row)
	var parts []string
	for i, cell := range cells {
		if i < len(names) && names[i] != "" && cell != "" {
			cell = names[i] + ": " + cell
		}
		if cell != "" {
			parts = append(parts, cell)
		}
	}
	return strings.Join(parts, "; ")
}

func cellsOf(row string) []string {
	row = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(row), "|"), "|")
	var cells []string
	for _, cell := range strings.Split(strings.ReplaceAll(row, `\|`, "\x00"), "|") {
		cells = append(cells, prose.OneLine(words.Plain(strings.ReplaceAll(cell, "\x00", "|"))))
	}
	return cells
}
