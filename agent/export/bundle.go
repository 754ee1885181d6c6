package export

import (
	"fmt"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/daybook-agent/daybook/agent/workspace/block"
)

// Bundle packs the report as Markdown with the sources that it cites, its pictures and the chart into a zip
// file that needs nothing else: a link to another file of the research becomes its words.
func Bundle(w *workspace.Workspace, r Report) ([]byte, error) {
	text, _, err := load(w, workspace.ReportFile)
	if err != nil {
		return nil, err
	}
	files := map[string]string{}
	for _, s := range r.Cited() {
		source, _, err := load(w, s.File)
		if err != nil {
			return nil, err
		}
		files[s.File] = block.FindLinks(public(source)).Keep(webAddress)
	}
	if len(r.Chart) > 0 {
		files[workspace.ChartFile] = string(r.Chart)
	}
	files[workspace.ReportFile] = block.FindLinks(text).Keep(func(address string) bool {
		if webAddress(address) || strings.HasPrefix(address, "#") {
			return true
		}
		address, _, _ = strings.Cut(address, "#")
		name, err := url.PathUnescape(address)
		name = path.Clean(name)
		if _, ok := files[name]; !ok && err == nil && picture.MatchString(name) {
			if data, _, err := read(w, name); err == nil {
				files[name] = string(data)
			}
		}
		_, ok := files[name]
		return ok
	})
	var packing []packed
	for name, text := range files {
		packing = append(packing, packed{path.Join("report", name), []byte(text)})
	}
	slices.SortFunc(packing, func(a, b packed) int { return strings.Compare(a.name, b.name) })
	return pack(packing)
}

// picture is the name of a picture that holds no script.
var picture = regexp.MustCompile(`(?i)^[^/.][^:\\]*\.(?:png|jpe?g|gif|webp)$`)

// shared are the lines of a source's front matter that are about the page; others are about the research,
// such as a person's note.
var shared = regexp.MustCompile(`^(?:id|url|final_url|title|author|published|fetched|type|language):`)

// public is a source's file without what is about the research.
func public(file string) string {
	rest, ok := strings.CutPrefix(file, "---\n")
	front, text, closed := strings.Cut(rest, "\n---\n")
	if !ok || !closed {
		return file
	}
	var out strings.Builder
	keep := false
	for line := range strings.Lines(front + "\n") {
		if !strings.HasPrefix(line, " ") && !strings.HasPrefix(line, "-") { // not a value over several lines
			keep = shared.MatchString(line)
		}
		if keep {
			out.WriteString(line)
		}
	}
	return fmt.Sprintf("---\n%s---\n%s", out.String(), text)
}
