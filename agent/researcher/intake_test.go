package researcher_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/actions/gate"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/account"
	"github.com/daybook-agent/daybook/agent/intake"
	"github.com/daybook-agent/daybook/agent/researcher"
	"github.com/daybook-agent/daybook/agent/rounds"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func focus(names ...string) []args {
	var list []args
	for _, name := range names {
		list = append(list, args{"name": name, "queries": []string{name + " tides"}})
	}
	return list
}

// What a scripted intake says of a question: that it is clear, that it is not, and that nothing can be done.
func clearBrief() args {
	return args{
		"topic": "tides", "topic_clear": true, "scope": "the causes", "scope_clear": true, "goal": "to know why they rise", "goal_clear": true,
		"focus": focus("moon", "sun", "coasts"), "confidence": 0.95, "assumptions": []string{"The seas of the Earth are meant."},
	}
}

func unclearBrief() args {
	return args{
		"topic": "tides", "topic_clear": true, "scope": "", "scope_clear": false, "goal": "to know about them", "goal_clear": true,
		"focus": focus("moon", "power"), "confidence": 0.4, "assumptions": []string{"The causes are meant."},
		"question": "Which side of tides?", "options": []string{"Their causes", "Power from tides"}, "missing": "scope",
	}
}

func impossibleBrief() args {
	b := clearBrief()
	b["impossible"] = "No reading can stop the tide; how others hold it back can be researched."
	return b
}

// settling is a research with an intake.
func settling(t *testing.T, person intake.Person, briefs ...args) (*play, job) {
	t.Helper()
	p := &play{briefs: briefs, scores: []judged{{score: 8}}, usage: agent.Usage{In: 100, Out: 10}}
	config := stage(t, p, rounds.Judging{})
	config.NoIntake, config.Person = false, person
	return p, config
}

func sectionOf(t *testing.T, dir, id string) string {
	t.Helper()
	body, ok := workspace.Section(readFile(t, dir, workspace.OverallFile), id)
	require.True(t, ok)
	return body
}

func TestAnUnclearQuestionIsAskedAbout(t *testing.T) {
	person := &asked{answers: []string{"2"}}
	p, config := settling(t, person, unclearBrief(), unclearBrief(), clearBrief())
	result, err := run(t.Context(), config)
	require.NoError(t, err)
	require.Equal(t, agent.Finished, result.Reason)
	require.Equal(t, []intake.Question{{Text: "Which side of tides?", Options: []string{"Their causes", "Power from tides"}, Missing: "scope", N: 1}}, person.questions)
	assert.NotContains(t, p.heard["intake"][0], "Looked up for you")
	assert.Contains(t, p.heard["intake"][1], `Looked up for you, "tides"`, "before anybody is asked")
	assert.Contains(t, p.heard["intake"][1], "Harbours", "the titles of what exists")
	assert.Contains(t, p.heard["intake"][2], "They answered: Power from tides")
	brief := sectionOf(t, config.Dir, "question")
	assert.Contains(t, brief, "Which side of tides? → Power from tides")
	assert.Contains(t, brief, "The seas of the Earth are meant.")
	assert.NotContains(t, brief, "Open question")
	assert.Contains(t, p.heard[account.Name][0], "Power from tides", "the researcher reads the answer")

	status, err := researcher.Open(config.Dir).Status()
	require.NoError(t, err)
	assert.Equal(t, "Why do tides rise?", status.Question)
	assert.Equal(t, 3, status.Agents["intake"].Calls)
	assert.Equal(t, result.Usage, status.Usage, "what the intake cost is a part of it")
	accountsAddUp(t, status)

	again, err := run(t.Context(), config)
	require.NoError(t, err)
	assert.Equal(t, agent.Finished, again.Reason)
	assert.Equal(t, 3, p.replies["intake"], "a finished research asks nothing")
}

func TestNobodyToAsk(t *testing.T) {
	p, config := settling(t, nil, unclearBrief())
	result, err := run(t.Context(), config)
	require.NoError(t, err)
	require.Equal(t, agent.Finished, result.Reason)
	assert.Equal(t, 1, p.replies["intake"])
	assert.Contains(t, sectionOf(t, config.Dir, "question"), "1. The causes are meant.")
}

// writer is a person who never answers by the program, but writes into the dashboard while it waits.
type writer struct {
	dir, answer string
	put         string // the section as the question stood there
}

