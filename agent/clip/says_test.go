package clip_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/agent"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const letter = "Parking\n# Parking\n\nDear tenants,\n\nfrom April on a tenant leaves 45 euros a month for a space in the garage.\n\n" +
	"Careful!\n\nThe ramp to the garage is steep and gets slippery when it rains.\n\nTODO: ask whether guests of a tenant count.\n\n" +
	"Kind regards\nAnna Lindqvist\n"

// Only a thing that no document holds is told first: never the verb of asking.
func TestTheVerbOfAQuestionIsNotMissed(t *testing.T) {
	for question, want := range map[string]string{
		"What did the tenant pay for the garage?":        "",
		"Which tenant has the cheapest space?":           "",
		"What did the tenant pay for the balloon?":       "\n\nNo document holds: balloon.\n",
		"control: what did the tenant pay in Reykjavík?": "\n\nNo document holds: control, Reykjavík.\n",
	} {
		report := reportOn(t, question, letter)
		first, _, _ := strings.Cut(report, "{#abstract}")
		if want == "" {
			assert.NotContains(t, first, "No document holds", question)
			assert.NotEmpty(t, quotesIn(report), question)
		} else {
			assert.Contains(t, first, want)
		}
	}
}

func TestGreetingsAndSignaturesAreNoAnswers(t *testing.T) {
	report := reportOn(t, "Where may a tenant park, is there a garage?", letter)
	assert.Contains(t, report, "45 euros a month")
	assert.Contains(t, report, "The ramp to the garage", "what a warning is about")
	for _, empty := range []string{"Dear tenants", "Careful!", "TODO", "Kind regards"} {
		assert.NotContains(t, report, empty)
	}
	zh := reportOn(t, "房租每月多少钱？", "信\n# 信\n\n李先生，您好：\n\n合同到期以后房租每月五千五百元，押金不变。\n\n小心！\n\n祝好\n周敏\n")
	assert.Contains(t, zh, "房租每月五千五百元")
	assert.NotRegexp(t, "您好|小心|祝好", zh)
	joe := reportOn(t, "Who is the plumber?", "Phone book\n# Phone book\n\n## Plumber\n\nJoe Schmidt\n\n## Baker\n\nAda King\n")
	assert.Contains(t, joe, "“Joe Schmidt”", "a few words below the heading that was asked for are an answer")
}

// An item is quoted under what leads to its list, however far above it that is.
func TestAnItemIsQuotedUnderWhatLeadsToIt(t *testing.T) {
	const page = "Travel\n# Travel\n\nThe limits of travel expenses are:\n\n- hotel, at most 140 euros a night\n- breakfast, 9 euros\n" +
		"- train, second class, first class from four hours on\n- rail cards, when they were used three times\n- flights, economy class only\n" +
		"- visas, at cost\n- taxi, only after 22:00 or with much luggage\n- tips, five percent\n"
	passage := top(reportOn(t, "When are the travel expenses of a taxi paid?", page))
	assert.Contains(t, passage, "“The limits of travel expenses are:”")
	assert.Contains(t, passage, "“taxi, only after 22:00 or with much luggage”")
	assert.Less(t, strings.Index(passage, "The limits"), strings.Index(passage, "taxi"))
	assert.NotContains(t, passage, "breakfast")
}

func TestANameWithASlashIsOneWord(t *testing.T) {
	const page = "Protocols\n# Protocols\n\nThe directive Protocols h2 turns HTTP/2 on in the server.\n\nAn HTTP request has 2 parts.\n"
	d := finished(t, "How do I turn on HTTP/2 over TCP/IP?", map[string]string{"doc:p.md": page})
	assert.Contains(t, d.query, "HTTP/2 TCP/IP")
	assert.Contains(t, top(d.files["report.md"]), "turns HTTP/2 on")

	d = newDesk("How do I turn on HTTP/2 in the server?", map[string]string{"doc:p.md": strings.ReplaceAll(page, "HTTP/2", "it")})
	d.unread = "None of the 1 documents holds \"HTTP/2\" to the letter.\n"
	require.Equal(t, agent.Finished, d.run(t, 60).Reason)
	assert.Contains(t, d.files["report.md"], "\n\nNo document holds: HTTP/2.\n")
}

// A document may hold a name that none of the passages speaks of.
func TestANameOfWhichNoPassageSpeaksIsSaidFirst(t *testing.T) {
	const page = "Ports\n# Ports\n\nThe database listens on port 5432 unless another port is set.\n\n" +
		"## See also\n\n- Oracle and what else there is to read of databases.\n"
	first, _, _ := strings.Cut(reportOn(t, "On which port does the Oracle database listen?", page), "{#abstract}")
	assert.Contains(t, first, "\n\nNo passage found speaks of: Oracle.\n")
	first, _, _ = strings.Cut(reportOn(t, "On which port does the database listen?", page), "{#abstract}")
	assert.NotContains(t, first, "No passage")
}

func TestAHeadingIsQuotedAsItIsMeant(t *testing.T) {
	report := reportOn(t, "What does the constructor of a class do?",
		"Classes\n# Classes\n\n## `__init__`\n\nThe constructor of a class gives an object its first values.\n\n## max_size\n\nThe constructor of a class has a limit.\n")
	assert.Contains(t, report, "\n### \\_\\_init\\_\\_ · Classes\n")
	assert.Contains(t, report, "\n### max_size · Classes\n")
}

// Passages have no numbers of their own, which would be wrong once one of them goes.
func TestPassagesAreNotNumbered(t *testing.T) {
	d := finished(t, asked, english())
	assert.NotRegexp(t, `(?m)^#+ \d+\. `, d.files["report.md"])
	assert.NotRegexp(t, `(?m)^#+ \d+\. `, d.files[d.chapterFiles()[0]])
}

// A manual in several languages fills the first hits with translations of one page.
func TestAnotherPageIsReadInPlaceOfATranslation(t *testing.T) {
	pages := map[string]string{"doc:z.md": "Worker\n# Worker\n\nThe worker module serves each request in a thread of a process, and it needs less memory than others do.\n"}
	for i := range 8 {
		pages[fmt.Sprintf("doc:de%d.md", i)] = "Worker\n# Worker\n\nDas worker module bedient Anfragen mit vielen Threads, braucht weniger memory als andere, " +
			"und jeder Prozess verwaltet seine Threads selbst, worker, module, memory; alle Angaben sind ohne jede Gewähr und gelten nur bis auf Widerruf durch den Betreiber.\n"
	}
	report := finished(t, "How much memory does the worker module need?", pages).files["report.md"]
	assert.Contains(t, report, "needs less memory than others do")
	assert.NotContains(t, report, "Anfragen")
}

// A table's head that holds the words of the question makes no answers of its rows.
func TestARowAnswersByItsOwnCells(t *testing.T) {
	page := "Modules\n# Modules\n\n| Description: | Limits the bandwidth of a download |\n| --- | --- |\n| Status: | Extension |\n" +
		"| Source file: | mod_limit.c |\n\nA limited download sleeps between two writes.\n\n## Other\n\nThe bandwidth of each download is halved at night.\n"
	answer := top(reportOn(t, "How is the bandwidth of a download limited?", page))
	assert.Contains(t, answer, "A limited download sleeps between two writes.")
	assert.Equal(t, 1, strings.Count(answer, "| Description: |"), answer)
}
