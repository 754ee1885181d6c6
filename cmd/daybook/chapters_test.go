package main

import (
	"bufio"
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What is done for chapters side by side is told under their names, a line each on the screen, and counts once.
func TestTheStoryOfChaptersSideBySide(t *testing.T) {
	give := call("research_chapters", `{"chapters":[{"file":"Notebook/01-tides.md"},{"file":"Notebook/02-moon.md"}]}`)
	of := func(n string) agent.At {
		return agent.At{Agent: "researcher/c00000100/chapter" + n, Stretch: 1, Step: 3}
	}
	file := agent.At{Agent: "researcher/c00000100/chapter2/c00000100/file", Stretch: 1, Step: 1}
	write := agent.Call{ID: "c00000100", Name: "write_file", Args: `{"path":"Notebook/02-moon.md"}`}
	events := []agent.Event{
		agent.Replied{At: at(7), Calls: []agent.Call{give}, Usage: agent.Usage{In: 100}, Total: agent.Usage{In: 100}},
		agent.Acting{At: at(7), Call: give},
		agent.Opened{At: of("1")}, agent.Opened{At: of("2")},
		agent.Replied{At: of("2"), Usage: agent.Usage{In: 30}, Total: agent.Usage{In: 30}},
		agent.Acting{At: of("1"), Call: call("web_search", `{"query":"spring tides"}`)},
		agent.Acted{At: of("1"), Call: call("web_search", `{"query":"spring tides"}`), Text: "3 results"},
		agent.Acting{At: of("2"), Call: call("file_operation", `{"operation_description":"Write the chapter"}`)},
		agent.Acted{At: file, Call: write, Text: "It is written", Facts: []agent.Fact{{Kind: agent.Changed, Path: "Notebook/02-moon.md", N: 40}}},
		agent.Acted{At: of("2"), Call: call("file_operation", `{"operation_description":"Write the chapter"}`), Text: "Wrote it"},
	}
	var told []string
	var n narrator
	p := progress{began: time.Now(), question: "Why do tides rise?", maxSteps: 100}
	var log bytes.Buffer
	line := timeline{out: bufio.NewWriter(&log), narrator: narrator{lang: prose.English}}
	for _, e := range events {
		p.take(e, &n)
		if l := n.tell(e); l.text != "" {
			told = append(told, l.text)
		}
		line.tell(time.Now(), e)
	}
	assert.Equal(t, []string{`01-tides  searched  "spring tides"`, "02-moon  wrote  Notebook/02-moon.md (40 words)"}, told)
	line.scatter()
	require.NoError(t, line.out.Flush())
	assert.Contains(t, log.String(), `01-tides  searched  "spring tides"`)
	assert.Contains(t, log.String(), "02-moon  wrote  Notebook/02-moon.md (40 words)")

	block := strings.Join(p.block(80, 24, time.Now()), "\n")
	assert.Contains(t, block, "▸ 01-tides  searching  \"spring tides\"\n  ▸ 02-moon  files  Write the chapter\n")
	assert.Contains(t, block, "tokens 130 in")
	p.take(agent.Ended{At: of("1"), Reason: agent.Finished}, &n)
	p.take(agent.Ended{At: of("2"), Reason: agent.Finished}, &n)
	assert.Contains(t, strings.Join(p.block(80, 24, time.Now()), "\n"), "▸ having chapters researched")
}
