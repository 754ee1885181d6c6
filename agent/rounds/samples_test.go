package rounds_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/rounds"
	"github.com/daybook-agent/daybook/agent/workspace"
)

const reference = "# Reference\n\nWrite `rotate {` and in it `keep_days`, `keep.size` or `on-full`. A rule has\n" +
	"`action(type=…, target=…)`; the operator is startswith. Call `log\\_size(path)`. A run takes `--dry-run`; `log1-path` is where the first goes.\n"

// The names of a report's samples that no source has are told once, before it is judged.
func TestNamesOfSamplesThatNoSourceHas(t *testing.T) {
	for name, c := range map[string]struct{ sample, told string }{
		"all are there":                {"rotate {\n  keep_days 14;\n  keep.size = 3\n}\nx = log_size(y)\nrun --dry-run", ""},
		"first in a statement":         {"rotate { keep_days 14; keep_weeks 2; }", "`keep_weeks`"},
		"behind a prompt":              {"$ keep-weeks 3\n> rotate { on_empty { x } }", "`keep-weeks`, `on_empty`"},
		"part of a name":               {"rotate {\n  days 14\n  keep-days 3\n}", "`keep-days`"},
		"with a value":                 {"action(type=\"file\" targets=\"x\" type = 3)\nkeep.sizes: 3", "`targets`, `keep.sizes`"},
		"called":                       {"keep_days = log_sizes(a) + st.log_size(b)", "`log_sizes`"},
		"before a text":                {"if a beginswith \"x\" then keep_days", "`beginswith`"},
		"an option":                    {"rotate --keep-daily 7 --dry-run", "`--keep-daily`"},
		"a key of JSON":                {`{"keep_days": 3, "keepWeeks": "keepYears"}`, "`keepWeeks`"},
		"in a remark":                  {"# keepWeeks = 3\nkeep_days 3 // or keepWeeks(3)\n/* keepYears(3) */", ""},
		"its own":                      {"def keep_all(x):\nkeep_all(3)\nset $!my_host = 3\nmy_host = 2\nrotate(type=\"by_size\")\nby_size = 1\nold_logs() {\nrotate my_ops {\n}\n{ my_peers; }", ""},
		"a macro and a label":          {"KEEP_DOM = a\nacl_keep:\n  rotate = KEEP_DOM\nkeep_days = acl_keep\nKEEP_ALL = 3\nold_acl:\n", "`KEEP_ALL`, `old_acl`"},
		"a list with its kind":         {"hostlist keep_hosts = a\nkeep_days = keep_hosts\nrotate kept_too = 3", "`hostlist`, `kept_too`"},
		"what SQL makes":               {"CREATE TABLE IF NOT EXISTS keep_log (keep_id int);\nCREATE FUNCTION keep_it() AS x;\nCREATE UNIQUE INDEX keep_idx ON keep_log (keep_id);\nSELECT keep_it(k.keep_id); keep_weeks(3)", "`keep_weeks`"},
		"of every machine":             {"while true; do grep -c x; done\nprintf \"x\"\nreturn 3", ""},
		"hosts, files and paths":       {"logs.example.net: 3\nrotate.conf = 3\n/etc/rotate_d/x = 3\nkeep_days https://on_full/", ""},
		"of the question":              {"tidewater = 3", ""},
		"a short one":                  {"ttl = 3", ""},
		"in the place of another":      {"keep_days REPLACE_THIS = 3\nYOUR_KEY=3\nchange-me: 2\nreplace_days = 3", "`replace_days`"},
		"own, as a remark says":        {"# own knowledge, no page has it\nkeep_weeks 3\nkeep_years 5\n\nkeep_months 4", "`keep_months`"},
		"own, in Chinese":              {"keep_weeks 3\nkeep_years 5 # 据自身知识", ""},
		"a script":                     {"#!/bin/sh\nkeep_weeks 3", ""},
		"for a program of its own":     {"set_one 1\nset_two 2\nset_three 3\nkeep_days 4", ""},
		"no sample":                    {"", ""},
		"twice, and a blank line":      {"keep_weeks 3\n\nkeep_weeks 4", "`keep_weeks`"},
		"a word in another form":       {"operators = 3\ntarget = 2\nruns = 3\nsizing = 3\nrule = 3\nkeep = 2", "`operators`, `runs`, `sizing`"},
		"capitals are no difference":   {"Keep_Days 3\nSTARTSWITH \"x\"", ""},
		"what a mark stands before":    {"a = $my_name + @my_other(3) + &my_third(2)\n<my_tag>: 3", ""},
		"with another number":          {"log2-path = 3\nlog2-names = 4\nrotate --no-dry-run --no-wet-run", "`log2-names`, `--no-wet-run`"},
		"a reference is not a setting": {"rotate { main_target; }", ""},
	} {
		t.Run(name, func(t *testing.T) {
			b := proposals(t, rounds.Judging{}, judgement(9))
			_, err := b.w.AddSource(workspace.Source{URL: "https://example.org/r", Title: "Reference", Type: "html"}, reference)
			require.NoError(t, err)
			require.NoError(t, b.w.Ask("How does tidewater rotate?"))
			b.put("report.md", "# How logs are rotated\n\nOnce a day [s1].\n\n1. Write:\n\n   ```\n   "+
				strings.ReplaceAll(c.sample, "\n", "\n   ")+"\n   ```\n")

			text, effect := b.propose()
			if c.told == "" {
				assert.Equal(t, agent.Finish, effect, text)
				return
			}
			require.Equal(t, agent.Continue, effect)
			assert.Contains(t, text, "No source read has these names of your samples: "+c.told+". Search")
			again, _ := b.proposeAs("researcher1")
			assert.Equal(t, text, again, "after a kill")
			text, effect = b.propose()
			assert.Equal(t, agent.Finish, effect, "it is told once: %s", text)
		})
	}
}