// Answer implements intake.Person.
func (w *writer) Answer(ctx context.Context, _ intake.Question) (string, error) {
	path := filepath.Join(w.dir, workspace.OverallFile)
	data, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	w.put, _ = workspace.Section(string(data), "question")
	if err := os.WriteFile(path, []byte(strings.Replace(string(data), "**Answer:**", "**Answer:** "+w.answer, 1)), 0o644); err != nil {
		return "", err
	}
	<-ctx.Done()
	return "", context.Cause(ctx)
}

// Confirm implements intake.Person.
func (*writer) Confirm(context.Context, intake.Plan) (intake.Verdict, error) {
	return intake.Verdict{}, nil
}

func TestAQuestionIsAnsweredOnTheDashboard(t *testing.T) {
	person := &writer{answer: "Their causes, on the coasts"}
	p, config := settling(t, person, unclearBrief(), unclearBrief(), clearBrief())
	person.dir = config.Dir
	result, err := run(t.Context(), config)
	require.NoError(t, err)
	require.Equal(t, agent.Finished, result.Reason)
	assert.Contains(t, person.put, "**Open question:** Which side of tides?\n\n1. Their causes\n2. Power from tides\n\n**Answer:**")
	assert.Contains(t, p.heard["intake"][2], "They answered: Their causes, on the coasts")
	brief := sectionOf(t, config.Dir, "question")
	assert.Contains(t, brief, "Which side of tides? → Their causes, on the coasts")
	assert.Equal(t, 1, strings.Count(brief, "Which side of tides?"), "the question does not stand open any more")
}

// killer is a person during whose thinking the program is cut off.
type killer struct{ cancel context.CancelCauseFunc }

// Answer implements intake.Person.
func (k killer) Answer(ctx context.Context, _ intake.Question) (string, error) {
	k.cancel(errCutOff)
	<-ctx.Done()
	return "", context.Cause(ctx)
}

// Confirm implements intake.Person.
func (k killer) Confirm(ctx context.Context, _ intake.Plan) (intake.Verdict, error) {
	k.cancel(errCutOff)
	<-ctx.Done()
	return intake.Verdict{}, context.Cause(ctx)
}

