package researcher_test

import (
	"fmt"
	"html"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/actions/search"
	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/stretchr/testify/require"
)

// A channel is a way by which a text from outside gets before a model.
type channel struct {
	name string
	lay  func(t *testing.T, w *world, all []payload) // puts payloads into the world, and on the agenda what brings them before the model
	cuts reach                                       // how much of a payload it lets through
}

type reach int

const (
	whole   reach = iota // all of it
	partly               // it may shorten a payload, spell it otherwise, or have none but a reader see it
	perhaps              // whether anything comes through is the reader's business
	persons              // a person's hand put it where the agent obeys what stands there, so that it bears no label; it comes shortened
)

func channels() []channel {
	return slices.Concat(sentChannels(), ownChannels(), toolChannels())
}

func sentChannels() []channel {
	return []channel{
		{"page text", layText, whole},
		{"page title", onPages(func(w *world, path, text string) { w.head(path, text, "", "") }), partly},
		{"author", onPages(func(w *world, path, text string) {
			text = html.EscapeString(strings.ReplaceAll(text, "://", ":{{NOTHING}}//")) // an address is taken for no name
			w.head(path, "Tides", `<meta name="author" content="`+text+`"><meta name="description" content="`+text+`">`, "")
		}), partly},
		{"link text", onPages(func(w *world, path, text string) {
			w.page(path, `<p>As the other site says: <a href="`+w.evil.URL+`/known">`+html.EscapeString(text)+"</a> and so on, for the whole of the day.</p>")
		}), whole},
		{"outline", layOutline, whole},
		{"redirect target", onPages(func(w *world, path, text string) {
			w.page(path+"/landing", "<p>"+html.EscapeString(text)+"</p>")
			w.pages[path], w.known[w.good.URL+path] = "redirect "+w.good.URL+path+"/landing", true
		}), whole},
		{"hit title", layHits(func(h *search.Hit, text string) { h.Title = text }), whole},
		{"hit snippet", layHits(func(h *search.Hit, text string) { h.Snippet = text }), whole},
		{"document text", layDocuments(func(_ int, text string) (string, string) {
			// of a link a document shows the words alone: it comes once more as letters
			return "", "# Tides\n\n" + text + "\n\n" + strings.ReplaceAll(text, "](", `\](`) + "\n"
		}), whole},
		{"document as HTML", layDocuments(func(n int, text string) (string, string) {
			return fmt.Sprintf("d%d.html", n), "<h1>Tides</h1><p>The tide comes in twice a day, because the moon pulls at the sea.</p><p>" + html.EscapeString(text) + "</p>"
		}), whole},
		{"document name", layDocuments(func(_ int, text string) (string, string) {
			return fileName(text), "The tide comes in twice a day.\n"
		}), partly},
		{"chapter", layChapter, whole},
		{"reader", layReader, partly},
		{"search error", layErrors, whole},
		{"PDF", onPages(func(w *world, path, text string) {
			w.pages[path+".pdf"], w.known[w.good.URL+path+".pdf"] = pdf(text), true
			w.pages[path], w.known[w.good.URL+path] = "redirect "+w.good.URL+path+".pdf", true
		}), partly}, // the font of the fixture has no letters beyond Latin
		{"page error", onPages(func(w *world, path, text string) {
			w.pages[path], w.known[w.good.URL+path] = "fault "+strings.ReplaceAll(text, "\n", " "), true
		}), perhaps},
	}
}

// onPages lays each payload on a page of its own.
func onPages(write func(w *world, path, text string)) func(*testing.T, *world, []payload) {
	return func(_ *testing.T, w *world, all []payload) {
		var paths []string
		for _, p := range all {
			path := "/" + strings.Replace(p.marker, "pmk", "page", 1)
			write(w, path, w.text(p.text))
			paths = append(paths, path)
		}
		w.visit(paths...)
	}
}

func layText(t *testing.T, w *world, all []payload) {
	onPages(func(w *world, path, text string) {
		w.page(path, "<p>"+html.EscapeString(text)+"</p>")
	})(t, w, all)
}

// layOutline writes one long page whose headings are the payloads: its first part shows them all, its others each in its place.
func layOutline(_ *testing.T, w *world, all []payload) {
	var body strings.Builder
	// an order that the outline cuts off must not run on into the first heading below it
	fmt.Fprintf(&body, "<p>%s</p>", strings.Repeat("The tide came in, and went out again. ", 20))
	for n, p := range all {
		fmt.Fprintf(&body, "<h2>%s</h2>", html.EscapeString(w.text(p.text)))
		for i := range 6 {
			fmt.Fprintf(&body, "<p>%s</p>", strings.Repeat(fmt.Sprintf("The tide of day %d, paragraph %d, came in as it always does. ", n, i), 6))
		}
	}
	w.page("/long", body.String())
	w.visit("/long")
	for part := 2; part <= 2+len(all)/4; part++ {
		w.do(agenttest.Call("visit_url", args{"url": w.good.URL + "/long", "part": part}))
	}
}

