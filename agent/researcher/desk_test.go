package researcher_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/account"
	"github.com/daybook-agent/daybook/agent/intake"
	"github.com/daybook-agent/daybook/agent/researcher"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// alone is a person with whom the program can only talk by the dashboard. It does with the file what it is told to when a question stands
// there.
type alone struct {
	dir  string
	deaf <-chan struct{} // when set, what it waits for instead of the end of its context
	at   func(path, text string)
}

// Answer implements intake.Person.
func (a *alone) Answer(ctx context.Context, _ intake.Question) (string, error) {
	path := filepath.Join(a.dir, workspace.OverallFile)
	data, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	a.at(path, string(data))
	if a.deaf != nil {
		<-a.deaf
	} else {
		<-ctx.Done()
	}
	return "too late", nil
}

// Confirm implements intake.Person.
func (a *alone) Confirm(context.Context, intake.Plan) (intake.Verdict, error) {
	if a.deaf != nil {
		a.at("", "")
		<-a.deaf
	}
	return intake.Verdict{Accept: a.deaf != nil}, nil
}

// A person who does not hear that the question was answered elsewhere, or that the run is over, holds nobody up.
func TestAPersonWhoDoesNotHear(t *testing.T) {
	over := make(chan struct{})
	defer close(over)
	t.Run("that it was answered on the dashboard", func(t *testing.T) {
		p, config := settling(t, nil, unclearBrief(), unclearBrief(), clearBrief())
		config.Person = &alone{config.Dir, over, func(path, text string) {
			assert.NoError(t, os.WriteFile(path, []byte(strings.Replace(text, "**Answer:**", "**Answer:** The causes", 1)), 0o644))
		}}
		_, err := run(t.Context(), config)
		require.NoError(t, err)
		assert.Contains(t, p.heard["intake"][2], "They answered: The causes")
	})
	t.Run("that the run is over", func(t *testing.T) {
		_, config := settling(t, nil, unclearBrief(), unclearBrief())
		ctx, cancel := context.WithCancelCause(t.Context())
		config.Person = &alone{config.Dir, over, func(string, string) { cancel(errCutOff) }}
		_, err := run(ctx, config)
		require.ErrorIs(t, err, errCutOff)
	})
	t.Run("that the run is over, with a plan before them", func(t *testing.T) {
		_, config := settling(t, nil, clearBrief(), clearBrief())
		ctx, cancel := context.WithCancelCause(t.Context())
		config.Plan = true
		config.Person = &alone{config.Dir, over, func(string, string) { cancel(errCutOff) }}
		_, err := run(ctx, config)
		require.ErrorIs(t, err, errCutOff)
	})
}

// An editor that saves by renaming leaves a moment without the file, and one that saves by itself does so in the middle of a sentence.
// Neither ends the run, and half a sentence is no answer. The clock stands still while anybody is at work.
func TestAnAnswerIsWrittenSlowly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, config := settling(t, nil, unclearBrief(), unclearBrief(), clearBrief())
		person := &alone{dir: config.Dir}
		person.at = func(path, text string) {
			assert.NoError(t, os.Remove(path))
			time.Sleep(700 * time.Millisecond)
			for _, answer := range []string{"Their", "Their causes", "Their causes on", "Their causes on the coasts"} {
				assert.NoError(t, os.WriteFile(path+"~", []byte(strings.Replace(text, "**Answer:**", "**Answer:** "+answer, 1)), 0o644))
				assert.NoError(t, os.Rename(path+"~", path))
				time.Sleep(150 * time.Millisecond)
			}
		}
		config.Person = person
		_, err := run(t.Context(), config)
		require.NoError(t, err)
		assert.Contains(t, p.heard["intake"][2], "They answered: Their causes on the coasts")
	})
}

// What was answered to a question that is put differently now stays where the person wrote it.
func TestAnAnswerToAnotherQuestionStays(t *testing.T) {
	for name, judged := range map[string][]args{"another is asked": {unclearBrief(), unclearBrief(), clearBrief()}, "none is asked": {clearBrief()}} {
		t.Run(name, func(t *testing.T) {
			_, config := settling(t, &asked{answers: []string{"1"}}, judged...)
			before := false
			config.Observe = func(agent.Event) {
				path := filepath.Join(config.Dir, workspace.OverallFile)
				if before {
					return
				}
				before = true
				text := strings.Replace(readFile(t, path), "Why do tides rise?", "Why do tides rise?\n\n**Open question:** For which sea?\n\n1. All\n\n**Answer:**\n\nThe North Sea.\nAnd the Channel.", 1)
				assert.NoError(t, os.WriteFile(path, []byte(text), 0o644))
			}
			_, err := run(t.Context(), config)
			require.NoError(t, err)
			brief := sectionOf(t, config.Dir, "question")
			assert.Contains(t, brief, "For which sea?\n\nThe North Sea.\nAnd the Channel.")
			assert.NotContains(t, brief, "Open question")
			assert.NotContains(t, brief, "**Answer")
		})
	}
}

