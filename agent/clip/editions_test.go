package clip_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daybook-agent/daybook/agent"
)

// Two editions with another limit are both quoted, the newer first, unless a question names a year.
func TestTheNewerEditionComesFirst(t *testing.T) {
	pages := map[string]string{}
	for year, limit := range map[string]string{"2023": "12", "2026": "8"} {
		pages["doc:"+year+".md"] = "Jetty rules " + year + "\n# Jetty rules " + year +
			"\n\nThe limit of people on the pontoon is " + limit + " in calm weather.\n"
	}
	first := top(finished(t, "How many people may stand on the pontoon?", pages).files["report.md"])
	newer, older := strings.Index(first, "pontoon is 8"), strings.Index(first, "pontoon is 12")
	require.Positive(t, newer, first)
	assert.Greater(t, older, newer, first)
}

// What comes further down in a definition is quoted with its term, and the label of a note ends nothing.
func TestADefinitionGoesOnBelowItsTerm(t *testing.T) {
	const page = "Random\n# Random\n\n**`sample(population, k)`**\n\nReturn a list of unique elements.\n\n" +
		"Raffle winners can be partitioned into grand prize and second place winners by its order.\n\n" +
		"**`wait(timeout)`**\n\nWait for the child process to terminate.\n\nNote\n\n" +
		"This will deadlock when using a pipe that the child fills.\n\n" +
		"**`choice(seq)`**\n\nReturn an element of a sequence.\n"
	assert.Contains(t, top(reportOn(t, "How do I draw the raffle winners of a grand prize?", page)),
		"`sample(population, k)`")
	assert.Contains(t, top(reportOn(t, "What does wait do with a child process?", page)), "deadlock")
}

// A chapter that a person asks for has its passages, though the first part of the report has them too.
func TestAChapterOfAPersonsKeepsItsPassages(t *testing.T) {
	d := newDesk("How do I claim travel costs?", map[string]string{"doc:a.md": "Travel\n# Travel\n\n" +
		"Travel costs are claimed in the system within a month.\n\n" +
		"Mileage in one's own car is paid at 45 pence, and travel costs by train in full.\n"})
	require.Equal(t, agent.Finished, d.run(t, 60).Reason)
	d.set("overall_dashboard.md", "blueprint", d.get("overall_dashboard.md", "blueprint")+
		"\n- [ ] **Mileage** Queries: mileage own car.")
	require.Equal(t, agent.Finished, d.run(t, 60).Reason)
	_, chapter, _ := strings.Cut(d.files["report.md"], "\n## Mileage\n")
	assert.Contains(t, chapter, "paid at 45 pence", d.files["report.md"])
}

// Where a thing is in no document, the nearest passages are shown, and no others.
func TestWhereAThingIsNowhereNoChaptersFollow(t *testing.T) {
	said := []string{
		"was paid in May, before the feast", "goes with the wages of July", "is taxed like any wage",
		"was halved after the flood", "of guests is nothing", "depends on the harvest of the year",
	}
	pages := map[string]string{}
	for i, what := range said {
		pages["doc:"+string(rune('a'+i))+".md"] = "Bonus\n# Bonus\n\nThe bonus of the staff " + what + ".\n"
	}
	quotes := func(question string) int {
		return len(quotesIn(finished(t, question, pages).files["report.md"]))
	}
	assert.LessOrEqual(t, quotes("When does the staff get a sabbatical bonus?"), 3)
	assert.Greater(t, quotes("When does the staff get a bonus?"), 3, "control")
}
