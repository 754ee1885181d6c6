package researcher_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/account"
	"github.com/daybook-agent/daybook/agent/agenttest"
	"github.com/daybook-agent/daybook/agent/researcher"
	"github.com/daybook-agent/daybook/agent/rounds"
	"github.com/stretchr/testify/require"
)

// play is a Brain that plays all the agents of a research by a script: whose part it is it knows by the actions that it is shown. It
// outlives the runs that are killed.
type play struct {
	research func(p *play, talk *agent.Conversation) agent.Reply // the researcher's part; nil for rounds
	scores   []judged                                            // one a round; the last one again when there are more rounds
	objected []string                                            // by the harsh evaluator, at its first attack
	briefs   []args                                              // what the intake judges, in turn
	files    func(request string) agent.Call                     // the file agent's part; nil to write what it is given
	usage    agent.Usage                                         // of each reply

	mu       sync.Mutex
	replies  map[string]int // by part
	heard    map[string][]string
	attacked int
}

// judged is what the evaluator says of a round.
type judged struct {
	score    float64
	gaps     []string
	nonsense bool // it says nothing that can be read
}

// Think implements agent.Brain.
func (p *play) Think(ctx context.Context, talk *agent.Conversation) (agent.Reply, error) {
	if err := ctx.Err(); err != nil {
		return agent.Reply{}, context.Cause(ctx)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	part := partOf(talk)
	if p.replies == nil {
		p.replies, p.heard = map[string]int{}, map[string][]string{}
	}
	var reply agent.Reply
	switch part {
	case "evaluator":
		reply = p.judge(talk)
	case "objector":
		reply = p.object()
	case "intake":
		if p.replies[part] >= len(p.briefs) {
			return agent.Reply{}, fmt.Errorf("the intake was asked more than %d times", len(p.briefs))
		}
		reply = agenttest.Reply(agenttest.Call("judge", p.briefs[p.replies[part]]))
	case "file":
		write := fileCall
		if p.files != nil {
			write = p.files
		}
		reply = agenttest.Reply(write(talk.Messages[1].Text))
	default:
		research := (*play).rounds
		if p.research != nil {
			research = p.research
		}
		reply = research(p, talk)
	}
	p.replies[part]++
	var text strings.Builder
	for _, m := range talk.Messages {
		text.WriteString(m.Text + "\n")
	}
	p.heard[part] = append(p.heard[part], text.String())
	if reply.Usage == (agent.Usage{}) {
		reply.Usage = p.usage
	}
	reply.Usage.Calls = 1
	return reply, nil
}

func partOf(talk *agent.Conversation) string {
	has := func(name string) bool {
		return slices.ContainsFunc(talk.Actions, func(a agent.Action) bool { return a.Name == name })
	}
	switch {
	case has("assess"):
		return "evaluator"
	case has("object"):
		return "objector"
	case has("judge"):
		return "intake"
	case has("write_file"):
		return "file"
	}
	return account.Name
}

// total is how many replies were asked for.
func (p *play) total() (n int) {
	for _, of := range p.replies {
		n += of
	}
	return n
}

var roundJudged = regexp.MustCompile(`This is round (\d+)`)

func (p *play) judge(talk *agent.Conversation) agent.Reply {
	n := 1
	if m := roundJudged.FindStringSubmatch(talk.Messages[1].Text); m != nil {
		n, _ = strconv.Atoi(m[1])
	}
	j := p.scores[min(n, len(p.scores))-1]
	if j.nonsense {
		return agenttest.Words("It is rather good, I think.")
	}
	mark := args{"reason": "The section on causes says so.", "score": j.score}
	return agenttest.Reply(agenttest.Call("assess", args{
		"completeness": mark, "depth": mark, "reliability": mark, "actionability": mark,
		"coverage": j.score, "diversity": j.score, "consistency": j.score, "freshness": j.score,
		"gaps": append([]string{}, j.gaps...), "directions": []string{"tide tables"}, "analysis": "The second cause was not searched for.",
	}))
}

func (p *play) object() agent.Reply {
	objections := []args{}
	if p.attacked++; p.attacked == 1 {
		for _, o := range p.objected {
			objections = append(objections, args{"where": "The moon pulls the water", "what": o, "remedy": "Say it.", "passage": "s1.1"})
		}
	}
	return agenttest.Reply(agenttest.Call("object", args{"objections": objections}))
}

// step is how many replies the conversation holds already.
func step(talk *agent.Conversation) (n int) {
	for _, m := range talk.Messages {
		if m.Role == agent.RoleAssistant {
			n++
		}
	}
	return n
}

var roundNow = regexp.MustCompile(`Round (\d+):`)

// round is the round that the current dashboard says it is.
func round(talk *agent.Conversation) int {
	n := 1
	if m := roundNow.FindStringSubmatch(talk.Messages[2].Text); m != nil {
		n, _ = strconv.Atoi(m[1])
	}
	return n
}

// rounds is the part of a researcher that searches, reads a page, writes a chapter of it and the report anew in each round, and then
// proposes to finish.
func (p *play) rounds(talk *agent.Conversation) agent.Reply {
	n := round(talk)
	chapter := fmt.Sprintf("# Part %d\n\nThe moon pulls the water of the sea [s1].\n", n)
	report := fmt.Sprintf("# Tides\n\nThe moon pulls the water of the sea [s1].\n\nWritten in round %c.\n", 'a'+n-1)
	calls := []agent.Call{
		agenttest.Call("web_search", args{"query": "tides moon " + string(rune('a'+n-1))}),
		agenttest.Call("visit_url", args{"url": fmt.Sprintf("doc:tides%d.md", (n-1)%3+1)}),
		agenttest.Call("file_operation", args{"operation_description": fmt.Sprintf("Write the content to Notebook/%02d-part.md as it is", n), "content": chapter}),
		agenttest.Call("file_operation", args{"operation_description": "Write the content to report.md as it is", "content": report}),
		agenttest.Call("all_finished", args{"result": "The report is report.md"}),
	}
	return agenttest.Reply(calls[min(step(talk), len(calls)-1)])
}

// scoresAlone leaves out what a play has no part for: a judge that gives scores decides alone.
const scoresAlone = rounds.NoChecker | rounds.NoChecklist | rounds.NoComparison | rounds.NoOpponent | rounds.NoMending

// stage is a research of a folder of documents that a play performs.
func stage(t *testing.T, p *play, judging rounds.Judging) job {
	t.Helper()
	judging.Without |= scoresAlone
	dir := t.TempDir()
	docs := filepath.Join(dir, "docs")
	require.NoError(t, os.Mkdir(docs, 0o755))
	for i, text := range []string{
		"# Tides\n\nThe moon pulls the water of the sea, and the tide follows the moon twice a day.\n",
		"# The sun\n\nThe sun pulls at the sea too, at a little less than half of what the moon does. Tides are high when both pull alike.\n",
		"# Harbours\n\nHarbours keep tables of the tides of each day, made from the moon and the sun.\n",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(docs, fmt.Sprintf("tides%d.md", i+1)), []byte(text), 0o644))
	}
	return job{Dir: filepath.Join(dir, "research"), Config: researcher.Config{
		Question: "Why do tides rise?", Docs: []string{docs}, Brain: p,
		Profile: anyReport, Judging: judging, NoIntake: true,
	}}
}

func readFile(t *testing.T, parts ...string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(parts...))
	require.NoError(t, err)
	return string(data)
}