func layHits(put func(h *search.Hit, text string)) func(*testing.T, *world, []payload) {
	return func(_ *testing.T, w *world, all []payload) {
		for n, p := range all {
			address := fmt.Sprintf("%s/found/%d", w.good.URL, n)
			h := search.Hit{Title: "Tides of the sea", URL: address, Snippet: "The tide comes in.", Provider: w.Name()}
			put(&h, strings.ReplaceAll(w.text(p.text), "\n", " "))
			w.hits, w.known[address] = append(w.hits, h), true
		}
		for from := range (len(all) + 9) / 10 {
			w.do(agenttest.Call("web_search", args{"query": fmt.Sprintf("tides page %d", from), "source": "web"}))
		}
	}
}

// layErrors has a search service say each payload as the reason why it does not answer.
func layErrors(_ *testing.T, w *world, all []payload) {
	for n, p := range all {
		w.faults = append(w.faults, w.text(p.text))
		source := []string{"", "faulty"}[n%2] // beside one that answers, and alone
		w.do(agenttest.Call("web_search", args{"query": fmt.Sprintf("fault %d", n), "source": source}))
	}
}

// layDocuments puts each payload into a document of the person's own.
func layDocuments(write func(n int, text string) (name, body string)) func(*testing.T, *world, []payload) {
	return func(t *testing.T, w *world, all []payload) {
		for n, p := range all {
			name, body := write(n, w.text(p.text))
			if name == "" {
				name = fmt.Sprintf("d%d.md", n)
			}
			topic := fmt.Sprintf("topic%dx", n)
			require.NoError(t, os.WriteFile(filepath.Join(w.docs, name), []byte(body+"\n\nIt is about "+topic+".\n"), 0o644))
			w.do(agenttest.Call("web_search", args{"query": topic, "source": "documents"}), agenttest.Call("visit_url", args{"url": "doc:" + name}))
		}
	}
}

// fileName is a payload as the name of a file: no slash, and no more than a file system takes.
func fileName(text string) string {
	name := strings.NewReplacer("/", "{{SLASH}}", "\n", " ", `\`, "{{BACK}}").Replace(text)
	if at := strings.Index(name, "!!"); len(name) > 240 && at > 0 {
		name = name[:len("pmk000q")] + " " + name[at:]
	}
	return strings.ToValidUTF8(name[:min(len(name), 240)], "") + ".md"
}

// layChapter lays the payloads into chapters that an earlier run left, or a sync service.
func layChapter(t *testing.T, w *world, all []payload) {
	for n, p := range all {
		name := fmt.Sprintf("Notebook/old%d.md", n)
		require.NoError(t, os.WriteFile(filepath.Join(w.dir, name), []byte("# Tides\n\n"+w.text(p.text)+"\n"), 0o644))
		w.do(operation("Read "+name), operation("Study "+name))
	}
}

// layReader has pages read by the reader, who is told what to say by the page. They are too long to be shown whole instead.
func layReader(t *testing.T, w *world, all []payload) {
	more := strings.Repeat("<p>The tide came in as it always does, and went out again.</p>", 120)
	onPages(func(w *world, path, text string) {
		w.page(path, "<p>"+html.EscapeString(text)+"</p>"+more)
	})(t, w, all)
	last := w.agenda[len(w.agenda)-1]
	for i, call := range last {
		last[i].Args = strings.Replace(call.Args, "{", `{"focus":"how tides work",`, 1)
	}
}

// pdf is a document of one page with one line on it, in letters so small that it fits.
func pdf(text string) string {
	line := strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' { // the font has no other letters
			return ' '
		}
		return r
	}, text)
	content := "BT /F1 3 Tf 20 700 Td (" + strings.NewReplacer(`\`, `\\`, "(", `\(`, ")", `\)`).Replace(line) + ") Tj ET"
	objects := []string{
		"<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
		"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
		fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", len(content), content), "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
	}
	var out, table strings.Builder
	out.WriteString("%PDF-1.4\n")
	for n, object := range objects {
		fmt.Fprintf(&table, "%010d 00000 n \n", out.Len())
		fmt.Fprintf(&out, "%d 0 obj\n%s\nendobj\n", n+1, object)
	}
	start := out.Len()
	fmt.Fprintf(&out, "xref\n0 6\n0000000000 65535 f \n%strailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", table.String(), start)
	return out.String()
}
