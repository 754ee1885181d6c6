package evaluator

import (
	"regexp"
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff"
)

// piece is the unit of comparison: a word, or a clause of a text without spaces between words.
var piece = regexp.MustCompile(`[^\s，。；：、！？]*[，。；：、！？]\s*|\S+\s*|\s+`)

// around is the length of unchanged text shown next to a change, in bytes.
const around = 120

// unmarked puts backslashes into change marks in a report, so that its text cannot imitate one.
var unmarked = strings.NewReplacer("{+", `{\+`, "+}", `+\}`, "[-", `[\-`, "-]", `-\]`)

// differences shows the changed words of each changed line, between some that both texts have:
// "… a log of [-4-]{+8+} pages …". The end of a line is shown as ¶.
func differences(before, after string) string {
	before, after = unmarked.Replace(before), unmarked.Replace(after)
	a := filled(before)
	var all []string
	for _, e := range udiff.Lines(a, filled(after)) {
		above := a[strings.LastIndexAny(a[:max(0, e.Start-around)], " \n")+1 : e.Start]
		all = append(all, changes(lined(above+a[e.Start:e.End]), lined(above+e.New)))
	}
	return strings.Join(all, "\n")
}

// changes shows how a text differs from another, both with one piece per line.
func changes(a, b string) string {
	var out strings.Builder
	shown := 0
	for i, e := range udiff.Lines(a, b) {
		if gap := e.Start - shown; gap > 2*around || i == 0 && gap > around {
			if i > 0 {
				out.WriteString(unlined(a[shown:lineAt(a, shown+around)]))
			}
			out.WriteString("… ")
			shown = lineAt(a, e.Start-around)
		}
		out.WriteString(unlined(a[shown:e.Start]))
		if old := unlined(a[e.Start:e.End]); old != "" {
			out.WriteString("[-" + old + "-]")
		}
		if added := unlined(e.New); added != "" {
			out.WriteString("{+" + added + "+}")
		}
		shown = e.End
	}
	return out.String() + unlined(a[shown:lineAt(a, shown+around)]) + "…"
}

// filled returns a text without its empty lines.
func filled(text string) string {
	empty := func(line string) bool { return strings.TrimSpace(line) == "" }
	return strings.Join(slices.DeleteFunc(strings.Split(text, "\n"), empty), "\n") + "\n"
}

// lined puts each piece of a text on its own line, for comparison.
func lined(text string) string {
	return strings.Join(piece.FindAllString(strings.ReplaceAll(text, "\n", " ¶ "), -1), "\n") + "\n"
}

func unlined(text string) string { return strings.ReplaceAll(text, "\n", "") }

// lineAt returns the start of the first line at or after an offset.
func lineAt(text string, at int) int {
	if at <= 0 || at >= len(text) {
		return max(0, min(at, len(text)))
	}
	return at + strings.IndexByte(text[at:]+"\n", '\n') + 1
}
