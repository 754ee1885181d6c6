package citation_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/actions/citation"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace"
)

// BenchmarkCheck checks a report of 20,000 words with 300 citations over 200 sources of about 50 KB each,
// which has to take under a second.
func BenchmarkCheck(b *testing.B) {
	report, lookup := largeReport()
	b.ReportMetric(float64(prose.Count(report)), "words")
	for b.Loop() {
		result := citation.Check(context.Background(), report, lookup)
		if n := len(result.Missing()); n > 0 || len(result.Findings) != 300 {
			b.Fatalf("%d of %d citations are refuted", n, len(result.Findings))
		}
	}
}

// BenchmarkOrigins groups the sources of the same report after it was checked, as the gates and verify do.
func BenchmarkOrigins(b *testing.B) {
	report, lookup := largeReport()
	citation.Check(context.Background(), report, lookup)
	var sources []citation.Source
	for i := range 200 {
		s, err := lookup(fmt.Sprintf("s%d", i+1))
		if err != nil {
			b.Fatal(err)
		}
		sources = append(sources, s)
	}
	for b.Loop() {
		if n := len(citation.OriginsOf(context.Background(), sources).Texts); n != 200 {
			b.Fatal(n)
		}
	}
}

// BenchmarkCheckTampered has every quote of the same report changed, each of which is explained.
func BenchmarkCheckTampered(b *testing.B) {
	report, lookup := largeReport()
	report = strings.ReplaceAll(report, "measured over", "measured ower")
	for b.Loop() {
		if result := citation.Check(context.Background(), report,
			lookup); result.Count(citation.QuoteMissing) != 300 {
			b.Fatal(result.Count(citation.QuoteMissing))
		}
	}
}

// largeReport makes a report and its sources, always the same.
func largeReport() (string, citation.Lookup) {
	random := rand.New(rand.NewPCG(1, 2))
	words :=
		strings.Fields(
			`the of a journal page commit write log disk sync record transaction database buffer cache index tree leaf branch query plan cost
		time memory lock wait read snapshot version row table column type value null key order group join scan filter sort merge hash set bit byte word
		measure throughput latency percent seconds kernel process thread signal file system mount block device driver queue request response`)
	sentence := func(n int) string {
		var all []string
		for range n {
			all = append(all, words[random.IntN(len(words))])
		}
		return strings.ToUpper(all[0][:1]) + all[0][1:] + " " + strings.Join(all[1:], " ") + "."
	}
	texts := map[string]string{}
	var report strings.Builder
	report.WriteString("# A large report\n")
	for i := range 200 {
		var text strings.Builder
		var marked []string
		fmt.Fprintf(&text, "# Source %d\n\n", i+1)
		for text.Len() < 50_000 {
			if text.Len()%7 == 0 {
				fmt.Fprintf(&text, "## %s\n\n", sentence(4))
			}
			if text.Len()%11 == 0 {
				fmt.Fprintf(&text, "```\n%s\n```\n\n", sentence(30))
			}
			figure := 1000 + random.IntN(900_000)
			quote := fmt.Sprintf("the *%s* was measured over [%d](https://example.org/%d) runs of `%s`",
				words[random.IntN(len(words))], figure, figure, words[random.IntN(len(words))])
			marked = append(marked, strings.NewReplacer("*", "", "`", "",
				"[", "", fmt.Sprintf("](https://example.org/%d)", figure), "").Replace(quote))
			fmt.Fprintf(&text, "%s %s In all, %s. %s\n\n", sentence(25), sentence(20), quote, sentence(30))
		}
		id := fmt.Sprintf("s%d", i+1)
		texts[id] = text.String()
		for k := range 1 + i%2 {
			q := marked[random.IntN(len(marked))]
			fmt.Fprintf(&report, "\n## %s\n\n%s %s As is said, “%s”, and in %s too [%s]. %s\n", sentence(4),
				sentence(30+k), sentence(18), q, strings.Fields(q)[6], id, sentence(10))
		}
	}
	return report.String(), func(id string) (citation.Source, error) {
		text, ok := texts[id]
		if !ok {
			return citation.Source{}, citation.ErrNotRead
		}
		return citation.Source{Source: workspace.Source{ID: id, Type: "html",
			URL: "https://" + id + ".example/"}, Text: text, Intact: true}, nil
	}
}
