package citation_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/actions/citation"
	"github.com/daybook-agent/daybook/agent/workspace/block"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const codeSource = "# Pairs\n\nLoads that are side by side are paired so:\n\n```go\nfunc pair(f *Func) {\n" +
	"\t// Only arm64 for now.\n" +
	"\tswitch f.Config.arch {\n\tcase \"arm64\":\n\tdefault:\n\t\treturn\n\t}\n\tpairLoads(f)\n" +
	"\tpairStores(f, __init__)\n}\n```\n\n" +
	"Set it in the file:\n\n```\nmax_wal_size = 4GB\nwal_level = replica\ncheckpoint_timeout = 5min\n```\n" +
	"\nThe test calls unpairLoads.\n\n> ```\n> SELECT name\n>   FROM pairs;\n> ```\n\n" +
	"- > ```\n  > DROP TABLE pairs;\n  > ```\n"

// A block of code that is copied from its source says what the source says; a name that was changed in it
// does not.
func TestCopiedCodeIsCompared(t *testing.T) {
	_, code, _ := strings.Cut(codeSource, "```go\n")
	code, _, _ = strings.Cut(code, "```")
	fenced := func(code string) string { return "```go\n" + code + "```\n" }
	changed := func(old, new string) string { return fenced(strings.Replace(code, old, new, 1)) }
	const config = "max_wal_size = 4GB\nwal_level = replica\ncheckpoint_timeout = 5min\n"
	for name, c := range map[string]struct {
		report  string
		verdict citation.Verdict
		missing []string
	}{
		"as it is":   {"Code, from [s1.2]:\n\n" + fenced(code), citation.Supported, nil},
		"in Chinese": {"代码，出自 [s1.2]：\n\n" + fenced(code), citation.Supported, nil},
		"from a quote": {"Code, from [s1.6]:\n\n```\nSELECT name\n  FROM pairs;\n```\n",
			citation.Supported, nil},
		"from a quote in a list": {"Code, from [s1.7]:\n\n```\nDROP TABLE pairs;\n```\n",
			citation.Supported, nil},
		"citation below": {fenced(code) + "\n[s1.2]\n", citation.Supported, nil},
		"only a part of it": {"Code, from [s1.2]:\n\n" + fenced("\tpairLoads(f)\n"),
			citation.Supported, nil},
		"otherwise indented": {"Code, from [s1.2]:\n\n" +
			fenced(strings.ReplaceAll(code, "\t", "    ")), citation.Supported, nil},
		"from the block above": {"Code, from [s1.1]:\n\n" + fenced(code), citation.Supported, nil},
		"something else is said": {"The scheduler of 2019 is done [s1.2]:\n\n" + fenced(code),
			citation.FigureMissing, []string{"2019"}},
		"names behind a prompt, and behind --": {"So it is set [s1.4]:\n\n" + fenced(config+
			"# checkpoint_timeouts\n"), citation.NameMissing, []string{"checkpoint_timeouts"}},
		"a name in a remark of the author's": {"Code, from [s1.2]:\n\n" +
			changed("\tpairLoads(f)\n", "\tpairLoads(f) // my_own\n"), citation.NotChecked, nil},
		"a quote of it": {"It says “wal_level = replica checkpoint_timeout” [s1.4].",
			citation.Supported, nil},
		"a quote, changed": {"It says “wal_level = minimal checkpoint_timeout” [s1.4].",
			citation.QuoteMissing, []string{"wal_level = minimal checkpoint_timeout"}},
		"a quote that names no block": {"It says “wal_level = replica checkpoint_timeout” [s1].",
			citation.QuoteMissing, []string{"wal_level = replica checkpoint_timeout"}},
		"a changed name": {"Code, from [s1.2]:\n\n" + changed("pairLoads(", "pairLoadz("),
			citation.QuoteMissing, []string{"pairLoadz(f)"}},
		"a changed figure": {"Code, from [s1.4]:\n\n" +
			fenced(strings.Replace(config, "5min", "9min", 1)), citation.QuoteMissing,
			[]string{"checkpoint_timeout = 9min"}},
		"a changed figure, in Chinese": {"代码，出自 [s1.4]：\n\n" +
			fenced(strings.Replace(config, "4GB", "40GB", 1)), citation.QuoteMissing,
			[]string{"max_wal_size = 40GB"}},
		"a changed name, below": {changed("pairLoads(", "pairLoadz(") + "\nSource: [s1.2]\n",
			citation.NameMissing, []string{"pairLoadz"}},
		"a changed key": {"So it is set [s1.4]:\n\n" +
			fenced("max_wal_sizes = 4GB\nwal_level = replica\ncheckpoint_timeout = 5min\n"),
			citation.NameMissing, []string{"max_wal_sizes"}},
		"a changed value": {"So it is set [s1.4]:\n\n" +
			fenced(strings.Replace(config, "4GB", "8GB", 1)), citation.NameMissing, []string{"8GB"}},
		"the source has the name": {"Code, from [s1.2]:\n\n" + changed("pairLoads(", "unpairLoads("),
			citation.QuoteMissing, []string{"unpairLoads(f)"}},
		"a remark of the author's": {"Code, from [s1.2]:\n\n" +
			changed("\tpairLoads", "\t// then loads\n\tpairLoads"), citation.NotChecked, nil},
		"left out in the middle": {"Code, from [s1.2]:\n\n" +
			changed("\tcase \"arm64\":\n\tdefault:\n\t\treturn\n", "\t…\n"), citation.NotChecked, nil},
		"a figure cut short": {"Code, from [s1.4]:\n\n" + fenced("max_wal_size = 4GB\nwal_level = replica\n"+
			"checkpoint_timeout = 5\n# my own\nwal_level = replica\n"), citation.QuoteMissing,
			[]string{"checkpoint_timeout = 5"}},
		"a comment of the author's own": {"Code, from [s1.4]:\n\n" + fenced("# written for this report\n"+
			config), citation.NotChecked, nil},
		"no quote": {"Code, from [s1.2]:\n\n" + fenced("func mine(g *Graph) {\n"), citation.QuoteMissing,
			[]string{"func mine(g *Graph) {"}},
		"an example of the author's": {"So one may write it [s1.2]:\n\n" +
			fenced("func mine(g *Graph) {\n\tpair(g.first)\n\treverseOrder(g)\n}\n"),
			citation.NotChecked, nil},
	} {
		t.Run(name, func(t *testing.T) {
			result := citation.Check(t.Context(), "# R\n\n"+c.report,
				lookupIn(source("s1", "html", codeSource)))
			require.Len(t, result.Findings, 1)
			found := result.Findings[0]
			assert.Equal(t, c.verdict, found.Verdict, found.Why)
			assert.Equal(t, c.missing, found.Missing)
		})
	}
}

