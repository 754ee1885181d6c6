package export

import (
	"archive/zip"
	"bytes"
	"fmt"
	"maps"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/daybook-agent/daybook/agent/workspace/block"
)

// bundle packs the report as Markdown with the sources that it cites, its pictures and the chart into a zip
// file that needs nothing else. A link to another file of the research becomes plain words, and so does a
// picture from the web, which a viewer would fetch. HTML in it is shown as text.
func bundle(w *workspace.Workspace, r report) ([]byte, error) {
	files, moved := map[string]string{}, map[string]int{}
	for _, s := range r.Cited() {
		if strings.ContainsFunc(s.File, isStrange) {
			continue
		}
		text, _, err := w.SourceText(s.ID)
		if err != nil {
			return nil, err
		}
		files[s.File] = public(s, text)
		moved[s.ID] = strings.Count(files[s.File], "\n") - strings.Count(text, "\n") + 1 - s.Line
	}
	if len(r.Chart) > 0 {
		files[workspace.ChartFile] = string(r.Chart)
	}
	// the front matter above a passage is different here
	whole := linkedLine.ReplaceAllStringFunc(r.Whole, func(link string) string {
		m := linkedLine.FindStringSubmatch(link)
		line, _ := strconv.Atoi(m[3]) // it is digits
		return m[1] + strconv.Itoa(line+moved[m[2]])
	})
	files[workspace.ReportFile] = block.Keep(whole, func(address string, isPicture bool) bool {
		if webAddress(address) || strings.HasPrefix(address, "#") {
			return !isPicture
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
	for _, name := range slices.Sorted(maps.Keys(files)) {
		packing = append(packing, packed{path.Join("report", name), []byte(files[name])})
	}
	return pack(packing, r.Written)
}

// linkedLine matches the definition of a citation's link, up to the line that it leads to.
var linkedLine = regexp.MustCompile(`(?m)(^\[(s\d+)\.\d+\]: \S+#L)(\d{1,9})\b`)

// isStrange reports whether a character has a meaning of its own in file names elsewhere.
func isStrange(r rune) bool { return r == '\\' || r == ':' || unicode.IsControl(r) }

// picture matches the name of a picture that holds no script.
var picture = regexp.MustCompile(`(?i)^[^/.][^:\\]*\.(?:png|jpe?g|gif|webp)$`)

// public returns a source as others may have it: its text with what is known of the page, and without what
// belongs to the research, such as the user's notes.
func public(s workspace.Source, text string) string {
	out := "---\n"
	for _, field := range [][2]string{{"id", s.ID}, {"url", s.URL}, {"title", s.Title}, {"author", s.Author},
		{"published", s.Published}, {"fetched", s.Fetched.Format(time.RFC3339)}} {
		if field[1] != "" {
			out += fmt.Sprintf("%s: %q\n", field[0], field[1])
		}
	}
	// a viewer may show the front matter as part of the text
	return block.Keep(out+"---\n\n"+text, func(address string, isPicture bool) bool {
		return webAddress(address) && !isPicture
	})
}

type packed struct {
	name string
	data []byte
}

// pack makes a zip file, byte for byte the same for the same files: all have the date of the report.
func pack(files []packed, written time.Time) ([]byte, error) {
	var out bytes.Buffer
	to := zip.NewWriter(&out)
	for _, file := range files {
		w, err := to.CreateHeader(&zip.FileHeader{
			Name: file.name, Method: zip.Deflate, Modified: written.UTC()})
		if err == nil {
			_, err = w.Write(file.data)
		}
		if err != nil {
			return nil, fmt.Errorf("packing %s: %w", file.name, err)
		}
	}
	err := to.Close()
	return out.Bytes(), err
}