// Only a mark that begins a line is one.
func TestAQuestionThatNamesTheMarks(t *testing.T) {
	unclear := unclearBrief()
	unclear["question"] = "Which **Answer:** of **Open question:** is meant?"
	_, config := settling(t, &asked{answers: []string{"1"}}, unclear, unclear, clearBrief())
	config.Question = "What does **Open question:** mean in the study of tides?"
	_, err := run(t.Context(), config)
	require.NoError(t, err)
	brief := sectionOf(t, config.Dir, "question")
	assert.Contains(t, brief, "mean in the study of tides?")
	assert.Contains(t, brief, "is meant? → Their causes")
}

// A kill between the writing of the brief and the record of it: the next run finds it written.
func TestABriefIsWrittenOnce(t *testing.T) {
	for name, edit := range map[string]string{"as it was": "", "beside the person's words": "Keep it short.\n\n"} {
		t.Run(name, func(t *testing.T) {
			_, config := settling(t, &asked{verdicts: []intake.Verdict{{Accept: true}}}, clearBrief(), clearBrief())
			config.Plan = true
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			path, first := filepath.Join(config.Dir, workspace.OverallFile), true
			config.Observe = func(e agent.Event) {
				if first {
					first = false
					assert.NoError(t, os.WriteFile(path, []byte(strings.Replace(readFile(t, path), "**Question:**", edit+"**Question:**", 1)), 0o644))
				}
				if _, ok := e.(agent.Opened); ok && e.Where().Agent == account.Name {
					cancel(errCutOff)
				}
			}
			_, err := run(ctx, config)
			require.ErrorIs(t, err, errCutOff)
			question, blueprint := sectionOf(t, config.Dir, "question"), sectionOf(t, config.Dir, "blueprint")
			require.Contains(t, question, "The seas of the Earth are meant.")
			require.Contains(t, blueprint, "- [ ] **")

			journal := filepath.Join(config.Dir, ".daybook", "journal.jsonl")
			before, _, cut := strings.Cut(readFile(t, journal), `"k":"kept brief"`)
			require.True(t, cut)
			require.NoError(t, os.WriteFile(journal, []byte(before[:strings.LastIndex(before, "\n")+1]), 0o600))
			config.Observe = nil
			_, err = run(t.Context(), config)
			require.NoError(t, err)
			assert.Equal(t, question, sectionOf(t, config.Dir, "question"))
			assert.Equal(t, 3, strings.Count(sectionOf(t, config.Dir, "blueprint"), "- [ ] **"))
		})
	}
}

// A plan that the person refused is shown again when they come back, and nothing is paid for twice; what cannot be done stays refused. With
// NoIntake the question is taken as it stands in either case, then and later.
func TestARefusalIsNotForEver(t *testing.T) {
	t.Run("the plan is shown again", func(t *testing.T) {
		person := &asked{verdicts: []intake.Verdict{{}, {Refused: "No sun"}, {}, {Accept: true}}}
		p, config := settling(t, person, clearBrief(), clearBrief(), clearBrief()) // one after the first look-up
		config.Plan = true
		for range 2 {
			_, err := run(t.Context(), config)
			require.ErrorIs(t, err, researcher.ErrCannotDo)
			status, err := researcher.Open(config.Dir).Status()
			require.NoError(t, err)
			assert.Equal(t, "refused", status.State)
		}
		result, err := run(t.Context(), config)
		require.NoError(t, err)
		require.Equal(t, agent.Finished, result.Reason)
		assert.Len(t, person.plans, 4)
		assert.Equal(t, 3, p.replies["intake"])
		status, err := researcher.Open(config.Dir).Status()
		require.NoError(t, err)
		assert.Equal(t, result.Usage, status.Usage)
		accountsAddUp(t, status)
	})
	for name, c := range map[string]struct {
		plan   bool
		briefs []args
	}{
		"what can not be done, without an intake": {false, []args{impossibleBrief()}},
		"a plan, without an intake":               {true, []args{clearBrief(), clearBrief()}},
	} {
		t.Run(name, func(t *testing.T) {
			p, config := settling(t, &asked{verdicts: []intake.Verdict{{}}}, c.briefs...)
			config.Plan = c.plan
			_, err := run(t.Context(), config)
			require.ErrorIs(t, err, researcher.ErrCannotDo)
			config.NoIntake, config.MaxSteps = true, 2
			result, err := run(t.Context(), config)
			require.NoError(t, err)
			require.Equal(t, agent.OutOfSteps, result.Reason)
			config.NoIntake, config.MaxSteps, config.Question = false, 0, ""
			result, err = run(t.Context(), config)
			require.NoError(t, err)
			require.Equal(t, agent.Finished, result.Reason)
			assert.Equal(t, len(c.briefs), p.replies["intake"])
			status, err := researcher.Open(config.Dir).Status()
			require.NoError(t, err)
			accountsAddUp(t, status)
		})
	}
}