// Cut off while it waits for an answer, a research asks again without judging again; and an answer that was written on the dashboard
// meanwhile counts, whether or not there is somebody to ask.
func TestAnIntakeThatIsCutOffGoesOn(t *testing.T) {
	cutOff := func(t *testing.T, config job) {
		t.Helper()
		ctx, cancel := context.WithCancelCause(t.Context())
		defer cancel(nil)
		config.Person = killer{cancel}
		_, err := run(ctx, config)
		require.ErrorIs(t, err, errCutOff)
	}
	write := func(t *testing.T, dir string) {
		t.Helper()
		path := filepath.Join(dir, workspace.OverallFile)
		text := strings.Replace(readFile(t, path), "**Answer:**", "**Answer:**\n\nPower from tides, please", 1)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	for name, c := range map[string]struct {
		person    *asked
		written   bool
		answer    string
		questions int
	}{
		"asked again":                              {person: &asked{answers: []string{"1"}}, answer: "Their causes", questions: 1},
		"answered on the dashboard":                {person: &asked{}, written: true, answer: "Power from tides, please"},
		"answered on the dashboard, nobody to ask": {written: true, answer: "Power from tides, please"},
	} {
		t.Run(name, func(t *testing.T) {
			p, config := settling(t, nil, unclearBrief(), unclearBrief(), clearBrief())
			cutOff(t, config)
			status, err := researcher.Open(config.Dir).Status()
			require.NoError(t, err)
			assert.Equal(t, "interrupted", status.State)
			assert.Contains(t, sectionOf(t, config.Dir, "question"), "**Open question:** Which side of tides?")
			if c.written {
				write(t, config.Dir)
			}
			if c.person != nil {
				config.Person = c.person
			}
			config.Question = ""
			result, err := run(t.Context(), config)
			require.NoError(t, err)
			require.Equal(t, agent.Finished, result.Reason)
			assert.Equal(t, 3, p.replies["intake"], "no judgement is paid for twice")
			assert.Contains(t, sectionOf(t, config.Dir, "question"), "Which side of tides? → "+c.answer)
			assert.NotContains(t, sectionOf(t, config.Dir, "question"), "Open question")
			if c.person != nil {
				assert.Len(t, c.person.questions, c.questions)
			}
			status, err = researcher.Open(config.Dir).Status()
			require.NoError(t, err)
			assert.Equal(t, result.Usage, status.Usage)
			accountsAddUp(t, status)
		})
	}
	t.Run("while it shows the plan", func(t *testing.T) {
		p, config := settling(t, nil, clearBrief(), clearBrief())
		config.Plan = true
		cutOff(t, config)
		person := &asked{verdicts: []intake.Verdict{{Accept: true}}}
		config.Person = person
		result, err := run(t.Context(), config)
		require.NoError(t, err)
		require.Equal(t, agent.Finished, result.Reason)
		assert.Equal(t, 2, p.replies["intake"], "nothing is judged twice")
		assert.Len(t, person.plans, 1)
		assert.Contains(t, sectionOf(t, config.Dir, "blueprint"), "- [ ] **")
	})
}

// Cut off at each thing that happens in an intake, the research ends with the same brief, and no reply is asked for twice.
func TestAnIntakeIsCutOffAnywhere(t *testing.T) {
	t.Parallel()
	every := 1
	if testing.Short() {
		every = 4
	}
	for n := 1; n < 20; n += every {
		person := &asked{answers: []string{"1"}}
		p, config := settling(t, person, unclearBrief(), unclearBrief(), clearBrief())
		ctx, cancel := context.WithCancelCause(t.Context())
		happened := 0
		config.Observe = func(agent.Event) {
			if happened++; happened == n {
				cancel(errCutOff)
			}
		}
		_, err := run(ctx, config)
		require.ErrorIs(t, err, errCutOff)
		config.Observe = nil
		result, err := run(t.Context(), config)
		require.NoError(t, err)
		require.Equal(t, agent.Finished, result.Reason)
		assert.Equal(t, 3, p.replies["intake"], "cut off at %d", n)
		assert.Len(t, person.questions, 1, "cut off at %d", n)
		assert.Contains(t, sectionOf(t, config.Dir, "question"), "Which side of tides? → Their causes", "cut off at %d", n)
		assert.Equal(t, p.total(), result.Usage.Calls, "cut off at %d", n)
		cancel(nil)
	}
}

// What research cannot do is refused with the reason, and so it stays, until another question begins anew in the same folder.
func TestWhatCanNotBeDone(t *testing.T) {
	p, config := settling(t, &asked{}, impossibleBrief(), clearBrief())
	for range 2 {
		_, err := run(t.Context(), config)
		require.ErrorIs(t, err, researcher.ErrCannotDo)
		assert.ErrorContains(t, err, "No reading can stop the tide; how others hold it back can be researched.")
		assert.Equal(t, 1, p.total(), "it is judged once")
	}
	bare := config
	bare.Question = ""
	_, err := run(t.Context(), bare)
	require.ErrorIs(t, err, researcher.ErrCannotDo)
	assert.NoFileExists(t, filepath.Join(config.Dir, workspace.ReportFile))
	status, err := researcher.Open(config.Dir).Status()
	require.NoError(t, err)
	assert.Equal(t, "refused", status.State)
	assert.Contains(t, status.Ended, "No reading can stop the tide")

	config.Question = "How do the Dutch hold back the tide?"
	result, err := run(t.Context(), config)
	require.NoError(t, err)
	require.Equal(t, agent.Finished, result.Reason)
	assert.Contains(t, sectionOf(t, config.Dir, "question"), "How do the Dutch hold back the tide?")
	status, err = researcher.Open(config.Dir).Status()
	require.NoError(t, err)
	assert.Equal(t, "finished", status.State)
	assert.Equal(t, 1, status.Agents["intake"].Calls, "what the refused question cost is another's")
	accountsAddUp(t, status)
}

// leaves is a person who leaves at the first question.
type leaves struct{ asked }

// Answer implements intake.Person.
func (*leaves) Answer(context.Context, intake.Question) (string, error) { return "", errCutOff }

// A question that somebody left before the first step makes way for the next, and the archive keeps the finished research alone.
func TestALeftQuestionMakesWay(t *testing.T) {
	for _, wrote := range []bool{false, true} {
		_, config := settling(t, nil, clearBrief(), unclearBrief(), unclearBrief(), clearBrief())
		_, err := run(t.Context(), config)
		require.NoError(t, err)
		config.Person, config.Question = &leaves{}, "How long does it take?"
		_, err = run(t.Context(), config)
		require.ErrorIs(t, err, errCutOff)
		report := filepath.Join(config.Dir, "Archive", "1", workspace.ReportFile)
		require.FileExists(t, report)
		if wrote {
			text := readFile(t, config.Dir, workspace.OverallFile)
			text = strings.Replace(text, "{#gaps}", "{#gaps}\n\n- A gap of mine", 1)
			require.NoError(t, os.WriteFile(filepath.Join(config.Dir, workspace.OverallFile), []byte(text), 0o644))
		}

		config.Person, config.Question = nil, "Why do tides fall?"
		result, err := run(t.Context(), config)
		require.NoError(t, err)
		require.Equal(t, agent.Finished, result.Reason)
		assert.Contains(t, sectionOf(t, config.Dir, "question"), "Why do tides fall?")
		assert.NotContains(t, sectionOf(t, config.Dir, "question"), "How long")
		assert.FileExists(t, report)
		archived, err := os.ReadDir(filepath.Join(config.Dir, "Archive"))
		require.NoError(t, err)
		assert.Len(t, archived, map[bool]int{false: 1, true: 2}[wrote], "what a person wrote is archived")
		_, err = researcher.Open(config.Dir).Replay(t.Context(), t.TempDir())
		require.NoError(t, err)
	}
}

func TestAPlanIsConfirmed(t *testing.T) {
	planOf := func(title string) *intake.Plan {
		return &intake.Plan{Chapters: []intake.Chapter{{Title: title, Question: "What does it do?", Queries: []string{"moon tide"}}, {Title: "Coasts", Question: "Where is it high?"}, {Title: "Sun", Question: "And the sun?"}}}
	}
	t.Run("edited", func(t *testing.T) {
		person := &asked{verdicts: []intake.Verdict{{Edited: planOf("The moon alone")}}}
		p, config := settling(t, person, clearBrief(), clearBrief())
		config.Plan = true
		_, err := run(t.Context(), config)
		require.NoError(t, err)
		assert.Contains(t, sectionOf(t, config.Dir, "blueprint"), "- [ ] **The moon alone** — What does it do?")
		assert.NotContains(t, p.heard["intake"][0], "Looked up for you")
		assert.Contains(t, p.heard["intake"][1], `Looked up for you, "tides"`, "before the plan is shown")
		assert.Equal(t, 2, p.replies["intake"])
	})
	t.Run("refused", func(t *testing.T) {
		_, config := settling(t, &asked{verdicts: []intake.Verdict{{}}}, clearBrief(), clearBrief())
		config.Plan = true
		_, err := run(t.Context(), config)
		require.ErrorIs(t, err, researcher.ErrCannotDo)
	})
	t.Run("made anew", func(t *testing.T) {
		person := &asked{verdicts: []intake.Verdict{{Refused: "Leave out the sun"}, {Accept: true}}}
		p, config := settling(t, person, clearBrief(), clearBrief(), clearBrief())
		config.Plan = true
		_, err := run(t.Context(), config)
		require.NoError(t, err)
		assert.Contains(t, p.heard["intake"][2], "Leave out the sun")
		assert.Len(t, person.plans, 2)
	})
	t.Run("a chapter for each part", func(t *testing.T) {
		exhaustive, err := gate.FindProfile("exhaustive", nil)
		require.NoError(t, err)
		var chapters []args
		for _, part := range exhaustive.Parts() {
			chapters = append(chapters, args{"title": part, "question": "Why?", "queries": []string{"tides"}})
		}
		p, config := settling(t, nil, clearBrief(), clearBrief())
		p.briefs[1]["chapters"], config.Plan, config.Profile.Sections = chapters, true, exhaustive.Sections
		_, err = run(t.Context(), config)
		require.NoError(t, err)
		assert.Contains(t, p.heard["intake"][0], "4.9 Case Studies / 案例; 5 Comparative Tables / 对比表;")
		assert.Equal(t, 17, strings.Count(sectionOf(t, config.Dir, "blueprint"), "Queries: tides."))
	})
	t.Run("nobody to ask", func(t *testing.T) {
		_, config := settling(t, nil, clearBrief(), clearBrief())
		config.Plan = true
		result, err := run(t.Context(), config)
		require.NoError(t, err)
		require.Equal(t, agent.Finished, result.Reason)
		assert.Equal(t, 3, strings.Count(sectionOf(t, config.Dir, "blueprint"), "- [ ] **"), "the plan stands on the dashboard")
	})
}

// A judge that says nothing that can be read ends no research: the question is taken as it stands.
func TestAnUnreadableIntake(t *testing.T) {
	wrong := clearBrief()
	wrong["confidence"] = 70
	p, config := settling(t, &asked{}, wrong, wrong, wrong, wrong, wrong, wrong, wrong, wrong)
	result, err := run(t.Context(), config)
	require.NoError(t, err)
	require.Equal(t, agent.Finished, result.Reason)
	assert.Positive(t, p.replies["intake"])
	assert.Contains(t, sectionOf(t, config.Dir, "question"), "Why do tides rise?")
	assert.False(t, errors.Is(err, researcher.ErrCannotDo))
}