// The end of long code has a fence that closes it, and opens none for what is below.
func TestWordsBelowLongCodeAreNoCode(t *testing.T) {
	for name, mark := range map[string]string{"bare": "", "in a quote": "> "} {
		t.Run(name, func(t *testing.T) {
			code := strings.Repeat(mark+"pairStores(f, __init__)\n", 80)
			text := "# Pairs\n\n" + mark + "```\n" + code + mark + "```\n\nStores are paired last of all.\n"
			last := block.Label("s1", len(block.Split(text)))
			result := citation.Check(t.Context(), "# R\n\n> “Stores are paired last of all.” "+last+"\n",
				lookupIn(source("s1", "html", text)))
			require.Len(t, result.Findings, 1)
			assert.Equal(t, citation.Supported, result.Findings[0].Verdict, result.Findings[0].Why)
		})
	}
}

// What a report's own sample names, such as a ruleset of its author's, no source has to hold: a checker looks
// at the claim. What no sample names, it has to.
func TestNamesOfTheAuthorsSamples(t *testing.T) {
	const text = "# Queues\n\nA call posts the message where the ruleset has a queue of its own.\n"
	src := source("s1", "html", text)
	sample := "```\nruleset(name=\"siem\" queue.type=\"LinkedList\")\n```\n\n"
	const claim = "Because `siem` has a queue of its own, the call posts the message [s1.1].\n"
	for name, c := range map[string]struct {
		report string
		want   citation.Verdict
	}{
		"in a sample":          {sample + claim, citation.NotChecked},
		"in none, the control": {claim, citation.NameMissing},
		"another one is, a control": {sample + strings.ReplaceAll(claim, "siem", "spool"),
			citation.NameMissing},
		"a part of a longer, as one": {strings.ReplaceAll(sample, "siem", "siem_two") + claim,
			citation.NameMissing},
	} {
		found := citation.Check(t.Context(), c.report,
			func(string) (citation.Source, error) { return src, nil }).Findings
		require.NotEmpty(t, found, name)
		assert.Equal(t, c.want, found[len(found)-1].Verdict, name)
	}
}

// A piece of a long block of code has no fence; the numbers with which its lines begin are no list's. The
// number of a standard is found in its name.
func TestNumbersInCodeAndInNames(t *testing.T) {
	var log strings.Builder
	for n := 6400; n > 6200; n-- {
		fmt.Fprintf(&log, "%d.   [bug]           The key's lifetime in the zone was wrong.\n\n", n)
	}
	src := source("s1", "html", "# Log\n\n```\n"+log.String()+
		"```\n\n# Standards\n\nIt speaks RFC5424 alone, in H100 rooms.\n")
	blocks := block.Split(src.Text)
	at := slices.IndexFunc(blocks, func(b block.Block) bool { return strings.Contains(b.Text, "6313.") })
	require.NotContains(t, blocks[at].Text, "```")
	piece, last := blocks[at].N, blocks[len(blocks)-1].N
	for _, c := range []struct {
		says  string
		block int
		want  citation.Verdict
	}{
		{"Change 6313 mended the key's lifetime", piece, citation.NotChecked},
		{"Change 6213 mended the key's lifetime", piece, citation.FigureMissing},
		{"It speaks RFC 5424 alone", last, citation.NotChecked},
		{"It speaks RFC 3164 alone", last, citation.FigureMissing},
		{"It speaks alone in 100 rooms, a control", last, citation.FigureMissing},
	} {
		found := citation.Check(t.Context(), fmt.Sprintf("%s [s1.%d].\n", c.says, c.block),
			func(string) (citation.Source, error) { return src, nil }).Findings
		require.Len(t, found, 1)
		assert.Equal(t, c.want, found[0].Verdict, c.says)
	}
}
